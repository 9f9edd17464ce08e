"""Lorebooks from files: a card's own book, a shared one of version 3, and SillyTavern's world info.

All three come out as the same entries. What an entry says in `extensions` counts where the format
has no field of its own for it, as programs have agreed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.owner_text import disarm
from ai_assistant.core.text import clean
from ai_assistant.memory.parts import digest
from ai_assistant.roleplay.cards.card_persona import EXTENSION
from ai_assistant.roleplay.cards.limited_json import (
    check_json,
    field_of,
    flag_of,
    list_of_texts,
    whole_number,
    wrong,
)
from ai_assistant.roleplay.lorebook.entries import (
    DEFAULT_DEPTH,
    DEFAULT_SCAN_DEPTH,
    LOGICS,
    RANGES,
    Entry,
    Lorebook,
    Position,
)

SHARED_SPEC = "lorebook_v3"
MAX_ENTRIES = 1000
MAX_KEYS, MAX_ALL_KEYS = 40, 5000
"""Keys of one entry, and of a whole book: all of them are looked for in each turn."""
MAX_KEY = 100
MAX_CONTENT = 8000
_MOST = 1_000_000
PATTERN = re.compile(r"/.+/[a-z]*\Z", re.DOTALL)
_PLACES: dict[object, Position] = {
    "before_char": "before", "after_char": "after", "at_depth": "depth",
    0: "before", 1: "after", 2: "after", 3: "after", 4: "depth", 5: "before", 6: "after",
}  # fmt: skip
"""By name and by SillyTavern's number; places around notes and examples become the nearest."""
_WORLD_INFO = {
    "keys": "key", "secondary_keys": "keysecondary", "insertion_order": "order", "name": "comment",
    "id": "uid",
}  # fmt: skip
_EXTRAS = {
    "position": "position", "depth": "depth", "selectiveLogic": "selectiveLogic",
    "probability": "probability", "useProbability": "useProbability", "group": "group",
    "group_override": "groupOverride", "group_weight": "groupWeight", "scan_depth": "scanDepth",
    "case_sensitive": "caseSensitive", "match_whole_words": "matchWholeWords", "sticky": "sticky",
    "cooldown": "cooldown", "delay": "delay", "exclude_recursion": "excludeRecursion",
    "prevent_recursion": "preventRecursion", "delay_until_recursion": "delayUntilRecursion",
}  # fmt: skip
"""Names in `extensions` of a card's entry → names of world info."""
_DECORATED_NUMBERS = {"depth": "depth", "scan_depth": "scan_depth", "activate_only_after": "delay"}
_DECORATED_WORDS = {"additional_keys": "secondary", "exclude_keys": "excluded"}
_DECORATED_FLAGS = {"activate": ("constant", True), "dont_activate": ("enabled", False)}
_DECORATED_PLACES = {"after_desc": "after", "before_desc": "before"}
"""Decorators of version 3 → fields of an entry."""


def is_book(raw: Json) -> bool:
    """Is this JSON object a lorebook, and no card?"""
    return raw.get("spec") == SHARED_SPEC or ("entries" in raw and "spec" not in raw)


def read_book(raw: Json, origin: str) -> Lorebook:
    """Return the lorebook that a JSON object is; `origin` is what its entries' keys begin with.

    Raises `CardError` for what is none, or is too large.
    """
    check_json(raw)
    data = field_of(raw, "data", dict) if raw.get("spec") == SHARED_SPEC else raw
    extensions = field_of(data, "extensions", dict)
    entries = tuple(_distinct(_entry(entry, origin) for entry in _entries(data)))
    keys = sum(len((*entry.keys, *entry.secondary, *entry.excluded)) for entry in entries)
    if keys > MAX_ALL_KEYS:
        raise CardError(f"The lorebook has {keys} keys; {MAX_ALL_KEYS} are allowed.")
    return Lorebook(
        name=clean(field_of(data, "name", str), 60),
        entries=entries,
        scan_depth=whole_number(data, "scan_depth", DEFAULT_SCAN_DEPTH, 0, 100),
        token_budget=whole_number(data, "token_budget", 0, 0, _MOST),
        recursive=flag_of(data, "recursive_scanning"),
        required_tags=_tags(extensions),
    )


def _entries(data: Json) -> list[Json]:
    found = data.get("entries")
    if isinstance(found, dict):
        found = [_of_world_info(entry) for entry in found.values()]
    else:
        found = field_of(data, "entries", list)
    if len(found) > MAX_ENTRIES:
        raise CardError(f"The lorebook has {len(found)} entries; {MAX_ENTRIES} are allowed.")
    if not all(isinstance(entry, dict) for entry in found):
        raise wrong("entries", "a list of objects")
    return found


def _of_world_info(entry: object) -> Json:
    if not isinstance(entry, dict):
        raise wrong("entries", "objects")
    made = {ours: entry.get(theirs) for ours, theirs in _WORLD_INFO.items()}
    made |= {name: entry.get(name) for name in ("content", "constant")}
    made["selective"] = flag_of(entry, "selective", True)
    made["enabled"] = not flag_of(entry, "disable")
    extras = {ours: entry.get(theirs) for ours, theirs in _EXTRAS.items()}
    made["extensions"] = {**field_of(entry, "extensions", dict), **extras}
    return made


