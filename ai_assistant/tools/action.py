"""Tools that perceive and act in the world, under the character's own locks."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.contracts import Category, Json
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Handle


@tool(
    cacheable=True,
    leads_on=True,
    about={"handle": "What to look at, such as o1; leave it out to look around."},
)
def inspect_location(turn: ToolContext, handle: Annotated[str, Handle("any")] = "") -> Json:
    """Look around, or look closely at one thing or person that you see."""
    if handle:
        entity = turn.thing(handle, "any").entity
        return {"name": entity.name, "description": turn.world.look(entity.id)}
    scene = turn.world.scene()
    return {
        "place": scene.place_name,
        "description": scene.description,
        "you_see": [thing.entity.name for thing in scene.things],
    }


@tool(
    Category.DANGEROUS,
    acts=True,
    leads_on=True,
    about={"exit": "The handle of the exit, such as x1."},
)
async def move(turn: ToolContext, exit: Annotated[str, Handle("exit")]) -> Json:
    """Leave through an exit that you see."""
    return {"moved": await turn.world.move(turn.thing(exit, "exit").entity.id)}


@tool(
    Category.DANGEROUS,
    acts=True,
    about={
        "item": "The handle of something you carry that may be given away, such as o1.",
        "to": "The handle of the one who gets it, such as p1.",
    },
)
async def give(
    turn: ToolContext, item: Annotated[str, Handle("item")], to: Annotated[str, Handle("person")]
) -> Json:
    """Hand something that you carry to somebody here. Speak of it only after it is done."""
    thing = turn.thing(item, "item").entity
    receiver = turn.thing(to, "person").entity
    return {"gave": await turn.world.give(thing.id, receiver.id)}


TOOLS = [inspect_location, move, give]
