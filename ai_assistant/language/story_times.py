"""When in a story something was, as a text says it: its days, or before and after something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, cast, get_args

from ai_assistant.core.text import unaccented
from ai_assistant.language import Language, current_language, keeps_texts
from ai_assistant.language.named_days import days_back, number_of
from ai_assistant.language.words import plain

Side = Literal["from_day", "since", "after", "until", "before", "day_after", "day_before", "at"]
"""How something else tells when it was; "at" is where."""
_ENDS = re.compile(r"[,.;:!?¿¡]")
_LOOKS_BACK: dict[str, Side] = {"next_day": "day_after", "since_then": "since"}
"""What points at the clause before: "We held a feast, and the next day?"."""
_LITTLE_WORDS = 3
"""Words that may stand between "since" and the day: "since the evening of"."""
_READ, _MOST, _FAR = 1000, 12, 80
"""Characters of a text that are read, words such as "since" in it, and characters behind each."""


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
    line = (whole := plain(text))[:_READ]
    bare = unaccented(line)
    said = _apart(_mentions(bare, today))
    for side in _side_form(current_language()).finditer(bare):  # as "the previous day to"
        said = [day for day in said if not side.start() <= day.begin < day.end < side.end()]
    rest = whole
    for part in said:
        rest = rest[: part.begin] + " " * (part.end - part.begin) + rest[part.end :]
    anchors = tuple(islice(_anchors(rest[:_READ]), _MOST))
    if ("day_before", "") in anchors:
        day = (said[0].first if said else today) - 1
        return StoryTime(day, day, rest)
    if said:
        first, last, begin = _span(line, said, today)
        rest = rest[:begin] + rest[said[0].begin :]  # without "since", which nobody asks for
        return StoryTime(first, last, rest, tuple(held for held in anchors if held[0] == "at"))
    return StoryTime(None, None, rest, tuple(anchor for anchor in anchors if anchor[1]))


def _mentions(line: str, today: int) -> Iterator[_DayMention]:
    speaks = current_language()
    yield from _counted(line)
    for found in (hit for form in speaks.lately for hit in form.finditer(line)):
        back = speaks.units[found["unit"]] * number_of(found["n"])
        yield _DayMention(found.start(), found.end(), today - back, today)
    for said, back, slack in days_back(line):
        last = min(today - back + slack, today - 1) if back else today
        yield _DayMention(said.start(), said.end(), today - back - slack, last)
    for phrase in map(unaccented, speaks.phrases.get("begins", ())):
        for found in re.finditer(rf"\b{re.escape(phrase)}\b", line) if phrase in line else ():
            yield _DayMention(found.start(), found.end(), 1, 1)


def _counted(line: str) -> Iterator[_DayMention]:
    for form in current_language().story_days:
        for found in form.finditer(line):
            first = number_of(found["n"])
            last = max(number_of(found["m"] or found["n"]), first)
            if unit := found.groupdict().get("unit"):  # such as "first three days"
                first, last = 1, max(last * current_language().units[unit], 1)
            yield _DayMention(found.start(), found.end(), first, last, last > first)


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
        joins = {*current_language().phrases.get("through", ())}
        if joins.intersection(line[said[0].end : said[1].begin].split()) and said[1].last >= first:
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
    speaks = current_language()
    little = {*speaks.stop_words, *speaks.articles, *speaks.time_words}
    for found in reversed([*_side_form(speaks).finditer(unaccented(line), 0, begin)]):
        between = re.findall(r"[\w']+", line[found.end() : begin])
        if len(between) <= _LITTLE_WORDS and little.issuperset(between) and _side(found) != "at":
            return _side(found), found.start()
    return "", begin


def _anchors(line: str) -> Iterator[tuple[Side, str]]:
    """Yield what something may be before, behind or at, by the words that say so."""
    for found in _side_form(current_language()).finditer(unaccented(line)):
        side, before = _side(found), _ENDS.split(line[: found.start()])
        if side in _LOOKS_BACK:
            yield _LOOKS_BACK[side], before[-2].strip() if len(before) > 1 else ""
        elif side != "from_day":
            yield cast("Side", side), _ENDS.split(line[found.end() :][:_FAR], 1)[0].strip()


def _side(found: re.Match[str]) -> str:
    return _side_phrases(current_language())[re.sub(r"\s+", " ", found[0])]


@keeps_texts(8)
def _side_phrases(speaks: Language) -> dict[str, str]:
    kinds = ((side, speaks.phrases.get(side, ())) for side in (*get_args(Side), *_LOOKS_BACK))
    return {unaccented(phrase): side for side, phrases in kinds for phrase in phrases}


@keeps_texts(8)
def _side_form(speaks: Language) -> re.Pattern[str]:
    """Return the pattern of such phrases."""
    some = sorted(_side_phrases(speaks), key=len, reverse=True)
    told = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in some) or "(?!)"
    return re.compile(rf"\b(?:{told})\b")
