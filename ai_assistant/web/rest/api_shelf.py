"""What the API does about character cards, lorebooks, and an assistant as a whole."""

from __future__ import annotations

import base64
import dataclasses
import json
from typing import Any

from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api import card_exchange
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.lore_books import (
    MOST_WORDS,
    BookChange,
    book_before,
    book_changes,
    books_of,
    edit_entry,
    entry_rows,
    find_entry,
    undo_book,
    would_fire,
)
from ai_assistant.api.whole import mind_files, whole_exchange
from ai_assistant.commands.command_base import let_edit
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.lorebook import Entry
from ai_assistant.roleplay.lorebook.book_files import MAX_CONTENT
from ai_assistant.roleplay.lorebook.entry_fields import entry_values, typed_value
from ai_assistant.runtime.assembly import beside
from ai_assistant.storage.lorebooks import world_book, world_books
from ai_assistant.storage.whole_minds import count_rows
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    GivenFile,
    Takes,
    may_be_empty,
    or_not_found,
    string,
    takes,
)
from ai_assistant.web.rest.api_life import about, room_meant

WHOLE_FILE = GivenFile(
    media_type="application/gzip",
    most=16_000_000,  # with the largest picture, and as many memories as a running game takes
    instead="Stop the game, and type evennia ai_import <file> in its folder.",
)


class GivenCard(Takes):
    """A character card, of any version."""

    card = serializers.DictField()


class EntryFields(Takes):
    """Fields of an entry by name, each as people type it: on or off, words with commas between."""

    fields = serializers.DictField(child=string(MAX_CONTENT, allow_blank=True))


# -- cards


@takes(GivenCard, room=string(100))
def make_of_card(call: ApiCall) -> Json:
    """Make an assistant of a character card in a room, and start it."""
    room = room_meant(call.given["room"])
    made = card_exchange.import_card(_card_read(call), location=room, by=call.by)
    let_edit(made, *call.visitor.characters)
    return about(made)


@takes(GivenCard)
def take_card(call: ApiCall) -> Json:
    """Give an assistant persona and lorebook of a character card; its name in the world stays."""
    card_exchange.put_card(_card_read(call), call.character, by=call.by)
    return about(call.character)


def _card_read(call: ApiCall) -> card_exchange.ImportedFile:
    read = card_exchange.read_bytes(json.dumps(call.given["card"]).encode(), "card.json")
    if read.card is None:
        raise AssistantError("That is a lorebook, not a card.")
    return read


# -- an assistant as a whole


def export_all(call: ApiCall) -> Deferred[Json]:
    """Export all of an assistant, what it was told in confidence too: as a file in base64."""
    rows = count_rows(entity_id(call.character))
    whole_exchange.check_may_live(rows, "evennia ai_export <name> <file>")
    return Deferred.fromCoroutine(_all_of(call))


async def _all_of(call: ApiCall) -> Json:
    name = card_exchange.file_name(name_of(call.character))
    told: Json = {"name": f"{name}{mind_files.SUFFIX}"}

    def keep(data: bytes) -> None:
        told["file"] = base64.b64encode(data).decode()

    await whole_exchange.export_in_slices(call.character, keep, call.how_far)
    record_audit(call.character, "AssistantExported", {"by": call.by})
    return told


@takes(room=string(100))
def import_all(call: ApiCall) -> Deferred[Json]:
    """Make an assistant anew in a room of the file of a whole one, with all that it knew."""
    room = room_meant(call.given["room"])
    return Deferred.fromCoroutine(_all_into(room, call))


async def _all_into(room: Any, call: ApiCall) -> Json:
    read = await beside(card_exchange.read_bytes, call.file, f"assistant{mind_files.SUFFIX}")
    if read.whole is None:
        raise AssistantError("That is a card or a lorebook, and no whole assistant.")
    whole_exchange.check_may_live(len(read.whole["rows"]), "evennia ai_import <file>")
    made = await whole_exchange.import_in_slices(
        read.whole, location=room, by=call.by, progress=call.how_far
    )
    let_edit(made, *call.visitor.characters)
    return about(made)


# -- lorebooks


def show_shelf(call: ApiCall) -> Json:
    """Return the lorebooks of the world by name, with their entries."""
    return {name: [*entry_rows([world_book(name)])] for name in world_books()}


@takes(book=serializers.DictField(), name=string(60, default="book"))
def put_on_shelf(call: ApiCall) -> Json:
    """Keep a lorebook for all assistants, in place of one of the same name."""
    sent = json.dumps(call.given["book"]).encode()
    read = card_exchange.read_bytes(sent, call.given["name"])
    return {"kept": card_exchange.import_book(read, by=call.by)}


def drop_from_shelf(call: ApiCall) -> Json:
    """Delete a lorebook of the world."""
    with or_not_found():
        name = card_exchange.find_book(call.named["book"])
    card_exchange.drop_book(name, by=call.by)
    return {"deleted": name}


def show_shelf_log(call: ApiCall) -> list[BookChange]:
    """Return what was done to a lorebook of the world of late, and by whom, newest first."""
    named = call.named["book"].casefold()
    return [change for change in book_changes() if change.book.casefold() == named]


def undo_on_shelf(call: ApiCall) -> Json:
    """Take back the latest change of a lorebook of the world, a deletion too."""
    with or_not_found():
        book_before(call.named["book"])
    return {"undone": undo_book(call.named["book"], by=call.by)}


def show_entry(call: ApiCall) -> Json:
    """Return all fields of an entry of a lorebook of the world."""
    return entry_values(_entry_meant(call)[1])


def show_card_entry(call: ApiCall) -> Json:
    """Return all fields of an entry of the lorebook of an assistant's card."""
    return show_entry(call)


@takes(EntryFields)
def change_entry(call: ApiCall) -> Json:
    """Write fields of an entry of a lorebook of the world."""
    book, entry = _entry_meant(call)
    typed = {name: typed_value(name, text) for name, text in call.given["fields"].items()}
    edit_entry(book, entry, typed, by=call.by, whose=call.character)
    return show_entry(call)


@takes(EntryFields)
def change_card_entry(call: ApiCall) -> Json:
    """Write fields of an entry of the lorebook of an assistant's card."""
    return change_entry(call)


def _entry_meant(call: ApiCall) -> tuple[str, Entry]:
    """Return the lorebook that an address names, empty for a card's, and the entry. Raises
    `Http404`."""
    with or_not_found():
        book = "" if call.character else card_exchange.find_book(call.named["book"])
        return book, find_entry(book, call.named["entry"], call.character)


@takes(words=may_be_empty(MOST_WORDS))
def show_its_lore(call: ApiCall) -> Json:
    """Return the entries that an assistant reads, and which of them some words bring to mind."""
    words: str = call.given["words"]
    entries: list[Any] = [dataclasses.asdict(row) for row in entry_rows(books_of(call.character))]
    fired = would_fire(call.character, words) if words else []
    return {"entries": entries, "fired": [{"entry": name, "why": why} for name, why in fired]}
