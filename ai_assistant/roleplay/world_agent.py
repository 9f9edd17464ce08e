"""The World Agent's judgement: each utterance is judged once, by the last lines of its place.

It holds no memories, so nothing can be learnt from it; what it decides travels with the event and
is stored with the turn that saves it.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.participants import (
    EXCHANGE_LINES,
    PRIVATE,
    Decision,
    Line,
    Present,
    Utterance,
    determine,
)
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


KEY = "scene"
"""Where an event's metadata keeps the decision."""
_MOST_DECISIONS = 2000
_MOST_OPEN = 100

Bound = Callable[[], Sequence[Present]]
"""Asks the game who could hear an utterance."""


class WorldAgent:
    """Decides who took part in what is said, in every scene and place of one process."""

    def __init__(self) -> None:
        self._decided: OrderedDict[tuple[str, str], Json] = OrderedDict()
        self._first: OrderedDict[str, Decision] = OrderedDict()
        self._floors = Floors()
        self._open: deque[tuple[str, str]] = deque(maxlen=_MOST_OPEN)

    def judge(self, session: str, place: str, said: Utterance, bound: Bound) -> Json:
        """Return the decision on an utterance as JSON; the first call decides, all others read.

        `bound` is asked once; who is `apart` or `missed` it counts for the rules alone. What
        was said to some in private comes from each of them alone, so there each hearer has a
        decision of its own; they are joined where they are stored. A line that several scenes hear
        is for the same people in each of them.
        """
        key = (session, said.event)
        known = self.known(*key, said.kind)
        if known is not None:
            return known
        everybody = [one for one in bound() if one.id != said.speaker.id]
        decision = self._first.get(said.event)
        if decision is None:
            decision = determine(said, everybody, self._floors.lately(session, place))
        group = frozenset(decision.ids) if decision.sure else frozenset()
        hearers = [one for one in everybody if not (one.apart or one.missed)]
        if said.kind not in PRIVATE:
            self._first[said.event] = decision
            line = Line(said.speaker.id, group, said.at)
            self._floors.add(session, place, said.event, line)
            self._open.append(key)
        own = decision.within({said.speaker.id, *(one.id for one in hearers)})
        found = self._decided[key] = as_json(own, said.speaker, hearers)
        for kept in (self._decided, self._first):
            while len(kept) > _MOST_DECISIONS:
                kept.popitem(last=False)
        return found

    def known(self, session: str, event: str, kind: str) -> Json | None:
        """Return the decision on an utterance, if there is one that holds for all its hearers."""
        return None if kind in PRIVATE else self._decided.get((session, event))

    def knows(self, session: str, event: str) -> bool:
        """Was that line judged in that scene already?"""
        return (session, event) in self._decided

    def missed(self, session: str, event: str, who: Collection[str]) -> None:
        """Let those who have not saved a line yet know who did not receive it after all."""
        known = self._decided.get((session, event))
        if known is not None:
            known["participants"][:] = [
                one for one in known["participants"] if one["id"] not in who
            ]
            known["hearers"][:] = [one for one in known["hearers"] if one not in who]

    def open_for(self, who: str) -> list[tuple[str, str]]:
        """Return the (session, event) of lines that one was near, and no model has looked at."""
        near = (key for key in self._open if who in self._near(key))
        return list(near)

    def close(self, session: str, event: str) -> None:
        """No model needs to look at that line any more."""
        if (session, event) in self._open:
            self._open.remove((session, event))

    def refined(self, session: str, event: str, participants: Sequence[Json]) -> None:
        """Let those who have not saved a line yet follow what a model found.

        The list is the one that travels with their events.
        """
        known = self._decided.get((session, event))
        if known is not None:
            known["participants"][:] = participants
            known["by"] = "model"

    def _near(self, key: tuple[str, str]) -> set[str]:
        known = self._decided.get(key)
        if known is None:
            return set()
        return {*known["hearers"], *(one["id"] for one in known["participants"])}


def sketch(said: Utterance, hearer: Present) -> Json:
    """Return the decision on an utterance of which no more is known than that this one heard it."""
    return as_json(determine(said, [hearer]), said.speaker, [hearer])


def as_json(decision: Decision, speaker: Present, hearers: Sequence[Present]) -> Json:
    """Return a decision as it travels with the event: ids, never names."""
    everybody = (speaker, *hearers)
    unseen: dict[str, list[str]] = {}
    for one in hearers:
        for looker in sorted(one.unseen_by):
            unseen.setdefault(looker, []).append(one.id)
    return {
        "participants": [one.to_json() for one in decision.participants],
        "hearers": [one.id for one in hearers],
        "hidden": [one.id for one in hearers if one.hidden],
        "unseen": unseen,
        "bodies": [one.id for one in everybody if not one.has_mind],
        "sure": decision.sure,
        "by": decision.by,
    }


def took_part(decision: Mapping[str, Any] | None, who: str) -> bool:
    """Did that one take part? Where nobody decided, whoever heard it did."""
    return decision is None or any(one["id"] == who for one in decision["participants"])


def seen_participants(decision: Mapping[str, Any], by: str) -> list[str]:
    """Return the participants whom that one may know of: those whom it sees, and itself.

    Whom the speaker does not see, nobody else counts either.
    """
    hidden = {*decision["hidden"], *decision.get("unseen", {}).get(by, ())} - {by}
    return [one["id"] for one in decision["participants"] if one["id"] not in hidden]
