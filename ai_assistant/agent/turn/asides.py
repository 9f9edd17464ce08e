"""Asides: what of an answer is for one person alone, because words around it tell of whispering.

The rule is one: behind such a frame all is whispered, up to a line that begins with the character's
own name like a part in a play; before it, where nothing is behind it. Of two minds, a rule here
keeps the words from the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ai_assistant.language.talk_signs import is_pronoun, is_whispering
from ai_assistant.language.words import is_common, sentences, word_key
from ai_assistant.tools.schema import is_handle

_PAGING = frozenset({"pages", "paged"})
_SPAN = re.compile(
    r"\*{1,3}(?=\S)([^*]+)(?:\*+|$)|(?<!\w)_{1,2}(?=\S)([^_]+)(?:_+|$)"
    r"|\(([^()]+)(?:\)|$)|\[([^\[\]]+)(?:\]|$)|<([^<>]+)(?:>|$)"
)
_BEGUN = re.compile(r"([^*()\[\]<>]*[^\s*()\[\]<>])[*)\]>](?!\w)")
"""What was begun in the line before."""
_QUOTED = re.compile(r"[\"“„«「]([^\"“”„«»「」]*)(?:[\"“”»」]|$)")
_LAST_SENTENCE = re.compile(r"(?:.*[.!?…]\s+)?", re.DOTALL)
_FEW = 3
"""Words in a row that two texts must share where one is not the whole of the other."""


class Part(NamedTuple):
    """Words of an answer; what tells to whom they are whispered, empty where they are not."""

    words: str
    frame: str = ""


def parts_of(text: str, own: re.Pattern[str]) -> list[Part]:
    """Return an answer's words in order, parted by whether they are said aloud.

    `own` finds the character's name at a text's beginning.
    """
    if not any(map(_is_private, word_key(text))):
        return [Part(text)]
    parts = [Part("")]
    for line in _lines(text):
        if parts[-1].frame and own.match(_bare(line)) and ":" in line:
            parts.append(Part(""))
        first, *asides = _split(line, own)
        parts[-1] = _with(parts[-1], first.words)
        parts += asides
    return _told([part for part in parts if part.frame or part.words.strip()])


def _lines(text: str) -> Iterator[str]:
    """Yield a text's lines; one in which a quotation does not end goes on."""
    line = ""
    for row in text.split("\n"):
        line = f"{line} {row}" if line else row
        if line.count('"') % 2 == 0 and line.count("“") <= line.count("”"):
            yield line
            line = ""
    yield line


def _told(parts: Iterable[Part]) -> list[Part]:
    """Return parts where a frame without words, as behind them, is that of those before it."""
    told: list[Part] = []
    for part in parts:
        if part.frame and not part.words.strip() and told and not told[-1].frame:
            part = Part(told.pop().words, part.frame)
        told.append(part)
    return told


def _with(part: Part, line: str) -> Part:
    return part._replace(words=f"{part.words}\n{line}" if part.words else line)


def names_whispering(text: str) -> bool:
    """Is a word for whispering in this?"""
    return any(map(is_whispering, word_key(text)))


def _is_private(word: str) -> bool:
    return is_whispering(word) or word in _PAGING


def aloud(text: str, own: re.Pattern[str]) -> str:
    """Return what is for everybody's ears."""
    return "\n".join(part.words for part in parts_of(text, own) if not part.frame)


def _bare(text: str) -> str:
    return text.lstrip(' *_"“[(<>#-')


def _split(line: str, own: re.Pattern[str]) -> list[Part]:
    """Return what stands before the first frame of a line, and each frame with its words."""
    begun = _BEGUN.match(line)
    spans = [begun] if begun else list(_SPAN.finditer(line))
    spans = [span for span in spans if names_whispering(span[0])]
    if not spans:
        return _narrated(line, own) or [Part(line)]
    ends = [*(span.start() for span in spans), len(line)]
    found = [Part(line[: ends[0]])]
    for span, end in zip(spans, ends[1:], strict=True):
        frame, within = _inside(next(filter(None, span.groups())), is_tag=span[0][0] == "<")
        closes = frame.lstrip().startswith("/")
        found.append(Part(f"{within} {line[span.end() : end]}".strip(), "" if closes else frame))
    return found


