"""What is put on record of a scene when it is saved: from what it was and what it is."""

from __future__ import annotations

from collections.abc import Iterator

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.scene import SceneState

_STEPS = {"running": "SceneStarted", "ending": "SceneEnded", "stopped": "SceneEnded"}


def scene_records(before: SceneState | None, after: SceneState) -> Iterator[tuple[str, Json]]:
    """Yield type and data of each record, of members by id; `SceneChanged` where none else fits."""
    was, told = before or SceneState(after.id), 0
    if before is None:
        told += 1
        yield "SceneCreated", {"title": after.title, "owner": after.owner}
    old, new = was.participants(), after.participants()
    for type, who in (("SceneJoined", [*new]), ("SceneLeft", [*old])):
        for member in who:
            if member not in (old if type == "SceneJoined" else new):
                told += 1
                yield type, {"who": member}
    step = _STEPS.get(after.status, "")
    if step and step != _STEPS.get(was.status):
        told += 1
        yield step, {"members": new or old}
    if not told:
        yield "SceneChanged", {"day": after.day}
