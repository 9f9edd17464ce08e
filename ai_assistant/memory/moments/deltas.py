"""Deltas: what one commit made of a state, as values afterwards and never as the step it took.

Items of a list are known by ids that a delta gives them and that last: no place in a list, since
what is forgotten shifts those. A delta is JSON:

- ``set``: fields and their values; ``unset``: the names of fields that are gone;
- ``lists``: of each list of objects the ``order`` of its ids, as ranges, and the ``items`` that are
  new or changed, id → the list of what stands there: one value, but none or several where
  forgetting left none or brought back what it had replaced;
- ``whole``: it builds on nothing before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, repeat
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import copied

CHECKPOINT = 64
"""After so many deltas of a state one tells it whole."""
_NOTHING = object()


@dataclass(slots=True)
class Head:
    """What the next delta of a state builds upon."""

    print: str = ""
    """By which the state on disk is known again."""
    next: int = 1
    """The id that the next new item gets."""
    since: int = 0
    """Deltas since the last that was whole."""
    lists: dict[str, list[int]] = field(default_factory=dict)
    """Of each list of objects the ids of its items, in their order."""

    def to_json(self) -> Json:
        """Return it as JSON values, but for `since`."""
        lists = {name: ranges(ids) for name, ids in self.lists.items()}
        return {"print": self.print, "next": self.next, "lists": lists}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], since: int) -> Head:
        """Rebuild it; of nothing that was ever told where there is no data."""
        lists = {name: list(ids_in(some)) for name, some in data.get("lists", {}).items()}
        return cls(data.get("print", ""), data.get("next", 1), since, lists)


class Watched:
    """A state before steps are taken on it, to be compared with what they make of it."""

    __slots__ = ("before", "objects")

    def __init__(self, state: Json, before: Json | None = None) -> None:
        """Keep a copy of it, unless the same is at hand `before` that no step will touch."""
        self.before: Json = copied(state) if before is None else before
        self.objects = {name: [*value] for name, value in state.items() if type(value) is list}

    def delta(self, after: Json, was: str, now: str, head: Head | None) -> tuple[Json, Head] | None:
        """Return what was made of the state, and the head that follows; None: nothing.

        `was` and `now` are the prints of the state on disk. It is told whole where the `head` is
        of another state, because something changed that past us, and now and then anyway.
        """
        old = head or Head()
        if head and head.print == was and self._fits(head):
            if after == self.before:
                return None
            if head.since + 1 < CHECKPOINT:
                new = Head(now, head.next, head.since + 1, dict(head.lists))
                return _delta(self, after, new), new
        new = Head(now, old.next)
        return {"whole": True, **_delta(_UNKNOWN, after, new)}, new

    def _fits(self, head: Head) -> bool:
        before = self.before
        return all(len(before.get(name, ())) == len(ids) for name, ids in head.lists.items())


_UNKNOWN = Watched({})


def _delta(watched: Watched, after: Json, head: Head) -> Json:
    """Return what differs, and let the head follow."""
    before, delta = watched.before, dict[str, Any]()
    for name, value in after.items():
        old = before.get(name, _NOTHING)
        if type(old) is type(value) and old == value:
            continue
        if type(value) is list and {*map(type, value)} == {dict}:
            delta.setdefault("lists", {})[name] = _list_delta(watched, name, value, head)
        else:
            delta.setdefault("set", {})[name] = value
            head.lists.pop(name, None)
    if gone := [name for name in before if name not in after]:
        delta["unset"] = gone
        for name in gone:
            head.lists.pop(name, None)
    return delta


def _list_delta(watched: Watched, name: str, items: Sequence[Json], head: Head) -> Json:
    """Return the order of a list, and what in it is new; what is still there keeps its id."""
    ids = head.lists.get(name, [])
    objects, old = watched.objects.get(name, ()), watched.before.get(name, ())
    known = dict(zip(map(id, objects), count())) if ids else {}
    places = list(map(known.pop, map(id, items), repeat(None)))
    order, new = list[int](), dict[str, list[Json]]()
    for item, place in zip(items, places, strict=True):
        if place is None:
            own, head.next = head.next, head.next + 1
        else:
            own = ids[place]
        order += (own,)
        if place is None or old[place] != item:
            new[str(own)] = [item]
    head.lists[name] = order
    return {"order": ranges(order), "items": new}


def ranges(ids: Iterable[int]) -> list[list[int]]:
    """Return ids as ranges, first and last, in their order."""
    ids = list(ids)
    if ids and ids == [*range(ids[0], ids[0] + len(ids))]:  # as it mostly is
        return [[ids[0], ids[-1]]]
    found: list[list[int]] = []
    for id in ids:
        if found and id == found[-1][1] + 1:
            found[-1][1] = id
        else:
            found.append([id, id])
    return found


def ids_in(some: Iterable[Sequence[int]]) -> Iterator[int]:
    """Yield the ids of ranges."""
    for first, last in some:
        yield from range(first, last + 1)


def merged_delta(deltas: Iterable[Json]) -> Json:
    """Return one whole delta in the place of several, oldest first; items keep their ids."""
    values, lists = dict[str, Any](), dict[str, Json]()
    for delta in deltas:
        if delta.get("whole"):
            values, lists = {}, {}
        for name in (*delta.get("unset", ()), *delta.get("set", ())):
            values.pop(name, None)
            lists.pop(name, None)
        values |= delta.get("set", {})
        for name, told in delta.get("lists", {}).items():
            values.pop(name, None)
            there = {**lists.get(name, {"items": {}})["items"], **told["items"]}
            kept = {str(id) for id in ids_in(told["order"])}
            items = {id: some for id, some in there.items() if id in kept}
            lists[name] = {"order": told["order"], "items": items}
    return {"whole": True, "set": values, "lists": lists}


def state_after(deltas: Iterable[Json]) -> Json:
    """Return what a state was after these deltas, oldest first, of which the first is whole."""
    whole = merged_delta(deltas)
    lists = {
        name: [item for id in ids_in(told["order"]) for item in told["items"].get(str(id), ())]
        for name, told in whole["lists"].items()
    }
    return {**whole["set"], **lists}
