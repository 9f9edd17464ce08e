"""How an assistant executes, its emergency stop, silence and sleep: for commands, pages, API."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.attention.emergency import clearing, stopping
from ai_assistant.agent.config import OPTIONS, groups
from ai_assistant.api.handlers import record_audit, save, store_of
from ai_assistant.api.lifecycle import all_assistants, script_of
from ai_assistant.api.overview import running, state_of
from ai_assistant.api.slices import in_slices
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.game.log import report
from ai_assistant.game.quiet import QUIET
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE
from ai_assistant.sleep.report import undo_night

ABOUT_EXECUTION = ("thinking", "helpers")
"""The groups of options that decide how it executes."""
MOST_REASON = 200
"""Characters of a reason that staff give."""


@dataclass(frozen=True, slots=True)
class Execution:
    """How an assistant executes at this moment, in words, and what is set about that."""

    state: list[tuple[str, str]]
    """What is looked at, and how it is."""
    options: list[tuple[str, Any, bool]]
    """Each option, its value, and whether it was set for this one."""
    is_stopped: bool
    """Is its emergency stop in force?"""


def execution_of(character: Any) -> Execution:
    """Return how an assistant executes now.

    Raises `AssistantError` where it has lost its script, and `StoreError`.
    """
    script, resident = script_of(character), SERVICE.residents.get(entity_id(character))
    safety, config = store_of(character).read("safety"), script.config
    most = config["max_consecutive_errors"]
    since, why = safety["since"][:16].replace("T", " "), safety["reason"]
    state = [
        ("state", state_of(script, resident)),
        ("emergency stop", f"since {since} UTC: {why}" if why else "no"),
        ("errors in a row", f"{safety['consecutive_errors']}{f' of {most}' if most else ''}"),
        *(_running_state(resident) if resident else ()),
    ]
    keys = [key for title in ABOUT_EXECUTION for key in groups()[title]]
    options = [(key, config[key], key in config.values) for key in keys if key in OPTIONS]
    return Execution(state, options, safety["emergency_stop"])


def _running_state(resident: Resident) -> list[tuple[str, str]]:
    mind, last = resident.mind, resident.last_report
    answers = ", ".join(dict.fromkeys(event.source.name for event in resident.events))
    turn = f"answering {answers}" if answers else "on its own" if resident.turn_id else "none"
    took = f"{counted(last.steps, 'step')}, {counted(last.tokens, 'token')}" if last else ""
    outcome = f"{last.outcome}; {took}" if last else ""
    waiting, put_off = mind.condition()["waiting"], len(resident.inbox.waiting)
    return [
        ("turn under way", turn),
        ("waiting", f"{waiting}, of them put off: {put_off}"),
        ("tried again", str(sum(resident.inbox.retries.values()))),
        ("rests after errors", "yes" if resident.backoff.resting else "no"),
        ("last turn", outcome or "none since the start"),
        ("last error", resident.last_error or "none in its last turn"),
        ("turns on its own", str(mind.store.read("counters").get("ticks", 0))),
        ("calls under way in the game", str(SERVICE.shared.bridge.pending)),
    ]


def trigger_emergency_stop(character: Any, reason: str = "", by: str = "staff") -> None:
    """Stop an assistant at once: it neither answers nor acts, over restarts, until that is cleared.

    A turn under way is dropped, and what waits is closed. Staff who are online are told. Raises
    `AssistantError` where it is stopped already, `StoreError`.
    """
    why = clean(reason, MOST_REASON).rstrip(".") or f"{by} wanted it"
    why += "."
    script_of(character)
    if store_of(character).read("safety")["emergency_stop"]:
        raise AssistantError(f"{name_of(character)} is stopped already: aiexec/clear ends that.")
    resident = SERVICE.residents.get(entity_id(character))
    if resident is None:
        save(character, stopping(why, time.time(), by=by))
        return
    resident.emergency.trigger(why, by)
    SERVICE.interrupt(resident.id)


def clear_emergency_stop(character: Any, by: str = "staff") -> None:
    """Let a stopped assistant go on, and count its errors from nothing.

    Raises `AssistantError` where it is not stopped, `StoreError`.
    """
    script_of(character)
    if not store_of(character).read("safety")["emergency_stop"]:
        raise AssistantError(f"{name_of(character)} is not stopped; aiexec shows how it is.")
    resident = SERVICE.residents.get(entity_id(character))
    if resident is None:
        save(character, clearing(by, time.time()))
    else:
        resident.emergency.clear(by)


def silence(what: Any | None, *, by: str = "") -> int:
    """Let an assistant, all in a room, or everybody (None) be quiet; returns how many turns end.

    They go on hearing and remembering. Calls of models are dropped, what they might have cost
    stays booked, and nothing of those turns is said or done. It stands until `end_silence`, over
    reloads and restarts, and for whoever comes into the room. The record of it is written after.
    """
    QUIET.begin(what, by)
    dropped = 0
    for resident in [*SERVICE.residents.values()]:
        if (character := find(resident.id)) is not None and QUIET.reason(character):
            dropped += bool(resident.turn_id)
            SERVICE.interrupt(resident.id)
    _record_silence("SilenceBegun", what, by)
    return dropped


def end_silence(what: Any | None, *, by: str = "") -> None:
    """Let them speak again; what still holds another of the three silences stays quiet."""
    QUIET.end(what, by)
    _record_silence("SilenceEnded", what, by)


def _record_silence(type: str, what: Any | None, by: str) -> None:
    """Put on record of each who is there whom the order was for, and whose it was; one a step."""
    data = {"for": "all characters" if what is None else name_of(what), "by": by}
    meant = [body for body in all_assistants() if what in (None, body, body.location)]
    work = Deferred.fromCoroutine(in_slices(_records(meant, type, data)))
    work.addErrback(lambda failure: report("quiet", failure.value))


def _records(meant: Sequence[Any], type: str, data: Json) -> Iterator[None]:
    for character in meant:
        if character.pk:
            SERVICE.watch.finish(partial(record_audit, character, type, data))
        yield None


def put_to_bed(character: Any, *, by: str = "") -> None:
    """Let an assistant fall asleep, by whom. Raises `AssistantError` where it does not run."""
    resident = running(character)
    resident.sleeper.begin(by=by)
    SERVICE.tick(resident.id)


def call_awake(character: Any, *, by: str = "") -> bool:
    """Wake an assistant, by whom; is it awake now? If not, it is once it has sorted its journal.

    Raises `AssistantError` where it does not run.
    """
    resident = running(character)
    if is_awake := resident.sleeper.end(by=by):
        SERVICE.interrupt(resident.id)
    SERVICE.tick(resident.id)
    return is_awake


def unmake_night(character: Any, night: Json, *, by: str) -> dict[str, int]:
    """Take back what a night made of people, its insights and what it put by; returns how many.

    Raises `AssistantError` where it is not over, or the assistant does not run.
    """
    mind = running(character).mind
    if mind.store.read("sleep")["night"] == night["id"] and mind.phase:
        raise AssistantError("That night is not over; wake it first.")
    return undo_night(mind, night["id"], by=by)
