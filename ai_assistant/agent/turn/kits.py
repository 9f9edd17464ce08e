"""Which tools the model is told of, always in the same order: by kits, and by what refuses each.

A talk shows the plain kit: in private without the tools that others would notice. A game's own
tools follow, then the kits that were opened in this talk, in that order. So the beginning of a
request stays the same from turn to turn, and providers cache it.
"""

from __future__ import annotations

from ai_assistant.agent.turn.speech_rules import kinds, refuses_speech
from ai_assistant.agent.turn.turn_state import TurnState, pattern_of
from ai_assistant.core.contracts import Category, Change
from ai_assistant.memory.talk.folding import is_stale
from ai_assistant.memory.talk.working import key_of
from ai_assistant.tools import Tool
from ai_assistant.tools.registry import GAME, PLAIN

CLOSED_AFTER = 300.0
"""Seconds of silence after which a talk's kits are closed."""


def offered(turn: TurnState) -> list[Tool]:
    """Return the tools shown to the model now."""
    return [tool for tool in shown_tools(turn) if not refused_by(turn, tool)]


def refused_by(turn: TurnState, tool: Tool) -> str:
    """Return why a tool may not be called in this step, shown or not; empty where it may be.

    What is said of hearers comes last, so where it is given nothing else refuses the tool.
    """
    kind, is_terminal = tool.speech, tool.category is Category.TERMINAL
    reasons = {
        "layers": not pattern_of(turn).allows(tool),
        "way": kind is not None and kind not in kinds(turn),
        "room": tool.name in turn.tools_left_out,
        "closing": turn.closing and not is_terminal,
        "permission": bool(tool.permission) and not permits(turn, tool),
        "staff": tool.needs == "staff" and not staff_asking(turn),
        "heeded": bool(turn.heeds) and not (tool.permission or is_terminal),
    }
    refusal = next((reason for reason, applies in reasons.items() if applies), "")
    return refusal or (refuses_speech(turn, kind) if kind else "")


def staff_asking(turn: TurnState) -> frozenset[str]:
    """Return who of those it answers holds what a tool asks for, and others' words forbid.

    In a scene, and on an errand, that is nobody.
    """
    if turn.heeds or turn.errand or turn.play.session:
        return frozenset()
    held = {
        tool.permission
        for tool in turn.mind.registry.values()
        if tool.permission and pattern_of(turn).allows(tool) and not permits(turn, tool)
    }
    asking = {event.source.id for event in turn.events}
    holds, me = turn.world.holds, turn.me.id
    return frozenset(who for rank in held if holds(me, rank) for who in asking if holds(who, rank))


def permits(turn: TurnState, tool: Tool) -> bool:
    """Do the character and everybody whose words are in the context hold its permission?"""
    asking = (turn.me.id, *turn.authors)
    return all(turn.world.holds(who, tool.permission) for who in asking if tool.permission)


def shown_tools(turn: TurnState) -> list[Tool]:
    """Return the tools that the model is told of; whether each may be called now, the turn says."""
    every, trigger = turn.mind.registry.values(), turn.trigger
    first: list[Tool] = []
    if turn.context.tool_filter is not None:
        kits = tuple(turn.context.tool_filter)
    else:
        kits = (GAME, *opened(turn))
        first = [
            tool
            for tool in every
            if (tool.alone if trigger is None else tool.kit == PLAIN)
            and not (turn.in_kind and tool.speech)
        ]
    tools = [*first, *(tool for kit in kits for tool in every if tool.kit == kit)]
    return list({tool.name: tool for tool in tools}.values())


def opened(turn: TurnState) -> list[str]:
    """Return the kits opened in this talk, in order; minutes of silence close them for good."""
    if turn.kits is None:
        turn.kits = []
        if turn.trigger is not None:
            key = key_of(turn.trigger.source.id, turn.trigger.readers)
            talk = turn.store.view("working", key)
            if talk["kits"] and is_stale(talk, turn.clock.now(), CLOSED_AFTER):
                turn.change(Change("working", key, "open_kits", {"kits": []}))
            else:
                turn.kits = [*talk["kits"]]
    return turn.kits


def note_opened(turn: TurnState, kit: str) -> None:
    """Keep an opened kit with the talk, but not what is only played or for another assistant."""
    if kit in opened(turn):
        return
    opened(turn).append(kit)
    first = turn.trigger
    if first is None or turn.errand or turn.play.fiction:
        return
    key, at = key_of(first.source.id, first.readers), turn.clock.now()
    begin = {"entity_id": first.source.id, "readers": first.readers, "at": at}
    turn.change(Change("working", key, "start_conversation", begin))
    turn.change(Change("working", key, "open_kits", {"kits": [*opened(turn)]}))
