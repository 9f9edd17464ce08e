"""Tidying, asleep and awake: what is over is closed, full lists and old days are shortened.

What leaves the prompt or the search stays on disk: nothing here destroys evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile

from ai_assistant.agent.keeping.compaction import CALLS, may_summarise, summarised
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, NewRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import DAY
from ai_assistant.language.words import LETTERS_A_TOKEN
from ai_assistant.memory import labelled
from ai_assistant.memory.importance import TRIFLE
from ai_assistant.memory.inner.notebook import MAX_CHARACTERS as MAX_NOTES
from ai_assistant.memory.inner.session import LISTS, MAX_CHARACTERS, MAX_ITEMS
from ai_assistant.memory.inner.sleep_state import unread_after
from ai_assistant.memory.people.profiles import to_prune
from ai_assistant.memory.talk.folding import is_stale, to_summarise
from ai_assistant.planning.goals import current_goals
from ai_assistant.roleplay.day_summaries import fold_days, is_young, whole_days
from ai_assistant.roleplay.play import Play
from ai_assistant.roleplay.scene import GAME
from ai_assistant.sleep.settle_blocks import settle_by_rule
from ai_assistant.sleep.work import LINES_A_CALL, UNANSWERED, StageResult, Work, label_mark, may_ask

OLD = 30 * DAY
AT_ONCE = 100
MOST_VIEWS = 1000
SLICE = 200
"""Rows of old days in one piece of work."""
KEPT_SHARE = 0.6
"""The share of a full list that stays at hand; the older rest becomes memory rows."""
CROWDED = (
    ("session", tuple(LISTS.values()), (MAX_CHARACTERS, MAX_ITEMS)),
    ("notebook", ("lines",), (MAX_NOTES,)),
)
"""Parts that can be full: their lists, and how many characters (and items) fit under a label."""
RECORD = "Upkeep"
"""The type of the audit records that tell of upkeep awake."""


def tidy_talks(mind: Mind, sleep: Json) -> Work | None:
    """Close the next talk that is over, or fold the next one that takes too much of a prompt."""
    now, config = mind.clock.now(), mind.config
    keep = config["compact_preserve_window"]
    room = config["max_context_tokens"] * config["compact_sleep_threshold"] * LETTERS_A_TOKEN
    for key, talk in mind.store.read_all("working").items():
        size = sum(len(message["content"]) for message in talk["messages"])
        is_long = config["compact_enabled"] and len(talk["messages"]) > keep and size > room
        if key in sleep["skipped"]:
            continue
        if is_stale(talk, now) and (talk["messages"] or talk["started"]):
            change, what = Change("working", key, "close", {"at": now}), "closed"
        elif is_long:
            change, what = Change("working", key, "fold", {"at": now, "keep": keep}), "folded"
        else:
            continue
        told = {"talk": what, "entity_id": talk["entity_id"]}
        return Work("talks", changes=[change], told=told, readers=talk["readers"], skip=key)
    return None


def summarise_talks(mind: Mind, sleep: Json) -> StageResult | None:
    """Let a model put the next folded talk together, where role and game allow that."""
    if not may_summarise(mind) or not may_ask(mind, sleep, "summarise", calls=CALLS):
        return None
    if UNANSWERED in sleep["skipped"]:
        return None
    for key, talk in mind.store.read_all("working").items():
        if key not in sleep["skipped"] and to_summarise(talk)[1]:
            return _summarise(mind, key)
    return None


async def _summarise(mind: Mind, key: str) -> Work:
    found = await summarised(mind, key)
    return Work(
        "summaries",
        changes=found.changes,
        audit=found.audit,
        skip=key if found.is_answered else UNANSWERED,
        calls=CALLS,
        credit=-LINES_A_CALL * CALLS if found.is_answered else 0,
    )


# -- full lists


def settle_lists(mind: Mind, sleep: Json) -> Work | None:
    """Move the older part of a notebook or session memory that is full, by labels, to rows."""
    for part, names, limits in CROWDED:
        state = mind.store.read(part)
        if not state["needs_compaction"]:
            continue
        for readers in dict.fromkeys(item["readers"] for name in names for item in state[name]):
            mark = f"{part} {label_mark(readers)}"
            kept = [labelled.under(state[name], readers) for name in names]
            crowded = any(labelled.is_crowded(some, *limits) for some in kept)
            if crowded and mark not in sleep["skipped"]:
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


def next_piece(mind: Mind, skipped: Collection[str]) -> Work | None:
    """Return the next piece of upkeep awake, of those not skipped: a full list, or a block."""
    return settle_lists(mind, {"skipped": skipped}) or settle_by_rule(mind, skipped)


def keep_up(mind: Mind, work: Work) -> None:
    """Write a piece of upkeep awake. Raises `StoreError`."""
    at = mind.clock.now()
    told = AuditRecord(RECORD, {"stage": work.stage, **work.told}, work.readers, at=at)
    mind.save(Commit(at=at, changes=work.changes, audit=[told]))


# -- what nobody needs at hand any more


def prune(mind: Mind, sleep: Json) -> Work | None:
    """Archive the next old trifles of the journal that no living view rests on."""
    where = {
        "kind": "journal",
        "importance": ("<=", TRIFLE),
        "learned_at": ("<", mind.clock.now() - OLD),
    }
    evidence = evidence_of(mind)
    found = mind.store.rows.find(where, AT_ONCE)
    if gone := [row.id for row in found if row.id not in evidence]:
        told, undo = {"put_by": len(gone)}, {"archived": gone}
        return Work("prune", archived=gone, told=told, undo=undo, readers=NOBODY)
    return None


def part_with_strangers(mind: Mind, sleep: Json) -> StageResult | None:
    """Empty the profiles of strangers who never came back, and of whom nothing is known.

    Whoever waits for something stays. An emptied profile goes for good with the next piece.
    """
    profiles = mind.store.read_all("profile")
    emptied = [key for key, profile in profiles.items() if not profile["created"]]
    waited_for = {goal["requester"] for goal in current_goals(mind.store.read("goals"))}
    talks = mind.store.read_all("working").values()
    waited_for |= {talk["entity_id"] for talk in talks if talk["pending_actions"]}
    strangers = to_prune(profiles, mind.clock.now())
    gone = [key for key in strangers if key not in waited_for][:AT_ONCE]
    return _part_with(mind, emptied, gone) if emptied or gone else None


async def _part_with(mind: Mind, emptied: Sequence[str], gone: Sequence[str]) -> Work | None:
    for key in emptied:
        mind.store.drop("profile", key)
    if not gone:
        return None
    empty = {"edits": {}, "whole": True}
    changes = [Change("profile", key, "redact", empty) for key in gone]
    return Work("strangers", changes=changes, told={"strangers": len(gone)})


def fold_old_days(mind: Mind, sleep: Json) -> Work | None:
    """Fold the next days that lie further back than `fold_days_back`; None when none is left.

    In the game, and in the scene that it plays in, each by the day of its own story.
    """
    now = mind.plays(None)
    plays = {play.session: play for play in map(mind.plays, (GAME, now.session, now.member_of))}
    done = {session: sleep["folded"].get(session, 0) for session in plays}
    works = (_old_days(mind, sleep, play, done) for play in plays.values())
    return next(filter(None, works), None) if mind.config["fold_days_back"] else None


def _old_days(mind: Mind, sleep: Json, play: Play, done: dict[str, int]) -> Work | None:
    """Return the next piece of a session's days.

    What was not read yet waits for the next night; what a view rests on stays as it is.
    """
    before = play.day - mind.config["fold_days_back"]
    rows = mind.store.rows.after(done[play.session], SLICE, play.session)
    known = (row for row in rows if row.id <= unread_after(sleep))
    old = list(takewhile(lambda row: not is_young(row, before), known))
    some = whole_days(old, more=len(old) == SLICE)
    if not some:
        return None
    evidence = evidence_of(mind)
    folded = fold_days((row for row in some if row.id not in evidence), before, mind.clock.now())
    told = {"days": len(folded.summaries), "lines": len(folded.archived)}
    summaries = [NewRow(place) for place in range(len(folded.summaries))]
    return Work(
        "days",
        rows=folded.summaries,
        archived=folded.archived,
        told=told if summaries else {},
        undo={"summaries": summaries, "archived": folded.archived},
        marks={"folded": {**done, play.session: some[-1].id}},
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
