"""Chapters: a day of a story as a model tells it to one character, each sentence with its lines.

The model is shown what that character has of the day, in the open, and nothing else. A sentence
counts where it names lines that were shown, and has no name and no number that they lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.model_json import answer_object
from ai_assistant.core.quotes import unsupported
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.roleplay.day_summaries import CHAPTER
from ai_assistant.roleplay.message_formats import is_deed, tale_line
from ai_assistant.roleplay.play import is_fiction, mark

LEAST_LINES = 4
"""Fewer lines of somebody's are told as they were said; so is what merely happened."""
MOST_LINES = 120
"""The newest lines of a day: so many are shown."""
MOST_SENTENCES, LONGEST_SENTENCE = 8, 240


def to_tell(rows: Iterable[MemoryRow]) -> list[MemoryRow]:
    """Return what a model may be shown of a day's rows; nothing where too little was said."""
    told = [row for row in rows if row.readers == OPEN][-MOST_LINES:]
    return told if sum(bool(row.author_name) for row in told) >= LEAST_LINES else []


def chapter_asked(rows: Sequence[MemoryRow], name: str, names: Mapping[str, str]) -> Json:
    """Return what a model is asked for the character of that name; `names` are by id."""
    return {
        "for": name,
        "day": rows[-1].game_day,
        "lines": [{"id": row.id, **_shown(row, names)} for row in rows],
    }


def _shown(row: MemoryRow, names: Mapping[str, str]) -> Json:
    """Return a line as a model sees it: who said it to whom, or what happened; and where."""
    at = {"at": row.location} if row.location else {}
    if not row.author_name:
        return {"happened": row.content, **at}
    took = [names[who] for who in row.meta.get("participants", ()) if who in names]
    to = [name for name in took if name != row.author_name]
    by = row.author_name
    line = {"did": tale_line(by, row.content, is_deed=True)} if is_deed(row) else {}
    return {"who": by, **(line or {"said": row.content}), **({"to": to} if to else {}), **at}


def read_chapter(text: str, rows: Sequence[MemoryRow], names: Mapping[str, str]) -> list[Json]:
    """Return the sentences of an answer that stand: `text`, and `from`, the ids of its lines.

    `names` are those of everybody who may be named, by id; whoever neither stands in its lines nor
    took part in them is in no sentence.
    """
    shown = {row.id: row for row in rows}
    given = answer_object(text).get("sentences")
    sentences: list[Json] = []
    for item in given if isinstance(given, list) else ():
        told, ids = (item.get("text"), item.get("from")) if isinstance(item, dict) else (None, None)
        is_whole = isinstance(told, str) and 0 < len(told.strip()) <= LONGEST_SENTENCE
        are_shown = isinstance(ids, list) and all(type(id) is int and id in shown for id in ids)
        if not (is_whole and ids and are_shown):
            continue
        said = [str(_shown(shown[id], names)) for id in ids]
        if (words := clean(told)) and not unsupported(words, said, names.values()):
            sentences.append({"text": words, "from": sorted(set(ids))})
    return sentences[:MOST_SENTENCES]


def chapter_row(rows: Sequence[MemoryRow], sentences: Sequence[Json], at: float) -> MemoryRow:
    """Return the memory of a day in these sentences, which rests on their lines."""
    last = rows[-1]
    parents = sorted({id for sentence in sentences for id in sentence.get("from", ())})
    told = [row for row in rows if row.id in parents] or rows
    return MemoryRow(
        content=" ".join(sentence.get("text", "") for sentence in sentences),
        kind=CHAPTER,
        session=last.session,
        container=last.container,
        readers=OPEN,
        game_day=last.game_day,
        location=last.location,
        learned_at=at,
        importance=max(row.importance for row in told),
        trust=min(row.trust for row in told),
        parents=tuple(parents),
        meta={
            "type": CHAPTER,
            "upto": max(row.id for row in rows),
            "sentences": list(sentences),
            **mark(any(map(is_fiction, rows))),
        },
    )


def told_since(chapter: MemoryRow, rows: Iterable[MemoryRow]) -> list[MemoryRow]:
    """Return what of a day a chapter does not tell: what was said later, and what is private."""
    return [row for row in rows if row.id > chapter.meta.get("upto", 0) or row.readers != OPEN]
