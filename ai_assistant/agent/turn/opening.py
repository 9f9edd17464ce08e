"""How a turn begins: its audience and its first ceiling are fixed, and handles are given out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.attention.layers import (
    CONTEXTS,
    ExecutionPattern,
    narrow,
    of_context,
)
from ai_assistant.agent.attention.scheduler import together
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.handles import extend
from ai_assistant.agent.turn.speech_rules import ANSWERED_IN_KIND
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.contracts import Commit, Event, Json
from ai_assistant.core.readers import OPEN, members
from ai_assistant.core.seen import Thing
from ai_assistant.memory.blocks.old_blocks import LAYOUT, SIX
from ai_assistant.roleplay.play import Play, is_played

ASLEEP_CONTEXT = "sleep_consolidate"
"""Whatever a sleeper is asked to do, only the tools of sleep exist for it."""


def begin(  # noqa: PLR0913 - what a turn is about comes in one of three forms
    mind: Mind,
    events: Sequence[Event],
    turn_id: str,
    context_type: str = "tick_event",
    *,
    goal: Json | None = None,
    occasion: Occasion | None = None,
    rehearsal: bool = False,
) -> Turn:
    """Start a turn: count the attempt on disk, fix the audience and the first ceiling for good.

    Without events it is about a `goal` or an `occasion`; a `rehearsal` writes nothing. Raises
    `ValueError` where the events have not all the same readers, place, scene and mark of
    fiction.
    """
    if len(set(map(together, events))) > 1:
        raise ValueError("Events of different readers, places or scenes must not join one turn.")
    if events and not rehearsal:
        mind.store.triggers.begin(turn_id, [event.id for event in events])
    scene = mind.world.scene()
    first = events[0] if events else None
    readers = first.readers if first else goal["readers"] if goal else OPEN
    kind = first.source_type if first else "say"
    is_private = kind in ANSWERED_IN_KIND or (first is None and readers != OPEN)
    place = first.place if first and kind in ANSWERED_IN_KIND else scene.place
    audience = members(readers) if is_private else mind.world.hearers("say", place)
    author = goal.get("author", "") if goal else ""
    me = mind.world.me()
    play = mind.plays(first.session if first else None)
    play = replace(play, fiction=play.fiction or any(map(is_played, events)))
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
        audience=audience,
        place=place,
        ceiling=readers,
        surroundings=scene,
        epoch=mind.epoch,
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
        "six_blocks": mind.config[LAYOUT] == SIX,
        "memories": mind.config["memory_enabled"],
        "past": mind.config["memory_enabled"] and play.inherits,
    }
    return ExecutionPattern(lacks=frozenset(need for need, is_met in met.items() if not is_met))
