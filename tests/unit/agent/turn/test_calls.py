"""Tool calls: each is offered, checked, run within its limits, and put on record."""

import pytest

from ai_assistant.core.contracts import Category
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.testing import Stage, people
from ai_assistant.tools import ToolRegistry, tool

(ALICE,) = people("Alice")


@tool(Category.ASYNC_REQUIRED, timeout=7.0)
async def consult(turn):
    """Ask the oracle."""
    return {"oracle": "forty-two"}


@tool(Category.DANGEROUS)
async def ring(turn):
    """Ring the bell."""
    turn.world.deeds.append("ring")
    return {"rang": "The bell rings."}


@tool(reads=True)
def count(turn):
    """Count the guests."""
    turn.world.deeds.append("count")
    return {"guests": 3}


@tool()
def stumble(turn):
    """Fail because of a bug."""
    raise ZeroDivisionError("oops")


@tool()
def mumble(turn):
    """Return something that is no JSON object."""
    return "done"


@tool()
def point(turn):
    """Return something that cannot be stored."""
    return {"at": object()}


@pytest.fixture
def stage():
    """Alice stands before the captain, who has some more tools than usual."""
    stage = Stage(max_context_tokens=24_000)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.world.carry("crown", givable=False)
    more = [consult, ring, count, stumble, mumble, point]
    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), *more])
    return stage


def results(stage):
    """What became of each tool call, in order."""
    kept = [record.data for record in stage.store.audit if record.type == "ToolExecuted"]
    return [(data["tool_name"], data["success"]) for data in kept]


# -- limits


def test_the_same_call_twice_ends_the_tool(stage):
    """A repeated call is refused, and after that every call of this tool."""
    for query in ("roses", "roses", "tulips"):
        stage.model.call("update_entity_observation", entity="p1", observation=query)
    stage.model.say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert [ok for _, ok in results(stage)] == [True, False, False, True]
    assert "exactly this call already" in stage.model.shown(2)
    assert "enough in this turn" in stage.model.shown(3)


def test_reasoning_does_not_make_a_call_new(stage):
    """The same call with another reason is the same call."""
    stage.model.calls(("stumble", {"reasoning": "a"}), ("stumble", {"reasoning": "b"})).call("wait")
    stage.ask(ALICE, "Hello.")
    assert "exactly this call already" in stage.model.shown()


def test_three_failures_end_the_tool(stage):
    """A tool that failed three times is not tried a fourth time."""
    calls = [("inspect_location", {"handle": f"o{number}"}) for number in (7, 8, 9)]
    stage.model.calls(*calls).call("inspect_location").say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert "enough in this turn" in stage.model.shown()


def test_a_cached_result_is_reused(stage):
    """What only looks up is run once, and the second call is answered under its own id."""
    stage.model.calls(("count", {}), ("count", {})).say("Three.")
    stage.ask(ALICE, "How many?")
    assert stage.world.deeds == ["count"]
    call_ids = [call.id for call in stage.model.requests[1].messages[-3].tool_calls]
    answers = stage.model.requests[1].messages[-2:]
    assert [message.tool_call_id for message in answers] == call_ids
    assert [message.content for message in answers] == ['{"ok": true, "guests": 3}'] * 2


def test_an_act_makes_what_was_seen_old(stage):
    """After an act the world may look different: nothing is answered from the cache."""
    stage.model.call("count").call("ring").call("count").say("Three.")
    stage.ask(ALICE, "How many?")
    assert stage.world.deeds == ["count", "ring", "count"]


def test_so_many_acts_a_turn(stage):
    """Several acts are done in order, and one more than the limit is refused."""
    stage.mind.config.values["acts_per_turn"] = 2
    stage.model.calls(("ring", {}), ("give", {"item": "o1", "to": "p1"}), ("ring", {})).say("Done.")
    stage.ask(ALICE, "Ring, give, ring!")
    assert stage.world.deeds == ["ring", "give rose to Alice"]
    assert "You have done 2 things" in stage.model.shown()


def test_a_refused_act_may_be_corrected(stage):
    """Where nothing was done, a better try is allowed."""
    stage.model.call("give", item="o9", to="p1").call("give", item="o2", to="p1")
    stage.model.call("give", item="o1", to="p1").say("There.")
    stage.ask(ALICE, "Give me something.")
    assert stage.world.deeds == ["give rose to Alice"]


