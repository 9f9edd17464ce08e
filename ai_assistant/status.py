"""How the assistants are: read from the service and the budget, for commands and the web page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ai_assistant.assembly import caps_of, pick_profile
from ai_assistant.identity import entity_id, name_of
from ai_assistant.lifecycle import all_assistants
from ai_assistant.resident import Resident
from ai_assistant.scripts import ASLEEP
from ai_assistant.service import SERVICE


@dataclass(frozen=True, slots=True)
class Row:
    """One assistant in the overview, each field as a person reads it."""

    name: str
    place: str
    state: str
    waiting: int
    model: str
    today: str


def overview() -> list[Row]:
    """Return all assistants by name."""
    return [_row(character) for character in all_assistants()]


def _row(character: Any) -> Row:
    key = entity_id(character)
    resident = SERVICE.residents.get(key)
    calls, tokens = SERVICE.shared.budget.spent(key)
    return Row(
        name=name_of(character),
        place=name_of(character.location) if character.location else "nowhere",
        state=state_of(character, resident),
        waiting=SERVICE.queue_length(key),
        model=model_of(character),
        today=f"{calls} calls, {tokens} tokens",
    )


def state_of(character: Any, resident: Resident | None) -> str:
    """Say in a word what an assistant does right now."""
    script = character.assistant_script
    if script is None:
        return "without script"
    if not script.db.enabled:
        return "stopped"
    if resident is None:
        return "not running"
    if character.has_account:
        return "puppeted"
    if resident.rest.resting:
        return "resting after errors"
    if resident.turn_id:
        return "thinking"
    return "asleep" if script.db.mode == ASLEEP else "listening"


def model_of(character: Any) -> str:
    """Say which model answers for this assistant: never its address, never its key."""
    script = character.assistant_script
    chosen = script.config["llm_profile"] if script else ""
    profile = pick_profile(SERVICE.shared.profiles, "chat", chosen)
    return "offline model" if profile.offline else f"{profile.model} ({profile.provider})"


def status_lines(character: Any) -> list[str]:
    """Return everything about one assistant, line by line."""
    key = entity_id(character)
    script = character.assistant_script
    resident = SERVICE.residents.get(key)
    calls, tokens = SERVICE.shared.budget.spent(key)
    most_calls, most_tokens = caps_of(key)
    lines = [
        f"|c{name_of(character)}|n: {state_of(character, resident)}",
        f"  place: {name_of(character.location) if character.location else 'nowhere'}",
        f"  model: {model_of(character)}",
        f"  today: {calls} of {most_calls} calls, {tokens} of {most_tokens} tokens",
        f"  waiting: {SERVICE.queue_length(key)} to answer",
    ]
    note = pick_profile(SERVICE.shared.profiles, "chat").note
    if note:
        lines.append(f"  |y{note}|n")
    if script is not None and script.db.last_problem:
        lines.append(f"  |rcannot start: {script.db.last_problem}|n")
    return lines + (_run_lines(character, resident) if resident else [])


def _run_lines(character: Any, resident: Resident) -> list[str]:
    last = resident.last_report
    counts = resident.mind.store.read("metrics")["counts"]
    done = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    lines = [
        f"  memory: {len(resident.mind.index)} rows, "
        f"{len(resident.mind.store.keys('profile'))} people, "
        f"{len(resident.mind.heard)} things overheard since the last turn",
        f"  turns: {done or 'none yet'}",
    ]
    if last is not None:
        lines.append(f"  last turn: {last.outcome}, {last.steps} steps, {last.tokens} tokens")
    if resident.last_error:
        lines.append(f"  |rlast error: {resident.last_error}|n")
    return lines
