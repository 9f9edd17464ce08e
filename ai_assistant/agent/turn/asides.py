"""Asides: what of an answer is for one person alone, because words around it tell of whispering.

The rule is one: behind such a frame all is whispered, up to a line that begins with the character's
own name like a part in a play; before it, where nothing is behind it. Of two minds, a rule here
keeps the words from the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ai_assistant.language.talk_signs import is_pronoun, is_whispering, names_whispering
from ai_assistant.language.words import is_common, sentences, words
from ai_assistant.tools.schema import is_handle

_SPAN = re.compile(
    r"\*{1,3}(?=\S)([^*]+)(?:\*+|$)|(?<!\w)_{1,2}(?=\S)([^_]+)(?:_+|$)"
    r"|\(([^()]+)(?:\)|$)|\[([^\[\]]+)(?:\]|$)|<([^<>]+)(?:>|$)"
)
_BEGUN = re.compile(r"([^*()\[\]<>]*[^\s*()\[\]<>])[*)\]>](?!\w)")
"""What was begun in the line before."""
_QUOTED = re.compile(r"[\"“„«「]([^\"“”„«»「」]*)(?:[\"“”»」]|$)")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_PRONOUN, _SOMEBODY = r"\b(?:you|I|s?he|they)", r"(?:to\s+)?(?-i:[A-Z]|p\d)"
_FEW = 3
"""Words in a row that two texts must share where one is not the whole of the other."""


class Passage(NamedTuple):
    """A part of an answer: said aloud, or whispered to somebody."""

    words: str
    """What is said."""
    frame: str = ""
    """What tells to whom it is whispered; empty for what is said aloud."""


def passages_of(text: str, own: re.Pattern[str]) -> list[Passage]:
    """Return an answer's words in order, parted by whether they are said aloud.

    `own` finds the character's name at a text's beginning.
    """
    pages = rf"({own.pattern}|{_PRONOUN}(?=\s+page[sd]?\s+{_SOMEBODY}))\s+page[sd]?\b"
    private = re.sub(pages, r"\1 whispers to", text, flags=re.IGNORECASE)
    if not names_whispering(private):
        return [Passage(text)]
    found = [Passage("")]
    for line in _lines(private):
        if found[-1].frame and own.match(_bare(line)) and ":" in line:
            found.append(Passage(""))
        first, *asides = _split(line, own)
        words = "\n".join(filter(None, (found[-1].words, first.words)))
        found[-1] = found[-1]._replace(words=words)
        found += asides
    told: list[Passage] = []
    for passage in found:
        is_empty = not passage.words.strip()
        if passage.frame and is_empty and told and not told[-1].frame:  # it stands behind its words
            told[-1] = told[-1]._replace(frame=passage.frame)
        elif passage.frame or not is_empty:
            told.append(passage)
    is_aloud = private != text and not any(passage.frame for passage in told)
    return [Passage(text)] if is_aloud else told


def _lines(text: str) -> Iterator[str]:
    """Yield a text's lines; one in which a quotation does not end goes on."""
    line = ""
    for row in text.split("\n"):
        line = f"{line} {row}" if line else row
        if line.count('"') % 2 == 0 and line.count("“") <= line.count("”"):
            yield line
            line = ""
    yield line


def _bare(text: str) -> str:
    return text.lstrip(' *_"“[(<>#-')


def _split(line: str, own: re.Pattern[str]) -> list[Passage]:
    begun = _BEGUN.match(line)
    spans = [begun] if begun else list(_SPAN.finditer(line))
    spans = [span for span in spans if names_whispering(span[0])]
    if not spans:
        return _narrated(line, own) or [Passage(line)]
    ends = [*(span.start() for span in spans), len(line)]
    found = [Passage(line[: ends[0]])]
    for span, end in zip(spans, ends[1:], strict=True):
        frame, words = next(filter(None, span.groups())), line[span.end() : end]
        quoted = _QUOTED.search(frame)
        at = quoted.start() if quoted else frame.find(":")
        if at >= 0 and span[0][0] != "<":  # the words stand within
            words = " ".join((frame[at:].strip(' :"“”'), words))
            frame = frame[:at] or frame
        found.append(Passage(words.strip(), "" if frame.lstrip().startswith("/") else frame))
    return found


def _narrated(line: str, own: re.Pattern[str]) -> list[Passage]:
    """Return the same where a line only tells who whispers; empty where it does not."""
    quoted = list(_QUOTED.finditer(line))
    edges = [0, *(edge for found in quoted for edge in found.span()), len(line)]
    for n, (begin, end) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        told = line[begin:end]
        if quoted and names_whispering(told):
            last = _SENTENCE_END.split(told)[-1]
            before = line[: quoted[n - 1].start()] if n else told.removesuffix(last)
            aside = " ".join(quotation[1] for quotation in quoted[max(n - 1, 0) :])
            aside = f"{aside[:-1]}." if aside.endswith(",") else aside
            return [Passage(before), Passage(aside, told)]
    head, colon, aside = line.partition(":")
    frame = _SENTENCE_END.split(head)[-1] if colon else head
    begins = [is_pronoun(word) or is_whispering(word) for word in words(frame)[:1]]
    is_label = own.match(_bare(frame)) is not None or (colon and any(begins))
    if names_whispering(frame) and is_label:
        return [Passage(head.removesuffix(frame)), Passage(aside, frame)]
    return []


# -- to whom


def named(frame: str, people: Mapping[str, str]) -> str:
    """Return the handle of the one person whom a frame names; empty for none and for several.

    `people` maps handles to names.
    """
    said = words(frame)
    at = max((n for n, word in enumerate(said) if is_whispering(word)), default=0)
    found = _found(said[at:], people) or _found(said, people)
    return found[0] if len(found) == 1 else ""


def names_somebody(frame: str) -> bool:
    """Does a frame seem to name anybody at all?"""
    said = re.findall(r"\w+", frame)
    return any(is_handle(word.lower()) or word[:1].isupper() for word in said[1:])


def _found(heard: tuple[str, ...], people: Mapping[str, str]) -> list[str]:
    """Return those of whom a handle, else the whole name, else a telling part of it is there."""
    whole, partly = [], []
    said = f" {' '.join(heard)} "
    for handle, name in people.items():
        parts = words(name)
        if handle in heard:
            return [handle]
        if parts and f" {' '.join(parts)} " in said:
            whole.append(handle)
        elif any(part in heard for part in parts if not is_common(part)):
            partly.append(handle)
    return whole or partly


# -- never twice


def unrepeated(text: str, whispered: Iterable[str]) -> str:
    """Return a text without the sentences that say once more what was whispered."""
    private = {words(sentence) for aside in whispered for sentence in sentences(aside)} - {()}
    told = f" {' / '.join(' '.join(aside) for aside in private)} "
    sizes = {len(aside) for aside in private if len(aside) >= _FEW}

    def repeats(aloud: tuple[str, ...]) -> bool:
        runs = (aloud[at : at + n] for n in sizes for at in range(len(aloud) - n + 1))
        within = len(aloud) >= _FEW and f" {' '.join(aloud)} " in told
        return aloud in private or within or any(run in private for run in runs)

    said = sentences(text)
    kept = [sentence for sentence in said if not repeats(words(sentence))]
    return text if len(kept) == len(said) else " ".join(sentence.strip() for sentence in kept)
