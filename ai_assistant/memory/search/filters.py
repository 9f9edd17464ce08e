"""Filters on what is known of a memory beside its text.

A filter is a mapping: ``{"location": "tavern", "game_day": (">=", 5)}``. A plain value must be
equal; a pair is an operator with a number, or "in" with some texts; a list of pairs means each of
them. Of what is a list itself, as `participants`, one must be equal. All conditions must hold.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.search_port import Where
from ai_assistant.core.times import DAY, MINUTE

COLUMNS = frozenset(
    "session kind subject author author_name game_day location learned_at importance trust".split()
)
PRINTED = {"gameDay": "game_day", "isSpeaker": "is_speaker", "timestamp": "learned_at"}
"""The names under which scenes print their facts, where they are other than ours."""
MADE = frozenset({"type", "speaker", "participants", "is_speaker"})
"""What is made of columns and metadata both, or may be several."""
FIELDS = COLUMNS | MADE | {"permanent", "loreKey", "event", "characterId", "updateType"}
"""What every memory can be filtered by, beside whatever else its metadata holds."""
WHEN = "learned_at"
"""The field that holds a time, for which a date may be written: ``2026-11-21 18:04``."""
NUMBERS = frozenset({"game_day", "learned_at", "importance", "trust"})
"""Fields that hold numbers, and are compared with nothing else."""
OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "in": lambda fact, wanted: fact in wanted,
}
_OF_SOMEBODY = frozenset({"participants", "speaker", "author", "subject"})
"""Fields that hold ids, for which people and models write names."""
_WRITTEN = re.compile(r"\s*(\w+)\s*(==|>=|<=|=|>|<)\s*(.+?)\s*")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}

Condition = tuple[str, str, Any]
"""A condition: field, operator, value."""


def facts_of(row: MemoryRow) -> Json:
    """Return what a row can be filtered by: its metadata, and its columns before those."""
    return {
        **row.meta,
        **{name: getattr(row, name) for name in COLUMNS},
        "type": row.meta.get("type", row.kind),
        "speaker": [row.meta.get("speaker", row.author), row.author_name],
        "is_speaker": bool(row.meta.get("is_speaker")),
    }


def conditions(where: Where | None) -> Iterator[Condition]:
    """Yield each condition under our own names; raises `ValueError` for what is none."""
    for name, wanted in (where or {}).items():
        field, pairs = PRINTED.get(name, name), _pairs(wanted)
        pairs = [bound for pair in pairs for bound in _dated(pair)] if field == WHEN else pairs
        for pair in pairs:
            sign, value = _condition(name, pair)
            if field in NUMBERS and sign != "in" and not _is_number(value):
                raise ValueError(f"'{name}' {sign} needs a number, not {value!r}.")
            if field == "is_speaker" and not isinstance(value, bool):
                raise ValueError(f"'{name}' is true or false, not {value!r}.")
            yield field, sign, value


def both(one: Where, other: Where) -> Json:
    """Return the filter that asks for what both ask for."""
    common = {name: [*_pairs(one[name]), *_pairs(other[name])] for name in one.keys() & other}
    return {**one, **other, **common}


def _pairs(wanted: Any) -> list[Any]:
    """Return each comparison of a field as an operator with a value."""
    if not isinstance(wanted, tuple | list):
        return [("==", wanted)]
    several = all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in wanted)
    return list(wanted) if several else [wanted]


def _dated(wanted: Sequence[Any]) -> list[Any]:
    """Return a comparison with a date as those with seconds: a date stands for all of its day.

    So does a time for its minute or second, as it was written; without a zone it is UTC.
    """
    sign, text = wanted if len(wanted) == 2 else ("", "")
    try:
        date = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return [wanted]
    first = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    end = first + {len("2026-11-21"): DAY, len("2026-11-21 18:04"): MINUTE}.get(len(text), 1.0)
    since, until = (">=", first), ("<", end)
    meant = {"==": [since, until], ">=": [since], ">": [(">=", end)], "<": [("<", first)]}
    return {**meant, "<=": [until]}.get(sign, [wanted])


def _condition(name: str, wanted: Sequence[Any]) -> tuple[str, Any]:
    sign, value = wanted if len(wanted) == 2 else ("", None)
    if sign not in OPERATORS:
        raise ValueError(f"'{name}': use one of {', '.join(OPERATORS)} and a number.")
    if sign == "in":
        if not isinstance(value, tuple | list | frozenset):
            raise ValueError(f"'{name}' in needs some texts, not {value!r}.")
    elif sign == "==" and not isinstance(value, str | int | float):
        raise ValueError(f"'{name}' can be compared with a text or a number only.")
    elif sign != "==" and not _is_number(value):
        raise ValueError(f"'{name}' {sign} needs a number, not {value!r}.")
    return sign, value


def check_fields(checks: Iterable[Condition], held: Iterable[Mapping[str, Any]]) -> None:
    """Raise `ValueError`, naming the fields there are, for one that no memory has.

    `held` are the facts of the memories that may be looked at; asked only for uncommon fields.
    """
    strange = {field for field, _, _ in checks} - FIELDS
    for facts in held if strange else ():
        strange -= facts.keys()
        if not strange:
            return
    if strange:
        raise ValueError(f"There is no field '{min(strange)}' to filter by; {fields_told()}.")


def fields_told() -> str:
    """Say by which fields every memory can be filtered, under the names that are printed."""
    names = {field: name for name, field in PRINTED.items()}
    return f"there are {', '.join(sorted(names.get(field, field) for field in FIELDS))}"


def matches(facts: Mapping[str, Any], checks: Iterable[Condition]) -> bool:
    """Do these facts meet all conditions? What is unknown, or of another kind, does not."""
    return all(_holds(facts.get(field), sign, value) for field, sign, value in checks)


def _holds(fact: Any, sign: str, value: Any) -> bool:
    if isinstance(fact, list | tuple):
        return any(_holds(part, sign, value) for part in fact)
    if sign == "in":
        return isinstance(fact, str | int) and OPERATORS[sign](fact, value)
    return _is_number(value) == _is_number(fact) and OPERATORS[sign](fact, value)


def read_filter(text: str, id_of: Callable[[str], str]) -> Json:
    """Return the filter that somebody wrote: ``gameDay >= 5, participants = Ann``.

    `id_of` returns the id of somebody by name, or what it was given. Raises `ValueError` saying how
    a filter is written.
    """
    found: Json = {}
    for part in filter(str.strip, text.split(",")):
        written = _WRITTEN.fullmatch(part)
        if written is None:
            raise ValueError(
                f"'{part.strip()}' is no filter; write it as: gameDay >= 5, location = tavern."
            )
        name, sign, text = written.groups()
        value = _value(text)
        if name in _OF_SOMEBODY and isinstance(value, str):
            value = id_of(value)
        found.setdefault(name, []).append(("==" if sign == "=" else sign, value))
    return found


def _value(text: str) -> str | float | bool:
    if _NUMBER.fullmatch(text):
        return float(text)
    bare = text.strip("\"'")
    return _TRUTH.get(bare.casefold(), bare)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
