"""From a card to a persona and back: which field becomes which, and what never reaches a prompt.

Only what is named here enters a persona. The author's notes, and the instructions that a card
has for a model (`system_prompt`, `post_history_instructions`), stay in the card.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.owner_text import disarm
from ai_assistant.roleplay.cards.card import FIRST_FIELDS, MAX_FIELD, Card
from ai_assistant.roleplay.cards.card_fields import object_of, text_of

FROM_CARD = {
    "char_description": "description",
    "char_personality": "personality",
    "scenario": "scenario",
    "dialogue_examples": "mes_example",
    "greeting": "first_mes",
}
"""Field of the persona → field of the card."""
OURS = ("role", "personality", "interests", "home_location", "sayings", "lore")
"""Fields of a persona that cards have no place for; they travel in an extension of ours."""
EXTENSION = "ai_assistant"
_MOST_LINES = 50


def persona_of(card: Card) -> Json:
    """Return the persona that a card describes: inert text, in the order of `FROM_CARD`."""
    data = card.data
    persona: Json = {"name": card.name}
    persona |= _own_fields(data)
    for field, source in FROM_CARD.items():
        if text := disarm(text_of(data, source)):
            persona[field] = text
    return persona


def card_of(persona: Json, card: Card | None = None) -> Card:
    """Return the card of a persona: `card` with what was changed in the game since.

    Without one it is a new card of version 3. What nobody changed is in it exactly as it came.
    """
    made = deepcopy(card) if card else _new_card(str(persona.get("name", "")))
    before = persona_of(made)
    for field, target in FROM_CARD.items():
        if persona.get(field, "") != before.get(field, ""):
            _put(made, target, _as_text(persona.get(field, "")))
    if _ours(persona) != _ours(before):
        extensions = object_of(made.data, "extensions")
        own = object_of(extensions, EXTENSION) | {"persona": _ours(persona)}
        made.data["extensions"] = {**extensions, EXTENSION: own}
    return made


def _new_card(name: str) -> Card:
    texts: Json = dict.fromkeys(FIRST_FIELDS, "")
    texts |= dict.fromkeys(
        ("creator_notes", "system_prompt", "post_history_instructions", "creator"), ""
    )
    texts |= {"character_version": "", "alternate_greetings": [], "group_only_greetings": []}
    data = {**texts, "name": name, "tags": [], "extensions": {}}
    return Card({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}, 3)


def _own_fields(data: Json) -> Json:
    """Return our own fields of a card that this package wrote, each as inert data."""
    own = object_of(object_of(data, "extensions"), EXTENSION)
    kept = own.get("persona")
    if not isinstance(kept, dict):
        return {}
    found = {field: _inert(kept[field]) for field in OURS if field in kept}
    return {field: value for field, value in found.items() if value}


def _inert(value: Any) -> Any:
    if isinstance(value, list):
        lines = [disarm(one[:MAX_FIELD]) for one in value[:_MOST_LINES] if isinstance(one, str)]
        return [one for one in lines if one]
    return disarm(value[:MAX_FIELD]) if isinstance(value, str) else ""


def _ours(persona: Json) -> Json:
    return {field: persona[field] for field in OURS if persona.get(field)}


def _as_text(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _put(card: Card, field: str, text: str) -> None:
    """Write a field, and the copy of it that some programs keep beside the data."""
    card.data[field] = text
    if field in card.raw:
        card.raw[field] = text
