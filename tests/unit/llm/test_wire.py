"""The wire: how requests leave in both forms, and what comes out of good and bad bytes."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ai_assistant.core.errors import BadReply, EmptyReply, ModelError
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest, ToolCall
from ai_assistant.llm.textcalls import MAX_CALLS
from ai_assistant.llm.wire import parse_reply, request_body, worst_case_tokens
from tests.unit.llm.replies import completion as reply
from tests.unit.llm.replies import request

SAY = {
    "type": "function",
    "function": {
        "name": "whisper",
        "description": "Tell one person something.",
        "parameters": {
            "type": "object",
            "properties": {
                "reasoning": {"type": "string"},
                "to": {"type": "string", "enum": ["p1", "p2"]},
                "tone": {"type": "string", "description": "how it sounds"},
            },
            "required": ["reasoning", "to"],
        },
    },
}
CALL = ToolCall("abc123def", "look", {"handle": "o1", "reasoning": "Être sûr."})
REQUEST = ModelRequest(
    messages=(
        Message("system", "Be kind."),
        Message("system", "## Who you are"),
        Message("user", "one"),
        Message("user", "two"),
        Message("assistant", "", tool_calls=(CALL,)),
        Message("tool", '{"seen":"a key"}', tool_call_id="abc123def"),
    ),
    tools=(SAY,),
)


def native_call(arguments, name="say"):
    return reply(tool_calls=[{"id": "x", "function": {"name": name, "arguments": arguments}}])


def one_call(raw, native=True):
    """Parse bytes that hold exactly one tool call."""
    (call,) = parse_reply(raw, request(), native=native).tool_calls
    return call


def test_native_request_keeps_calls_and_tools():
    """Tool calls travel with JSON text as arguments, results by id, tools as they are."""
    body = request_body(REQUEST, native=True)
    system, user, assistant, tool = body["messages"]
    assert system == {"role": "system", "content": "Be kind.\n\n## Who you are"}
    assert user == {"role": "user", "content": "one\ntwo"}
    assert assistant["content"] is None
    assert json.loads(assistant["tool_calls"][0]["function"]["arguments"]) == CALL.arguments
    assert tool["tool_call_id"] == assistant["tool_calls"][0]["id"]
    assert body["tools"] == [SAY]


def test_words_and_calls_are_not_merged():
    """A message that calls tools stays alone, or its calls would get lost."""
    messages = (Message("assistant", "Let me see."), Message("assistant", "", (CALL,)))
    said, called = request_body(ModelRequest(messages), native=True)["messages"]
    assert said["content"] == "Let me see."
    assert called["tool_calls"]


def test_request_without_tools_says_nothing_of_them():
    """Some servers refuse an empty list of tools, so none is sent."""
    assert "tools" not in request_body(ModelRequest((Message("user", "hi"),)), native=True)


def test_text_request_needs_no_tool_support():
    """For other models tools, calls and results are text, and speakers alternate."""
    body = request_body(REQUEST, native=False)
    assert body.keys() == {"messages"}
    assert [message["role"] for message in body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    system, _, called, result = [message["content"] for message in body["messages"]]
    assert '- whisper(reasoning: string, to: "p1"|"p2", tone?: string (how it sounds)):' in system
    assert json.loads(called) == {"tool": "look", "arguments": CALL.arguments}
    assert result == 'Result of look: {"seen":"a key"}'


def test_building_a_body_leaves_the_request_alone():
    """The same request gives the same bytes twice: nothing of it is changed on the way."""
    first = json.dumps(request_body(REQUEST, native=True))
    assert json.dumps(request_body(REQUEST, native=True)) == first


def test_worst_case_counts_every_byte():
    """A reservation covers the body byte by byte, the messages and the whole answer."""
    assert worst_case_tokens(1000, 3, 500) == 1000 + 3 * 16 + 500


def test_text_and_usage_are_read():
    """The plain case: words, who said them, and what they cost."""
    data = json.loads(reply(content=" Good day. "))
    data |= {"model": "small", "usage": {"prompt_tokens": 12, "completion_tokens": 3}}
    parsed = parse_reply(json.dumps(data).encode(), request(), native=True)
    assert (parsed.text, parsed.model, parsed.usage.total) == ("Good day.", "small", 15)
    assert parsed.usage.known


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": 5},
        {"prompt_tokens": -5, "completion_tokens": 1},
        {"prompt_tokens": 10**9, "completion_tokens": 1},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": "5", "completion_tokens": 1},
        {"prompt_tokens": 5, "completion_tokens": 0},
        {"prompt_tokens": 0, "completion_tokens": 5},
        {"prompt_tokens": 5.5, "completion_tokens": "many"},
    ],
)
def test_absurd_usage_is_unknown(usage):
    """Numbers that cannot be a count are not counted with."""
    data = json.loads(reply(content="Hi.")) | {"usage": usage}
    used = parse_reply(json.dumps(data).encode(), request(), native=True).usage
    assert (used.known, used.absurd) == (False, usage is not None)


@pytest.mark.parametrize(
    ("details", "cached", "reasoned"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 8}}, 8, 0),
        ({"prompt_cache_hit_tokens": 8}, 8, 0),
        ({"completion_tokens_details": {"reasoning_tokens": 2}}, 0, 2),
        ({"prompt_tokens_details": {"cached_tokens": 99}}, 12, 0),
        (
            {"prompt_tokens_details": None, "completion_tokens_details": {"reasoning_tokens": "2"}},
            0,
            0,
        ),
    ],
)
def test_cached_and_reasoning_tokens_are_read(details, cached, reasoned):
    """They are part of what was counted anyway, and never more than that."""
    data = json.loads(reply(content="Hi."))
    data |= {"usage": {"prompt_tokens": 12, "completion_tokens": 3} | details}
    used = parse_reply(json.dumps(data).encode(), request(), native=True).usage
    assert (used.cached_tokens, used.reasoning_tokens, used.total) == (cached, reasoned, 15)


@pytest.mark.parametrize("arguments", ['{"text": "Hi."}', {"text": "Hi."}])
def test_arguments_come_as_text_or_object(arguments):
    """Servers disagree on the form of arguments; both are read."""
    call = one_call(native_call(arguments))
    assert (call.name, call.arguments, call.problem) == ("say", {"text": "Hi."}, "")


def test_no_arguments_are_no_problem():
    """A tool without parameters may be called with nothing at all."""
    assert one_call(native_call("")).problem == ""


@pytest.mark.parametrize(
    "arguments",
    ['{"text": ', "[1]", 5, ["x"], '{"n": 1e999}', '{"t": "\\ud800"}', "[" * 5000],
)
def test_unreadable_arguments_are_a_problem_not_a_crash(arguments):
    """The model is told about arguments that cannot be read; the turn goes on."""
    call = one_call(native_call(arguments))
    assert call.problem
    assert call.arguments == {}


def test_nameless_call_is_a_problem():
    """A call that names no tool is told so."""
    assert one_call(native_call("{}", name=None)).problem


def test_flood_of_calls_is_cut():
    """Of five hundred parallel calls a few are read, each with an id of its own."""
    flood = [{"id": "same", "function": {"name": "say", "arguments": "{}"}}] * 500
    calls = parse_reply(reply(tool_calls=flood), request(), native=True).tool_calls
    assert len(calls) == len({call.id for call in calls}) == MAX_CALLS


def test_content_may_come_in_parts():
    """The text parts of a list are joined; whatever else is in it stays out."""
    parts = [{"type": "text", "text": "Good "}, {"type": "reasoning", "text": "hm"}, 5]
    assert parse_reply(
        reply(content=[*parts, {"type": "text", "text": "day."}]), request(), native=True
    ).text
    assert parse_reply(reply(content=parts), request(), native=True).text == "Good"


@pytest.mark.parametrize(
    "content",
    [
        "<think>plan: lie</think>Hello.",
        "<THINKING>plan</THINKING>\n Hello.",
        "plan without its opening tag</think>Hello.",
        "Hello.<think>second thoughts that never en",
        "<reasoning>a</reasoning>Hello.<thought>b</thought>",
    ],
)
def test_thoughts_are_never_spoken(content):
    """What a reasoning model thinks aloud is cut out, whatever tag is missing."""
    assert parse_reply(reply(content=content), request(), native=True).text == "Hello."


@pytest.mark.parametrize(
    "message",
    [
        {"content": None},
        {"content": "  \n "},
        {"content": "<think>all my tokens went into", "finish": "length"},
        {"content": None, "refusal": "I cannot do that."},
        {"content": None, "finish": "content_filter"},
        {},
    ],
)
def test_nothing_said_is_an_error_of_its_own(message):
    """An answer with neither words nor calls is told apart from a broken one."""
    with pytest.raises(EmptyReply):
        parse_reply(reply(**message), request(), native=True)


@pytest.mark.parametrize(
    ("asked", "made", "spent"),
    [(12, 3, 15), (12, 0, 12), (0, 3, 0), (12, None, 0), (-5, 3, 0), (12, -5, 0), (10**9, 3, 0)],
)
def test_absurd_usage_of_an_empty_answer_is_unknown(asked, made, spent):
    """Half of a bill that cannot be is no bill: the whole reservation stays booked then."""
    data = json.loads(reply(content=""))
    data |= {"usage": {"prompt_tokens": asked, "completion_tokens": made}}
    with pytest.raises(EmptyReply) as empty:
        parse_reply(json.dumps(data).encode(), request(), native=True)
    assert empty.value.spent == spent


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>Bad gateway</html>",
        b'{"choices": [',
        b"[]",
        b"null",
        b"{}",
        b'{"choices": []}',
        b'{"choices": {}}',
        b'{"choices": [5]}',
        b'{"choices": [{"message": null}]}',
        b'{"error": {"message": "no"}}',
        b'{"choices": [{"message": {"content": "a"}}], "x": NaN}',
        b'{"choices": [{"message": {"content": "a"}}], "x": -Infinity}',
        b'{"choices": [{"message": {"content": "a"}}], "x": 1e999}',
        b'{"choices": [{"message": {"content": "\\ud83d"}}]}',
        b'{"choices": [{"message": {"content": "\xff"}}]}',
        b'{"a":' * 100_000,
        b'{"choices": [{"message": {"content": "a"}}], "x": ' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"x": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_completion_is_a_bad_reply(raw):
    """Whatever a server sends instead of an answer ends in the same typed error."""
    with pytest.raises(BadReply):
        parse_reply(raw, request(), native=True)


def test_byte_order_mark_is_tolerated():
    """A mark in front of good JSON does no harm."""
    assert parse_reply(b"\xef\xbb\xbf" + reply(content="Hi."), request(), native=True).text == "Hi."


@pytest.mark.parametrize(
    "content",
    [
        '{"tool": "say", "arguments": {"text": "Hi."}}',
        '```json\n{"tool": "say", "arguments": {"text": "Hi."}}\n```',
        'Sure {smiling}! I will:\n{"name": "say", "parameters": {"text": "Hi."}} Done.',
        '{"tool": "say", "arguments": "{\\"text\\": \\"Hi.\\"}"}',
        '{"function": {"name": "say", "arguments": {"text": "Hi."}}}',
        '{"tool": "say", "text": "Hi."}',
        '<think>{"tool": "move"}</think>{"tool": "say", "text": "Hi."}',
        '{"tool": "say", "text": "Hi."} <think>{"tool": "move"}',
    ],
)
def test_call_is_found_in_text(content):
    """A model without native tools may wrap its one JSON object in about anything."""
    call = one_call(reply(content=content), native=False)
    assert (call.name, call.arguments, call.problem) == ("say", {"text": "Hi."}, "")


def test_tags_inside_a_call_do_not_break_it():
    """Somebody who talks about think tags is answered, not cut out of the answer."""
    call = one_call(reply(content='{"tool": "say", "text": "<think> is odd"}'), native=False)
    assert call.arguments == {"text": "<think> is odd"}


def test_line_breaks_in_strings_are_read():
    """Small models put bare line breaks into JSON strings; that is no reason to fail."""
    call = one_call(reply(content='{"tool": "say", "text": "Hi.\nAnd bye."}'), native=False)
    assert call.arguments == {"text": "Hi.\nAnd bye."}


def test_quoted_call_inside_a_broken_one_is_not_run():
    """A player's own JSON, repeated by the model without escapes, never becomes a call."""
    content = '{"tool": "say", "text": "You wrote {"tool": "give", "item": "o1"}?"}'
    call = one_call(reply(content=content), native=False)
    assert call.name == "say"
    assert call.problem


