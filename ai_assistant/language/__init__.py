"""All that knows a language: one data file for each, and the one that the game speaks.

Nothing outside this package holds a word that anybody says. `docs/languages.md` tells how to
add a language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

from ai_assistant.language.language_record import Language
from ai_assistant.language.loading import known_languages, load_language

__all__ = [
    "Language",
    "current_language",
    "forget_texts",
    "keeps_texts",
    "known_languages",
    "language_of",
    "use",
]

DEFAULT = "en"
_P = ParamSpec("_P")
_T = TypeVar("_T")
_chosen: list[Language] = []
_emptied: list[Callable[[], None]] = []
"""What empties each cache that holds words of texts."""


def language_of(code: str = "") -> Language:
    """Return a language by its code, or by the path of its data file; the game's own for none.

    Raises `ConfigurationError` where there is none of that name, or its file is wrong.
    """
    return load_language(code) if code else current_language()


def current_language() -> Language:
    """Return the language that the game speaks."""
    if not _chosen:
        _chosen.append(load_language(DEFAULT))
    return _chosen[0]


def keeps_texts(most: int) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Make a function remember so many results until texts are forgotten, or another language."""

    def remembering(function: Callable[_P, _T]) -> Callable[_P, _T]:
        cached = lru_cache(maxsize=most)(function)
        _emptied.append(cached.cache_clear)
        return cast("Callable[_P, _T]", cached)

    return remembering


def forget_texts() -> None:
    """Empty every cache that holds words of texts."""
    for empty in _emptied:
        empty()


def use(code: str) -> None:
    """Choose the game's language, once at start, before anything is read in it."""
    _chosen[:] = [language_of(code)]
    forget_texts()
