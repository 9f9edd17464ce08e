"""A part's Attribute: found, created, read afresh, written and published.

What makes this delicate is that Evennia keeps Attributes in memory and reads them from there. A
value that was published but rolled back, or an Attribute created in a transaction that failed,
stays in that memory and may later be saved over a stranger's row. So an Attribute is created
empty, outside any transaction; its value is written by a plain UPDATE; and memory follows last.
"""

from __future__ import annotations

import pickle
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Any
from zlib import crc32

from django.db import connection
from django.db.models import Q
from evennia.objects.models import ObjectDB
from evennia.scripts.models import ScriptDB
from evennia.typeclasses.attributes import Attribute
from evennia.utils.picklefield import DEFAULT_PROTOCOL

from ai_assistant.core.contracts import Change, Json, MemoryRow
from ai_assistant.core.errors import StoreError
from ai_assistant.game.identity import SCRIPT_KEY
from ai_assistant.memory.moments.deltas import Watched
from ai_assistant.memory.parts import Part, copied, with_ids
from ai_assistant.storage.statements import fetch, marks, refusals

_VALUE = Attribute._meta.get_field("db_value")
_ON_DISK = {
    ObjectDB: """
        SELECT a.id, db_value FROM typeclasses_attribute AS a
        JOIN objects_objectdb_db_attributes AS held ON held.attribute_id = a.id
        WHERE held.objectdb_id = %s AND a.id IN ({})
    """,
    ScriptDB: """
        SELECT a.id, db_value FROM typeclasses_attribute AS a
        JOIN scripts_scriptdb_db_attributes AS held ON held.attribute_id = a.id
        WHERE held.scriptdb_id = %s AND a.id IN ({})
    """,
}
"""The owner is matched too: the id of an Attribute whose creation was rolled back is reused."""


_WRITTEN = "_ai_written"
"""Under this name an Attribute in memory keeps what we wrote last: its print, and the value."""


def current(owner: Any) -> Any:
    """Return the object as the game sees it now; raises `StoreError` when it was deleted.

    Evennia may flush its cache to save memory. Whoever asks for the object afterwards gets a new
    one, and changes made to that one are not seen through the old.
    """
    if not owner.pk:
        raise StoreError("The assistant's object was deleted.")
    return type(owner).get_cached_instance(owner.pk) or owner


def look_up(owner: Any, wanted: Iterable[tuple[Part, str]]) -> None:
    """Let Evennia know the Attributes of these parts and keys, or that there are none.

    What it does not know yet it would ask for one by one, twice each; this is one query for all.
    """
    known = owner.attributes.backend._cache
    named = {f"{key}-{category}": (key, category) for key, category in starmap(_named, wanted)}
    unknown = {name: which for name, which in named.items() if name not in known}
    if unknown:
        each = (Q(db_key=key, db_category=category) for key, category in unknown.values())
        found = owner.db_attributes.filter(reduce(or_, each), db_attrtype=None)
        there = {(row.db_key, row.db_category): row for row in found}
        known.update((name, there.get(which)) for name, which in unknown.items())


def look_up_in_all(objects: Iterable[Any], part: Part, key: str = "") -> None:
    """The same of one part and key for many objects, by one query for all of them."""
    name, category = _named(part, key)
    caches = {obj.pk: obj.attributes.backend._cache for obj in objects}
    unknown = {pk: cache for pk, cache in caches.items() if f"{name}-{category}" not in cache}
    found = ObjectDB.db_attributes.through.objects.filter(
        objectdb__in=unknown,
        attribute__db_key=name,
        attribute__db_category=category,
        attribute__db_attrtype=None,
    )
    with refusals():
        there = {held.objectdb_id: held.attribute for held in found.select_related("attribute")}
    for pk, cache in unknown.items():
        cache[f"{name}-{category}"] = there.get(pk)


def _named(part: Part, key: str) -> tuple[str, str | None]:
    """Return the key and the category of a part's Attribute, as Evennia stores them."""
    return (key.strip().lower(), part.attribute) if part.keyed else (part.attribute, None)


def find_attribute(owner: Any, part: Part, key: str, *, create: bool = False) -> Attribute | None:
    """Return the Attribute of that part and key, if there is one.

    To `create` it, without a value, is for no transaction. Raises `StoreError` for a keyed part
    without a key: Evennia would take that for all Attributes of the category.
    """
    if part.keyed and not key:
        raise StoreError(f"Which {part.name}? It has no key.")
    name, category = _named(part, key)
    held = owner.attributes.backend  # what `attributes.get` asks besides takes as long again
    found = held.get(name, category)
    if found and found[0].pk is None:  # deleted elsewhere, but still in the cache
        owner.attributes.reset_cache()
        found = held.get(name, category)
    if not found and create:
        owner.attributes.add(name, None, category=category)
        found = held.get(name, category)
    return found[0] if found else None


def in_view(part: Part, stored: Any) -> Json:
    """Return a stored state, with what it lacks of the part's empty shape; nothing is a copy."""
    if part.bare and isinstance(stored, list):
        return {part.bare: stored}
    if not isinstance(stored, dict):
        return part.shape
    return stored if stored.keys() >= part.shape.keys() else {**part.shape, **stored}


def attributes_of(owner: Any, part: Part) -> Any:
    """Return the query for the part's Attributes, oldest first."""
    if part.keyed:
        return owner.db_attributes.filter(db_category=part.attribute).order_by("pk")
    return owner.db_attributes.filter(db_key=part.attribute, db_category=None)


