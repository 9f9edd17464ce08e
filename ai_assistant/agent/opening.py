"""How a turn begins: its audience and its first ceiling are fixed, and handles are given out."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.contexts import CONTEXTS
from ai_assistant.agent.handles import mint
from ai_assistant.agent.layers import of_context
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn import PRIVATE, Turn
from ai_assistant.contracts import Commit, Event
from ai_assistant.readers import OPEN, members


def begin(
    mind: Mind,
    events: Sequence[Event],
    turn_id: str,
    context_type: str = "tick_event",
    *,
    rehearsal: bool = False,
) -> Turn:
    """Start a turn: count the attempt on disk, fix the audience and the first ceiling.

    Whoever will hear the answer is decided here and never widened (design §3.4). A `rehearsal`
    writes nothing. Raises `ValueError` where the events have not all the same readers and place.
    """
    if len({(event.readers, event.place) for event in events}) > 1:
        raise ValueError("Events of different readers or places must not join one turn.")
    if events and not rehearsal:
        mind.store.begin(turn_id, [event.id for event in events])
    scene = mind.world.scene()
    first = events[0] if events else None
    readers = first.readers if first else OPEN
    kind = first.source_type if first else "say"
    audience = members(readers) if kind in PRIVATE else frozenset()
    place = first.place if first and kind in PRIVATE else scene.place
    if kind not in PRIVATE:
        audience = mind.world.hearers("say", place)
    at = mind.clock.now()
    return Turn(
        id=turn_id,
        mind=mind,
        context=CONTEXTS[context_type],
        bounds=of_context(CONTEXTS[context_type]),
        events=tuple(events),
        audience=audience,
        place=place,
        ceiling=readers,
        surroundings=scene,
        epoch=mind.epoch,
        own_id=mind.world.me().id,
        commit=Commit(at=at, turn_id=turn_id),
        authors={event.source.id for event in events},
        things=mint(scene.things, events),
    )
