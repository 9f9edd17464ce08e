"""Tools that speak: each ends the turn, and each is offered only where its hearers may hear."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.contracts import Category, Json
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Handle

_TEXT = {"text": "What you say, in your own words: at most three short sentences."}


@tool(Category.TERMINAL, speech="say", about=_TEXT)
def say(turn: ToolContext, text: str) -> Json:
    """Say something aloud to everybody here. Ends your turn."""
    turn.speak("say", text)
    return {"said": text}


@tool(
    Category.TERMINAL,
    speech="emote",
    about={"text": "What you visibly do, without your name: 'raises an eyebrow.'"},
)
def emote(turn: ToolContext, text: str) -> Json:
    """Do something visible without words. Everybody here sees it. Ends your turn."""
    turn.speak("emote", text)
    return {"done": text}


@tool(
    Category.TERMINAL,
    speech="whisper",
    about={"to": "The handle of the one who shall hear it, such as p1.", **_TEXT},
)
def whisper(turn: ToolContext, to: Annotated[str, Handle("person")], text: str) -> Json:
    """Whisper to one person here; nobody else hears the words. Ends your turn."""
    target = turn.thing(to, "person").entity
    turn.speak("whisper", text, target)
    return {"whispered": text, "to": target.name}


@tool(Category.TERMINAL, speech="page", about=_TEXT)
def page(turn: ToolContext, text: str) -> Json:
    """Answer the one who paged you from afar; only they read it. Ends your turn."""
    target = turn.trigger.source if turn.trigger else None
    turn.speak("page", text, target)
    return {"paged": text}


@tool(Category.TERMINAL, speech="channel", about=_TEXT)
def channel_say(turn: ToolContext, text: str) -> Json:
    """Answer on the channel on which you were spoken to. Ends your turn."""
    turn.speak("channel", text)
    return {"sent": text}


TOOLS = [say, emote, whisper, page, channel_say]
