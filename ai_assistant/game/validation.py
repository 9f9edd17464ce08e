"""Validation: what game code passes is checked here, once, before anything is written.

Each check returns the value to keep, or raises `BlockRefused` with words that say what fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from evennia.objects.models import ObjectDB

from ai_assistant.agent.turn import speech_rules
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import NOBODY, OPEN, canonical, members
from ai_assistant.core.text import clean
from ai_assistant.game.identity import is_assistant, unstyled
from ai_assistant.memory.blocks import shapes

_PRINCIPAL = re.compile(r"[eac][0-9a-f]{32}")


def an_npc(obj: Any) -> Any:
    """Return an assistant's character; anything else is refused."""
    if isinstance(obj, ObjectDB) and is_assistant(obj):
        return obj
    named = getattr(obj, "key", None) or type(obj).__name__
    raise BlockRefused(f"{clean(named, 60)} is no assistant: pass an assistant's character.")


def npcs(some: Any) -> list[Any]:
    """Return the characters of several assistants."""
    if not isinstance(some, Iterable) or isinstance(some, str | bytes):
        raise BlockRefused("Pass a list of assistants' characters.")
    return [an_npc(thing) for thing in some]


def checked_words(text: Any, limit: int, what: str, *, lines: int = 1) -> str:
    """Return a text, cleaned; one of more than `limit` characters is refused, never cut."""
    if not isinstance(text, str):
        raise BlockRefused(f"{what} is text, no {type(text).__name__}.")
    kept = clean(unstyled(text, 4 * limit), 2 * limit, lines=lines)
    if not kept:
        raise BlockRefused(f"{what} needs words: there are none in it.")
    if len(kept) > limit:
        much = f"{len(kept)}" if len(kept) < 2 * limit else f"more than {len(kept) - 1}"
        raise BlockRefused(f"{what} has at most {limit} characters, not {much}: give it less.")
    return kept


def label(readers: Any) -> str:
    """Return a label of readers in its canonical form.

    It is ``"*"``, ``""`` for the character alone, or the lasting ids of those who may read it
    (`identity.entity_id`), with commas between; names are refused.
    """
    if not isinstance(readers, str):
        raise BlockRefused(f"Readers are a label, no {type(readers).__name__}.")
    if readers in (OPEN, NOBODY):
        return readers
    if not all(map(_PRINCIPAL.fullmatch, members(readers))):
        raise BlockRefused(
            f"'{clean(readers, 40)}' is no label of readers: join the entity_id of each by commas."
        )
    return canonical(members(readers))


def check_telling(readers: str = OPEN) -> None:
    """Refuse a label that is wider than the turn which called this tool may tell."""
    if not speech_rules.may_tell(readers):
        raise BlockRefused(
            "This runs within a private turn, which may tell nobody else: do it when that is over."
        )


def checked_coordinates(value: Any) -> list[float]:
    """Return the coordinates of a place."""
    found = shapes.coordinates(value)
    if found is None:
        raise BlockRefused(f"Coordinates are a list of at most {shapes.MOST_COORDINATES} numbers.")
    return found
