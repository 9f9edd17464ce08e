"""Queries, taken apart: whom they name, which day, and which words tell what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.language.named_days import NamedDay, named_day
from ai_assistant.language.words import asks_for_a_time, is_common, owners, stem, stems, words
from ai_assistant.memory.search.corpus import View


@dataclass(frozen=True, slots=True)
class Query:
    """A query, taken apart: its stems without the names, and the day that it names.

    Named speakers are there by number, and their names by stem. The one named first is mostly the
    subject: "What did Ann think of Bob's hat?"
    """

    stems: tuple[str, ...]
    speakers: tuple[int, ...] = ()
    subjects: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    day: NamedDay | None = None
    asks_time: bool = False

    @property
    def of_the_past(self) -> bool:
        """Does it ask how things were on another day, and not how they are?"""
        return self.day is not None and self.day.ago != 0


def take_apart(text: str, view: View, parts: Sequence[Sequence[str]]) -> Query:
    """Return what a question asks of the rows in view; `parts` are those of all names by number."""
    known: dict[str, list[int]] = view.once("people", lambda: _people(view, parts))
    named = {word: name for word in words(text) if (name := _name(word, known))}
    numbers = [known[name] for name in named.values()]
    owners = {stem(word) for word in named}
    return Query(
        stems=tuple(root for root in stems(text) if root not in owners),
        speakers=tuple({number for some in numbers for number in some}),
        subjects=tuple(next(iter(numbers), ())),
        names=tuple(map(stem, named.values())),
        day=named_day(text),
        asks_time=asks_for_a_time(text),
    )


def name_parts(name: str) -> tuple[str, ...]:
    """Return the words of a name by which its bearer is meant."""
    return tuple(part for part in words(name) if not is_common(part))


def _people(view: View, parts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return who spoke, by each part of a name."""
    known: dict[str, list[int]] = {}
    for number in view.speakers.tolist():
        for part in parts[number]:
            known.setdefault(part, []).append(number)
    return known


def _name(word: str, known: Mapping[str, object]) -> str:
    """Return the name that a word is, as it is or with the ending of an owner; else empty."""
    if word in known:
        return word
    return next((owner for owner in owners(word) if owner in known), "")