def _inside(text: str, *, is_tag: bool) -> tuple[str, str]:
    """Return what tells of whispering, and the words that stand within it."""
    quoted = None if is_tag else _QUOTED.search(text)
    at = -1 if is_tag else quoted.start() if quoted else text.find(":")
    return (text[:at] or text, text[at:].strip(' :"“”')) if at >= 0 else (text, "")


def _narrated(line: str, own: re.Pattern[str]) -> list[Part]:
    """Return the same where a line only tells who whispers; empty where it does not."""
    quoted = list(_QUOTED.finditer(line))
    edges = [0, *(edge for found in quoted for edge in found.span()), len(line)]
    for n, (begin, end) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        told = line[begin:end]
        if quoted and (names_whispering(told) or _pages(told, own)):
            before = line[: quoted[n - 1].start()] if n else _without_last(told)
            words = " ".join(quotation[1] for quotation in quoted[max(n - 1, 0) :])
            words = f"{words[:-1]}." if words.endswith(",") else words
            return [Part(before), Part(words, told)]
    head, colon, words = line.partition(":")
    before = _without_last(head) if colon else ""
    frame = head[len(before) :]
    is_own = own.match(_bare(frame)) is not None
    if _pages(frame, own) or (names_whispering(frame) and (is_own or (colon and _begins(frame)))):
        return [Part(before), Part(words, frame)]
    return []


def _without_last(text: str) -> str:
    """Return a text without its last sentence, which may not have ended."""
    found = _LAST_SENTENCE.match(text)
    return found[0] if found else ""


def _begins(label: str) -> bool:
    """Does this begin like a label: with a pronoun, or with the word for whispering?"""
    return any(is_pronoun(word) or is_whispering(word) for word in word_key(label)[:1])


def _pages(text: str, own: re.Pattern[str]) -> bool:
    """Does this tell that the character pages somebody?"""
    found = own.match(_bare(text))
    told = word_key(_bare(text)[found.end() :]) if found else ()
    return not _PAGING.isdisjoint(told[:1])


# -- to whom


def named(frame: str, people: Mapping[str, str]) -> str:
    """Return the handle of the one person whom a frame names; empty for none and for several.

    `people` maps handles to names. Whoever stands behind the word for whispering is meant, if
    somebody does.
    """
    words = word_key(frame)
    at = max((n for n, word in enumerate(words) if _is_private(word)), default=0)
    for told in (words[at:], words):
        if found := _found(told, people):
            return found[0] if len(found) == 1 else ""
    return ""


def names_somebody(frame: str) -> bool:
    """Does a frame seem to name anybody at all?"""
    words = re.findall(r"\w+", frame)
    return any(is_handle(word.lower()) or word[:1].isupper() for word in words[1:])


def _found(words: tuple[str, ...], people: Mapping[str, str]) -> list[str]:
    """Return those of whom a handle, else the whole name, else a telling part of it is there."""
    whole, partly = [], []
    said = f" {' '.join(words)} "
    for handle, name in people.items():
        parts = word_key(name)
        if handle in words:
            return [handle]
        if parts and f" {' '.join(parts)} " in said:
            whole.append(handle)
        elif any(part in words for part in parts if not is_common(part)):
            partly.append(handle)
    return whole or partly


# -- never twice


def unrepeated(text: str, whispered: Iterable[str]) -> str:
    """Return a text without the sentences that say once more what was whispered."""
    private = {word_key(sentence) for words in whispered for sentence in sentences(words)} - {()}
    told = f" {' / '.join(' '.join(words) for words in private)} "
    said = sentences(text)
    kept = [sentence for sentence in said if not _repeats(word_key(sentence), private, told)]
    return text if len(kept) == len(said) else " ".join(sentence.strip() for sentence in kept)


def _repeats(words: tuple[str, ...], private: set[tuple[str, ...]], told: str) -> bool:
    """Is this one of these sentences, or, where they are not few words, within one or around it?"""
    sizes = {len(whispered) for whispered in private if len(whispered) >= _FEW}
    runs = (words[at : at + n] for n in sizes for at in range(len(words) - n + 1))
    within = len(words) >= _FEW and f" {' '.join(words)} " in told
    return words in private or within or any(run in private for run in runs)
