"""Moderation: a function of the game's own sees a model's words before anybody reads them."""

from __future__ import annotations

from typing import Any

from django.utils.module_loading import import_string

from ai_assistant import conf
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.game.log import report


def moderate(text: str, speaker: Any, hearers: list[Any], lines: int = 1) -> tuple[str, str]:
    """Return words as they may be said, and why they may not be said at all; one is empty.

    The function that ``AI_ASSISTANT_MODERATION`` names gets the words, the speaker and those who
    would hear them (objects, or the channel). It returns the words, other words, or None to drop
    them. If it raises, they are dropped, and the log says so.
    """
    path = conf.settings.MODERATION
    if not path:
        return text, ""
    try:
        allowed = import_string(path)
    except ImportError:  # the start told of it
        return "", "the game's moderation cannot be loaded"
    try:
        said = allowed(text, speaker, hearers)
        if not isinstance(said, str | None):
            raise TypeError(f"It returned {type(said).__name__}, neither words nor None.")
    except Exception as error:
        report("AI_ASSISTANT_MODERATION", error)
        return "", "the game's moderation failed"
    if said is None:
        return "", "the game's moderation dropped it"
    return (text if said == text else clean(said, SPEECH_LIMIT, lines)), ""
