"""A model's request for the eyes of a person: the tools in short, then the messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ai_assistant.core.contracts import Json

_SHOWN_APART = ("messages", "tools")


def tokens_about(value: object) -> int:
    """Estimate the tokens of a text, or of something that travels as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (len(text) + 3) // 4


def readable(number: str, body: Json) -> str:
    """Write a whole request out."""
    tools, messages = body.get("tools") or [], body.get("messages") or []
    sizes = tokens_about(tools) if tools else 0, sum(map(_size, messages))
    options = {key: value for key, value in body.items() if key not in _SHOWN_APART}
    lines = [
        f"request {number}: about {sum(sizes)} tokens, tools {sizes[0]}, messages {sizes[1]}",
        f"options: {json.dumps(options, ensure_ascii=False)}",
        "",
        f"==== {len(tools)} tools",
        *(_tool(tool.get("function") or {}) for tool in tools),
    ]
    for place, message in enumerate(messages, 1):
        lines += ["", *_message(place, message)]
    return "\n".join(lines) + "\n"


def _size(message: Json) -> int:
    return tokens_about(str(message.get("content") or "")) + tokens_about(
        message.get("tool_calls") or ""
    )


def _tool(function: Json) -> str:
    schema = function.get("parameters") or {}
    needed = set(schema.get("required") or ())
    arguments = (
        f"{name}{'' if name in needed else '?'}: {_kind(field)}"
        for name, field in (schema.get("properties") or {}).items()
    )
    return f"{function.get('name')}({', '.join(arguments)}): {function.get('description', '')}"


def _kind(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return str(schema)
    choices = schema.get("enum")
    kind = "|".join(map(str, choices)) if choices else str(schema.get("type", "any"))
    bounds = [f"{mark}{schema[key]}" for key, mark in _BOUNDS.items() if key in schema]
    hint = schema.get("description")
    return " ".join([kind, *bounds]) + (f" ({hint})" if hint else "")


_BOUNDS = {"minimum": ">=", "maximum": "<=", "maxLength": "length <=", "maxItems": "items <="}


def _message(place: int, message: Json) -> Iterator[str]:
    who = str(message.get("role"))
    if message.get("tool_call_id"):
        who += f" (result of {message['tool_call_id']})"
    yield f"==== {place}. {who}, about {_size(message)} tokens"
    content = message.get("content")
    if content:
        yield content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        yield f"-> {function.get('name')} {function.get('arguments')}   [{call.get('id')}]"
    known = {"role", "content", "tool_calls", "tool_call_id"}
    for key in message.keys() - known:
        yield f"({key}: {json.dumps(message[key], ensure_ascii=False)})"
