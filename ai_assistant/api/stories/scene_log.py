"""What happened to a scene, in plain words: its audit log, the newest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.state_outline import LONG_ID, named_for_ids
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import person
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.storage.history.past import audit_log
from ai_assistant.storage.history.state_log import StateLog, ToldSequence
from ai_assistant.storage.statements import refusals

LISTED = 20
"""Records that are shown where nobody asks for more."""
LONGEST = 160
"""Characters of one value."""
CHANGED = "SceneChanged"
CORRECTED, TAKEN_BACK = "ParticipantsCorrected", "LinesTakenBack"
"""Records in the log of a scene, and of each assistant that forgets or gains something by it."""
_STEPS = {
    "SceneCreated": "it was made",
    "SceneStarted": "it runs from here on",
    "SceneJoined": "{} joined",
    "SceneLeft": "{} left",
    "SceneEnded": "it was over",
}
_CALLED = {
    "scene": "the place",
    "day": "the day",
    "time_of_day": "the hour",
    "quest": "the quest",
    "plot": "the plot",
    "title": "the title",
    "status": "the state",
    "policy": "who answers",
    "permanent": "when the plot is in the prompt",
    "inherits": "its members remember the game",
    "fiction": "what is said is only played",
    "flags": "",
    "relationships": "between",
    "roles": "the role",
    "parts": "the role of",
    "lore": "known from the start:",
    "places": "the place around",
    "things": "the thing",
    "whereabouts": "the whereabouts of",
}
"""What a value is, as an owner would put it; of one that has values by name the name follows."""


@dataclass(frozen=True, slots=True)
class SceneRecord:
    """One step in the life of a scene, or one value of it that was changed."""

    at: str
    """When, as times are stored."""
    what: str
    """What happened, or which value was changed."""
    was: str = ""
    """What the value was; empty where there was none."""
    now: str = ""
    """What it was from then on; empty where there was none."""
    by: str = ""
    """The name of whoever did it; empty where the game did, or it is not on record."""


def scene_log(scene: SceneState, count: int = LISTED) -> list[SceneRecord]:
    """Return the last records of a scene, newest first. Raises `StoreError`."""
    log = audit_log(f"scene:{scene.id}", with_states=False)
    log = log.filter(type__in=(CHANGED, CORRECTED, TAKEN_BACK, *_STEPS)).order_by("-seq")
    with refusals():
        rows = list(log.values_list("type", "at", "data")[:count])
    names = {member.id: member.name for member in scene.members}
    ids = {who for _, _, data in rows for who in LONG_ID.findall(str(data))}
    names |= {who: person(who) for who in ids if who not in names}
    return [record for row in rows for record in _told(*row, names)]


def note_in_scene(session: str, type: str, data: Json, at: float) -> None:
    """Put on record what was done to lines of a scene, part of the caller's transaction."""
    told = AuditRecord(type, data, NOBODY)
    StateLog().append(ToldSequence(f"scene:{session}", (), at, [told]))


def _told(type: str, at: float, data: Json, names: Mapping[str, str]) -> Iterator[SceneRecord]:
    if type == CORRECTED:
        people = [named_for_ids(", ".join(data[when]), names) for when in ("was", "now")]
        yield SceneRecord(iso(at), f"who took part in #{data['line']}", *people, by=data["by"])
        return
    if type == TAKEN_BACK:
        yield SceneRecord(iso(at), f"taken back: {counted(data['lines'], 'line')}", by=data["by"])
        return
    if type != CHANGED:
        who = names.get(data.get("who", ""), "")
        yield SceneRecord(iso(at), _STEPS[type].format(who), by=data.get("by", ""))
        return
    was, now = _by_path(data["was"]), _by_path(data["now"])
    for path in sorted({*was, *now}):
        first, *rest = path
        what = " ".join(filter(None, [_CALLED.get(first, first), *rest]))
        told = (_in_words(first, values.get(path, "")) for values in (was, now))
        yield SceneRecord(
            iso(at), *(named_for_ids(text, names) for text in (what, *told)), by=data["by"]
        )


def _by_path(values: Json, above: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Return single values by the names that lead to each."""
    found: dict[tuple[str, ...], Any] = {}
    for name, value in values.items():
        path = (*above, name)
        found |= _by_path(value, path) if isinstance(value, dict) else {path: value}
    return found


def _in_words(name: str, value: Any) -> str:
    if name == "day" and not value:
        return "by the game's clock"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clean(", ".join(map(str, value)) if isinstance(value, list) else str(value), LONGEST)
