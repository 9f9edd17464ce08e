"""The tale of a story: what of the memories of it is told, where there is no room for all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.language.talk_signs import worn
from ai_assistant.language.words import asks, is_common, stem_set, words
from ai_assistant.memory.phrases import SMALL, gist, is_small_talk
from ai_assistant.memory.search.when_in_story import STORY_DAY
from ai_assistant.roleplay.knowledge import MOVED, SEEN, STATE, UPDATES
from ai_assistant.roleplay.message_formats import disarmed, is_deed, tale_line

TALK = frozenset({"utterance", "deed", "own_words"})
"""Kinds of rows that are a line of somebody."""
_HAPPENED = frozenset(UPDATES)
LINES, LINE, LONGEST_LINE = 12, 120, 240
"""So many lines are told at most, those that tell most, of each the sentences that fit into so many
characters, or one that is longer."""
EVENTS = LINES // 2
"""So many of these are what happened, the newest; the rest are what was said and played."""
BETWEEN_LINES = " / "
_COMPARED = 4 * LINES
"""So many lines that say most are looked through for what was said before."""
_LEAST_WORDS, _LEAST_NEW = 3, 1 / 3
"""A line of so many words says again what another said, where a smaller share of them is new."""


def most_important(rows: Sequence[MemoryRow]) -> str:
    """Return what tells most of some rows, in order of time, in one text."""
    chosen = important(rows)
    lines = (
        tale_line(
            row.author_name, gist(disarmed(row.content), LINE, LONGEST_LINE), is_deed=is_deed(row)
        )
        for row in chosen
    )
    return BETWEEN_LINES.join(lines)


def important(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Return those of some rows, oldest first, that tell most, in order of time.

    What happened comes first, then what says most, questions last. What an earlier line said is not
    told again, nor is small talk where there is anything else.
    """
    shown = telling(rows) or rows
    happened = [row for row in shown if row.kind in _HAPPENED]
    events = [row for row in happened if row.meta.get("updateType") != MOVED][-EVENTS:]
    talk = sorted((row for row in shown if row.kind in TALK), key=_at_a_glance)[:_COMPARED]
    known = [(row, _telling_stems(row)) for row in sorted([*events, *talk], key=_moment)]
    fresh = [
        it
        for n, it in enumerate(known)
        if it[0].kind in TALK and not _is_again(it[1], (told for _, told in known[:n]))
    ]
    chosen = [row for row, _ in sorted(fresh, key=_rank)[: LINES - len(events)]]
    return sorted([*events, *chosen], key=_moment)


def _at_a_glance(row: MemoryRow) -> tuple[bool, int, int]:
    """Rank by words: there may be hundreds of lines, and the stem of each new word takes time."""
    told = [word for word in {*words(row.content[:LONGEST_LINE])} if not is_common(word)]
    return asks(row.content), -len(told), -row.importance


def _rank(said: tuple[MemoryRow, frozenset[str]]) -> tuple[bool, int, int]:
    row, stems = said
    return asks(row.content), -len(stems), -row.importance


def _moment(row: MemoryRow) -> tuple[float, int]:
    return row.learned_at, row.id


def _telling_stems(row: MemoryRow) -> frozenset[str]:
    stems = stem_set(row.content[:LONGEST_LINE])
    return stems - worn(stems)


def _is_again(stems: frozenset[str], told: Iterable[frozenset[str]]) -> bool:
    enough = len(stems) >= _LEAST_WORDS
    return enough and any(len(stems - known) < _LEAST_NEW * len(stems) for known in told)


def telling(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Return those of some rows that are no small talk."""
    names = {word for row in rows for word in words(row.author_name)}
    return [row for row in rows if row.kind in _HAPPENED or not _is_idle(row.content, names)]


def last_day(rows: Iterable[MemoryRow], before: int = 0) -> list[MemoryRow]:
    """Return what was said and happened on the last day of a story that has lines or deeds.

    `before` that day, unless it is 0; in order of time, as a line may be kept after its answer.
    """
    rows = happenings(row for row in rows if not before or row.game_day < before)
    last = max((row.game_day for row in rows if row.kind != STATE), default=0)
    return sorted((row for row in rows if row.game_day == last), key=_moment)


def untold(found: Iterable[MemoryRow], rows: Sequence[MemoryRow], before: int) -> list[MemoryRow]:
    """Return those of some rows after which no later day began, `before` this one, among `found`.

    With a day that begins, what came before it is told.
    """
    dawns = [row for row in found if _is_dawn(row) and row.game_day < before]
    return [
        row
        for row in rows
        if not any(row.id < dawn.id and row.game_day < dawn.game_day for dawn in dawns)
    ]


def happenings(rows: Iterable[MemoryRow]) -> list[MemoryRow]:
    """Return the talk among rows, and what one saw happen or learnt of, but for the date."""
    return [row for row in rows if row.kind in TALK or _is_event(row)]


def _is_event(row: MemoryRow) -> bool:
    is_learnt = row.meta.get("source") == SEEN or "update" in row.meta
    return row.kind in _HAPPENED and is_learnt and not _is_dawn(row)


def _is_dawn(row: MemoryRow) -> bool:
    return row.meta.get("state") == STORY_DAY


def _is_idle(line: str, names: Collection[str]) -> bool:
    return is_small_talk(line, names) or (len(line) <= SMALL and asks(line))
