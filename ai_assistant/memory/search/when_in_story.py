"""The time and the place in a story that a question names, as the rows of it that are meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.search_port import StoryNow
from ai_assistant.language.story_times import Side, StoryTime, story_time
from ai_assistant.language.words import stem_set, stems
from ai_assistant.memory.search.corpus import PERMANENT, Bools, Floats, Ints, View, among

STORY_DAY = "day"
"""What an update is the state of that tells only that a day of the story begins."""
_AT_WORDS = 3
"""Words with meaning behind "at" among which a place is looked for."""


@dataclass(frozen=True, slots=True)
class InStory:
    """What a question says of time and place."""

    rest: str
    """The question without the words that name days."""
    within: Bools | None = None
    """Which rows are of the time that it names; None where it names none."""
    there: Bools | None = None
    """Which rows are of the place that it names; None where it names none."""
    stems: frozenset[str] = frozenset()
    """The stems that named what it was before, behind or at."""
    is_past: bool = False
    """Is that time over?"""


def when_told(text: str, view: View, story: StoryNow) -> InStory:
    """Return what a question says of time and place, among the rows in view."""
    told = story_time(text, story.day)
    ours = view.of_session(story.session) & ((view.column("flags") & PERMANENT) == 0)
    within, past, used = _days(told, view), told.last is not None and told.last < story.day, []
    there: Bools | None = None
    beside = tuple(words for side, words in told.anchors if side != "at")
    for side, words in told.anchors:
        if side == "at" and any(of.endswith(words) for of in beside):
            continue  # "since our stay at the inn": where that was
        rows, named = _named_rows(side, words, view, ours)
        if not named:
            continue
        used += named
        if side == "at":
            there = rows
        elif within is None:
            within, past = _beside(side, rows, view), side != "since"
    if within is None and there is None:
        there = _spoken_of(told.rest, view, ours)
    return InStory(
        told.rest,
        None if within is None else within & ours,
        there,
        frozenset(used),
        past,
    )


def unlived(
    query: str, story: StoryNow, lived: Iterable[MemoryRow], in_sight: Collection[int] = ()
) -> str:
    """Return what is to be said of days that a question names and nobody lived; empty for nothing.

    `lived` are the memories that were found for it, `in_sight` the days of lines that are at hand.
    """
    told = story_time(query, story.day)
    if told.first is None or told.last is None:
        return ""
    days = f"day {told.last}" if told.first == told.last else f"days {told.first} to {told.last}"
    if told.first > story.day:
        return f"There was no {days} yet: it is day {story.day} of the story."
    if told.last < 1:
        return f"That was before the story began: it is day {story.day} of it."
    if any(told.first <= day <= told.last for day in in_sight):
        return ""
    for row in lived:
        if row.meta.get("state") == STORY_DAY:
            continue
        happened = row.meta.get("happened_day", row.game_day)
        days_of = {row.game_day, happened} if row.session == story.session else set()
        if any(told.first <= day <= told.last for day in days_of):
            return ""
    return f"You remember nothing of {days}: it is day {story.day} of the story."


def _days(told: StoryTime, view: View) -> Bools | None:
    if told.first is None or told.last is None:
        return None
    found = np.zeros(view.size, np.bool_)
    for name in ("day", "happened"):
        days = view.column(name)
        found |= (days >= told.first) & (days <= told.last)
    return found


def _named_rows(side: Side, words: str, view: View, ours: Bools) -> tuple[Bools, list[str]]:
    """Return the rows at the place that these words begin with, else those that tell of it.

    With them come the stems that name it; none where nothing is known of it.
    """
    known = stems(words)
    near = known[:_AT_WORDS] if side == "at" else known
    places, named = _places(view, near)
    rows = among(view.column("place"), places) & ours
    if rows.any():
        return rows, named
    return _telling(known, view, ours) if side != "at" else (rows, [])


def _telling(known: list[str], view: View, ours: Bools) -> tuple[Bools, list[str]]:
    """Return the rows that hold the longest run of these stems, and the run.

    It begins with the first that any row holds.
    """
    held = view.counts([(at, word, 1.0) for at, word in enumerate(known)], len(known))[0] > 0
    rows, run = np.zeros(view.size, np.bool_), list[str]()
    for word, holding in zip(known, held, strict=True):
        both = holding & (rows if run else ours)
        if both.any():
            rows, run = both, [*run, word]
        elif run:
            break
    return rows, run


def _places(view: View, known: list[str]) -> tuple[list[int], list[str]]:
    """Return the places whose names share most with some stems, and what they share."""
    shared = {
        number: [word for word in known if word in stem_set(name)]
        for name, number in view.places().items()
    }
    most = max(map(len, shared.values()), default=0)
    best = {number: words for number, words in shared.items() if most and len(words) == most}
    return list(best), sorted({word for words in best.values() for word in words})


def _spoken_of(text: str, view: View, ours: Bools) -> Bools | None:
    """Return the rows at places whose whole names a text holds; None for none.

    A name of everyday words alone ("Out There") is held by none.
    """
    said = stem_set(text)
    stems_of = ((stem_set(name), number) for name, number in view.places().items())
    named = [number for telling, number in stems_of if telling and telling <= said]
    rows = among(view.column("place"), named) & ours
    return rows if rows.any() else None


def _beside(side: Side, rows: Bools, view: View) -> Bools:
    """Return the rows that lie so beside these, in time."""
    at: Floats = view.column("at")
    day: Ints = view.column("day")
    found: Bools
    if side in ("since", "after"):
        found = at > at[rows].max()
    elif side in ("until", "before"):
        found = at < at[rows].min()
    else:
        found = day == (day[rows].max() + 1 if side == "day_after" else day[rows].min() - 1)
    return found
