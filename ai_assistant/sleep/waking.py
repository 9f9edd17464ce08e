"""Falling asleep and waking: the hours of sleep, and who may end it."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import TO_ONE, AuditRecord, Change, Commit, Event, Verdict
from ai_assistant.language.address import addresses
from ai_assistant.language.talk_signs import is_alarm
from ai_assistant.memory.inner.sleep_state import COMPACTING, night_id


def caller(event: Event, verdict: Verdict, names: Iterable[str]) -> str:
    """Return in which way an event would wake the character; empty where it would not.

    ``touch`` is a gift or a gesture towards it, ``emergency`` a cry of alarm, ``addressed``
    whatever else is meant for it.
    """
    names = tuple(names)
    spoken = event.source_type in ("say", "pose", "channel")
    if event.source_type == "gift" or (
        event.source_type == "pose" and addresses(event.content, names)
    ):
        return "touch"
    if spoken and not event.by_assistant and is_alarm(event.content):
        return "emergency"
    meant = event.source_type in TO_ONE or addresses(event.content, names)
    return "addressed" if verdict is Verdict.TRIGGER and meant else ""


def begin_night(mind: Mind, *, why: str, until: float = 0.0, by: str = "") -> None:
    """Fall asleep. `until` in seconds since the epoch; 0: for as long as the night has work.

    What was overheard is saved first, so that the night finds it. `by` is who of staff did it.
    Raises `StoreError`.
    """
    flush(mind)
    at = mind.clock.now()
    step = {"night": night_id(at), "why": why, "at": at, "until": until}
    audit = [AuditRecord("NightBegun", {"night": step["night"], "why": why, "by": by}, at=at)]
    if why == "schedule":
        tick = {"tick_number": mind.store.read("counters")["ticks"], "duration_ms": 0}
        audit.append(AuditRecord("TickCompleted", tick | {"action_taken": "fell asleep"}, at=at))
    change = Change("sleep", "", "fall_asleep", step)
    mind.save(Commit(at=at, turn_id=str(step["night"]), changes=[change], audit=audit))


def wake_up(mind: Mind, *, why: str, by: str = "") -> bool:
    """Wake it, or postpone that until the first phase is over; returns whether it is awake.

    `why` is schedule, addressed, touch, emergency, command or done; `by` is who of staff did it.
    Raises `StoreError`.
    """
    if mind.phase and not (mind.phase == COMPACTING and mind.store.read("sleep")["called_by"]):
        at = mind.clock.now()
        change = Change("sleep", "", "call", {"by": why, "at": at})
        record = AuditRecord("Woken", {"why": why, "by": by}, at=at)
        mind.save(Commit(at=at, changes=[change], audit=[record]))
    return not mind.phase
