"""Entity profiles: whom the character met, what it observed, and how it feels about them.

Every item carries its `readers`. Name, dates, counts, favorability and state carry no label: a
friendship made in whispers warms a public greeting, while its reasons stay private.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import DAY, epoch, iso
from ai_assistant.memory.labelled import item_as_row
from ai_assistant.memory.parts import Part
from ai_assistant.memory.people.feelings import (
    NEW_BOND,
    STATES,
    drift,
    end_promise,
    note_promise,
    set_aside_feelings,
    take_back_feelings,
    take_up_feelings,
    update_relationship,
)
from ai_assistant.memory.people.traits import add_attribute, consolidate, restore

MAX_OBSERVATIONS, MAX_SECRETS = 50, 200
"""Observations that a profile holds, and how many more that were confided."""
AWAY, MOST_MEETINGS = 90 * DAY, 2
"""Seconds for which somebody stayed away who was met so often at most, to be forgotten."""
SECRET = "secret"
"""The kind of an observation that was confided: no night makes anything of it."""
TRUST = {"direct": 0.9, "inferred": 0.6, "told": 0.5}
SOURCES = tuple(TRUST)


def create_entity_profile(profile: Json, *, name: str, entity_type: str, at: float) -> None:
    """Set the name and type of an entity, and the time of creation if the profile is new."""
    profile["name"] = name
    profile["entity_type"] = entity_type
    profile["created"] = profile["created"] or iso(at)


def count_exchange(profile: Json, *, at: float) -> None:
    """Count one more exchange with them, and let the feelings drift up to `at`.

    Of the first one the time is kept, as `met`.
    """
    drift(profile, at)
    if not profile["last_interaction"]:
        profile["met"] = iso(at)
    profile["last_interaction"] = iso(at)
    profile["relationship"]["interaction_count"] += 1


def add_entity_observation(  # noqa: PLR0913 - one argument for each field of the item
    profile: Json,
    *,
    entity_id: str,
    content: str,
    source: str,
    at: float,
    author: str = "",
    told_by: str = "",
    readers: str = OPEN,
    kind: str = "",
) -> list[MemoryRow]:
    """Append a raw observation; return those that no longer fit, as memory rows.

    The profile holds `MAX_OBSERVATIONS`: the oldest that a night has read leave first, then the
    oldest unread. Up to `MAX_SECRETS` secrets are held besides. Consolidated observations have rows
    already and leave without another.

    `source` is direct, inferred or told; `told_by` is the name of whoever told it; `kind` is
    ``secret`` or empty. An observation with the same words, author and readers is not added twice.
    """
    same = {"content": content, "author": author, "readers": readers}
    if any(same.items() <= item.items() for item in profile["observations"]):
        return []
    profile["observations"].append(
        {
            "content": content,
            "source": source,
            "timestamp": iso(at),
            "trust": TRUST[source],
            "author": author,
            "told_by": told_by,
            "readers": readers,
            **({"kind": kind} if kind else {}),
        }
    )
    held = profile["observations"]
    notes = [noted for noted in held if noted.get("kind") != SECRET]
    notes.sort(key=lambda noted: not (noted.get("read") or noted.get("consolidated")))
    gone = notes[: max(0, len(notes) - MAX_OBSERVATIONS)]
    gone += [noted for noted in held if noted.get("kind") == SECRET][:-MAX_SECRETS]
    profile["observations"] = [noted for noted in held if noted not in gone]
    spilled = (noted for noted in gone if not noted.get("consolidated"))
    return [observation_as_row(entity_id, profile["name"], noted) for noted in spilled]


def observation_as_row(entity_id: str, name: str, item: Json) -> MemoryRow:
    """Return the memory row of an observation about the entity with this id and name."""
    told_by, author = item.get("told_by", ""), item.get("author", "")
    secret = {SECRET: True} if item.get("kind") == SECRET else {}
    return replace(
        item_as_row(item, "observation"),
        subject=entity_id,
        author_name=told_by or (name if author == entity_id else ""),
        trust=item["trust"],
        meta={"source": item["source"], "told_by": told_by} | secret,
    )


# -- views


def secrets(profile: Json, entity_id: str) -> list[Json]:
    """Return what was confided, and the observations and traits that only this entity may read."""
    items = (*profile["observations"], *profile["attributes"])
    return [
        item for item in items if item.get("readers") == entity_id or item.get("kind") == SECRET
    ]


def to_prune(profiles: Mapping[str, Json], now: float) -> list[str]:
    """Return the keys of strangers of whom nothing is known and who stayed away for `AWAY`."""
    return [
        key
        for key, profile in profiles.items()
        if profile["created"]
        and drift(profile, now)["relationship"]["state"] == STATES[0][1]
        and profile["relationship"]["interaction_count"] <= MOST_MEETINGS
        and not profile["attributes"]
        and not profile["observations"]
        and now - epoch(profile["last_interaction"] or profile["created"]) > AWAY
    ]


PROFILE = Part(
    name="profile",
    attribute="entity_profiles",
    keyed=True,
    shared=True,
    shape={
        "entity_type": "",
        "name": "",
        "created": "",
        "met": "",
        "last_interaction": "",
        "attributes": [],
        "observations": [],
        "relationship": NEW_BOND,
    },
    steps={
        "create_entity_profile": create_entity_profile,
        "count_exchange": count_exchange,
        "add_entity_observation": add_entity_observation,
        "update_relationship": update_relationship,
        "take_back": take_back_feelings,
        "set_aside": set_aside_feelings,
        "take_up": take_up_feelings,
        "note_promise": note_promise,
        "end_promise": end_promise,
        "add_attribute": add_attribute,
        "consolidate": consolidate,
        "restore": restore,
    },
)