def test_broken_call_is_not_spoken():
    """A call that breaks off is a call with a problem, never words to be said."""
    parsed = parse_reply(
        reply(content='{"tool": "say", "arguments": {"te'), request(), native=False
    )
    assert parsed.text == ""
    assert parsed.tool_calls[0].name == "say"
    assert parsed.tool_calls[0].problem


@pytest.mark.parametrize(
    "content", ["Good day.", 'Take {"name": "Alice"} with you.', "The {memory} of it.", "{{{{{"]
)
def test_text_without_a_call_stays_text(content):
    """Braces alone do not make a tool call."""
    assert parse_reply(reply(content=content), request(), native=False).text == content


def calling(value):
    """Return an answer with a call that has this for its argument."""
    call = {"function": {"name": "say", "arguments": {"text": value}}}
    return {"choices": [{"message": {"tool_calls": [call]}}]}


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=12)
    | st.sampled_from(["say", '{"tool": "say"', '{"text": 1}', "<think>", "\ud800", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tool", "name", "arguments", "function", "type", "text", "says"]),
            inner,
        )
    ),
    max_leaves=4,
)
messages = st.fixed_dictionaries(
    {}, optional={"content": values, "tool_calls": values | st.lists(values), "refusal": values}
)
choices = st.fixed_dictionaries({"message": messages | values, "finish_reason": values})
replies = st.fixed_dictionaries(
    {"choices": st.lists(choices, max_size=2) | values}, optional={"usage": values, "model": values}
)


