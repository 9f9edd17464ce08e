"""What the game's settings name is loaded: functions, tools, macros, roles, stores, the language.

What cannot be used is left out, and `tell` is given a sentence about it; values that do not fit are
told to staff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from django.utils.module_loading import import_string

from ai_assistant import conf
from ai_assistant.agent.config import Config
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.game.log import report
from ai_assistant.language import DEFAULT, language_of
from ai_assistant.llm.model_profiles import Profile, wrong_jobs
from ai_assistant.memory.policy import OWN_CHOICES, AgentMemoryPolicy, RoleMemory, UnreadPolicy
from ai_assistant.memory.stores import (
    CONVERSATION_PARTS,
    TALK_PARTS,
    InMemoryStore,
    MemoryStore,
)
from ai_assistant.runtime.embedder import wrong_embeddings
from ai_assistant.tools import BUILTIN, ToolRegistry, tools_in
from ai_assistant.tools.staff_work import heed_staff, staff_tools

TellProblem = Callable[[str], object]


def _nobody(told: str) -> None:
    """Take in what was told already, when the game started."""


@contextmanager
def _setting(
    tell: TellProblem, name: str, value: str, meant: str, meanwhile: str = ""
) -> Iterator[None]:
    """Whatever fails within is told as a setting that cannot be used, and survived."""
    try:
        yield
    except Exception as error:
        if value == conf.UNUSABLE:  # that is told already
            return
        told = f"AI_ASSISTANT_{name}: '{value}' cannot be used ({error}); it must {meant}."
        then = meanwhile or conf.MEANWHILE.get(name, "")
        tell(f"{told} Until then {then}." if then else told)


_FUNCTIONS = {
    "IGNORES": "name a function of a listener and a speaker",
    "MODERATION": "name a function of words, their speaker and their hearers",
    "MEMORY_STORE": "name a function from an assistant's id to a store",
}


def without_effect(name: str) -> str:
    """Say of a setting that it is none of ours."""
    return f"{name} is no setting of ours and has no effect."


def wrong_settings(profiles: Mapping[str, Profile]) -> list[str]:
    """Return what is wrong just now with the settings, misspelt ones first, in sentences."""
    slips = [without_effect(name) for name, meant in conf.settings.unknown().items() if meant]
    wrong = [*slips, *conf.settings.wrong(), *wrong_jobs(profiles, conf.settings.JOBS)]
    return [*wrong, *filter(None, [wrong_embeddings(profiles)])]


def check_functions(tell: TellProblem) -> None:
    """See whether each setting that is to name a function does."""
    for name, meant in _FUNCTIONS.items():
        path = getattr(conf.settings, name)
        if path:
            with _setting(tell, name, path, meant):
                if not callable(import_string(path)):
                    raise TypeError("it is no function")


def usable_language(tell: TellProblem) -> str:
    """Return the language of the settings, as `use` takes it; English where there is none such."""
    chosen = conf.language()
    try:
        language_of(chosen)
    except ConfigurationError as error:
        tell(f"{error} Until then it is English.")
        return DEFAULT
    return chosen


def load_tools(tell: TellProblem = _nobody) -> ToolRegistry:
    """Return our tools and those of the game; of a module that cannot be used, none."""
    allowed = conf.settings
    ours = staff_tools(
        allowed.STAFF_COMMANDS,
        allowed.STAFF_ATTRIBUTES,
        [*allowed.SPAWN_TEMPLATES],
        building=allowed.BUILDING,
    )
    tools = [*BUILTIN, *ours]
    for path in conf.settings.TOOL_MODULES:
        with _setting(tell, "TOOL_MODULES", path, "be a module with tools", "it has none"):
            more = tools_in(import_module(path))
            if not more:
                raise ConfigurationError("there is no function with @tool")
            ToolRegistry([*tools, *more])  # they fit together
            tools += more
    registry = ToolRegistry(tools)
    if any(tool.permission for tool in registry.values()):
        registry.add(heed_staff)
    return registry


def stores_for(
    assistant: str, role: RoleMemory, tell: TellProblem = _nobody
) -> dict[str, MemoryStore]:
    """Return the parts of an assistant that are not kept in Attributes, each with its store.

    Where the game's own cannot be made, they are nowhere else either: its process keeps them.
    """
    found: dict[str, MemoryStore] = {}
    if path := conf.settings.MEMORY_STORE:
        found = dict.fromkeys(CONVERSATION_PARTS, FLEETING)
        with _setting(tell, "MEMORY_STORE", path, _FUNCTIONS["MEMORY_STORE"]):
            found = dict.fromkeys(CONVERSATION_PARTS, import_string(path)(assistant))
    if not role.persist_chat_history:
        found |= dict.fromkeys(TALK_PARTS, FLEETING)
    return found


FLEETING = InMemoryStore()
"""Keeps, while this process lives, the talk of assistants whose role does not persist it."""


def overrides_of(config: Config) -> dict[str, Any]:
    """Return what an assistant's configuration has to say of what its role has."""
    return {name: config[name] for name in OWN_CHOICES}


def load_policy(tell: TellProblem = _nobody) -> AgentMemoryPolicy:
    """Return the game's roles; where its function fails, roles that keep no talk on disk."""
    policy = AgentMemoryPolicy()
    path = conf.settings.MEMORY_POLICY
    with _setting(tell, "MEMORY_POLICY", path, "name a function that takes the policy"):
        if path:
            import_string(path)(policy)
        return policy
    return UnreadPolicy()


def load_macros(tell: TellProblem = _nobody) -> MacroRegistry:
    """Return our macros and those of the game that can be used."""
    macros = MacroRegistry(report=report)
    for name, path in conf.settings.MACROS.items():
        with _setting(tell, "MACROS", name, "have a macro's name, and be the path of a function"):
            macros.add(name, import_string(path))
    return macros
