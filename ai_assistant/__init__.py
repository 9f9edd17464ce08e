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
    "SceneParticipantMixin": "api.scene_listeners",
    "SceneRoomMixin": "api.scene_listeners",
    "AssistantError": "core.errors",
    "ToolContext": "tools",
    "tool": "tools",
    "adopt": "api.lifecycle",
    "create_assistant": "api.lifecycle",
    "ask": "api.ask",
    "add_task": "api.blocks",
    "announce": "api.blocks",
    "set_location": "api.blocks",
    "set_lore": "api.blocks",
    "set_status": "api.blocks",
    "share_fact": "api.blocks",
    "record_update": "scenes.updates",
    "start_scene": "api.staging",
    "stop_scene": "api.staging",
    "forget_item": "api.forgetting",
    "forget_person": "api.forgetting",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    """Return something public by its name; loads the module where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
