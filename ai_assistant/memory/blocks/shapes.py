"""The shapes of stored blocks: fresh ones, and repaired ones.

A row may be written by hand, of an older version, or plain: facts, events and lines as strings.
Reading repairs what it can and leaves out the rest. A value that comes in from outside is refused
for the same faults, with a message.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.core.text import clean
from ai_assistant.core.times import epoch, iso
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import global_knowledge, rules, shared_social
from ai_assistant.memory.blocks.items import CUSTOM, CUSTOM_BLOCK, LINES, MAX_CONTENT
from ai_assistant.memory.blocks.status_block import OF_A_BODY, OF_ALL, STATUS, kept_value

MOST_COORDINATES = 4
Mend = Callable[[Any, str], Json | None]
"""``mend(item, now)``: the item as a list of a block holds it, or None where it is none."""


def mended_block(
    label: str, value: Any, owner: str = "", *, now: str = "", wrong: list[str] | None = None
) -> Json:
    """Return a stored value as the steps and views of its block expect it.

    `label` is one of the six, or the part's name for a block of the game's own; `owner` is the id
    of the character whose block it is. What cannot be read is left out and noted in `wrong`. An
    item without a label is for nobody, or for everybody if the value came in at the time `now`.
    """
    wrong = [] if wrong is None else wrong
    stored = _dict(value)
    if label == rules.STATUS:
        return _status(stored, owner, wrong)
    if label == rules.PERSONA:
        return _persona(stored, wrong)
    for name, mend in _LISTS.get(label, {}).items():
        if name in stored:
            stored[name] = list(_items(name, stored[name], mend, now, wrong))
    if label == rules.GLOBAL and not isinstance(stored.get(global_knowledge.LORE, ""), str):
        wrong.append("lore is text")
        stored[global_knowledge.LORE] = ""
    return stored


def checked(label: str, value: Any, owner: str = "", *, at: float) -> Json:
    """Return a value from outside in its shape; raises `BlockRefused`.

    Items without a label are open to everybody.
    """
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise BlockRefused(f"A block of {label} is a dict of its fields, no {kind}.")
    wrong: list[str] = []
    found = mended_block(label, value, owner, now=iso(at), wrong=wrong)
    if wrong:
        raise BlockRefused(f"The block {label} cannot be so: {'; '.join(wrong[:3])}.")
    return found


def coordinates(value: Any) -> list[float] | None:
    """Return coordinates as they are kept, at most four numbers; None if they are no such."""
    if not isinstance(value, list | tuple) or len(value) > MOST_COORDINATES:
        return None
    if not all(map(_is_number, value)):
        return None
    return [int(number) if number == int(number) else number for number in value]


def _is_number(value: Any) -> bool:
    """Is a value a number that JSON and every database can hold?"""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) < 1 << 53


def _items(name: str, some: Any, mend: Mend, now: str, wrong: list[str]) -> Iterator[Json]:
    if not isinstance(some, list | tuple):
        wrong.append(f"{name} is a list, no {type(some).__name__}")
        return
    for number, entry in enumerate(some, 1):
        item = mend(entry, now)
        if item is None:
            wrong.append(f"item {number} of {name} has not the fields that it needs")
        elif now and len(item.get("content", "")) > MAX_CONTENT:
            wrong.append(f"item {number} of {name} has more than {MAX_CONTENT} characters")
        else:
            yield item


def _line(entry: Any, now: str) -> Json | None:
    """Return a fact or a line; it may be given as a plain string."""
    given = {"content": entry, "readers": OPEN} if isinstance(entry, str) else entry
    if not isinstance(given, Mapping) or not isinstance(given.get("content"), str):
        return None
    words = clean(given["content"], 2 * MAX_CONTENT) if now else given["content"].strip()
    return {**given, "content": words, **_signature(given, now)} if words else None


def _event(entry: Any, now: str) -> Json | None:
    """Return an event; it is open whatever its label."""
    return (item := _line(entry, now)) and {**item, "readers": OPEN}


def _talk(entry: Any, now: str) -> Json | None:
    if not isinstance(entry, Mapping):
        return None
    people, topic = entry.get("participants", []), entry.get("topic", "")
    if not (isinstance(people, list | tuple) and isinstance(topic, str)):
        return None
    names = [clean(who, 60) for who in people if isinstance(who, str)]
    told = {"participants": names, "topic": clean(topic, MAX_CONTENT) if now else topic}
    return {**entry, **told, **_signature(entry, now)} if names or topic else None


def _place(entry: Any, now: str) -> Json | None:
    """Return a place of the map; a plain string is its name."""
    given = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        return None
    name, about = clean(given["name"], 60), given.get("description", "")
    where = coordinates(given.get("coordinates") or [])
    is_text = isinstance(about, str)
    fits = is_text and len(about) <= global_knowledge.MAX_DESCRIPTION and where is not None
    if not name or (now and not fits):
        return None
    return {
        **given,
        "name": name,
        "description": clean(about, 2 * MAX_CONTENT) if is_text else "",
        "coordinates": where or [],
        "timestamp": _stamp(given, now),
    }


def _signature(given: Mapping[str, Any], now: str) -> Json:
    readers, author = given.get("readers", OPEN if now else NOBODY), given.get("author", "")
    return {
        "readers": readers if isinstance(readers, str) else NOBODY,
        "timestamp": _stamp(given, now),
        "author": author if isinstance(author, str) else labelled.SEVERAL,
    }


def _stamp(given: Mapping[str, Any], now: str) -> str:
    stamp = given.get("timestamp", now)
    try:
        epoch(stamp)
    except (AttributeError, TypeError, ValueError, OverflowError):
        return now
    return stamp if isinstance(stamp, str) else now


def _persona(stored: Json, wrong: list[str]) -> Json:
    if isinstance(stored.get("interests"), str):
        stored["interests"] = [stored["interests"]] if stored["interests"] else []
    if not isinstance(stored.get("name", ""), str):
        wrong.append("a name is text")
    try:
        json.dumps(stored, allow_nan=False)
    except (RecursionError, TypeError, ValueError):
        wrong.append("it holds something that is no JSON")
    return stored


def _status(stored: Json, owner: str, wrong: list[str]) -> Json:
    """Return a status block; unknown fields are kept among the game's own."""
    empty = STATUS.empty()
    found = empty | stored
    bodies, more = _dict(found["bodies"]), _dict(found["more"])
    for name in stored.keys() - empty.keys() - rules.OUTSIDE:
        home = bodies.setdefault(owner, {}) if name in OF_A_BODY else more
        home[name] = found.pop(name)
    found["bodies"] = {key: _fields(body, wrong) for key, body in bodies.items() if _dict(body)}
    found["more"] = _fields(more, wrong)
    of_all = _fields({name: found[name] for name in OF_ALL}, wrong)
    found |= {name: of_all.get(name, empty[name]) for name in OF_ALL}
    found["feelings"] = list(_items("feelings", found["feelings"], _line, "", wrong))
    found["last_updated"] = _stamp({"timestamp": found["last_updated"]}, "")
    return rules.value_of(found)


