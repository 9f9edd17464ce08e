"""Phrases: what of a text is told where there is no room for all of it, in whole sentences."""

from __future__ import annotations

from collections.abc import Collection

from ai_assistant.language.talk_signs import is_for_all, worn
from ai_assistant.language.words import clipped, sentences, stem_set, words

SMALL = 40
"""Letters of a line that may be small talk."""


def is_small_talk(line: str, names: Collection[str] = ()) -> bool:
    """Is a line short, and no more than a word and what everybody says?

    One of these `names` (words in small letters), of somebody spoken to, does not count, nor does a
    word that calls all.
    """
    if len(line) > SMALL:
        return False
    said = [word for word in words(line) if not ("," in line and word in names)]
    telling = stem_set(" ".join(said))
    return len(said) <= 1 or len(telling - worn(telling)) <= is_for_all(line)


def shortened(text: str, most: int) -> str:
    """Return whole sentences of a text, in its order, that fit into so many letters.

    The first of each paragraph come before the others; whole words, where not even one fits.
    """
    if len(text) <= most:
        return text
    paragraphs = [sentences(paragraph) for paragraph in text.split("\n")]
    placed = [
        (number, at, sentence)
        for number, some in enumerate(paragraphs)
        for at, sentence in enumerate(some)
    ]
    kept: dict[int, list[str]] = {}
    room = most
    for number, _, sentence in sorted(placed, key=lambda found: (found[1] > 0, *found[:2])):
        if len(sentence) <= room:
            kept.setdefault(number, []).append(sentence)
            room -= len(sentence) + 1
    return "\n".join(" ".join(kept[number]) for number in sorted(kept)) or clipped(text, most)


def gist(text: str, most: int, longest: int) -> str:
    """Return the first sentences of a text in so many letters; a longer first one stays whole.

    Unless it has more than `longest`.
    """
    first = next(iter(sentences(text)), "")
    return shortened(text, max(most, min(len(first), longest)))
