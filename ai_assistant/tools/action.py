"""Tools that perceive and act in the world, under the character's own locks."""

from __future__ import annotations

from typing import Annotated, Any

from ai_assistant.core.contracts import Category, Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.tools import movement
from ai_assistant.tools.registry import PLAIN, tool
from ai_assistant.tools.schema import Handle
from ai_assistant.tools.tool_reach import ToolContext

_ACT: dict[str, Any] = {
    "category": Category.DANGEROUS, "kit": PLAIN, "alone": True, "needs": "ground", "fiction": True
}  # fmt: skip
"""Acts of a body: in the game, or with things and places of a story, and then of nothing else."""


@tool(reads=True, kit=PLAIN, alone=True, about={"at": "Who or what; leave it out to look around."})
def look(turn: ToolContext, at: Annotated[str, Handle("any")] = "") -> Json:
    """Look around, or closely at a person or thing."""
    if at:
        entity = turn.thing(at, "any").entity
        return {"name": entity.name, "description": turn.world.look(entity.id)}
    return turn.reach.look_around()


@tool(reads=True, kit="unlisted", about={"handle": "Who or what; leave it out to look around."})
def inspect_location(turn: ToolContext, handle: Annotated[str, Handle("any")] = "") -> Json:
    """Look around, or closely at a person or thing."""
    return look.run(turn, handle)  # type: ignore[return-value]


@tool(
    **{**_ACT, "needs": "ways"},
    leads_on=True,
    walks=True,
    about={"to": "A way out, a place you know, 'home', somebody to follow; 'here' to stay."},
)
async def move(turn: ToolContext, to: Annotated[str, Handle("any")]) -> Json:
    """Go through a way out, set out for a place further off, or follow somebody."""
    if turn.reach.is_acted:
        return {"moved": turn.reach.act_in_story("move", to)}
    way = turn.find(to, "exit")
    if way is not None:
        here = turn.world.whereabouts()
        moved = await turn.world.move(way.entity.id)
        return {"moved": f"{moved} {movement.leave_behind(turn, here)}".rstrip()}
    return {movement.SET_OUT: movement.set_out(turn, to)}


@tool(**_ACT, about={"item": ""})
async def take(turn: ToolContext, item: Annotated[str, Handle("lying")]) -> Json:
    """Pick up something that lies here."""
    if turn.reach.is_acted:
        return {"took": turn.reach.act_in_story("take", item)}
    return {"took": await turn.world.take(turn.thing(item, "lying").entity.id)}


@tool(**_ACT, about={"item": "", "to": ""})
async def give(
    turn: ToolContext, item: Annotated[str, Handle("carried")], to: Annotated[str, Handle("person")]
) -> Json:
    """Hand something you carry to somebody here."""
    if turn.reach.is_acted:
        who = turn.find(to, "person")
        return {"gave": turn.reach.act_in_story("give", item, who.entity.id if who else to)}
    thing = _own(turn, item)
    receiver = turn.thing(to, "person").entity
    return {"gave": await turn.world.give(thing.id, receiver.id)}


@tool(**_ACT, about={"item": ""})
async def put_down(turn: ToolContext, item: Annotated[str, Handle("carried")]) -> Json:
    """Put down something you carry."""
    if turn.reach.is_acted:
        return {"put_down": turn.reach.act_in_story("put_down", item)}
    return {"put_down": await turn.world.put_down(_own(turn, item).id)}


def _own(turn: ToolContext, item: str) -> Entity:
    """Return what it may part with, as it saw it; the game asks the thing itself once more."""
    thing = turn.thing(item, "carried")
    if thing.carried and not thing.givable:
        raise ToolError("That is not yours to give away.")
    return thing.entity
