"""Archives: what the game will let go of, read page by page as lines of JSON, and read back."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import StoreError
from ai_assistant.models import AssistantEvent, Memory, StateChange
from ai_assistant.storage.statements import id_pages, refusals

PAGE = 500
END = "end"
"""What the last line is of: how many came before it, and their fingerprint."""


@dataclass(frozen=True, slots=True)
class _ArchivedTable:
    """One table: the column that says whose a row is, and the one that says how old."""

    model: Any
    owner: str
    at: str
    without: frozenset[str] = frozenset()


_TABLES = {
    "record": _ArchivedTable(AssistantEvent, "assistant", "at"),
    "state": _ArchivedTable(StateChange, "sequence", "at"),
    "memory": _ArchivedTable(Memory, "container", "archived_at", frozenset({"embedding"})),
}


def archive_lines(before: float, owner: str = "") -> Iterator[Json]:
    """Yield what is older than a time: the audit log, what states were, memories out of use.

    Of one owner (the id of an assistant, `block:` and `scene:` for what is shared), or of all.
    Raises `StoreError`.
    """
    for name, table in _TABLES.items():
        fields = [field.attname for field in table.model._meta.concrete_fields]
        asked = {f"{table.at}__lt": before} | ({table.owner: owner} if owner else {})
        old = table.model.objects.filter(**asked)
        kept = old.values(*(field for field in fields if field not in table.without))
        for page in id_pages(kept, PAGE):
            yield from ({"table": name, **row} for row in page)


def forgotten_since(at: float) -> bool:
    """Was anything forgotten from a time on? Raises `StoreError`."""
    with refusals():
        return AssistantEvent.objects.filter(type="Forgotten", at__gte=at).exists()


def sealed(lines: Iterable[Json]) -> Iterator[str]:
    """Yield lines as they stand in a file, and behind them one that says what came before it."""
    seal, count = hashlib.sha256(), 0
    for line in lines:
        text = json.dumps(line, ensure_ascii=False)
        seal.update(text.encode())
        count += 1
        yield text
    yield json.dumps({"table": END, "lines": count, "sha256": seal.hexdigest()})


def archived(lines: Iterable[str]) -> Iterator[Json]:
    """Yield what an archive holds, but its end. Raises `StoreError` where it is a broken one."""
    seal, count = hashlib.sha256(), 0
    found: Json = {}
    for text in lines:
        if found.get("table") == END:
            raise StoreError("There are lines behind its end.")
        try:
            found = json.loads(text)
            table = str(found["table"])
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"Line {count + 1} of it cannot be read.") from None
        if table != END:
            seal.update(text.removesuffix("\n").encode())
            count += 1
            yield found
    if found.get("table") != END:
        raise StoreError("It has no end.")
    if (found.get("lines"), found.get("sha256")) != (count, seal.hexdigest()):
        raise StoreError("It is not what was written.")


def read_back(lines: Iterable[str]) -> Counter[str]:
    """Return how many lines of each table an archive has. Raises `StoreError` for a broken one."""
    return Counter(str(line["table"]) for line in archived(lines))
