"""What `ai` shows: all assistants, how one of them is, and what it perceived and did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from ai_assistant.api.desk.money import prices_today
from ai_assistant.api.desk.ordering import SORTS, sorted_glances
from ai_assistant.api.overview import (
    Glance,
    OverviewRow,
    faults,
    glances,
    outages,
    status_lines,
    trouble,
)
from ai_assistant.api.past_states import time_in
from ai_assistant.api.turns.older_lines import lines_before
from ai_assistant.commands.command_base import AICommand, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.commands.shown import minute, private
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
from ai_assistant.core.times import epoch
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.game.quiet import QUIET
from ai_assistant.memory.talk.stream import MAX_ENTRIES
from ai_assistant.runtime.assembly import beside

HISTORY = 20
USAGE = "Today's calls and tokens; behind a +: the offline model's, which are free."
MORE = {"cost": ("Cost",), "last": ("Last line",), "errors": ("Last error",)}
"""The column that an order brings."""
TITLES = ("Name", "Place", "State", "Calls", "Tokens", "Model")


def _row(row: OverviewRow) -> tuple[object, ...]:
    waiting = f", {row.queue} waiting" if row.queue else ""
    free = (f" +{free}" if free else "" for free in (row.free, row.free_tokens))
    calls, tokens = map("{}{}".format, (row.calls, row.tokens), free)
    return row.name, row.place, f"{row.state}{waiting}", calls, tokens, row.model


def _more(glance: Glance, order: str, prices: Mapping[str, float | None]) -> str:
    """Return what an order goes by, where no other column has it."""
    match order:
        case "cost":
            return dollars(prices.get(glance.key, 0.0))
        case "last":
            return minute(glance.last["timestamp"]) if glance.last else ""
        case _:
            return glance.error


class LookVerbs(AICommand):
    """
    What the command `ai` shows without a switch, and its switches status and history.

    """

    @switch("")
    def _overview(self) -> None:
        order = (self.rhs or "").strip().lower()
        if (self.lhs and order) or (order and order not in SORTS):
            raise Misused
        if self.lhs:
            self._status(self.wanted(self.lhs))
            return
        if problem := trouble():
            self.msg(f"|rNo character can think: {problem}|n")
        for told in (*outages(), *faults()):
            self.msg(f"|r{as_it_stands(told)}|n")
        if QUIET.everywhere:
            self.msg(
                "|yAll characters were told to be quiet: ai/quiet all = end lets them speak.|n"
            )
        seen = [*chain(*glances())]
        if not seen:
            self.msg("There are no assistants yet. Make one: |wai/create <name> = <role>|n.")
            return
        self._listed(seen, order)

    def _listed(self, seen: Sequence[Glance], order: str) -> None:
        """Show them in an order, by name where it is empty, with what the order goes by."""
        prices = prices_today() if order == "cost" and not trouble() else {}
        models = {glance.row.model for glance in seen}
        titles = TITLES if len(models) > 1 else TITLES[:-1]
        same = [] if len(models) > 1 else [f"Model: {as_it_stands(*models)}."]
        more = MORE.get(order, ())
        rows = [
            (*_row(glance.row)[: len(titles)], *(_more(glance, order, prices) for _ in more))
            for glance in sorted_glances(seen, order or "name", prices)
        ]
        self.show((self.table((*titles, *more), rows), *same, USAGE))

    @switch("status", named=True, takes=1)
    def _status(self, character: Any) -> None:
        self.show(status_lines(character))

    @switch("history", named=True)
    def _history(self, character: Any) -> None:
        typed, _, before = (self.rhs or "").partition("before")
        count = number_in(typed.strip() or None, HISTORY)
        if not before:
            newest = character.stream.entries
            self._lines(character, count, len(newest) >= MAX_ENTRIES, newest)
            return
        at = time_in(before)

        def seen(entries: list[Json]) -> None:
            may_go_on = bool(entries) and epoch(entries[0]["timestamp"]) < at
            self._lines(character, count, may_go_on, entries)

        older = beside(lines_before, entity_id(character), at)
        older.addCallback(seen).addErrback(self.failed)

    def _lines(self, character: Any, count: int, may_go_on: bool, entries: Sequence[Json]) -> None:
        """Show the last of some lines, and how to see what came before them."""
        lines = [
            f"|x{minute(entry['timestamp'])}|n |c{entry['who']}|n [{entry['kind']}]"
            f"{private(entry['readers'])} {entry['content']}"
            for entry in entries[-count:]
        ]
        if lines and (may_go_on or len(entries) > count):
            since = entries[-count:][0]["timestamp"].rstrip("Z").replace("T", " ")
            older = f"ai/history {name_of(character)} = {count} before {since}"
            lines.insert(0, f"|xWhat came before: {older}|n")
        self.show(lines or f"{name_of(character)} has perceived nothing that is still known.")