@given(data=replies, cut=st.none() | st.integers(0, 200), native=st.booleans())
@example(data=calling(math.nan), cut=None, native=True)
@example(data=calling("\ud800"), cut=None, native=True)
def test_no_reply_escapes_the_error_tree(data, cut, native):
    """Whatever a server makes up, the outcome is a storable reply or a `ModelError`."""
    raw = json.dumps(data).encode()[:cut]
    try:
        parsed = parse_reply(raw, request(), native=native)
    except ModelError:
        return
    assert isinstance(parsed, ModelReply)
    assert parsed.text or parsed.tool_calls
    for call in parsed.tool_calls:
        json.dumps(call.arguments, ensure_ascii=False, allow_nan=False).encode()
        assert isinstance(call.name, str)
        assert call.name or call.problem


@given(arguments=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), values))
def test_calls_survive_the_round_trip(arguments):
    """What a text model is shown of its own calls is read back as the same call."""
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return
    request = ModelRequest((Message("assistant", "", (ToolCall("1", "say", arguments),)),))
    shown = request_body(request, native=False)["messages"][0]["content"]
    call = one_call(reply(content=shown), native=False)
    assert call.name == "say"
    assert call.problem or call.arguments == arguments


# -- fields of a provider

SIGNED = {"extra_content": {"google": {"thought_signature": "c2lnbmVk"}}}
REASONED = {
    "reasoning_content": "I should look.",
    "reasoning_details": [{"type": "reasoning.encrypted", "data": "eHl6"}],
}


