"""Tidying, asleep and awake: what is over is closed, full lists are shortened, trifles archived.

What leaves the prompt or the search stays on disk: nothing here destroys evidence.
"""

from __future__ import annotations

from collections.abc import Collection

from ai_assistant.agent.keeping.compaction import CALLS, may_summarise, shortened
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.importance import TRIFLE
from ai_assistant.core.readers import NOBODY
from ai_assistant.memory import labelled
from ai_assistant.memory.inner.notebook import MAX_CHARACTERS as MAX_NOTES
from ai_assistant.memory.inner.session import LISTS, MAX_CHARACTERS, MAX_ITEMS
from ai_assistant.memory.parts import DAY
from ai_assistant.memory.people.profiles import to_prune
from ai_assistant.memory.talk.folding import is_stale, to_summarise
from ai_assistant.planning.goals import current
from ai_assistant.sleep.settle_blocks import settle_by_rule
from ai_assistant.sleep.work import LINES_A_CALL, Work, label_mark, may_ask

OLD = 30 * DAY
AT_ONCE = 100
MOST_VIEWS = 1000
KEPT_SHARE = 0.6
"""The share of a full list that stays at hand; the older rest becomes memory rows."""
CROWDED = (
    ("session", tuple(LISTS.values()), (MAX_CHARACTERS, MAX_ITEMS)),
    ("notebook", ("lines",), (MAX_NOTES,)),
)
"""Parts that can be full: their lists, and how many characters (and items) fit under a label."""
TOKENS_A_CHARACTER = 0.25


async def tidy_talks(mind: Mind, sleep: Json) -> Work | None:
    """Close the next talk that is over, or fold the next one that has grown long."""
    now = mind.clock.now()
    for key, talk in mind.store.read_all("working").items():
        if key in sleep["skipped"]:
            continue
        if is_stale(talk, now) and (talk["messages"] or talk["started"]):
            return _talk(talk, Change("working", key, "close", {"at": now}), key, "closed")
        if _is_long(mind, talk):
            step = {"at": now, "keep": mind.config["compact_preserve_window"]}
            return _talk(talk, Change("working", key, "fold", step), key, "folded")
    return None


def _talk(talk: Json, change: Change, key: str, what: str) -> Work:
    return Work(
        "talks",
        changes=[change],
        told={"talk": what, "entity_id": talk["entity_id"]},
        readers=talk["readers"],
        skip=key,
    )


def _is_long(mind: Mind, talk: Json) -> bool:
    """Does a talk take more of the prompt than its threshold asleep allows?"""
    if not mind.config["compact_enabled"]:
        return False
    lines = sum(len(message["content"]) for message in talk["messages"])
    room = mind.config["max_context_tokens"] * mind.config["compact_sleep_threshold"]
    many = len(talk["messages"]) > mind.config["compact_preserve_window"]
    return bool(many and lines * TOKENS_A_CHARACTER > room)


async def summarise_talks(mind: Mind, sleep: Json) -> Work | None:
    """Let a model put the next folded talk together, where role and game allow that."""
    if not may_summarise(mind) or not may_ask(mind, sleep, "summarise", calls=CALLS):
        return None
    for key, talk in mind.store.read_all("working").items():
        if key not in sleep["skipped"] and to_summarise(talk)[1]:
            found = await shortened(mind, key)
            return Work(
                "summaries",
                changes=found.changes,
                audit=found.audit,
                skip=key,
                calls=CALLS,
                credit=-LINES_A_CALL * CALLS,
            )
    return None


async def settle(mind: Mind, sleep: Json) -> Work | None:
    """Do `next_full_list` as a stage of the night."""
    return next_full_list(mind, sleep["skipped"])


def next_full_list(mind: Mind, skipped: Collection[str]) -> Work | None:
    """Move the older part of a notebook or session memory that is full, by labels, to rows."""
    for part, names, limits in CROWDED:
        state = mind.store.read(part)
        if not state["needs_compaction"]:
            continue
        for readers in dict.fromkeys(item["readers"] for name in names for item in state[name]):
            mark = f"{part} {label_mark(readers)}"
            kept = [labelled.under(state[name], readers) for name in names]
            crowded = any(labelled.is_crowded(some, *limits) for some in kept)
            if crowded and mark not in skipped:
                step = {"readers": readers, "share": KEPT_SHARE}
                moved = sum(len(some) - max(1, round(KEPT_SHARE * len(some))) for some in kept)
                return Work(
                    "settle",
                    changes=[Change(part, "", "settle", step)],
                    told={"moved": moved},
                    readers=readers,
                    skip=mark,
                )
    return None


async def prune(mind: Mind, sleep: Json) -> Work | None:
    """Archive the next old trifles of the journal that no living view rests on."""
    found = mind.store.rows.find(
        {
            "kind": "journal",
            "importance": ("<=", TRIFLE),
            "learned_at": ("<", mind.clock.now() - OLD),
        },
        AT_ONCE + len(sleep["skipped"]),
    )
    evidence = evidence_of(mind)
    gone = [row.id for row in found if row.id not in evidence][:AT_ONCE]
    if not gone:
        return None
    return Work(
        "prune",
        archived=gone,
        told={"put_by": len(gone)},
        undo={"archived": gone},
        readers=NOBODY,
    )


async def part_with_strangers(mind: Mind, sleep: Json) -> Work | None:
    """Empty the profiles of strangers who never came back, and of whom nothing is known.

    Whoever waits for something stays. An emptied profile goes for good with the next piece.
    """
    profiles = mind.store.read_all("profile")
    for key, profile in profiles.items():
        if not profile["created"]:
            mind.store.drop("profile", key)
    waited_for = {goal["requester"] for goal in current(mind.store.read("goals"))}
    talks = mind.store.read_all("working").values()
    waited_for |= {talk["entity_id"] for talk in talks if talk["pending_actions"]}
    gone = [key for key in to_prune(profiles, mind.clock.now()) if key not in waited_for]
    if not gone:
        return None
    empty = {"edits": {}, "whole": True}
    return Work(
        "strangers",
        changes=[Change("profile", key, "redact", empty) for key in gone[:AT_ONCE]],
        told={"strangers": len(gone[:AT_ONCE])},
    )


def evidence_of(mind: Mind) -> set[int]:
    """Return the ids of rows that a trait, an observation or an insight rests on."""
    profiles = mind.store.read_all("profile").values()
    ids = {
        id
        for profile in profiles
        for item in (*profile["attributes"], *profile["observations"])
        for id in item.get("evidence", ())
    }
    insights = mind.store.rows.find({"kind": "insight"}, MOST_VIEWS)
    return ids.union(id for row in insights for id in row.parents)


RECORD = "Upkeep"
"""The type of the audit records that tell of it."""


def next_piece(mind: Mind, skipped: Collection[str]) -> Work | None:
    """Return the next piece, of those that are not skipped: a list that is full, or a block."""
    return next_full_list(mind, skipped) or settle_by_rule(mind, skipped)


def keep_up(mind: Mind, work: Work) -> None:
    """Write a piece. Raises `StoreError`."""
    at = mind.clock.now()
    told = AuditRecord(RECORD, {"stage": work.stage, **work.told}, work.readers, at=at)
    mind.save(Commit(at=at, changes=work.changes, audit=[told]))
