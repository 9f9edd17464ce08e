"""Requests as chat-completions bodies, and bytes from a server as replies, trusting neither.

Models without native tools get the tools as text and answer with one JSON object; both forms
come out as the same `ModelReply`. Nothing here does input or output.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from ai_assistant.contracts import Json, Message, ModelReply, ModelRequest, ToolCall, Usage
from ai_assistant.errors import BadReply, EmptyReply
from ai_assistant.llm.textcalls import (
    MAX_CALLS,
    call_of,
    load,
    objects,
    text_calls,
    without_directives,
)

MAX_TOKENS = 10**7
"""A larger token count is no count at all."""
TOKENS_PER_MESSAGE = 16

HOW_TO_CALL = """\
## Tools
Answer with exactly one JSON object and nothing else:
{"tool": "<name>", "arguments": {<its arguments>}}
The tools, with their arguments (? marks the optional ones):"""

_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def request_body(request: ModelRequest, *, native: bool) -> Json:
    """Return the ``messages`` and ``tools`` of a chat-completions body for this request.

    Neighbouring messages of one role travel as one, since many chat templates accept a single
    system message and insist on alternating speakers.
    """
    if native:
        body: Json = {"messages": _merged(_native(message) for message in request.messages)}
        return body | ({"tools": list(request.tools)} if request.tools else {})
    return {"messages": _merged(_textual(request))}


def worst_case_tokens(body_bytes: int, n_messages: int, max_tokens: int) -> int:
    """Return a number of tokens that one call cannot exceed, whatever the tokenizer.

    Every token covers at least one byte of ``json.dumps(body)``, tool schemas included, each
    message adds a few, and the answer, hidden reasoning included, ends at `max_tokens`.
    """
    return body_bytes + TOKENS_PER_MESSAGE * n_messages + max_tokens


def parse_reply(raw: bytes, *, native: bool) -> ModelReply:
    """Return the reply that a server's bytes hold.

    Tool calls with unreadable arguments come back with their `problem`. Raises `BadReply` for
    what is no chat completion and `EmptyReply` for one with neither text nor tool calls.
    """
    data = load(raw)
    choice = _first_choice(data)
    message = choice["message"]
    calls = _native_calls(message.get("tool_calls"))
    content = _content_text(message.get("content"))
    text = _without_thoughts(content)
    if not calls:
        calls, text = _calls_in_text(content, native=native)
    text = _unwrapped(text)
    finish = str(choice.get("finish_reason") or "stop")[:64]
    if not text and not calls:
        raise EmptyReply(_why_empty(message, finish))
    return ModelReply(
        text=text,
        tool_calls=calls,
        usage=_usage(data.get("usage")),
        model=str(data.get("model") or "")[:200],
        finish_reason=finish,
    )


def _calls_in_text(content: str, *, native: bool) -> tuple[tuple[ToolCall, ...], str]:
    """Return the calls that stand in a text, and the words beside them."""
    noted, text = without_directives(_outside_thoughts(content))
    if native and not text.startswith(("{", "```")):  # some do both
        return noted, text
    calls = text_calls(text)
    return (*noted, *calls), "" if calls else text


def _native(message: Message) -> Json:
    plain: Json = {"role": message.role, "content": message.content}
    if message.role == "tool":
        plain["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        plain["content"] = message.content or None
        plain["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    return plain


def _textual(request: ModelRequest) -> Iterator[Json]:
    """Yield the messages for a model that knows nothing of tool calls."""
    if request.tools:
        tools = "\n".join([HOW_TO_CALL, *map(_tool_line, request.tools)])
        yield {"role": "system", "content": tools}
    names: dict[str, str] = {}
    for message in request.messages:
        names.update((call.id, call.name) for call in message.tool_calls)
        calls = [_dumps({"tool": c.name, "arguments": c.arguments}) for c in message.tool_calls]
        content = "\n".join([part for part in (message.content, *calls) if part])
        if message.role == "tool":
            name = names.get(message.tool_call_id, "the tool")
            yield {"role": "user", "content": f"Result of {name}: {content}"}
        else:
            yield {"role": message.role, "content": content}


def _merged(messages: Iterable[Json]) -> list[Json]:
    merged: list[Json] = []
    for message in messages:
        last = merged[-1] if merged else {}
        plain = "tool_calls" not in last and "tool_calls" not in message
        if plain and message["role"] == last.get("role") != "tool":
            gap = "\n\n" if message["role"] == "system" else "\n"
            last["content"] += gap + message["content"]
        else:
            merged.append(message)
    return merged


def _tool_line(tool: Json) -> str:
    function = tool["function"]
    schema = function.get("parameters", {})
    required = schema.get("required", ())
    arguments = ", ".join(
        name + ("" if name in required else "?") + ": " + _argument_text(spec)
        for name, spec in schema.get("properties", {}).items()
    )
    return f"- {function['name']}({arguments}): {function.get('description', '')}"


def _argument_text(spec: Json) -> str:
    kind = "|".join(map(_dumps, spec.get("enum", ()))) or str(spec.get("type", "any"))
    return f"{kind} ({spec['description']})" if spec.get("description") else kind


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _first_choice(data: Json) -> Json:
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise BadReply("The model's server answered without a message.")
    return first


def _content_text(content: object) -> str:
    """Return the text of a content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    spoken = [part for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part["text"] for part in spoken if isinstance(part.get("text"), str)).strip()


def _without_thoughts(text: str) -> str:
    """Cut out what a reasoning model thought aloud, also where a tag is missing its partner."""
    spoken = _THOUGHT.sub("", text)
    return _THOUGHT_ENDS.split(spoken)[-1].strip()


def _outside_thoughts(content: str) -> str:
    """Cut out thoughts, but not the words of leading calls that merely look like one."""
    calls = ""
    for _ in range(MAX_CALLS):
        _, end, found = next(objects(content)) if content.startswith("{") else (0, 0, None)
        if found is None:
            break
        calls, content = f"{calls}{content[:end]}\n", content[end:].strip()
    return calls + _without_thoughts(content)


def _unwrapped(text: str) -> str:
    """Return what is said where a model copies the prompt's form ``{"you": "say", "says": …}``."""
    _, _, found = next(objects(text), (0, 0, None)) if text.startswith("{") else (0, 0, None)
    says = found.get("says") if found else None
    return says.strip() if isinstance(says, str) else text


def _why_empty(message: Json, finish: str) -> str | None:
    if message.get("refusal"):
        return "The model refused to answer."
    if finish == "length":
        return "The model used up its tokens before it said anything; raise 'max_tokens'."
    return "The provider's filter held the answer back." if finish == "content_filter" else None


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    known = [count for count in counts if type(count) is int and 0 <= count <= MAX_TOKENS]
    return Usage(known[0], known[1], known=True) if len(known) == 2 else Usage()


def _native_calls(calls: object) -> tuple[ToolCall, ...]:
    found = calls[:MAX_CALLS] if isinstance(calls, list) else []
    functions = [call.get("function") for call in found if isinstance(call, dict)]
    return tuple(
        call_of(function.get("name"), function.get("arguments", {}))
        for function in functions
        if isinstance(function, dict)
    )
