"""Blocks in sleep: what is full is summarised, by one sleeper at a time, and nothing is lost."""

from inspect import isawaitable

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.times import iso
from ai_assistant.memory.blocks import rules
from ai_assistant.planning.goals import new_goal
from ai_assistant.sleep.settle_blocks import settle_blocks
from ai_assistant.testing import Stage
from ai_assistant.testing.scripted_model import run

NIGHT = {"skipped": [], "night": "n1", "calls": 0, "credit": 0}
DAY = 86_400.0


@pytest.fixture
def stage():
    """A captain who is asleep."""
    return Stage()


TIMELESS = ("set_lore", "request_compaction")


def changed(stage, part, op, key="", **args):
    at = {} if op in TIMELESS else {"at": stage.clock.now()}
    signed = {**at, "writer": "game", **args}
    stage.mind.save(Commit(at=1.0, changes=[Change(part, key, op, signed)]))


def filled(stage, part="shared_social", op="add_line", key="", **more):
    """Fill a block until it refuses."""
    for number in range(40):
        words = f"Fact {number} of the town, " + "and so on " * 20
        changed(stage, part, op, key, content=words, **more)


def settled(stage, **night):
    """Do the next piece of the night's work; returns what it proposes, saved."""
    found = settle_blocks(stage.mind, {**NIGHT, **night})
    work = run(found) if isawaitable(found) else found
    if work:
        stage.mind.save(Commit(at=stage.clock.now(), changes=work.changes, archived=work.archived))
    return work


def contents(stage, part="shared_social", name="recent_facts"):
    return [one["content"] for one in stage.store.read(part)[name]]


def test_a_full_block_has_room_again(stage):
    """The older half becomes one line by rule; every word of it is a memory row."""
    filled(stage)
    before = contents(stage)
    assert rules.needs_summary(stage.store.read("shared_social"))
    work = settled(stage)
    after = contents(stage)
    half = len(before) // 2
    assert after[1:] == before[half:]
    assert after[0].startswith("Earlier: Fact ")
    assert f"Fact {half - 1} of the town" in after[0]
    assert not rules.needs_summary(stage.store.read("shared_social"))
    kept = {row.content for row in stage.store.rows.newest(99) if row.kind == "shared_fact"}
    assert kept == set(before[:half])
    assert work.told == {"block": "shared_social", "summarised": half}
    assert settled(stage) is None


def test_what_is_not_crowded_is_left_alone(stage):
    """A few facts are no reason to wake a summariser."""
    changed(stage, "shared_social", "add_line", content="One fact.")
    assert settled(stage) is None


def test_labels_are_summarised_apart(stage):
    """What only Bob may read is never mixed into what all may, nor the other way round."""
    filled(stage, readers="e-bob")
    changed(stage, "shared_social", "add_line", content="Open.")
    work = settled(stage)
    assert work.readers == "e-bob"
    assert "Open." not in str(work.changes)
    block = stage.store.read("shared_social")
    assert {one["readers"] for one in block["recent_facts"] if "Fact" in one["content"]} == {
        "e-bob"
    }


def test_the_worlds_events_go_into_the_worlds_container(stage):
    """No assistant's own memory gets them; everybody's block gets the summary."""
    filled(stage, "global_knowledge", "add_line")
    settled(stage)
    events = contents(stage, "global_knowledge", "recent_events")
    assert events[0].startswith("Earlier: Fact ")
    rows = [row for row in stage.store.rows.newest(99) if row.container == "world"]
    assert rows
    assert len(stage.mind.recall.index) == 0


def test_blocks_of_the_games_own_too(stage):
    """Any block of lines is settled."""
    filled(stage, "custom_block", "add_line", "guild")
    assert settled(stage).told["block"] == "guild"


def test_one_sleeper_at_a_time(stage):
    """A block that another one summarises just now is left to that one; a lease ends by itself."""
    filled(stage)
    stage.store.leases["shared_social", ""] = ("another", stage.clock.now() + 60)
    assert settled(stage) is None
    stage.clock.advance(61)
    assert settled(stage) is not None


def test_a_model_puts_it_better(stage):
    """Where there is a model and calls are left, its summary stands, and it saw only data."""
    stage.model.is_offline = lambda job: False
    stage.model.text("The town has many facts.")
    filled(stage)
    work = settled(stage)
    assert contents(stage)[0] == "The town has many facts."
    assert work.calls == 1
    assert stage.model.requests[0].job == "summarise"


@pytest.mark.parametrize("answer", ["", "x" * 100_000])
def test_a_useless_answer_is_not_used(stage, answer):
    """An empty summary, or one longer than what it is of, gives way to the rule."""
    stage.model.is_offline = lambda job: False
    stage.model.text(answer[:3000] or " ")
    filled(stage)
    settled(stage)
    assert contents(stage)[0].startswith(("Earlier:", "xxx"))
    assert len(contents(stage)[0]) <= 600


def test_what_was_said_while_it_thought_is_kept(stage):
    """A fact that is shared while the model summarises survives, as does an edit."""
    stage.model.is_offline = lambda job: False
    filled(stage)
    hold = stage.model.pause()
    stage.model.text("Many facts.")
    work = settle_blocks(stage.mind, {**NIGHT})
    work.send(None)
    old = contents(stage)[0]
    changed(stage, "shared_social", "edit_line", old=old, new="Corrected.")
    hold.release()
    with pytest.raises(StopIteration) as done:
        work.send(None)
    stage.mind.save(Commit(at=1.0, changes=done.value.value.changes))
    assert "Corrected." in contents(stage)
    assert "Many facts." in contents(stage)


