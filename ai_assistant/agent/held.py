"""What a mind holds between turns: leases on what it does, and acts that wait for a yes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Leases:
    """What one body has in hand, each until a time of the steady clock."""

    _until: dict[str, float] = field(default_factory=dict)

    def take(self, what: str, until: float, now: float) -> None:
        """Hold a lease until then, and forget the ones that have lapsed."""
        kept = {one: end for one, end in self._until.items() if end > now}
        self._until = kept | {what: until}

    def drop(self, what: str) -> None:
        """Give a lease up."""
        self._until.pop(what, None)

    def holds(self, what: str, now: float) -> bool:
        """Is this leased?"""
        return self._until.get(what, now) > now


@dataclass(frozen=True, slots=True)
class Proposal:
    """An act that waits for a yes: what it is, where and before whom it was asked, and when."""

    act: str
    place: str
    readers: str
    turn_id: str
    until: float
