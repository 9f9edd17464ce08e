"""What the tables hold in plain words: kinds, types and figures, and JSON as an outline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ai_assistant.api.turns.happenings import FACTS, what_happened
from ai_assistant.api.turns.opened_calls import WITHOUT
from ai_assistant.api.turns.rules_in_words import DECIDED_BY
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.state_outline import LONG_ID, named_for_ids, readable_lines
from ai_assistant.core.times import iso
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.web.tags import TELLERS, spaced

TOLD: dict[str, Callable[[Any], str]] = {
    "by": lambda by: DECIDED_BY.get(by, by) or "a rule",
    "context_type": spaced,
    "did": spaced,
    "job": TELLERS["job_words"],
    "kind": TELLERS["came_by"],
    "label": lambda label: spaced(label.removeprefix(BLOCKS)),
    "limit": "{:,} characters".format,
    "part": lambda part: TELLERS["part_meaning"](part) or spaced(part),
    "price": dollars,
    "size": "{:,} bytes".format,
    "type": what_happened,
    "without": lambda why: WITHOUT.get(why, why),
    "writer": TELLERS["written_by"],
}
"""What says in words what a field of a row holds, by the name of the field."""
FIRST_TIME = 1e9
"""A number with a fraction beyond it is a time, in seconds since the epoch."""
_EMPTY = (None, "", [], {})
_MARGIN = re.compile("^ +")


def outline(value: Any, names: Mapping[str, str]) -> str:
    """Return a value of JSON as an outline, with `names` for ids and dates for times.

    What is empty is left out, and what tells apart lines and turns alone. The margins are of spaces
    that a page keeps.
    """
    filled = _filled(value, names)
    lines = readable_lines(filled, names) if isinstance(filled, dict | list) else [str(filled)]
    return "\n".join(_MARGIN.sub(lambda space: "\u2003" * len(space[0]), line) for line in lines)


def _filled(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        told = {FACTS.get(key, key): _filled(part, names) for key, part in _told(value, names)}
        return {key: part for key, part in told.items() if part not in _EMPTY}
    if isinstance(value, list):
        parts = [part for part in (_filled(part, names) for part in value) if part not in _EMPTY]
        if any(isinstance(part, dict | list) for part in parts):
            return parts
        return ", ".join(dict.fromkeys(named_for_ids(str(part), names) for part in parts))
    if isinstance(value, float) and value > FIRST_TIME:
        return minute(iso(value))
    return "everybody" if value == OPEN else value


def _told(value: Json, names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for key, part in value.items():
        if key == "session":
            yield "scene", names[f"scene:{part}"]
        elif not (key in ("id", "turn_id", "print") and LONG_ID.match(str(part))):
            yield key, part
