"""Searching: what the memory of an assistant holds of some words, for staff and for players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api.overview import running
from ai_assistant.core.errors import AssistantError
from ai_assistant.memory.search.recall import Found


def search(
    character: Any, words: str, most: int, allowed: Callable[[str], bool], **options: Any
) -> Deferred[list[Found]]:
    """Return what the memory of a running assistant holds of some words, where `allowed` may read.

    The character is shown what was said around it as well; people who search are not. `options`
    are those of `Index.search`. Raises `AssistantError` where the assistant does not run, and where
    a filter is none.
    """
    mind = running(character).mind

    async def fitting() -> list[Found]:
        try:
            found = await mind.recall.search(
                words, most, now=mind.clock.now(), allow=allowed, explain=True, **options
            )
        except ValueError as wrong:  # a filter that is none
            raise AssistantError(str(wrong)) from wrong
        return [own for own in found if own.hit.why.get("line") or own.hit.why.get("dense")]

    return Deferred.fromCoroutine(fitting())
