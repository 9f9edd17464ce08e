"""Purses: how much one player, and one address, may ask of the characters within a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

MOST_PURSES = 65_536
"""More than 200 assistants have players who talk before them: what is forgotten is full again."""
EXCUSE_PAUSE = 60.0
"""Seconds between two excuses to the same player."""
EXCUSED = "excused"
"""The rule of a line that gets an excuse instead of a model's answer."""
TOO_OFTEN, TOO_MUCH = "too_often", "too_much"
"""The rules of a line that gets none, and of one that is not even kept."""


@dataclass(slots=True)
class _Purse:
    left: float
    at: float
    paid: str = ""
    """The last line that was paid for: whoever else hears it need not be paid again."""
    excused: float = float("-inf")


class Purses:
    """Token buckets by name. What was taken grows back evenly, `size(name)` in `seconds`.

    A size of 0 is no limit. Those least used are forgotten beyond `MOST_PURSES`, as if full.
    """

    def __init__(
        self,
        monotonic: Callable[[], float],
        size: Callable[[str], float] = lambda name: 0,
        *,
        seconds: float = 60.0,
    ) -> None:
        self._monotonic = monotonic
        self._size = size
        self._seconds = seconds
        self._purses: OrderedDict[str, _Purse] = OrderedDict()

    def __len__(self) -> int:
        return len(self._purses)

    def take(self, names: Iterable[str], line: str = "", price: float = 1.0) -> float:
        """Take the price from each of these purses and return 0; or take nothing, and return the
        seconds until there is as much in each.

        `line` is the id of what it pays for, which is paid for once.
        """
        purses = {name: self._purse(name) for name in names if self._size(name) > 0}
        unpaid = {name: purse for name, purse in purses.items() if not line or purse.paid != line}
        lacking = [
            (price - purse.left) * self._seconds / self._size(name)
            for name, purse in unpaid.items()
            if purse.left < price
        ]
        if lacking:
            return max(lacking)
        for purse in unpaid.values():
            purse.left -= price
            purse.paid = line
        return 0.0

    def may_excuse(self, name: str) -> bool:
        """Is it time for another excuse to the owner of a purse? Once in `EXCUSE_PAUSE`."""
        purse = self._purse(name)
        if purse.at - purse.excused < EXCUSE_PAUSE:
            return False
        purse.excused = purse.at
        return True

    def _purse(self, name: str) -> _Purse:
        """Return a purse with what it holds by now."""
        size, now = float(self._size(name)), self._monotonic()
        purse = self._purses.setdefault(name, _Purse(size, now))
        self._purses.move_to_end(name)
        grown = max(0.0, now - purse.at) * size / self._seconds
        purse.left, purse.at = min(size, purse.left + grown), now
        while len(self._purses) > MOST_PURSES:
            self._purses.popitem(last=False)
        return purse
