"""Updates: what happens to characters is recorded, by game code and by the game itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ai_assistant.blocks import door
from ai_assistant.contracts import MemoryRow
from ai_assistant.identity import entity_id, name_of
from ai_assistant.log import report
from ai_assistant.roleplay.knowledge import character_update
from ai_assistant.scenes import SCENES
from ai_assistant.storage.scenes import WorldContainer
from ai_assistant.text import clean
from ai_assistant.witnesses import label_of

UPDATE_LIMIT = 300


def record_update(
    who: Any, what: str, update_type: str, *, session: str | None = None, **meta: Any
) -> MemoryRow:
    """Record what happened to a character, in its scene unless another is named.

    For game code: ``record_update(alice, "Alice acquired the Sacred Sword", "item_acquired")``.
    Whoever is with the character next learns of it. `readers` among `meta` narrows who may.
    Returns the row of the world container. Raises `BlockRefused` for what is no label, and
    `StoreError`.
    """
    if "readers" in meta:
        meta["readers"] = door.label(meta["readers"])
    key = entity_id(who)
    scene = SCENES.of(key) if session is None else SCENES.get(session)
    place = getattr(who, "location", None)
    update = character_update(
        key,
        clean(what, UPDATE_LIMIT),
        clean(update_type, 40),
        day=SCENES.day(scene),
        at=time.time(),
        location=scene.scene or (name_of(place) if place else ""),
        **meta,
    )
    return WorldContainer(scene.id).record([update])[0]


def note_move(body: Any) -> None:
    """Record that a member of a running scene moved. Never raises."""
    if body.location is not None:
        what = f"{name_of(body)} went to {name_of(body.location)}"
        _note(body, what, "moved", [body])


def note_item(body: Any, item: Any, giver: Any = None) -> None:
    """Put on record that a member of a running scene got something. Never raises.

    `giver` is where it was before: where that is somebody at hand, it takes two to be seen.
    """
    if body.location is not None:
        at_hand = giver is not None and giver.location == body.location
        seen = [body, item, giver] if at_hand else [body, item]
        what = f"{name_of(body)} acquired {name_of(item)}"
        _note(body, what, "item_acquired", seen, item=entity_id(item))


def _note(body: Any, what: str, update_type: str, seen: Sequence[Any], **meta: Any) -> None:
    try:
        scene = SCENES.of(entity_id(body))
        if scene.id and (readers := label_of(body, what, update_type, seen, scene)):
            record_update(body, what, update_type, readers=readers, **meta)
    except Exception as error:  # Evennia's hooks call it
        report("update", error)
