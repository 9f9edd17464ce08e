"""What is truly said of a model's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def spoken(text: str, *, name: str, handles: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return the words and the gestures."""
    return text.strip(), ()


def is_no_answer(text: str, prompt: Sequence[str]) -> bool:
    """Is this no answer?"""
    return not text.strip()
