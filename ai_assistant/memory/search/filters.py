"""Filters on what is known of a memory beside its text.

A filter is a mapping: ``{"location": "tavern", "game_day": (">=", 5)}``. A plain value must be
equal; a pair is one of the operators ==, >, >=, <, <= with a number; all of them must hold.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ai_assistant.core.search_port import Where

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def conditions(where: Where | None) -> Iterator[tuple[str, str, Any]]:
    """Yield (field, operator, value) for each condition; raises `ValueError` for what is none."""
    for field, wanted in (where or {}).items():
        if not isinstance(wanted, tuple | list):
            if not isinstance(wanted, str | int | float):
                raise ValueError(f"'{field}' can be compared with a text or a number only.")
            yield field, "==", wanted
            continue
        sign, value = wanted if len(wanted) == 2 else ("", None)
        if sign not in OPERATORS:
            raise ValueError(f"'{field}': use one of {', '.join(OPERATORS)} and a number.")
        if not _is_number(value) and not (sign == "==" and isinstance(value, str)):
            raise ValueError(f"'{field}' {sign} needs a number, not {value!r}.")
        yield field, sign, value


def matches(facts: Mapping[str, Any], checks: list[tuple[str, str, Any]]) -> bool:
    """Do these facts meet all conditions? What is unknown, or of another kind, does not."""
    return all(
        _is_number(value) == _is_number(facts.get(field))
        and OPERATORS[sign](facts.get(field), value)
        for field, sign, value in checks
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
