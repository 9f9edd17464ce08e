"""Entity profiles: whom the character met, what it observed, and how it feels about them.

The shape is that of seed `entity_profiles` §2 with `readers` on every item. Disposition (name,
dates, counts, favorability, state) carries no label: a friendship made in whispers warms a public
greeting, while its reasons stay private.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.memory.parts import Part, epoch, iso
from ai_assistant.memory.traits import add_attribute, consolidate, restore
from ai_assistant.readers import OPEN

STATES = ((0.25, "stranger"), (0.50, "acquaintance"), (0.75, "friend"), (1.01, "ally"))
STANCES = {
    "stranger": "formal and cautious; little trust",
    "acquaintance": "friendly but professional; moderate trust",
    "friend": "warm and casual; willing to help",
    "ally": "devoted; first in attention and trust",
}
FIRST_IMPRESSION = 0.15
MAX_OBSERVATIONS = 50
MAX_HISTORY = 50
MAX_STEP = 0.05
"""The most that one event may change favorability, unless staff or game code asks."""
MAX_PER_DAY = 0.2
"""The most that one author may change it in a day."""
SOURCES = ("direct", "inferred", "told")
SECRET = "secret"
"""The kind of an observation that was confided: no night makes anything of it."""
TRUST = {"direct": 0.9, "inferred": 0.6, "told": 0.5}


def calculate_state(favorability: float) -> str:
    """Return the relationship state for a favorability of 0.0 to 1.0 (seed §3's thresholds)."""
    return next(name for below, name in STATES if favorability < below)


def empty_profile() -> Json:
    """Return the profile of somebody never met."""
    return {
        "entity_type": "",
        "name": "",
        "created": "",
        "last_interaction": "",
        "attributes": [],
        "observations": [],
        "relationship": {
            "state": calculate_state(FIRST_IMPRESSION),
            "favorability": FIRST_IMPRESSION,
            "interaction_count": 0,
            "last_delta": 0.0,
            "history": [],
            "today": {"day": "", "by": {}},
        },
    }


def create_entity_profile(profile: Json, *, name: str, entity_type: str, at: float) -> None:
    """Fill in who somebody is; a profile that exists only learns the present name."""
    profile["name"] = name
    profile["entity_type"] = entity_type
    profile["created"] = profile["created"] or iso(at)


def record_interaction(profile: Json, *, at: float) -> None:
    """Count one more exchange with them."""
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
    evidence: Sequence[int] = (),
    kind: str = "",
) -> list[MemoryRow]:
    """Append a raw observation; the oldest beyond fifty spill over as memory rows.

    Those that were consolidated have their rows already, and just leave.

    `source` is direct, inferred or told, `told_by` the name of who told it, `evidence` the ids of
    the rows in which it was said, where it was noted from those, `kind` secret or nothing. What the
    same author said before, in the same words and for the same readers, is not added again.
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
            "evidence": list(evidence),
            **({"kind": kind} if kind else {}),
        }
    )
    spilled = [
        one for one in profile["observations"][:-MAX_OBSERVATIONS] if not one.get("consolidated")
    ]
    profile["observations"] = profile["observations"][-MAX_OBSERVATIONS:]
    return [observation_as_row(entity_id, profile["name"], item) for item in spilled]


def observation_as_row(entity_id: str, name: str, item: Json) -> MemoryRow:
    """Return an observation of that entity as the memory row that it becomes."""
    told_by, author = item.get("told_by", ""), item.get("author", "")
    return MemoryRow(
        content=item["content"],
        kind="observation",
        subject=entity_id,
        author=author,
        author_name=told_by or (name if author == entity_id else ""),
        readers=item["readers"],
        learned_at=epoch(item["timestamp"]),
        trust=item["trust"],
        meta={"source": item["source"], "told_by": told_by}
        | ({SECRET: True} if item.get("kind") == SECRET else {}),
        parents=tuple(item.get("evidence", ())),
    )


def update_relationship(  # noqa: PLR0913 - one argument for each field of the item
    profile: Json,
    *,
    delta: float,
    reason: str,
    author: str,
    at: float,
    readers: str = OPEN,
    limit: float = MAX_STEP,
) -> None:
    """Move favorability by `delta`, clamped per event, per day and author, and to 0.0–1.0."""
    bond = profile["relationship"]
    day = iso(at)[:10]
    if bond["today"]["day"] != day:
        bond["today"] = {"day": day, "by": {}}
    used = bond["today"]["by"].get(author, 0.0)
    step = max(-limit, min(limit, delta))
    if limit <= MAX_STEP:  # what staff or game code gave may have passed the day's limit already
        step = max(min(0.0, -MAX_PER_DAY - used), min(max(0.0, MAX_PER_DAY - used), step))
    after = round(max(0.0, min(1.0, bond["favorability"] + step)), 4)
    if after == bond["favorability"]:
        return
    bond["today"]["by"][author] = round(used + step, 4)
    bond["last_delta"] = round(after - bond["favorability"], 4)
    bond["favorability"] = after
    entry = {
        "delta": bond["last_delta"],
        "reason": reason,
        "timestamp": iso(at),
        "author": author,
        "readers": readers,
    }
    if (state := calculate_state(after)) != bond["state"]:
        entry |= {"old_state": bond["state"], "new_state": state}
        bond["state"] = state
    bond["history"] = [*bond["history"], entry][-MAX_HISTORY:]


def treated(  # noqa: PLR0913 - one argument for each field of the record
    profile: Json,
    *,
    score: int,
    reason: str,
    line: int,
    author: str,
    readers: str,
    at: float,
    event: str = "",
) -> None:
    """Take note of how they treated the character, from -2 to 2, by the line that shows it."""


# -- views


def trust_score(profile: Json) -> int:
    """Return favorability as a number from 0 to 100; read-only."""
    favorability: float = profile["relationship"]["favorability"]
    return round(favorability * 100)


def shown_delta(before: Json, after: Json) -> float:
    """Return by how much favorability moved between two states of a relationship."""
    return round(float(after["favorability"] - before["favorability"]), 4)


def secrets(profile: Json, entity_id: str) -> list[Json]:
    """Return what was confided, and the other observations and traits only this entity may read."""
    items = (*profile["observations"], *profile["attributes"])
    return [one for one in items if one.get("readers") == entity_id or one.get("kind") == SECRET]


def last_interaction_summary(profile: Json, now: float) -> str:
    """Say when they last had to do with each other, in words; empty where they never had."""
    if not profile["last_interaction"]:
        return ""
    days = int((now - epoch(profile["last_interaction"])) // 86_400)
    ago = "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"
    return f"{ago}; {profile['relationship']['interaction_count']} exchanges so far"


def to_prune(
    profiles: Mapping[str, Json], now: float, *, days: float = 90.0, most_interactions: int = 2
) -> list[str]:
    """Return the keys of strangers of whom nothing is known and who did not come back.

    `now` in seconds since the epoch; `days` is how long ago they were last met.
    """
    return [
        key
        for key, one in profiles.items()
        if one["created"]
        and one["relationship"]["state"] == STATES[0][1]
        and one["relationship"]["interaction_count"] <= most_interactions
        and not one["attributes"]
        and not one["observations"]
        and now - epoch(one["last_interaction"] or one["created"]) > days * 86_400
    ]


PROFILE = Part(
    name="profile",
    attribute="entity_profiles",
    keyed=True,
    shared=True,
    empty=empty_profile,
    steps={
        "create_entity_profile": create_entity_profile,
        "record_interaction": record_interaction,
        "add_entity_observation": add_entity_observation,
        "update_relationship": update_relationship,
        "add_attribute": add_attribute,
        "consolidate": consolidate,
        "restore": restore,
        "treated": treated,
    },
)
