"""Requests as chat-completions bodies, and bytes from a server as replies, trusting neither.

Models without native tools get the tools as text and answer with one JSON object; both forms
come out as the same `ModelReply`. Nothing here does input or output.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply, EmptyReply
from ai_assistant.core.model_json import load_object
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS, call_of
from ai_assistant.llm.textreply import PLAIN_WORDS, outside_thoughts, read_text, without_thoughts

OF_MESSAGES = frozenset(
    {"reasoning", "reasoning_content", "reasoning_details", "thinking_blocks", "extra_content"}
)
OF_CALLS = frozenset({"extra_content", "thought_signature", "provider_specific_fields"})
LARGEST = 48_000
"""Bytes of one field; a larger one is dropped, since a part of a signature is worth nothing."""
MAX_TOKENS = 10**7
"""A larger token count is no count at all."""
TOKENS_PER_MESSAGE = 16

HOW_TO_CALL = """\
## Tools
What you write is spoken as it stands. To act, write one JSON object on a line of its own:
{"tool": "<name>", "arguments": {<its arguments>}}
Several acts are several such lines, in their order; words may stand between them.
The tools, with their arguments (? marks the optional ones):"""
NAMELESS = "unknown"
"""What a call without a name is called where it is sent back: servers refuse an empty one."""


def request_body(request: ModelRequest, *, native: bool, with_schema: bool = False) -> Json:
    """Return the ``messages`` and ``tools`` of a chat-completions body for this request.

    With `with_schema` the answer is held to the request's JSON schema, where it has one.

    Neighbouring messages of one role travel as one, since many chat templates accept a single
    system message and insist on alternating speakers.
    """
    if native:
        body: Json = {"messages": _merged(_native(message) for message in request.messages)}
        body |= {"tools": list(request.tools)} if request.tools else {}
    else:
        body = {"messages": _merged(_textual(request))}
    if with_schema and request.schema:
        form = {"name": "answer", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def worst_case_tokens(body_bytes: int, n_messages: int, max_tokens: int) -> int:
    """Return a number of tokens that one call cannot exceed, whatever the tokenizer.

    Every token covers at least one byte of ``json.dumps(body)``, tool schemas included, each
    message adds a few, and the answer, hidden reasoning included, ends at `max_tokens`.
    """
    return body_bytes + TOKENS_PER_MESSAGE * n_messages + max_tokens


def parse_reply(raw: bytes, request: ModelRequest, *, native: bool) -> ModelReply:
    """Return the reply to a request that a server's bytes hold.

    Calls that the model wrote into its text are calls where the request offers tools. Those with
    unreadable arguments come back with their `problem`. Raises `BadReply` for what is no chat
    completion and `EmptyReply` for one with neither text nor tool calls, where that is no answer.
    """
    data = load_object(raw)
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise BadReply("The model's server answered without a message.")
    calls, text = _answer(message, request, native=native)
    finish = str(choice.get("finish_reason") or "stop")[:64]
    if not (text or calls or request.may_be_empty):
        raise EmptyReply(_why_empty(message, finish), _spent(data.get("usage")))
    return ModelReply(
        text=text,
        tool_calls=calls,
        usage=_usage(data.get("usage")),
        model=str(data.get("model") or "")[:200],
        extra=_sent_back(message, OF_MESSAGES),
    )


def _sent_back(given: Json, known: Collection[str]) -> Json:
    """Return the fields of an answer that travel back with it, none of them too large."""
    kept = {name: given[name] for name in sorted(known) if given.get(name)}
    return {name: value for name, value in kept.items() if len(json.dumps(value)) <= LARGEST}


def _answer(
    message: Json, request: ModelRequest, *, native: bool
) -> tuple[tuple[ToolCall, ...], str]:
    calls, content = _native_calls(message), _content_text(message.get("content"))
    if not calls and PLAIN_WORDS.fullmatch(content):
        return (), content
    asked = ReplyContext.of(request)
    made = tuple(map(asked.named, calls))
    if not request.tools:  # the answer to a job is not for anybody's ears, and stays as it is
        return made, without_thoughts(content)
    said = outside_thoughts(content)
    written, text = read_text(said, asked, native=native, beside=bool(made))
    # a server that read the calls may have left them in the text as well
    written = tuple(call for call in written if not any(_is_same(call, other) for other in made))
    return (*made, *written)[:MAX_CALLS], text


def _is_same(call: ToolCall, other: ToolCall) -> bool:
    """Do these calls do the same, or tell the same words in the same way?"""
    one, two = ({**c.arguments, "reasoning": None} for c in (call, other))
    alike = one == two or (one.get("text") is not None and one["text"] == two.get("text"))
    return call.name == other.name and alike


def _native(message: Message) -> Json:
    plain: Json = {"role": message.role, "content": message.content}
    if message.role == "tool":
        plain["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        plain["content"] = message.content or None
        plain["tool_calls"] = [
            {
                **call.extra,
                "id": call.id,
                "type": "function",
                "function": {"name": call.name or NAMELESS, "arguments": _dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    return message.extra | plain


def _textual(request: ModelRequest) -> Iterator[Json]:
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
        plain = last.keys() == message.keys() == {"role", "content"}
        if plain and message["role"] == last["role"]:
            gap = "\n\n" if message["role"] == "system" else "\n"
            last["content"] += gap + message["content"]
        else:
            merged.append(message)
    return merged


def _tool_line(tool: Json) -> str:
    function = tool["function"]
    schema = function.get("parameters", {})
    required = schema.get("required", ())
    arguments = []
    for name, spec in schema.get("properties", {}).items():
        kind = "|".join(map(_dumps, spec.get("enum", ()))) or str(spec.get("type", "any"))
        hint = f" ({spec['description']})" if spec.get("description") else ""
        arguments.append(f"{name}{'' if name in required else '?'}: {kind}{hint}")
    return f"- {function['name']}({', '.join(arguments)}): {function.get('description', '')}"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    spoken = [part for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part["text"] for part in spoken if isinstance(part.get("text"), str)).strip()


def _why_empty(message: Json, finish: str) -> str | None:
    if message.get("refusal"):
        return "The model refused to answer."
    if finish == "length":
        return "The model used up its tokens before it said anything; raise 'max_tokens'."
    return "The provider's filter held the answer back." if finish == "content_filter" else None


def _usage(usage: object) -> TokenUsage:
    """Return what an answer that is not empty took, as far as that can be believed."""
    if usage is None:
        return TokenUsage()
    prompt, completion = (_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
    if not isinstance(usage, dict) or not prompt or not completion:
        return TokenUsage(absurd=True)
    cached = _count(usage.get("prompt_tokens_details"), "cached_tokens")
    cached = cached or _count(usage, "prompt_cache_hit_tokens") or 0
    reasoned = _count(usage.get("completion_tokens_details"), "reasoning_tokens") or 0
    return TokenUsage(
        prompt,
        completion,
        known=True,
        cached_tokens=min(cached, prompt),
        reasoning_tokens=min(reasoned, completion),
    )


def _spent(usage: object) -> int:
    """Return what an answer without words took; 0 where that is not said, or cannot be."""
    asked, made = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    return 0 if not asked or made is None else asked + made


def _count(counts: object, name: str) -> int | None:
    count = counts.get(name) if isinstance(counts, dict) else None
    return count if type(count) is int and 0 <= count <= MAX_TOKENS else None


def _native_calls(message: Json) -> tuple[ToolCall, ...]:
    calls = message.get("tool_calls")
    found = calls[:MAX_CALLS] if isinstance(calls, list) else []
    if not found and isinstance(message.get("function_call"), dict):  # the form of older servers
        found = [{"function": message["function_call"]}]
    made = []
    for call in found:
        given = call.get("function", call) if isinstance(call, dict) else None
        if isinstance(given, dict):
            read = call_of(given.get("name"), given.get("arguments") or {})
            made.append(replace(read, extra=_sent_back(call, OF_CALLS)))
    return tuple(made)
