"""A scene as a card: plot, lore, roles, places and rules as one file, and the way back.

A card holds what a scene begins with and nothing of what was played. It is read whole or refused
with what is wrong in it; its texts are cleaned as if they had been typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import yaml

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.core.text import clean
from ai_assistant.roleplay.cards import limited_json
from ai_assistant.roleplay.cards.card_files import json_to_bytes
from ai_assistant.roleplay.cards.plain_yaml import parse_yaml
from ai_assistant.roleplay.lorebook import is_book, read_book
from ai_assistant.roleplay.permanent import lore_of
from ai_assistant.roleplay.scene import MOST_MEMBERS, SceneState
from ai_assistant.roleplay.scene_values import (
    LONGEST_NAME,
    LONGEST_PLOT,
    LONGEST_VALUE,
    set_day,
    set_value,
)

FORMAT = "assistant scene"
MOST_BYTES = 100_000
"""Bytes of a card: it is read while others play."""
LONGEST_TITLE = 100
LONGEST_TEXT = 2000
"""Characters of an entry of the lore, and of what a role is or knows."""
MOST_LORE, MOST_KNOWN = 60, 20
_VALUES = ("location", "time", "quest", "policy", "permanent", "inherits", "fiction")
"""What a card sets by the names that people type."""
_FIELDS = (
    *("format", "title", "plot", "day", *_VALUES),
    *("places", "things", "values", "roles", "lorebook"),
)
_OF_ROLE = ("about", "for", "knows", "has")
_SPOKEN = {True: "on", False: "off"}


def scene_from_bytes(data: bytes, file: str) -> SceneState:
    """Return the scene that a file holds, YAML or else JSON by its name. Raises `CardError`."""
    if len(data) > MOST_BYTES:
        raise CardError(f"It has {len(data)} bytes; a scene has at most {MOST_BYTES}.")
    if file.lower().endswith((".yaml", ".yml")):
        return scene_from_card(parse_yaml(data))
    return scene_from_card(limited_json.parse(data))


def scene_to_bytes(scene: SceneState, file: str) -> bytes:
    """Return the file of a scene's card, YAML or else JSON by its name."""
    card = card_of_scene(scene)
    if file.lower().endswith((".yaml", ".yml")):
        text: str = yaml.safe_dump(card, allow_unicode=True, sort_keys=False, width=100)
        return text.encode()
    return json_to_bytes(card)


# -- into a scene


def scene_from_card(card: Json) -> SceneState:
    """Return a scene that nobody plays yet. Raises `CardError` saying what is wrong."""
    if card.get("format") != FORMAT:
        raise CardError(f"It is no scene: its first field is format, {FORMAT}.")
    _only(card, _FIELDS, "A scene")
    scene = SceneState("", title=_text(card, "title", LONGEST_TITLE))
    if not scene.title:
        raise CardError("A scene has a title.")
    plot = limited_json.field_of(card, "plot", str, LONGEST_PLOT)
    scene = replace(scene, plot=clean(plot, LONGEST_PLOT, lines=40))
    scene = _with_day(scene, card.get("day", 0))
    for name in _VALUES:
        if name in card:
            scene = _with(scene, name, _spoken(card, name))
    for inner, outer in _pairs(card, "places"):
        scene = _with(scene, "place", f"{inner} in {outer}")
    for name, value in _pairs(card, "values"):
        scene = _with(scene, name, value)
    scene = replace(scene, roles=_roles(card), lore=_lore(card))
    for name, where in _pairs(card, "things"):
        scene = _with(scene, "thing", f"{name}: {where}")
    return scene


def _with_day(scene: SceneState, day: Any) -> SceneState:
    typed = str(day).strip()
    if not typed.isdecimal() or len(typed) > 7:
        raise CardError("'day' must be a number from 0 on.")
    return _or_refused("day", lambda: set_day(scene, int(typed), 0.0).scene)


def _with(scene: SceneState, name: str, value: str) -> SceneState:
    return _or_refused(name, lambda: set_value(scene, name, value, day=0, at=0.0).scene)


