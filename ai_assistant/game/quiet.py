"""Quiet: staff silence one character, a room or all; it stands until they end it, over reloads."""

from __future__ import annotations

from typing import Any

from evennia.objects.models import ObjectDB
from evennia.server.models import ServerConfig

from ai_assistant.game.identity import CATEGORY

TAG = "quiet"
KEY = "ai_assistant_quiet"


class Quiet:
    """Knows who may neither speak nor act. Where all are to be quiet is read from disk once."""

    def __init__(self) -> None:
        self._everywhere: bool | None = None
        self._marked: set[int] | None = None

    def _is_marked(self, thing: Any) -> bool:
        """Does it bear the tag? Asked for every hearer: those that do are read once."""
        if self._marked is None:
            found = ObjectDB.objects.get_by_tag(TAG, category=CATEGORY)
            self._marked = {marked.pk for marked in found}
        return thing.pk in self._marked

    @property
    def everywhere(self) -> bool:
        """Are all characters of the game to be quiet?"""
        if self._everywhere is None:
            self._everywhere = bool(ServerConfig.objects.conf(KEY))
        return self._everywhere

    def reason(self, character: Any) -> str:
        """Return what keeps that one quiet: ``game``, ``room`` or ``one``; empty for nothing."""
        room = character.location
        if self.everywhere:
            return "game"
        if room is not None and self._is_marked(room):
            return "room"
        return "one" if self._is_marked(character) else ""

    def begin(self, what: Any | None) -> None:
        """Let a character, all in a room, or everybody (None) be quiet."""
        if what is None:
            ServerConfig.objects.conf(KEY, True)
            self._everywhere = True
        else:
            what.tags.add(TAG, category=CATEGORY)
            self._marked = None

    def end(self, what: Any | None) -> None:
        """Take that back."""
        if what is None:
            ServerConfig.objects.conf(KEY, delete=True)
            self._everywhere = False
        else:
            what.tags.remove(TAG, category=CATEGORY)
            self._marked = None

    def forget(self) -> None:
        """Read it from disk again when it is next asked for."""
        self._everywhere = self._marked = None


QUIET = Quiet()
