"""What ties the service to the reactor of the process that it runs in."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet import reactor


def later(seconds: float, call: Callable[[], None]) -> None:
    """Run something in a later step of the reactor."""
    reactor.callLater(seconds, call)  # type: ignore[attr-defined]


def reactor_runs() -> bool:
    """Is this the running server, and no shell or management command beside it?"""
    return bool(reactor.running)  # type: ignore[attr-defined]
