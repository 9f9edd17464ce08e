"""Templates: the instructions as a reusable text with placeholders, one for each kind of model.

A template has a text for models that answer in JSON, and may have another for those with tool
calls of their own. It opens the prompt, so it must be the same from turn to turn.
"""

from __future__ import annotations

import re

from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.prompt.macros import CONSTANT, MacroRegistry
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.owner_text import MARK, clean_owned
from ai_assistant.core.text import clean
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE, MAX_TEMPLATES
from ai_assistant.prompts import load_prompt

MAX_TEMPLATE = 4000
NAME, TOOLS, SPEECH, RULES = "name", "tool_schemas", "speech", "memory_rules"
REMEMBERED = "What you remember"
"""The heading under which recalled memories stand; ``{{memories}}`` in a template names it."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")


def placeholders() -> list[str]:
    """Return the placeholders of a template: every key of the configuration, and four more."""
    return [NAME, SPEECH, RULES, TOOLS, *OPTIONS]


def template_texts(prompting: Json) -> tuple[str, str]:
    """Return the applied template: its text, and the one for models with tool calls, if any."""
    name = prompting["applied_template"]
    found = prompting["templates"].get(name) if name != DEFAULT_TEMPLATE else None
    if found is None:
        return load_prompt("instructions"), ""
    return found["text"], found.get("native", "")


def check_name(name: str) -> str:
    """Return the name; raises `ConfigurationError` where no template can be called so."""
    if not _NAME.fullmatch(name) or name == DEFAULT_TEMPLATE:
        raise ConfigurationError(
            f"A template cannot be called '{clean(name, 30)}': small letters, digits and _, and "
            f"not '{DEFAULT_TEMPLATE}', which is prompts/instructions.md."
        )
    return name


def check_template(text: str, macros: MacroRegistry) -> str:
    """Return a template's text as it may be stored; raises `ConfigurationError`."""
    text = clean_owned(text, MAX_TEMPLATE)
    used = {found["placeholder"] for found in MARK.finditer(text)} - {None}
    if unknown := sorted(used - set(placeholders())):
        raise ConfigurationError(
            f"There is no placeholder {{{unknown[0]}}}; there are: {', '.join(placeholders())}."
        )
    if NAME not in used and not re.search(r"\{\{\s*char\s*\}\}", text):
        raise ConfigurationError("The placeholder {name} is missing: who is it?")
    check_constant(text, macros, "a template")
    return text


def check_constant(text: str, macros: MacroRegistry, where: str) -> None:
    """Raise `ConfigurationError` naming a macro that varies, which must not stand there."""
    if varying := macros.varying(text):
        raise ConfigurationError(
            f"{{{{{varying[0]}}}}} changes from turn to turn, so it must not stand in {where}: use "
            f"it in a component of your own, or one of {', '.join(CONSTANT)} instead."
        )


def check_room(prompting: Json, name: str) -> None:
    """Raise `ConfigurationError` where one more template would be too many."""
    if name not in prompting["templates"] and len(prompting["templates"]) >= MAX_TEMPLATES:
        raise ConfigurationError(f"There are {MAX_TEMPLATES} templates; delete one first.")


def find_template(prompting: Json, name: str) -> str:
    """Return the name of a template that exists; raises `ConfigurationError` naming those."""
    known = [DEFAULT_TEMPLATE, *prompting["templates"]]
    if name not in known:
        raise ConfigurationError(
            f"There is no template '{clean(name, 30)}'; there are: {', '.join(known)}."
        )
    return name
