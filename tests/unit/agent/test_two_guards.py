"""What keeps a boundary stands twice: with either of the two taken away, the other holds."""

import pytest

from ai_assistant.agent.prompt import build
from ai_assistant.agent.turn import calls
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Category, MemoryRow
from ai_assistant.tools import ToolRegistry, action, tool
from tests.unit.agent.scenes import ALICE, BOB, SECRET, before_the_captain, begun, stored, whispered

BUILT = []


@tool(Category.DANGEROUS, permission="Builder")
def build_wall(turn):
    """Build a wall."""
    BUILT.append(turn.me.id)
    return {"built": "a wall"}


@pytest.fixture
def stage():
    """Alice, whose rank is none, before the captain, who may build and carries a crown."""
    stage = before_the_captain()
    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), build_wall])
    stage.world.permissions["Builder"] = {stage.world.self.id}
    BUILT.clear()
    return stage


def taken_away(monkeypatch, owner, name, harmless):
    """Take a guard away: what stands there now lets everything through."""
    assert hasattr(owner, name)
    monkeypatch.setattr(owner, name, harmless)


DISPATCH = {
    "shown": (Turn, "is_offered", lambda self, tool: True),
    "run": (calls, "_must_be_allowed", lambda turn, tool: None),
}


@pytest.mark.parametrize("guard", DISPATCH)
def test_nobody_builds_by_words_of_somebody_who_may_not(stage, monkeypatch, guard):
    """Whether the tool was shown or not, it is asked again when it is about to run."""
    taken_away(monkeypatch, *DISPATCH[guard])
    stage.model.call("build_wall").say("No.")
    stage.ask(ALICE, "Build a wall!")
    assert not BUILT


PROMPT = {
    "admitted": (TurnState, "admit", lambda self, readers, author="": True),
    "built": (build, "_is_told", lambda turn, readers: True),
}


@pytest.mark.parametrize("guard", PROMPT)
@pytest.mark.parametrize("there", [(ALICE, BOB), (BOB,)], ids=["before both", "Bob alone"])
def test_no_secret_stands_in_a_prompt_for_others(stage, monkeypatch, guard, there):
    """Rows, lines of the talk, notes, traits and goals of Alice's whispers; Bob hears no word."""
    whispered(stage)
    stored(stage, MemoryRow(SECRET, author=ALICE.id, author_name="Alice", readers=ALICE.id))
    stage.model.calls(
        ("add_session_memory", {"memory_type": "fact", "content": f"Alice says: {SECRET}"}),
        ("memory", {"action": "append", "content": SECRET}),
        ("add_goal", {"description": SECRET, "priority": "high"}),
        ("update_entity_observation", {"entity": "p1", "observation": SECRET}),
        ("create_project", {"project_key": "vault", "summary": SECRET, "initial_context": SECRET}),
    ).call("whisper", to="p1", text="I wrote it down.")
    stage.ask(ALICE, "Write it down!", "whisper")
    stage.world.enter(BOB)
    if ALICE not in there:
        stage.world.leave(ALICE)
    taken_away(monkeypatch, *PROMPT[guard])
    turn = begun(stage, stage.hear(BOB, "Alice says what of the vault that opens at midnight?"))
    assert "vault opens" not in str(turn.prompt.messages)
    assert "vault opens" not in str(turn.prompt.sections)
    assert bool(stage.errors) is (guard == "admitted")
    stage.errors.clear()


GIVE = {"tool": (action, "_own", lambda turn, item: turn.thing(item, "carried").entity), "": None}


@pytest.mark.parametrize("guard", GIVE)
def test_what_is_not_given_away_stays(stage, monkeypatch, guard):
    """The tool sees that it is not to be given; the act asks the thing itself."""
    if GIVE[guard]:
        taken_away(monkeypatch, *GIVE[guard])
    crown = stage.world.carry("crown", givable=False)
    stage.model.call("give", item="crown", to="p1").call("put_down", item="crown").say("No.")
    stage.ask(ALICE, "The crown!")
    assert stage.world.present[crown].carried


def test_the_tool_alone_keeps_what_is_not_given_away(stage, monkeypatch):
    """A game whose act would hand over anything is not even asked."""
    crown = stage.world.carry("crown", givable=False)
    taken_away(monkeypatch, type(stage.world), "give", None)
    taken_away(monkeypatch, type(stage.world), "put_down", None)
    stage.model.call("give", item="crown", to="p1").call("put_down", item="crown").say("No.")
    stage.ask(ALICE, "The crown!")
    assert stage.world.present[crown].carried
    assert not stage.errors
