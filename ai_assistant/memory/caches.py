"""Caches: what reading a text leaves in memory, and how it is emptied when texts are forgotten."""

from __future__ import annotations

from ai_assistant.memory import clauses, lexicon, supersession, wording

_CACHED = (
    clauses.clauses,
    lexicon.stem,
    lexicon.meaning,
    lexicon.stem_set,
    lexicon.word_key,
    supersession.shared,
    wording.words_of,
)


def forget_texts() -> None:
    """Empty every cache that holds words of texts."""
    for cached in _CACHED:
        cached.cache_clear()
