"""A block that staff named, who may read its lines, and who wrote its versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ai_assistant.api import blocks
from ai_assistant.api.desk.regression import VersionFigures, figures_since
from ai_assistant.api.handlers import store_of
from ai_assistant.commands import shown
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import find, name_of
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK
from ai_assistant.models import BlockVersion
from ai_assistant.storage import read_block
from ai_assistant.storage.history.block_history import undo, versions

VERSIONS = 15
"""So many versions of a block are listed."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A block that staff named."""

    npc: Any
    """The assistant whose block it is; None for a block of everybody."""
    label: str
    """Its name, as staff type it: `persona`, or that of a block of the game."""
    owner: str
    """The id that its row is kept under; `EVERYBODY` for the world's."""
    row: str
    """The label of that row, which is not always the name."""
    person: str = ""
    """The id of the person that a view is asked for; empty for none."""

    @property
    def is_view(self) -> bool:
        """Is it a view of something that has commands of its own?"""
        return self.label in rules.VIEWS

    @property
    def kind(self) -> str:
        """Its name among the six; of the game's own, what all of these are."""
        return self.label if self.label in rules.SIX else CUSTOM_BLOCK

    def value(self) -> Json:
        """Return what it holds. Raises `BlockRefused` for a private one without its person."""
        if self.npc is not None and self.label in rules.SIX:
            return blocks.get_npc_block(self.npc, self.label, self.person or None)
        held: Json = read_block(self.row, self.owner).value
        return held

    def must_be_stored(self) -> None:
        """Raise `AssistantError` for a view, which is mended elsewhere."""
        if self.is_view:
            view = rules.VIEWS[self.label]
            raise AssistantError(f"That is a view of {view}: see aimem, airel and aigoal.")

    def __str__(self) -> str:
        """Say what to call it."""
        return f"{self.label} of {name_of(self.npc) if self.npc else 'the world'}"


def line_readers(meant: Meant) -> list[tuple[str, int]]:
    """Return how many lines of a block are for whom, of those that are not for all."""
    if meant.label == rules.TASKS:
        items = store_of(meant.npc).read("goals")["goals"]
    elif meant.is_view:
        profile = store_of(meant.npc).read("profile", meant.person)
        items = [*profile["observations"], *profile["attributes"]]
    else:
        fields = read_block(meant.row, meant.owner).value.values()
        lists = (field for field in fields if isinstance(field, list))
        items = [item for some in lists for item in some if "readers" in (item or {})]
    counted = Counter(item.get("readers", NOBODY) for item in items)
    return [(shown.readers_in_words(readers), count) for readers, count in counted.items()]


def last_versions(meant: Meant) -> list[BlockVersion]:
    """Return the last versions of a block, the latest first."""
    return versions(meant.row, meant.owner, VERSIONS)


def version_rows(kept: Iterable[BlockVersion]) -> list[tuple[object, ...]]:
    """Return versions of a block as rows: which, when, writer, by whom, what, and its size."""
    rows, writer_of = list[tuple[object, ...]](), cache(find)
    for version in kept:
        did = f"undo to {version.restores}" if version.restores else version.did
        writer = writer_of(version.by)
        by = name_of(writer) if writer is not None else version.by
        when, size = shown.minute(iso(version.at)), rules.json_length(version.value)
        rows.append((version.version, when, version.writer, by, did, size))
    return rows


def version_figures(meant: Meant, kept: Iterable[BlockVersion]) -> list[str]:
    """Return what turns came to by each version of a persona, in words; nothing of other blocks."""
    is_persona = meant.label == rules.PERSONA
    return figures_in_words(meant.npc, [version.at for version in kept]) if is_persona else []


def figures_in_words(character: Any, began: Sequence[float]) -> list[str]:
    """Return what turns came to under each version, from when each `began`, the latest first."""
    return [_in_words(figure) for figure in figures_since(character, began)]


def _in_words(one: VersionFigures) -> str:
    turns, price = one.took.turns, one.took.price
    told = [counted(turns, "turn") if turns else "no turns on record"]
    if turns:
        mean = f"{one.took.tokens / turns:,.0f} tokens"
        told += [f"{mean}, {dollars(price and price / turns)} each"]
    told += [counted(one.took.failed, "failed call")] if one.took.failed else []
    told += [f"{count} {mark}" for count, mark in ((one.good, "good"), (one.bad, "bad")) if count]
    return "; ".join(told)


def undo_last_change(meant: Meant, *, by: str, wanted: int = 0) -> int:
    """Bring back what a block held before its last change, or the `wanted` version.

    Returns the version that this was. Raises `StoreError` where it is not kept.
    """
    if meant.label == rules.PERSONA:
        return blocks.undo_persona(meant.npc, by=by, wanted=wanted).version
    writer = "game" if meant.label in rules.SIX else "designer"
    return undo(meant.row, meant.owner, by=by, writer=writer, wanted=wanted).version
