"""What a request tells whoever reads its reply: the tools, who is there, others' texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelRequest, ToolCall

_UNSEEN = re.compile(r"[\s\\/|$*\"'“”‘’`]+")
_STAND_INS = str.maketrans("{}", "()")
_TOOL_NAME = re.compile(r"[\w.:-]{1,64}")
_AROUND_NAMES = re.compile(r"\A(?:functions|default_api|tools)[.:]|<\|.*", re.DOTALL)
_QUOTES = r"[\\/\"'“”‘’`]*"
_CALLED = (
    r"(?<!\w)(?:"
    rf"(?:tool|tool_name|name|function|action){_QUOTES}\s*[:=]\s*{_QUOTES}(?:\w+[.:])?{{name}}(?!\w)"
    rf"|[<\[]{{name}}(?=[\s>\]/])|{{name}}[(\[]|{{name}}{_QUOTES}(?::\d+)?\s*(?:```\w*\s*|[:=]\s*)?"
    rf"(?:<|[({{{{]\s*(?:{_QUOTES}\w+{_QUOTES}\s*[:=]|[)}}}}])))"
)
"""How the name of a tool stands in a call, in whatever form, cleaned or not; not in prose."""
_REACH = 250
"""Characters around a name among which the arguments are looked for, beside their own length."""


@dataclass(frozen=True)
class ReplyContext:
    """What a request tells about the reply to it: its tools, who is there, what others wrote."""

    tools: Mapping[str, Json] = field(default_factory=dict)
    """The parameters of each tool shown, by its name."""
    texts: tuple[str, ...] = ()
    """All messages that the model did not write."""
    known: Mapping[str, Json] = field(default_factory=dict)
    """As `tools`, with those that were not shown: a call of one is a call too."""
    people: tuple[str, ...] = ()
    """The names and handles of those who are said to be there, or to have spoken."""

    @classmethod
    def of(cls, request: ModelRequest) -> ReplyContext:
        """Return what a request tells. Only what the model said itself is trusted."""
        shown, registered = _parameters(request.tools), _parameters(request.registered)
        seen = [part.rows for part in request.sections if part.key in ("seen", "event")]
        named = [row for row in chain(*seen) if "name" in row]
        people = (row.get(key) for row in named for key in ("name", "handle", "who"))
        return cls(
            shown,
            tuple(message.content for message in request.messages if message.role != "assistant"),
            registered | shown,
            tuple(name for name in people if isinstance(name, str) and name),
        )

    def quotes(self, call: ToolCall) -> bool:
        """Could this call be read in somebody else's text? Then it is a quote.

        However it is spelled there, and though it was cleaned on its way into the prompt.
        """
        name = call.name if _TOOL_NAME.fullmatch(call.name) else self.name_of(call.name)
        if not _TOOL_NAME.fullmatch(name):
            return False  # no tool is called like that
        given = {key: value for key, value in call.arguments.items() if key != "reasoning"}
        words = {bare for leaf in _leaves(given) if (bare := _bare(str(leaf)))}
        reach = _REACH + 2 * sum(map(len, words))
        called = re.compile(_CALLED.format(name=re.escape(name)), re.IGNORECASE)
        return any(
            all(word in around for word in words)
            for text in self.texts
            for around in _regions(text.replace("\\n", "\n").replace("*", ""), called, reach)
        )

    def named(self, call: ToolCall) -> ToolCall:
        """Return a call under the name that we know."""
        return replace(call, name=self.name_of(call.name))

    def name_of(self, written: str) -> str:
        """Return the name of the tool that is meant, with a prefix or in capitals or not."""
        bare = _AROUND_NAMES.sub("", written)
        alike = (name for name in self.known if name.casefold() == bare.casefold())
        return bare if bare in self.known else next(alike, bare)

    def positional(self, name: str, values: list[Any], given: Json | None = None) -> Json:
        """Return arguments without names under the names of a tool's parameters, in order."""
        if len(values) == 1 and isinstance(values[0], dict):
            return values[0]
        made = given or {}
        names = [key for key in self.known.get(name, ()) if key not in ("reasoning", *made)]
        return made | dict(zip(names, values, strict=False))

    def is_text(self, name: str, parameter: str) -> bool:
        """Is this parameter of a tool a text, or is the tool not known?"""
        kind: object = self.known.get(name, {}).get(parameter, {}).get("type", "string")
        return kind == "string"


def _parameters(tools: tuple[Json, ...]) -> dict[str, Json]:
    return {
        function["name"]: function.get("parameters", {}).get("properties", {})
        for function in (tool["function"] for tool in tools)
    }


def _bare(text: str) -> str:
    return _UNSEEN.sub("", text).translate(_STAND_INS).casefold()


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    elif value is not None:
        yield value


def _regions(text: str, called: re.Pattern[str], reach: int) -> Iterator[str]:
    """Yield what stands around the places where a tool is called; near ones are one region."""
    regions: list[list[int]] = []
    for found in called.finditer(text):
        begin, end = max(0, found.start() - reach), found.end() + reach
        if regions and begin <= regions[-1][1]:
            regions[-1][1] = end
        else:
            regions.append([begin, end])
    return (_bare(text[begin:end]) for begin, end in regions)
