"""A character card: its JSON exactly as it came, and a view on the fields that all versions share.

Cards are shared as version 1 (six plain fields), 2 and 3 (a `spec`, and the fields in `data`).
What is in a card stays in it, known to us or not: nothing here ever changes `raw`.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.text import clean, clean_name
from ai_assistant.roleplay.cards.limited_json import check_json, field_of, list_of_texts, wrong

Version = Literal[1, 2, 3]
SPECS: dict[str, Version] = {"chara_card_v2": 2, "chara_card_v3": 3}
FIRST_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
"""The fields of version 1, which every later one has too."""
_TEXTS = (
    *FIRST_FIELDS,
    *("creator_notes", "system_prompt", "post_history_instructions", "creator"),
    *("character_version", "nickname"),
)
_TEXT_LISTS = ("alternate_greetings", "tags", "group_only_greetings", "source")
_OBJECTS = ("extensions", "character_book", "creator_notes_multilingual")
_SINCE_2: Json = {
    **dict.fromkeys(("creator_notes", "system_prompt", "post_history_instructions"), ""),
    **{"alternate_greetings": [], "tags": [], "creator": "", "character_version": ""},
    "extensions": {},
}
_SINCE_3: Json = {"group_only_greetings": []}
_WRAPPING = ("spec", "spec_version", "data")
MAX_FIELD = 20_000
"""Characters of one field that is to be part of a persona."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it was read: `raw` is never changed, `version` says how to read it."""

    raw: Json
    """Its JSON, as it came."""
    version: Version
    """Which version of the format it is read by."""

    @property
    def data(self) -> Json:
        """Where the character's fields are."""
        return self.raw if self.version == 1 else field_of(self.raw, "data", dict)

    @property
    def name(self) -> str:
        """The character's name as inert data."""
        return clean_name(field_of(self.data, "name", str))

    @property
    def nickname(self) -> str:
        """What it is called in version 3; often empty."""
        return clean(field_of(self.data, "nickname", str), 60)

    @property
    def book(self) -> Json:
        """Its own lorebook; empty where it has none."""
        return field_of(self.data, "character_book", dict)


def read_card(raw: Json) -> Card:
    """Return the card that a JSON object is. Raises `CardError` for what is none."""
    check_json(raw)
    card = Card(raw, _version_of(raw))
    data = card.data
    for name in _TEXTS:
        field_of(data, name, str, MAX_FIELD if name in FIRST_FIELDS else 0)
    for name in _TEXT_LISTS:
        list_of_texts(data, name)
    for name in _OBJECTS:
        field_of(data, name, dict)
    if not all(isinstance(asset, dict) for asset in field_of(data, "assets", list)):
        raise wrong("assets", "a list of objects")
    if not clean(field_of(data, "name", str), 60):
        raise CardError("The card has no name.")
    return card


def _version_of(raw: Json) -> Version:
    spec = raw.get("spec")
    if spec is None:
        if isinstance(raw.get("data"), dict) and "name" not in raw:
            raise CardError("It does not say which version it is: 'spec' is missing.")
        if not {"description", "personality", "first_mes", "scenario"} & raw.keys():
            raise CardError("It is no character card: nothing in it describes anybody.")
        return 1
    if not isinstance(spec, str) or spec not in SPECS:
        raise CardError(f"'{clean(spec, 40)}' is no kind of card: {', '.join(SPECS)}.")
    if not isinstance(raw.get("data"), dict):
        raise CardError("The card has no 'data'.")
    return SPECS[spec]


def in_version(card: Card, version: Version) -> Card:
    """Return the card in that version; the same one where it is of that version already.

    Fields move, none is lost. A version that does not know a field keeps it beside those that it
    knows, where programs that read that version look past it.
    """
    if card.version == version:
        return card
    raw = deepcopy(card.raw)
    around = {name: value for name, value in raw.items() if name not in _WRAPPING}
    data = around if card.version == 1 else raw["data"]
    needed = dict.fromkeys(FIRST_FIELDS, "") | deepcopy(_SINCE_2 if version > 1 else {})
    needed |= deepcopy(_SINCE_3 if version > 2 else {})
    data = needed | {name: value for name, value in data.items() if value is not None}
    if version == 1:
        return Card(around | data, 1)
    if version == 3:
        _complete_entries(data)
    # some programs put copies of the first fields beside the data
    beside = {} if card.version == 1 else around
    kept = {name: value for name, value in beside.items() if name not in FIRST_FIELDS}
    wrapping = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0"}
    return Card({**kept, **wrapping, "data": data}, version)


def _complete_entries(data: Json) -> None:
    """Version 3 wants every entry of a lorebook to say whether its keys are patterns."""
    book = data.get("character_book")
    entries = book.get("entries") if isinstance(book, dict) else None
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            entry.setdefault("use_regex", False)
