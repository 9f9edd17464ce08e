"""Character cards: read from JSON or a picture, turned into a persona, and written again."""

from ai_assistant.roleplay.cards.card import Card, in_version, read_card
from ai_assistant.roleplay.cards.card_files import card_from_bytes, card_to_bytes, json_to_bytes
from ai_assistant.roleplay.cards.card_persona import card_of, persona_of

__all__ = [
    "Card",
    "card_from_bytes",
    "card_of",
    "card_to_bytes",
    "in_version",
    "json_to_bytes",
    "persona_of",
    "read_card",
]
