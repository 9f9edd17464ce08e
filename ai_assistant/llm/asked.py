"""What a request tells whoever reads its reply: the tools, the character's name, others' texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ai_assistant.contracts import Json, ModelRequest

_UNSEEN = re.compile(r"[\s\\/|$\"']+")
_STAND_INS = str.maketrans("{}", "()")


@dataclass(frozen=True)
class Asked:
    """The tools offered, by name with their parameters; who is asked; what others wrote."""

    tools: Mapping[str, Json] = field(default_factory=dict)
    name: str = ""
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: ModelRequest) -> Asked:
        """Return what a request tells. Only what the model said itself is trusted."""
        functions = [tool["function"] for tool in request.tools]
        persona = next((one.rows for one in request.sections if one.key == "persona"), ())
        return cls(
            {one["name"]: one.get("parameters", {}).get("properties", {}) for one in functions},
            str(persona[0].get("name", "")) if persona else "",
            tuple(one.content for one in request.messages if one.role != "assistant"),
        )

    def quotes(self, written: str) -> bool:
        """Does this stand in somebody else's text? Then it is a quote, whatever it looks like.

        What was cleaned on its way into the prompt is recognised all the same.
        """
        bare = _bare(written)
        return bool(bare) and any(bare in text for text in self._bare_texts)

    def positional(self, name: str, values: list[Any]) -> Json:
        """Return arguments without names under the names of a tool's parameters, in order."""
        names = [one for one in self.tools.get(name, ()) if one != "reasoning"]
        return dict(zip(names, values, strict=False))

    def is_text(self, name: str, parameter: str) -> bool:
        """Is this parameter of a tool a text, or is the tool not known?"""
        return self.tools.get(name, {}).get(parameter, {}).get("type", "string") == "string"

    @cached_property
    def _bare_texts(self) -> tuple[str, ...]:
        return tuple(map(_bare, self.texts))


def _bare(text: str) -> str:
    """Return a text without what cleaning and quoting change."""
    return _UNSEEN.sub("", text).translate(_STAND_INS).casefold()
