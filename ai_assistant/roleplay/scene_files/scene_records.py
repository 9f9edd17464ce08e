"""What the audit log tells of a scene's life: made, joined, begun, left, over, and what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.scene import ENDING, GAME_ITSELF, RUNNING, STOPPED, SceneState

_UNTOLD = frozenset({"said_by", "owed", "family", "played_at"})
"""What only the game keeps count of."""
_STEPS = {RUNNING: "SceneStarted", ENDING: "SceneEnded", STOPPED: "SceneEnded"}


def scene_records(
    before: SceneState | None, after: SceneState, by: str = ""
) -> Iterator[tuple[str, Json]]:
    """Yield type and data of each record, of members by id; `SceneChanged` where none else fits.

    Each names who did it (`by`), where that is known. The last tells what each value was that is
    another now, and what it is; of one that has values by name those of them; what there is not is
    empty. The whole scene as it was then is in the log of states.
    """
    signed = {"by": by} if by else {}
    was, told = before or (SceneState(after.id) if after.id else GAME_ITSELF), 0
    if before is None and after.id:
        told += 1
        yield "SceneCreated", {"title": after.title, "owner": after.owner} | signed
    old, new = was.participants(), after.participants()
    for type, who in (("SceneJoined", [*new]), ("SceneLeft", [*old])):
        for member in who:
            if member not in (old if type == "SceneJoined" else new):
                told += 1
                yield type, {"who": member} | signed
    step = _STEPS.get(after.status, "")
    if step and step != _STEPS.get(was.status):
        told += 1
        yield step, {"members": new or old} | signed
    now = dict(_changed_values(_told(was), _told(after)))
    if now and not told:
        earlier = dict(_changed_values(_told(after), _told(was)))
        yield "SceneChanged", {"was": earlier, "now": now, "by": by}


def _told(scene: SceneState) -> Json:
    return {name: value for name, value in asdict(scene).items() if name not in _UNTOLD}


def _changed_values(was: Json, now: Json) -> Iterator[tuple[str, Any]]:
    for name in sorted({*was, *now}):
        old, new = was.get(name, ""), now.get(name, "")
        if isinstance(old, dict) and isinstance(new, dict):
            yield from ((name, told) for told in [dict(_changed_values(old, new))] if told)
        elif old != new:
            yield name, new
