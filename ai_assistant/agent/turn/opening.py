"""How a turn begins: its audience and its first ceiling are fixed, and handles are given out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.attention.layers import CONTEXTS, ExecutionPattern, narrow, of_context
from ai_assistant.agent.attention.scheduler import together
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.handles import extend
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.contracts import IN_KIND, Commit, Event, Json
from ai_assistant.core.readers import OPEN, members
from ai_assistant.core.seen import Thing
from ai_assistant.memory.blocks.old_blocks import LAYOUT, SIX
from ai_assistant.roleplay.play import Play, is_played

ASLEEP_CONTEXT = "sleep_consolidate"
"""Whatever a sleeper is asked to do, only the tools of sleep exist for it."""


def begin(
    mind: Mind,
    events: Sequence[Event],
    turn_id: str,
    context_type: str = "tick_event",
    *,
    goal: Json | None = None,
    occasion: Occasion | None = None,
) -> Turn:
    """Start a turn: fix the audience and the first ceiling for good. Nothing is written.

    Without events it is about a `goal` or an `occasion`. Raises `ValueError` where the events have
    not all the same readers, place, scene and mark of fiction.
    """
    if len(events) > 1 and len(set(map(together, events))) > 1:
        raise ValueError("Events of different readers, places or scenes must not join one turn.")
    scene, me = mind.world.scene(), mind.world.me()
    ceiling = events[0].readers if events else goal["readers"] if goal else OPEN
    author = goal.get("author", "") if goal else ""
    in_kind = bool(events) and events[0].source_type in IN_KIND
    is_private = in_kind or (not events and ceiling != OPEN)
    play = mind.plays(events[0].session if events else None)
    if any(map(is_played, events)):
        play = replace(play, fiction=True)
    context = CONTEXTS[ASLEEP_CONTEXT if mind.phase else context_type]
    allowed = replace(of_means(mind, events, play), plays=play.fiction)
    return Turn(
        id=turn_id,
        mind=mind,
        context=context,
        bounds=narrow(of_context(context), allowed),
        play=play,
        events=tuple(events),
        goal=goal,
        occasion=occasion,
        audience=members(ceiling) if is_private else mind.world.hearers("say", scene.place),
        place=events[0].place if in_kind else scene.place,
        ceiling=ceiling,
        surroundings=scene,
        epoch=mind.epoch,
        began=mind.clock.monotonic(),
        me=me,
        commit=Commit(at=mind.clock.now(), turn_id=turn_id),
        authors={*(event.source.id for event in events), *author.split(",")} - {"", me.id},
        things=extend({}, [*scene.things, *(Thing(event.source) for event in events)]),
    )


def of_means(mind: Mind, events: Sequence[Event], play: Play) -> ExecutionPattern:
    """Return what a turn allows for want of what tools need; answering, it has no solitude."""
    met = {
        "solitude": not events,
        "notebook": mind.role.memory_tool and play.inherits,
        "six_blocks": mind.config[LAYOUT] == SIX and play.inherits,
        "memories": mind.config["memory_enabled"],
        "past": mind.config["memory_enabled"] and play.inherits,
        "agenda": play.inherits,
        "ground": play.has_props or not play.fiction,
        "ways": play.has_ways or not play.fiction,
    }
    return ExecutionPattern(lacks=frozenset(need for need, is_met in met.items() if not is_met))
