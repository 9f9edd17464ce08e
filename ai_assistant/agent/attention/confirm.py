"""Confirmation: what changes the world can be made to wait until the one who asked says yes.

Where the pattern wants it, a dangerous call is not run at first but noted, with exactly what it
would do to whom; the character asks. It is run when the next thing that the same person says to it,
in the same place and as privately, is a yes, and the call is that very one. Staff need no second
word. A yes permits nothing: locks, permissions and ceilings are asked as ever.

What needs a rank in the game waits for more than a word in any case: it is put before the one who
asked, exactly, and done once they type what stands there.
"""

from __future__ import annotations

import json

from ai_assistant.agent.mind import Proposal
from ai_assistant.agent.turn.handles import things_named
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import TurnState, heeded_events, pattern_of
from ai_assistant.core.contracts import Event, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.language.talk_signs import says_yes
from ai_assistant.tools import Tool

STAFF = "Builder"
USE = "use "
"""How an act begins that is a call of a game's own tool."""
WAITS_SECONDS = 120.0


def require(turn: TurnState, tool: Tool, arguments: Json) -> None:
    """Let a dangerous call pass if it is confirmed, or need not be.

    Raises `ToolError`, which tells the model to ask, and notes the call as what a yes will mean.
    """
    if turn.confirmed or turn.play.fiction or not pattern_of(turn).confirm_dangerous:
        return  # what is only played changes nothing of the world
    # Everybody who wants this counts, the assistants between them and us included.
    asking = {event.source.id for event in heeded_events(turn)}
    asking |= turn.errand.authors if turn.errand else set()
    if asking and all(turn.world.holds(who, STAFF) for who in asking):
        return
    if turn.trigger is None or turn.errand is not None:
        raise ToolError("Nobody is here who could say yes to that, so it must not be done.")
    named = things_named(turn, tool, arguments)
    meant = arguments | {name: thing.entity.id for name, thing in named.items()}
    act = f"{tool.name} {json.dumps(meant, sort_keys=True)}"  # the same in another turn
    proposals = turn.mind.proposals
    if any(_confirms(turn, event, act) for event in turn.events):
        return
    now = turn.clock.monotonic()
    for who in [who for who, proposal in proposals.items() if proposal.until <= now]:
        del proposals[who]
    proposals[turn.trigger.source.id] = Proposal(
        act=act,
        place=turn.place,
        readers=turn.trigger.readers,
        turn_id=turn.id,
        until=now + WAITS_SECONDS,
    )
    raise ToolError(
        f"Not done yet: tell {turn.trigger.source.name} what you would do and ask for a yes. "
        "Once they say it, make exactly this call."
    )


def put_before_staff(turn: Turn, tool: Tool, arguments: Json) -> Json:
    """Propose an act with staff's authority, things by id, to whoever asked; raises `ToolError`."""
    named = [param for param in tool.params if param.handle and arguments.get(param.name)]
    things = {
        param.name: {"id": turn.thing(arguments[param.name], param.handle.kind).entity.id}
        for param in named
        if param.handle
    }
    return turn.reach.propose(USE + tool.name, arguments | things)


def _confirms(turn: TurnState, event: Event, act: str) -> bool:
    waiting = turn.mind.proposals.get(event.source.id)
    return (
        waiting is not None
        and (waiting.act, waiting.readers, waiting.place) == (act, event.readers, turn.place)
        and waiting.turn_id != turn.id
        and turn.clock.monotonic() < waiting.until
        and says_yes(event.content)
    )
