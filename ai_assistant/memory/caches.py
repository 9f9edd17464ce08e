"""Caches: what reading a text leaves in memory, and how it is emptied when texts are forgotten."""

from __future__ import annotations

from ai_assistant.language import reader, words


def forget_texts() -> None:
    """Empty every cache that holds words of texts."""
    words.forget_texts()
    reader.read.cache_clear()
