"""The host: what hearing and the heartbeat ask of the service, which is above them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ai_assistant.core.contracts import Event
from ai_assistant.game.earshot import Lines

if TYPE_CHECKING:
    from ai_assistant.runtime.resident import Resident


class Host(Protocol):
    """Where residents live: their queue, their turns in it, and what is put off."""

    residents: dict[str, Resident]
    """Who runs here, by id."""
    lines: Lines
    """What was heard and waits for the end of the reactor's step."""

    def later(self, seconds: float, call: Callable[[], None]) -> Any:
        """Run something in a later step of the reactor."""

    def queue(self, resident: Resident, event: Event) -> None:
        """Let an event wait for its turn."""

    def halt(self, resident: Resident) -> Any:
        """Stop the turn that is under way."""

    def is_idle(self, who: str) -> bool:
        """Is nothing under way, and nothing waiting?"""

    def offer(self, who: str, *, night: bool = False) -> None:
        """Queue a turn unasked, or a piece of the night."""