def _or_refused(name: str, change: Callable[[], SceneState]) -> SceneState:
    try:
        return change()
    except AssistantError as error:
        raise CardError(f"'{clean(name, LONGEST_NAME)}': {error}") from None


def _spoken(card: Json, name: str) -> str:
    value = card[name]
    return _SPOKEN[value] if isinstance(value, bool) else _text(card, name, LONGEST_VALUE)


def _pairs(card: Json, name: str) -> list[tuple[str, str]]:
    found = _object(card, name)
    return [(key, _text(found, key, LONGEST_VALUE)) for key in found]


def _lore(card: Json) -> Json:
    found = _object(card, "lorebook")
    if is_book(found):
        lore = lore_of([read_book(found, origin="scene")], frozenset())
    else:
        lore = [(clean(key, 100), _text(found, key, LONGEST_TEXT)) for key in found]
    if len(lore) > MOST_LORE:
        raise CardError(f"'lorebook' has {len(lore)} entries; {MOST_LORE} are allowed.")
    return {key: clean(text, LONGEST_TEXT, lines=20) for key, text in lore if text}


def _roles(card: Json) -> Json:
    roles = _object(card, "roles")
    if len(roles) > MOST_MEMBERS:
        raise CardError(f"'roles' has {len(roles)}; at most {MOST_MEMBERS} play in a scene.")
    return {clean(name, LONGEST_NAME): _role(name, _object(roles, name)) for name in roles}


def _role(name: str, role: Json) -> Json:
    _only(role, _OF_ROLE, f"The role '{clean(name, LONGEST_NAME)}'")
    knows = limited_json.list_of_texts(role, "knows", MOST_KNOWN)
    things = limited_json.list_of_texts(role, "has", MOST_KNOWN)
    return {
        "about": _text(role, "about", LONGEST_TEXT),
        "for": _text(role, "for", LONGEST_NAME),
        "knows": [clean(text, LONGEST_TEXT, lines=20) for text in knows],
        "has": [clean(thing, LONGEST_NAME) for thing in things],
    }


def _object(data: Json, name: str) -> Json:
    if data.get(name) == "":  # as YAML has it where nothing follows
        return {}
    found = limited_json.field_of(data, name, dict)
    if wrong := [key for key in found if not isinstance(key, str)]:
        raise CardError(
            f"'{clean(name, 40)}' has a name that is no text: {clean(str(wrong[0]), 40)}"
        )
    return found


def _text(data: Json, name: str, most: int) -> str:
    """Return a text of at most so many characters, or a number as one."""
    value = data.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    text = limited_json.field_of({**data, name: value}, name, str, most)
    return clean(text, most, lines=20)


def _only(data: Mapping[str, Any], known: Iterable[str], whose: str) -> None:
    names = list(known)
    if unknown := [name for name in data if name not in names]:
        raise CardError(
            f"{whose} has no '{clean(str(unknown[0]), 40)}'. There are: {', '.join(names)}."
        )


# -- and back


def card_of_scene(scene: SceneState) -> Json:
    """Return the card of a scene: what it is now, without who plays it and what was played.

    What is a player's word alone is no fact of it.
    """
    held = {name: where for name, where in scene.things.items() if not scene.has(where)}
    card: Json = {
        "format": FORMAT,
        "title": scene.title,
        "plot": scene.plot,
        "day": scene.day,
        "location": scene.scene,
        "time": scene.time_of_day,
        "quest": scene.quest,
        "policy": scene.policy,
        "permanent": scene.permanent,
        "inherits": _SPOKEN[scene.inherits],
        "fiction": _SPOKEN[scene.fiction],
        "places": dict(scene.places),
        "things": {name: where for name, where in held.items() if where},
        "values": {name: flag for name, flag in scene.flags.items() if name not in scene.said_by},
        "roles": {
            name: {field: value for field, value in role.items() if value}
            for name, role in scene.roles.items()
        },
        "lorebook": dict(scene.lore),
    }
    return {name: value for name, value in card.items() if value not in ("", {}, 0)}
