"""Refinement: what a model is asked about a line after it was saved, and what of it is believed.

The rules' distribution stands already, so an answer with any fault in it is refused as a whole. A
model chooses among those who took part by the rules' default; it brings nobody in, and tells nobody
anything but in words of rows that this one has learnt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.model_json import answer_object
from ai_assistant.core.readers import OPEN, may_read
from ai_assistant.core.text import clean
from ai_assistant.language.talk_signs import denials
from ai_assistant.language.words import stem, without_articles, words
from ai_assistant.roleplay.knowledge import what_of
from ai_assistant.roleplay.participants import SPEAKER, Participant

MODEL = 0.85
LONGEST_KNOWLEDGE = 200


@dataclass(frozen=True, slots=True)
class Case:
    """A line as the World Agent shows it to a model."""

    session: str
    """Id of the scene."""
    event: str
    """Id of the line."""
    speaker: str
    """Id of whoever said it."""
    line: str
    """What was said."""
    readers: str
    """Who may know of it."""
    names: Mapping[str, str]
    """Display names by id."""
    bound: tuple[str, ...]
    """Participants by the rules, the speaker not among them."""
    sure: bool
    """Were the rules sure of them?"""
    keep: frozenset[str] = frozenset()
    """Those of them who answered, and so stay whatever is found."""
    learnt: Mapping[str, Sequence[MemoryRow]] = field(default_factory=dict)
    """The rows that each learnt with this line, by id."""
    recent: tuple[str, ...] = ()
    """The lines before it that its readers may know."""
    previous: tuple[str, ...] = ()
    """Who took part in those."""
    members: tuple[str, ...] = ()
    """Who plays in the scene."""

    def is_worth_asking(self) -> bool:
        """Is there anything that a model could make better?"""
        return (not self.sure and len(self.bound) > 1) or any(self.learnt.values())

    def shown(self, who: str) -> dict[int, str]:
        """Return what a model may phrase for that one, by number: what it and the line's readers
        may know.
        """
        rows = self.learnt.get(who, ())
        allowed = (row for row in rows if row.readers in (OPEN, self.readers))
        return {row.id: what_of(row) for row in allowed if may_read(who, row.readers)}

    def text(self) -> str:
        """Return it as the text of a request."""
        shown = {who: self.shown(who) for who in (self.speaker, *self.bound)}
        asked = {
            "speaker": self._named([self.speaker])[0],
            "line": self.line,
            "could_hear": self._named(self.bound),
            "recent": list(self.recent),
            "previous_participants": self._named(self.previous),
            "members": self._named(self.members),
            "learnt": {who: rows for who, rows in shown.items() if rows},
        }
        return json.dumps(asked, ensure_ascii=False)

    def _named(self, ids: Sequence[str]) -> list[Json]:
        return [{"id": who, "name": self.names.get(who, "")} for who in ids]


@dataclass(frozen=True, slots=True)
class Refinement:
    """What a model found: who took part, and what each participant's third section says."""

    participants: tuple[Participant, ...]
    """Who took part."""
    knowledge: Mapping[str, Sequence[str]]
    """What the third section of each says, by id."""


def read_refinement(text: str, case: Case) -> Refinement | None:
    """Return a model's answer; None where anything in it is unknown, unsupported or malformed."""
    given = answer_object(text)
    chosen, told = given.get("participants"), given.get("knowledge", [])
    are_texts = isinstance(chosen, list) and all(isinstance(who, str) for who in chosen)
    if not (are_texts and chosen and set(chosen) <= set(case.bound) and isinstance(told, list)):
        return None
    # what the rules were sure of stays; a model may only narrow their default
    stay = [who for who in case.bound if case.sure or who in {*chosen, *case.keep}]
    knowledge: dict[str, list[str]] = {}
    for phrased in told:
        who = phrased.get("who") if isinstance(phrased, dict) else None
        if who not in (case.speaker, *stay):
            return None
        phrase = _phrase(phrased, case.shown(who))
        if not phrase:
            return None
        knowledge.setdefault(who, []).append(phrase)
    found = [Participant(who, MODEL, "model") for who in stay]
    return Refinement((Participant(case.speaker, SPEAKER, "speaker"), *found), knowledge)


def _phrase(told: Json, known: Mapping[int, str]) -> str:
    sources, text = told.get("from"), told.get("text")
    if not (isinstance(text, str) and isinstance(sources, list) and sources):
        return ""
    if not all(type(source) is int and source in known for source in sources):
        return ""
    phrase = clean(text, LONGEST_KNOWLEDGE)
    return phrase if is_supported(phrase, [known[source] for source in sources]) else ""


def is_supported(phrase: str, sources: Sequence[str]) -> bool:
    """Is every word of a phrase one of its sources, but for articles?

    A source that denies something cannot be told without its denial.
    """
    said = set(map(stem, words(without_articles(phrase))))
    known = {stem(word) for source in sources for word in words(source)}
    denied = {denial for source in sources for denial in denials(source)}
    return bool(said) and said <= known and denied <= denials(phrase)
