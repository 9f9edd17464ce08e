"""Waiting: what a night's reading may cost, and who has to wait for the next one."""

import math
from collections import Counter

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.memory.inner.sleep_state import unread_after
from ai_assistant.sleep.night import STAGES, sleep_on
from ai_assistant.testing import ScriptedModel, Stage, TableReader, people
from ai_assistant.testing.scripted_model import run
from tests.unit.sleep.nights import (
    FILLER,
    a_stage,
    fall_asleep,
    night,
    note,
    plain,
    told,
    traits,
    wake,
)

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
HOMES = ("I live in Oakvale.", "I keep bees.", "I hate onions.", "I fear spiders.")


def says(stage):
    """Return the lines of each request."""
    return [
        [row["says"] for one in request.sections if one.key == "lines" for row in one.rows]
        for request in stage.model.asked
    ]


@pytest.mark.parametrize("lines", [5, 40, 50, 51, 99, 120, 260])
def test_a_night_costs_no_more_than_it_may(lines):
    """One call for forty lines and one for the label, each line read once, mending included."""
    stage = a_stage({"Fine weather.": "{who} has 77 cats"})  # always refused, always to be mended
    told(stage, ALICE, *[FILLER[n % 5] for n in range(lines)])
    night(stage)
    assert len(stage.model.asked) <= lines / 40 + 1
    first = [one for one in stage.model.asked if "mend" not in {part.key for part in one.sections}]
    assert len(first) == math.ceil(lines / 50)
    shown = (part for one in first for part in one.sections if part.key == "lines")
    assert sum(len(part.rows) for part in shown) == lines


@pytest.mark.parametrize("lines", [30, 70])
def test_long_lines_cost_no_more(lines):
    """Whole lines that find no room wait for another night; what was said to it does not."""
    stage = a_stage({"Fine weather.": "{who} has 77 cats"})
    long = [f"{n} {'and so on ' * 55}and that is it." for n in range(lines)]
    mine = [f"Captain Stormborne, {n}." for n in range(3)]
    told(stage, ALICE, *long)
    told(stage, BOB, *mine)
    night(stage)
    assert len(stage.model.asked) <= (lines + 3) / 40 + 1
    assert {*mine} <= {one for some in says(stage) for one in some}
    while waits := _waiting(stage):
        before = len(stage.model.asked)
        night(stage)
        assert len(stage.model.asked) - before <= waits / 40 + 1
    read = [one for some in says(stage) for one in some]
    assert Counter(read) == Counter([*long, *mine])


def exchanges(stage, *numbers):
    """Let Alice ask these questions without a name, each answered at once, a minute apart."""
    for n in numbers:
        stage.model.others.text(f"Answer {n}.")
        stage.ask(ALICE, f"Question {n}?")
        stage.clock.advance(60)


def talkative():
    """Return a stage with Alice, whose days a script answers and whose nights a table reads."""
    stage = Stage(model=TableReader(others=ScriptedModel()))
    stage.world.enter(ALICE)
    return stage


def _waiting(stage):
    """Return how many lines wait."""
    return sum(one["lines"] for one in stage.store.read("sleep")["waiting"].values())


def test_many_labels_cost_one_each():
    """Whoever whispered five lines or more is read by a call of their own."""
    stage = a_stage()
    for who in (ALICE, BOB, CAROL):
        told(stage, who, *FILLER, kind="whisper")
    night(stage)
    assert len(stage.model.asked) == 3


def test_a_few_lines_wait_up_to_three_nights():
    """Then they are read all the same; more of them are read at once."""
    stage = a_stage(plain(*HOMES))
    told(stage, ALICE, HOMES[0], kind="whisper")
    for _ in range(2):
        night(stage)
        assert says(stage) == []
    night(stage)
    assert says(stage) == [[HOMES[0]]]
    told(stage, ALICE, HOMES[1], kind="whisper")
    night(stage)
    told(stage, ALICE, HOMES[2], HOMES[3], *FILLER[:2], kind="whisper")
    night(stage)
    assert says(stage)[-1] == [*HOMES[1:], *FILLER[:2]]
    assert len(traits(stage, ALICE, ALICE.id)) == 4


def test_a_lone_note_waits_as_lines_do():
    """A thought of its own, that nobody else may read, is read in the third night."""
    stage = a_stage({"Alice is up to something": "Alice is up to something"})
    note(stage, ALICE, "Alice is up to something", readers="", author="")
    for _ in range(2):
        night(stage)
        assert says(stage) == []
    night(stage)
    assert traits(stage, ALICE, "") == ["Alice is up to something"]
    assert stage.store.read("sleep")["waiting"] == {}


def test_the_oldest_come_first():
    """A long day is read in order, in equal parts, and what comes later knows what came before."""
    stage = a_stage(plain(*HOMES))
    lines = [*HOMES, *(f"Line {n} of the day." for n in range(70))]
    told(stage, ALICE, *lines)
    night(stage)
    assert [line for some in says(stage) for line in some] == lines
    assert {len(some) for some in says(stage)} == {37}
    known = [part.rows for part in stage.model.asked[-1].sections if part.key == "known"]
    assert len(known[0]) == 4


def test_where_calls_are_scarce_those_who_spoke_to_it_come_first():
    """What does not fit waits for the next night."""
    stage = a_stage(plain(*HOMES))
    told(stage, BOB, *FILLER * 9)
    told(stage, ALICE, *HOMES, FILLER[0], kind="whisper")
    stage.caps = (1, 10_000_000)
    night(stage)
    assert len(traits(stage, ALICE, ALICE.id)) == 4
    assert says(stage) == [[*HOMES, FILLER[0]]]
    stage.caps = (1000, 10_000_000)
    night(stage)
    assert len(says(stage)[-1]) == 45


