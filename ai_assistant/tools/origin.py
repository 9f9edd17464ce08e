"""Where what a tool writes comes from: when it was written, for whom, and on whose words."""

from __future__ import annotations

from ai_assistant.contracts import Json
from ai_assistant.memory.labelled import joint_author
from ai_assistant.tools.registry import ToolContext


def authors_of(turn: ToolContext) -> str:
    """Return everybody whose words are answered; the character itself where nobody's are."""
    return joint_author([event.source.id for event in turn.events] or [turn.me.id])


def origin(turn: ToolContext) -> Json:
    """Return when something is written, for whom, and on whose words."""
    return {"at": turn.clock.now(), "readers": turn.ceiling, "author": authors_of(turn)}
