"""What the page about money shows: as `ai/money` does."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from ai_assistant.api.desk.money import DAYS, Money, money
from ai_assistant.commands.command_base import number_in
from ai_assistant.commands.records.ai_money import figures
from ai_assistant.web.access import Context, Visitor
from ai_assistant.web.looks import Query


def money_page(visitor: Visitor, query: Query) -> Deferred[Context]:
    """Return what was spent in some days, what may be today, and what models cost."""
    days = number_in(query.get("days") or None, DAYS)
    return money(days).addCallback(lambda seen: _shown(seen, days))


def _shown(seen: Money, days: int) -> Context:
    by_day = {"day": [row for row in reversed(seen.days) if row.calls]}
    return {
        "days": days,
        "tables": [
            (title, [(row.name, *figures(row)) for row in rows])
            for title, rows in (by_day | seen.tables).items()
            if rows
        ],
        "chart": [(row.name, row.tokens, row.price) for row in seen.days],
        "caps": seen.caps,
        "profiles": seen.profiles,
    }
