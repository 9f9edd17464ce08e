"""Help on switches: what a usage says of each, where `help` looks for it, and which there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import cleandoc

from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import spelled_like

_USAGE = re.compile(r"^Usage:\n((?:(?: .*)?\n)+)", re.MULTILINE)
_ENTRY = re.compile(r"^  \S.*\n(?:   +\S.*\n)*", re.MULTILINE)
"""A line of a usage, with those that stand further in below it: they belong to it."""

_SAME = {
    **{"end": "stop", "finish": "stop", "begin": "start", "exit": "leave", "quit": "leave"},
    **{"new": "create", "make": "create", "del": "delete"},
}
"""Words that people type for a switch of another name."""


class Misused(AssistantError):
    """Usage:"""  # so its message begins, or ends; what the help says of the switch follows


def with_topics(key: str, text: str, switches: Iterable[str]) -> str:
    """Return a help text with a subtopic for each switch of a command.

    Args:
        key: The command.
        text: Its help text, in which `Usage:` begins the lines that name the switches.
        switches: Its switches; the empty one, the command alone, has no topic.
    """
    topics = (
        f"## {switch}\n\n  {entries_of(key, text, switch)}\n\n{_examples_of(key, text, switch)}"
        f"All of it: |whelp {key}|n"
        for switch in sorted(switches)
        if switch
    )
    return "\n\n".join([cleandoc(text), "# SUBTOPICS", *topics])


def entries_of(key: str, text: str, switch: str) -> str:
    """Return what the usage in a help text says of a switch: its lines as they stand there."""
    usage = _USAGE.search(f"{cleandoc(text)}\n")
    entries = _ENTRY.findall(usage[1]) if usage else []
    named = re.compile(rf"(?<!\S){key}/{switch}\b" if switch else rf"  {key}(?![/\w])")
    return "".join(entry for entry in entries if named.search(entry)).strip()


def examples_in(text: str) -> list[str]:
    """Return the lines to type under `Examples:` in a help text; two of them may share a line."""
    shown = cleandoc(text).partition("Examples:\n")[2]
    return [line for line in re.split(r"\n|  +", shown) if line]


def _examples_of(key: str, text: str, switch: str) -> str:
    shown = [line for line in examples_in(text) if re.match(rf"{key}/{switch}\b", line)]
    return "\n  ".join(["Examples:", *shown]) + "\n\n" if shown else ""


def alike(typed: str, switches: Iterable[str]) -> list[str]:
    """Return the switches that somebody may have meant by a word like one, or of its meaning."""
    return spelled_like(_SAME.get(typed, typed), switches)


def ways_told(key: str, meant: Iterable[str], there: Iterable[str]) -> str:
    """Say which switches of a command may have been meant, else which are `there`, and where all
    is told of them.
    """
    ways = [f"{key}/{switch}" for switch in meant if switch]
    known = ", ".join(f"{key}/{switch}" for switch in there if switch)
    told = f"Did you mean {', '.join(ways)}?" if ways else f"There are {known}."
    return f"{told} See |whelp {key}|n."
