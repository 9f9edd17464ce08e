"""The offline model never breaks: any text, any hole in the prompt, and quickly."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.model_records import Message, ModelRequest, PromptSection
from ai_assistant.llm.offline import OfflineModel
from tests.unit.llm.offline.stage import SCHEMAS, Stage, complete, observation, row, spoken

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
SECTIONS = st.sampled_from(
    "persona now seen entity memories notebook learned summary social world blocks lore goals"
    " project stream event".split()
)


@given(lines, st.sampled_from(["say", "whisper", "page", "channel", "pose", "move", "gift"]))
def test_any_text_gets_an_end(text, kind):
    """Whatever is said, the turn ends with words, a gesture or silence."""
    stage = Stage(observations=(observation("Alice likes {who}"),), memories=(row("Bob", text),))
    played = stage.hears(text, kind=kind)
    assert played.text or played.calls[-1].name in ("emote", "wait")


@given(st.lists(st.tuples(SECTIONS, rows), max_size=8), lines)
def test_any_prompt_gets_a_reply(sections, text):
    """Missing sections, wrong types and nonsense are simply not known."""
    kept = {key: [data] for key, data in sections}
    event = [spoken("Alice", text, "say"), *kept.pop("event", ())]
    reply = complete(OfflineModel(), asking({"event": event, **kept}))
    assert reply.text or reply.tool_calls


def asking(sections):
    """A request that consists of sections and every tool."""
    return ModelRequest(
        (Message("user", "In words."),),
        tools=tuple(SCHEMAS.values()),
        sections=tuple(PromptSection(key, tuple(some)) for key, some in sections.items()),
    )


@pytest.mark.parametrize("sections", [{}, {"event": ()}, {"event": [{}]}, {"now": [{}]}])
def test_empty_prompt_waits(sections):
    """Nothing to answer is nothing to say."""
    reply = complete(OfflineModel(), asking(sections))
    assert reply.text == ""
    assert [call.name for call in reply.tool_calls] == ["wait"]


def test_odd_tools_are_left_alone():
    """Tools it does not know do not confuse it."""
    odd = {"type": "function", "function": {"name": "explode"}}
    request = Stage().request([("Alice", "Hello")])
    reply = complete(OfflineModel(), replace(request, tools=(odd,)))
    assert reply.text
    assert reply.tool_calls == ()


def test_odd_results_are_left_alone():
    """What a tool returns may be anything."""
    for result in ("", "[1]", "null", "{", '{"memories": [5, {"text": []}]}', "[" * 5000):
        stage = Stage()
        asked = complete(stage.model, stage.request([("Alice", "What is my cat called?")]))
        (call,) = asked.tool_calls
        transcript = [
            Message("assistant", "", tool_calls=(call,)),
            Message("tool", result, tool_call_id=call.id, component=7000),
        ]
        request = stage.request([("Alice", "What is my cat called?")], transcript=transcript)
        assert complete(stage.model, request).text