def test_old_tasks_leave_the_list(stage):
    """What was done a month ago becomes a memory; what is open, or done lately, stays."""
    now = stage.clock.now()
    for number, finished in enumerate((now - 40 * DAY, now - DAY, None)):
        goal = new_goal(f"goal_0_{number}", f"Task {number}", at=1.0, readers="*")
        if finished:
            goal |= {"status": "completed", "progress": 100, "finished": iso(finished)}
        stage.mind.save(
            Commit(at=1.0, changes=[Change("goals", "", "add_goal", {"goal": goal, "at": 1.0})])
        )
    assert settled(stage).told == {"block": "tasks", "put_by": 1}
    assert [one["id"] for one in stage.store.read("goals")["goals"]] == ["goal_0_1", "goal_0_2"]
    assert [row.kind for row in stage.store.rows.newest(9)] == ["goal"]
    assert settled(stage) is None


def test_a_sub_process_may_not_write_what_is_not_its_own():
    """The stage signs as sub-process, which persona and status refuse."""
    assert not any(rules.may_update("sub_process", one) for one in ("persona", "status"))


def mapped(stage, number, length=20, start=0):
    """Put so many places on everybody's map."""
    for n in range(start, start + number):
        words = f"Place {n}, " + "with a well " * length
        changed(stage, "global_knowledge", "set_location", name=f"Village {n}", description=words)


def world_rows(stage, kind):
    return [row.content for row in stage.store.rows.newest(99)[::-1] if row.kind == kind]


def test_a_full_map_has_room_again(stage):
    """The older places become one that names them; each is a row of the world, whole."""
    mapped(stage, 40)
    before = stage.store.read("global_knowledge")["locations"]
    half = len(before) // 2
    work = settled(stage)
    block = stage.store.read("global_knowledge")
    assert block["locations"][1:] == before[half:]
    assert block["locations"][0]["name"] == "Other places"
    assert "Village 0" in block["locations"][0]["description"]
    assert not rules.needs_summary(block)
    rows = world_rows(stage, "place")
    assert rows[0] == f"Village 0: {before[0]['description']}"
    assert len(rows) == half
    assert work.told == {"block": "global_knowledge", "summarised": half}
    assert settled(stage) is None


def test_a_place_that_changed_meanwhile_stays(stage):
    """Somebody describes it anew while the model thinks."""
    stage.model.is_offline = lambda job: False
    mapped(stage, 40)
    hold = stage.model.pause()
    stage.model.text("Many villages with wells.")
    work = settle_blocks(stage.mind, {**NIGHT})
    work.send(None)
    changed(stage, "global_knowledge", "set_location", name="Village 0", description="Burnt.")
    hold.release()
    with pytest.raises(StopIteration) as done:
        work.send(None)
    stage.mind.save(Commit(at=1.0, changes=done.value.value.changes))
    places = {
        one["name"]: one["description"] for one in stage.store.read("global_knowledge")["locations"]
    }
    assert places["Village 0"] == "Burnt."
    assert places["Other places"] == "Many villages with wells."


def test_places_that_were_summed_up_are_summed_up_again(stage):
    """Night by night: there is one such place, and the rows keep all that was ever said."""
    mapped(stage, 40)
    settled(stage)
    mapped(stage, 40, start=40)
    settled(stage)
    names = [one["name"] for one in stage.store.read("global_knowledge")["locations"]]
    assert names.count("Other places") == 1
    assert any(
        row.startswith("Other places: Earlier: Village 0") for row in world_rows(stage, "place")
    )


LORE = "\n".join(
    f"King number {n} built a bridge over the river. He was a patient man. "
    + "He built on and on. " * 12
    for n in range(15)
)


def test_a_long_lore_is_shortened_where_it_fills_the_block(stage):
    """Whole sentences, the first of each paragraph before others; the whole is a row."""
    changed(stage, "global_knowledge", "set_lore", text=LORE)
    changed(stage, "global_knowledge", "request_compaction")
    settled(stage)
    lore = stage.store.read("global_knowledge")["lore"]
    assert len(lore) <= len(LORE) // 2
    assert all(f"{one}." in LORE for one in lore.replace("\n", " ").rstrip(".").split(". "))
    assert all(f"King number {n} built" in lore for n in range(15))
    assert world_rows(stage, "lore") == [LORE]


def test_a_short_lore_is_left_as_it_was_written(stage):
    """Events and places make room first."""
    changed(stage, "global_knowledge", "set_lore", text="Arenthia is old.")
    mapped(stage, 40)
    filled(stage, "global_knowledge", "add_line")
    while settled(stage):
        pass
    assert stage.store.read("global_knowledge")["lore"] == "Arenthia is old."


def test_all_lists_of_a_block_are_settled_in_one_night(stage):
    """Places first where they are more, then events, until there is room."""
    mapped(stage, 15)
    filled(stage, "global_knowledge", "add_line")
    done, skipped = [], []
    while work := settled(stage, skipped=skipped):
        skipped.append(work.skip)
        done.append(work.changes[0].op)
    assert done[0] == "settle_places"
    assert len(done) <= 2
    assert not rules.needs_summary(stage.store.read("global_knowledge"))
