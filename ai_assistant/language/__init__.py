"""All that knows a language: one data file for each, and the one that the game speaks.

Nothing outside this package holds a word that anybody says. `docs/languages.md` tells how to
add a language.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from ai_assistant.language.loading import Language, known, load

__all__ = ["Language", "current", "forget_texts", "keeps_texts", "known", "language", "use"]


class _Cached(Protocol):
    """A function that remembers what it was asked, such as `functools.lru_cache` makes."""

    def cache_clear(self) -> None: ...


_Function = TypeVar("_Function", bound=_Cached)

DEFAULT = "en"
_loaded: dict[str, Language] = {}
_chosen: list[Language] = []
_caches: list[_Cached] = []
"""Every cache that holds words of texts."""


def language(code: str = "") -> Language:
    """Return a language by its code, or by the path of its data file; the game's own for none.

    Raises `ConfigurationError` where there is none of that name, or its file is wrong.
    """
    if not code:
        return current()
    if code not in _loaded:
        _loaded[code] = load(code)
    return _loaded[code]


def current() -> Language:
    """Return the language that the game speaks."""
    if not _chosen:
        _chosen.append(language(DEFAULT))
    return _chosen[0]


def keeps_texts(function: _Function) -> _Function:
    """Register a cached function that keeps words of texts: a decorator above the cache's own."""
    _caches.append(function)
    return function


def forget_texts() -> None:
    """Empty every cache that holds words of texts."""
    for function in _caches:
        function.cache_clear()


def use(code: str) -> None:
    """Choose the game's language, once at start, before anything is read in it."""
    _chosen[:] = [language(code)]
    forget_texts()
