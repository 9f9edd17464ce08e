"""What the game's settings name is loaded: functions, tools, macros, roles, stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from django.utils.module_loading import import_string

from ai_assistant import conf
from ai_assistant.agent.config import Config
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.game.log import report
from ai_assistant.memory.policy import SWITCHES, AgentMemoryPolicy, RoleMemory
from ai_assistant.memory.stores import (
    CONVERSATION_PARTS,
    TALK_PARTS,
    InMemoryStore,
    MemoryStore,
)
from ai_assistant.tools import BUILTIN, ToolRegistry
from ai_assistant.tools.staff_work import heed_staff, staff_tools


@contextmanager
def _setting(name: str, value: str, meant: str) -> Iterator[None]:
    """Whatever fails within is told the owner as a setting that cannot be used."""
    try:
        yield
    except Exception as error:
        told = f"AI_ASSISTANT_{name}: '{value}' cannot be used ({error}); it must {meant}."
        raise ConfigurationError(told) from error


_FUNCTIONS = {
    "IGNORES": "name a function of a listener and a speaker",
    "MODERATION": "name a function of words, their speaker and their hearers",
}


def check_functions() -> None:
    """Raise `ConfigurationError` for a setting that names no function where it is to."""
    for name, meant in _FUNCTIONS.items():
        if path := getattr(conf.settings, name):
            with _setting(name, path, meant):
                if not callable(import_string(path)):
                    raise TypeError("it is no function")


def load_tools() -> ToolRegistry:
    """Return our tools and those of the game. Raises `ConfigurationError` naming the module."""
    allowed = conf.settings
    ours = staff_tools(
        allowed.STAFF_COMMANDS,
        allowed.STAFF_ATTRIBUTES,
        [*allowed.SPAWN_TEMPLATES],
        building=allowed.BUILDING,
    )
    registry = ToolRegistry([*BUILTIN, *ours])
    for path in conf.settings.TOOL_MODULES:
        with _setting("TOOL_MODULES", path, "be a module with a list TOOLS"):
            tools = list(import_module(path).TOOLS)
        for tool in tools:
            registry.add(tool)
    if any(tool.permission for tool in registry):
        registry.add(heed_staff)
    return registry


def stores_for(assistant: str, role: RoleMemory) -> dict[str, MemoryStore]:
    """Return the parts of an assistant that are not kept in Attributes, each with its store.

    Raises `ConfigurationError` where the game's own store cannot be made.
    """
    found: dict[str, MemoryStore] = {}
    if path := conf.settings.MEMORY_STORE:
        with _setting("MEMORY_STORE", path, "name a function from an assistant's id to a store"):
            own = import_string(path)(assistant)
        found = dict.fromkeys(CONVERSATION_PARTS, own)
    if not role.persist_chat_history:
        found |= dict.fromkeys(TALK_PARTS, FLEETING)
    return found


FLEETING = InMemoryStore()
"""Keeps, while this process lives, the talk of assistants whose role does not persist it."""


def overrides_of(config: Config) -> dict[str, str]:
    """Return the switches of its role that an assistant's configuration overrides."""
    return {name: config[name] for name in SWITCHES}


def load_policy() -> AgentMemoryPolicy:
    """Return the game's roles. Raises `ConfigurationError` where its function fails."""
    policy = AgentMemoryPolicy()
    if path := conf.settings.MEMORY_POLICY:
        with _setting("MEMORY_POLICY", path, "name a function that takes the policy"):
            import_string(path)(policy)
    return policy


def load_macros() -> MacroRegistry:
    """Return our macros and those of the game. Raises `ConfigurationError` naming the macro."""
    macros = MacroRegistry(report=report)
    for name, path in conf.settings.MACROS.items():
        with _setting("MACROS", name, "have a macro's name, and be the path of a function"):
            macros.add(name, import_string(path))
    return macros
