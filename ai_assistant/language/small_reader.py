"""The small reader: a handful of plain statements about somebody, precise before complete.

What it can read is data, the table ``reader`` of the language: patterns for whole clauses, and the
sentence that each becomes. Whatever is asked, wished, supposed, joked, quoted or told of somebody
unknown fits no pattern and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ai_assistant.language import keeps_texts
from ai_assistant.language.clause_patterns import SUBJECT, Reader, Statement, current_reader

__all__ = ["Statement", "held", "read_line", "read_note", "warm"]

LONGEST = 1000
"""Characters of a line that are read."""
MOST_PIECES = 8
"""Parts of a sentence, between commas and conjunctions, that are put together."""
MOST_CLAUSES, MOST_NAMED = 16, 4
"""Clauses of a line, and people named in it, for which a reading is looked for."""
NOTE_LIMIT = 160
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*(?:[\"”»]|\Z)")
_SENTENCE = re.compile(r"[^.!?…;]+(?:[.!?…;]+(?=\s|\Z)|[.!?…;]+|\Z)")
_HIDDEN = "\0"


def warm() -> None:
    """Compile the language's patterns now: some tenths of a second, once."""
    current_reader()


@keeps_texts(4096)
def read_line(
    line: str, *, who: str, people: tuple[str, ...] = (), me: str = ""
) -> tuple[Statement, ...]:
    """Return what a line by `who` states of its speaker, and of `people` whom it names.

    Nothing is read of `me`, the character that listens.
    """
    reader = current_reader()
    line = " ".join(line[:LONGEST].split())
    if reader is None or reader.joke.search(line):
        return ()
    named = (person for person in dict.fromkeys(people) if person in line)
    others = [person for person in named if person not in ("", who, me)][:MOST_NAMED]
    found: list[Statement] = []
    at = 0
    for first, last, sentence in islice(_spans(reader, line), MOST_CLAUSES):
        if first < at:
            continue
        clause = line[first:last]
        citable = (clause.strip(), sentence.strip())
        quote = next((words for words in citable if words.count(" ") > 1), line)
        if facts := _stated(reader, clause, quote, who, others):
            found += facts
            at = last
    corrects = bool(reader.corrected.search(line))
    return tuple(replace(fact, corrects=corrects) for fact in found if _is_news(fact))


def _stated(
    reader: Reader, clause: str, quote: str, who: str, others: Sequence[str]
) -> list[Statement]:
    marked = ((name, reader.marked(clause, name)) for name in others)
    theirs = (reader.facts(text, name, quote, 1) for name, text in marked if SUBJECT in text)
    return reader.facts(clause, who, quote, 0) or next(filter(None, theirs), [])


def read_note(text: str, *, about: str) -> tuple[Statement, ...]:
    """Return what the character's own note states of the one it is about.

    A plain sentence about them that fits no pattern is a fact as it stands.
    """
    reader = current_reader()
    text = " ".join(text[:LONGEST].split())
    if reader is None or _QUOTED.search(text) or "?" in text:
        return ()
    marked = reader.marked(text.rstrip(" .!"), about)
    reported = reader.report.fullmatch(marked)
    clause = reported["rest"] if reported else marked
    if facts := reader.facts(clause, about, text, 1):
        return tuple(filter(_is_news, facts))
    plain = reader.plain.fullmatch(marked)
    if reported or not plain or len(text) > NOTE_LIMIT or reader.unsure.search(text):
        return ()
    if SUBJECT in marked:
        return (Statement(about, marked.replace(SUBJECT, about), text),)
    rest = reader.bare.sub("", marked)  # a note often leaves its subject out
    return (Statement(about, f"{about} {rest[:1].lower()}{rest[1:]}", text),)


def held(fact: str, *, about: str) -> tuple[Statement, ...]:
    """Return what a fact that is known of somebody states, to compare it with what is new."""
    reader = current_reader()
    marked = reader.marked(fact.rstrip(" .!"), about) if reader else ""
    return tuple(reader.facts(marked, about, fact, 1)) if reader else ()


def _is_news(fact: Statement) -> bool:
    """Does it tell more than the name that everybody sees?"""
    return fact.slot != "name" or fact.value not in fact.about.casefold()


def _sentences(reader: Reader, line: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences stand that state something: none asked, unsure or with a quote."""
    hidden = _QUOTED.sub(lambda found: _HIDDEN * len(found[0]), line)
    for found in _SENTENCE.finditer(hidden):
        sentence = found[0]
        told = reader.corrected.sub("", sentence)
        if "?" in sentence or _HIDDEN in sentence or reader.unsure.search(told):
            continue
        words = sentence.rstrip(".!…; ")
        yield found.start() + len(words) - len(words.lstrip()), found.start() + len(words)


def _spans(reader: Reader, line: str) -> Iterator[tuple[int, int, str]]:
    """Yield where clauses may begin and end, the longer ones first, with their sentence."""
    for start, end in _sentences(reader, line):
        joints = list(islice(reader.joint.finditer(line, start, end), MOST_PIECES - 1))
        begins = [start, *(joint.end() for joint in joints)]
        ends = [*(joint.start() for joint in joints), end]
        for number, begin in enumerate(begins):
            yield from ((begin, last, line[start:end]) for last in reversed(ends[number:]))
