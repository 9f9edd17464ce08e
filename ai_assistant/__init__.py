"""Characters with a mind for Evennia games. Importing this package starts nothing.

What game code may import stands in this file, and is loaded when it is first asked for, since
Evennia must be ready by then: ``from ai_assistant import AssistantMixin, ask, blocks``.
Besides there are `ai_assistant.commands` (command sets), `ai_assistant.web.urls` and
`ai_assistant.testing`. Everything else is internal, and may change with any version.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "typeclasses": "AssistantCharacter AssistantMixin",
    "api.scene_listeners": "SceneParticipantMixin SceneRoomMixin",
    "core.errors": "AssistantError BlockRefused StoreError",
    "core.contracts": "Category",
    "tools": "ToolContext tool",
    "tools.schema": "Handle",
    "api.lifecycle": "adopt create_assistant",
    "api.release": "release",
    "api.ask": "ask",
    "api.execution": "clear_emergency_stop trigger_emergency_stop",
    "api.blocks": "add_task announce set_location set_lore set_status share_fact",
    "api.disclosure": "inform publish",
    "scenes.updates": "record_update",
    "api.forgetting": "forget_item forget_person",
    "game.identity": "entity_id",
    "game.line_ids": "one_line speaking",
    "game.log": "report",
    "memory.stores": "Composite Conflict Debounced InMemoryStore MemoryStore NullStore",
    "agent.prompt.macros": "MacroContext",
    "agent.prompt.measures": "count_tokens count_tokens_batch get_model_max_tokens",
    "agent.delegation.errands": "Delegates",
    "storage": "Container",
}
"""What game code imports by name, by the module where it lives."""
_MODULES = {"blocks": "api.blocks", "cards": "api.card_exchange", "staging": "api.staging"}
"""Modules that game code imports whole: ``from ai_assistant import blocks``."""
_HOMES = {name: home for home, names in _PUBLIC.items() for name in names.split()}
__all__ = [*_HOMES, *_MODULES]


def __getattr__(name: str) -> Any:
    """Return something public by its name; loads the module where it lives."""
    if name in _MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
