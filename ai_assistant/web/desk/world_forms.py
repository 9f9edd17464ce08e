"""What is everybody's as forms: news, lore, places, and that all characters be quiet."""

from __future__ import annotations

from typing import Any

from ai_assistant.api import blocks, lifecycle
from ai_assistant.commands.blocks.aiworld import coordinates_in, told_of_sync
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import counted
from ai_assistant.memory.blocks.global_knowledge import (
    LORE,
    MAX_DESCRIPTION,
    MAX_LORE,
    PLACES,
    find_place,
)
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.web.desk.block_forms import OF_ANY_BLOCK
from ai_assistant.web.desk.desk_edits import Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm, edits_of, hidden, words_field
from ai_assistant.web.desk.lore_forms import LORE_EDITS
from ai_assistant.web.desk.scene_forms import SCENE_EDITS


class OfWorld(EditForm):
    """A form about what everybody knows."""

    page_of_all = "world"


class NewsForm(OfWorld):
    """News that everybody has heard from now on."""

    title = "Tell news"
    news = words_field("What happened", MAX_CONTENT, rows=3)

    def do(self, changed: Json, account: Any) -> str:
        """Tell them."""
        return f"Everybody has heard of it: {blocks.announce(changed['news'], by=account.key)}"


class LoreForm(OfWorld):
    """The lore, in place of what it was."""

    title = "Write the lore"
    lore = words_field("Lore", MAX_LORE, rows=10)

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the lore."""
        return {"lore": blocks.read_world()[LORE]}

    def do(self, changed: Json, account: Any) -> str:
        """Write it."""
        blocks.set_lore(changed["lore"], by=account.key)
        return "The lore is another now."


class PlaceForm(OfWorld):
    """A place on the map: a new one, or the one that is named."""

    title = "A place on the map"
    place = words_field("Name", 60)
    description = words_field("Description", MAX_DESCRIPTION, rows=2, required=False)
    coordinates = words_field(
        "Coordinates", 60, required=False, help_text="Up to four numbers, such as 3, 14."
    )

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the place of that name, if one is named."""
        named = fields.get("place", "")
        found = (find_place(blocks.read_world(), named) if named else None) or {}
        where = ", ".join(map(str, found.get("coordinates", ())))
        known = {"place": found["name"]} if found else {}
        return known | {"description": found.get("description", ""), "coordinates": where}

    def plan(self, changed: Json) -> Planned:
        """Return what becomes other words; what is left empty stays as it is."""
        coordinates_in(changed.get("coordinates") or "0")
        return super().plan({name: words for name, words in changed.items() if words})

    def do(self, changed: Json, account: Any) -> str:
        """Put it there."""
        name, where = self.cleaned_data["place"], changed.get("coordinates", "")
        numbers = coordinates_in(where) if where else ()
        blocks.set_location(name, changed.get("description", ""), numbers, by=account.key)
        return f"{name} is on the map."


class RemovePlaceForm(OfWorld):
    """Takes a place off the map."""

    title, is_grave = "Take a place off the map", True
    place = hidden()

    def plan(self, changed: Json) -> Planned:
        """Return what was said of it."""
        name = self.cleaned_data["place"]
        found = find_place(blocks.read_world(), name) or {}
        return [(name, found.get("description", ""), "off the map")]

    def do(self, changed: Json, account: Any) -> str:
        """Take it off."""
        blocks.remove_location(self.cleaned_data["place"], by=account.key)
        return f"{self.cleaned_data['place']} is off the map."


class SyncForm(OfWorld):
    """Makes the map agree with the tagged rooms."""

    title = "Make the map agree with the rooms"

    def plan(self, changed: Json) -> Planned:
        """Return how many places there are."""
        count = len(blocks.read_world()[PLACES])
        return [("places on the map", str(count), "as many as rooms are tagged, and those by hand")]

    def do(self, changed: Json, account: Any) -> str:
        """Do it."""
        return told_of_sync(blocks.sync_places(by=account.key))


class QuietForm(EditForm):
    """Lets all characters be quiet, or speak again."""

    title, page_of_all, of_all = "Silence", "overview", "all characters"
    end = hidden(required=False)

    def plan(self, changed: Json) -> Planned:
        """Return what becomes of them."""
        states = ("quiet", "speaking") if self.cleaned_data["end"] else ("speaking", "quiet")
        return [("all characters", *states)]

    def do(self, changed: Json, account: Any) -> str:
        """Silence them, and drop the turns under way; or end that."""
        if self.cleaned_data["end"]:
            lifecycle.end_silence(None, by=account.key)
            return "All characters may speak again."
        dropped = lifecycle.silence(None, by=account.key)
        return f"All characters are quiet; {counted(dropped, 'turn')} under way ended."


WORLD_EDITS = {
    **OF_ANY_BLOCK,
    **SCENE_EDITS,
    **LORE_EDITS,
    **edits_of(
        {
            "news": NewsForm,
            "lore": LoreForm,
            "place": PlaceForm,
            "remove_place": RemovePlaceForm,
            "sync_map": SyncForm,
            "quiet": QuietForm,
        }
    ),
}
"""What may be changed of what everybody knows, by the last part of the address."""
