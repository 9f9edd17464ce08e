"""What goes on today, beside the state of each: what it is at, and what its model calls cost."""

from __future__ import annotations

import time

from ai_assistant.core.times import iso
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.calls.spending_rows import spending_by


def prices_today() -> dict[str, float | None]:
    """Return what the model calls of each cost today, in dollars, by lasting id; None: unknown."""
    rows = spending_by("assistant", iso(time.time())[:10])
    return {key: None if unpriced else price for key, _, _, price, unpriced in rows}


def doing(key: str) -> str:
    """Say what an assistant is at: whom it answers, or where it goes; empty for nothing."""
    resident = SERVICE.residents.get(key)
    if resident is None:
        return ""
    if resident.turn_id:
        whom = ", ".join(dict.fromkeys(event.source.name for event in resident.events))
        return f"answers {whom}" if whom else "acts of its own accord"
    goal = resident.idling.walker.goal
    return f"on its way: {goal['description']}" if goal else ""
