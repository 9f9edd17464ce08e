"""Money: the worst case of a call is reserved on disk before it, and settled after it.

A call whose outcome stays unknown keeps its whole reservation, so spending never passes a cap,
not even across a crash; and so does one of which the provider reports nothing that can be.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ai_assistant.core.errors import BudgetExhausted, ModelError
from ai_assistant.core.model_records import TokenUsage
from ai_assistant.core.ports import Clock, SpendingBook
from ai_assistant.core.times import iso

GAME = ""
STAFF = "staff"
"""The owner to whom it is charged what staff try out."""
FREE = "+offline"
"""Behind an owner: what was done at no cost, which counts towards no cap."""
OWN_MET = "This assistant's daily cap is reached; it starts anew at midnight."
STAFFS_MET = "The daily cap of what staff try out is reached; it starts anew at midnight."
GAMES_MET = "The game's daily cap is reached; it starts anew at midnight."
SHARE_MET = "One player's share of the day, or one address's, is used up until midnight."
TRIES_SHARE = 0.1
"""Of all calls so many may be second tries,"""
MOST_TRIES = 10.0
"""and so many in a row, however long all went well before."""
Caps = tuple[int, int]
"""(calls, tokens) a day."""
Finish = Callable[[Callable[[], object]], object]
_Limits = dict[str, tuple[str, Caps]]
"""What a call is counted by: name in the book → what is told when that is met, and its caps."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """What was set aside for one call."""

    day: str
    """The day that is charged, as in 2026-01-31, UTC."""
    owners: tuple[str, ...]
    """The names in the book that are charged; the first is the assistant's."""
    tokens: int
    """The most that the call may take."""


class TodaysSpending:
    """What each assistant and the game have spent, and may. A day begins at midnight UTC."""

    def __init__(self, book: SpendingBook, clock: Clock, caps_of: Callable[[str], Caps]) -> None:
        """`caps_of(owner)` returns the caps of an assistant, or of the game for ``""``."""
        self._book = book
        self._clock = clock
        self.caps = caps_of

    def spent(self, owner: str) -> tuple[int, int]:
        """Return (calls, tokens) of today."""
        return self._book.spent(iso(self._clock.now())[:10], owner)[0]

    def spent_by(self, owners: Sequence[str]) -> list[tuple[int, int, int, int]]:
        """Return (calls, tokens, both at no cost) of today of each owner, by one query."""
        day, free = iso(self._clock.now())[:10], [f"{owner}{FREE}" for owner in owners]
        found = self._book.spent(day, *owners, *free) if owners else []
        pairs = zip(found, found[len(owners) :], strict=False)
        return [counted + gratis for counted, gratis in pairs]

    def share(self, owner: str) -> float:
        """Return which share of today's calls or tokens is spent: its own or the game's."""
        return max(
            used / most if most else 1.0
            for who in (owner, GAME)
            for used, most in zip(self.spent(who), self.caps(who), strict=True)
        )

    def calls_left(self, owner: str, share: float) -> int:
        """Return how many calls are left today of that share of a cap: its own or the game's."""
        return min(int(share * self.caps(who)[0]) - self.spent(who)[0] for who in (owner, GAME))


