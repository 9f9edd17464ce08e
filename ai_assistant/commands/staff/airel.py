"""The command `airel`: how assistants feel about the people they met."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.find_person import (
    describe,
    find_anybody,
    find_person,
    people_of,
    told_apart,
)
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, with_article
from ai_assistant.game.identity import name_of
from ai_assistant.memory.people.feelings import HALF_LIFE, STATES

WHOLE = 1.0
"""Staff may move favorability over its whole range at once."""


class CmdAIRel(AICommand):
    """
    see and set how an assistant feels about people

    Usage:
      airel                                   who knows how many, likes whom best
      airel <assistant>                       everybody it met, dearest first
      airel <assistant> = <person>            all that it holds about one of them
      airel/history <assistant> = <person>    what moved its heart, newest first,
                                              by which line, and where it drifts
      airel/set <assistant> = <person>: <favorability> [<reason>]

    Favorability goes from 0 to 1:
    {states}.
    A number with a sign, such as +0.1, is added. What is set stays; what
    words have moved fades again, and half of a deed. The person may be somebody
    whom the assistant has yet to meet: a sister, an old foe. Builders look,
    Admins set; what is set is put on record.

    Examples:
      airel marrek = alice
      airel/set marrek = alice: 0.6 she saved his boat
      airel/set marrek = alice: -0.1

    """

    key = "airel"
    aliases = ["airelationships"]
    verbs = {
        "": ("do_show", "Builder"),
        "history": ("do_history", "Builder"),
        "set": ("do_set", "Admin"),
    }

    def do_show(self) -> None:
        """Show how all get on, or whom one met, or one of those."""
        if not self.args.strip():
            self.overview(("Name", "People", "Dearest"), _overview)
            return
        character = self.wanted(self.lhs)
        if self.rhs:
            entity_id, profile = find_person(character, self.rhs)
            self.show(describe(character, entity_id, profile))
            return
        known = people_of(character)
        if not known:
            self.msg(f"{name_of(character)} has met nobody yet.")
            return
        names = told_apart(known)
        dearest = sorted(known, key=lambda key: (-_favorability(known[key]), names[key]))
        titles = ("Name", "Kind", "State", "Favor", "Met", "Times", "Last", "Noted")
        self.show(self.table(titles, (_row(names[key], known[key]) for key in dearest)))

    def do_history(self) -> None:
        """Show every change of favorability that is on record, and where it drifts."""
        character = self.wanted(self.lhs)
        _, profile = find_person(character, self.rhs or "")
        history = profile["relationship"]["history"]
        if not history:
            self.msg(f"Nothing has moved {name_of(character)} about {profile['name']} yet.")
            return
        rows = [
            (minute(one["timestamp"]), f"{one['delta']:+.2f}", _private(one), one["reason"],
             _line(character, one.get("event", "")))
            for one in reversed(history)
        ]  # fmt: skip
        self.show(self.table(("When", "Change", "", "Why", "Line"), rows))
        self.msg(_drift(profile))

    def do_set(self) -> None:
        """Set favorability, or move it."""
        character = self.wanted(self.lhs)
        name, rest = self.halves()
        entity_id, profile = find_anybody(character, name, self.caller)
        number, _, reason = rest.partition(" ")
        now = profile["relationship"]["favorability"]
        change = character.profiles.update_relationship(
            entity_id,
            _delta(number, now),
            clean(reason) or f"set by {self.caller.key}",
            limit=WHOLE,
        )
        name = character.profiles.get_entity_profile(entity_id)["name"]
        self.msg(
            f"{name} is {with_article(change['new_state'])} to {name_of(character)} "
            f"({change['favorability']:.2f}, was {now:.2f})."
        )


def _delta(text: str, now: float) -> float:
    """Return by how much to move favorability for ``0.6`` or ``+0.1``; raises `AssistantError`."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    signed = text[:1] in ("+", "-")
    if not (-1 if signed else 0) <= number <= 1:
        raise AssistantError(
            "Give a favorability from 0 to 1, or a step such as +0.1. "
            "Usage: airel/set <assistant> = <person>: <favorability> [<reason>]"
        )
    return number if signed else number - now


def _favorability(profile: Json) -> float:
    value: float = profile["relationship"]["favorability"]
    return value


def _overview(character: Any) -> tuple[object, ...]:
    known = people_of(character)
    dearest = max(known.values(), key=_favorability, default=None)
    liked = f"{dearest['name']} ({_favorability(dearest):.2f})" if dearest else ""
    return name_of(character), len(known), liked


def _row(name: str, profile: Json) -> tuple[object, ...]:
    bond = profile["relationship"]
    return (
        name,
        profile["entity_type"],
        bond["state"],
        f"{bond['favorability']:.2f}",
        profile["created"][:10],
        bond["interaction_count"],
        profile["last_interaction"][:10],
        len(profile["observations"]) + len(profile["attributes"]),
    )


def _line(character: Any, event: str) -> str:
    """Return the line that a change came from; empty where it is known no more."""
    found = store_of(character).rows.find({"event": event}, 1) if event else []
    return found[0].content if found else ""


def _drift(profile: Json) -> str:
    bond = profile["relationship"]
    now, rest = f"{bond['favorability']:.2f}", f"{bond['rest']:.2f}"
    if now == rest:
        return f"It rests at {rest}."
    return f"It is {now} and drifts to {rest}, half of the way in {HALF_LIFE:g} days."


def _private(item: Json) -> str:
    return "" if item["readers"] == "*" else "private"


*_LOWER, (_, _HIGHEST) = STATES
_THRESHOLDS = "".join(f"{name} below {below:g}, " for below, name in _LOWER) + f"then {_HIGHEST}"
CmdAIRel.__doc__ = (CmdAIRel.__doc__ or "").replace("{states}", _THRESHOLDS)
