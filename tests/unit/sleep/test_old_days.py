"""Old days: asleep, talk of long ago gives way to a summary a day, the oldest first."""

import pytest

from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.roleplay.day_summaries import SUMMARY, whole_days
from ai_assistant.roleplay.play import Play
from ai_assistant.sleep.night import sleep_on
from ai_assistant.sleep.report import night_report, undo_night
from ai_assistant.testing import Stage, TableReader, people
from ai_assistant.testing.scripted_model import run
from tests.unit.sleep.nights import fall_asleep, night, sleep_through

ALICE, BOB = people("Alice", "Bob")
TODAY = 100


@pytest.fixture
def stage():
    """It is day 100, and what is older than ten days is folded."""
    stage = Stage(model=TableReader(), fold_days_back=10)
    stage.mind.plays = lambda session: Play(session or "", day=TODAY)
    return stage


def live(stage, *days, lines=3, session="", readers="*", kind="utterance"):
    """Let Alice say some lines on each of these days."""
    rows = [
        MemoryRow(
            f"Line {n} of day {day}.",
            kind=kind,
            author=ALICE.id,
            author_name="Alice",
            game_day=day,
            readers=readers,
            session=session,
        )
        for day in days
        for n in range(lines)
    ]
    stage.mind.save(Commit(stage.clock.now(), rows=rows))


def summaries(stage, **where):
    """Return the summaries, by day, oldest first."""
    found = stage.store.memories.values()
    return [
        row
        for row in found
        if row.kind == SUMMARY and all(getattr(row, key) == one for key, one in where.items())
    ]


def talk(stage):
    return [row.game_day for row in stage.store.memories.values() if row.kind == "utterance"]


def test_old_days_give_way_to_summaries(stage):
    """One for each, with its lines as evidence; younger days stay as they were."""
    live(stage, 1, 2, 95)
    night(stage)
    found = summaries(stage)
    assert [(row.game_day, len(row.parents)) for row in found] == [(1, 3), (2, 3)]
    assert found[0].content.startswith("Day 1: Alice: Line 0 of day 1. / Alice:")
    assert talk(stage) == [95, 95, 95]


def test_a_summary_tells_what_was_done_with_the_name_once(stage):
    """Of a pose that begins with it, and of a gesture that does not."""
    same = {"author": ALICE.id, "author_name": "Alice", "game_day": 1, "readers": "*"}
    rows = [
        MemoryRow("Alice bows to the king of the hill.", kind="deed", **same),
        MemoryRow("draws a sword.", kind="own_words", meta={"type": "emote"}, **same),
        *[MemoryRow(f"I shall fight dragon {n}.", kind="utterance", **same) for n in range(3)],
    ]
    stage.mind.save(Commit(stage.clock.now(), rows=rows))
    night(stage)
    (found,) = summaries(stage)
    told = "Alice bows to the king of the hill. / Alice draws a sword. / Alice: I shall fight"
    assert told in found.content


def test_a_second_night_finds_nothing_to_do(stage):
    """What is folded is folded; only days that have grown old since are added."""
    live(stage, 1, 2)
    night(stage)
    night(stage)
    assert len(summaries(stage)) == 2
    stage.mind.plays = lambda session: Play(session or "", day=TODAY + 20)
    live(stage, 95, lines=5)
    night(stage)
    assert [row.game_day for row in summaries(stage)] == [1, 2, 95]


def test_the_oldest_of_many_rows_come_first(stage):
    """Where there are more rows than one piece takes, too, piece by piece."""
    live(stage, *range(1, 16), lines=70)
    fall_asleep(stage)
    while not summaries(stage):
        run(sleep_on(stage.mind))
    assert {row.game_day for row in summaries(stage)} == {1, 2}
    sleep_through(stage)
    assert [row.game_day for row in summaries(stage)] == list(range(1, 16))
    assert talk(stage) == []


def test_a_night_cut_short_goes_on_where_it_was(stage):
    """No day is folded twice, and none is left out."""
    live(stage, *range(1, 30), lines=30)
    fall_asleep(stage)
    while not summaries(stage):
        run(sleep_on(stage.mind))
    again = Stage(store=stage.store, fold_days_back=10)
    again.mind.plays = stage.mind.plays
    sleep_through(again)
    assert [row.game_day for row in summaries(again)] == list(range(1, 30))


def test_each_label_has_its_own(stage):
    """No summary says to others what was whispered."""
    live(stage, 1, lines=5)
    live(stage, 1, lines=5, readers=BOB.id)
    night(stage)
    assert sorted(row.readers for row in summaries(stage)) == ["*", BOB.id]


def test_the_scene_that_it_plays_in_goes_by_its_own_day(stage):
    """A story in which little time passed keeps its days."""
    stage.mind.plays = lambda session: (
        Play(session, day=TODAY) if session == "" else Play("s1", day=5)
    )
    live(stage, 1, session="s1")
    live(stage, 1)
    night(stage)
    assert [row.session for row in summaries(stage)] == [""]
    stage.mind.plays = lambda session: Play("s1" if session is None else session, day=TODAY)
    night(stage)
    assert sorted(row.session for row in summaries(stage)) == ["", "s1"]


def test_what_a_view_rests_on_stays(stage):
    """A line that is a trait's evidence is not put by."""
    live(stage, 1, lines=5)
    item = {
        "entity_id": ALICE.id,
        "type": "home",
        "value": "Alice lives in Harrow.",
        "source": "consolidation",
        "at": 1.0,
        "author": ALICE.id,
        "readers": "*",
        "evidence": [2],
    }
    identity = {"name": "Alice", "entity_type": "player", "at": 1.0}
    changes = [
        Change("profile", ALICE.id, "create_entity_profile", identity),
        Change("profile", ALICE.id, "add_attribute", item),
    ]
    stage.mind.save(Commit(1.0, changes=changes))
    night(stage)
    assert [row.id for row in stage.store.memories.values() if row.kind == "utterance"] == [2]
    assert summaries(stage)[0].parents == (1, 3, 4, 5)


def test_the_report_tells_and_undo_brings_it_back(stage):
    """Summaries go, and the lines of old days are found again."""
    live(stage, 1, 2)
    id = night(stage)
    report = night_report(stage.store.records(id))
    assert (report["days"], report["lines"]) == (2, 6)
    counts = undo_night(stage.mind)
    assert counts["memories"] == 6
    assert summaries(stage) == []
    assert talk(stage) == [1, 1, 1, 2, 2, 2]
    night(stage)
    assert summaries(stage) == []


@pytest.mark.parametrize("values", [{"fold_days_back": 0}, {"fold_days_back": 99}])
def test_the_owner_says_how_far_back(values, stage):
    """0 folds nothing, ever."""
    stage.mind.config.values.update(values)
    live(stage, 1)
    night(stage)
    assert summaries(stage) == []


def test_what_is_of_no_known_day_stays(stage):
    """Rows from before days were counted are old, but nobody knows how old."""
    live(stage, 0)
    night(stage)
    assert summaries(stage) == []


def test_a_slice_ends_with_a_day():
    """So that a day is not told in two halves, unless it is longer than a slice."""
    rows = [MemoryRow("x", game_day=day, id=n) for n, day in enumerate([1, 1, 2, 2, 2])]
    assert [row.id for row in whole_days(rows, more=True)] == [0, 1]
    assert whole_days(rows[2:], more=True) == rows[2:]
    assert whole_days(rows, more=False) == rows
