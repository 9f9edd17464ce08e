"""What the endpoint answered, as it lies in the box: pieces of speech, and what became of each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from ai_assistant.testing.box import Box
from ai_assistant.testing.by_hand_text import tokens_about
from bench.mind.stage import Shown, by

Json = dict[str, Any]
SPEECH = frozenset({"say", "whisper", "page", "channel_say", "emote"})
"""Tools whose `text` is for other eyes."""
ACTS = SPEECH | {"move", "look", "give", "take"}
"""A request that offers one of these is a turn; others are jobs, whose text is not speech."""
ENOUGH = 0.8
"""So much of a piece has to stand on a screen for it to count as spoken."""
LATER = 2
"""A piece may be spoken some steps after it was answered."""
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_INSIDE = re.compile(r'"(?:text|says)"\s*:\s*"((?:[^"\\]|\\.)*)"|\btext\s*=\s*"((?:[^"\\]|\\.)*)"')
_CODE = re.compile(r"\s*(?:[\[{]|<\w|```|\w+\()")
_NOT_SAID = re.compile(r"not said\b.*", re.IGNORECASE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that the endpoint meant for somebody. `call` is the id of the call they were in."""

    number: str
    step: int
    text: str
    call: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """A piece that came to no screen, and the reason that is on record, if there is one."""

    piece: Piece
    reason: str


class Answers:
    """All requests of a run. `steps` tells during which step each was laid down."""

    def __init__(self, box: Box, steps: Mapping[str, int]) -> None:
        self._steps = steps
        self.requests = {number: box.request(number) for number in box.numbers()}
        self.records = {number: box.record(number) or {} for number in self.requests}

    def figures(self) -> Json:
        """Count requests and tokens, and answers that never came."""
        sizes = [_size(body) for body in self.requests.values()]
        return {
            "requests": len(sizes),
            "turn_requests": sum(map(_is_turn, self.requests.values())),
            "tokens_sent": sum(sizes),
            "largest_request": max(sizes, default=0),
            "unanswered_requests": sum("body" not in one for one in self.records.values()),
        }

    def during(self, step: int) -> int:
        """Return how many requests there were during a step."""
        return sum(1 for number in self.requests if self._steps.get(number) == step)

    def pieces(self) -> Iterator[Piece]:
        """Yield everything that was meant to be heard or seen, oldest first."""
        for number, body in self.requests.items():
            message = _message(self.records[number])
            if not _is_turn(body) or not message:
                continue
            step = self._steps.get(number, 0)
            for text in _spoken(str(message.get("content") or "")):
                yield Piece(number, step, text)
            for call in message.get("tool_calls") or ():
                function = call.get("function") or {}
                if function.get("name") in SPEECH:
                    for text in _texts(function.get("arguments")):
                        yield Piece(number, step, text, str(call.get("id", "")))

    def lost(
        self, shown: Sequence[Shown], minds: Sequence[str], audit: Sequence[Json]
    ) -> list[Lost]:
        """Return the pieces that came to no screen."""
        found = []
        for piece in self.pieces():
            lines = [
                one.text
                for one in shown
                if piece.step <= one.step <= piece.step + LATER and by(one.text, minds)
            ]
            if share(piece.text, lines) < ENOUGH:
                found.append(Lost(piece, self._reason(piece, audit)))
        return found

    def _reason(self, piece: Piece, audit: Sequence[Json]) -> str:
        told = (_told(piece, body.get("messages", ())) for body in self.requests.values())
        return next(filter(None, told), "") or _on_record(piece, audit)


def _told(piece: Piece, messages: Sequence[Json]) -> str:
    """Return what the model was told of a piece that was not said, in a later request."""
    spoken = False
    for message in messages:
        content = str(message.get("content") or "")
        if message.get("role") == "assistant":
            spoken = not piece.call and content.strip() == piece.text
        elif piece.call and message.get("tool_call_id") == piece.call:
            return _refusal(content)
        elif spoken and (found := _NOT_SAID.search(content)):
            return found[0]
    return ""


def _on_record(piece: Piece, audit: Sequence[Json]) -> str:
    """Return what the audit log says of a piece, or of the end of the turn that it was said in."""
    turns = set()
    for event in audit:
        if share(piece.text, [json.dumps(event["data"], ensure_ascii=False)]) >= ENOUGH:
            turns.add(event.get("turn"))
            if problem := _problem(event["data"]):
                return problem
    ends = (_problem(one["data"]) for one in audit if one.get("turn") in turns - {"", None})
    return next(filter(None, ends), "")


def share(text: str, lines: Sequence[str]) -> float:
    """Return how much of a text, by its words in order, stands in these lines."""
    wanted = _WORD.findall(text.lower())
    there = _WORD.findall("\n".join(lines).lower())
    if not wanted:
        return 1.0
    blocks = SequenceMatcher(None, wanted, there, autojunk=False).get_matching_blocks()
    least = min(2, len(wanted))
    return sum(block.size for block in blocks if block.size >= least) / len(wanted)


def _problem(data: Json) -> str:
    if data.get("answer"):
        return "answered another assistant"
    if data.get("success") is False:
        return str(data.get("error") or "refused")
    outcome = str(data.get("outcome", ""))
    return outcome if outcome.startswith(("dropped", "failed", "interrupted")) else ""


def _refusal(result: str) -> str:
    try:
        told = json.loads(result)
    except ValueError:
        return ""
    return "" if not isinstance(told, dict) or told.get("ok", True) else str(told.get("error"))


def _message(record: Json) -> Json:
    body = record.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    message: Json = choices[0].get("message") or {} if choices else {}
    return message


def _is_turn(body: Json) -> bool:
    names = {(tool.get("function") or {}).get("name") for tool in body.get("tools") or ()}
    return bool(names & ACTS)


def _size(body: Json) -> int:
    return tokens_about(body.get("messages") or "") + tokens_about(body.get("tools") or "")


def _spoken(content: str) -> Iterator[str]:
    """Yield the words of plain text; of what looks like code, only the texts inside."""
    content = _THOUGHT.sub("", content).strip()
    if not _CODE.match(content):
        yield from filter(None, [content])
        return
    for found in _INSIDE.finditer(content):
        yield found[1] or found[2]


def _texts(arguments: Any) -> Iterator[str]:
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return
    if isinstance(given, dict) and isinstance(given.get("text"), str):
        yield given["text"]
