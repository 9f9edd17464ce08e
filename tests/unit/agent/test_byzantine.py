"""A model that calls every tool with every argument: it can do nothing that it may not do."""

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.attention.layers import MAX_CALLS_PER_STEP
from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.turn.speech_rules import MOST_PIECES
from ai_assistant.core.contracts import Category
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.testing import Stage, people
from ai_assistant.tools import BUILTIN, ToolRegistry, tool

ALICE, BOB = people("Alice", "Bob")


@tool(Category.DANGEROUS, permission="Builder", about={"command": "What to run."})
def execute(turn, command: str):
    """Run a command that only builders may run."""
    turn.world.deeds.append("executed")
    return {"ran": command}


@tool(Category.DANGEROUS)
def destroy(turn):
    """Destroy something; this assistant must not use it."""
    turn.world.deeds.append("destroyed")
    return {"destroyed": "everything"}


NAMES = [one.name for one in (*BUILTIN, execute, destroy)]
PARAMS = ["reasoning", *{param.name for one in BUILTIN for param in one.params}, "command", "x"]
HANDLES = ["p1", "p2", "p9", "x1", "o1", "o2", "o3", "e-alice", "#1", "", "$eval(1)", "me"]
VALUES = st.recursive(
    st.one_of(
        st.sampled_from([*HANDLES, "direct", "told", "Tell me.", None, True, 10**400, 1e308]),
        st.text(max_size=20),
        st.floats(),
        st.integers(),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
WELL_MEANT = st.fixed_dictionaries(
    {"reasoning": st.just("why not")},
    optional={
        "text": st.text(min_size=1, max_size=30),
        "to": st.sampled_from(HANDLES),
        "item": st.sampled_from(HANDLES),
        "entity": st.sampled_from(HANDLES),
        "handle": st.sampled_from(HANDLES),
    },
)
CALLS = st.builds(
    ToolCall,
    id=st.sampled_from(["a", "b", "c", ""]),
    name=st.sampled_from([*NAMES, *NAMES, "fly", "", "say\n"]),
    arguments=WELL_MEANT | st.dictionaries(st.sampled_from(PARAMS) | st.text(), VALUES, max_size=4),
    problem=st.sampled_from(["", "", "", "Broken."]),
)
FITTING = st.sampled_from(
    [
        ToolCall("g1", "give", {"item": "o1", "to": "p1"}),
        ToolCall("g2", "give", {"item": "o2", "to": "p1"}),
        ToolCall("m1", "move", {"to": "x1"}),
        ToolCall("s1", "say", {"text": "Yes."}),
        ToolCall("w1", "whisper", {"to": "p2", "text": "Psst."}),
        ToolCall("d1", "destroy", {}),
        ToolCall("e1", "execute", {"command": "shutdown"}),
    ]
)
REPLIES = st.builds(
    ModelReply,
    text=st.text(max_size=20),
    tool_calls=st.lists(CALLS | FITTING, max_size=9).map(tuple),
    usage=st.builds(TokenUsage, st.integers(-9, 10**9), st.integers(0, 9), st.booleans()),
)


class Byzantine(Model):
    """Implements `contracts.Model`: answers whatever it was given, then once more the last."""

    def __init__(self, replies):
        self.replies = replies
        self.offers = []

    async def complete(self, request):
        reply = self.replies[min(len(self.offers), len(self.replies) - 1)]
        self.offers.append({one["function"]["name"] for one in request.tools})
        return reply


@given(
    st.lists(REPLIES, min_size=1, max_size=5),
    st.sampled_from(["say", "whisper", "page", "channel", "gift"]),
)
def test_the_worst_model_does_no_harm(replies, kind):
    """No exception gets out, nothing but what is offered there is done, and every limit holds."""
    model = Byzantine(replies)
    stage = Stage(model=model, disabled_tools=["destroy"])
    world = stage.world
    world.enter(ALICE, BOB)
    world.channels["c-guild"] = {ALICE.id}
    world.carry("rose")
    world.carry("crown", givable=False)
    world.place_exit("north")
    world.permissions["Builder"] = {world.self.id}  # the character may, whoever asks may not
    stage.mind.registry = ToolRegistry([*BUILTIN, execute, destroy])
    place = "c-guild" if kind == "channel" else ""
    report = stage.ask(ALICE, "Do your worst.", kind, place=place)

    assert {where for where, _ in stage.errors} <= {"usage"}
    assert 1 <= report.steps <= OPTIONS["max_iterations_per_tick"].default
    assert len(model.offers) - report.steps in (0, 1)  # an empty answer is asked for once more
    assert len(world.deeds) <= OPTIONS["acts_per_turn"].default
    gifts = {"give rose to Alice", "give rose to Bob"}
    assert {*world.deeds} <= {*gifts, "put down rose", "take rose", "move north"}
    ran = [record.data for record in stage.store.audit if record.type == "ToolExecuted"]
    assert len(ran) <= (MAX_CALLS_PER_STEP + 1) * report.steps
    done = {data["tool_name"] for data in ran if data["success"]}
    assert not done & {"execute", "destroy"}
    assert done <= {one.name for one in BUILTIN}
    assert len(world.deliveries) <= MOST_PIECES
    for speech, end in world.deliveries:
        assert kind in ("say", "gift") or speech.kind == kind
        assert kind not in ("whisper", "page") or end.hearers <= {ALICE.id}
    assert stage.store.triggers.waiting() == []
