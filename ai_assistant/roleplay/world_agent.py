"""The World Agent's judgement: each utterance is judged once, by the last lines of its place.

It holds no memories, so nothing can be learnt from it; what it decides travels with the event and
is stored with the turn that saves it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import DIRECT, Json
from ai_assistant.roleplay.participants import (
    EXCHANGE_LINES,
    FloorLine,
    Judgement,
    Present,
    Utterance,
    determine,
)
from ai_assistant.roleplay.scene import GAME

KEY = "scene"
"""Where an event's metadata keeps the decision."""
_MOST_DECISIONS = 2000
_MOST_PLACES = 2000
_MOST_LINES = 4 * EXCHANGE_LINES
"""Several scenes may be played in one place."""
_MOST_OPEN = 100

Bound = Callable[[], Sequence[Present]]
"""Asks the game who could hear an utterance."""


class WorldAgent:
    """Decides who took part in what is said, in every scene and place of one process."""

    def __init__(self) -> None:
        self.decided: dict[tuple[str, str], Json] = {}
        """What was decided on the latest lines, by scene and line."""
        self._stored: dict[tuple[str, str], None] = {}
        self._first: dict[str, Judgement] = {}
        self._floors: dict[str, dict[str, FloorLine]] = {}
        self._open: deque[tuple[str, str]] = deque(maxlen=_MOST_OPEN)

    def judge(self, session: str, place: str, said: Utterance, bound: Bound) -> Json:
        """Return the decision on an utterance as JSON; the first call decides, all others read.

        `bound` is asked once; who is `apart` or `missed` it counts for the rules alone. What
        was said to some in private comes from each of them alone, so there each hearer has a
        decision of its own; they are joined where they are stored. A line that several scenes hear
        is for the same people in each of them.
        """
        key, is_private = (session, said.event), said.kind in DIRECT
        if not is_private and (decided := self.decided.get(key)):
            return decided
        everybody = [present for present in bound() if present.id != said.speaker.id]
        floor = self._floors.pop(place, {})
        judged = self._first.get(said.event)
        if judged is None:
            # members talk with bystanders too, and not with other scenes; bystanders hear all
            known = {session, GAME}
            lines = [line for line in floor.values() if session == GAME or line.sessions & known]
            judged = determine(said, everybody, lines)
        hearers = [present for present in everybody if not (present.apart or present.missed)]
        if not is_private:
            self._first[said.event] = judged
            group = frozenset(found.id for found in judged.participants if judged.sure)
            floor.setdefault(said.event, FloorLine(group, said.at)).sessions.add(session)
            self._open.append(key)
        own = {said.speaker.id, *(present.id for present in hearers)}
        took_part = tuple(found for found in judged.participants if found.id in own)
        decided = as_json(replace(judged, participants=took_part), said.speaker, hearers)
        self.decided[key], self._floors[place] = decided, floor
        forget_oldest(self.decided, _MOST_DECISIONS)
        forget_oldest(self._first, _MOST_DECISIONS)
        forget_oldest(self._floors, _MOST_PLACES)
        forget_oldest(floor, _MOST_LINES)
        return decided

    def take_back(self, event: str) -> None:
        """Forget what was decided on an utterance that was not made after all."""
        self._first.pop(event, None)
        for key in [key for key in self.decided if key[1] == event]:
            del self.decided[key]
        for floor in self._floors.values():
            floor.pop(event, None)

    def stored(self, session: str, event: str, decision: Mapping[str, Any]) -> None:
        """Take in that a line stands in the world's record with that decision.

        What somebody kept who was alone with the line is not all of it.
        """
        known = self.decided.get((session, event))
        if known is not None and known["participants"] is decision["participants"]:
            self._stored[session, event] = None
            forget_oldest(self._stored, _MOST_DECISIONS)

    def is_stored(self, session: str, event: str, kind: str) -> bool:
        """Does the world's record hold all of a line, whoever else heard it?"""
        return kind not in DIRECT and (session, event) in self._stored

    def knows(self, session: str, event: str) -> bool:
        """Was that line judged in that scene already?"""
        return (session, event) in self.decided

    def missed(self, session: str, event: str, who: Collection[str]) -> None:
        """Let those who have not saved a line yet know who did not receive it after all."""
        known = self.decided.get((session, event))
        if known is not None:
            took_part, hearers = known["participants"], known["hearers"]
            took_part[:] = [found for found in took_part if found["id"] not in who]
            hearers[:] = [hearer for hearer in hearers if hearer not in who]

    def open_for(self, who: str) -> list[tuple[str, str]]:
        """Return the (session, event) of lines that one was near, and no model has looked at."""
        near = []
        for key in self._open:
            known = self.decided.get(key, {"hearers": (), "participants": ()})
            if who in (*known["hearers"], *(found["id"] for found in known["participants"])):
                near.append(key)
        return near

    def close(self, session: str, event: str) -> None:
        """No model needs to look at that line any more."""
        if (session, event) in self._open:
            self._open.remove((session, event))

    def refined(
        self, session: str, event: str, participants: Sequence[Json], by: str = "model"
    ) -> None:
        """Let those who have not saved a line yet follow what a model or staff found.

        The list is the one that travels with their events.
        """
        known = self.decided.get((session, event))
        if known is not None:
            known["participants"][:] = participants
            known["by"] = by


def forget_oldest(kept: dict[Any, Any], most: int) -> None:
    """Let the oldest of what is kept in memory go, down to so many."""
    while len(kept) > most:
        del kept[next(iter(kept))]


def as_json(judged: Judgement, speaker: Present, hearers: Sequence[Present]) -> Json:
    """Return a decision as it travels with the event: ids, never names."""
    unseen: dict[str, list[str]] = {}
    for hearer in hearers:
        for looker in sorted(hearer.unseen_by):
            unseen.setdefault(looker, []).append(hearer.id)
    return {
        "participants": [
            {"id": found.id, "confidence": found.confidence, "rule": found.rule}
            for found in judged.participants
        ],
        "hearers": [hearer.id for hearer in hearers],
        "hidden": [hearer.id for hearer in hearers if hearer.hidden],
        "unseen": unseen,
        "bodies": [present.id for present in (speaker, *hearers) if not present.has_mind],
        "sure": judged.sure,
        "by": judged.by,
    }


def took_part(decision: Mapping[str, Any] | None, who: str) -> bool:
    """Did that one take part? Where nobody decided, whoever heard it did."""
    return decision is None or who in [found["id"] for found in decision["participants"]]
