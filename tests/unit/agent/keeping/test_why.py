"""Why: each turn keeps what decided it: the rules, what came to mind, what became of each tool."""

from typing import get_args

import pytest

from ai_assistant.agent.keeping.why import REASONS
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.testing import Stage, people
from ai_assistant.tools.registry import Need

ALICE, BOB = people("Alice", "Bob")
GUILD = "e-guild"


def a_stage(**config):
    stage = Stage(**config)
    stage.world.enter(ALICE)
    return stage


def why(stage, text="Captain?", kind="say", **more):
    stage.model.say("Aye.")
    stage.ask(ALICE, text, kind, **more)
    return record(stage)


def record(stage):
    return stage.store.audit[-1].data["why"]


def tools(told):
    """Return the verdicts of the last step whose verdicts differ."""
    return told["tools"][-1]


def accounted(told):
    """Return the names that stand in a step's verdicts, and how many tools they account for."""
    taken = [name for names in told["taken"].values() for name in names]
    named = told["shown"] + told["spoken"] + taken
    return named, len(named) + sum(told["closed"].values())


@pytest.mark.parametrize("kind", ["say", "whisper", "page", "channel"])
def test_every_tool_has_one_verdict(kind):
    """It is shown, done by plain words, taken away, or one of a kit that is not told of."""
    stage = a_stage()
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.text("Aye.")
    stage.ask(ALICE, "Captain?", kind, place=GUILD if kind == "channel" else "")
    told = tools(record(stage))
    named, count = accounted(told)
    assert "look" in told["shown"]
    assert len(named) == len(set(named))
    assert count == len(stage.mind.registry)
    assert set(told["taken"]) <= set(REASONS)


@pytest.mark.parametrize("context", ["tick_autonomous", "reflection"])
def test_every_tool_has_one_verdict_where_nobody_asked(context):
    stage = a_stage()
    stage.model.call("wait")
    stage.turn(context_type=context, goal=None)
    assert accounted(tools(record(stage)))[1] == len(stage.mind.registry)


def test_each_need_has_words():
    """How many may be given tasks is a matter of the layers."""
    assert set(get_args(Need)) - {"", "delegates"} <= set(REASONS)


def test_a_need_that_is_not_met_is_named():
    """And no other."""
    assert tools(why(a_stage()))["taken"]["solitude"] == ["recall_thoughts"]


def test_a_tool_that_the_owner_switched_off_says_so():
    assert "give" in tools(why(a_stage(disabled_tools=["give"])))["taken"]["configuration"]


def test_who_is_spoken_to_aloud_is_answered_aloud():
    """There are no other ways here, whoever would hear them."""
    told = tools(why(a_stage()))
    assert told["spoken"] == ["say"]
    assert set(told["taken"]["way"]) == {"page", "channel_say"}
    assert not {"nobody", "hearers"} & set(told["taken"])


def test_each_step_has_its_verdicts():
    """She leaves while it thinks: in its second step nobody would hear a word."""
    stage = a_stage()
    hold = stage.model.pause()
    running = stage.start(stage.hear(ALICE, "Captain?"))
    stage.world.leave(ALICE)
    stage.model.call("look").call("wait")
    hold.release()
    running.step()
    first, second = record(stage)["tools"]
    assert (first["step"], second["step"]) == (1, 2)
    assert first["spoken"] == ["say"]
    assert "say" in second["taken"]["nobody"]


def test_a_step_like_the_one_before_is_not_told_again():
    stage = a_stage()
    stage.model.call("look").call("note", note="It is late.")
    assert [made["step"] for made in why(stage)["tools"]] == [1]


def test_what_came_to_mind_stands_there_by_its_reference():
    """With what made it come, and without its words: they are forgotten where they are kept."""
    stage = a_stage()
    row = MemoryRow("The brass key opens the crypt.", author=ALICE.id, readers=OPEN, learned_at=1.0)
    stage.mind.save(Commit(at=1.0, rows=[row]))
    (recalled,) = why(stage, "Captain, what does the brass key open?")["recalled"]
    assert recalled["ref"].startswith("#")
    assert recalled["relevance"] > 0
    assert "crypt" not in str(recalled)


def test_what_a_tool_looked_up_stands_with_that_call():
    """By its reference too; a search that found nothing stands there as one."""
    stage = a_stage()
    row = MemoryRow("The brass key opens the crypt.", author=ALICE.id, readers=OPEN, learned_at=1.0)
    stage.mind.save(Commit(at=1.0, rows=[row]))
    stage.model.call("recall", words="brass key").call("recall", words="a lute").say("The crypt.")
    stage.ask(ALICE, "Captain?")
    first, second, spoken = (
        record.data for record in stage.store.audit if record.type == "ToolExecuted"
    )
    (found,) = first["found"]
    assert found["ref"].startswith("#")
    assert "crypt" not in str(first)
    assert second["found"] == []
    assert "found" not in spoken


def test_of_whom_a_tool_looked_up_all_stands_with_that_call():
    stage = a_stage()
    stage.model.call("recall", who="Alice").say("You are Alice.")
    stage.ask(ALICE, "Captain?")
    looked = next(record.data for record in stage.store.audit if record.type == "ToolExecuted")
    assert {"about": ALICE.id} in looked["found"]


def test_what_is_not_near_enough_to_be_read_binds_nobody():
    """A whisper that the search passed over leaves the turn as open as it was."""
    stage = a_stage()
    secret = canonical({ALICE.id, BOB.id})
    for text, readers in (("The moon is over the bridge.", secret), ("Gold, gold, gold.", OPEN)):
        row = MemoryRow(text, author=ALICE.id, readers=readers, learned_at=1.0)
        stage.mind.save(Commit(at=1.0, rows=[row]))
    stage.model.call("recall", words="lute string broken wood bridge gold").say("No.")
    stage.ask(ALICE, "Captain?")
    call = next(record for record in stage.store.audit if record.type == "ToolExecuted")
    assert call.readers == OPEN
