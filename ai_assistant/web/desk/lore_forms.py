"""Lorebooks of the world as forms: an entry with all of its fields, and a book that goes."""

from __future__ import annotations

from typing import Any

from django import forms

from ai_assistant.api.card_exchange import find_book
from ai_assistant.api.lore_books import book_before, edit_entry, find_entry
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import counted
from ai_assistant.roleplay.lorebook import Lorebook, entry_fields
from ai_assistant.roleplay.lorebook.book_files import MAX_CONTENT
from ai_assistant.roleplay.lorebook.entries import RANGES
from ai_assistant.storage.lorebooks import world_book, world_books
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.rest import api_shelf as shelf

LABELS = {
    "name": "Name",
    "content": "What it says",
    "keys": "Words that bring it, with commas between",
    "secondary": "Further words",
    "logic": "How many of them must be there",
    "excluded": "Words with which it stays away",
    "enabled": "In use",
    "constant": "There without any word",
    "order": "Order: the highest stands nearest to the talk",
    "position": "Where it stands: before or after the character, or at a depth of the talk",
    "depth": "Depth: messages from the end of the talk",
    "scan_depth": "Messages in which its words are looked for; 0: as many as the book says",
    "case_sensitive": "Capitals count",
    "whole_words": "Whole words only",
    "probability": "Percent of the times that it comes",
    "groups": "Groups, of which one entry comes",
    "group_first": "First of its group",
    "group_weight": "Weight in its group",
    "sticky": "Messages for which it stays",
    "cooldown": "Messages for which it rests after that",
    "delay": "Messages that must have been said before",
    "exclude_recursion": "No other entry calls it",
    "prevent_recursion": "It calls no other entry",
    "delay_until_recursion": "Only other entries call it",
    "required_tags": "Tags that a character must have, all of them",
}
"""Each field of an entry, in the order of the form, in words."""
LOGIC = {
    "and_any": "one at least",
    "and_all": "all",
    "not_all": "not all",
    "not_any": "none",
}
"""How many of the further words there must be, in words."""
MOST_TYPED = 4200
"""Characters of as many words as a field may have."""


def _field(name: str) -> forms.Field:
    """Return the field of a form that takes what this field of an entry holds."""
    label, usual = LABELS[name], entry_fields.FIELDS[name]
    if name in entry_fields.CHOICES:
        choices = [(word, LOGIC.get(word, word)) for word in entry_fields.CHOICES[name]]
        return forms.ChoiceField(choices=choices, label=label)
    if isinstance(usual, bool):
        return forms.BooleanField(required=False, label=label)
    if isinstance(usual, int):
        least, most = RANGES[name]
        return forms.IntegerField(min_value=least, max_value=most, label=label)
    if name == "content":
        return words_field(label, MAX_CONTENT, rows=6)
    most = entry_fields.MAX_NAME if name == "name" else MOST_TYPED
    return words_field(label, most, required=False)


class EntryForm(EditForm):
    """All that can be changed of an entry of a lorebook of the world, or of an assistant's card."""

    title, of_all = "Change an entry", "lorebooks"
    page, page_of_all = "persona", "lore"
    book = hidden(required=False)
    entry = hidden()

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Offer every field that an entry has."""
        super().__init__(character, fields, is_sent=is_sent)
        self.fields |= {name: _field(name) for name in LABELS}

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the entry, its words as they are typed."""
        book = "" if character else find_book(fields.get("book", ""))
        found = find_entry(book, fields.get("entry", ""), character)
        return {
            name: entry_fields.as_typed(value) if isinstance(value, tuple) else value
            for name, value in entry_fields.entry_values(found).items()
        }

    def plan(self, changed: Json) -> Planned:
        """Return the fields that become others."""
        planned = super().plan(changed)
        words = entry_fields.as_typed
        return [(what, words(before), words(after)) for what, before, after in planned]

    def do(self, changed: Json, account: Any) -> str:
        """Write them."""
        whose = self.character
        book = "" if whose else find_book(self.cleaned_data["book"])
        entry = find_entry(book, self.cleaned_data["entry"], whose)
        typed = {
            name: entry_fields.typed_value(name, value) if isinstance(value, str) else value
            for name, value in changed.items()
        }
        edit_entry(book, entry, typed, by=account.key, whose=whose)
        return f"The entry {entry.name or entry.key} of {book or 'its card'} is another now."


def _size(book: Lorebook | None) -> str:
    """Return how much stands in a book."""
    return counted(len(book.entries), "entry", "entries") if book else "no such lorebook"


def _dropped(_: Any, given: Json) -> Planned:
    name = find_book(given["book"])
    return [(name, _size(world_book(name)), "deleted, for all assistants")]


def _undone(_: Any, given: Json) -> Planned:
    name, before = book_before(given["book"])
    now = world_book(name) if name in world_books() else None
    then = Lorebook.from_json(before["book"]) if before else None
    return [(name, _size(now), f"{_size(then)}, as it was")]


_ON_SHELF: Json = {"page": "lore", "is_grave": True}
ENTRY_EDIT = {"lore_entry": EntryForm}
"""Of an assistant's card, by the last part of the address."""
LORE_EDITS = ENTRY_EDIT | {
    "drop_book": act(
        *(shelf.drop_from_shelf, "Delete a lorebook", "The lorebook {deleted} is gone."),
        **_ON_SHELF,
        goes=_dropped,
    ),
    "undo_book": act(
        *(shelf.undo_on_shelf, "Take back the latest change"),
        "Of the lorebook {undone} the latest change was taken back.",
        **_ON_SHELF,
        goes=_undone,
    ),
}
"""Of lorebooks of the world."""
