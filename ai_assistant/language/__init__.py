"""All that knows a language: one data file for each, and the one that the game speaks.

Nothing outside this package holds a word that anybody says. `docs/languages.md` tells how to
add a language.
"""

from __future__ import annotations

from collections.abc import Callable

from ai_assistant.language.loading import Language, known, load

__all__ = ["Language", "current", "emptied_with_language", "known", "language", "use"]

DEFAULT = "en"
_loaded: dict[str, Language] = {}
_chosen: list[Language] = []
_caches: list[Callable[[], None]] = []


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


def emptied_with_language(empty: Callable[[], None]) -> Callable[[], None]:
    """Have a function that empties a cache called whenever a language is chosen."""
    _caches.append(empty)
    return empty


def use(code: str) -> None:
    """Choose the game's language, once at start, before anything is read in it."""
    _chosen[:] = [language(code)]
    for empty in _caches:
        empty()
