"""Kits: which of its tools the model is told of, always in the same order.

A talk shows the plain kit: in private without the tools that others would notice. A game's own
tools follow, then the kits that were opened in this talk, in that order. So the beginning of a
request stays the same from turn to turn, and providers cache it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ai_assistant.agent.turn import speech_rules
from ai_assistant.agent.turn.speech_rules import PRIVATE
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Category, Change, Event
from ai_assistant.core.errors import ToolError
from ai_assistant.memory.talk.folding import is_stale
from ai_assistant.memory.talk.working import key_of
from ai_assistant.tools import Tool
from ai_assistant.tools.registry import GAME, PLAIN

CLOSED_AFTER = 300.0
"""Seconds of silence after which a talk's kits are closed."""


def shown(turn: TurnState) -> list[Tool]:
    """Return the tools that the model is told of; whether each may be called now, the turn says."""
    registry = turn.mind.registry
    kits = (GAME, *opened(turn)) if turn.context.tool_filter is None else turn.context.tool_filter
    found = {tool.name: tool for tool in _first(turn)}
    for kit in kits:
        found |= {
            tool.name: tool for tool in registry if tool.kit == kit and tool.name not in found
        }
    return list(found.values())


def _first(turn: TurnState) -> Iterator[Tool]:
    """Yield the tools that are there without being asked for: by who is answered, and how."""
    if turn.context.tool_filter is not None:
        return
    private = turn.trigger is not None and turn.trigger.source_type in PRIVATE
    for tool in turn.mind.registry:
        if tool.kit == PLAIN and tool.speech and private:
            continue
        if tool.alone if turn.trigger is None else tool.kit == PLAIN:
            yield tool


def opened(turn: TurnState) -> list[str]:
    """Return the kits that were opened in this talk and in this turn, in that order."""
    if turn.kits is None:
        turn.kits = _of_the_talk(turn, turn.trigger) if turn.trigger else []
    return turn.kits


def _of_the_talk(turn: TurnState, first: Event) -> list[str]:
    """Return the kits of a talk; after some minutes of silence they are closed for good."""
    key = key_of(first.source.id, first.readers)
    talk = turn.store.read("working", key)
    if not (talk["kits"] and is_stale(talk, turn.clock.now(), CLOSED_AFTER)):
        return list(talk["kits"])
    turn.change(Change("working", key, "open_kits", {"kits": []}))
    return []


def is_offered(turn: TurnState, tool: Tool) -> bool:
    """May this tool be called in this step, whether the model is told of it or not?

    Who would hear what it says is looked at when it speaks. Its permission is held by the character
    and everybody whose words are in the context.
    """
    return (
        (tool.speech is None or tool.speech in speech_rules.kinds(turn))
        and turn.pattern.allows(tool)
        and tool.name not in turn.withheld
        and (not turn.closing or tool.category is Category.TERMINAL)
        and (
            not tool.permission
            or all(turn.world.holds(who, tool.permission) for who in (turn.me.id, *turn.authors))
        )
    )


def open_kit(turn: TurnState, kit: str) -> list[Tool]:
    """Show the tools of a kit from the next step on, for the rest of the talk; returns them.

    Raises `ToolError` where none of them may be called here.
    """
    tools = [tool for tool in turn.mind.registry if tool.kit == kit and is_offered(turn, tool)]
    if not tools:
        raise ToolError("There is nothing of that kind that you could do here.")
    if kit not in opened(turn):
        opened(turn).append(kit)
        _note(turn)
    return tools


def _note(turn: TurnState) -> None:
    """Keep them with the talk; what is only played, or done for another assistant, keeps none."""
    first = turn.trigger
    if first is None or turn.errand or turn.play.fiction:
        return
    key, at = key_of(first.source.id, first.readers), turn.clock.now()
    begin = {"entity_id": first.source.id, "readers": first.readers, "at": at}
    turn.change(Change("working", key, "start_conversation", begin))
    turn.change(Change("working", key, "open_kits", {"kits": [*opened(turn)]}))