def test_an_older_line_that_is_read_later_changes_nothing():
    """What was said to it since holds, though it was read first."""
    moved = "Captain Stormborne, I moved to Riverton."
    older = {"fact": "{who} lives in Vey", "replaces": ["{who} lives in Riverton"]}
    stage = a_stage({moved: "{who} lives in Riverton", "I live in Vey.": older})
    told(stage, ALICE, "I live in Vey.", *FILLER * 11, moved)
    stage.caps = (1, 10_000_000)
    night(stage)
    assert traits(stage, ALICE) == ["Alice lives in Riverton"]
    stage.caps = (1000, 10_000_000)
    night(stage)
    assert traits(stage, ALICE) == ["Alice lives in Riverton"]


def test_woken_in_the_middle_it_reads_the_rest_the_next_night():
    """No line is read twice, and none is left out."""
    stage = a_stage()
    lines = [f"Line {n} of the day." for n in range(120)]
    told(stage, ALICE, *lines)
    fall_asleep(stage)
    reading = [name for name, _ in STAGES].index("read")
    while not (stage.store.read("sleep")["stage"] == reading and says(stage)):
        assert run(sleep_on(stage.mind))
    wake(stage, by="touch")
    night(stage)
    read = Counter(line for some in says(stage) for line in some)
    assert read == Counter(lines)


def test_old_days_are_not_folded_before_they_are_read():
    """What waits for a later night stays as it was said."""
    stage = a_stage()
    told(stage, ALICE, HOMES[0], kind="whisper")
    told(stage, BOB, *FILLER)
    night(stage)
    (first, *_) = sorted(stage.store.memories)
    assert unread_after(stage.store.read("sleep")) < first


def test_forgotten_lines_that_waited_are_no_hindrance():
    """A label of which nothing is left has nothing to be read."""
    stage = a_stage()
    told(stage, ALICE, *FILLER, kind="whisper")
    stage.caps = (0, 0)
    night(stage)
    assert stage.store.read("sleep")["waiting"]
    stage.caps = (1000, 10_000_000)
    at = stage.clock.now()
    stage.mind.save(Commit(at, archived=[*stage.store.memories]))
    night(stage)
    assert says(stage) == []
    assert stage.store.read("sleep")["waiting"] == {}


def test_what_is_to_be_read_again_is_read_again():
    """Lines of which a fact was taken back come back, whatever their label has besides."""
    stage = a_stage(plain(*HOMES))
    told(stage, ALICE, *HOMES, FILLER[0])
    night(stage)
    again = Change("sleep", "", "read_again", {"rows": {"*": [*stage.store.memories][:4]}})
    stage.mind.save(Commit(stage.clock.now(), changes=[again]))
    told(stage, BOB, *FILLER)
    night(stage)
    assert says(stage)[-1] == [*HOMES, *FILLER]


def test_of_a_long_day_what_was_said_to_it_is_read_first():
    """With one call for a hundred lines, those that called it; the rest follows, once each."""
    stage = a_stage()
    called = [f"Captain Stormborne, number {n}." for n in range(9)]
    lines = [f"Line {n} of the day." for n in range(99)]
    for n, line in enumerate(lines):
        told(stage, BOB, line)
        if n % 11 == 0:
            told(stage, ALICE, called[n // 11])
    stage.caps = (1, 10_000_000)
    night(stage)
    assert says(stage) == [called]
    stage.caps = (1000, 10_000_000)
    night(stage)
    assert [line for some in says(stage)[1:] for line in some] == lines


def test_no_answer_is_read_without_its_question():
    """Wherever a long day is cut, an exchange stays in one piece."""
    stage = talkative()
    told(stage, BOB, "It rains.", "It pours.")
    exchanges(stage, *range(60))
    night(stage)
    assert len(says(stage)) == 3
    assert all(some[-1].startswith("Answer") for some in says(stage))
    assert len({line for some in says(stage) for line in some}) == 122


def test_a_long_day_is_cut_where_the_talk_paused():
    """What was said in one go is read in one go, where the parts stay nearly equal."""
    stage = a_stage()
    told(stage, ALICE, *[f"Morning {n}." for n in range(28)])
    stage.clock.advance(3600)
    told(stage, ALICE, *[f"Evening {n}." for n in range(32)])
    night(stage)
    assert [len(some) for some in says(stage)] == [28, 32]


def test_what_is_read_first_of_a_long_day_is_its_own_talk():
    """Questions without its name are part of it, and so are its answers; nothing is read twice."""
    stage = talkative()
    for n in range(9):
        told(stage, BOB, *[f"Line {n} {m}." for m in range(11)])
        exchanges(stage, n)
    stage.caps = (10, 10_000_000)  # one is left
    night(stage)
    talk = [line for n in range(9) for line in (f"Question {n}?", f"Answer {n}.")]
    assert says(stage) == [talk]
    stage.caps = (1000, 10_000_000)
    night(stage)
    read = [line for some in says(stage)[1:] for line in some]
    assert read == [f"Line {n} {m}." for n in range(9) for m in range(11)]


def test_a_gesture_that_was_answered_is_part_of_the_talk():
    """What somebody did to the character is read with what it said to that, not after all else."""
    stage = talkative()
    told(stage, BOB, *[f"Line {n}." for n in range(99)])
    stage.model.others.text("Hand it back!")
    stage.ask(ALICE, "Alice steals a spoon from the captain.", "pose")
    stage.caps = (2, 10_000_000)  # one is left
    night(stage)
    assert says(stage) == [["Alice steals a spoon from the captain.", "Hand it back!"]]
