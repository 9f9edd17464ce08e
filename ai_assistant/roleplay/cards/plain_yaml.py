"""YAML from strangers: objects, lists and texts as they were typed, within bounds, or refused.

It is read event by event: PyYAML's own loaders go as deep as a file is nested, and what is nested
ten thousand times ends the game with them.
"""

from __future__ import annotations

from typing import Any

import yaml

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.text import clean
from ai_assistant.roleplay.cards.limited_json import MAX_DEPTH, check_json

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def parse_yaml(data: bytes) -> Json:
    """Return the object that these bytes hold; every value is a text. Raises `CardError`."""
    try:
        value = _value_in(data)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CardError(f"It is no YAML: {clean(str(error), 120)}") from None
    if not isinstance(value, dict):
        raise CardError("It is no YAML object.")
    check_json(value)
    return value


def _value_in(data: bytes) -> Any:
    root: list[Any] = []
    open_ones, names = list[Any]([root]), list[str | None]()
    for event in yaml.parse(data, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise CardError("It refers to itself (&, *): write it out.")
        if isinstance(event, yaml.CollectionEndEvent):
            open_ones.pop()
            names.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        value = event.value if isinstance(event, yaml.ScalarEvent) else _opened(event)
        _put(open_ones[-1], names, value)
        if isinstance(value, dict | list):
            if len(open_ones) > MAX_DEPTH:
                raise CardError(f"It is nested more than {MAX_DEPTH} levels deep.")
            open_ones.append(value)
            names.append(None)
    return root[0] if root else None


def _opened(event: yaml.NodeEvent) -> dict[str, Any] | list[Any]:
    return {} if isinstance(event, yaml.MappingStartEvent) else []


def _put(into: Any, names: list[str | None], value: Any) -> None:
    """Put a value into a list, or into an object: a name first, then what stands under it."""
    if isinstance(into, list):
        into.append(value)
        return
    name = names[-1]
    if name is not None:
        into[name], names[-1] = value, None
    elif not isinstance(value, str):
        raise CardError("A name in it is no text.")
    elif value in into:
        raise CardError(f"'{clean(value, 40)}' is there twice.")
    else:
        names[-1] = value
