"""Quiet: staff silence one character, a room or all, until they end it; reloads change nothing."""

from __future__ import annotations

from typing import Any

from evennia.objects.models import ObjectDB
from evennia.server.models import ServerConfig
from evennia.utils import logger

from ai_assistant.game.identity import CATEGORY, name_of

TAG = "quiet"
KEY = "ai_assistant_quiet"


class Quiet:
    """Knows who may neither speak nor act. Where all are to be quiet is read from disk once."""

    def __init__(self) -> None:
        self._everywhere: bool | None = None
        self._marked: set[int] | None = None
        """The keys of those that bear the tag; None where that is to be read."""

    def _read(self) -> None:
        """Read what is not known: it is asked for every hearer."""
        if self._everywhere is None:
            self._everywhere = bool(ServerConfig.objects.conf(KEY))
        if self._marked is None:
            found = ObjectDB.objects.get_by_tag(TAG, category=CATEGORY)
            self._marked = {marked.pk for marked in found}

    @property
    def everywhere(self) -> bool:
        """Are all characters of the game to be quiet?"""
        self._read()
        return bool(self._everywhere)

    def reason(self, character: Any) -> str:
        """Return what keeps a character quiet: ``game``, ``room`` or ``one``; empty for nothing."""
        if self._marked is None or self._everywhere is None:
            self._read()
        if self._everywhere:
            return "game"
        if not self._marked:
            return ""
        room = character.location
        is_here = room is not None and room.pk in self._marked
        return "room" if is_here else "one" if character.pk in self._marked else ""

    def begin(self, what: Any | None, by: str = "") -> None:
        """Silence a character, all in a room, or everybody (None); the log names who did (`by`)."""
        _log(what, "ordered", by)
        if what is None:
            ServerConfig.objects.conf(KEY, True)
            self._everywhere = True
        else:
            what.tags.add(TAG, category=CATEGORY)
            self._marked = None

    def end(self, what: Any | None, by: str = "") -> None:
        """End the silence of a character, a room, or everybody (None)."""
        _log(what, "ended", by)
        if what is None:
            ServerConfig.objects.conf(KEY, delete=True)
            self._everywhere = False
        else:
            what.tags.remove(TAG, category=CATEGORY)
            self._marked = None

    def forget(self) -> None:
        """Read from disk again at the next question."""
        self._everywhere = self._marked = None


def _log(what: Any | None, done: str, by: str) -> None:
    if by:
        whom = "every assistant of the game" if what is None else name_of(what)
        logger.log_sec(f"Assistants: {by} {done} the silence of {whom}.")


QUIET = Quiet()
