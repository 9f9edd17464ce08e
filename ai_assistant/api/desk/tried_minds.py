"""A mind as it would be with another persona or template: staff try it, and nobody keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.templates import find_template
from ai_assistant.api.desk.owner_writings import prompting_of
from ai_assistant.core.contracts import Json
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE


def tried_mind(mind: Mind, persona: Mapping[str, Any], template: str = "") -> Mind:
    """Return a copy of a mind with other fields of its persona, and by another of its templates.

    Raises `ConfigurationError` where it has no template of that name.
    """
    if template:
        now = mind.store.read("prompt")
        other = {**now, "applied_template": find_template(now, template)}
        store: Any = _OtherPrompting(mind.store, other)
        mind = replace(mind, store=store)
    return replace(mind, persona={**mind.persona, **persona}) if persona else mind


def other_templates(character: Any) -> list[str]:
    """Return the names of the templates that an assistant could be tried with."""
    prompting = prompting_of(character)
    names = [DEFAULT_TEMPLATE, *prompting["templates"]]
    return [name for name in names if name != prompting["applied_template"]]


class _OtherPrompting:
    """A store that shows other templates and components than it keeps."""

    def __init__(self, store: Any, prompting: Json) -> None:
        self._store, self._prompting = store, prompting

    def view(self, part: str, key: str = "") -> Json:
        """Return what is kept, but for those."""
        kept: Json = self._store.view(part, key)
        return self._prompting if part == "prompt" else kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