class Budget(TodaysSpending):
    """What may still be spent: each call is reserved, and settled, by what the day has left."""

    def __init__(
        self,
        book: SpendingBook,
        clock: Clock,
        caps_of: Callable[[str], Caps],
        shares_of: Callable[[str], Mapping[str, float]] = lambda payer: {payer: 1.0},
    ) -> None:
        """`shares_of(payer)` is what of the caps of an assistant, and of the game, may be used up
        by this player, and by any address of theirs, by name in the book."""
        super().__init__(book, clock, caps_of)
        self._shares_of = shares_of
        self._tries = 1.0
        self._spent: dict[tuple[str, str], str] = {}
        self.doubted: Counter[str] = Counter()
        """How many calls were booked at their worst case, by owner, since the start: of what they
        took nothing was said, or nothing that can be."""

    def reserve(self, owner: str, tokens: int, payer: str = "") -> Reservation:
        """Set aside one call of at most `tokens`; raises `BudgetExhausted` where a cap is met.

        `payer` is the player of whose shares of both days it takes; empty for nobody's.
        """
        day, own, games = iso(self._clock.now())[:10], self.caps(owner), self.caps(GAME)
        met = STAFFS_MET if owner == STAFF else OWN_MET
        limits = {owner: (met, own), GAME: (GAMES_MET, games)}
        for name, share in self._shares_of(payer).items() if payer else ():
            for who, (calls, most) in ((owner, own), (GAME, games)):
                part = math.ceil(min(1.0, share) * calls), math.ceil(min(1.0, share) * most)
                limits[f"{who}+{name}"] = (SHARE_MET, part)
        if not self._book.reserve(day, {who: caps for who, (_, caps) in limits.items()}, tokens):
            raise BudgetExhausted(self._met(day, limits, owner, tokens))
        self._tries = min(MOST_TRIES, self._tries + TRIES_SHARE)
        return Reservation(day, tuple(limits), tokens)

    def _met(self, day: str, limits: _Limits, owner: str, tokens: int) -> str:
        """Say which limit a call would have passed, and remember whose share it was."""
        for who, (calls, used) in zip(limits, self._book.spent(day, *limits), strict=True):
            told, (most_calls, most_tokens) = limits[who]
            if calls + 1 > most_calls or used + tokens > most_tokens:
                if who not in (owner, GAME):
                    self._spent = {pair: at for pair, at in self._spent.items() if at == day}
                    self._spent[owner, who.partition("+")[2]] = day
                return told
        return GAMES_MET  # somebody gave back what was lacking

    def is_spent(self, owner: str, names: Iterable[str]) -> bool:
        """Was a call refused today because one of these shares of an assistant's day is used up?"""
        day = iso(self._clock.now())[:10]
        return any(self._spent.get((owner, name)) == day for name in names)

    def may_try_again(self) -> bool:
        """Take one second try from those that the calls so far have earned; False: there is none.

        In a server's bad hour each call would be two; so it gets a tenth more, and no more.
        """
        if self._tries < 1:
            return False
        self._tries -= 1
        return True

    def settle(
        self, reservation: Reservation, usage: TokenUsage, finish: Finish = lambda write: write()
    ) -> TokenUsage:
        """Book what was really used, and return that; `finish` writes it, now or when it can.

        What is not known stays booked at the reservation, and so does what cannot be (the bill is
        ours to count): it is `absurd` then, and not known.
        """
        if usage.known and 0 < usage.total <= reservation.tokens:
            unused = reservation.tokens - usage.total
            finish(partial(self._book.spend, reservation.day, reservation.owners, 0, -unused))
            return usage
        self.doubted[reservation.owners[0]] += 1
        return TokenUsage(absurd=usage.known or usage.absurd)

    def fail(self, reservation: Reservation, error: ModelError, prompt: int) -> None:
        """Give back what a failed call cannot have cost; `prompt` is its prompt's size in tokens.

        One that cost nothing counts as no call: an outage must not eat up the day.
        """
        if error.charge == "nothing":
            self._spare(reservation, 0, calls=-1)
        elif error.charge == "prompt":
            self._spare(reservation, min(prompt, reservation.tokens))
        elif 0 < error.spent <= reservation.tokens:
            self._spare(reservation, error.spent)
        else:
            self.doubted[reservation.owners[0]] += 1

    def _spare(self, reservation: Reservation, used: int, calls: int = 0) -> None:
        self._book.spend(reservation.day, reservation.owners, calls, used - reservation.tokens)

    def count_free(self, owner: str, tokens: int) -> None:
        """Book a call that cost nothing, apart from all others."""
        day = iso(self._clock.now())[:10]
        self._book.spend(day, (f"{owner}{FREE}", f"{GAME}{FREE}"), 1, tokens)

    def within(self, owner: str, purpose: str, calls: int, share: float) -> bool:
        """Count calls for a purpose that may take a share of an owner's daily calls, and no more.

        False, and nothing is counted, where it would. The calls themselves are reserved as any.
        """
        day, name = iso(self._clock.now())[:10], f"{owner}+{purpose}"
        used = self._book.spent(day, name)[0][0]
        if used + calls > share * self.caps(owner)[0]:
            return False
        self._book.spend(day, (name,), calls, 0)
        return True
