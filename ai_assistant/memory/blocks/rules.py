"""The six blocks: whose each is, who may update it, and how much it may hold."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import BlockRefused
from ai_assistant.memory import labelled
from ai_assistant.memory.parts import Step

WRITERS = ("designer", "game", "npc", "sub_process")
"""Who writes: the game's builders, its code, the character itself, or work done while it sleeps."""
TYPES = ("global", "shared", "private")
"""Whose it is: everybody's, that of some characters, or one character's."""

PERSONA, PRIVATE, SOCIAL = "persona", "private", "shared_social"
GLOBAL, STATUS, TASKS = "global_knowledge", "status", "tasks"
SIX = (PERSONA, PRIVATE, SOCIAL, GLOBAL, STATUS, TASKS)
VIEWS = {PRIVATE: "the profile of the one spoken to", TASKS: "the goals"}
"""Blocks that are views of something that has a home of its own."""

MAY_UPDATE: Mapping[str, frozenset[str]] = {
    PERSONA: frozenset({"designer", "game"}),
    PRIVATE: frozenset({"npc", "sub_process"}),
    SOCIAL: frozenset({"npc", "game", "sub_process"}),
    GLOBAL: frozenset({"game", "sub_process"}),
    STATUS: frozenset({"game", "npc"}),
    TASKS: frozenset({"npc", "game", "sub_process"}),
}
"""Who may update a block. The sub-process of a shared block is the one that summarises it."""
MAY_UPDATE_TYPE: Mapping[str, frozenset[str]] = {
    "global": frozenset({"designer", "game", "sub_process"}),
    "shared": frozenset(WRITERS),
    "private": frozenset(WRITERS),
}
"""The same for blocks of the game's own, by their type."""

LIMITS: Mapping[str, int] = {PERSONA: 12_000, SOCIAL: 6000, GLOBAL: 8000, STATUS: 3000}
"""Characters of a block's value as JSON text, where staff set no other limit."""
DEFAULT_LIMIT = 5000
CROWDED = 0.9
"""The share of its limit from which on a block is summarised in sleep, refused something or not."""
OUTSIDE = frozenset({"limit", "type"})
"""Keys of a state that are columns of its row, and no part of the value."""


def may_update(writer: str, label: str, block_type: str = "") -> bool:
    """May this kind of writer update a block? `block_type` is for blocks beside the six."""
    return writer in _writers_of(label, block_type)


def check_writer(writer: str, label: str, block_type: str = "") -> None:
    """Raise `BlockRefused`, naming those who may, if this kind of writer may not update a block."""
    if not may_update(writer, label, block_type):
        allowed = ", ".join(sorted(_writers_of(label, block_type), key=WRITERS.index))
        raise BlockRefused(f"The block {label} is not written by '{writer}', only by: {allowed}.")


def _writers_of(label: str, block_type: str) -> frozenset[str]:
    return MAY_UPDATE.get(label) or MAY_UPDATE_TYPE.get(block_type, frozenset())


def signed_steps(label: str, steps: Mapping[str, Step]) -> dict[str, Step]:
    """Return the steps with two more arguments: the kind of `writer`, and its name in `by`.

    A writer who may not update the block is refused.
    """

    def guard(step: Step) -> Step:
        def run(state: Json, *, writer: str, by: str = "", **args: Any) -> list[MemoryRow] | None:
            check_writer(writer, label, state.get("type", ""))
            return step(state, **args)

        signed = [inspect.Parameter("writer", inspect.Parameter.KEYWORD_ONLY, annotation="str")]
        known = inspect.signature(step)
        run.__signature__ = known.replace(  # type: ignore[attr-defined]
            parameters=[*known.parameters.values(), *signed]
        )
        return run

    return {name: guard(step) for name, step in steps.items()}


def value_of(state: Json) -> Json:
    """Return the value in a stored state, without its bookkeeping."""
    return {name: value for name, value in state.items() if name not in OUTSIDE}


def json_length(value: Json) -> int:
    """Return how many characters a value takes as JSON text."""
    return len(json.dumps(value, ensure_ascii=False))


def fits(state: Json, change: Callable[[Json], object]) -> bool:
    """Would the block be within its limit after `change` was applied to a copy?"""
    draft = json.loads(json.dumps(state))
    change(draft)
    return json_length(value_of(draft)) <= int(state["limit"])


def swap_item(state: Json, name: str, old: Json, new: Json | None) -> bool:
    """Put another item, or none, in the place of one in a list; False where it has no room."""

    def put(draft: Json) -> None:
        place = draft[name].index(old)
        draft[name][place : place + 1] = [new] if new else []

    if new and not fits(state, put):
        labelled.request_compaction(state)
        return False
    put(state)
    return True


def needs_summary(state: Json) -> bool:
    """Is it time for a summary, because something found no room, or soon will find none?"""
    full = json_length(value_of(state)) > CROWDED * int(state["limit"])
    return full or bool(state.get("needs_compaction"))


def settled(state: Json) -> None:
    """Note that the block was summarised, and whether there is more to summarise."""
    state["needs_compaction"] = False
    state["needs_compaction"] = needs_summary(state)
