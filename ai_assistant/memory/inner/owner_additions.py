"""What the owner added to one assistant's prompt: components of its own, and templates."""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part

DEFAULT_TEMPLATE = "default"
MAX_COMPONENTS = 20
MAX_TEMPLATES = 10


def put_component(prompting: Json, *, component: Json) -> None:
    """Add a component, or replace the one with the same key; they are kept in order of id."""
    drop_component(prompting, key=component["key"])
    kept = [*prompting["components"], component]
    kept.sort(key=lambda entry: (entry["id"], entry["key"]))
    prompting["components"] = kept[:MAX_COMPONENTS]


def drop_component(prompting: Json, *, key: str) -> None:
    """Remove a component."""
    prompting["components"] = [
        component for component in prompting["components"] if component["key"] != key
    ]


def put_template(prompting: Json, *, name: str, text: str, native: str = "") -> None:
    """Add or replace a template; `native` is the text for models with native tool calls."""
    if name in prompting["templates"] or len(prompting["templates"]) < MAX_TEMPLATES:
        prompting["templates"][name] = {"text": text, "native": native}


def drop_template(prompting: Json, *, name: str) -> None:
    """Remove a template; if it was in use, the default one is used from now on."""
    prompting["templates"].pop(name, None)
    if prompting["applied_template"] == name:
        prompting["applied_template"] = DEFAULT_TEMPLATE


def apply_template(prompting: Json, *, name: str) -> None:
    """Use this template for the instructions from now on; an unknown one changes nothing."""
    if name == DEFAULT_TEMPLATE or name in prompting["templates"]:
        prompting["applied_template"] = name


def as_earlier(prompting: Json, *, earlier: Json) -> None:
    """Replace everything by what it was earlier."""
    prompting.clear()
    prompting.update(earlier)


PROMPT = Part(
    name="prompt",
    attribute="prompt",
    where="script",
    shape={"components": [], "templates": {}, "applied_template": DEFAULT_TEMPLATE},
    steps={
        "put_component": put_component,
        "drop_component": drop_component,
        "put_template": put_template,
        "drop_template": drop_template,
        "apply_template": apply_template,
        "as_earlier": as_earlier,
    },
)