def read_all(owner: Any, part: Part) -> dict[str, Json]:
    """Return all states of a keyed part by key, oldest first, from disk. One query."""
    found = (
        attributes_of(owner, part).filter(db_value__isnull=False).values_list("db_key", "db_value")
    )
    return {key: copied(in_view(part, stored)) for key, stored in found}


def in_minds(part: Part, number: int = 0) -> list[Json]:
    """Return what a part of the script is in all minds, or in that of the object of this number.

    From disk, by one query, on any thread; where there is nothing of it, it is left out.
    """
    attribute = {"db_attributes__db_key": part.attribute, "db_attributes__db_category": None}
    held = ScriptDB.objects.filter(db_key=SCRIPT_KEY, **attribute)
    held = held.filter(db_obj=number) if number else held
    stored = held.values_list("db_attributes__db_value", flat=True)
    return [in_view(part, value) for value in stored]


def keys(owner: Any, part: Part) -> list[str]:
    """Return the keys under which the part holds a value, oldest first. One query."""
    found = attributes_of(owner, part).filter(db_value__isnull=False)
    return list(found.values_list("db_key", flat=True))


@dataclass(slots=True)
class Slot:
    """One Attribute on its way through a commit, with the changes meant for it."""

    owner: Any
    """The object or script that has the Attribute."""
    part: Part
    """The part of the state that it holds."""
    attribute: Attribute
    """The row of Evennia's."""
    changes: list[Change] = field(default_factory=list)
    """The steps to take, in order."""
    value: Any = None
    """What is stored next, in the shape that the Attribute has."""
    state: Json = field(default_factory=dict)
    """What becomes of it, as steps know it."""
    watched: Watched | None = None
    """The state as it was; None until it is read."""
    prints: tuple[str, str] = ("", "")
    """By which the state on disk is known again, before and afterwards."""

    def publish(self) -> None:
        """Let Evennia see what was written, as if it had been set through ``db``."""
        cached = Attribute.get_cached_instance(self.attribute.pk)
        for row in (self.attribute, cached):  # two only after Evennia flushed its cache
            if row is not None:
                row.db_value = self.value
                row.__dict__[_WRITTEN] = (self.prints[1], self.value)


def apply(slots: Sequence[Slot], ids: Sequence[int]) -> list[MemoryRow]:
    """Read the Attributes from disk and apply to each its changes; nothing is written yet.

    `ids` are those of the rows that the commit inserted, for changes that speak of them. Returns
    the rows that spill over. Raises `StoreError` when an Attribute is not there any more.
    """
    owned: dict[tuple[Any, int], list[int]] = {}
    for slot in slots:
        owned.setdefault((slot.owner.__dbclass__, slot.owner.pk), []).append(slot.attribute.pk)
    wanted = [_ON_DISK[kind].format(marks(pks)) for (kind, _), pks in owned.items()]
    values = [value for (_, owner), pks in owned.items() for value in (owner, *pks)]
    stored = dict(fetch(" UNION ALL ".join(wanted), values)) if wanted else {}
    spilled: list[MemoryRow] = []
    for slot in slots:
        if slot.attribute.pk not in stored:
            slot.attribute.flush_from_cache(force=True)
            slot.owner.attributes.reset_cache()
            raise StoreError("An Attribute vanished during the commit.")
        raw = stored[slot.attribute.pk]
        # Where we wrote it last and Evennia still has it, a copy takes half of what reading does.
        written, held = slot.attribute.__dict__.get(_WRITTEN, (None, None))
        slot.prints = (print_of(raw or ""), "")
        is_ours = written == slot.prints[0] and held is slot.attribute.db_value
        known = in_view(slot.part, held if is_ours else _VALUE.from_db_value(raw))
        slot.value = copied(known)
        slot.watched = Watched(slot.value, known)
        for change in slot.changes:
            spilled += slot.part.apply(slot.value, change.op, with_ids(change.args, ids))
    return spilled


def write(slots: Sequence[Slot]) -> None:
    """Write the new values to disk, as Evennia's field stores them, and keep them to publish.

    The field itself would copy each value by deepcopy, which takes twenty times as long. What the
    steps were given was copied by `with_ids`, so no caller holds any of it.
    """
    values = []
    for slot in slots:
        bare, slot.state = slot.part.bare, slot.value
        slot.value = slot.value.get(bare, []) if bare else slot.value
        raw = b64encode(pickle.dumps(slot.value, DEFAULT_PROTOCOL)).decode()
        values.append((raw, slot.attribute.pk))
        slot.prints = (slot.prints[0], print_of(raw))
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE typeclasses_attribute SET db_value = %s WHERE id = %s", values)


def print_of(raw: str) -> str:
    """Return by what a stored value is known again."""
    return format(crc32(raw.encode()), "x")


def remove(owner: Any, part: Part, key: str) -> None:
    """Remove the Attribute of a keyed part, in no transaction; where there is none, do nothing."""
    current(owner).attributes.remove(key, category=part.attribute)


def delete_part(owner: Any, part: Part) -> None:
    """Delete the part's Attributes together: Evennia would take milliseconds for each."""
    pks = list(attributes_of(owner, part).values_list("pk", flat=True))
    try:
        Attribute.objects.filter(pk__in=pks).delete()
    finally:
        owner.attributes.reset_cache()
