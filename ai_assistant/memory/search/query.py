"""Queries, taken apart: whom they name, when that was, and which words tell what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.times import DAY
from ai_assistant.language.named_days import NamedDay, named_day
from ai_assistant.language.words import asks_for_a_time, owners, stem, stem_set, stems, words
from ai_assistant.memory.search.corpus import Bools, Floats, View
from ai_assistant.memory.search.when_in_story import InStory, when_told

FADES_IN = 10.0
"""Days after which a memory is not close to a day any more: people tell things later."""


@dataclass(frozen=True, slots=True)
class Now:
    """When something is asked."""

    at: float
    """In seconds since the epoch."""
    story: StoryNow | None = None
    """The story within which it is asked; None for none."""

    def days_since(self, view: View) -> Floats:
        """Return how many days each row lies back: of the story's own rows, days of the story."""
        days: Floats = np.maximum(0.0, self.at - view.column("at")) / DAY
        if self.story is None:
            return days
        passed = np.maximum(0, self.story.day - view.column("day"))
        return np.where(view.of_session(self.story.session), passed, days)


@dataclass(frozen=True, slots=True)
class Query:
    """A query, taken apart."""

    stems: tuple[str, ...]
    """Its stems, without those of names and of the words that name a time."""
    speakers: tuple[int, ...]
    """The numbers of all speakers whom it names."""
    subjects: tuple[int, ...]
    """Those named first, mostly the subject: "What did Ann think of Bob's hat?"."""
    names: tuple[str, ...]
    """The stems of the names."""
    day: NamedDay | None
    """The day that it names; None where it names none, or one of a story."""
    asks_time: bool
    """Does it ask when something was?"""
    around: tuple[str, ...] = ()
    """Stems of what was said before it."""
    within: Bools | None = None
    """The rows of the time that it names in a story; None where it names none."""
    there: Bools | None = None
    """The rows of the place that it names in a story; None where it names none."""
    is_past: bool = False
    """Is that time of the story over?"""

    @property
    def of_the_past(self) -> bool:
        """Does it ask how things were on another day, and not how they are?"""
        return self.is_past or (self.day is not None and self.day.ago != 0)


def take_apart(
    text: str,
    view: View,
    parts: Sequence[Sequence[str]],
    story: StoryNow | None = None,
    around: str = "",
) -> Query:
    """Return what a question asks of the rows in view; `parts` are those of all names by number."""
    known = view.once("people", lambda: _people(view, parts))
    named: dict[str, str] = {}
    for word in dict.fromkeys(words(text)):
        name = next((name for name in (word, *owners(word)) if name in known), "")
        if name:
            named[word] = name
    numbers = [known[name] for name in named.values()]
    roots = {stem(word) for word in named}
    told = when_told(text, view, story) if story else InStory(text)
    stated = tuple(
        root for root in stems(told.rest) if root not in roots and root not in told.stems
    )
    return Query(
        stems=stated,
        speakers=tuple({number for some in numbers for number in some}),
        subjects=tuple(next(iter(numbers), ())),
        names=tuple(map(stem, named.values())),
        day=named_day(text) if told.within is None else None,
        asks_time=asks_for_a_time(text),
        around=tuple(sorted(stem_set(around).difference(stated, roots))),
        within=told.within,
        there=told.there,
        is_past=told.is_past,
    )


def _people(view: View, parts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return the numbers of those who spoke, by each part of a name."""
    known: dict[str, list[int]] = {}
    for number in view.speakers.tolist():
        for part in parts[number]:
            known.setdefault(part, []).append(number)
    return known


def closeness(named: NamedDay, times: Floats, now: float) -> Floats:
    """Return how close each time (seconds, UTC) is to the named day, from 0 to 1."""
    if named.ago is not None:
        return _near(times - (now - named.ago * DAY))
    if not named.day:
        return _in_month(times, named.month, named.year)
    if named.year:
        month = datetime(named.year, named.month, 1, tzinfo=UTC)
        return _near(times - (month + timedelta(days=named.day - 1)).timestamp())
    dates = times.astype("datetime64[s]")
    of_year = (dates - dates.astype("datetime64[Y]")).astype("timedelta64[D]").astype(float) + 1
    apart = np.abs(of_year - ((named.month - 1) * 30.44 + named.day))
    return _near(np.minimum(apart, 365.25 - apart) * DAY)


def _near(apart: Floats) -> Floats:
    near: Floats = np.clip(1 - np.abs(apart) / (FADES_IN * DAY), 0.0, 1.0)
    return near


def _in_month(times: Floats, month: int, year: int) -> Floats:
    """Return 1 within the month, and half of it in the days after, when it is told of."""
    dates = times.astype("datetime64[s]")
    months = dates.astype("datetime64[M]").astype(int)
    days = (dates - dates.astype("datetime64[M]")).astype("timedelta64[D]").astype(int)
    apart = months - (month - 1)
    apart = apart - (year - 1970) * 12 if year else apart % 12
    return np.where(apart == 0, 1.0, np.where((apart == 1) & (days < FADES_IN), 0.5, 0.0))
