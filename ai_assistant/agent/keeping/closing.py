"""Closing events that no turn will answer: they are kept as heard, with the reason on record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial, reduce

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Event, StoredTrigger
from ai_assistant.core.readers import NOBODY, meet
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.roleplay.distribution import keep_heard

MAX_ATTEMPTS = 2


def close_events(mind: Mind, events: Sequence[Event], reason: str) -> None:
    """End these events unanswered, and keep each as heard. Raises `StoreError`.

    The tick that begins an autonomous turn is not kept.
    """
    commit = Commit(at=mind.clock.now())
    if heard := [event for event in events if event.event_type != "tick"]:
        _keep(commit, heard, mind)
    for event in events:
        data = {"event": event.id, "reason": reason, "who": event.source.name}
        commit.audit.append(AuditRecord("EventClosed", data, event.readers, at=commit.at))
        commit.closed.append(event.id)
    counted = {"name": f"closed {reason.partition(':')[0]}", "amount": len(events)}
    commit.changes.append(Change("metrics", "", "count", counted))
    mind.save(commit)


def close_interrupted(mind: Mind, pending: StoredTrigger) -> None:
    """End an event for good whose turn had spoken or begun an act when the server died.

    What was saved with earlier pieces of its speech is not written again.
    """
    event = pending.event
    about = "at work" if event.event_type == "tick" else f"answering {event.source.name}"
    deeds = [claim_text(claim) for claim in pending.claims if not claim.get("saved")]
    commit = Commit(at=mind.clock.now(), turn_id=pending.turn_id)
    entry = {
        "content": ": ".join(filter(None, (f"Was interrupted while {about}", "; ".join(deeds)))),
        "source_type": "observation",
        "source_entity": event.source.id,
        "at": commit.at,
        "readers": reduce(
            partial(meet, belongs=mind.world.belongs),
            [str(claim["readers"]) for claim in pending.claims],
            event.readers,
        ),
        "tags": ["interrupted"],
    }
    commit.changes.append(Change("journal", "", "add_journal_entry", entry))
    data = {"event": event.id, "reason": "interrupted", "claims": list(pending.claims)}
    commit.audit.append(AuditRecord("EventClosed", data, NOBODY, pending.turn_id, at=commit.at))
    if event.event_type != "tick" and not any(claim.get("saved") for claim in pending.claims):
        _keep(commit, [event], mind, answered=True)
    commit.closed.append(event.id)
    mind.save(commit)


def flush(mind: Mind) -> None:
    """Save what was overheard since the last turn. Raises `StoreError`, and loses nothing then."""
    if mind.heard:
        keep_lines(mind, [*mind.heard])
        mind.heard.clear()


def keep_lines(mind: Mind, lines: Sequence[Event]) -> None:
    """Save lines as overheard, all or none of them. Raises `StoreError`."""
    commit = Commit(at=mind.clock.now())
    _keep(commit, lines, mind)
    mind.save(commit)


def _keep(commit: Commit, events: Iterable[Event], mind: Mind, *, answered: bool = False) -> None:
    entries = [entry_of(event) for event in events]
    commit.changes.append(Change("stream", "", "append", {"added": entries}))
    for event in events:
        keep_heard(commit, event, mind.key, answered=answered, world=mind.world_agent)


def claim_text(claim: dict[str, object]) -> str:
    """Return in words what is known of a claimed act."""
    result = claim.get("result")
    if isinstance(result, dict):
        told = next(map(str, result.values()), "")
        return f"{claim['tool']} was {'refused' if 'error' in result else 'done'}: {told}"
    return f"{claim['tool']} had begun, and nobody knows how it ended"
