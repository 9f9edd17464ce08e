"""The command `aiworld`: what everybody knows, as staff tell it: news, lore and places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ai_assistant.api import blocks
from ai_assistant.api.blocks.world_knowledge import Synced
from ai_assistant.commands import shown
from ai_assistant.commands.command_base import AICommand, braced, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.memory.blocks.global_knowledge import EVENTS, LORE, PLACES


class CmdAIWorld(AICommand):
    """
    tell all assistants what everybody knows

    Usage:
      aiworld                        the lore, the news and the map
      aiworld/event = <text>         news that everybody has heard from now on
      aiworld/lore = <text>          the lore, in place of what it was
      aiworld/place <name> = <text>  a place on the map, or other words for it
      aiworld/move <name> = <x>, <y> where a place lies, up to four numbers
      aiworld/remove <name>          take a place off the map
      aiworld/sync                   make the map agree with the tagged rooms

    Rooms with the tag landmark (category ai_assistant) come onto the map when
    an assistant enters one or you sync; they follow the room's new name, and
    go with it. News is mended with aiblock/edit, and what was done last is
    taken back with aiblock/undo world = global_knowledge.

    Builders look, Admins tell.

    Examples:
      aiworld/event = The northern tower fell in the night.
      aiworld/lore = The river gave the village its name, and takes its boats.
      aiworld/place The mill = It burnt down; only the wheel is left.
      aiworld/move the mill = 3, 14       aiworld/remove the mill
      aiworld/sync

    """

    key = "aiworld"

    @switch("", takes=0)
    def _show(self) -> None:
        known = blocks.read_world()
        lore = known[LORE]
        lines = ["|wLore|n", as_it_stands(lore) if lore else "  none", "|wNews|n"]
        lines += [
            f"  {shown.minute(event['timestamp'])}  {as_it_stands(event['content'])}"
            for event in known[EVENTS]
        ] or ["  none"]
        rows = [
            (place["name"], ", ".join(map(str, place["coordinates"])), place["description"])
            for place in known[PLACES]
        ]
        lines.append("|wMap|n" if rows else "|wMap|n\n  empty")
        self.show([*lines, self.table(("Place", "At", "What it is"), rows)] if rows else lines)

    @switch("event", "Admin")
    def _event(self) -> None:
        self._tell(blocks.announce, "Everybody has heard of it")

    @switch("lore", "Admin")
    def _lore(self) -> None:
        self._tell(blocks.set_lore, "The lore is another now")

    def _tell(self, step: Callable[..., Any], done: str) -> None:
        text = self.args.strip().removeprefix("=").strip()
        if not text:
            raise Misused
        step(text, by=self.caller.key)
        self.msg(braced(f"{done}: {text}"))

    @switch("place", "Admin")
    def _place(self) -> None:
        if not (self.lhs and self.rhs):
            raise Misused
        blocks.set_location(self.lhs, self.rhs, by=self.caller.key)
        self.msg(braced(f"{self.lhs} is on the map: {self.rhs}"))

    @switch("move", "Admin")
    def _move(self) -> None:
        try:
            numbers = [float(word) for word in (self.rhs or "").replace(",", " ").split()]
        except ValueError:
            numbers = []
        if not numbers:
            raise AssistantError("Where? Give its coordinates, such as 3, 14.")
        known = blocks.read_world()[PLACES]
        if not any(place["name"].casefold() == self.lhs.casefold() for place in known):
            raise AssistantError(f"There is no place '{self.lhs}'. See aiworld.")
        blocks.set_location(self.lhs, coordinates=numbers, by=self.caller.key)
        self.msg(braced(f"{self.lhs} lies at {self.rhs}."))

    @switch("remove", "Admin", takes=1)
    def _remove(self) -> None:
        blocks.remove_location(self.lhs, by=self.caller.key)
        self.msg(braced(f"{self.lhs} is off the map."))

    @switch("sync", "Admin", takes=0)
    def _sync(self) -> None:
        self.msg(braced(told_of_sync(blocks.sync_places(by=self.caller.key))))


def told_of_sync(done: Synced) -> str:
    """Return what a sync of the map is told as."""
    told = [f"Written: {', '.join(done.written)}."] if done.written else []
    told += [f"Taken off: {', '.join(done.removed)}."] if done.removed else []
    on_it = counted(len(blocks.read_world()[PLACES]), "place")
    return " ".join([*told, f"The map agrees with the rooms: {on_it}."])
