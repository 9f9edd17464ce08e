"""Energy: every utterance of a person pays for all that follows from it, and no more.

What an assistant says mints nothing, so a conversation between assistants ends by arithmetic,
whatever they say and however many they are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

HUMAN_ENERGY = 12
MOST_OF_A_TICK = 4
MAX_ROOTS = 65_536
"""More than a full game says while a question may wait: 300 lines a second, three minutes."""


def tick_energy(urgency: int, calls_left: int) -> int:
    """Return how many model calls a turn that nobody asked for is worth.

    One for a goal of no urgency or for none, up to four for the most urgent; never more than the
    day leaves, but the one that was decided on.
    """
    return max(1, min(1 + urgency, MOST_OF_A_TICK, calls_left))


class Energy:
    """Model calls left per root event. The oldest roots are forgotten: they have none left."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, int] = OrderedDict()
        self._payers: dict[str, str] = {}

    def mint(self, root: str, amount: int, payer: str = "") -> None:
        """Give a new root its energy; a root that exists gets nothing more.

        `payer` is the player whose share of the day all that follows from it takes.
        """
        if root not in self._left:
            self._left[root] = amount
            if payer:
                self._payers[root] = payer
            while len(self._left) > MAX_ROOTS:
                oldest, _ = self._left.popitem(last=False)
                self._payers.pop(oldest, None)

    def payer(self, roots: Iterable[str]) -> str:
        """Return whose share is taken by what follows from these; empty where it is nobody's."""
        return next((self._payers[root] for root in roots if root in self._payers), "")

    def add(self, root: str, amount: int) -> None:
        """Add energy to a root that is known."""
        if root in self._left:
            self._left[root] += amount

    def left(self, root: str) -> int:
        """Return how many model calls this root still pays for."""
        return self._left.get(root, 0)

    def spend(self, roots: tuple[str, ...]) -> bool:
        """Take one call from the root that has most left; False when none has any."""
        if not roots:
            return False
        best = max(roots, key=self.left)
        if self.left(best) <= 0:
            return False
        self._left[best] -= 1
        return True
