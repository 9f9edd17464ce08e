"""What a model proposes as traits, held against the observations that it was shown.

A trait counts only with evidence that says so: most of its words, every name and every number in
it must stand there. An answer that covers too few of the observations is refused as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.contracts import Json
from ai_assistant.memory.lexicon import stems
from ai_assistant.memory.persona_guard import self_reference
from ai_assistant.text import clean

SUPPORT = 0.5
"""The share of a trait's words that its evidence must hold."""
MOST_LOSS = 0.5
"""The share of observations that an answer may leave out before it is refused."""
COVER = 0.33
"""The share of an observation's words that a trait must hold to stand for it."""
LONGEST = 200
MOST_TRAITS = 30
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"\b[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class Proposed:
    """A trait with the places of the observations that it rests on."""

    type: str
    value: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is left of an answer; `refused` says why nothing is, if so."""

    traits: tuple[Proposed, ...] = ()
    refused: str = ""


def read_proposal(text: str, observations: Sequence[Json], names: Sequence[str]) -> Proposal:
    """Return the traits of an answer that their evidence supports.

    Args:
        text: The answer: a JSON list of ``{"type", "value", "evidence": [id, …]}``.
        observations: What the model was shown; ids count from 1.
        names: The name of whom it is about, and that of the character.
    """
    items = json_list(text)
    if not items:
        return Proposal(refused="empty or not readable")
    found = [_read(one, observations, names) for one in items[:MOST_TRAITS]]
    traits = tuple(one for one in found if one is not None)
    covered = {number for one in traits for number in one.evidence}
    if len(covered) < (1 - MOST_LOSS) * len(observations):
        return Proposal(refused=f"only {len(covered)} of {len(observations)} notes kept")
    return Proposal(traits)


def json_list(text: str) -> list[Json]:
    """Return the first JSON list of objects in an answer, whatever stands around it."""
    start, end = text.find("["), text.rfind("]")
    try:
        found = json.loads(text[start : end + 1]) if 0 <= start < end else []
    except ValueError:
        return []
    return [one for one in found if isinstance(one, dict)]


def _read(item: Json, observations: Sequence[Json], names: Sequence[str]) -> Proposed | None:
    value = clean(item.get("value") or "", LONGEST)
    given = item.get("evidence")
    ids = given if isinstance(given, list) else []
    places = tuple(
        dict.fromkeys(one - 1 for one in ids if type(one) is int and 1 <= one <= len(observations))
    )
    if not value or self_reference(value, names[1:]):
        return None
    places = tuple(one for one in places if _covers(value, observations[one]["content"]))
    said = " ".join(observations[place]["content"] for place in places)
    if not places or not is_supported(value, said, names[:1]):
        return None
    return Proposed(clean(item.get("type") or "", 40).lower(), value, places)


def _covers(value: str, content: str) -> bool:
    """Does a trait still hold so much of an observation that this one may be used up?"""
    noted = set(stems(content))
    return len(noted & set(stems(value))) >= COVER * len(noted)


def is_supported(value: str, said: str, names: Sequence[str] = ()) -> bool:
    """Does `said` hold most of the words of `value`, and each of its numbers and names?"""
    known = {*stems(said), *stems(" ".join(names))}
    words = set(stems(value)) - set(stems(" ".join(names)))
    if not words or len(words & known) < SUPPORT * len(words):
        return False
    if set(_NUMBER.findall(value)) - set(_NUMBER.findall(said)):
        return False
    called = {one.lower() for one in _NAME.findall(value[1:])}
    there = " ".join((said, *names)).lower()
    return all(one in there for one in called)
