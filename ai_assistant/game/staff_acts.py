"""Staff acts: what a character does once staff confirmed it: commands, Attributes, building.

Everything is checked when it is done: the settings, the permissions of the character and of whoever
asked, and the target's lock for both. No text of a model or player becomes part of a command.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings as django_settings
from evennia.commands.cmdhandler import cmdhandler
from evennia.prototypes import spawner
from evennia.utils.create import create_object
from evennia.utils.evmenu import InputCmdSet

from ai_assistant import conf
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.game.consent import moderate
from ai_assistant.game.handling import collect_told, first, is_at_hand
from ai_assistant.game.identity import find, is_puppeted, name_of
from ai_assistant.game.quiet import QUIET

PROMPTS = ("_getinput", "_evmenu", "_eveditor", "_more")
"""Where Evennia notes that the next line somebody types is an answer."""
LONGEST_TOLD = 400
MOST_LINES = 3
"""Of a text that stands in the world."""


def do_act(act: str, arguments: Json, me: Any, asker: Any) -> str:
    """Do a confirmed act; return what came of it, or raise `ToolError` if it is not allowed."""
    target = check(act, arguments, me, asker)
    return _ACTS[act].run(arguments, me, asker, target)


def check(act: str, arguments: Json, me: Any, asker: Any) -> Any:
    """Return the target of an act; raises `ToolError` if the act is not allowed now."""
    kind = _ACTS[act]
    for who in (me, asker):
        if not who.locks.check_lockstring(who, f"may:perm({kind.permission})"):
            raise ToolError(f"{name_of(who)} does not hold the permission {kind.permission}.")
    if not kind.is_allowed(arguments):
        raise ToolError("The game's settings do not allow that.")
    must_be_free(me)
    target = find(arguments["target"]) if "target" in arguments else me.location
    if target is None or not (target in (me, me.location) or is_at_hand(me, target)):
        raise ToolError("That is not here any more.")
    if kind.edits and not all(target.access(who, "edit") for who in (me, asker)):
        raise ToolError(f"The lock of {name_of(target)} does not let it be changed.")
    return target


def moderated(act: str, arguments: Json, me: Any) -> Json:
    """Return an act's arguments as the game's moderation allows them to stand in the world.

    Raises `ToolError` where it drops one.
    """
    allowed = dict(arguments)
    for name in _ACTS[act].words:
        allowed[name], refused = moderate(arguments[name], me, [me.location], MOST_LINES)
        if refused:
            raise ToolError(f"The {name} may not stand there: {refused}.")
    return allowed


def must_be_free(me: Any) -> None:
    """Raise `ToolError` unless the character may act, for itself, and owes no command an answer."""
    if is_puppeted(me) or me.is_superuser:
        raise ToolError("Somebody else is in this body, or it has all rights there are.")
    if any(me.nattributes.has(name) for name in PROMPTS) or me.cmdset.has(InputCmdSet):
        raise ToolError("The game waits for an answer from it.")
    if QUIET.reason(me):
        raise ToolError("It was told to be quiet.")


def act_in_words(act: str, arguments: Json, asker: Any) -> str:
    """Return an act with its exact arguments in words, for whoever is to confirm it."""
    told = []
    for name, value in arguments.items():
        id = value["id"] if isinstance(value, dict) else value if name == "target" else None
        thing = find(id) if id else None
        shown = f"{name_of(thing, asker)} ({thing.dbref})" if thing is not None else f"'{value}'"
        told.append(f"{name} {shown}")
    return f"{act.replace('_', ' ')}: {', '.join(told)}"


def _command(arguments: Json, me: Any, asker: Any, target: Any) -> str:
    key = arguments["command"]
    own = me.cmdset.current.commands if me.cmdset.current else ()
    found = next((command for command in own if command.key == key), None)
    if found is None or not all(found.access(who, "cmd") for who in (me, asker)):
        raise ToolError(f"{name_of(me)} has no command '{key}' that both of you may use.")
    # Neither nicks nor any other command of that name take part, as they would in a typed line.
    line = f" {target.dbref}" if "target" in arguments else ""
    before = me.cmdset.all()
    with collect_told(me) as told:
        cmdhandler(me, line, callertype="object", cmdobj=found, cmdobj_key=key)
    if _break_off(me, before):
        return "It asked something back, and was broken off."
    return first(told)[:LONGEST_TOLD] or "It is done."


def _break_off(me: Any, before: list[Any]) -> bool:
    """End commands that wait for an answer, so that no later line is taken for one."""
    waits = [name for name in PROMPTS if me.nattributes.has(name)]
    for name in waits:
        me.nattributes.remove(name)
    for added in me.cmdset.all() if waits else ():
        if added not in before:
            me.cmdset.remove(added)
    return bool(waits)


def _attribute(arguments: Json, me: Any, asker: Any, target: Any) -> str:
    name, text = arguments["attribute"], arguments["value"]
    held = target.attributes.get(name, return_obj=True)
    both = (me, asker)
    if held is not None and not all(held.access(who, "attredit", default=True) for who in both):
        raise ToolError(f"The lock of '{name}' does not let it be changed.")
    value = _read_like(held.value if held is not None else "", text)
    target.attributes.add(name, value)
    return f"{name} of {name_of(target)} is {value} now."


def _read_like(old: Any, text: str) -> Any:
    """Return a typed value as the type of the old one: a number stays one, all else is text."""
    if isinstance(old, bool) or not isinstance(old, int | float):
        return text
    try:
        number = type(old)(text)
    except ValueError as error:
        raise ToolError(f"'{clean(text, 40)}' is not a number, and {old} stands there.") from error
    if not math.isfinite(number):
        raise ToolError("That is not a number to count with.")
    return number


def _spawn(arguments: Json, me: Any, asker: Any, here: Any) -> str:
    prototype = conf.settings.SPAWN_TEMPLATES[arguments["template"]]
    base = {"prototype_parent": prototype} if isinstance(prototype, str) else dict(prototype)
    (made,) = spawner.spawn(base | {"location": here, "home": here})
    return f"{name_of(made)} ({made.dbref}) is here."


def _build(arguments: Json, me: Any, asker: Any, here: Any) -> str:
    room = create_object(django_settings.BASE_ROOM_TYPECLASS, key=arguments["name"])
    room.db.desc = arguments["description"]
    for key, start, end in ((arguments["way"], here, room), (arguments["back"], room, here)):
        exits = django_settings.BASE_EXIT_TYPECLASS
        create_object(exits, key=key, location=start, home=start, destination=end)
    return f"{name_of(room)} ({room.dbref}) lies beyond '{arguments['way']}'."


def _describe(arguments: Json, me: Any, asker: Any, target: Any) -> str:
    target.db.desc = arguments["description"]
    return f"{name_of(target)} is described anew."


@dataclass(frozen=True, slots=True)
class StaffAct:
    """One kind of act: who may ask for it, what the settings allow, and how it is done."""

    permission: str
    """What whoever asks has to hold."""
    run: Callable[[Json, Any, Any, Any], str]
    """Does it, and returns in words what was done."""
    is_allowed: Callable[[Json], bool]
    """Do the settings allow it with these arguments?"""
    edits: bool = True
    """Has the target's `edit` lock to let both of them in? Where none is named, it is the place."""
    words: tuple[str, ...] = ()
    """The arguments that a model words, and that others will read."""


_ACTS = {
    "execute_command": StaffAct(
        "Admin",
        _command,
        lambda given: given["command"] in conf.settings.STAFF_COMMANDS,
        edits=False,  # the command asks the locks that it goes by
    ),
    "set_attribute": StaffAct(
        "Admin",
        _attribute,
        lambda given: given["attribute"] in conf.settings.STAFF_ATTRIBUTES,
        words=("value",),
    ),
    "spawn": StaffAct(
        "Builder", _spawn, lambda given: given["template"] in conf.settings.SPAWN_TEMPLATES
    ),
    "build_room": StaffAct(
        "Builder",
        _build,
        lambda given: conf.settings.BUILDING,
        words=("name", "description", "way", "back"),
    ),
    "describe": StaffAct(
        "Builder", _describe, lambda given: conf.settings.BUILDING, words=("description",)
    ),
}
