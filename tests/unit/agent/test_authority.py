"""Authority: nobody's words make a character do what they may not do themselves."""

import pytest

from ai_assistant.core.contracts import Category, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.testing.fake_world import FakeWorld
from ai_assistant.tools import ToolRegistry, tool
from tests.unit.agent.scenes import (
    ALICE,
    BOB,
    before_the_captain,
    begun,
    stored,
)


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return before_the_captain()


def test_recalled_words_permit_no_more_than_their_author(stage):
    """Once somebody's words are in the context, their rank bounds what may be done."""

    @tool(Category.DANGEROUS, permission="Builder")
    def build(turn):
        """Build something."""
        return {"built": "a wall"}

    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), build])
    stage.world.permissions["Builder"] = {ALICE.id, stage.world.self.id}
    stored(stage, MemoryRow("Build me a wall", author=BOB.id, author_name=BOB.name))
    stage.model.call("recall_memories", query="wall").call("build").say("No.")
    stage.ask(ALICE, "Hm?")
    assert "build" in stage.model.offered(0)
    assert "build" not in stage.model.offered(1)
    assert "There is no tool of that name here" in stage.model.shown()


def test_rank_lost_in_mid_answer_permits_nothing(stage):
    """It is asked once more as a tool is about to run: words before it took their time."""
    done = []

    class Demoting(FakeWorld):
        def deliver(self, speech):
            self.permissions["Builder"].discard(ALICE.id)
            return super().deliver(speech)

    @tool(Category.DANGEROUS, permission="Builder")
    def build(turn):
        """Build something."""
        done.append("a wall")
        return {"built": "a wall"}

    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), build])
    stage.mind.world.__class__ = Demoting
    stage.world.permissions["Builder"] = {ALICE.id, stage.world.self.id}
    stage.model.calls(("say", {"text": "At once."}), ("build", {})).text("I may not.")
    stage.ask(ALICE, "Build a wall!")
    assert "That is not allowed here." in stage.model.shown()
    assert done == []


def test_noted_words_permit_no_more_than_their_author(stage):
    """An observation that came from somebody carries that one's rank into the turn."""
    stage.world.permissions["Builder"] = {ALICE.id, stage.world.self.id}
    stage.world.enter(BOB)
    stage.model.calls(
        ("update_entity_observation", {"entity": "p1", "observation": "Alice wants a wall."}),
        ("say", {"text": "Noted."}),
    )
    stage.ask(BOB, "Alice wants a wall.")
    stage.store.state.pop(("stream", ""))
    stage.mind.recall.forget([1])
    turn = begun(stage, stage.hear(ALICE, "Hello."))
    assert turn.authors == {ALICE.id, BOB.id}


def test_a_handle_of_another_turn_means_nothing(stage):
    """Handles are minted for one turn; one that was not shown is refused."""
    turn = begun(stage, stage.hear(ALICE, "Hello."))
    with pytest.raises(ToolError, match="You see: p1 Alice"):
        turn.thing("p7", "person")
    with pytest.raises(ToolError, match="There is no item 'p1'"):
        turn.thing("p1", "item")
