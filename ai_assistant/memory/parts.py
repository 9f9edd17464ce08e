"""A part: one kind of bounded state, its empty shape, and the pure steps that may change it."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ai_assistant.core.contracts import Json, MemoryRow, NewRow
from ai_assistant.memory.redaction import redact

Step = Callable[..., list[MemoryRow] | None]
"""Changes a plain state in place; returns the rows that no longer fit into it, if any."""


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of state."""

    name: str
    """The name by which changes call it."""
    attribute: str
    """The Attribute's key, or the category of a keyed part."""
    shape: Json
    """The state of a character that has none yet."""
    steps: Mapping[str, Step]
    """What may change it, by name."""
    keyed: bool = False
    """Is there one state for each key, such as a person's id?"""
    where: Literal["character", "script", "block", "everybody"] = "character"
    """An Attribute of the character or its script, a row of its own, or one row for all."""
    bare: str = ""
    """The one list that is stored alone, for game code to read."""
    shared: bool = False
    """Is it kept once for all bodies of a character?"""

    def empty(self) -> Json:
        """Return a copy of the shape, to be filled."""
        return copied(self.shape)  # type: ignore[no-any-return]

    @property
    def is_block(self) -> bool:
        """Is it a memory block, and no Attribute?"""
        return self.where in ("block", "everybody")

    def apply(self, state: Json, op: str, args: Mapping[str, Any]) -> list[MemoryRow]:
        """Run one step on `state` in place; return rows that spill over into the container."""
        step = _OF_ALL.get(op) or self.steps[op]
        return step(state, **args) or []


def overwrite(state: Json, *, value: Json) -> None:
    """Replace a state of any part by one that was exported."""
    state.clear()
    state |= value


_OF_ALL: Mapping[str, Step] = {"redact": redact, "overwrite": overwrite}
"""The steps that every part understands."""
_LEAVES = frozenset({str, int, float, bool, type(None)})


def with_ids(value: Any, ids: Sequence[int]) -> Any:
    """Return a change's arguments as they are stored: each `NewRow` is the id of that row."""
    if isinstance(value, NewRow):
        return ids[value.place]
    if isinstance(value, Mapping):
        return {
            name if type(name) in _LEAVES else with_ids(name, ids): (
                inner if type(inner) in _LEAVES else with_ids(inner, ids)
            )
            for name, inner in value.items()
        }
    return [with_ids(inner, ids) for inner in value] if isinstance(value, list | tuple) else value


def digest(text: str, length: int = 16) -> str:
    """Return a short, lasting fingerprint of `text` (not for secrets)."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def copied(value: Any) -> Any:
    """Return a copy that shares no container: of JSON by hand, of anything else by pickling it.

    It takes half of what pickling takes, and a sixth of `deepcopy`.
    """
    if type(value) in _LEAVES:
        return value
    if type(value) is dict:
        made = value.copy()
        for name, inner in value.items():
            if type(inner) not in _LEAVES:
                made[name] = copied(inner)
        return made
    if type(value) is not list:
        return pickle.loads(pickle.dumps(value))
    if _LEAVES.issuperset(map(type, value)):
        return value.copy()
    return [
        inner.copy()
        if type(inner) is dict and _LEAVES.issuperset(map(type, inner.values()))
        else copied(inner)
        for inner in value
    ]
