"""What `ai` says of money: what was spent, by whom and for what, and what may be today."""

from __future__ import annotations

from collections.abc import Iterator

from ai_assistant.api.desk.money import DAYS, CapRow, Money, MoneyRow, money
from ai_assistant.commands.command_base import AICommand, number_in, switch
from ai_assistant.commands.records.ai_calls import dollars

CAPS_COUNT = (
    "Of a call that failed, what it may have cost counts here, and a second try as another call; "
    "the offline model's count towards no cap."
)
"""What the caps count that the sums do not."""


class MoneyVerbs(AICommand):
    """
    The switch money of the command `ai`.

    """

    @switch("money", takes=1)
    def _money(self) -> None:
        days, _, page = (self.lhs or "").partition(" ")
        found = money(number_in(days or None, DAYS), number_in(page or None, 1))
        found.addCallback(lambda seen: self.show("\n".join(self._tables(seen)).rstrip()))
        found.addErrback(self.failed)

    def _tables(self, seen: Money) -> Iterator[str]:
        days = [row for row in reversed(seen.days) if row.calls]
        for title, rows in {"day": days, **seen.tables}.items():
            if rows:
                titles = (title.capitalize(), "Calls", "Tokens", "Dollars")
                yield self.table(titles, [(row.name, *figures(row)) for row in rows]) + "\n"
        if not days:
            yield f"No model call of the last {len(seen.days)} days is on record.\n"
        else:
            yield "Calls of the offline model cost nothing.\n"
        yield self.table(("Today, of its cap", "Calls", "Tokens"), map(_cap, seen.caps)) + "\n"
        yield f"{CAPS_COUNT}\n"
        if seen.has_more:
            yield "There are more: ai/money 30 2 shows the second page.\n"
        prices = [
            (
                model.name,
                model.model,
                f"{model.window:,}" if model.window else "unknown",
                "unknown" if model.price is None else f"${model.price:.2f}",
            )
            for model in seen.profiles
        ]
        if prices:
            yield self.table(("Profile", "Model", "Reads", "1000 turns"), prices)


def figures(row: MoneyRow) -> tuple[str, str, str]:
    """Return calls, tokens and dollars of a row, as people read them."""
    unknown = f" + {row.unpriced} unpriced" if row.unpriced else ""
    return f"{row.calls:,}", f"{row.tokens:,}", f"{dollars(row.price)}{unknown}"


def _cap(row: CapRow) -> tuple[str, str, str]:
    return (
        row.name,
        f"{row.calls:,} of {row.most_calls:,}",
        f"{row.tokens:,} of {row.most_tokens:,}",
    )
