"""The pages on which the owner keeps the game going: health, settings, money, how one executes."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.config import find_option
from ai_assistant.api.desk.money import DAYS, Money, money
from ai_assistant.api.execution import execution_of
from ai_assistant.api.game_state import game_settings, health_reader
from ai_assistant.commands.command_base import number_in
from ai_assistant.commands.records.ai_money import figures
from ai_assistant.commands.shown import in_words
from ai_assistant.web.access import Context, PageContext, UrlQuery, Visitor


def health_page(visitor: Visitor, query: UrlQuery) -> PageContext:
    """Return outages, queue, waiting times, database, and what the doctor found."""
    look = health_reader()
    return lambda: {"seen": look()}


def settings_of_game(visitor: Visitor, query: UrlQuery) -> Context:
    """Return the settings of the game, with where each comes from."""
    word = query.get("q", "")
    rows = [(row, in_words(row.value)) for row in game_settings(word)]
    return {"rows": rows, "q": word}


def execution_page(character: Any, query: UrlQuery) -> Context:
    """Return how one assistant executes, and what is set about it."""
    found = execution_of(character)
    options = [
        (key, in_words(value), is_set, find_option(key).about)
        for key, value, is_set in found.options
    ]
    return {"state": found.state, "options": options, "is_stopped": found.is_stopped}


def money_page(visitor: Visitor, query: UrlQuery) -> Deferred[Context]:
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
