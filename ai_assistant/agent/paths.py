"""Paths: finding a way from place to place, a few places at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

MOST_PLACES = 400
"""A way that would lead past so many places is not looked for any further."""


class Search:
    """A breadth-first search for the shortest way, which may pause after any place.

    `blocked` are steps (from, to) that were tried in vain. Once it is `over`, `way` holds the
    places to go through, the goal last; it is empty where there is no way.
    """

    def __init__(self, start: str, goal: str, blocked: Iterable[tuple[str, str]] = ()) -> None:
        self.start = start
        self.goal = goal
        self.way: list[str] = []
        self.over = start == goal
        self._blocked = frozenset(blocked)
        self._before = {start: ""}
        self._open = deque([start])

    def look(self, neighbours: Callable[[str], Iterable[str]], places: int) -> None:
        """Look at so many more places; `neighbours` lists those next to one."""
        for _ in range(places):
            if self.over or not self._open or len(self._before) > MOST_PLACES:
                self.over = True
                return
            self._look_around(self._open.popleft(), neighbours)

    def _look_around(self, place: str, neighbours: Callable[[str], Iterable[str]]) -> None:
        for near in neighbours(place):
            if near in self._before or (place, near) in self._blocked:
                continue
            self._before[near] = place
            self._open.append(near)
            if near == self.goal:
                self.over = True
                self.way = self._traced()
                return

    def _traced(self) -> list[str]:
        places = [self.goal]
        while self._before[places[-1]] != self.start:
            places.append(self._before[places[-1]])
        return places[::-1]
