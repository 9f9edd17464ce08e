"""The offline model never breaks: any text, any hole in the prompt, and quickly."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.contracts import Message, ModelRequest
from ai_assistant.llm.offline import OfflineModel
from tests.unit.offline.stage import SCHEMAS, SPEECH, Stage, complete, observation, row

WORDS = (
    "what who where give me the key my cat is named go north hello remember that you are i am a"
    " help about tell bob look at is do have , . ? ! ' \" { } | $ $eval( ) / ; \n"
).split(" ")
lines = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
)
values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(
    "name role personality interests sayings lore greeting handle exit item kind state times last"
    " observation trait note fact pattern summary text who place time says".split()
)
rows = st.dictionaries(KEYS, values, max_size=6)
HEADINGS = (
    "Who you are", "Now", "What you see", "About the one you talk to", "What you remember",
    "Memory", "What you learned", "Conversation Summary",
)  # fmt: skip
SPEECHES = {name for names in SPEECH.values() for name in names}


@given(lines, st.sampled_from(["say", "whisper", "page", "channel", "pose", "move", "gift"]))
def test_any_text_gets_an_end(text, kind):
    """Whatever is said, the turn ends with one of the calls that were offered."""
    stage = Stage(observations=(observation("Alice likes {who}"),), memories=(row("Bob", text),))
    played = stage.hears(text, kind=kind)
    assert played.end.name in {*SPEECH[kind], "wait"}
    assert played.end.name == "wait" or played.text


@given(st.lists(st.tuples(st.sampled_from(HEADINGS), rows), max_size=8), lines)
def test_any_prompt_gets_a_reply(sections, text):
    """Missing sections, wrong types and nonsense are simply not known."""
    body = "\n".join(f"## {title}\n{json.dumps(data)}" for title, data in sections)
    event = json.dumps({"who": "p1", "name": "Alice", "kind": "say", "says": text})
    request = ModelRequest(
        (Message("system", body), Message("user", f"## Answer this\n{event}\nnot json {{")),
        tools=tuple(SCHEMAS.values()),
    )
    assert complete(OfflineModel(), request).tool_calls


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (Message("system", ""),),
        (Message("user", "## Answer this"),),
        (Message("user", "## Answer this\n[1]\n{}\nnull"),),
        (Message("user", "## Nobody asks"),),
        (Message("system", "## Now\n" + "[" * 5000), Message("user", "## Answer this\n{" * 9)),
    ],
)
def test_empty_prompt_waits(messages):
    """Nothing to answer is nothing to say."""
    reply = complete(OfflineModel(), ModelRequest(messages, tools=tuple(SCHEMAS.values())))
    assert [call.name for call in reply.tool_calls] in (["wait"], ["say"])


def test_odd_tools_are_left_alone():
    """Tools it does not know, or without a shape, do not confuse it."""
    odd = ({"type": "function", "function": {"name": "explode"}}, {}, {"function": 5})
    request = Stage().request(Stage()._events([("Alice", "Hello")], "say"), [], ("say",))
    reply = complete(OfflineModel(), ModelRequest(request.messages, tools=(*odd, *request.tools)))
    assert [call.name for call in reply.tool_calls] == ["say"]


def test_it_answers_within_two_milliseconds():
    """A prompt of 20 kB costs the reactor next to nothing."""
    memories = tuple(
        row("Bob", f"The wagon number {n} lost a wheel near the mill.") for n in range(150)
    )
    stage = Stage(memories=memories)
    request = stage.request(
        stage._events([("Alice", "What is my cat called?")], "say"), [], ("say",)
    )
    assert sum(len(message.content) for message in request.messages) > 15_000
    costs = []
    for _ in range(30):
        start = time.perf_counter()
        complete(stage.model, request)
        costs.append(time.perf_counter() - start)
    assert min(costs) < 0.002
