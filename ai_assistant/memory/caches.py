"""Caches: what reading a text leaves in memory, and how it is emptied when texts are forgotten."""

from __future__ import annotations

from ai_assistant.language import reader, words
from ai_assistant.memory import slots, wording


def forget_texts() -> None:
    """Empty every cache that holds words of texts."""
    words.forget_texts()
    reader.read.cache_clear()
    slots.slot_of.cache_clear()
    wording.words_of.cache_clear()