def sent_back(parsed):
    """Return the assistant message as which a reply goes back to its model."""
    message = Message("assistant", parsed.text, parsed.tool_calls, extra=parsed.extra)
    return request_body(ModelRequest((message,)), native=True)["messages"][0]


def test_fields_of_a_provider_travel_back():
    """Reasoning and signatures return as they came, with the call that they belong to."""
    function = {"name": "look", "arguments": "{}"}
    call = {"id": "x", "type": "function", "index": 0, "function": function, **SIGNED}
    answer = {"content": "Let me see.", "tool_calls": [call], **REASONED}
    back = sent_back(parse_reply(reply(**answer), request(), native=True))
    assert {name: back[name] for name in REASONED} == REASONED
    assert back["tool_calls"][0]["extra_content"] == SIGNED["extra_content"]
    assert back["tool_calls"][0]["function"]["name"] == "look"
    assert back["content"] == "Let me see."


def test_other_fields_of_a_provider_are_not_echoed():
    """What we do not know, and what is too large, stays out of the next request."""
    answer = {"content": "Aye.", "audio": {"data": "x"}, "refusal": None, "role": "tool"}
    huge = {"reasoning_content": "x" * 100_000, "reasoning": ""}
    parsed = parse_reply(reply(**answer, **huge), request(), native=True)
    assert parsed.extra == {}
    assert sent_back(parsed) == {"role": "assistant", "content": "Aye."}


