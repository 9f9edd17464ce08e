"""Components: the ordered blocks that a prompt is made of, ours and those of the owner.

Ours stand on the thousands (and 1500, the one talked to). The owner's take the ids between and
are shown wherever the one of ours below them is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.macros import MacroRegistry, holds_memories
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.owner_text import clean_owned
from ai_assistant.core.text import clean
from ai_assistant.memory.inner.owner_additions import MAX_COMPONENTS

Role = Literal["system", "user", "assistant"]
MAX_CONTENT = 1500
MAX_DEPTH = 100
MAX_ORDER = 1000
_KEY = re.compile(r"[a-z][a-z0-9_]{0,29}")


@dataclass(frozen=True, slots=True)
class PromptComponent:
    """One block of the prompt."""

    id: int
    """Its place among the others; ours are in `BUILTIN`."""
    key: str
    """By which it is named, in commands as well."""
    name: str
    """What people read of it."""
    description: str = ""
    """What stands in it."""
    content: str = ""
    """Its text, macros unresolved; ours have none."""
    is_static: bool = False
    """Is it the same in every turn?"""
    enabled: bool = True
    """Is it shown at all?"""
    role: Role = "system"
    """Whose message it is."""
    injection_depth: int = 0
    """Above 0 it stands that many messages before the end of the conversation."""
    injection_order: int = 100
    """Of several at one depth the lowest comes first."""

    @property
    def leads(self) -> bool:
        """Does it belong to the beginning of the prompt, which providers cache?"""
        at_start = self.id < layers.CONVERSATION and not self.injection_depth
        return self.is_static and at_start and self.role == "system"

    @property
    def follows(self) -> int:
        """The id of the component of ours that it stands behind."""
        return max(ours.id for ours in BUILTIN if ours.id <= self.id)


BUILTIN = (
    PromptComponent(
        layers.INSTRUCTIONS, "system_prompt", "Instructions", "the template", is_static=True
    ),
    PromptComponent(
        layers.PERSONA,
        "character_context",
        "Character",
        "the persona; then what it learned, its notebook, where it is and what it sees",
    ),
    PromptComponent(layers.ENTITY, "entity_context", "Entity", "the one it talks to"),
    PromptComponent(layers.MEMORIES, "memories", "Memories", "what it remembers of it"),
    PromptComponent(layers.KNOWLEDGE, "knowledge", "Knowledge", "what many share"),
    PromptComponent(layers.GOALS, "goals", "Goals", "what it is after"),
    PromptComponent(layers.CONVERSATION, "conversation", "Conversation", "what happened lately"),
    PromptComponent(layers.EVENT, "event", "Event", "what it answers", role="user"),
    PromptComponent(layers.TOOL_RESULT, "tool_result", "Tool results", "within the turn"),
)


def user_components(stored: Iterable[Json], macros: MacroRegistry) -> list[PromptComponent]:
    """Return the owner's components in the order of their ids; what cannot be read is left out."""
    known = {field.name for field in fields(PromptComponent)}
    found: list[PromptComponent] = []
    for data in stored:
        with suppress(TypeError, ConfigurationError):
            made = PromptComponent(**{name: data[name] for name in known & data.keys()})
            varies = macros.varying(made.content) or holds_memories(made.content)
            found.append(_checked(replace(made, is_static=not varies)))
    return sorted(found, key=lambda made: (made.id, made.injection_order, made.key))


def new_component(stored: list[Json], id: str, key: str, text: str) -> Json:
    """Return a component of the owner's as it is stored; raises `ConfigurationError`."""
    if len(stored) >= MAX_COMPONENTS:
        raise ConfigurationError(f"There are {MAX_COMPONENTS} components; delete one first.")
    if not id.isdecimal() or len(id) > 4:
        raise ConfigurationError(f"'{clean(id, 20)}' is no id: give a number from 1 to 5999.")
    if any(data["key"] == key for data in stored):
        raise ConfigurationError(f"There is a component '{key}' already.")
    made = PromptComponent(
        int(id), key, key.replace("_", " ").capitalize(), content=clean_owned(text, MAX_CONTENT)
    )
    return asdict(_checked(made))


def changed_component(stored: list[Json], key: str, **values: Any) -> Json:
    """Return a stored component with other values; raises `ConfigurationError`."""
    old = next((data for data in stored if data["key"] == key), None)
    if old is None:
        names = ", ".join(data["key"] for data in stored) or "none yet"
        raise ConfigurationError(f"There is no component '{clean(key, 30)}'; there are: {names}.")
    if "content" in values:
        values["content"] = clean_owned(values["content"], MAX_CONTENT)
    made = _checked(PromptComponent(**{**old, **values}))
    if made.injection_depth and holds_memories(made.content):
        raise ConfigurationError(
            "Recalled memories have no place within the conversation: take {{memories}} out, or "
            "give the component the depth 0."
        )
    return asdict(made)


def _checked(one: PromptComponent) -> PromptComponent:
    ours = {other.id for other in BUILTIN}
    if type(one.id) is not int or not 0 < one.id < layers.EVENT or one.id in ours:
        raise ConfigurationError(
            f"{one.id} is no id for a component: take one from 1 to 5999 that is not "
            f"{', '.join(str(id) for id in sorted(ours) if 0 < id < layers.EVENT)}."
        )
    if not _KEY.fullmatch(one.key) or one.key in {other.key for other in BUILTIN}:
        raise ConfigurationError(
            f"'{clean(one.key, 30)}' cannot be a key: small letters, digits and _, and not ours."
        )
    if one.role not in get_args(Role):
        raise ConfigurationError(f"The role is one of: {', '.join(get_args(Role))}.")
    for name, most in (("injection_depth", MAX_DEPTH), ("injection_order", MAX_ORDER)):
        value = getattr(one, name)
        if type(value) is not int or not 0 <= value <= most:
            raise ConfigurationError(f"{name} is a number from 0 to {most}.")
    return one
