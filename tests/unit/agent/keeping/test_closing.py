"""Closing: what no turn answers is remembered as heard, with the reason, under its label."""

import pytest

from ai_assistant.agent.keeping.closing import close_events, close_interrupted, flush
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import StoreError, TurnSuperseded
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.testing import Stage, people
from ai_assistant.tools import ToolRegistry, tool

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice stands before the captain, who carries a rose."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    return stage


def test_a_closed_event_is_remembered_with_its_reason(stage):
    """What was asked is known, that it was not answered is on record, and it waits no longer."""
    event = stage.hear(ALICE, "Where is the vault?", "whisper")
    close_events(stage.mind, [event], "speaker_gone")
    assert stage.store.triggers.waiting() == []
    (row,) = stage.store.memories.values()
    assert (row.content, row.readers) == ("Where is the vault?", ALICE.id)
    assert len(stage.mind.recall) == len(stage.store.read("stream")["entries"]) == 1
    (record,) = stage.store.audit
    assert (record.type, record.readers) == ("EventClosed", ALICE.id)
    assert record.data["reason"] == "speaker_gone"


def test_closings_are_counted_by_their_kind(stage):
    """The details of an error make no counter of their own."""
    close_events(stage.mind, [stage.hear(ALICE, "One?"), stage.hear(ALICE, "Two?")], "error: Oops")
    assert stage.store.read("metrics")["counts"] == {"closed error": 2}


@pytest.mark.parametrize("close", [
    lambda stage, event: close_events(stage.mind, [event], "overload"),
    lambda stage, event: close_interrupted(stage.mind, _claimed(stage, event)),
])  # fmt: skip
def test_a_refused_closing_leaves_the_event(stage, close):
    """When the database refuses, the event is still there, and nothing is half remembered."""
    event = stage.hear(ALICE, "Well?")
    stage.store.refuse = True
    with pytest.raises(StoreError):
        close(stage, event)
    assert [one.event for one in stage.store.triggers.waiting()] == [event]
    assert len(stage.mind.recall) == 0


def _claimed(stage, event, **result):
    stage.store.triggers.begin("turn1", [event.id])
    claim = {"id": "c", "tool": "give", "arguments": {}, "readers": event.readers}
    stage.store.triggers.claim("turn1", claim)
    if result:
        stage.store.triggers.settle("turn1", "c", result)
    return stage.store.triggers.waiting()[0]


def test_an_act_that_was_cut_short_is_remembered_as_such(stage):
    """After a crash in an act: never repeated, closed, and nobody claims to know its end."""
    event = stage.hear(ALICE, "The rose?")
    close_interrupted(stage.mind, _claimed(stage, event))
    assert stage.store.triggers.waiting() == []
    (entry,) = stage.store.read("journal")["entries"]
    assert entry["content"] == (
        "Was interrupted while answering Alice: give had begun, and nobody knows how it ended"
    )
    assert (entry["readers"], entry["tags"]) == (OPEN, ["interrupted"])
    assert stage.store.audit[0].readers == NOBODY


def test_an_act_that_was_done_is_remembered_as_done(stage):
    """A crash between the act and the answer does not make it undone."""
    close_interrupted(stage.mind, _claimed(stage, stage.hear(ALICE, "?"), gave="You gave it."))
    (entry,) = stage.store.read("journal")["entries"]
    assert "give was done" in entry["content"]


def test_an_interrupted_act_keeps_the_secrets_of_its_turn(stage):
    """What a turn had loaded bounds who may know of its act, also when it ended early."""

    @tool(Category.DANGEROUS)
    def write(turn):
        """Write down what was whispered."""
        stage.mind.epoch += 1
        return {"wrote": "The vault opens at midnight."}

    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), write])
    stage.model.call("whisper", to="p1", text="I see.")
    stage.ask(ALICE, "The vault opens at midnight.", "whisper")
    stage.model.call("write")
    with pytest.raises(TurnSuperseded):
        stage.start(stage.hear(ALICE, "Write it down!"))
    (pending,) = stage.store.triggers.waiting()
    assert pending.event.readers == OPEN
    close_interrupted(stage.mind, pending)
    entry = stage.store.read("journal")["entries"][-1]
    assert "midnight" in entry["content"]
    assert entry["readers"] == ALICE.id


def test_what_was_overheard_can_be_saved_alone(stage):
    """Before a reload, talk that waits for a turn is saved without one."""
    flush(stage.mind)
    assert stage.store.state == {}
    stage.overhear(BOB, "Fresh bread!")
    stage.overhear(BOB, "Bob leaves.", "move")
    flush(stage.mind)
    assert [row.content for row in stage.store.memories.values()] == ["Fresh bread!"]
    assert len(stage.store.read("stream")["entries"]) == 2
    assert not stage.mind.heard


def test_a_refused_saving_loses_nothing(stage):
    """What could not be saved waits for the next chance."""
    stage.overhear(BOB, "Fresh bread!")
    stage.store.refuse = True
    with pytest.raises(StoreError):
        flush(stage.mind)
    assert [event.content for event in stage.mind.heard] == ["Fresh bread!"]
