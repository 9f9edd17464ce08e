"""Witnesses: to whom it is news what became of somebody. What nobody could have seen is none.

A game may narrow it: a method `at_ai_news(update_type, what, witnesses)` of the character is given
those who saw it (None: everybody may know) and returns those who may know of it, False for nobody,
or None to leave it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ai_assistant.earshot import is_private, room_hearers, sees
from ai_assistant.identity import entity_id, find
from ai_assistant.readers import OPEN, canonical, meet
from ai_assistant.roleplay.scene import SceneState


def label_of(body: Any, what: str, update_type: str, seen: Sequence[Any], scene: SceneState) -> str:
    """Return the label of news about somebody, for which one must see all that is `seen`.

    Empty where it is nobody's news.
    """
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
    """Return those who know of it from having seen it; None where everybody may know.

    In the open that is where nobody who is there, or plays along elsewhere, would have missed it.
    """
    room = body.location
    here = room_hearers(room, body, update_type)
    saw = [one for one in here if sees(one, seen, room)]
    if is_private(room) or (here and not saw):
        return saw
    others = [find(one) for one in scene.participants()]
    away = [one for one in others if one is not None and one != body and one not in here]
    saw += [one for one in away if sees(one, seen, room)]
    return None if len(saw) == len(here) + len(away) else saw
