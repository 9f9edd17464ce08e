"""Holds a run against its cast: screens, state, secrets, raw formats, model calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.mind.answers import Answers
from bench.mind.cast import END, Cast, kind_of
from bench.mind.stage import Shown, by

Json = dict[str, Any]
RAW = {
    "tool call in text": r"<\|?/?tool_|\[/?TOOL|<function|\btool_calls?\b",
    "JSON": r'[({]\s*"\w+"\s*:|"arguments"',
    "call as code": r"\b(?:say|emote|whisper|give|move|take)\([^)]*[=\"]",
    "fence": r"```",
    "thought": r"</?think",
    "Markdown": r"\*\*|(?<!\w)\*\w[^*]*\*|^#+ |says, \"- ",
    "handle": r"\b[pox]\d{1,2}\b",
    "prompt": r"## (?:Answer|Who|What|Now|Your)|\bas an AI\b|language model",
}
"""What no character says."""
_QUESTION = re.compile(r"[^.!?]*\?")


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one expectation: empty `wrong` where it holds."""

    name: str
    tags: tuple[str, ...]
    wrong: tuple[str, ...]


class Checker:
    """Knows what was shown, what was asked, and how things stood at which step."""

    def __init__(
        self,
        cast: Cast,
        shown: Sequence[Shown],
        states: Mapping[str, Json],
        answers: Answers | None,
    ) -> None:
        self._cast, self._shown, self._states = cast, shown, states
        self._answers = answers
        self._steps = {step.id: number for number, step in enumerate(cast.steps, 1)}
        self._steps[END] = len(cast.steps) + 1
        self._minds = tuple(states[END]["minds"])

    def findings(self) -> list[Finding]:
        """Check every expectation of the cast."""
        return [
            Finding(
                one.get("name", _short(one)), tuple(one.get("tags", ())), tuple(self._wrong(one))
            )
            for one in self._cast.expect
        ]

    def leaks(self) -> list[str]:
        """Return secrets on screens of others, and in what minds hold as known to all."""
        found = []
        for word, allowed in self._cast.secrets.items():
            pattern = re.compile(re.escape(word), re.IGNORECASE)
            found += [
                f"step {one.step}, screen of {one.player}: {one.text}"
                for one in self._shown
                if one.player not in allowed and pattern.search(one.text)
            ]
            found += [
                f"{name} holds as open: {text}"
                for name, mind in self._states[END]["minds"].items()
                for text in _open_texts(mind)
                if pattern.search(text)
            ]
        return found

    def raw(self) -> list[str]:
        """Return what assistants said that only a machine says."""
        patterns = {**RAW, "doubled name": "|".join(rf'^{n} \w+[,:] "?{n} ' for n in self._minds)}
        lines = {(one.step, one.text) for one in self._shown if by(one.text, self._minds)}
        found = [
            (step, text, [kind for kind, pattern in patterns.items() if re.search(pattern, text)])
            for step, text in sorted(lines)
        ]
        return [f"step {step}, {', '.join(kinds)}: {text}" for step, text, kinds in found if kinds]

    def _wrong(self, one: Json) -> Iterator[str]:
        kind = kind_of(one)
        if kind == "any":
            attempts = [list(self._wrong(choice)) for choice in one["any"]]
            if all(attempts):
                yield " / ".join(attempt[0] for attempt in attempts)
            return
        yield from getattr(self, f"_{kind}")(one)

    def _screen(self, one: Json) -> Iterator[str]:
        lines = list(self._lines(one))
        told = "\n".join(lines)
        for pattern in one.get("must", ()):
            if not re.search(pattern, told, re.IGNORECASE):
                yield f"{pattern!r} is not on the screen of {one['screen']}: {told[:300]!r}"
        for pattern in one.get("must_not", ()):
            yield from _found(pattern, lines)
        for pattern in one.get("not_asked", ()):
            yield from _found(pattern, _QUESTION.findall(told))

    def _lines(self, one: Json) -> Iterator[str]:
        after = self._steps[str(one.get("after", self._cast.steps[0].id))]
        until = self._steps[str(one["until"])] if "until" in one else after
        for line in self._shown:
            there = after <= line.step <= until and one["screen"] in ("*", line.player)
            if there and by(line.text, (one.get("by", ""),)):
                yield line.text

    def _object(self, one: Json) -> Iterator[str]:
        places = [
            thing["at"] for thing in self._state(one)["objects"] if thing["name"] == one["object"]
        ]
        if one["at"] not in places:
            yield f"{one['object']} is at {places}, not at {one['at']}"

    def _mind(self, one: Json) -> Iterator[str]:
        mind = self._state(one)["minds"][one["mind"]]
        part, about = one["part"], one.get("about")
        if part == "feeling":
            yield from _feels(mind["profile"].get(about, {}), one)
            return
        text = json.dumps(_part(mind, part, about), ensure_ascii=False, default=str)
        for pattern in one.get("must", ()):
            if not re.search(pattern, text, re.IGNORECASE):
                yield f"{pattern!r} is not in {part} of {one['mind']}: {text[:300]}"
        for pattern in one.get("must_not", ()):
            yield from _found(pattern, [text])

    def _calls(self, one: Json) -> Iterator[str]:
        if self._answers is None:
            return
        count = self._answers.during(self._steps[one["calls"]])
        if count > one["most"]:
            yield f"{count} model calls, at most {one['most']}"

    def _state(self, one: Json) -> Json:
        return self._states[str(one.get("when", END))]


def _part(mind: Json, part: str, about: str | None) -> Any:
    if part == "profile":
        people = mind["profile"]
        some = {about: people.get(about, {})} if about else people
        return [[one.get("attributes"), one.get("observations")] for one in some.values()]
    if part == "promises":
        return [one for one in mind["promises"] if about in (None, one["to"])]
    return mind if part == "all" else mind[part]


def _feels(profile: Json, one: Json) -> Iterator[str]:
    felt = float((profile.get("relationship") or {}).get("favorability", 0.0))
    if not one.get("at_least", -1.0) <= felt <= one.get("at_most", 1.0):
        yield f"favorability is {felt:.2f}"


def _open_texts(part: Any) -> Iterator[str]:
    """Yield the texts of every stored item that is labelled as open, whatever its shape."""
    if isinstance(part, dict):
        if part.get("readers") == "*":
            yield json.dumps(
                {key: value for key, value in part.items() if not isinstance(value, dict | list)},
                ensure_ascii=False,
                default=str,
            )
        for value in part.values():
            yield from _open_texts(value)
    elif isinstance(part, list):
        for value in part:
            yield from _open_texts(value)


def _found(pattern: str, texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            start = max(0, found.start() - 60)
            yield f"{pattern!r} stands in: {text[start : found.end() + 60]}"


def _short(one: Json) -> str:
    return " ".join(f"{key}={value}" for key, value in one.items() if key != "tags")[:80]
