"""From a card to a persona and back: which field becomes which, and what never reaches a prompt.

Only what is named here enters a persona. The author's notes, and the instructions that a card
has for a model (`system_prompt`, `post_history_instructions`), stay in the card.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.owner_text import disarm
from ai_assistant.roleplay.cards.card import MAX_FIELD, Card, in_version
from ai_assistant.roleplay.cards.limited_json import field_of

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
STAND_INS = {"char_description": "role", "char_personality": "personality"}
"""Field of a persona, empty where no card was imported → the one of ours that stands for it."""
EXTENSION = "ai_assistant"
_MOST_LINES = 50


def persona_of(card: Card) -> Json:
    """Return the persona that a card describes: inert text, in the order of `FROM_CARD`."""
    own = field_of(field_of(card.data, "extensions", dict), EXTENSION, dict).get("persona")
    kept = own if isinstance(own, dict) else {}
    found = {field: _inert(kept.get(field)) for field in OURS}
    for ours, name in FROM_CARD.items():
        text = disarm(field_of(card.data, name, str))
        found[ours] = "" if text == found.get(STAND_INS.get(ours, "")) else text
    return {"name": card.name} | {field: value for field, value in found.items() if value}


def _inert(value: Any) -> Any:
    if isinstance(value, list):
        texts = [text for text in value[:_MOST_LINES] if isinstance(text, str)]
        return list(filter(None, map(_inert, texts)))
    return disarm(value[:MAX_FIELD]) if isinstance(value, str) else ""


def card_of(persona: Json, card: Card | None = None) -> Card:
    """Return the card of a persona: `card` with what was changed in the game since.

    Without one it is a new card of version 3. What nobody changed is in it exactly as it came.
    """
    if card is None:
        card = in_version(Card({"name": str(persona.get("name", ""))}, 1), 3)
    made, before = deepcopy(card), persona_of(card)
    for field, name in FROM_CARD.items():
        value = persona.get(field) or persona.get(STAND_INS.get(field, ""), "")
        if value != before.get(field, ""):
            text = "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            made.data[name] = text
            if name in made.raw:  # the copy of it that some programs keep beside the data
                made.raw[name] = text
    ours = {field: persona[field] for field in OURS if persona.get(field)}
    if ours != {field: before[field] for field in OURS if field in before}:
        extensions = field_of(made.data, "extensions", dict)
        own = field_of(extensions, EXTENSION, dict) | {"persona": ours}
        made.data["extensions"] = {**extensions, EXTENSION: own}
    return made
