"""Handlers on the character: the way in for game code and staff commands.

`character.profiles`, `.working_memory`, `.journal`, `.session_memory`, `.notebook`, `.stream`,
`.goals`, `.projects`.
Reading hands out plain copies; every change is written at once, with an entry in the audit log,
and survives a turn that is under way. Texts are cleaned, and cut at 800 characters. A value that
cannot be used, or something that finds no room, raises `AssistantError`; nothing is written then.
"""

from __future__ import annotations

from ai_assistant.api.handlers.handler_base import forget_everything, record_audit, save, store_of
from ai_assistant.api.handlers.note_handlers import (
    JournalHandler,
    NotebookHandler,
    SessionMemoryHandler,
    StreamHandler,
)
from ai_assistant.api.handlers.people_handlers import ProfileHandler, WorkingMemoryHandler
from ai_assistant.api.handlers.plan_handlers import GoalHandler, ProjectHandler

__all__ = [
    "GoalHandler",
    "JournalHandler",
    "NotebookHandler",
    "ProfileHandler",
    "ProjectHandler",
    "SessionMemoryHandler",
    "StreamHandler",
    "WorkingMemoryHandler",
    "forget_everything",
    "record_audit",
    "save",
    "store_of",
]
