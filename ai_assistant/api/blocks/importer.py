"""The importer: an assistant's older three blocks become the six; a dry run tells it all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
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
from ai_assistant.game import validation
from ai_assistant.game.identity import entity_id, find, name_of, reference
from ai_assistant.memory.blocks import global_knowledge, rules, shapes, shared_social
from ai_assistant.memory.blocks.items import knows
from ai_assistant.memory.blocks.old_blocks import NAME, OLD, OldBlocks, read_old
from ai_assistant.memory.people.feelings import settle
from ai_assistant.memory.people.profiles import SECRET
from ai_assistant.memory.redaction import items_of
from ai_assistant.planning.old_layout import Split, split
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import Block, Signed, npc_id, read_block, write_block
from ai_assistant.storage.statements import refusals

BY = "import"
SAME = 0.005
"""Closer than that, two favorabilities are the same."""


@dataclass(slots=True)
class ImportReport:
    """What an import would do, or did: a line for each thing, and what was left out and why."""

    npc: str
    dry_run: bool
    lines: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the report as people read it."""
        what = "would be written" if self.dry_run else "written"
        said = [f"{self.npc}: {len(self.lines)} things {what}, {len(self.left_out)} left out."]
        said += [f"  + {one}" for one in self.lines]
        return "\n".join([*said, *(f"  - left out: {one}" for one in self.left_out)])


def old_blocks_of(npc: Any) -> Json:
    """Return the older blocks that the game kept in the Attributes persona, human, locations."""
    return {name: deserialize(npc.attributes.get(name)) for name in OLD}


def import_old_layout(
    npc: Any, data: Any = None, *, dry_run: bool = True, by: str = BY
) -> ImportReport:
    """Split an assistant's older blocks over the six (see `docs/blocks.md`); by default only tell.

    Nothing is added twice, so it can be done again. Texts of the older persona win over those of
    the new one, places that are known stay as they are. Where something finds no room, nothing at
    all is written.

    Args:
        npc: The assistant (an Evennia object).
        data: The three blocks (see `memory.blocks.old_blocks.read_old`); left out, they are taken
            from the character's Attributes.
        dry_run: Change nothing.
        by: Who does it, for the blocks' history.

    Raises:
        AssistantError: There is no such block, or one of the new ones has no room for it.
    """
    old = read_old(old_blocks_of(validation.an_npc(npc)) if data is None else data)
    plan = _planned(npc, split(old, find_player), dry_run, by)
    if not dry_run:
        store_of(npc).make_ready(plan.commit)
        with refusals(), transaction.atomic():
            _write(npc, plan, by)
        if plan.persona:
            publish_persona(npc_id(npc), plan.persona)
    return plan.report


@dataclass(slots=True)
class _Plan:
    """What an import will write: `persona` is empty where nothing of it changes."""

    parts: Split
    before: Block
    persona: Json
    commit: Commit
    places: list[Json]
    report: ImportReport


def _planned(npc: Any, parts: Split, dry_run: bool, by: str) -> _Plan:
    report = ImportReport(name_of(npc), dry_run, left_out=parts.left_out)
    before, commit = read_persona(npc), Commit(at=time.time())
    persona = _persona(before, parts, report)
    _plan_private(npc, parts, report, commit)
    _plan_social(npc, parts, report, commit, by)
    places = _plan_places(parts, report)
    told = {"changes": len(commit.changes), "places": len(places), "by": by}
    commit.audit.append(AuditRecord("BlocksImported", told, at=commit.at))
    return _Plan(parts, before, persona, commit, places, report)


def _write(npc: Any, plan: _Plan, by: str) -> None:
    """Write what was planned, part of the caller's transaction; others may have written since."""
    if plan.persona:
        signed = Signed("designer", by, "import")
        write_block(PERSONA, npc_id(npc), plan.persona, plan.before.version, signed=signed)
    for place in plan.places:
        set_location(**place, by=by)
    _plan_social(npc, plan.parts, ImportReport("", True), Commit(at=plan.commit.at), by)
    save(npc, plan.commit)  # the last of all: a running mind has it at once


def keep_old_layout(npc: Any, data: Any = None) -> OldBlocks:
    """Keep the older blocks as they are, for an assistant whose `block_layout` is three.

    What stands about a person is shown to that person alone. Raises `AssistantError`.
    """
    old = read_old(old_blocks_of(npc) if data is None else data)
    parts = split(old, find_player)
    step = {
        "persona": parts.persona,
        "human": {one.entity_id: [*one.notes] for one in parts.private},
        "locations": parts.places,
        "at": time.time(),
    }
    save(npc, Commit(at=step["at"], changes=[Change(NAME, "", "keep", step)]))
    return old


