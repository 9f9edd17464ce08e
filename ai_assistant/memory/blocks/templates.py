"""Templates: what a fresh block of each type holds, in the seed's shape (seed MB §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ai_assistant.contracts import Json
from ai_assistant.errors import BlockRefused
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.custom import empty_custom
from ai_assistant.memory.blocks.social import empty_social
from ai_assistant.memory.blocks.status import empty_status
from ai_assistant.memory.blocks.world import empty_world


def empty_persona() -> Json:
    """Return a persona with the seed's fields, nobody's yet."""
    return {"name": "", "role": "", "personality": "", "interests": [], "home_location": ""}


TEMPLATES: Mapping[str, Callable[[], Json]] = {
    rules.PERSONA: empty_persona,
    rules.SOCIAL: empty_social,
    rules.GLOBAL: empty_world,
    rules.STATUS: empty_status,
    **dict.fromkeys(rules.TYPES, empty_custom),
}
"""By the name of one of the six, or by the type of a block of the game's own."""


def template(name: str) -> Json:
    """Return the value of a fresh block; raises `BlockRefused` naming the templates there are."""
    if name not in TEMPLATES:
        if name in rules.VIEWS:
            raise BlockRefused(f"The block {name} is a view of {rules.VIEWS[name]}.")
        raise BlockRefused(f"There is no template '{name[:40]}', only: {', '.join(TEMPLATES)}.")
    return rules.value_of(TEMPLATES[name]())
