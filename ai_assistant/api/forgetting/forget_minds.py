"""Forgetting in one mind: its parts, its open events, and what it holds in memory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ai_assistant.agent.state_parts import OF_WORDS, PARTS
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.slices import slices
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Event, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.parts import Part
from ai_assistant.memory.wipe import Wipe
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import AttributeStore, npc_id
from ai_assistant.storage.bodies import script_or_character
from ai_assistant.storage.erasure import Written

STATES_AT_ONCE = 10
IDS_AT_ONCE = 100
ROWS_AT_ONCE = 5
"""Rows that a search gives up, or learns anew, in one step: words that it never saw take time."""

State = tuple[str, str, Json, str]
"""A part's name, its key, the state, and whose it is where it is about somebody."""


def states(character: Any) -> Iterator[list[State]]:
    """Yield all that an assistant keeps in parts, some states at a time."""
    for store, parts in _stores(character, OF_WORDS):
        yield from _states(store, parts)


def _stores(
    character: Any, parts: Mapping[str, Part]
) -> Iterator[tuple[AttributeStore, Mapping[str, Part]]]:
    """Yield where an assistant keeps these parts: its store, and of one more body what rests."""
    yield store_of(character), parts
    own = entity_id(character)
    if npc_id(character) != own:
        alone = {name: part for name, part in parts.items() if part.shared}
        yield AttributeStore(character, script_or_character(character), own, alone), alone


def _states(
    store: AttributeStore, parts: Mapping[str, Part], only: Written | None = None
) -> Iterator[list[State]]:
    if only is None:
        found = [
            (name, key)
            for name, part in parts.items()
            for key in (store.keys(name) if part.keyed else [""])
        ]
    else:
        found = [at for own in (store.id, store.npc) for at in only.get(own, ()) if at[0] in parts]
    for some in slices(found, STATES_AT_ONCE):
        read = [(part, key, store.read(part, key)) for part, key in some]
        yield [
            (part, key, state, state.get("entity_id") or key.partition(".")[0])
            for part, key, state in read
        ]


def open_events(character: Any) -> list[Event]:
    """Return the events of an assistant that are on disk and neither answered nor closed."""
    return [waiting.event for waiting in store_of(character).triggers.waiting()]


def recall_no_more(key: str, ids: Sequence[int]) -> Iterator[None]:
    """Let a running assistant find these rows no more, some at a time."""
    for some in slices(ids, ROWS_AT_ONCE):
        resident = SERVICE.residents.get(key)
        if resident is not None:
            resident.mind.recall.forget(some)
            yield None


def recall_anew(key: str, ids: Sequence[int]) -> Iterator[None]:
    """Let a running assistant find these rows by what they hold now, some at a time."""
    for some in slices(ids, ROWS_AT_ONCE):
        resident = SERVICE.residents.get(key)
        if resident is not None:
            resident.mind.recall.forget(some)
            resident.mind.recall.learn(resident.mind.store.rows.by_ids(some))
            yield None


def clear_heads(keys: Iterable[str], wipe: Wipe) -> Iterator[None]:
    """Let nobody of these think what goes, nor wait to write it: what is left of it is stored.

    Their turns are dropped and begin anew later, what they heard and did not keep is cleansed, and
    what waits for the database is written. Raises `StoreUnavailable` where that does not take it.
    """
    for key in keys:
        SERVICE.interrupt(key, wipe.event)
        if resident := SERVICE.residents.get(key):
            resident.mind.told.clear()
            heard = resident.mind.heard
            kept = [*filter(None, map(wipe.event, heard))]
            heard.clear()
            heard.extend(kept)
        yield None
    yield from SERVICE.watch.catch_up()


def cleanse(
    character: Any,
    wipe: Wipe,
    counts: Counter[str],
    lost: Sequence[int],
    parts: Mapping[str, Part] = OF_WORDS,
    only: Written | None = None,
) -> Iterator[None]:
    """Cleanse what an assistant keeps beside its rows, of which it has lost those with these ids.

    `only` are the states to look at; None: all. Blocks are none of those. Raises `StoreError`.
    """
    yield from recall_no_more(entity_id(character), lost)
    yield from _cleanse_parts(character, wipe, counts, parts, only)
    _close_events(character, wipe, counts)
    if wipe.again:
        again = Change("sleep", "", "read_again", {"rows": wipe.again})
        wipe.again = {}
        store, _ = next(_stores(character, parts))
        _write(character, store, Commit(at=time.time(), changes=[again]))


def _cleanse_parts(
    character: Any,
    wipe: Wipe,
    counts: Counter[str],
    parts: Mapping[str, Part],
    only: Written | None,
) -> Iterator[None]:
    for store, kept in _stores(character, parts):
        for some in _states(store, kept, only):
            changes = []
            for part, key, state, owner in some:
                args = wipe.plan(state, PARTS[part].empty(), owner)
                if args:
                    changes.append(Change(part, key, "redact", args))
                    counts[part] += max(1, len(args["edits"]))
            if changes:
                _write(character, store, Commit(at=time.time(), changes=changes))
            for change in changes:
                if change.args.get("whole") and PARTS[change.part].keyed:
                    store.drop(change.part, change.key)
            yield None


def _write(character: Any, store: AttributeStore, commit: Commit) -> None:
    if store is store_of(character):  # of one that runs, which is to know
        save(character, commit)
    else:
        store.commit(commit)


def _close_events(character: Any, wipe: Wipe, counts: Counter[str]) -> None:
    at = time.time()
    closed = [event.id for event in open_events(character) if wipe.event(event) is None]
    if closed:
        records = [
            AuditRecord("EventClosed", {"event": id, "reason": "forgotten"}, NOBODY, at=at)
            for id in closed
        ]
        save(character, Commit(at=at, audit=records, closed=closed))
        counts["events"] += len(closed)
