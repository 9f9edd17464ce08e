"""Redaction: a state without what it is to hold no longer, and walking all that one holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.shared_text import FORGOTTEN

LABELS = frozenset(
    "id event root turn turn_id who who_id name author author_name entity_id entity_type subject "
    "source source_type source_entity requester parent_id subtask_ids project kind type rule "
    "event_type role readers place place_name location session container timestamp created "
    "started last_message last_interaction last_reflection last_compacted last_active created_at "
    "finished state status priority importance_method day by tool tool_name until basis "
    "context_type model told_by chain origin body felt payer".split()
)
"""Fields that name, date or label an item: nobody is known by what stands there. From all others
is learned what goes; and it goes from everywhere, whatever the field, be it the name of one."""


def fingerprint(value: Any) -> str:
    """Return a fingerprint of a JSON value that gives none of its words away."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def mark_of(words: str) -> str:
    """Return what tells these words from those of a neighbour: too short to find them by it."""
    return fingerprint(words)[:4]


def redact(state: Json, *, edits: Mapping[str, Any], whole: bool = False) -> None:
    """Change a state of any part: the step ``redact`` of all of them.

    `edits` maps the fingerprint of an item or a text to what takes its place, a list of items too;
    nothing does where that is None. With `whole` the state becomes as if it had never been.
    """
    old = {} if whole else dict(state)
    state.clear()
    for name, value in old.items():
        new = edits.get(fingerprint(value), value) if isinstance(value, str | dict) else value
        if isinstance(value, list):
            edited = (edits.get(fingerprint(part), part) for part in value)
            some = (part if isinstance(part, list) else [part] for part in edited)
            new = [part for several in some for part in several if part not in (None, "")]
        elif isinstance(new, dict) and new is value:
            redact(value, edits=edits)
        if new is not None or value is None:
            put(state, name, edits.get(fingerprint(name)) or name, new)


def put(state: Json, old: str, new: str, value: Any) -> None:
    """Give a state a value under a new name, apart from another that was given the same."""
    state[new if new not in state else f"{new} {mark_of(old)}"] = value


def items_of(value: Any) -> Iterator[Json]:
    """Return every item of a state: the objects that stand in its lists, or have an author.

    One that stands under a name of its own has that for its id.
    """
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, dict) and "author" in part:
                yield {"id": name, **part}
            yield from items_of(part)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, dict):
                yield part
            yield from items_of(part)


def every_text(value: Any) -> Iterator[str]:
    """Return every text in a JSON value that may hold somebody's words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from every_text(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in LABELS:
                yield from every_text(part)


def gather_words(value: Any, names: set[str], texts: set[str]) -> None:
    """Gather the names of fields in a JSON value in one set, and all its texts in the other."""
    if isinstance(value, str):
        texts.add(value)
    elif isinstance(value, list):
        for part in value:
            gather_words(part, names, texts)
    elif isinstance(value, dict):
        names.update(value)
        for part in value.values():
            gather_words(part, names, texts)


def blank(value: Any) -> Any:
    """Return a JSON value of the same shape without its words."""
    if isinstance(value, dict):
        return {name: blank(part) for name, part in value.items()}
    if isinstance(value, list):
        return [blank(part) for part in value]
    return FORGOTTEN if isinstance(value, str) and value else value
