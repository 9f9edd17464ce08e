"""What a program reads on behalf of a player: what the command `memories` shows, and no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ai_assistant.agent.attention.purses import Purses
from ai_assistant.api.ask import search_in
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.players.own_view import FOUND, TITLES, OwnView
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import known_id, name_of, unstyled
from ai_assistant.mcp.own_process import found_now, recall_of
from ai_assistant.runtime.means import lines_a_minute, pay
from ai_assistant.web.rest.api_endpoint import ApiCall, Endpoint, string, takes
from ai_assistant.web.rest.api_routes import ALL, ONE


class PlayerView:
    """What the characters hold about a player, of each of the player's own characters."""

    def __init__(self, selves: Callable[[], list[Any]]) -> None:
        """`selves()` returns the player's account and characters, as they are now."""
        self._selves = selves
        self._purses = Purses(time.monotonic, lines_a_minute)

    def table(self) -> tuple[Endpoint, ...]:
        """Return what there is to be read."""
        return (
            Endpoint("GET", ALL, self.list_assistants, CmdMemories),
            Endpoint("GET", ONE, self.about_me, CmdMemories),
            Endpoint("GET", f"{ONE}memories/", self.list_memories, CmdMemories),
        )

    def bodies(self) -> list[Any]:
        """Return the assistants that met or overheard one of them."""
        met = [body for view in self._views() for body, _ in _acquainted(view)]
        return list(dict.fromkeys(met))

    def list_assistants(self, call: ApiCall) -> Json:
        """Return which characters remember you, and how you stand to them."""
        return {
            name_of(view.looker): [dict(zip(TITLES, row, strict=True)) for row in view.rows()]
            for view in self._views()
            if _acquainted(view)
        }

    def about_me(self, call: ApiCall) -> Json:
        """Return what a character holds about you, as far as you may know of it."""
        return self._each(call.character, lambda view: view.held_by(call.character))

    @takes(q=string(400, help_text="Words to look for."))
    def list_memories(self, call: ApiCall) -> Json:
        """Return what a character remembers of some words, among what you said or is about you."""
        pay(self._purses, ["player"])  # before thousands of rows are read
        recall, words = recall_of(call.character), call.given["q"]

        def found(view: OwnView) -> list[str]:
            searches = (
                search_in(recall, words, FOUND, view.allowed, now=time.time(), where=where)
                for where in view.about_me
            )
            return view.found_lines(call.character, [found_now(search) for search in searches])

        return self._each(call.character, found)

    def _each(self, character: Any, lines: Callable[[OwnView], list[str]]) -> Json:
        """Return lines for each of the player's own characters that this one knows, by name."""
        return {
            name_of(view.looker): [unstyled(line) for line in lines(view)]
            for view in self._views()
            if any(body == character for body, _ in _acquainted(view))
        }

    def _views(self) -> list[OwnView]:
        return [OwnView(id, body) for body in self._selves() if body and (id := known_id(body))]


def _acquainted(view: OwnView) -> list[tuple[Any, Json]]:
    try:
        return view.acquainted()
    except AssistantError:  # nobody remembers this one
        return []