def _entry(data: Json, origin: str) -> Entry:
    more = field_of(data, "extensions", dict)
    rules, content = _decorated(field_of(data, "content", str, MAX_CONTENT))
    keys = _keys(data, "keys", patterns=flag_of(data, "use_regex"))
    secondary = _keys(data, "secondary_keys")
    by_chance = flag_of(more, "useProbability", True)
    groups = (clean(name, 60) for name in field_of(more, "group", str, 500).split(","))
    made = Entry(
        key=f"{origin}:{_identity(data, content)}",
        content=disarm(content),
        name=clean(field_of(data, "name", str) or field_of(data, "comment", str), 60),
        keys=keys,
        secondary=secondary if flag_of(data, "selective") else (),
        logic=LOGICS[whole_number(more, "selectiveLogic", 0, 0, len(LOGICS) - 1)],
        enabled=flag_of(data, "enabled", True),
        constant=flag_of(data, "constant"),
        order=whole_number(data, "insertion_order", 100, *RANGES["order"]),
        position=_position(data, more),
        depth=whole_number(more, "depth", DEFAULT_DEPTH, *RANGES["depth"]),
        scan_depth=whole_number(more, "scan_depth", 0, *RANGES["scan_depth"]),
        case_sensitive=flag_of(data, "case_sensitive", flag_of(more, "case_sensitive")),
        whole_words=flag_of(more, "match_whole_words"),
        probability=whole_number(more, "probability", 100, *RANGES["probability"])
        if by_chance
        else 100,
        groups=tuple(dict.fromkeys(filter(None, groups))),
        group_first=flag_of(more, "group_override"),
        group_weight=whole_number(more, "group_weight", 100, *RANGES["group_weight"]),
        sticky=whole_number(more, "sticky", 0, *RANGES["sticky"]),
        cooldown=whole_number(more, "cooldown", 0, *RANGES["cooldown"]),
        delay=whole_number(more, "delay", 0, *RANGES["delay"]),
        exclude_recursion=flag_of(more, "exclude_recursion"),
        prevent_recursion=flag_of(more, "prevent_recursion"),
        delay_until_recursion=flag_of(more, "delay_until_recursion"),
        required_tags=_tags(more),
    )
    return replace(made, **rules)


def _keys(data: Json, name: str, *, patterns: bool = False) -> tuple[str, ...]:
    """Return the keys that are plain words: a stranger's pattern can hold up the whole game."""
    found = list_of_texts(data, name, MAX_KEYS)
    plain = (key.strip()[:MAX_KEY] for key in found if not (patterns or PATTERN.match(key)))
    return tuple(filter(None, plain))


def _position(data: Json, more: Json) -> Position:
    """Return the place; the one in the extensions counts, as it tells more of them apart."""
    for value in (more.get("position"), data.get("position")):
        known = isinstance(value, int | str) and not isinstance(value, bool)
        if known and value in _PLACES:
            return _PLACES[value]
    return "before"


def _tags(extensions: Json) -> tuple[str, ...]:
    own = field_of(extensions, EXTENSION, dict)
    return tuple(
        tag.strip().lower() for tag in list_of_texts(own, "required_tags", 20) if tag.strip()
    )


def _identity(data: Json, content: str) -> str:
    """Return what tells an entry from the others in its book, the same after each import."""
    given = data.get("id")
    if isinstance(given, int | str) and not isinstance(given, bool) and str(given):
        return clean(given, 40) or digest(content, 8)
    return digest(content + "\n".join(list_of_texts(data, "keys", MAX_KEYS)), 8)


def _distinct(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries that have any content, each with a key of its own."""
    used: dict[str, int] = {}
    for entry in entries:
        if not entry.content:
            continue
        key = entry.key
        while key in used:
            used[entry.key] += 1
            key = f"{entry.key}.{used[entry.key]}"
        used[key] = 1
        yield replace(entry, key=key)


def _decorated(content: str) -> tuple[dict[str, Any], str]:
    rules: dict[str, Any] = {}
    lines = content.splitlines()
    while lines and (not lines[0].strip() or lines[0].lstrip().startswith("@@")):
        rules |= _rule(lines.pop(0).strip().lstrip("@"))
    return rules, "\n".join(lines)


def _rule(line: str) -> dict[str, Any]:
    name, _, value = line.partition(" ")
    value = value.strip()
    if name in _DECORATED_NUMBERS and value.isdecimal() and len(value) < 5:
        found: dict[str, Any] = {_DECORATED_NUMBERS[name]: int(value)}
        return found | ({"position": "depth"} if name == "depth" else {})
    if name in _DECORATED_WORDS:
        words = (word.strip()[:MAX_KEY] for word in value.split(",")[:MAX_KEYS])
        return {_DECORATED_WORDS[name]: tuple(filter(None, words))}
    if name in _DECORATED_FLAGS:
        return dict([_DECORATED_FLAGS[name]])
    if name == "position" and value in _DECORATED_PLACES:
        return {"position": _DECORATED_PLACES[value]}
    return {}
