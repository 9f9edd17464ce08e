"""Blocks of the game's own beside the six, and getting and making blocks by name."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.blocks.npc_blocks import block_of, blocks_of, private_of
from ai_assistant.api.blocks.persona_block import write_persona
from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import BlockRefused, StoreError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game import validation
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK, LINES, MAX_CONTENT
from ai_assistant.memory.blocks.shapes import checked, mended_block, template
from ai_assistant.storage import Block, bodies_of, npc_id, read_block, write_block
from ai_assistant.storage.block_parts import step_block
from ai_assistant.storage.block_rows import (
    EVERYBODY,
    SHARED,
    Signed,
    create_block,
    custom_blocks,
    delete_block,
    row_label,
    share_with,
)


def get_or_create_global_block(label: str) -> Block:
    """Return a block that every character has at hand; an empty one is made where it is new.

    Raises `BlockRefused` for a label that is empty, too long, or one of the six.
    """
    return _own(label, "global", EVERYBODY, ())


def get_or_create_shared_block(label: str, npcs: Iterable[Any]) -> Block:
    """Return a block that these characters share; those who were not among its owners join it.

    Raises `BlockRefused` for such a label, and for whoever is no assistant.
    """
    return _own(label, "shared", SHARED, [npc_id(npc) for npc in validation.npcs(npcs)])


def join_block(label: str, npc: Any) -> None:
    """Let a character share a block that others share. Raises `BlockRefused` without such."""
    owners = _shared(label).owners
    share_with(row_label(_label(label)), [*owners, *({npc_id(validation.an_npc(npc))} - {*owners})])


def leave_block(label: str, npc: Any) -> None:
    """Let a character share a block no more. Raises `BlockRefused` where it shares none such."""
    owners, own = _shared(label).owners, npc_id(validation.an_npc(npc))
    if own not in owners:
        raise BlockRefused(f"{name_of(npc)} does not share the block {clean(label, 40)}.")
    share_with(row_label(_label(label)), [owner for owner in owners if owner != own])


def sharing(label: str, npc: Any = None) -> list[Any]:
    """Return who shares a block that `npc` has at hand; empty for one of its own or everybody's.

    Raises `BlockRefused` where there is no such block of the game's own.
    """
    if _owner_of(label, npc) != SHARED:
        return []
    return [body for owner in _shared(label).owners for body in bodies_of(owner)[:1]]


def delete_own_block(label: str, npc: Any = None, *, by: str = "game") -> None:
    """Delete a block of the game's own, of `npc` or everybody, for all who have it.

    Raises `BlockRefused` where there is none such.
    """
    delete_block(row_label(_label(label)), _owner_of(label, npc), by=by)


def _owner_of(label: str, npc: Any) -> str:
    there = custom_blocks(npc_id(validation.an_npc(npc)) if npc is not None else EVERYBODY)
    if (named := _label(label)) not in there:
        known = ", ".join(there) or "none"
        raise BlockRefused(f"There is no block '{named}' of the game's own, only: {known}.")
    return there[named]


def _shared(label: str) -> Block:
    block = read_block(row_label(_label(label)), SHARED)
    if not block.version:
        raise BlockRefused(f"There is no block '{clean(label, 40)}' that characters share.")
    return block


def create_block_by_type(
    block_type: str, label: str, initial_value: Json | None = None, *, npc: Any = None
) -> Block:
    """Make a block from the template of its type, with these fields in it; returns it.

    `block_type` is persona, shared_social, status (of `npc`), global_knowledge, or, for a block of
    the game's own of that label, global, shared or private. Raises `BlockRefused` for a type or a
    value that is none, and `StoreError` where there is such a block: without a value one of the
    game's own is returned, and `npc` joins those who share it.
    """
    fresh, whose = template(block_type), ""
    if npc is not None:
        whose = owner = npc_id(validation.an_npc(npc))
    elif block_type not in (rules.GLOBAL, "global"):
        raise BlockRefused(f"Say whose the block is: a {block_type} block needs an npc.")
    if block_type in (rules.GLOBAL, "global"):
        owner = EVERYBODY
    elif block_type == "shared":
        owner = SHARED
    if not isinstance(initial_value, dict | None):
        kind = type(initial_value).__name__
        raise BlockRefused(f"The value of a block is a dict, no {kind}.")
    shape = CUSTOM_BLOCK if block_type in rules.TYPES else block_type
    value = checked(shape, fresh | (initial_value or {}), owner, at=time.time())
    if block_type in rules.TYPES:
        given = value if initial_value else None
        return _own(label, block_type, owner, [whose] if whose else [], given)
    if block_type == rules.PERSONA:
        write_persona(npc, value, expected_version=0, by="game")
    else:
        write_block(block_type, owner, value, 0, signed=Signed("game", "game"))
    return read_block(block_type, owner)


def add_line(label: str, text: str, *, npc: Any = None, readers: str = OPEN) -> None:
    """Append a line to a block of the game's own, of `npc` or everybody.

    Raises `BlockRefused`, and writes nothing, for no words or too many, a label of readers that
    is none, in a tool that runs for a private turn, and where the block is full.
    """
    words, readers = (
        validation.checked_words(text, MAX_CONTENT, "A line"),
        validation.label(readers),
    )
    validation.check_telling(readers)
    at = time.time()
    step = {"content": words, "at": at, "readers": readers, "writer": "game", "by": "game"}
    owner = npc_id(validation.an_npc(npc)) if npc is not None else EVERYBODY
    if not step_block(owner, Change(CUSTOM_BLOCK, _label(label), "add_line", step), PARTS, at=at):
        raise BlockRefused(f"The block {label} is full. It is summarised soon.")


def get_npc_block(npc: Any, label: str, person: Any = None) -> Json:
    """Return a block of a character; `person` says whose private one is meant.

    Raises `BlockRefused` where there is no such block, or nobody is named for a private one.
    """
    validation.an_npc(npc)
    if label == rules.PRIVATE:
        if person is None:
            raise BlockRefused("Say whose: there is a private block for each person.")
        return private_of(npc, person)
    if label in rules.SIX:
        return block_of(npc, label)
    store = store_of(npc)
    if label not in (known := store.keys(CUSTOM_BLOCK)):
        raise BlockRefused(
            f"There is no block '{clean(label, 40)}', only: {', '.join([*rules.SIX, *known])}."
        )
    return rules.value_of(store.read(CUSTOM_BLOCK, label))


def get_agent_blocks(npc: Any) -> dict[str, Json]:
    """Return all blocks of a character by kind: persona, private (by id), shared and global."""
    store, six = store_of(validation.an_npc(npc)), blocks_of(npc)
    own: dict[str, dict[str, Json]] = {kind: {} for kind in rules.TYPES}
    for label in store.keys(CUSTOM_BLOCK):
        state = store.read(CUSTOM_BLOCK, label)
        own[state["type"]][label] = rules.value_of(state)
    private = {key: private_of(npc, key) for key in store.keys("profile")}
    shared = {name: six[name] for name in (rules.SOCIAL, rules.STATUS, rules.TASKS)}
    return {
        "persona": six[rules.PERSONA],
        "private": private | own["private"],
        "shared": shared | own["shared"],
        "global": {rules.GLOBAL: six[rules.GLOBAL]} | own["global"],
    }


def npc_exists(npc: str) -> bool:
    """Is there a character of that `npc_id`, in any body?"""
    return bool(bodies_of(npc))


def initialize_npc_blocks(npc: Any) -> None:
    """Make the blocks that a character does not have yet, from their templates."""
    owner = npc_id(validation.an_npc(npc))
    for label in (rules.PERSONA, rules.SOCIAL, rules.STATUS):
        if read_block(label, owner).version == 0:
            value, writer = template(label), "game"
            if label == rules.PERSONA:
                value["name"], writer = npc.key, "designer"
            write_block(label, owner, value, 0, signed=Signed(writer, "game", "create"))


def lines_of(block: Block) -> list[str]:
    """Return the words of a block of the game's own, line by line."""
    return [line["content"] for line in mended_block(CUSTOM_BLOCK, block.value).get(LINES, ())]


def _own(
    label: str, block_type: str, owner: str, owners: Sequence[str], value: Json | None = None
) -> Block:
    """Make a block; where there is one, its owners join it, or a value for it is refused."""
    label = _label(label)
    if value is not None and read_block(row_label(label), owner).version:
        raise StoreError(f"There is a block '{label}' already: add_line adds to it.")
    create_block(
        label,
        block_type,
        owner=owner,
        owners=owners,
        value=value or template(block_type),
        signed=Signed("game", "game", "create"),
    )
    return read_block(row_label(label), owner)


def _label(label: str) -> str:
    wanted = "_".join(validation.checked_words(label, 40, "A label").lower().split())
    if not wanted or wanted in rules.SIX:
        raise BlockRefused(f"'{wanted}' cannot be the name of a block of the game's own.")
    return wanted
