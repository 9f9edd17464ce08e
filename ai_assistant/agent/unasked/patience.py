"""Patience: how much players still let assistants say unasked, counted by room and by player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import Audience
from ai_assistant.core.times import HOUR, epoch, iso
from ai_assistant.memory.parts import Part

MAX_SPOKEN = 40
"""Things said unasked that an assistant keeps."""


@dataclass(slots=True, eq=False)
class _UnaskedLine:
    """Something said unasked at a time (seconds since the epoch), and who was there."""

    place: str
    heard: Audience
    at: float
    answered: bool


class Patience:
    """Everything that the assistants of a game lately said unasked, as far as it still counts.

    In one place the assistants share the players' patience: a second one does not say what the
    first may not. Towards one player each assistant has a patience of its own, wherever they meet.
    """

    def __init__(self) -> None:
        self._by: dict[str, list[_UnaskedLine]] = {}
        self._at: dict[str, list[_UnaskedLine]] = defaultdict(list)

    def restore(self, speaker: str, state: Json) -> None:
        """Take over what the part `patience` of an assistant holds."""
        for spoken in self._by.pop(speaker, ()):
            self._at[spoken.place].remove(spoken)
        for item in state["spoken"]:
            heard, at = frozenset(item["heard"]), epoch(item["timestamp"])
            self.spoke(speaker, item["place"], heard, at, answered=item["answered"])

    def spoke(
        self, speaker: str, place: str, heard: Audience, at: float, *, answered: bool = False
    ) -> None:
        """Count something said unasked before these players."""
        spoken, own = _UnaskedLine(place, heard, at, answered), self._by.setdefault(speaker, [])
        own.append(spoken)
        self._at[place].append(spoken)
        if len(own) > MAX_SPOKEN:
            self._at[own[0].place].remove(own.pop(0))

    def answered(self, speaker: str, who: str, place: str) -> bool:
        """Somebody turned to this assistant: patience is restored. Was anything unanswered?"""
        waiting = [
            spoken
            for spoken in (*self._at.get(place, ()), *self._by.get(speaker, ()))
            if not spoken.answered and (spoken.place == place or who in spoken.heard)
        ]
        for spoken in waiting:
            spoken.answered = True
        return bool(waiting)

    def allows(self, speaker: str, place: str, heard: Audience, *, most: int, now: float) -> bool:
        """May it speak unasked before these players: `most` times an hour, never twice in a row?"""
        here = self._at.get(place, ())
        if sum(now - spoken.at < HOUR for spoken in here) >= most:
            return False
        mine = self._by.get(speaker, ())
        if any(not spoken.answered and spoken.heard & heard for spoken in (*here, *mine)):
            return False
        recent = [spoken.heard for spoken in mine if now - spoken.at < HOUR]
        return all(sum(who in known for known in recent) < most for who in heard)


def spoke(patience: Json, *, place: str, heard: Sequence[str], at: float) -> None:
    """Note that it spoke unasked; `heard` are the ids of the players who were there."""
    entry = {"place": place, "heard": list(heard), "timestamp": iso(at), "answered": False}
    patience["spoken"] = [*patience["spoken"], entry][-MAX_SPOKEN:]


def answered(patience: Json, *, who: str, place: str) -> None:
    """Note that somebody turned to it: what was said there, or to them anywhere, is answered."""
    for entry in patience["spoken"]:
        if entry["place"] == place or who in entry["heard"]:
            entry["answered"] = True


PATIENCE = Part(
    name="patience",
    attribute="patience",
    where="script",
    shape={"spoken": []},
    steps={"spoke": spoke, "answered": answered},
)
