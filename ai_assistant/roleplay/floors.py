"""Floors: the last lines of each place, from which a line without a name follows."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from ai_assistant.roleplay.participants import EXCHANGE_LINES, Line
from ai_assistant.roleplay.scene import GAME

_MOST_PLACES = 2000
_MOST_LINES = 4 * EXCHANGE_LINES
"""Several scenes may be played in one place."""


@dataclass(slots=True)
class _Heard:
    line: Line
    sessions: set[str] = field(default_factory=set)


class Floors:
    """What was said last in each place. A line that several scenes hear is one line."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, OrderedDict[str, _Heard]] = OrderedDict()

    def add(self, session: str, place: str, event: str, line: Line) -> None:
        """Keep a line that a scene heard, the first time or again."""
        floor = self._places.setdefault(place, OrderedDict())
        floor.setdefault(event, _Heard(line)).sessions.add(session)
        if len(floor) > _MOST_LINES:
            floor.popitem(last=False)
        self._places.move_to_end(place)
        while len(self._places) > _MOST_PLACES:
            self._places.popitem(last=False)

    def lately(self, session: str, place: str) -> list[Line]:
        """Return the last lines of a place that mean something to a scene, oldest first.

        Its members talk with bystanders too; what is said in other scenes tells them nothing. To
        bystanders it all belongs to the game.
        """
        known, floor = {session, GAME}, self._places.get(place, OrderedDict())
        lines = [one.line for one in floor.values() if session == GAME or one.sessions & known]
        return lines[-EXCHANGE_LINES:]
