"""The folder in which somebody answers requests by hand: what lies in it, and how it is written.

0001.request.json   the exact body
0001.request.txt    the same for reading
0001.reply.txt      the answer, written by somebody: plain text is words
0001.reply.json     or `{"text": …, "calls": [{"name": …, "arguments": {…}}]}`,
                    `{"raw": {a whole message}}`, `{"error": 500}` or `{"error": "timeout"}`
0001.problem.txt    why that reply could not be taken
0001.answer.json    what was sent in the end: `{"body": {…}}` or `{"error": 500}`, with the
                    `seconds` that it took, or `"replayed": true` from another box; else
                    `{"closed": "timeout"}`, `{"closed": "gone"}` where nobody answered
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import deque
from pathlib import Path
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.testing.by_hand_text import readable
from ai_assistant.testing.faults import FAULTS, Asked, HttpAnswer, play

SETTLED = 0.3
"""Seconds for which a reply must have stood still before it counts as whole."""
_NUMBER = re.compile(r"(\d+)\.request\.json")


class Box:
    """One folder of requests and answers: one process lays down, any number may answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def numbers(self) -> list[str]:
        """Return the numbers of all requests, oldest first."""
        found = (_NUMBER.fullmatch(path.name) for path in self.folder.iterdir())
        return sorted((hit[1] for hit in found if hit), key=int)

    def under_way(self) -> list[str]:
        """Return the numbers of those of which nothing has become yet."""
        return self._without("answer.json")

    def waiting(self) -> list[str]:
        """Return the numbers of those that nobody has answered yet."""
        return self._without("answer.json", "reply.json", "reply.txt")

    def _without(self, *ends: str) -> list[str]:
        there = {path.name for path in self.folder.iterdir()}
        numbers = self.numbers()
        return [nr for nr in numbers if there.isdisjoint(f"{nr}.{end}" for end in ends)]

    def lay(self, body: Json) -> str:
        """Lay a request into the folder; returns its number."""
        last = self.numbers()[-1:] or ["0"]
        number = f"{int(last[0]) + 1:04}"
        self._write(f"{number}.request.txt", readable(number, body))
        self._write(f"{number}.request.json", json.dumps(body, ensure_ascii=False, indent=1))
        return number

    def close(self, number: str, record: Json) -> None:
        """Keep what became of a request."""
        self._write(f"{number}.answer.json", json.dumps(record, ensure_ascii=False, indent=1))

    def text(self, number: str) -> str:
        """Return a request as it reads."""
        return (self.folder / f"{number}.request.txt").read_text("utf-8")

    def request(self, number: str) -> Json:
        """Return the body of a request."""
        return _object((self.folder / f"{number}.request.json").read_text("utf-8"))

    def record(self, number: str) -> Json | None:
        """Return what became of a request; None while it waits."""
        path = self.folder / f"{number}.answer.json"
        return _object(path.read_text("utf-8")) if path.exists() else None

    def write_reply(self, number: str, reply: str | Json) -> None:
        """Answer: words, or a reply as an object; the zeros before a number may be left out.

        Raises ValueError for a reply that says nothing, or to a request that does not wait.
        """
        number = f"{number:0>4}"
        if number not in self.under_way():
            raise ValueError(f"request {number} does not wait for a reply")
        if reply == "":  # silence; an empty file is one that somebody just began
            reply = {"text": ""}
        if isinstance(reply, str):
            self._write(f"{number}.reply.txt", reply, whole=True)
            return
        answer_of(number, reply, Asked(self.request(number)))
        words = json.dumps(reply, ensure_ascii=False, indent=1)
        self._write(f"{number}.reply.json", words, whole=True)

    def take(self, number: str) -> str | Json | None:
        """Return the reply to a request, once it is whole; None as long as there is none.

        A reply that cannot be taken is told of in `problem.txt`, until it is mended.
        """
        for path in (self.folder / f"{number}.reply.{end}" for end in ("json", "txt")):
            if not path.exists() or not _settled(path):
                continue
            words = path.read_text("utf-8").strip("\n")
            try:
                reply = _object(words) if path.suffix == ".json" else words
                answer_of(number, reply, Asked({}))
            except (ValueError, TypeError, KeyError) as error:
                self._write(f"{number}.problem.txt", f"{path.name}: {error}\n")
                continue
            (self.folder / f"{number}.problem.txt").unlink(missing_ok=True)
            return reply
        return None

    def _write(self, name: str, text: str, *, whole: bool = False) -> None:
        """Write a file in one step; one that is `whole` need not stand still to be taken."""
        part = self.folder / f".{name}.part"
        part.write_text(text, "utf-8")
        if whole:
            settled = time.time() - SETTLED
            os.utime(part, (settled, settled))
        part.replace(self.folder / name)


class Kept:
    """The answers of a box that was answered before, by the request's exact body."""

    def __init__(self, box: Box) -> None:
        self._records: dict[str, deque[Json]] = {}
        for number in box.numbers():
            record = box.record(number)
            if record and "closed" not in record:
                key = fingerprint(box.request(number))
                self._records.setdefault(key, deque()).append(record)

    def take(self, body: Json) -> Json | None:
        """Return the next answer to such a request; the last one stands for all that follow."""
        records = self._records.get(fingerprint(body))
        if not records:
            return None
        return records.popleft() if len(records) > 1 else records[0]


def answer_of(number: str, reply: str | Json, asked: Asked) -> HttpAnswer:
    """Return what goes over the wire for a reply; raises ValueError where it says nothing."""
    if isinstance(reply, str):
        return asked.text(reply)
    if "error" in reply:
        return _fault(reply["error"], asked)
    if "raw" in reply:
        message = {"role": "assistant", **reply["raw"]}
        return asked.reply(message, "tool_calls" if message.get("tool_calls") else "stop")
    unknown = reply.keys() - {"text", "calls"}
    if unknown or not reply:
        raise ValueError(f"A reply has text, calls, raw or error, not {sorted(unknown)}.")
    calls = [(str(call["name"]), call.get("arguments", {})) for call in reply.get("calls", [])]
    if not calls:
        return asked.text(str(reply["text"]))
    return asked.calls(calls, text=reply.get("text"), prefix=f"call_{number}_")


def _fault(name: Any, asked: Asked) -> HttpAnswer:
    fault = "hang" if name == "timeout" else str(name)
    if fault not in FAULTS and not (fault.isdecimal() and 400 <= int(fault) <= 599):
        known = ", ".join(["timeout", *sorted(FAULTS)])
        raise ValueError(f"No error {name!r}; there are {known} and statuses.")
    return play({"fault": fault}, asked)


def _object(text: str) -> Json:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("This is not an object.")
    return value


def _settled(path: Path) -> bool:
    stat = path.stat()
    return bool(stat.st_size) and time.time() - stat.st_mtime >= SETTLED
