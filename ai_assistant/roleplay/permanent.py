"""What every member of a scene has from its start: plot, card, example dialog, lore (§7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.text import clean

PLOT, CARD, DIALOG, LORE = "plot", "character_card", "example_dialog", "lore"
KINDS = frozenset({PLOT, CARD, DIALOG, LORE})
LONGEST = 4000
IMPORTANCE = 8
_CARD_FIELDS = (
    *("name", "role", "personality", "char_description", "char_personality", "persona_description"),
    *("scenario", "interests"),
)
_DIALOG_FIELD = "dialogue_examples"


def permanent_rows(
    persona: Mapping[str, Any], plot: str, lore: Iterable[tuple[str, str]], *, day: int, at: float
) -> list[MemoryRow]:
    """Return the rows that a member's container begins with.

    One block of text for plot, card and dialog, one row for each entry of `lore`, which are pairs
    of key and text. What is empty makes no row.
    """
    made: list[tuple[str, str, Json]] = [(PLOT, plot, {}), (CARD, card_text(persona), {})]
    made.append((DIALOG, str(persona.get(_DIALOG_FIELD) or ""), {}))
    made += [(LORE, text, {"loreKey": clean(key, 100)}) for key, text in lore]
    return [
        MemoryRow(
            content=words,
            kind=kind,
            game_day=day,
            learned_at=at,
            importance=IMPORTANCE,
            meta={"type": kind, "permanent": True, **more},
        )
        for kind, text, more in made
        if (words := clean(text, LONGEST, lines=60))
    ]


def card_text(persona: Mapping[str, Any]) -> str:
    """Return a character's description in one block: who it is, its role, its personality."""
    lines = []
    for name in _CARD_FIELDS:
        value = persona.get(name)
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")
        if shown:
            lines.append(f"{name.removeprefix('char_').replace('_', ' ')}: {shown}")
    return "\n".join(lines)
