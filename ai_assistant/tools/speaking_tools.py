"""Tools that speak or gesture: each is offered only where its hearers may hear.

Plain words are spoken as well; what only does the same stands in no kit.
"""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Category, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.tools.registry import PLAIN, tool
from ai_assistant.tools.schema import Handle
from ai_assistant.tools.tool_reach import ToolContext

_TEXT = {"text": ""}


@tool(Category.TERMINAL, speech="say", kit="unlisted", fiction=True, about=_TEXT)
def say(turn: ToolContext, text: str) -> Json:
    """Say something aloud to everybody here."""
    turn.speak("say", text)
    return {"said": text}


@tool(
    Category.TERMINAL,
    speech="emote",
    kit=PLAIN,
    alone=True,
    fiction=True,
    about={"text": "What you do, without your name: 'raises an eyebrow.'"},
)
def emote(turn: ToolContext, text: str) -> Json:
    """Do something that everybody here sees, without words."""
    turn.speak("emote", text)
    return {"done": text}


@tool(
    Category.TERMINAL,
    speech="whisper",
    kit=PLAIN,
    alone=True,
    fiction=True,
    about={"to": "", **_TEXT},
)
def whisper(turn: ToolContext, to: Annotated[str, Handle("person")], text: str) -> Json:
    """Whisper to somebody here; nobody else hears it."""
    target = turn.thing(to, "person").entity
    asked = any(event.source.id == target.id for event in turn.events)
    if not asked and turn.world.whereabouts(target.id) != turn.world.whereabouts():
        raise ToolError(f"{target.name} is not here.")
    turn.speak("whisper", text, target)
    return {"whispered": text, "to": target.name}


@tool(Category.TERMINAL, speech="page", kit="unlisted", fiction=True, about=_TEXT)
def page(turn: ToolContext, text: str) -> Json:
    """Answer the one who paged you from afar; only they read it."""
    target = turn.trigger.source if turn.trigger else None
    turn.speak("page", text, target)
    return {"paged": text}


@tool(Category.TERMINAL, speech="channel", kit="unlisted", fiction=True, about=_TEXT)
def channel_say(turn: ToolContext, text: str) -> Json:
    """Answer on the channel on which you were spoken to."""
    turn.speak("channel", text)
    return {"sent": text}
