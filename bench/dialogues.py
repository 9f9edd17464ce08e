"""Dialogues with questions that name their evidence, read from a file in the format of LoCoMo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ai_assistant.core.times import DAY

ADVERSARIAL = 5
"""Questions of this category have no evidence."""


@dataclass(frozen=True)
class Turn:
    """One line of a dialogue; `at` in seconds since the epoch, `shown` a picture's caption."""

    id: str
    speaker: str
    said: str
    shown: str
    session: str
    at: float

    @property
    def text(self) -> str:
        """What was said, and what was shown with it."""
        return f"{self.said} {self.shown}".strip()


@dataclass(frozen=True)
class Question:
    """A question, its answer, and the positions of the turns that give it."""

    text: str
    answer: str
    category: int
    evidence: frozenset[int]


@dataclass(frozen=True)
class Dialogue:
    """A dialogue over many sessions, with questions about it."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def end(self) -> float:
        """A day after the last line."""
        return max(turn.at for turn in self.turns) + DAY


def load(path: Path) -> list[Dialogue]:
    """Read the dialogues of a file."""
    return [_dialogue(one) for one in json.loads(path.read_text())]


def _dialogue(data: dict) -> Dialogue:
    turns = tuple(_turns(data["conversation"]))
    places = {turn.id: place for place, turn in enumerate(turns)}
    questions = []
    for one in data["qa"]:
        named = re.findall(r"D\d+:\d+", " ".join(one["evidence"]))
        evidence = frozenset(places[id] for id in named if id in places)
        if evidence and one["category"] != ADVERSARIAL:
            answer = str(one.get("answer", ""))
            questions.append(Question(one["question"], answer, one["category"], evidence))
    return Dialogue(data["sample_id"], turns, tuple(questions))


def _turns(conversation: dict) -> Iterator[Turn]:
    for session, lines in conversation.items():
        if not isinstance(lines, list):
            continue
        start = datetime.strptime(conversation[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")
        for number, line in enumerate(lines):
            said, shown = line["text"], line.get("blip_caption", "")
            at = start.replace(tzinfo=UTC).timestamp() + 30 * number
            yield Turn(line["dia_id"], line["speaker"], said, shown, session, at)
