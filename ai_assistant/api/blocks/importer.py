"""The importer: an assistant's older three blocks become the six; a dry run tells it all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter
from evennia.utils.dbserialize import deserialize

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.blocks.persona_block import checked_persona, publish_persona, read_persona
from ai_assistant.api.blocks.world_knowledge import set_location
from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import counted
from ai_assistant.game import validation
from ai_assistant.game.identity import entity_id, find, name_of, reference
from ai_assistant.memory.blocks import global_knowledge, rules, shapes, shared_social
from ai_assistant.memory.blocks.old_blocks import NAME, OLD, OldBlocks, read_old
from ai_assistant.memory.people.feelings import drift
from ai_assistant.memory.people.profiles import SECRET
from ai_assistant.memory.redaction import items_of
from ai_assistant.planning.old_layout import Split, split
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import Block, Signed, npc_id, read_block, write_block
from ai_assistant.storage.server_lease import writing

BY = "import"
SAME = 0.005
"""Closer than that, two favorabilities are the same."""


@dataclass(slots=True)
class ImportReport:
    """What an import would do, or did."""

    npc: str
    """Whose blocks they are, by name."""
    dry_run: bool
    """Was nothing written?"""
    lines: list[str] = field(default_factory=list)
    """What is new, a line for each thing."""
    left_out: list[str] = field(default_factory=list)
    """What was not taken over, and why."""

    def __str__(self) -> str:
        """Return the report as people read it."""
        what = "would be written" if self.dry_run else "written"
        things = counted(len(self.lines), "thing")
        said = [f"{self.npc}: {things} {what}, {len(self.left_out)} left out."]
        said += [f"  + {line}" for line in self.lines]
        return "\n".join([*said, *(f"  - left out: {line}" for line in self.left_out)])


def old_blocks_of(npc: Any) -> Json:
    """Return the older blocks that the game kept in the Attributes persona, human, locations."""
    return {name: deserialize(npc.attributes.get(name)) for name in OLD}


def import_old_layout(
    npc: Any, data: Any = None, *, dry_run: bool = True, by: str = BY
) -> ImportReport:
    """Split an assistant's older blocks over the six (see `docs/blocks.md`); by default only tell.

    `data` are the three blocks (see `read_old`), else the character's Attributes are taken. Raises
    `AssistantError`, and writes nothing, where there are none, or one of the new ones has no room.
    """
    old = read_old(old_blocks_of(validation.an_npc(npc)) if data is None else data)
    parts, before, commit = split(old, find_player), read_persona(npc), Commit(at=time.time())
    report = ImportReport(name_of(npc), dry_run, left_out=parts.left_out)
    persona = _plan_persona(before, parts, report)
    _plan_private(npc, parts, report, commit)
    _plan_social(npc, parts, report, commit, by)
    places = _plan_places(parts, report)
    if dry_run:
        return report
    told = {"changes": len(commit.changes), "places": len(places), "by": by}
    commit.audit.append(AuditRecord("BlocksImported", told, at=commit.at))
    store_of(npc).make_ready(commit)
    with writing():
        if persona:
            signed = Signed("designer", by, "import")
            write_block(PERSONA, npc_id(npc), persona, before.version, signed=signed)
        for place in places:
            set_location(**place, by=by)
        # others may have written since, so that there is no room any more
        _plan_social(npc, parts, ImportReport("", True), Commit(at=commit.at), by)
        save(npc, commit)
    if persona:
        publish_persona(npc_id(npc), persona)
    return report


def keep_old_layout(npc: Any) -> OldBlocks:
    """Keep the older blocks, for the `block_layout` three; returns them as they were read.

    Raises `BlockRefused` without any, and `StoreError`.
    """
    old = read_old(old_blocks_of(npc))
    parts = split(old, find_player)
    step = {
        "persona": parts.persona,
        "human": {private.entity_id: [*private.notes] for private in parts.private},
        "locations": parts.places,
        "at": time.time(),
    }
    save(npc, Commit(at=step["at"], changes=[Change(NAME, "", "keep", step)]))
    return old


def find_player(name: str) -> str:
    """Return the lasting id of the one character of that name, or of that id; empty for none."""
    found = ObjectDB.objects.filter(db_key__iexact=name.strip())
    named = [thing for thing in found if isinstance(thing, DefaultCharacter)]
    if len(named) == 1:
        return entity_id(named[0])
    return name if find(name) is not None else ""


def _plan_persona(block: Block, parts: Split, report: ImportReport) -> Json:
    """Return the persona as it would be; empty where nothing of it changes."""
    new = {name: field for name, field in parts.persona.items() if field not in ("", [], None)}
    changed = {name: field for name, field in new.items() if block.value.get(name) != field}
    report.lines += [f"persona {name}: {field}" for name, field in changed.items()]
    size = rules.json_length(after := block.value | new)
    if size > block.limit:
        raise BlockRefused(f"The persona has no room: {size} characters of {block.limit}.")
    return checked_persona(after) if changed else {}


def _plan_private(npc: Any, parts: Split, report: ImportReport, commit: Commit) -> None:
    rules.check_writer("sub_process", rules.PRIVATE)
    store, at = store_of(npc), commit.at
    for private in parts.private:
        key, profile = private.entity_id, store.read("profile", private.entity_id)
        known = {item.get("content") for item in items_of(profile)}
        notes = [words for words in private.notes if words not in known]
        who = reference(find(key))
        steps: list[tuple[str, Json]] = []
        if notes or private.favorability is not None:
            identity = {"name": who.name, "entity_type": who.kind, "at": at}
            steps.append(("create_entity_profile", identity))
        for words in notes:
            noted = {"entity_id": key, "content": words, "source": "direct", "kind": SECRET}
            noted |= {"at": at, "author": key, "readers": key}
            steps.append(("add_entity_observation", noted))
        report.lines += [f"private@{who.name}: {words}" for words in notes]
        if private.favorability is not None:
            delta = private.favorability - drift(profile, at)["relationship"]["favorability"]
            if abs(delta) >= SAME:
                moved = {"delta": delta, "reason": "from the older layout", "author": "", "at": at}
                moved |= {"readers": key, "kind": "game", "limit": 1.0}
                steps.append(("update_relationship", moved))
                report.lines.append(f"private@{who.name}: trust {private.favorability * 100:.0f}")
        commit.changes += [Change("profile", key, op, args) for op, args in steps]


def _plan_social(npc: Any, parts: Split, report: ImportReport, commit: Commit, by: str) -> None:
    state = store_of(npc).read(rules.SOCIAL) | {"needs_compaction": False}
    signed = {"at": commit.at, "readers": OPEN, "writer": "game", "by": by}
    steps = [("add_line", {"content": fact}) for fact in dict.fromkeys(parts.facts)]
    steps += [("record_group_interaction", group) for group in parts.groups]
    for op, args in steps:
        told = args.get("content") or shared_social.group_as_row({**args, "readers": OPEN}).content
        if op == "add_line" and shared_social.FACT_LINES.knows(state, told, OPEN):
            continue
        before = [*state[shared_social.GROUPS]]
        PARTS[rules.SOCIAL].apply(state, op, args | signed)
        if op == "add_line" or len(state[shared_social.GROUPS]) != len(before):
            commit.changes.append(Change(rules.SOCIAL, "", op, args | signed))
            report.lines.append(f"shared_social: {told}")
    if state["needs_compaction"]:
        raise BlockRefused(
            f"The block {rules.SOCIAL} has no room: {state['limit']} characters fit."
        )


def _plan_places(parts: Split, report: ImportReport) -> list[Json]:
    block = read_block(rules.GLOBAL)
    state = global_knowledge.GLOBAL_KNOWLEDGE.empty() | shapes.mended_block(
        rules.GLOBAL, block.value
    )
    state |= {"limit": block.limit, "needs_compaction": False}
    new = []
    for place in parts.places:
        if global_knowledge.find_place(state, place["name"]) is not None:
            report.left_out.append(f"{place['name']} is on the map already")
            continue
        global_knowledge.set_location(state, **place, at=0.0)
        new.append(place)
        report.lines.append(f"global_knowledge place: {place['name']}")
    if state["needs_compaction"]:
        raise BlockRefused(f"The block {rules.GLOBAL} has no room: {block.limit} characters fit.")
    return new
