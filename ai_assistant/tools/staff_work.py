"""Tools for staff alone: each puts an act before whoever asked for it, and does nothing itself.

What there is follows from the game's settings; without those there is none of them. Where others
talk as well, `heed_staff` leads to them, and to a game's own tools that need a rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from ai_assistant.core.contracts import Category, Json
from ai_assistant.tools.registry import Tool, tool
from ai_assistant.tools.schema import Handle, Prose
from ai_assistant.tools.tool_reach import ToolContext

SHORT, LONG = Prose(60, 1), Prose(600)


def staff_tools(
    commands: Sequence[str], attributes: Sequence[str], templates: Sequence[str], *, building: bool
) -> list[Tool]:
    """Return the tools that a game allows: with exactly these commands, Attributes and templates.

    `building` allows rooms and descriptions.
    """
    listed = ((execute_command, commands), (set_attribute, attributes), (spawn, templates))
    found = [_limited(made, choices) for made, choices in listed if choices]
    return [*found, build_room, describe] if building else found


def _limited(made: Tool, choices: Sequence[str]) -> Tool:
    """Return a tool whose first parameter is one of these."""
    first, *rest = made.params
    return replace(made, params=(replace(first, choices=tuple(choices)), *rest))


@tool(needs="staff", leads_on=True)
def heed_staff(turn: ToolContext) -> Json:
    """Do what staff asked of you: put aside what others said, and have the tools for it then."""
    turn.reach.heed_staff()
    return {"next": "What staff said stands alone before you now."}


@tool(
    Category.DANGEROUS,
    proposes=True,
    permission="Admin",
    about={"command": "", "target": "To what, if anything."},
)
def execute_command(
    turn: ToolContext, command: str, target: Annotated[str, Handle("any")] = ""
) -> Json:
    """Ask staff to let you use a command of the game."""
    return _propose(turn, "execute_command", {"command": command}, target)


@tool(
    Category.DANGEROUS,
    proposes=True,
    permission="Admin",
    about={"attribute": "", "value": "", "target": "Of whom or what."},
)
def set_attribute(
    turn: ToolContext,
    attribute: str,
    value: Annotated[str, SHORT],
    target: Annotated[str, Handle("any")],
) -> Json:
    """Ask staff to let you set a value of a person or thing."""
    return _propose(turn, "set_attribute", {"attribute": attribute, "value": value}, target)


@tool(Category.DANGEROUS, proposes=True, permission="Builder", about={"template": ""})
def spawn(turn: ToolContext, template: str) -> Json:
    """Ask staff to let you make a thing here."""
    return _propose(turn, "spawn", {"template": template})


@tool(
    Category.DANGEROUS,
    proposes=True,
    permission="Builder",
    about={
        "name": "",
        "description": "What one sees there.",
        "way": "What the way there is called.",
        "back": "What the way back is called.",
    },
)
def build_room(
    turn: ToolContext,
    name: Annotated[str, SHORT],
    description: Annotated[str, LONG],
    way: Annotated[str, SHORT],
    back: Annotated[str, SHORT],
) -> Json:
    """Ask staff to let you build a room next to this one."""
    told = {"name": name, "description": description, "way": way, "back": back}
    return _propose(turn, "build_room", told)


@tool(
    Category.DANGEROUS,
    proposes=True,
    permission="Builder",
    about={"description": "", "target": "Of whom or what; leave it out for this place."},
)
def describe(
    turn: ToolContext, description: Annotated[str, LONG], target: Annotated[str, Handle("any")] = ""
) -> Json:
    """Ask staff to let you describe something anew."""
    return _propose(turn, "describe", {"description": description}, target)


def _propose(turn: ToolContext, act: str, arguments: Json, target: str = "") -> Json:
    if target:
        arguments["target"] = turn.thing(target, "any").entity.id
    return turn.reach.propose(act, arguments)
