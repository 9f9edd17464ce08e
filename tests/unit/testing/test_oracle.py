"""The oracle of games' tests: it decides as it was told, and never beyond earshot."""

import pytest

from ai_assistant.core.contracts import Entity
from ai_assistant.roleplay.participants import Present, Utterance
from ai_assistant.roleplay.world_agent import took_part
from ai_assistant.testing import Oracle, Stage

ALICE, BOB, CY = (Present(f"e-{name.lower()}", name) for name in ("Alice", "Bob", "Cy"))


def judged(oracle, text, event="ev1"):
    """Return who took part in a line of Alice before Bob and Cy."""
    said = Utterance(event, ALICE, text)
    found = oracle.judge("s1", "room", said, lambda: (BOB, CY))
    return [one["id"] for one in found["participants"]], found["by"]


def test_it_decides_as_it_was_told():
    """The queue is used line by line; a line that is known keeps its decision."""
    oracle = Oracle().decides("e-cy").decides()
    assert judged(oracle, "Bob?", "ev1") == (["e-alice", "e-cy"], "oracle")
    assert judged(oracle, "Bob?", "ev1") == (["e-alice", "e-cy"], "oracle")
    assert judged(oracle, "Bob?", "ev2") == (["e-alice"], "oracle")
    assert len(oracle.asked) == 2


def test_without_a_decision_the_rules_decide():
    """What nobody scripted is judged as in the game."""
    assert judged(Oracle(), "Bob, come.") == (["e-alice", "e-bob"], "rule")


def test_nobody_beyond_earshot_can_be_scripted():
    """A test that names somebody who could not hear is told so."""
    with pytest.raises(AssertionError, match="e-dana"):
        judged(Oracle().decides("e-dana"), "Hello.")


def test_a_stage_distributes_by_its_oracle():
    """What a mind says itself goes to those whom the oracle names, and the store shows it."""
    stage = Stage()
    stage.mind.world_agent = Oracle()
    ann = Entity("e-ann", "Ann", "player")
    stage.world.enter(ann)
    stage.mind.world_agent.decides()
    stage.model.say("It is late.")
    stage.ask(ann, "Captain?")
    [one] = stage.store.distributed.values()
    assert one.decision["by"] == "oracle"
    assert not took_part(one.decision, ann.id)
