"""Characters with a mind for Evennia games. Importing this package starts nothing.

What game code needs is found here by name, and loaded when it is first asked for, since Evennia
must be ready by then: ``from ai_assistant import AssistantMixin, create_assistant, ask``.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "AssistantCharacter": "typeclasses",
    "AssistantMixin": "typeclasses",
    "SceneParticipantMixin": "ears",
    "SceneRoomMixin": "ears",
    "AssistantError": "errors",
    "ToolContext": "tools",
    "tool": "tools",
    "adopt": "lifecycle",
    "create_assistant": "lifecycle",
    "ask": "inquiry",
    "add_task": "blocks",
    "announce": "blocks",
    "set_location": "blocks",
    "set_lore": "blocks",
    "set_status": "blocks",
    "share_fact": "blocks",
    "record_update": "updates",
    "start_scene": "staging",
    "stop_scene": "staging",
    "forget_item": "forgetting",
    "forget_person": "forgetting",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    """Return something public by its name; loads the module where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
