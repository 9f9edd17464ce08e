"""Who missed a line of a scene, and why: had not joined yet, had left, or could not hear it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ai_assistant.core.contracts import Json
from ai_assistant.storage.history.past import audit_log
from ai_assistant.storage.statements import refusals

JOINED, LEFT = "SceneJoined", "SceneLeft"
NOT_YET, GONE, UNHEARD = "had not joined yet", "had left", "was out of hearing"
MOST = 2000
"""So many of the newest comings and goings are read."""


class Attendance:
    """When the members of a scene came and went, by its log."""

    def __init__(self, session: str) -> None:
        """Read it; of the game itself there is none."""
        self._moves = defaultdict[str, list[tuple[float, str]]](list)
        log = audit_log(f"scene:{session}", with_states=False)
        found = log.filter(type__in=(JOINED, LEFT)).order_by("-seq")
        with refusals():
            rows = list(found.values_list("at", "type", "data")[:MOST]) if session else []
        for at, type, data in reversed(rows):
            self._moves[data["who"]].append((at, type))

    def why_missed(self, who: str, at: float) -> str:
        """Return why somebody missed what was said at that time."""
        moves = self._moves[who]
        before = [type for when, type in moves if when <= at]
        if before:
            return GONE if before[-1] == LEFT else UNHEARD
        return NOT_YET if moves else UNHEARD

    def missed(self, decision: Json, among: Iterable[str]) -> dict[str, str]:
        """Return who of some missed a line, each with why."""
        there = {who["id"] for who in decision["participants"]}
        there |= {*decision["hearers"], decision["speaker"]}
        return {who: self.why_missed(who, decision["at"]) for who in among if who not in there}
