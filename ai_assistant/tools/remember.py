"""Tools that keep something about the people the character meets."""

from __future__ import annotations

from typing import Annotated, Literal

from ai_assistant.contracts import Category, Change, Entity, Json
from ai_assistant.text import clean
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Handle

MAX_OBSERVATION = 280


@tool(
    Category.SAFE_CHAIN,
    about={
        "entity": "The handle of the one it is about, such as p1.",
        "observation": "One fact in the third person: 'Alice has a cat named Whiskers.'",
        "source": "direct: they told you or you saw it; inferred: your guess; told: hearsay.",
    },
)
def update_entity_observation(
    turn: ToolContext,
    entity: Annotated[str, Handle("person")],
    observation: str,
    source: Literal["direct", "inferred", "told"] = "direct",
) -> Json:
    """Note a lasting fact about somebody, so that you still know it tomorrow."""
    about = turn.thing(entity, "person").entity
    content = clean(observation, MAX_OBSERVATION)
    author = _author(turn, about)
    if source == "direct" and turn.trigger and author != about.id:
        source = "told"  # what one says about another is hearsay, whatever the model calls it
    at = turn.clock.now()
    turn.change(
        Change(
            "profile",
            about.id,
            "create_entity_profile",
            {"name": about.name, "entity_type": about.kind, "at": at},
        )
    )
    turn.change(
        Change(
            "profile",
            about.id,
            "add_entity_observation",
            {
                "entity_id": about.id,
                "content": content,
                "source": source,
                "at": at,
                "author": author,
                "readers": turn.ceiling,
            },
        )
    )
    return {"noted": content, "about": about.name}


def _author(turn: ToolContext, about: Entity) -> str:
    """Return whose word it is: their own where they are among those who spoke."""
    speakers = [event.source.id for event in turn.events] or [turn.me.id]
    return about.id if about.id in speakers else speakers[0]


TOOLS = [update_entity_observation]
