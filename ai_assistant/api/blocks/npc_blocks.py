"""One character's blocks from game code; `npc` is its character, whichever of its bodies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from evennia.utils import gametime

from ai_assistant import conf
from ai_assistant.api.blocks.persona_block import read_persona
from ai_assistant.api.handlers.handler_base import change, id_of, save, store_of
from ai_assistant.core.contracts import Change, Commit, Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import OPEN
from ai_assistant.game import validation
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import report
from ai_assistant.game.senses import EvenniaSurroundings
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK, LINES, MAX_CONTENT
from ai_assistant.memory.blocks.shared_social import FACT_LINES
from ai_assistant.memory.blocks.status_block import checked_fields, gauge_of, of_body
from ai_assistant.memory.blocks.visible import visible_form
from ai_assistant.planning.block_views import everything, private_block, task_block
from ai_assistant.planning.goals import current_goals
from ai_assistant.runtime.service import SERVICE


def set_status(npc: Any, **fields: Any) -> bool:
    """Set what the game decides of a character's state, such as ``emotion="calm"``; never raises.

    The fields are position, engagement (of this body), health, emotion, energy_level and the game's
    own; None takes one back. Returns False, and logs why, where nothing was set.
    """
    try:
        write_status(npc, **fields)
    except Exception as problem:  # combat and weather call it: they go on, whatever this is
        report(f"status of {getattr(npc, 'key', npc)}", problem)
        return False
    return True


def write_status(npc: Any, **fields: Any) -> None:
    """Do what `set_status` does, but raise `BlockRefused` and `StoreError` where it cannot be.

    Its versions tell of it, and the moments of the block; it fills no list of what was changed.
    """
    body = entity_id(validation.an_npc(npc))
    step = {"fields": checked_fields(fields), "at": time.time(), "body": body}
    signed = {**step, "writer": "game", "by": "game"}
    save(npc, Commit(at=time.time(), changes=[Change(rules.STATUS, "", "set_status", signed)]))


def update_status(npc: Any, field: str, value: Any) -> bool:
    """Set one field of the status, as `set_status` does; was it set?"""
    return set_status(npc, **{field: value})


def get_status(npc: Any) -> Json:
    """Return the status of this body at this moment: what is stored, and what the game knows.

    `gauge` is one of `status_block.EMOTIONS`, where its emotion names one.
    """
    live = {"engagement": _engagement_of(npc)} | EvenniaSurroundings(npc).status()
    stored = store_of(npc).read(rules.STATUS)
    found = of_body(stored, entity_id(npc), live, everything)
    gauge = gauge_of(str(found.get("emotion", "")))
    return found | ({"gauge": gauge} if gauge else {}) | {"last_updated": stored["last_updated"]}


def _engagement_of(npc: Any) -> str:
    """Return what a character is busy with right now, in words that give nobody away."""
    resident = SERVICE.residents.get(entity_id(npc))
    if resident is None:
        return ""
    mind = resident.mind
    if mind.phase:
        return "asleep"
    talking = (
        mind.engagement.who
        and mind.clock.now() - mind.engagement.since < conf.settings.ENGAGED_SECONDS
    )
    return "in conversation" if resident.events or talking else "idle"


def share_fact(npc: Any, fact: str, *, readers: str = OPEN, by: str = "game") -> None:
    """Let a character tell a fact to all who ask, or to those with that label.

    Raises `BlockRefused`, and writes nothing, for what is no fact or no label, and without room.
    """
    words, readers = (
        validation.checked_words(fact, MAX_CONTENT, "A fact"),
        validation.label(readers),
    )
    validation.check_telling(readers)
    state = store_of(validation.an_npc(npc)).read(rules.SOCIAL)
    if FACT_LINES.knows(state, words, readers):
        return
    at = time.time()
    if not FACT_LINES.has_room(state, labelled.item(words, at=at, readers=readers)):
        _step(npc, rules.SOCIAL, "request_compaction", {}, by)
        raise BlockRefused(
            f"The block {rules.SOCIAL} is full: {state['limit']} characters fit, and nothing was "
            "written. It is summarised soon."
        )
    _step(npc, rules.SOCIAL, "add_line", {"content": words, "at": at, "readers": readers}, by)


def add_task(npc: Any, description: str, priority: str = "medium", **fields: Any) -> str:
    """Give a character a task; returns the id of the goal that it becomes.

    `priority` is low, medium, high or critical; `fields` are those of `character.goals.add_goal`,
    which says what raises `AssistantError`.
    """
    rules.check_writer("game", rules.TASKS)
    return str(validation.an_npc(npc).goals.add_goal(description, priority.lower(), **fields))


def get_next_task(npc: Any) -> Json | None:
    """Return the most urgent task as a task of the block, or None."""
    return next(iter(tasks_of(npc)["tasks"]), None)


def tasks_of(npc: Any) -> Json:
    """Return the task block, the most urgent first."""
    goals = current_goals(store_of(npc).read("goals"))
    now = float(gametime.gametime(absolute=True))
    return task_block(goals, now_game=now, allow=everything)


def private_of(npc: Any, person: Any) -> Json:
    """Return the private block for one person: a game object, or the lasting id of one."""
    key = id_of(person)
    store = store_of(npc)
    names = [name for name in store.keys("working") if name == key or name.startswith(f"{key}.")]
    talks = [store.read("working", name) for name in names]
    profile = store.read("profile", key)
    return private_block(profile, key, talks, now=time.time(), allow=everything)


def block_of(npc: Any, label: str, person: Any = None) -> Json:
    """Return one of the six blocks; of the private ones that of `person`, or that of nobody."""
    if label == rules.PRIVATE:
        return private_of(npc, person) if person is not None else {}
    if label in _COMPOSED:
        return _COMPOSED[label](npc)
    return rules.value_of(store_of(npc).read(label))


_COMPOSED: dict[str, Callable[[Any], Json]] = {
    rules.PERSONA: lambda npc: read_persona(npc).value,
    rules.STATUS: get_status,
    rules.TASKS: tasks_of,
}
"""How blocks are read that are not as they are stored."""


def blocks_of(npc: Any, person: Any = None) -> dict[str, Json]:
    """Return the six blocks by name; the private one of `person`, or that of nobody."""
    return {label: block_of(npc, label, person) for label in rules.SIX}


def visible(npc: Any, person: Any = None) -> str:
    """Return the visible form of all blocks as plain text; nothing is kept back."""
    store = store_of(npc)
    own = (store.read(CUSTOM_BLOCK, label) for label in store.keys(CUSTOM_BLOCK))
    at_hand = {LINES: [line for block in own for line in block[LINES]]}
    return visible_form(blocks_of(npc, person) | {CUSTOM_BLOCK: at_hand})


def _step(npc: Any, part: str, op: str, args: Json, by: str = "game") -> None:
    change(npc, [Change(part, "", op, {**args, "writer": "game", "by": by})])
