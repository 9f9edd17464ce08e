"""The same card in another version: fields move, none is lost.

A version that does not know a field keeps it beside those it knows, where programs that read that
version look past it. So the way back finds it again.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.cards.card import FIRST_FIELDS, Card, Version

_SINCE_2: dict[str, Any] = {
    "creator_notes": "",
    "system_prompt": "",
    "post_history_instructions": "",
    "alternate_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "",
    "extensions": {},
}
_SINCE_3: dict[str, Any] = {"group_only_greetings": []}
_WRAPPING = ("spec", "spec_version", "data")


def in_version(card: Card, version: Version) -> Card:
    """Return the card in that version; the same one where it is of that version already."""
    if card.version == version:
        return card
    around = {name: value for name, value in card.raw.items() if name not in _WRAPPING}
    data = deepcopy(card.data if card.version > 1 else around)
    needed = {**dict.fromkeys(FIRST_FIELDS, ""), **(_SINCE_2 if version > 1 else {})}
    needed |= _SINCE_3 if version > 2 else {}
    data = {**deepcopy(needed), **{k: v for k, v in data.items() if v is not None}}
    if version == 1:
        return Card({**deepcopy(around), **data}, 1)
    kept = deepcopy(around) if card.version > 1 else {}
    if version == 3:
        _complete_entries(data)
    for name in FIRST_FIELDS:  # some programs put copies of these beside the data
        kept.pop(name, None)
    wrapping = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0"}
    return Card({**kept, **wrapping, "data": data}, version)


def _complete_entries(data: Json) -> None:
    """Version 3 wants every entry of a lorebook to say whether its keys are patterns."""
    book = data.get("character_book")
    entries = book.get("entries") if isinstance(book, dict) else None
    for one in entries if isinstance(entries, list) else []:
        if isinstance(one, dict):
            one.setdefault("use_regex", False)
