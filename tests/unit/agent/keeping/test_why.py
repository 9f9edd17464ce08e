"""Why: each turn keeps what decided it: the rules, what came to mind, what became of each tool."""

from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.testing import Stage, people

(ALICE,) = people("Alice")


def a_stage(**config):
    stage = Stage(**config)
    stage.world.enter(ALICE)
    return stage


def why(stage, text="Captain?", kind="say", **more):
    stage.model.say("Aye.")
    stage.ask(ALICE, text, kind, **more)
    return stage.store.audit[-1].data["why"]


def test_no_tool_is_both_shown_and_taken():
    """One layer takes it away, or it may be called; the model is told of the plain ones."""
    stage = a_stage()
    told = why(stage)
    taken = [name for names in told["taken"].values() for name in names]
    assert "look" in told["shown"]
    assert not set(taken) & set(told["shown"])
    assert len(taken) == len(set(taken))
    assert set(taken) < {tool.name for tool in stage.mind.registry}


def test_a_tool_that_the_owner_switched_off_says_so():
    assert "give" in why(a_stage(disabled_tools=["give"]))["taken"]["configuration"]


def test_before_wrong_ears_a_voice_is_taken_by_the_hearers():
    stage = a_stage()
    stage.model.call("whisper", to="p1", text="I shall.")
    stage.ask(ALICE, "Hush.", "whisper")
    assert "say" in stage.store.audit[-1].data["why"]["taken"]["hearers"]


def test_what_came_to_mind_stands_there_by_its_reference():
    """With what made it come, and without its words: they are forgotten where they are kept."""
    stage = a_stage()
    row = MemoryRow("The brass key opens the crypt.", author=ALICE.id, readers=OPEN, learned_at=1.0)
    stage.mind.save(Commit(at=1.0, rows=[row]))
    (recalled,) = why(stage, "Captain, what does the brass key open?")["recalled"]
    assert recalled["ref"].startswith("#")
    assert recalled["relevance"] > 0
    assert "crypt" not in str(recalled)
