"""What there was at a moment, noted when it was; and the same rebuilt from the audit log."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.redaction import redact
from ai_assistant.memory.scene_wiping import wiped_scene
from ai_assistant.memory.wipe import Wipe

Address = tuple[str, str, str]
"""A sequence, a part and a key."""
ROW = (
    *("id", "session", "container", "kind", "content", "subject", "author", "author_name"),
    *("readers", "location", "learned_at", "parents", "supersedes", "meta", "archived_at"),
)
REBUILT = ("id", "content", "archived_at", "meta")
"""Of a row, what the past knows."""


class Noted:
    """All that was of some assistants after a deed."""

    def __init__(self, minds: list[Any]) -> None:
        from django.db.models import Max

        from ai_assistant.game.identity import entity_id
        from ai_assistant.models import AssistantEvent, Memory

        own = [entity_id(mind) for mind in minds]
        last = AssistantEvent.objects.values("assistant").annotate(last=Max("seq"))
        self.heads: dict[str, int] = dict(last.values_list("assistant", "last"))
        self.states: dict[Address, Json] = dict(_states(minds))
        rows = Memory.objects.filter(container__in=own).order_by("pk").values(*ROW)
        self.rows: dict[str, dict[int, Json]] = {who: {} for who in own}
        for row in rows:
            self.rows[row["container"]][row["id"]] = row
        self.folded: set[str] = set()
        """The sequences in which this moment is older than what is kept."""

    def let_go(self) -> None:
        """Take out the sequences of which this moment was let go."""
        from ai_assistant.storage.history.past import folded_until

        self.folded |= {who for who, head in self.heads.items() if head < folded_until(who)}

    def redact(self, wipe: Wipe, owner: Any) -> None:
        """Take out what is forgotten, of one assistant or, without one, of all."""
        from ai_assistant.game.identity import entity_id

        for address, state in list(self.states.items()):
            if owner is None or _is_of(owner, address):
                self.states[address] = _redacted(address, state, wipe)
        for who, rows in self.rows.items():
            if owner is None or who == entity_id(owner):
                kept = {pk: row for pk, row in rows.items() if pk not in wipe.gone}
                self.rows[who] = {pk: wipe.row(row) for pk, row in kept.items()}

    def empty(self, mind: Any, parts: Collection[str] = (), *, rows: bool = True) -> None:
        """Take out these parts of one assistant, or all that it ever was."""
        from ai_assistant.agent.state_parts import PARTS
        from ai_assistant.game.identity import entity_id
        from ai_assistant.storage import npc_id

        own, blocks = entity_id(mind), f"block:{npc_id(mind)}"
        labels = {PARTS[name].attribute for name in parts}
        for sequence, part, key in self.states:
            of_blocks = sequence == blocks and (not parts or key in labels)
            if of_blocks or (sequence == own and (not parts or part in parts)):
                self.states[sequence, part, key] = {}
        if rows:
            self.rows[own] = {}

    def reword(self, who: str, before: Noted, after: Noted) -> None:
        """Let rows say what they were made to say in place, where they said that already."""
        for pk, row in self.rows.get(who, {}).items():
            was, is_now = before.rows[who][pk], after.rows[who][pk]
            if is_now["meta"].keys() == was["meta"].keys():  # else it was put out of use, on record
                kept = {name: is_now[name] for name in was if row[name] == was[name]}
                row.update(kept)

    def differences(self, log: ToldStates) -> Iterator[str]:
        """Yield in what the audit log tells another past."""
        from ai_assistant.storage.history import past

        told = {*self.states, *log.addresses}
        for address in sorted(one for one in told if one[0] not in self.folded):
            rebuilt = log.at(address, self.heads.get(address[0], 0))
            had, tells = (
                _whole(address[1], each) for each in (self.states.get(address, {}), rebuilt)
            )
            if had != tells:
                yield f"{address}: {_differing(had, tells)}"
        for who in self.rows.keys() - self.folded:
            rows = self.rows[who]
            found = past.rows_at(who, self.heads.get(who, 0), REBUILT)
            tell = {row["id"]: row for row in found}
            had = {pk: {field: row[field] for field in REBUILT} for pk, row in rows.items()}
            for pk in sorted({*had, *tell}):
                if had.get(pk) != tell.get(pk):
                    yield f"{who} #{pk}: {had.get(pk)} and rebuilt {tell.get(pk)}"


def _is_of(owner: Any, address: Address) -> bool:
    """Does an assistant keep this, by itself, with its other bodies, or at rest since it is one?"""
    from ai_assistant.agent.state_parts import PARTS
    from ai_assistant.game.identity import entity_id
    from ai_assistant.storage import npc_id

    (sequence, part, _), own = address, entity_id(owner)
    if part in PARTS and not PARTS[part].shared:
        return sequence == own
    return sequence.removeprefix("block:") in (own, npc_id(owner))


def _states(minds: list[Any]) -> Iterator[tuple[Address, Json]]:
    from ai_assistant.agent.state_parts import PARTS
    from ai_assistant.api.handlers import store_of
    from ai_assistant.models import MemoryBlock, Scene
    from ai_assistant.storage import AttributeStore

    for mind in minds:
        ours = store_of(mind)
        store = AttributeStore(mind, mind.assistant_script, ours.id, PARTS)  # also what rests
        store.elsewhere = ours.elsewhere
        for name, part in PARTS.items():
            if part.is_block:
                continue
            for key in store.keys(name) if part.keyed else [""]:
                yield (store.id, name, key), _plain(store.read(name, key))
    for owner, label, value in MemoryBlock.objects.values_list("owner", "label", "value"):
        yield (f"block:{owner}", "block", label), value
    for session, *told in Scene.objects.values_list("session", "title", "status", "state"):
        title, status, state = told
        yield (f"scene:{session}", "scene", ""), {"title": title, "status": status, "state": state}


class ToldStates:
    """What the log tells of states, each looked up once for all the moments at which it stood."""

    def __init__(self) -> None:
        from ai_assistant.models import StateChange
        from ai_assistant.storage.history.state_log import ROWS

        self.addresses: dict[Address, list[int]] = defaultdict(list)
        told = StateChange.objects.exclude(part=ROWS).order_by("seq")
        for *address, seq in told.values_list("sequence", "part", "key", "seq"):
            self.addresses[(address[0], address[1], address[2])].append(seq)
        self._known: dict[tuple[Address, int], Json] = {}

    def at(self, address: Address, moment: int) -> Json:
        """Return a state as it was right after a commit; empty where nothing is told of it."""
        from ai_assistant.storage.history import past

        changes = self.addresses.get(address, [])
        last = sum(seq <= moment for seq in changes)
        if (address, last) not in self._known:
            self._known[address, last] = past.state_at(*address, moment) or {}
        return self._known[address, last]


def _plain(state: Json) -> Json:
    plain: Json = json.loads(json.dumps(state, default=str))
    return plain


def _whole(part: str, state: Json) -> Json:
    """Return a state with what it lacks of its empty shape; of a scene without its time."""
    from ai_assistant.agent.state_parts import PARTS

    if part == "scene":
        return {name: value for name, value in state.items() if name != "updated"}
    return {**PARTS[part].empty(), **state} if part in PARTS else state


def _redacted(address: Address, state: Json, wipe: Wipe) -> Json:
    from ai_assistant.agent.state_parts import PARTS
    from ai_assistant.runtime.assembly import PERSONA

    _, part, key = address
    if part == "block":
        return state if key == PERSONA else wipe.cleansed(state) or {}
    if part == "scene":
        return wiped_scene(wipe, state)
    args = replace(wipe, again={}, unmarked=set()).plan(
        state, PARTS[part].empty(), state.get("entity_id") or key.partition(".")[0]
    )
    if args:
        redact(state, **args)
    return state


def _differing(had: Json, tells: Json) -> str:
    names = [name for name in {*had, *tells} if had.get(name) != tells.get(name)]
    return "; ".join(f"{name}: {had.get(name)!r} and rebuilt {tells.get(name)!r}" for name in names)
