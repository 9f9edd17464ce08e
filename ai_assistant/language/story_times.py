"""When in a story something was, as a text says it: its days, or before and after something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from ai_assistant.language import Language, current_language, keeps_texts
from ai_assistant.language.named_days import days_back, number_of
from ai_assistant.language.words import plain

Side = Literal["from_day", "since", "after", "until", "before", "day_after", "day_before", "at"]
"""How something else tells when it was; "at" is where."""
_SIDES: tuple[Side, ...] = get_args(Side)
_ENDS = re.compile(r"[,.;:!?¿¡]")
_LAST_WORD = re.compile(r"\b[\w']+\W*\Z")
_LITTLE_WORDS = 3
"""Words that may stand between "since" and the day: "since the evening of"."""


@dataclass(frozen=True, slots=True)
class StoryTime:
    """The time that a text names, in days of the story."""

    first: int | None
    """The earliest day that is meant; below 1 before the story began, None where none is named."""
    last: int | None
    """The latest one, meant with it; it may lie ahead. None as `first` is."""
    rest: str
    """The text without the words that name the days."""
    anchors: tuple[tuple[Side, str], ...] = ()
    """What it may be before, after or at: the words behind such as "since", to be looked up."""


@dataclass(frozen=True, slots=True)
class _DayMention:
    """A part of a text that names days."""

    begin: int
    end: int
    first: int
    last: int
    is_span: bool = False
    """Does it name both days?"""


@keeps_texts(64)
def story_time(text: str, today: int) -> StoryTime:
    """Return when in a story something was, by a text; `today` is the day of the story."""
    line = plain(text)
    said = _apart(_mentions(line, today))
    for side in _side_forms(current_language())[0].finditer(line):  # as "the previous day to"
        said = [day for day in said if not side.start() <= day.begin < day.end < side.end()]
    rest = line
    for part in said:
        rest = rest[: part.begin] + " " * (part.end - part.begin) + rest[part.end :]
    anchors = tuple(_anchors(rest))
    if said:
        first, last, begin = _span(line, said, today)
        rest = rest[:begin] + rest[said[0].begin :]  # without "since", which nobody asks for
        return StoryTime(first, last, rest, tuple(held for held in anchors if held[0] == "at"))
    if ("day_before", "") in anchors:
        return StoryTime(today - 1, today - 1, rest)
    return StoryTime(None, None, rest, tuple(anchor for anchor in anchors if anchor[1]))


def _mentions(line: str, today: int) -> Iterator[_DayMention]:
    yield from _counted(line)
    yield from _counted_back(line, today)
    for phrase in current_language().phrases.get("begins", ()):
        for found in re.finditer(rf"\b{re.escape(phrase)}\b", line):
            yield _DayMention(found.start(), found.end(), 1, 1)


def _counted(line: str) -> Iterator[_DayMention]:
    for form in current_language().story_days:
        for found in form.finditer(line):
            named = found.groupdict()
            one = named.get("nth") or named["n"]
            first = number_of(named.get("from") or one)
            last = max(number_of(named.get("m") or one), first)
            if unit := named.get("unit"):  # such as "first three days"
                first, last = 1, max(last * current_language().units[unit], 1)
            yield _DayMention(found.start(), found.end(), first, last, last > first)


def _counted_back(line: str, today: int) -> Iterator[_DayMention]:
    speaks = current_language()
    for found in (hit for form in speaks.lately for hit in form.finditer(line)):
        back = speaks.units[found["unit"]] * number_of(found["n"])
        yield _DayMention(found.start(), found.end(), today - back, today)
    for said, back, slack in days_back(line):
        last = min(today - back + slack, today - 1) if back else today
        yield _DayMention(said.start(), said.end(), today - back - slack, last)


def _apart(mentions: Iterator[_DayMention]) -> list[_DayMention]:
    """Return mentions that do not overlap, in order; of two the longer counts."""
    kept: list[_DayMention] = []
    for said in sorted(mentions, key=lambda said: said.begin - said.end):
        if all(said.end <= other.begin or other.end <= said.begin for other in kept):
            kept.append(said)
    return sorted(kept, key=lambda said: said.begin)


def _span(line: str, said: list[_DayMention], today: int) -> tuple[int, int, int]:
    """Return the first and last day that is meant, and where the words begin that say so."""
    first, last = said[0].first, said[0].last
    side, begin = _side_before(line, said[0].begin)
    if len(said) > 1:
        between = line[said[0].end : said[1].begin]
        joins = current_language().phrases.get("through", ())
        if any(word.strip() in joins for word in between.split()) and said[1].last >= first:
            return first, said[1].last, begin
    if said[0].is_span:
        return first, last, begin
    meant = {
        "from_day": (first, max(today, first)),
        "since": (first, max(today, first)),
        "after": (last + 1, max(today, last + 1)),
        "until": (1, last),
        "before": (1, first - 1),
        "day_after": (last + 1, last + 1),
        "day_before": (first - 1, first - 1),
    }
    return (*meant.get(side, (first, last)), begin)


def _side_before(line: str, begin: int) -> tuple[str, int]:
    """Return what the words before a place in a line say, and where they begin."""
    lead, little = line[:begin], current_language().stop_words | current_language().articles
    for _ in range(_LITTLE_WORDS + 1):
        found = _side_forms(current_language())[1].search(lead)
        if found:
            return _side_of(found), found.start()
        word = _LAST_WORD.search(lead)
        if word is None or word[0].strip() not in little | {*current_language().time_words}:
            break
        lead = lead[: word.start()]
    return "", begin


def _anchors(line: str) -> Iterator[tuple[Side, str]]:
    """Yield what something may be before, behind or at, by the words that say so."""
    for found in _side_forms(current_language())[0].finditer(line):
        yield _side_of(found), _ENDS.split(line[found.end() :], maxsplit=1)[0].strip()


def _side_of(found: re.Match[str]) -> Side:
    return _side_phrases(current_language())[re.sub(r"\s+", " ", found["side"])]


@keeps_texts(8)
def _side_phrases(speaks: Language) -> dict[str, Side]:
    return {phrase: side for side in _SIDES for phrase in speaks.phrases.get(side, ())}


@keeps_texts(8)
def _side_forms(speaks: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of such phrases: before anything but a day, and right before a day."""
    both = []
    for besides, end in (("from_day", ""), ("at", r"\s*\Z")):
        some = [phrase for phrase, side in _side_phrases(speaks).items() if side != besides]
        some.sort(key=len, reverse=True)
        told = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in some) or "(?!)"
        both.append(re.compile(rf"\b(?P<side>{told})\b{end}"))
    return both[0], both[1]
