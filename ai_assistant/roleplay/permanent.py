"""What members of a scene have from its start: plot, card, example dialog, lore, their role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.text import clean
from ai_assistant.memory.importance import FOR_GOOD
from ai_assistant.roleplay.lorebook import Lorebook
from ai_assistant.roleplay.scene import SceneState

PLOT, CARD, DIALOG, LORE, ROLE = "plot", "character_card", "example_dialog", "lore", "role"
KINDS = frozenset({PLOT, CARD, DIALOG, LORE, ROLE})
LONGEST = 4000
MOST_LORE = 200
"""Entries of lorebooks that one container begins with."""
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
    return _rows(made, day, at)


def role_rows(scene: SceneState, who: str, *, day: int, at: float) -> list[MemoryRow]:
    """Return what somebody has from its role: what it is, and what it alone knows, each a row."""
    name = scene.parts.get(who, "")
    if not name:
        return []
    role = scene.roles.get(name, {})
    told = ": ".join(filter(None, [f"You play the role {name}", role.get("about", "")]))
    known = enumerate(role.get("knows", ()), 1)
    lore = ((LORE, words, {"loreKey": f"{name} {n}", ROLE: name}) for n, words in known)
    return _rows([(ROLE, told, {}), *lore], day, at)


def _rows(made: Iterable[tuple[str, str, Json]], day: int, at: float) -> list[MemoryRow]:
    return [
        MemoryRow(
            content=words,
            kind=kind,
            game_day=day,
            learned_at=at,
            importance=FOR_GOOD,
            meta={"type": kind, "permanent": True, **more},
        )
        for kind, text, more in made
        if (words := clean(text, LONGEST, lines=60))
    ]


def lore_of(books: Iterable[Lorebook], tags: frozenset[str]) -> list[tuple[str, str]]:
    """Return what a holder of these tags has from its lorebooks, as pairs of key and text.

    What is switched off, or bound to chance, groups or time, is left to the books themselves.
    """
    lore: dict[str, str] = {}
    for book in books:
        for entry in book.entries if tags.issuperset(book.required_tags) else ():
            bound = entry.probability < 100 or entry.groups or entry.delay
            if entry.enabled and not bound and tags.issuperset(entry.required_tags):
                lore[entry.key] = entry.content
    return list(lore.items())[:MOST_LORE]


def card_text(persona: Mapping[str, Any]) -> str:
    """Return a character's description in one block: who it is, its role, its personality."""
    lines = []
    for name in _CARD_FIELDS:
        value = persona.get(name)
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")
        if shown:
            lines.append(f"{name.removeprefix('char_').replace('_', ' ')}: {shown}")
    return "\n".join(lines)
