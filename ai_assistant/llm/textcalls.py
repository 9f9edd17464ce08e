"""Tool calls as JSON: what is one, what it asks for, and what it would have been."""

from __future__ import annotations

import re
import uuid
from collections.abc import Container
from typing import Any

from ai_assistant.core.model_json import value_at
from ai_assistant.core.model_records import ToolCall

MAX_CALLS = 16
"""Tool calls that are read of one reply; the rest is dropped."""
NOTEBOOK = "memory"
"""The tool whose calls may stand anywhere beside words that are spoken."""
CUT = "The call breaks off before its end or is no JSON: make it again, whole."

_NAMES = ("tool", "name", "tool_name", "function", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "action_input", "tool_input", "input")
_INNER = ("function", "tool", "function_call", "tool_call")
_CALLS = ("tool_calls", "actions", "calls")
_WORDS = ("text", "response", "speech", "message", "content", "reply", "answer")
_FENCES = re.compile(r"\A```\w*|```\Z")
_BEGINS = re.compile(r"""[\[\s]*\{\s*["'\w]""")
_NAMED = re.compile(
    r"""["']?(?P<key>tool|tool_name|name|function)["']?\s*:\s*["'](?P<name>[^"'\\]{1,64})["']"""
    r"""(?P<more>\s*,\s*["']?(?:arguments|parameters|args)\b)?"""
)
_HEAD = 200


def calls_in(value: Any, offered: Container[str] = ()) -> tuple[ToolCall, ...]:
    """Return the tool calls that a JSON value is, all of them; nothing where it is no call."""
    if isinstance(value, dict):
        value = next((value[key] for key in _CALLS if isinstance(value.get(key), list)), value)
    items = value if isinstance(value, list) else [value]
    calls = [_call_in(item, offered) for item in items[: MAX_CALLS + 1]]
    found = tuple(call for call in calls if call is not None)
    return found if len(found) == len(calls) else ()


def broken_call(text: str, at: int, offered: Container[str] = ()) -> ToolCall | None:
    """Return the call that begins here and cannot be read, with its problem; None for words."""
    found = _NAMED.search(text, at, at + _HEAD) if _BEGINS.match(text, at) else None
    if found is None:
        return None
    known = found["key"] == "tool" or found["more"] or found["name"] in offered
    return call_of(found["name"], None) if known else None


def words_in(value: Any) -> str:
    """Return the words that a JSON object was put around, laid out like a play if it is one."""
    given = value if isinstance(value, dict) else {}
    texts = {key: text.strip() for key, text in given.items() if isinstance(text, str)}
    parts = [play_gesture(texts["emote"])] if "emote" in texts else []
    parts += [f"say: {texts['say']}"] if "say" in texts else []
    return "\n".join(parts) or next((texts[key] for key in _WORDS if key in texts), "")


def words_beside(value: Any) -> str:
    """Return the words that stand in one object with calls."""
    is_message = isinstance(value, dict) and any(key in value for key in _CALLS)
    return words_in(value) if is_message else ""


def play_gesture(words: str) -> str:
    """Return a gesture as it stands in a play: on one line, where its label reaches."""
    return f"emote: {' '.join(words.split())}"


def _call_in(value: Any, offered: Container[str]) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    value = next((value[key] for key in _INNER if isinstance(value.get(key), dict)), value)
    key = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    given = next((name for name in _ARGUMENTS if name in value and name != key), "")
    # a name is that of a tool, and not of somebody or something that is told of
    is_offered = key != "action" and value.get(key) in offered
    if value.get(key) == NOTEBOOK:
        is_offered = "action" in value
    if key and (given or key == "tool" or is_offered):
        flat = {name: held for name, held in value.items() if name != key and held != "function"}
        return call_of(value[key], value[given] or {} if given else flat)
    if len(value) == 1:
        ((name, arguments),) = value.items()
        if name in offered and isinstance(arguments, dict):
            return call_of(name, arguments)
    return None


def call_of(name: object, arguments: object) -> ToolCall:
    """Return a tool call under an id of our own, since a server's ids may repeat."""
    known = name.strip()[:64] if isinstance(name, str) else ""
    problem = "" if known else "The call does not name a tool."
    if isinstance(arguments, str):
        arguments = _read(arguments)
    if isinstance(arguments, list) and len(arguments) == 1:
        arguments = arguments[0]
    if not isinstance(arguments, dict):
        problem = problem or CUT
        arguments = {}
    return ToolCall(uuid.uuid4().hex[:9], known, arguments, problem)


def _read(text: str) -> Any:
    """Return what arguments are that are given as text, in a fence or as a text once more."""
    text = _FENCES.sub("", text.strip()).strip()
    if text in ("", "null", "None"):
        return {}
    found = value_at(f"[{text}]", 0)
    if found is None or found.end != len(text) + 2 or len(found.value) != 1:
        return None
    (value,) = found.value
    return _read(value) if isinstance(value, str) else value
