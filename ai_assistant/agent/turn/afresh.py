"""A fresh context: what staff asked for is thought about apart from what everybody else said.

Where players talk beside a member of staff, their words take the tools away that need its rank. The
model may put those words aside: then the prompt is made anew of who it is, where it is, and what
staff said to it in this turn, and nothing is left of what was read, noted or thought before. There
are only the tools that need a rank, and words.
"""

from __future__ import annotations

from dataclasses import replace

from ai_assistant.agent.attention.layers import EVENT, INSTRUCTIONS, PERSONA
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.section_table import SECTIONS
from ai_assistant.agent.turn.deeds import seen_now
from ai_assistant.agent.turn.handles import extend
from ai_assistant.agent.turn.kits import staff_asking
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import heeded_events
from ai_assistant.core.seen import Thing

COMPONENTS = (INSTRUCTIONS, PERSONA, EVENT)
KINDS = ("instructions", "persona", "now", "seen", "event")
FRESH = tuple(kind for kind in SECTIONS if kind.key in KINDS)
"""The sections that hold no words of players, nor any that the character wrote itself."""


async def afresh(turn: Turn) -> None:
    """Begin the context of a turn anew for the staff that it answers, if they still may ask."""
    turn.asks_afresh, asking = False, staff_asking(turn)
    if not asking:
        return
    turn.heeds = asking
    turn.trigger = heeded_events(turn)[0]
    turn.question, turn.partner = turn.trigger.id, turn.trigger.source
    turn.context = replace(turn.context, enabled_components=COMPONENTS)
    turn.play = replace(turn.play, inherits=False)
    turn.authors = {*asking}
    turn.surroundings = seen_now(turn)
    sources = (Thing(event.source) for event in heeded_events(turn))
    turn.things = extend({}, [*turn.surroundings.things, *sources])
    _forget_what_was_read(turn)
    await build_prompt(turn, FRESH)


def _forget_what_was_read(turn: Turn) -> None:
    """Drop the transcript, what words may be drawn from, and which calls failed."""
    for read in (turn.transcript, turn.source_lines, turn.source_rows, turn.refusals):
        read.clear()
    turn.lookups.clear()
    turn.past_calls.clear()
    turn.failures.clear()
