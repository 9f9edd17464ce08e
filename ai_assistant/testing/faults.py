"""What the fake server answers: a script, a rule for when it is used up, and every kind of fault.

A step of a script is a dictionary with one of

    {"say": text}                 speak: plain text, which is heard the way it was asked
    {"call": tool, "args": {…}}   one tool call;  {"calls": [[tool, {…}], …]} several
    {"fault": name, …}            one of `FAULTS`, or a status such as "429", with its options
    {"echo": true}                say the whole prompt

and optionally `when` (only if the text to answer contains this), `assistant` (only if the system
messages do), `latency` (seconds) and `times` (how often it is used; 1).
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.prompts import load_prompt

_TOOL_LINE = re.compile(r"^- (\w+)\(", re.MULTILINE)
_LINE = re.compile(r"^[^\n:]{1,80}: (.+)$", re.MULTILINE)
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """Bytes for the wire."""

    body: bytes
    """What is sent each time."""
    status: int = 200
    """The HTTP status; 0 hangs up without a byte."""
    headers: dict[str, str] = field(default_factory=dict)
    """Sent beside the usual ones."""
    delay: float = 0.0
    """Seconds before the first byte; `inf`: it never comes."""
    drip: float = 0.0
    """Seconds between two bytes; 0 sends all at once."""
    times: int = 1
    """How often the body is sent, one after the other."""
    cut: bool = False
    """Break off in the middle of the body."""


class Asked:
    """A chat-completions request, and what a reply needs to know of it."""

    def __init__(self, body: Json) -> None:
        self.model = str(body.get("model", ""))
        self.messages: list[Json] = body.get("messages", [])
        self.native = bool(body.get("tools"))
        self.system = "\n".join(self._contents("system"))
        native = [str(tool["function"]["name"]) for tool in body.get("tools", [])]
        self.tools = native or _TOOL_LINE.findall(self.system)

    def _contents(self, role: str) -> list[str]:
        return [str(m.get("content") or "") for m in self.messages if m.get("role") == role]

    @property
    def prompt(self) -> str:
        """Everything that was sent, for leak tests."""
        return "\n".join(str(message.get("content") or "") for message in self.messages)

    @property
    def question(self) -> str:
        """What is to be answered: the last paragraph of the last user message."""
        return (self._contents("user") or [""])[-1].rpartition("\n\n")[2]

    @property
    def may_pass(self) -> bool:
        """Is it about nothing but what was perhaps said to somebody else?"""
        return self.question.endswith(load_prompt("perhaps"))

    @property
    def heard(self) -> str:
        """What somebody said last, without their name, shortened."""
        lines = _LINE.findall(self.question)
        return lines[-1][:60] if lines else ""

    def text(self, text: str, **message: Any) -> HttpAnswer:
        """Answer with plain text."""
        return self.reply({"role": "assistant", "content": text, **message}, "stop")

    def calls(
        self, calls: Iterable[tuple[str, Any]], *, text: str | None = None, prefix: str = ""
    ) -> HttpAnswer:
        """Answer with tool calls, words beside them; as JSON in text where none were offered.

        `prefix` begins ids that count from one; without it no id comes twice.
        """
        calls = list(calls)
        if not self.native:
            rows = [json.dumps({"tool": name, "arguments": given}) for name, given in calls]
            return self.text("\n".join([text, *rows] if text else rows))
        wired = [
            {
                "id": f"{prefix}{number}" if prefix else f"call_{next(_numbers)}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for number, (name, given) in enumerate(calls, 1)
        ]
        message = {"role": "assistant", "content": text, "tool_calls": wired}
        return self.reply(message, "tool_calls")

    def reply(self, message: Json, finish: str) -> HttpAnswer:
        """Wrap a message as a chat completion with its usage."""
        sent, prompt = len(json.dumps(message)) // 4, len(self.prompt) // 4 + 1
        completion = {
            "id": f"fake-{next(_numbers)}",
            "object": "chat.completion",
            "created": 0,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": sent,
                "total_tokens": prompt + sent,
            },
        }
        return HttpAnswer(json.dumps(completion).encode())


def status(
    code: int,
    *,
    retry_after: float | None = None,
    location: str = "",
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    """Answer with an error status."""
    headers = {**(headers or {})}
    if retry_after is not None:
        headers["Retry-After"] = f"{retry_after}"
    if location:
        headers["Location"] = location
    error = {"error": {"message": f"fake status {code}", "type": "fake", "code": None}}
    return HttpAnswer(json.dumps(error).encode(), code, headers)


def _some_call(asked: Asked, arguments: Any) -> HttpAnswer:
    return asked.calls([((asked.tools or ["say"])[0], arguments)])


Fault = Callable[..., HttpAnswer]
FAULTS: dict[str, Fault] = {
    "bad_arguments": lambda asked: _some_call(asked, '{"text": '),
    "cut": lambda asked: replace(asked.text("This is never heard to its end."), cut=True),
    "drop": lambda asked: HttpAnswer(b"", status=0),
    "drip": lambda asked, seconds=0.05: replace(asked.text("So slow."), drip=seconds),
    "empty": lambda asked: asked.text(""),
    "gzip": lambda asked: replace(asked.text("?"), headers={"Content-Encoding": "gzip"}),
    "hang": lambda asked: replace(asked.text(""), delay=math.inf),
    "html": lambda asked: HttpAnswer(b"<html><body>Bad gateway</body></html>"),
    "huge": lambda asked, bytes=2_000_000, status=200: HttpAnswer(
        b" " * 50_000, status, times=bytes // 50_000 + 1
    ),
    "latency": lambda asked, seconds=1.0: replace(asked.text("At last."), delay=seconds),
    "malformed": lambda asked: HttpAnswer(b'{"choices": [{"message": {"content": "Hel'),
    "many_calls": lambda asked, n=500: asked.calls([("say", {"text": "Again!"})] * n),
    "raw": lambda asked, body="": HttpAnswer(body.encode("utf-8", "surrogatepass")),
    "redirect": lambda asked, location="/elsewhere": status(307, location=location),
    "thinking": lambda asked: asked.text("<think>I had better say nothing at"),
    "unknown_tool": lambda asked: asked.calls([("launch_rockets", {"reasoning": "Why not?"})]),
    "wrong_types": lambda asked: _some_call(asked, {"reasoning": 5, "text": ["no", {"text": 1}]}),
}
_OPTIONS = frozenset({"when", "assistant", "latency", "times"})
_ACTIONS = frozenset({"say", "call", "calls", "fault", "echo"})


class Script:
    """Steps to play, in order; each request takes the first one that fits. Thread-safe."""

    def __init__(self, faults: Collection[str] = ()) -> None:
        """`faults` are names of further faults, which whoever takes the steps plays."""
        self._faults = {*FAULTS, *faults}
        self._steps: list[Json] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, *steps: Json) -> None:
        """Append steps; raises ValueError for one that could not be played."""
        for step in steps:
            if len(_ACTIONS & step.keys()) != 1:
                raise ValueError(f"A step needs one of {', '.join(sorted(_ACTIONS))}: {step}")
            fault = str(step.get("fault", "500"))
            if fault not in self._faults and not fault.isdecimal():
                known = ", ".join(sorted(self._faults))
                raise ValueError(f"No fault {fault!r}; there are {known} and statuses.")
        with self._lock:
            self._steps += [dict(step) for step in steps]

    def clear(self) -> None:
        """Forget all steps."""
        with self._lock:
            self._steps.clear()

    def take(self, asked: Asked) -> Json | None:
        """Return the first step that fits the request, used up by one; None where none does."""
        with self._lock:
            for number, step in enumerate(self._steps):
                if step.get("when", "") in asked.question and (
                    step.get("assistant", "") in asked.system
                ):
                    step["times"] = step.get("times", 1) - 1
                    if step["times"] < 1:
                        del self._steps[number]
                    return step
        return None


def play(step: Json, asked: Asked) -> HttpAnswer:
    """Return the answer that a step of a script stands for."""
    if "fault" in step:
        given = {name: step[name] for name in step.keys() - _OPTIONS - _ACTIONS}
        name = str(step["fault"])
        answer = FAULTS[name](asked, **given) if name in FAULTS else status(int(name), **given)
    elif "call" in step:
        answer = asked.calls([(step["call"], step.get("args", {}))])
    elif "calls" in step:
        answer = asked.calls([(name, given) for name, given in step["calls"]])
    else:
        answer = asked.text(asked.prompt if "echo" in step else step["say"])
    return replace(answer, delay=answer.delay + step.get("latency", 0.0))