def test_only_offered_tools_run(stage):
    """A tool that does not exist, is disabled, or speaks elsewhere is refused by name."""
    stage.mind.config.values["disabled_tools"] = ["ring"]
    stage.model.calls(("ring", {}), ("fly", {})).call("page", text="Hi.").call("wait")
    stage.ask(ALICE, "Hello.")
    assert results(stage)[:3] == [("ring", False), ("fly", False), ("page", False)]
    assert "ring" not in stage.model.offered()
    assert stage.world.deeds == stage.world.deliveries == []
    assert stage.store.read("metrics")["tool_errors"] == {"ring": 1, "unknown": 1, "page": 1}


def test_unreadable_arguments_are_told(stage):
    """A call whose JSON was broken is answered with what was wrong."""
    broken = ToolCall("c1", "say", {}, problem="The arguments are not a JSON object.")
    stage.model.replies.append(ModelReply(tool_calls=(broken,)))
    stage.model.say("Hello.")
    stage.ask(ALICE, "Hello.")
    assert "The arguments are not a JSON object." in stage.model.shown()


# -- tools that wait, hang or break


def test_slow_work_is_awaited(stage):
    """A tool may wait for something outside; the result is read in the next step."""
    seen = []

    async def limit(awaitable, seconds):
        seen.append(seconds)
        return await awaitable

    stage.mind.limit = limit
    stage.model.call("consult").say("Forty-two.")
    stage.ask(ALICE, "The answer?")
    assert "forty-two" in stage.model.shown()
    assert 7.0 in seen


def test_a_tool_that_hangs_is_given_up(stage):
    """A tool has its time, and the model is told that it passed."""

    async def limit(awaitable, seconds):
        if seconds != consult.timeout:
            return await awaitable
        awaitable.close()
        raise TimeoutError

    stage.mind.limit = limit
    stage.model.call("consult").say("No answer.")
    stage.ask(ALICE, "The answer?")
    assert "took too long" in stage.model.shown()
    assert stage.errors == []


@pytest.mark.parametrize("name", ["stumble", "mumble", "point"])
def test_a_bug_in_a_tool_is_reported(stage, name):
    """The owner is told of the bug, the model only that it failed, and the turn goes on."""
    stage.model.call(name).say("Oh well.")
    stage.ask(ALICE, "Hello.")
    ((where, error),) = stage.errors
    assert where == f"tool {name}"
    assert isinstance(error, ZeroDivisionError | TypeError)
    assert "a reason that is not yours" in stage.model.shown()
    assert "oops" not in stage.model.shown()
    assert stage.world.said == ["Oh well."]


# -- the record


def test_every_call_is_on_record(stage):
    """Tool, arguments, reason and outcome: for the owner, never for players."""
    stage.model.call("inspect_location", handle="o9", reasoning="to see").say("Hm.")
    stage.ask(ALICE, "Look!")
    assert stage.store.audit[0].data == {
        "tool_name": "inspect_location",
        "parameters": {"handle": "o9"},
        "reasoning": "to see",
        "success": False,
        "error": "There is no thing 'o9' here. You see: p1 Alice, o1 rose, o2 crown.",
    }
    assert "to see" not in "".join(stage.world.said)


def test_the_record_takes_hostile_calls(stage):
    """Names, keys and values that no database takes are cleaned before they are written."""
    wild = {"a\x00\ud800": "b\x00{" * 9000, "n": float("inf"), "reasoning": "x\x00"}
    call = ToolCall("c", "fly\x00\ud800", wild)
    stage.model.replies.append(ModelReply(tool_calls=(call,), usage=TokenUsage()))
    stage.model.replies.append(
        ModelReply(tool_calls=(ToolCall("d", "wait", {"\ud800" * 9: "\x00" * 999}),))
    )
    stage.model.say("Hm.")
    stage.ask(ALICE, "Hello.")
    record = stage.store.audit[0].data
    assert record["tool_name"] == "fly"
    assert len(record["parameters"]["a"]) == 300
    assert record["parameters"]["n"] == "inf"
    assert "\ud800" not in stage.model.shown()
    assert stage.model.shown().encode()