def _fields(given: Json, wrong: list[str]) -> Json:
    kept: Json = {}
    for name, value in given.items():
        try:
            kept[name] = kept_value(name, value)
        except BlockRefused as refusal:
            wrong.append(str(refusal).rstrip("."))
    return kept


def _dict(value: Any) -> Json:
    return dict(value) if isinstance(value, Mapping) else {}


_LISTS: Mapping[str, Mapping[str, Mend]] = {
    rules.SOCIAL: {shared_social.FACTS: _line, shared_social.GROUPS: _talk},
    rules.GLOBAL: {global_knowledge.EVENTS: _event, global_knowledge.PLACES: _place},
    CUSTOM_BLOCK: {LINES: _line},
}


def template(name: str) -> Json:
    """Return a fresh block by name, or by type for the game's own; raises `BlockRefused`."""
    persona = {"name": "", "role": "", "personality": "", "interests": [], "home_location": ""}
    templates = {
        rules.PERSONA: persona,
        rules.SOCIAL: shared_social.SHARED_SOCIAL.empty(),
        rules.GLOBAL: global_knowledge.GLOBAL_KNOWLEDGE.empty(),
        rules.STATUS: STATUS.empty(),
        **dict.fromkeys(rules.TYPES, CUSTOM.empty()),
    }
    if name not in templates:
        if name in rules.VIEWS:
            raise BlockRefused(f"The block {name} is a view of {rules.VIEWS[name]}.")
        raise BlockRefused(f"There is no template '{name[:40]}', only: {', '.join(templates)}.")
    return rules.value_of(templates[name])
