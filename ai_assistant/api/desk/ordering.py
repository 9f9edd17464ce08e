"""The order in which all assistants are listed, for the page of all and the command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any

from ai_assistant.api.overview import Glance
from ai_assistant.core.times import epoch

_WRONG = ("emergency", "resting", "without script", "not running")
_STILL = ("quiet", "stopped")


def _trouble(glance: Glance) -> int:
    """Return a lower number for who is worse off: errors, then quiet or stopped, then the rest."""
    state = glance.row.state
    if glance.error or "failed" in state or state.startswith(_WRONG):
        return 0
    return 1 if state.startswith(_STILL) else 2


SORTS: Mapping[str, Callable[[Glance, float], Any]] = {
    "room": lambda glance, price: glance.row.place.lower(),
    "name": lambda glance, price: glance.row.name.lower(),
    "errors": lambda glance, price: _trouble(glance),
    "last": lambda glance, price: -epoch(glance.last.get("timestamp", "")),
    "tokens": lambda glance, price: -glance.row.tokens,
    "cost": lambda glance, price: -price,
}
"""By what those are told apart that come first."""


def sorted_glances(
    seen: Iterable[Glance], order: str, prices: Mapping[str, float | None]
) -> list[Glance]:
    """Return assistants by one of `SORTS`, those that are alike in it by room and name.

    `prices` say by lasting id what each took today; one that nobody knows counts as the highest.
    """
    alike = sorted(seen, key=lambda glance: (glance.row.place.lower(), glance.row.name.lower()))

    def first(glance: Glance) -> Any:
        price = prices.get(glance.key, 0.0)
        return SORTS[order](glance, inf if price is None else price)

    return sorted(alike, key=first)