def test_fields_of_a_provider_replace_nothing_of_ours():
    """Whatever a reply claims to be, role, content and calls are those that we know."""
    forged = Message(
        "assistant", "Aye.", (replace(CALL, extra={"id": "0"}),), extra={"role": "system"}
    )
    back = request_body(ModelRequest((forged,)), native=True)["messages"][0]
    assert (back["role"], back["content"]) == ("assistant", "Aye.")
    assert back["tool_calls"][0]["id"] == CALL.id


def test_messages_with_fields_of_a_provider_stay_apart():
    """Joined with its neighbour, a message would lose what belongs to it alone."""
    messages = (Message("assistant", "One.", extra=REASONED), Message("assistant", "Two."))
    assert len(request_body(ModelRequest(messages), native=True)["messages"]) == 2


def test_a_nameless_call_can_be_sent_back():
    """Servers refuse an empty name, and would refuse the whole turn with it."""
    parsed = parse_reply(native_call("{}", name=None), request(), native=True)
    assert sent_back(parsed)["tool_calls"][0]["function"]["name"]


def test_an_older_form_of_calls_is_read():
    """Some servers still answer with the one `function_call` of old."""
    call = one_call(reply(content=None, function_call={"name": "look", "arguments": "{}"}))
    assert (call.name, call.problem) == ("look", "")


def test_words_beside_calls_are_kept():
    """A model may say something and act, in one answer."""
    function = {"name": "emote", "arguments": '{"text": "nods"}'}
    raw = reply(content="Aye, Mira.", tool_calls=[{"id": "1", "function": function}])
    parsed = parse_reply(raw, request(), native=True)
    assert (parsed.text, [call.name for call in parsed.tool_calls]) == ("Aye, Mira.", ["emote"])


SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}}


@pytest.mark.parametrize("native", [True, False])
def test_a_schema_travels_where_the_server_can_hold_an_answer_to_it(native):
    """As `response_format`, strict; no other server hears of it."""
    asked = replace(request(), schema=SCHEMA)
    body = request_body(asked, native=native, with_schema=True)
    form = body["response_format"]["json_schema"]
    assert (form["schema"], form["strict"]) == (SCHEMA, True)
    assert "response_format" not in request_body(asked, native=native)
    assert "response_format" not in request_body(request(), native=native, with_schema=True)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"at": "o1"}',
        json.dumps('{"at": "o1"}'),
        '```json\n{"at": "o1"}\n```',
        '[{"at": "o1"}]',
        [{"at": "o1"}],
    ],
)
def test_arguments_in_any_wrapping(arguments):
    """An object encoded twice, in a fence or in a list is that object."""
    made = [{"id": "1", "function": {"name": "look", "arguments": arguments}}]
    call = one_call(reply(tool_calls=made))
    assert (call.arguments, call.problem) == ({"at": "o1"}, "")


@pytest.mark.parametrize("arguments", [None, "null", "None", "", " ", {}])
def test_no_arguments_are_none(arguments):
    """A tool without arguments is called in many ways."""
    made = [{"id": "1", "function": {"name": "look", "arguments": arguments}}]
    call = one_call(reply(tool_calls=made))
    assert (call.name, call.arguments, call.problem) == ("look", {}, "")


@pytest.mark.parametrize("name", ["Look", "functions.look", "default_api:look", "look"])
def test_a_call_without_its_function(name):
    """Name and arguments may stand in the call itself; prefixes and capitals count for nothing."""
    made = [{"name": name, "arguments": {"at": "o1"}}]
    call = one_call(reply(tool_calls=made))
    assert (call.name, call.arguments, call.problem) == ("look", {"at": "o1"}, "")


def test_nothing_is_an_answer_where_it_may_be_one():
    """Who has spoken may end so; it is no fault of the server, whatever it sends for nothing."""
    for content in ("", None, "  \n"):
        with pytest.raises(EmptyReply):
            parse_reply(reply(content=content), request(), native=True)
        ended = parse_reply(
            reply(content=content), replace(request(), may_be_empty=True), native=True
        )
        assert (ended.text, ended.tool_calls) == ("", ())
