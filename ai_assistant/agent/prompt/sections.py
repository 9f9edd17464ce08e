"""Who the character is, what it keeps at hand, where it is, and what it answers (1000, 6000)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ai_assistant.agent import contexts
from ai_assistant.agent.config import CARD_FIELDS
from ai_assistant.agent.handles import handle_of
from ai_assistant.agent.prompt.draft import Section
from ai_assistant.agent.prompt.errand import errand_section
from ai_assistant.agent.prompt.macros import (
    MacroContext,
    MacroRegistry,
    holds_memories,
    resolve_macros,
)
from ai_assistant.agent.prompt.templates import check_constant
from ai_assistant.agent.prompt.window import says
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json
from ai_assistant.errors import ConfigurationError
from ai_assistant.memory import guidelines, notebook, session
from ai_assistant.memory.blocks.old_part import LAYOUT, THREE
from ai_assistant.memory.blocks.old_part import NAME as OLD_NAME
from ai_assistant.prompts import load
from ai_assistant.roleplay.fiction import is_played
from ai_assistant.tools import Tool

LONGEST_DESCRIPTION = 600

# -- who it is


def persona(turn: Turn, context: MacroContext) -> Section:
    """Return the persona, with the fields of a character card in their configured order."""
    block = dict(turn.mind.persona) | old_persona(turn)
    wanted = [*turn.mind.config["persona_order"], *CARD_FIELDS]
    card = {name: block[name] for name in dict.fromkeys(wanted) if name in block}
    ordered = {name: value for name, value in block.items() if name not in card} | card
    row = _named(_resolved(ordered, context, turn.mind.macros), turn.me.name)
    return Section("persona", contexts.PERSONA, [row], "Who you are", leads=True, fixed=1)


def _named(persona: Json, name: str) -> Json:
    """Return a persona under the name that the character has in the world.

    Another one, as of a card that was given to it, it is told as what it is known as.
    """
    other = str(persona.get("name") or name)
    if other.casefold() == name.casefold():
        return persona
    return {"name": name, "known_as": other} | {
        field: value for field, value in persona.items() if field != "name"
    }


def old_persona(turn: Turn) -> Json:
    """Return what the older persona block says, while that layout is in use."""
    if turn.mind.config[LAYOUT] != THREE:
        return {}
    found: Json = turn.store.read(OLD_NAME)["persona"]
    return found


def _resolved(value: Any, context: MacroContext, macros: MacroRegistry) -> Any:
    if isinstance(value, str):
        return resolve_macros(value, context, macros, constant=True)
    if isinstance(value, Mapping):
        return {key: _resolved(one, context, macros) for key, one in value.items()}
    if isinstance(value, Iterable):
        return [_resolved(one, context, macros) for one in value]
    return value


def check_persona(value: Any, macros: MacroRegistry) -> None:
    """Raise `ConfigurationError` naming a macro in a persona that varies from turn to turn."""
    if isinstance(value, str):
        check_constant(value, macros, "a persona")
        if holds_memories(value):
            raise ConfigurationError("{{memories}} must not stand in a persona.")
    elif isinstance(value, Mapping):
        check_persona([*value.values()], macros)
    elif isinstance(value, Iterable):
        for one in value:
            check_persona(one, macros)


# -- what it keeps at hand


def guided(turn: Turn) -> Section:
    """Return the guidelines that staff accepted, as far as they may be used here."""
    kept = guidelines.shown(turn.store.read("guidelines"), turn.admit)
    rows: list[Json | str] = [{"guideline": one["content"]} for one in kept]
    return Section("guided", contexts.PERSONA, rows, "How you mean to behave", fixed=len(rows))


def learned(turn: Turn) -> Section:
    """Return the facts and patterns of session memory that may be used here."""
    known = session.visible(turn.store.read("session"), turn.admit)
    rows: list[Json | str] = [{"fact": one["content"]} for one in known["key_facts"]]
    rows += [{"pattern": one["content"]} for one in known["learned_patterns"]]
    return Section("learned", contexts.PERSONA, rows, "What you learned", newest_last=True)


def noted(turn: Turn) -> Section:
    """Return the lines of the notebook that may be used here, where it has one."""
    lines: list[Json] = []
    if turn.mind.role.memory_tool:
        lines = notebook.visible(turn.store.read("notebook"), turn.admit)
    rows: list[Json | str] = [{"note": one["content"]} for one in lines]
    return Section("notebook", contexts.PERSONA, rows, "Memory", newest_last=True)


# -- where it is


def now(turn: Turn) -> Section:
    """Return place and time."""
    scene = turn.surroundings
    row: Json = {
        "place": scene.place_name,
        "description": scene.description[:LONGEST_DESCRIPTION],
        "time": scene.time,
        "private": scene.private,
    }
    row |= {"game_day": turn.play.day} if turn.play.day else {}
    row |= {"scene": turn.play.facts} if turn.play.session else {}
    return Section("now", contexts.PERSONA, [row], "Now", fixed=1)


def seen(turn: Turn) -> Section:
    """Return everything in sight, by the handle of this turn; who is answered comes first."""
    asked = {event.source.id for event in turn.events}
    rows: list[Json | str] = []
    first: list[Json | str] = []
    for handle, thing in turn.things.items():
        row: Json = {"handle": handle}
        if thing.is_exit:
            row["exit"] = thing.entity.name
            row |= {"to": thing.description} if thing.description else {}
        elif thing.entity.kind == "object":
            row["item"] = thing.entity.name
            row |= {k: True for k in ("carried", "givable") if getattr(thing, k)}
        else:
            row |= {"name": thing.entity.name, "kind": thing.entity.kind}
            row |= {"assistant": True} if thing.is_assistant else {}
        (first if thing.entity.id in asked else rows).append(row)
    return Section("seen", contexts.PERSONA, [*first, *rows], "What you see", fixed=len(first))


# -- component 6000: the event to answer


def question(turn: Turn, offered: Iterable[Tool]) -> Section:
    """Return what is to be answered, and by which of the tools that are offered it may be."""
    if turn.errand:
        return errand_section(turn.errand, handle_of(turn, turn.errand.requester.id))
    if not turn.events:
        return _own_accord(turn)
    rows: list[Json | str] = [
        {"who": handle_of(turn, event.source.id), "name": event.source.name}
        | ({"played": True} if is_played(event) else {})
        | says(event.source_type, event.content, event.place_name)
        for event in turn.events
    ]
    speech = ", ".join(tool.name for tool in offered if tool.speech)
    return Section(
        key="event",
        component=contexts.EVENT,
        rows=rows,
        title="Answer this",
        closing=load("answer").format(speech=speech),
        role="user",
        newest_last=True,
    )


def _own_accord(turn: Turn) -> Section:
    """Return what an autonomous turn is about: a goal, an occasion, or neither."""
    rows: list[Json | str] = [load("autonomous")]
    if turn.goal:
        shown = ("id", "description", "priority", "progress")
        rows.append({"work_on": {key: turn.goal[key] for key in shown if key in turn.goal}})
    if turn.occasion:
        row: Json = {"occasion": turn.occasion.kind}
        if turn.occasion.who:
            row |= {"who": handle_of(turn, turn.occasion.who.id), "name": turn.occasion.who.name}
        rows.append(row)
    return Section("event", contexts.EVENT, rows, "Nobody asks", role="user", fixed=len(rows))
