"""Old days of a scene: their summaries, the account that goes home, and what was known as of a day.

A row counts from the day and the moment on which its owner learnt it, also after its day was
folded: the summary only stands for it, and counts as nothing known. A correction ends the row that
it corrects, on the day of the correction; until then that one was what was known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from math import inf

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.hearsay import TOLD, sources_of
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.play import is_fiction, mark
from ai_assistant.roleplay.tale import LINES, TALK, happenings, most_important

SUMMARY, RECAP, CHAPTER = "day_summary", "recap", "chapter"
VIEWS = frozenset({SUMMARY, CHAPTER})
"""Kinds of rows that stand for others, and are nothing that somebody knew."""
RETIRED_DAY, RETIRED_AT = "retired_day", "retired_at"
HAPPENED, CORRECTS = "happened_day", "corrects"
WITHDRAWN: Json = {"withdrawn": True}
"""Noted on a row that counts as never known: staff put other words in its place, or the night that
made it was taken back, or its owner turned out to have taken no part."""


# -- summaries of days


@dataclass(slots=True)
class Folded:
    """What comes of folding days: summaries, and the ids of the rows that they stand for."""

    summaries: list[MemoryRow] = field(default_factory=list)
    """New rows, one for each day and label."""
    archived: list[int] = field(default_factory=list)
    """Ids of the rows that they stand for."""


def is_young(row: MemoryRow, before: int) -> bool:
    """Is this talk of a day that is to stay, or of one that is not over?"""
    return row.kind in TALK and row.game_day >= before


def whole_days(rows: Sequence[MemoryRow], *, more: bool) -> Sequence[MemoryRow]:
    """Return rows, oldest first, without the last day's where `more` of it may follow.

    A day that fills all of them is returned as far as it goes.
    """
    talk = [place for place, row in enumerate(rows) if row.kind in TALK]
    if not (more and talk):
        return rows
    last = rows[talk[-1]].game_day
    earlier = [place for place in talk if rows[place].game_day != last]
    return rows[: earlier[-1] + 1] if earlier else rows


def fold_days(rows: Iterable[MemoryRow], before: int, at: float) -> Folded:
    """Return the summaries of all days before one, each with its evidence.

    Each label is summarised for itself, so no summary says more than all who may read it know; and
    what was only played apart from what was not. What was passed on is apart by whose word it was,
    so a summary says that still, and is believed as far as its lines.
    Permanent memories stay as they are, and so does a day with a single line, and what is of no
    known day. A day that has its chapter is told in the sentences of that, and it goes as well.
    """
    rows = list(rows)
    chapters = {row.game_day: row for row in rows if row.kind == CHAPTER}
    days: dict[tuple[int, str, bool, tuple[str, ...]], list[MemoryRow]] = defaultdict(list)
    for row in rows:
        if row.kind in TALK and 0 < row.game_day < before and not row.meta.get("permanent"):
            tellers = tuple(sorted({source["author"] for source in sources_of(row)}))
            days[row.game_day, row.readers, is_fiction(row), tellers].append(row)
    folded = Folded()
    all_talk = {row.id for some in days.values() for row in some}
    for (day, *_), some in sorted(days.items()):
        if len(some) > 1:
            own = {row.id for row in some}
            chapter = chapters.get(day)
            told = _sentences_of(chapter, own, all_talk - own) if chapter else []
            later = [row for row in some if row.id > chapter.meta.get("upto", 0)] if chapter else []
            folded.summaries.append(day_summary(some, at, told, later))
            folded.archived += sorted(own)
            folded.archived += [chapters.pop(day).id] if told else []
    return folded


def _sentences_of(chapter: MemoryRow, own: Set[int], others: Set[int]) -> list[Json]:
    """Return the sentences of a chapter that rest on some lines, and on none of the others."""
    sentences = chapter.meta.get("sentences", ())
    return [
        sentence
        for sentence in sentences
        if own & {*sentence.get("from", ())} and others.isdisjoint(sentence["from"])
    ]


def day_summary(
    rows: Iterable[MemoryRow],
    at: float,
    told: Sequence[Json] = (),
    later: Sequence[MemoryRow] = (),
) -> MemoryRow:
    """Return the summary of talk of one day and label.

    `told` are the sentences of its chapter, and `later` what of it was said since.
    """
    rows = sorted(rows, key=lambda row: (row.learned_at, row.id))
    last = rows[-1]
    sentences = " ".join(sentence.get("text", "") for sentence in told)
    lines = most_important(later if told else rows)
    sources = {source["origin"]: source for row in rows for source in sources_of(row)}
    passed_on = {TOLD: list(sources.values())[:LINES]} if sources else {}
    return MemoryRow(
        content=f"Day {last.game_day}: {' / '.join(filter(None, (sentences, lines)))}",
        kind=SUMMARY,
        session=last.session,
        container=last.container,
        readers=last.readers,
        game_day=last.game_day,
        location=last.location,
        learned_at=at,
        importance=max(row.importance for row in rows),
        trust=min(row.trust for row in rows),
        parents=tuple(
            sorted(
                {row.id for row in rows}
                | {id for sentence in told for id in sentence.get("from", ())}
            )
        ),
        meta={
            "type": SUMMARY,
            "lines": len(rows),
            **({"sentences": list(told)} if told else {}),
            **passed_on,
            **mark(is_fiction(last)),
        },
    )


# -- what goes home


def recap(rows: Sequence[MemoryRow], title: str, *, day: int, at: float) -> MemoryRow | None:
    """Return the one row that goes home when a scene ends; None where nothing may be told of it.

    It is made of open rows alone, and stands in the container of the game. It bears
    the mark of fiction if only one of them does.
    """
    lines = [row for row in happenings(rows) if row.readers == OPEN]
    if not any(row.kind in TALK for row in lines):
        return None
    return MemoryRow(
        content=f"When we played the scene {disarmed(title)}: {most_important(lines)}",
        kind=RECAP,
        container=lines[-1].container,
        game_day=day,
        learned_at=at,
        importance=max(row.importance for row in lines),
        parents=tuple(row.id for row in lines),
        meta={
            "type": RECAP,
            "scene": lines[-1].session,
            "lines": len(lines),
            **mark(any(map(is_fiction, lines))),
        },
    )


def retold_recap(account: MemoryRow, rows: Sequence[MemoryRow]) -> MemoryRow | None:
    """Return an account of a scene in the words of its chapters; None where there are none.

    A day without one, such as a short one, has its lines there. Of more than there is room for it
    is the last. `rows` are those of the scene.
    """
    sentences = ((row.game_day, row.meta.get("sentences")) for row in rows if row.kind in VIEWS)
    told = {day: some for day, some in sentences if some}
    if not told:
        return None
    days: dict[int, list[MemoryRow]] = defaultdict(list)
    for row in happenings(rows):
        if row.readers == OPEN:
            days[row.game_day].append(row)
    parts: list[Json] = []
    for day in sorted({*days, *told}):
        lines = days[day]
        if day in told:
            parts += told[day]
        elif any(row.kind in TALK for row in lines):
            parts.append({"text": most_important(lines), "from": [row.id for row in lines]})
    begins, _, _ = account.content.partition(": ")
    parents = sorted({id for part in parts[-LINES:] for id in part["from"]})
    text = " ".join(part["text"] for part in parts[-LINES:])
    return replace(account, id=0, content=f"{begins}: {text}", parents=tuple(parents))


# -- what was known as of a day


def known_as_of(
    rows: Iterable[MemoryRow],
    *,
    day: int | None = None,
    at: float | None = None,
    about: int | None = None,
) -> Iterator[MemoryRow]:
    """Yield the rows that were known, in their order.

    Args:
        rows: All rows of a container, archived ones included.
        day: By the end of this day of the story; None for any.
        at: By this moment, in seconds since the epoch; None for any.
        about: Only what happened on this day or before; what was told late may be of long ago.
    """
    for row in rows:
        meta = row.meta
        if row.kind in VIEWS or meta.keys() & WITHDRAWN.keys():
            continue
        by_day = day is None or row.game_day <= day < meta.get(RETIRED_DAY, inf)
        by_time = at is None or row.learned_at <= at < meta.get(RETIRED_AT, inf)
        if by_day and by_time and (about is None or meta.get(HAPPENED, row.game_day) <= about):
            yield row


def correction(old: MemoryRow, content: str, *, day: int, at: float) -> tuple[MemoryRow, Json]:
    """Return the row that corrects one, and what is noted on the corrected one.

    It is of the day on which it was learnt, about the day that the corrected one was about. Raises
    `ValueError` for a day before the one on which the corrected row itself was learnt: nobody can
    know better what they do not know yet.
    """
    if day < old.game_day:
        raise ValueError(
            f"Memory #{old.id} was learnt on day {old.game_day}: correct it from that day on."
        )
    about = old.meta.get(HAPPENED, old.game_day)
    meta = {**old.meta, CORRECTS: old.id, HAPPENED: about}
    new = replace(old, id=0, content=content, game_day=day, learned_at=at, parents=(), meta=meta)
    return new, {RETIRED_DAY: day, RETIRED_AT: at}


def can_be_corrected(row: MemoryRow) -> bool:
    """Does a row still stand, at hand or behind a summary, so that it can be corrected?"""
    return row.kind not in VIEWS and not row.meta.keys() & {RETIRED_AT, *WITHDRAWN}
