"""Memory policy: what a role keeps of its talk, and whether it has a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from ai_assistant.core.errors import ConfigurationError

Action = Literal["append", "write"]
HISTORY_TOKENS = 1500
FEWEST_TOKENS, MOST_TOKENS = 200, 4096
"""How small and how large a role's budget for its history may be."""


@dataclass(frozen=True, slots=True)
class RoleMemory:
    """The memory of one role."""

    memory_tool: bool = True
    """Has it a notebook?"""
    default_action: Action = "append"
    """What the tool does where the model does not say."""
    chat_history: bool = False
    """Are earlier turns in the prompt?"""
    persist_chat_history: bool = False
    """Do they survive a restart?"""
    llm_compaction: bool = True
    """May a model summarise them, where the game allows that at all?"""
    history_tokens: int = HISTORY_TOKENS
    """How much of them stands in the prompt word for word."""


SMART_CHAT = RoleMemory(chat_history=True, persist_chat_history=True)
DEFAULT_ROLE = "SmartChat"
ROLES: Mapping[str, RoleMemory] = {
    "Creator": RoleMemory(default_action="write"),
    "Analyzer": RoleMemory(),
    "Programmer": RoleMemory(llm_compaction=False),
    "CoreMechanicAI": RoleMemory(),
    "AINpc": RoleMemory(),
    "PlainChat": RoleMemory(memory_tool=False, chat_history=True, persist_chat_history=True),
    DEFAULT_ROLE: SMART_CHAT,
}
"""The roles that come with the package. A game changes or adds some by the policy."""
SWITCHES = ("memory_tool", "chat_history", "persist_chat_history", "llm_compaction")
"""What an assistant may have on or off, otherwise than its role."""
OWN_CHOICES = (*SWITCHES, "memory_action", "chat_history_tokens")
"""All that an assistant may have otherwise than its role."""


class AgentMemoryPolicy:
    """The roles of one game. Every call says which role it means; a new name is a new role."""

    def __init__(self) -> None:
        self._roles = dict(ROLES)

    @property
    def roles(self) -> list[str]:
        """The names of all roles."""
        return list(self._roles)

    def role(self, name: str) -> RoleMemory:
        """Return a role. Raises `ConfigurationError` naming those there are."""
        if name not in self._roles:
            raise ConfigurationError(
                f"There is no role '{name}'; there are: {', '.join(self._roles)}."
            )
        return self._roles[name]

    def configure_role(
        self,
        name: str,
        *,
        use_memory_tool: bool | None = None,
        default_action: Action | None = None,
    ) -> None:
        """Set whether a role has a notebook, and its default; raises `ConfigurationError`."""
        if default_action not in (None, *get_args(Action)):
            raise ConfigurationError(f"A default action is append or write, not {default_action}.")
        self._set(name, memory_tool=use_memory_tool, default_action=default_action)

    def configure_chat_history(
        self,
        name: str,
        enabled: bool,
        *,
        tokens: int | None = None,
        persist_between_sessions: bool | None = None,
    ) -> None:
        """Set whether earlier turns are in a role's prompt, how much of them word for word, and
        whether they survive a restart. Raises `ConfigurationError` for a budget that does not fit.
        """
        if tokens is not None and not FEWEST_TOKENS <= tokens <= MOST_TOKENS:
            raise ConfigurationError(
                f"A history takes from {FEWEST_TOKENS} to {MOST_TOKENS} tokens, not {tokens}."
            )
        persist = persist_between_sessions
        self._set(name, chat_history=enabled, history_tokens=tokens, persist_chat_history=persist)

    def configure_llm_context_compaction(self, name: str, enabled: bool) -> None:
        """Set whether a model may summarise what a role talked about."""
        self._set(name, llm_compaction=enabled)

    def effective(self, name: str, overrides: Mapping[str, Any]) -> RoleMemory:
        """Return a role as one assistant has it: what it has of its own goes before the role's.

        `overrides` maps a name of `SWITCHES` to on, off or role, `memory_action` to an action or
        role, and `chat_history_tokens` to a number, 0 for the role's. Raises `ConfigurationError`.
        """
        chosen: dict[str, Any] = {
            key: overrides[key] == "on" for key in SWITCHES if overrides.get(key) in ("on", "off")
        }
        if (action := overrides.get("memory_action")) in get_args(Action):
            chosen["default_action"] = action
        if tokens := overrides.get("chat_history_tokens"):
            chosen["history_tokens"] = tokens
        return replace(self.role(name), **chosen)

    def _set(self, name: str, **values: Any) -> None:
        given = {key: value for key, value in values.items() if value is not None}
        self._roles[name] = replace(self._roles.get(name, RoleMemory()), **given)


class UnreadPolicy(AgentMemoryPolicy):
    """Stands in where the game's own cannot be read: all go on, and no talk survives a restart."""

    def role(self, name: str) -> RoleMemory:
        """Return a role of the package, or the usual one, without what it keeps on disk."""
        return replace(self._roles.get(name, SMART_CHAT), persist_chat_history=False)
