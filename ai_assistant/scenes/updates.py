"""Updates: what happens to characters is recorded, for those alone to whom it can be news.

A game may narrow that: a method `at_ai_news(update_type, what, witnesses)` of the character gets
those who saw it (None: everybody may know). It returns those who may know of it, False for nobody,
or None to leave it as it is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.readers import OPEN, canonical, may_read, meet
from ai_assistant.core.text import clean
from ai_assistant.game import validation
from ai_assistant.game.consent import has_opted_out
from ai_assistant.game.earshot import is_private, room_hearers, sees
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.game.log import report
from ai_assistant.roleplay.knowledge import MOVED, character_update, seen_by
from ai_assistant.roleplay.scene import SceneState, place_of
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import WorldContainer


def news_label(
    body: Any, what: str, update_type: str, seen: Sequence[Any], scene: SceneState
) -> str:
    """Return the label of news known to whoever sees all of `seen`; empty if nobody does."""
    witnesses = _witnesses(body, update_type, seen, scene)
    if witnesses == []:
        return canonical([entity_id(body)]) if is_private(body.location) else ""
    label = _label(body, witnesses)
    hook = getattr(body, "at_ai_news", None)
    allowed = hook(update_type, what, witnesses) if callable(hook) else None
    if allowed is None:
        return label
    return meet(label, _label(body, list(allowed))) if allowed else ""


def _label(body: Any, witnesses: Sequence[Any] | None) -> str:
    return OPEN if witnesses is None else canonical(map(entity_id, (body, *witnesses)))


def _witnesses(
    body: Any, update_type: str, seen: Sequence[Any], scene: SceneState
) -> list[Any] | None:
    """Return those who saw it; None if everybody may know.

    In the open everybody may know, unless somebody there, or another member elsewhere, missed it.
    """
    room = body.location
    here = room_hearers(room, body, update_type)
    saw = [looker for looker in here if sees(looker, seen, room)]
    if is_private(room) or (here and not saw):
        return saw
    others = filter(None, map(find, scene.participants()))
    away = [other for other in others if other != body and other not in here]
    saw += [looker for looker in away if sees(looker, seen, room)]
    return None if len(saw) == len(here) + len(away) else saw


UPDATE_LIMIT = 300


def record_update(
    who: Any, what: str, update_type: str, *, session: str | None = None, **meta: Any
) -> MemoryRow:
    """Record what happened to a character, in its scene unless another is named.

    For game code: ``record_update(alice, "Alice acquired the Sacred Sword", "item_acquired")``.
    Whoever is with the character next learns of it. `readers` among `meta` narrows who may. Returns
    the row of the world container. Raises `BlockRefused` for a wrong label, and `StoreError`.
    """
    if "readers" in meta:
        meta["readers"] = validation.label(meta["readers"])
    scene = SCENES.of(entity_id(who)) if session is None else SCENES.get(session)
    return WorldContainer(scene.id).record([_update(who, what, update_type, scene, **meta)])[0]


def _update(who: Any, what: str, update_type: str, scene: SceneState, **meta: Any) -> MemoryRow:
    key, place = entity_id(who), getattr(who, "location", None)
    return character_update(
        key,
        clean(what, UPDATE_LIMIT),
        clean(update_type, 40),
        day=SCENES.day(scene),
        at=time.time(),
        location=place_of(scene, key) or (name_of(place) if place else ""),
        **meta,
    )


def note_move(body: Any, before: Any = None) -> None:
    """Record that a member of a running scene moved from where it was `before`. Never raises."""
    if body.location is not None:
        what = f"{name_of(body)} went to {name_of(body.location)}"
        _note(body, what, MOVED, [body], before)


def note_parting(body: Any, item: Any, to: Any) -> None:
    """Record that a member of a running scene drops something, or gives it to others.

    What another member gets is that member's news. Never raises.
    """
    if body.location is None or to is None or to == body:
        return
    session = SCENES.of(entity_id(body)).id
    if to == body.location:
        what = f"{name_of(body)} put down {name_of(item)}"
        _note(body, what, "item_lost", [body, item], item=entity_id(item))
    elif to.location == body.location and SCENES.of(entity_id(to)).id != session:
        what = f"{name_of(body)} gave {name_of(item)} to {name_of(to)}"
        _note(body, what, "item_given", [body, item, to], item=entity_id(item))


def note_item(body: Any, item: Any, giver: Any = None) -> None:
    """Record that a member of a running scene got something. Never raises.

    `giver` is where it was before: if that is somebody there, both must be seen for it.
    """
    if body.location is not None:
        at_hand = giver is not None and giver.location == body.location
        seen = [body, item, giver] if at_hand else [body, item]
        what = f"{name_of(body)} acquired {name_of(item)}"
        _note(body, what, "item_acquired", seen, item=entity_id(item))


def _note(
    body: Any, what: str, update_type: str, seen: Sequence[Any], left: Any = None, **meta: Any
) -> None:
    try:
        scene = SCENES.of(entity_id(body))
        if not scene.id or has_opted_out(body):
            return
        if readers := news_label(body, what, update_type, seen, scene):
            update = _update(body, what, update_type, scene, readers=readers, **meta)
            rooms = [room for room in (body.location, left) if room is not None]
            there = [(who, room) for room in rooms for who in room_hearers(room, body, update_type)]
            saw = {entity_id(who) for who, room in there if sees(who, seen, room)}
            eyes = [who for who in scene.participants() if who in saw or who == entity_id(body)]
            SCENES.save(scene, [seen_by(update, (who for who in eyes if may_read(who, readers)))])
    except Exception as error:  # Evennia's hooks call it
        report("update", error)
