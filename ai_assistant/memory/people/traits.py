"""Traits: lasting knowledge about somebody, made of observations, with the ids of its evidence.

They stand in a profile's `attributes`. Consolidation replaces some and adds others in one step; a
replaced trait is kept as the past of the new one, and can be restored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ai_assistant.core.contracts import Json, MemoryRow, NewRow
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.core.times import epoch, iso
from ai_assistant.memory import importance
from ai_assistant.memory.evidence import REPLACES
from ai_assistant.memory.redaction import fingerprint

MAX_ATTRIBUTES = 60
SEEN, OWN, TOLD, THOUGHT = "seen", "own", "told", "inferred"
"""On whose word something is known: the game showed it, they said it themselves, others did, or
nobody: the character thinks so."""
STRENGTH = {SEEN: 3, OWN: 2, TOLD: 1, THOUGHT: 0, "": 0}
"""What is known from a weaker source replaces nothing that is known from a stronger one."""


def add_attribute(  # noqa: PLR0913 - one argument for each field of the item
    profile: Json,
    *,
    entity_id: str,
    type: str,
    value: str,
    source: str,
    at: float,
    readers: str = OPEN,
    author: str = "",
    evidence: Sequence[int] = (),
) -> list[MemoryRow]:
    """Add a trait, such as a preference, unless the same words are there already.

    `source` is consolidation, staff, game or card; `evidence` holds the ids of the rows that the
    trait rests on. Beyond sixty the oldest are returned as memory rows.
    """
    known = profile["attributes"]
    if any(item["value"] == value and item.get("readers") == readers for item in known):
        return []
    known.append(
        {
            "type": type,
            "value": value,
            "source": source,
            "created": iso(at),
            "evidence": list(evidence),
            "author": author,
            "readers": readers,
        }
    )
    return _spill(profile, entity_id)


def consolidate(  # noqa: PLR0913 - one argument for each thing that a night may do
    profile: Json,
    *,
    entity_id: str,
    drop: Collection[str],
    add: Sequence[Json],
    consumed: Collection[str],
    keep_consumed: bool = False,
    read: Collection[str] = (),
) -> list[MemoryRow]:
    """Replace traits and use up observations, each named by its fingerprint; return what spills.

    `drop` names traits that `add` holds in a newer form, or as its past. Observations in `consumed`
    leave the profile, or with `keep_consumed` are marked so that no later night uses them again.
    Those in `read` prove nothing yet: they stay, and are marked as read.
    """
    stay = [trait for trait in profile["attributes"] if fingerprint(trait) not in drop]
    profile["attributes"] = [*stay, *add]
    left = []
    for observation in profile["observations"]:
        mark = fingerprint(observation)
        if mark not in consumed:
            left.append({**observation, "read": True} if mark in read else observation)
        elif keep_consumed:
            left.append({**observation, "consolidated": True})
    profile["observations"] = left
    return _spill(profile, entity_id)


def as_trait(note: Json, about: str, evidence: Sequence[int | NewRow]) -> Json:
    """Return a note about the entity `about` as a trait, with the rows of its evidence."""
    return {
        "type": "",
        "value": note["content"],
        "source": "consolidation",
        "created": note["timestamp"],
        "evidence": [*evidence],
        "author": note.get("author", ""),
        "readers": note["readers"],
        "basis": basis_of(note, about),
        "quote": note["content"],
    }


def basis_of(item: Json, about: str) -> str:
    """Return on whose word a trait or a note about somebody is known, a key of `STRENGTH`.

    What staff or game code gave counts as seen.
    """
    if "value" in item:
        basis = str(item.get("basis", SEEN))
        is_older = item.get("source") == "consolidation" and "quote" not in item
        return OWN if is_older and basis == SEEN else basis
    if item["source"] != "direct":
        return str(item["source"])
    return OWN if item.get("author") == about else SEEN


def restore(
    profile: Json,
    *,
    drop: Collection[str],
    attributes: Sequence[Json],
    observations: Sequence[Json],
) -> None:
    """Undo a consolidation: remove its traits, put back what it replaced and used up.

    A trait that was changed since is left alone. The observations come back marked, so that the
    next night does not do the same again.
    """
    stay = [trait for trait in profile["attributes"] if fingerprint(trait) not in drop]
    known = set(map(fingerprint, stay))
    back = [trait for trait in attributes if fingerprint(trait) not in known]
    profile["attributes"] = sorted([*back, *stay], key=lambda trait: trait.get("created", ""))
    known = set(map(fingerprint, profile["observations"]))
    marked = [{**observation, "consolidated": True} for observation in observations]
    again = [entry for entry in marked if fingerprint(entry) not in known]
    noted = [*again, *profile["observations"]]
    profile["observations"] = sorted(noted, key=lambda entry: entry["timestamp"])


def _spill(profile: Json, entity_id: str) -> list[MemoryRow]:
    spilled = profile["attributes"][:-MAX_ATTRIBUTES]
    profile["attributes"] = profile["attributes"][-MAX_ATTRIBUTES:]
    return [trait_as_row(entity_id, profile["name"], item) for item in spilled]


def trait_as_row(entity_id: str, name: str, item: Json) -> MemoryRow:
    """Return the memory row of a trait of the entity with this id and name."""
    return MemoryRow(
        content=item["value"],
        kind="trait",
        subject=entity_id,
        author=item.get("author", ""),
        author_name=name if item.get("author") == entity_id else "",
        readers=item.get("readers", NOBODY),
        learned_at=epoch(item.get("created", "")),
        importance=importance.TRAIT,
        parents=tuple(item.get("evidence", ())),
        meta={"asked": item.get("type", "")}
        | ({REPLACES: list(item[REPLACES])} if item.get(REPLACES) else {}),
    )
