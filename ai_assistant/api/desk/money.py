"""What the model calls cost: by day, character, player, job and profile; caps, and prices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.attention.budget import FREE, GAME, STAFF
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import DAY, iso
from ai_assistant.game.identity import find, person
from ai_assistant.game.stored_profiles import ProfileRow, known_profiles
from ai_assistant.llm.model_list import KnownModel, known_model
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.runtime import embedder, model_trials
from ai_assistant.runtime.assembly import beside
from ai_assistant.runtime.means import caps_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import ledgers
from ai_assistant.storage.calls.spending_rows import KEYS, SpendingSum, spending_by

DAYS, MOST_DAYS = 30, 400
"""Days that are looked back, today among them: if nothing else is said, and at most."""
LISTED = 20
"""Rows of a table on one page; the others stand in the last one, added up."""
REST = "all others"
GUESTS = "guests who left"
"""Whose accounts Evennia deletes as they go; together they are one row."""
_OWNERS = {
    GAME: "the whole game",
    STAFF: "staff, trying things out",
    embedder.OWNER: "embeddings",
    model_trials.OWNER: "tests of models",
}


@dataclass(frozen=True, slots=True)
class MoneyRow:
    """What one of them took."""

    name: str
    """The day, or who or what took it."""
    calls: int
    """Calls, those of the offline model included."""
    tokens: int
    """Sent and answered, as the providers counted them."""
    price: float
    """In dollars, as published."""
    unpriced: int
    """Calls of which nobody knows the price."""
    key: str = ""
    """What it is kept under, a lasting id where it is a character's or a player's; empty where the
    row is of several, or of nobody."""


@dataclass(frozen=True, slots=True)
class CapRow:
    """How far a cap of the day is used."""

    name: str
    """Whose."""
    calls: int
    """Made today."""
    most_calls: int
    """That may be made."""
    tokens: int
    """Taken today, or reserved."""
    most_tokens: int
    """That may be taken."""

    @property
    def share(self) -> float:
        """The larger of both shares; 1 where nothing may be made."""
        used = ((self.calls, self.most_calls), (self.tokens, self.most_tokens))
        return max(now / most if most else 1.0 for now, most in used)


@dataclass(frozen=True, slots=True)
class ProfilePrice:
    """What is published of the model of a profile."""

    name: str
    """The profile's."""
    model: str
    """With its provider."""
    window: int
    """Tokens that it takes at a time; 0: unknown."""
    price: float | None
    """Of a thousand typical turns, in dollars; None: unknown."""


@dataclass(frozen=True, slots=True)
class Money:
    """What was spent in some days, and what may be today."""

    days: list[MoneyRow]
    """Every day, the oldest first, those without a call too."""
    tables: dict[str, list[MoneyRow]]
    """By character, player, job and profile; the dearest first."""
    caps: list[CapRow]
    """The game's first, then whoever is nearest to theirs."""
    profiles: list[ProfilePrice]
    """All that the game has."""
    has_more: bool
    """Do tables or caps go on, on the next page?"""


def money(days: int = DAYS, page: int = 1) -> Deferred[Money]:
    """Return what was spent in so many days, today among them; of long tables one page.

    What waits is written first. It is read beside the reactor, which names it then. Raises
    `AssistantError` for days that cannot be; fails with `StoreError`.
    """
    if not 1 <= days <= MOST_DAYS:
        raise AssistantError(f"For how many days? From 1 to {MOST_DAYS}.")
    dates = [iso(time.time() - DAY * ago)[:10] for ago in reversed(range(days))]
    known = known_profiles()

    def read() -> tuple[dict[str, list[SpendingSum]], dict[str, tuple[int, int]], list[KnownModel]]:
        sums = {key: spending_by(key, dates[0]) for key in KEYS}
        published = _published(row.profile for row in known)
        return sums, ledgers.all_spent(dates[-1]), published

    def told(found: tuple[Any, ...]) -> Money:
        sums, today, published = found
        spent = {row[0]: row for row in sums["day"]}
        by_day = [MoneyRow(*spent.get(date, (date, 0, 0, 0.0, 0))) for date in dates]
        capped = {GAME: (0, 0), **{who: it for who, it in today.items() if not who.endswith(FREE)}}
        rows = {title: [*_rows(sums[key], name, page)] for title, (key, name) in _WAYS.items()}
        longest = max(len(capped), *(len(sums[key]) for key, _ in _WAYS.values()))
        prices = [_price(row, model) for row, model in zip(known, published, strict=True)]
        caps = [*_caps(capped, page)]
        return Money(by_day, rows, caps, prices, longest > page * LISTED)

    return SERVICE.shared.calls.write().addCallback(lambda _: beside(read)).addCallback(told)


def _rows(spent: list[SpendingSum], name: Callable[[str], str], page: int) -> Iterator[MoneyRow]:
    named: dict[str, list[SpendingSum]] = {}
    before, end = spent[: (page - 1) * LISTED], page * LISTED
    for row in spent[len(before) : end]:
        named.setdefault(name(row[0]), []).append(row)
    if named and (others := before + spent[end:]):
        named[REST] = others
    for title, rows in named.items():
        calls, tokens, price, unpriced = (sum(column) for column in [*zip(*rows, strict=True)][1:])
        key = rows[0][0] if len(rows) == 1 and title != REST else ""
        yield MoneyRow(title, calls, tokens, price, unpriced, key)


def _assistant(key: str) -> str:
    return _OWNERS.get(key) or person(key)


def _payer(key: str) -> str:
    if not key:
        return "nobody: on its own, or for staff"
    return person(key) if find(key) else GUESTS


_WAYS: dict[str, tuple[str, Callable[[str], str]]] = {
    "character": ("assistant", _assistant),
    "player": ("payer", _payer),
    "job": ("job", str),
    "profile": ("profile", str),
}
"""The title of each table, by which of `KEYS` it is told, and what names its rows."""


def _caps(spent: Mapping[str, tuple[int, int]], page: int) -> Iterator[CapRow]:
    rows = {
        owner: CapRow("", calls, caps_of(owner)[0], tokens, caps_of(owner)[1])
        for owner, (calls, tokens) in spent.items()
    }
    nearest = sorted(rows, key=lambda owner: (owner != GAME, -rows[owner].share))
    for owner in nearest[(page - 1) * LISTED : page * LISTED]:
        row = rows[owner]
        yield CapRow(_assistant(owner), row.calls, row.most_calls, row.tokens, row.most_tokens)


def _published(profiles: Iterable[Profile | None]) -> list[KnownModel]:
    return [
        known_model(profile) if profile and not profile.offline else KnownModel()
        for profile in profiles
    ]


def _price(row: ProfileRow, published: KnownModel) -> ProfilePrice:
    price = None if published.price is None else published.price * 1000
    return ProfilePrice(row.name, row.model, published.window, price)


def prices_today() -> dict[str, float | None]:
    """Return what the model calls of each cost today, in dollars, by lasting id; None: unknown."""
    rows = spending_by("assistant", iso(time.time())[:10])
    return {key: None if unpriced else price for key, _, _, price, unpriced in rows}
