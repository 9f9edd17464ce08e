"""Forgetting in one mind: its parts, its open events, and what it holds in memory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Event, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.redaction import Wipe
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import AttributeStore, erasure

STATES_AT_ONCE = 20
IDS_AT_ONCE = 100

State = tuple[str, str, Json, str]
"""A part's name, its key, the state, and whose it is where it is about somebody."""


def states(character: Any) -> Iterator[list[State]]:
    """Return all that an assistant keeps in parts, some states at a time."""
    store = store_of(character)
    found = [
        (name, key)
        for name, part in PARTS.items()
        for key in (store.keys(name) if part.keyed else [""])
    ]
    for start in range(0, len(found), STATES_AT_ONCE):
        yield [_state(store, *address) for address in found[start : start + STATES_AT_ONCE]]


def _state(store: AttributeStore, part: str, key: str) -> State:
    state = store.read(part, key)
    return part, key, state, state.get("entity_id") or key.partition(".")[0]


def open_events(character: Any) -> list[Event]:
    """Return the events of an assistant that are on disk and neither answered nor closed."""
    return [one.event for one in store_of(character).triggers.waiting()]


def recall_no_more(key: str, ids: Sequence[int]) -> Iterator[None]:
    """Let a running assistant find these rows no more, some at a time."""
    for start in range(0, len(ids), IDS_AT_ONCE):
        resident = SERVICE.residents.get(key)
        if resident is not None:
            resident.mind.recall.forget(ids[start : start + IDS_AT_ONCE])
            yield None


def recall_anew(key: str, ids: Sequence[int]) -> None:
    """Let a running assistant find these rows by what they hold now."""
    resident = SERVICE.residents.get(key)
    if resident is not None:
        resident.mind.recall.forget(ids)
        resident.mind.recall.learn(resident.mind.store.rows.by_ids(ids))


def embed_no_more() -> None:
    """Drop the vectors that are kept of texts, whoever heard them."""
    for resident in SERVICE.residents.values():
        if resident.mind.recall.embedder is not None:
            resident.mind.recall.embedder.forget()


def cleanse(
    character: Any, wipe: Wipe, counts: Counter[str], lost: Sequence[int]
) -> Iterator[None]:
    """Cleanse what an assistant keeps beside its rows, of which it has lost those with these ids.

    A turn that runs is dropped where it may know more than the mind does by now; then comes a
    second look at what it wrote meanwhile. Raises `StoreError`.
    """
    key = entity_id(character)
    yield from recall_no_more(key, lost)
    yield from _cleanse_parts(character, wipe, counts)
    _close_events(character, wipe, counts)
    if key in SERVICE.residents and (_cleanse_heard(key, wipe) or lost or counts.total()):
        SERVICE.interrupt(key, lambda event: _goes(wipe, event))
        yield from _cleanse_parts(character, wipe, counts)
    if wipe.again:
        again = Change("sleep", "", "read_again", {"rows": wipe.again})
        wipe.again = {}
        _save(character, [again])


def _cleanse_parts(character: Any, wipe: Wipe, counts: Counter[str]) -> Iterator[None]:
    for some in states(character):
        changes = []
        for part, key, state, owner in some:
            args = wipe.plan(state, PARTS[part].empty(), owner)
            if args:
                changes.append(Change(part, key, "redact", args))
                counts[part] += max(1, len(args["edits"]))
        if changes:
            _save(character, changes)
        yield None


def _save(character: Any, changes: Iterable[Change]) -> None:
    save(character, Commit(at=time.time(), changes=[*changes]))
    for change in changes:
        if change.args.get("whole") and PARTS[change.part].keyed:
            erasure.drop(character, PARTS[change.part], change.key)


def _goes(wipe: Wipe, event: Event) -> bool:
    return wipe.takes(entry_of(event))


def _close_events(character: Any, wipe: Wipe, counts: Counter[str]) -> None:
    """Close the events that go, and cleanse what is noted of the acts begun for others."""
    at = time.time()
    closed = [event.id for event in open_events(character) if _goes(wipe, event)]
    if closed:
        records = [
            AuditRecord("EventClosed", {"event": one, "reason": "forgotten"}, NOBODY, at=at)
            for one in closed
        ]
        save(character, Commit(at=at, audit=records, closed=closed))
        counts["events"] += len(closed)
    claims = erasure.claims_of(entity_id(character))
    new = [{**one, "claims": wipe.cleansed(one["claims"])} for one in claims]
    erasure.change_claims(one for one in new if one not in claims)


def _cleanse_heard(key: str, wipe: Wipe) -> bool:
    """Take out of the buffer what goes, cleanse what other assistants said; was there any?"""
    heard = SERVICE.residents[key].mind.heard
    before = list(heard)
    heard.clear()
    heard.extend(_cleansed(wipe, event) for event in before if not _goes(wipe, event))
    return before != list(heard)


def _cleansed(wipe: Wipe, event: Event) -> Event:
    content = wipe.cleansed(entry_of(event))["content"]
    if content == event.content:
        return event
    return replace(event, content=content, narrative_text=wipe.runs.cut(event.narrative_text))
