"""Slices: long work, bit by bit, between which the game goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from twisted.internet.defer import Deferred

from ai_assistant.runtime.assembly import beside
from ai_assistant.runtime.service import SERVICE

T = TypeVar("T")
Slice = Callable[[], object] | None
"""None, or what takes too long for the reactor and is to be run on another thread."""


async def in_slices(steps: Iterator[Slice], done: Callable[[], object] | None = None) -> None:
    """Run slices one by one, each in its own step of the reactor, where that runs.

    `done` is called after each. Raises what a slice does.
    """
    in_server = SERVICE.in_server()
    if in_server:
        await _next_step()
    for aside in steps:
        if done is not None:
            done()
        if aside is not None:
            await beside(aside)
        if in_server:
            await _next_step()


def run_through(steps: Iterator[Slice]) -> None:
    """Run slices one after the other, where nobody plays meanwhile."""
    for aside in steps:
        if aside is not None:
            aside()


def _next_step() -> Deferred[None]:
    moment: Deferred[None] = Deferred()
    SERVICE.later(0, partial(moment.callback, None))
    return moment


def slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield a sequence in slices of so many items."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
