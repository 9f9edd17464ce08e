"""Hearsay: where the memory of a row comes from, if somebody passed it on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow

TOLD, FICTION = "told", "fiction"
"""Where an event, a row and an entry of the stream keep what was passed on, and what is played."""


def sources_of(row: MemoryRow) -> Sequence[Json]:
    """Return a source for each thing that was passed on with a row; empty at first hand.

    `author` is whose word it is, `chain` through whom it came since, `trust` how far it is
    believed.
    """
    return [first_source(row)] if row.meta.get("chain") else row.meta.get(TOLD, ())


def first_source(row: MemoryRow) -> Json:
    """Return the source of a row that holds one thing only."""
    meta = row.meta
    entry = {
        "author": row.author,
        "author_name": row.author_name,
        "chain": list(meta.get("chain", ())),
        "origin": meta.get("origin") or meta.get("event") or f"#{row.id}",
        "happened_day": meta.get("happened_day", row.game_day),
        "trust": row.trust,
    }
    return entry | ({FICTION: True} if meta.get(FICTION) else {})


def hearsay(row: MemoryRow) -> Json:
    """Return what a prompt says of a row's source.

    That is whose word it is, if not its speaker's, and whether it was only played.
    """
    names = dict.fromkeys(map(_source_name, sources_of(row)))
    return ({"heard_from": ", ".join(names)} if names else {}) | shown_as(row.meta)


def shown_as(marks: Mapping[str, Any]) -> Json:
    """Return what a prompt says of something with the mark of fiction: that it was played."""
    return {"played": True} if marks.get(FICTION) else {}


def _source_name(one: Mapping[str, Any]) -> str:
    name = str(one["author_name"] or "somebody")
    return f"{name}, through others" if len(one["chain"]) > 1 else name
