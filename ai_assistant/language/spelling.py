"""Spelling: the word or the name that somebody meant, where it is not written as others write it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ai_assistant.language import current_language, keeps_texts
from ai_assistant.language.words import word_key

SHORTEST = 4
"""Letters of a word that is worth a guess."""
_ALIKE, _ALIKE_SHORT = 0.8, 0.85
"""How much of two words must be the same, by `difflib`; of short ones more."""
_SHORT = 5


@keeps_texts(4096)
def _near(word: str, among: tuple[str, ...]) -> str:
    turned = next((known for known in among if sorted(known) == sorted(word)), "")
    if turned:  # two letters have changed places
        return turned
    alike = _ALIKE_SHORT if len(word) <= _SHORT else _ALIKE
    return next(iter(get_close_matches(word, among, 1, alike)), "")


def nearest_word(word: str, among: Iterable[str]) -> str:
    """Return the word among these that a word in small letters is a slip of; itself for none.

    A slip keeps its first letter, and about its length.
    """
    if len(word) < SHORTEST or not word.isalpha():
        return word
    alike = tuple(
        known for known in among if known[:1] == word[0] and abs(len(known) - len(word)) < 3
    )
    return word if word in alike else _near(word, alike) or word


def nearest_name(text: str, names: Sequence[str]) -> str:
    """Return the name of which most words stand in a text, slips allowed; empty for none."""
    said = set(word_key(text))
    small = current_language().stop_words
    best, most = "", 0.0
    for name in names:
        own = [word for word in word_key(name) if word not in small]
        meant = {nearest_word(word, own) for word in said}
        share = len(meant & set(own)) + len(meant & set(own)) / (1 + len(own))
        best, most = (name, share) if share > most else (best, most)
    return best
