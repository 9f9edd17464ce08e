"""The pages on which the owner keeps the game going: health, settings, money, how one executes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from twisted.internet.defer import Deferred

from ai_assistant.agent.config import find_option
from ai_assistant.api.desk.money import DAYS, Money, MoneyRow, money
from ai_assistant.api.execution import execution_of
from ai_assistant.api.game_state import game_settings, health_reader
from ai_assistant.api.lifecycle import script_of
from ai_assistant.api.turns.turn_list import NamedBodies, named_assistants
from ai_assistant.commands.command_base import number_in
from ai_assistant.commands.records.ai_money import CAPS_COUNT, figures
from ai_assistant.commands.shown import MODES, in_words
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import find, name_of
from ai_assistant.web.access import Context, PageContext, UrlQuery, Visitor, number_asked


def health_page(visitor: Visitor, query: UrlQuery) -> PageContext:
    """Return outages, queue, waiting times, database, and what the doctor found."""
    look = health_reader()
    return lambda: {"seen": look()}


def settings_of_game(visitor: Visitor, query: UrlQuery) -> Context:
    """Return the settings of the game, with where each comes from."""
    word = query.get("q", "")
    rows = [(row, in_words(row.value)) for row in game_settings(word)]
    return {"rows": rows, "q": word}


def execution_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return how one assistant executes, and what is set about it."""
    found = execution_of(character)
    options = [
        (key, MODES.get(told := in_words(value), told), is_set, find_option(key).about)
        for key, value, is_set in found.options
    ]
    state = {"state": found.state, "is_stopped": found.is_stopped}
    return state | {"options": options, "is_enabled": bool(script_of(character).db.enabled)}


def money_page(visitor: Visitor, query: UrlQuery) -> Deferred[Context]:
    """Return what was spent in some days, what may be today, and what models cost."""
    days, page = number_in(query.get("days") or None, DAYS), number_asked(query, "page") or 1
    pages = {"days": days, "newer": page - 1, "caps_count": CAPS_COUNT}
    return money(days, page).addCallback(
        lambda seen: _shown(seen) | pages | {"older": page + 1 if seen.has_more else 0}
    )


def _whence(title: str, row: MoneyRow, bodies: NamedBodies) -> tuple[int, dict[str, Json]]:
    """Return of what a row is made: the number of an assistant, 0 for none, and lists of turns.

    Of each list what is asked for, by what to call it: a player has one for each character.
    """
    if title == "day":
        return 0, {f"turns of {row.name}": {"since": row.name, "until": row.name}}
    if title == "character" and row.key in bodies:
        number, name = bodies[row.key]
        return number, {f"turns of {name}": {"assistant": number}}
    account = find(row.key) if title == "player" else None
    played = Visitor(account).characters if account else []
    return 0, {f"turns with {name}": {"who": name} for name in map(name_of, played)}


def _money_row(title: str, row: MoneyRow, since: str, bodies: NamedBodies) -> tuple[Any, ...]:
    number, lists = _whence(title, row, bodies)
    asked = {
        words: urlencode({"since": since, "order": "cost"} | it) for words, it in lists.items()
    }
    return row.name, number, asked, *figures(row)


def _shown(seen: Money) -> Context:
    by_day, bodies = {"day": [row for row in reversed(seen.days) if row.calls]}, named_assistants()
    return {
        "tables": [
            (title, [_money_row(title, row, seen.days[0].name, bodies) for row in rows])
            for title, rows in (by_day | seen.tables).items()
            if rows
        ],
        "chart": [(row.name, row.tokens, row.price) for row in seen.days],
        "caps": seen.caps,
        "profiles": seen.profiles,
    }
