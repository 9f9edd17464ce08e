"""Tool calls that stand in a model's text, and JSON from a model that trusts nothing."""

from __future__ import annotations

import json
import math
import re
import uuid
from collections.abc import Iterator
from typing import Any

from ai_assistant.contracts import Json, ToolCall
from ai_assistant.errors import BadReply

MAX_CALLS = 16
"""Tool calls that are read of one reply; the rest is dropped."""
MAX_DEPTH = 32
NOTEBOOK = "memory"
"""The tool whose calls may stand beside words that are spoken (seed `memory_policy`)."""

_ATTEMPTS = 20
_BROKEN_CALL = re.compile(r'\{\s*"tool"\s*:\s*"(?P<name>[^"\\]{1,64})"')
_LEFT_OVER = re.compile(rf'\{{\s*"(?:tool|name)"\s*:\s*"{NOTEBOOK}"')
_EMPTY_FENCE = re.compile(r"```\w*\s*```")
_SURROGATE = re.compile("[\ud800-\udfff]")
_decoder = json.JSONDecoder(strict=False)  # models put bare line breaks into their strings


def without_directives(text: str) -> tuple[tuple[ToolCall, ...], str]:
    """Return the notebook calls that stand in a text, and the words without them.

    ``Well met! {"tool": "memory", "action": "append", "content": "…"}`` notes something and says
    the rest; so do several of them, in code fences or in the form ``{"name": …, "arguments": …}``.
    """
    noted: list[ToolCall] = []
    words: list[str] = []
    done = 0
    standing = list(objects(text))
    for at, end, found in standing:
        broken = _BROKEN_CALL.match(text, at) if found is None else None
        if broken and broken["name"] != NOTEBOOK:
            break  # what stands inside a broken call may be a player's text: never look in there
        call = call_of(NOTEBOOK, None) if broken else _call_in(found)
        if call and call.name == NOTEBOOK:
            noted.append(call)
            words.append(text[done:at])
            done = len(text) if broken else end
        if broken:
            break
    words.append(text[done:])
    spoken = "".join(words)
    if len(standing) == _ATTEMPTS:
        spoken = _LEFT_OVER.split(spoken, maxsplit=1)[0]
    return tuple(noted[:MAX_CALLS]), _EMPTY_FENCE.sub("", spoken).strip()


def text_calls(text: str) -> tuple[ToolCall, ...]:
    """Return the first tool call that stands in a text, even a broken one; else nothing."""
    for at, _, found in objects(text):
        broken = _BROKEN_CALL.match(text, at) if found is None else None
        call = call_of(broken["name"], None) if broken else _call_in(found)
        if call:
            return (call,)
    return ()


def _call_in(found: Json | None) -> ToolCall | None:
    """Return the tool call that a JSON object is, in any of the forms that models write."""
    if found is None:
        return None
    if isinstance(found.get("function"), dict):
        found = found["function"]
    given = next((found[key] for key in ("arguments", "parameters") if key in found), None)
    key = "tool" if "tool" in found else "name"
    bare = key == "tool" or (found.get(key) == NOTEBOOK and "action" in found)
    if key in found and (given is not None or bare):
        flat = {name: value for name, value in found.items() if name != key}
        return call_of(found[key], flat if given is None else given)
    return None


def objects(text: str) -> Iterator[tuple[int, int, Json | None]]:
    """Yield where a JSON object begins and ends, and the object (None for none); soon gives up."""
    end = 0
    for _ in range(_ATTEMPTS):
        at = text.find("{", end)
        if at < 0:
            return
        end = at + 1
        try:
            found, end = _decoder.raw_decode(text, at)
            _refuse_odd(found)
        except (ValueError, RecursionError, BadReply):
            found = None
        yield at, end, found


def call_of(name: object, arguments: object) -> ToolCall:
    """Return a tool call under an id of our own, since a server's ids may repeat."""
    known = name.strip()[:64] if isinstance(name, str) else ""
    problem = "" if known else "The call does not name a tool."
    if isinstance(arguments, str):
        try:
            arguments = load(arguments) if arguments.strip() else {}
        except BadReply:
            arguments = None
    if not isinstance(arguments, dict):
        problem = problem or "The arguments are not a JSON object."
        arguments = {}
    return ToolCall(uuid.uuid4().hex[:9], known, arguments, problem)


def load(raw: bytes | str) -> Json:
    """Return the JSON object in there; raises `BadReply` for anything else."""
    try:
        data = _decoder.decode(raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw)
    except (ValueError, RecursionError):
        raise BadReply("The model's server answered with something that is not JSON.") from None
    _refuse_odd(data)
    if not isinstance(data, dict):
        raise BadReply("The model's server answered with JSON that is no object.")
    return data


def _refuse_odd(data: object) -> None:
    """Raise `BadReply` for values that parse but do harm later: too deep, endless, not text."""
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                deeper += [*value, *value.values()]
            elif isinstance(value, list):
                deeper += value
            elif not _sound(value):
                raise BadReply("The model's reply holds a number or text that cannot be stored.")
        level = deeper
        if not level:
            return
    raise BadReply("The model's reply is nested too deeply.")


def _sound(value: object) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 2**63