def find_player(name: str) -> str:
    """Return the lasting id of the one character of that name, or of that id; empty for none."""
    named = [
        one for one in ObjectDB.objects.filter(db_key__iexact=name.strip())
        if isinstance(one, DefaultCharacter)
    ]  # fmt: skip
    if len(named) == 1:
        return entity_id(named[0])
    return name if find(name) is not None else ""


def _persona(block: Block, parts: Split, report: ImportReport) -> Json:
    """Return the persona as it would be; empty where nothing of it changes."""
    before = block.value
    after = before | {name: one for name, one in parts.persona.items() if one not in ("", [], None)}
    changed = [name for name, one in after.items() if before.get(name) != one]
    report.lines += [f"persona {name}: {after[name]}" for name in changed]
    if rules.size(after) > block.limit:
        raise BlockRefused(
            f"The persona has no room: {rules.size(after)} characters of {block.limit}."
        )
    return checked_persona(after) if changed else {}


def _plan_private(npc: Any, parts: Split, report: ImportReport, commit: Commit) -> None:
    rules.check("sub_process", rules.PRIVATE)
    store = store_of(npc)
    for one in parts.private:
        profile = store.read("profile", one.entity_id)
        known = {item.get("content") for item in items_of(profile)}
        notes = [words for words in one.notes if words not in known]
        who = reference(find(one.entity_id))
        identity = {"name": who.name, "entity_type": who.kind, "at": commit.at}
        if notes or one.favorability is not None:
            commit.changes.append(
                Change("profile", one.entity_id, "create_entity_profile", identity)
            )
        for words in notes:
            noted = {"entity_id": one.entity_id, "content": words, "source": "direct"}
            noted |= {"at": commit.at, "author": one.entity_id, "readers": one.entity_id}
            noted["kind"] = SECRET
            commit.changes.append(Change("profile", one.entity_id, "add_entity_observation", noted))
        report.lines += [f"private@{who.name}: {words}" for words in notes]
        _plan_trust(one.entity_id, one.favorability, profile, report, commit)


def _plan_trust(
    key: str, wanted: float | None, profile: Json, report: ImportReport, commit: Commit
) -> None:
    if wanted is None:
        return
    delta = wanted - settle(profile, commit.at)["relationship"]["favorability"]
    if abs(delta) < SAME:
        return
    step = {"delta": delta, "reason": "from the older layout", "author": "", "at": commit.at}
    step |= {"readers": key, "kind": "game", "limit": 1.0}
    commit.changes.append(Change("profile", key, "update_relationship", step))
    report.lines.append(f"private@{name_of(find(key))}: trust {wanted * 100:.0f}")


def _plan_social(npc: Any, parts: Split, report: ImportReport, commit: Commit, by: str) -> None:
    state = store_of(npc).read(rules.SOCIAL) | {"needs_compaction": False}
    signed = {"at": commit.at, "readers": OPEN, "writer": "game", "by": by}
    steps = [("share_fact", {"content": one}) for one in dict.fromkeys(parts.facts)]
    steps += [("record_group_interaction", one) for one in parts.groups]
    for op, args in steps:
        told = args.get("content") or shared_social.group_as_row({**args, "readers": OPEN}).content
        if op == "share_fact" and knows(state, shared_social.FACTS, told, OPEN):
            continue
        before = [*state[shared_social.GROUPS]]
        PARTS[rules.SOCIAL].apply(state, op, args | signed)
        if op == "share_fact" or len(state[shared_social.GROUPS]) != len(before):
            commit.changes.append(Change(rules.SOCIAL, "", op, args | signed))
            report.lines.append(f"shared_social: {told}")
    if state["needs_compaction"]:
        raise BlockRefused(
            f"The block {rules.SOCIAL} has no room: {state['limit']} characters fit."
        )


def _plan_places(parts: Split, report: ImportReport) -> list[Json]:
    block = read_block(rules.GLOBAL)
    state = (
        global_knowledge.empty_world()
        | shapes.mended(rules.GLOBAL, block.value)
        | {"limit": block.limit, "needs_compaction": False}
    )
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
