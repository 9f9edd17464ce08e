"""The command `airel`: how assistants feel about the people they met."""

from __future__ import annotations

from typing import Any

from evennia.objects.objects import DefaultCharacter

from ai_assistant.api.handlers import store_of
from ai_assistant.commands import choosing
from ai_assistant.commands.command_base import AICommand, halves, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute, profile_lines
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean, with_article
from ai_assistant.game.identity import entity_id, name_of
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
      airel marrek = alice                airel/history marrek = alice
      airel/set marrek = alice: 0.6 she saved his boat
      airel/set marrek = alice: -0.1

    """

    key = "airel"
    aliases = ["airelationships"]

    @switch("")
    def _show(self) -> None:
        if not self.args:
            self.overview(("Name", "People", "Dearest"), _overview)
            return
        character = self.wanted(self.lhs)
        if self.rhs:
            self.show(profile_lines(character, *choosing.find_person(character, self.rhs)))
            return
        known = choosing.people_of(character)
        names = choosing.told_apart(known)
        dearest = sorted(known, key=lambda key: (-_favorability(known[key]), names[key]))
        titles = ("Name", "Kind", "State", "Favor", "Met", "Exchanges", "Last", "Noted")
        rows = [_row(names[key], known[key]) for key in dearest]
        self.show_table(titles, rows, f"{name_of(character)} has met nobody yet.")

    @switch("history", named=True)
    def _history(self, character: Any) -> None:
        _, profile = choosing.find_person(character, self.rhs or "")
        bond = profile["relationship"]
        if not bond["history"]:
            raise AssistantError(
                f"Nothing has moved {name_of(character)} about {profile['name']} yet."
            )
        find = store_of(character).rows.find
        rows = []
        for change in reversed(bond["history"]):
            private = "" if change["readers"] == OPEN else "private"
            line = find({"event": change["event"]}, 1) if change.get("event") else []
            words = line[0].content if line else ""
            when, delta = minute(change["timestamp"]), f"{change['delta']:+.2f}"
            rows.append((when, delta, private, change["reason"], words))
        table = self.table(("When", "Change", "", "Why", "Line"), rows)
        now, rest = f"{bond['favorability']:.2f}", f"{bond['rest']:.2f}"
        drift = f"It is {now} and drifts to {rest}, half of the way in {HALF_LIFE:g} days."
        self.show((table, drift if now != rest else f"It rests at {rest}."))

    @switch("set", "Admin", named=True)
    def _set(self, character: Any) -> None:
        name, rest = halves(self.rhs)
        key, profile = _find_whoever(character, name, self.caller)
        number, _, reason = rest.partition(" ")
        now = _favorability(profile)
        change = character.profiles.by(self.caller.key).update_relationship(
            key,
            _delta(number, now),
            clean(reason) or f"set by {self.caller.key}",
            limit=WHOLE,
        )
        name = character.profiles.get_entity_profile(key)["name"]
        self.msg(
            f"{name} is {with_article(change['new_state'])} to {name_of(character)} "
            f"({change['favorability']:.2f}, was {now:.2f})."
        )


def _find_whoever(character: Any, name: str, looker: Any) -> tuple[str, Json]:
    """Return (entity id, profile) of one whom it met, else of one whom `looker` finds by name."""
    if name and not choosing.matching(name, choosing.people_choices(choosing.people_of(character))):
        found = looker.search(name, global_search=True, quiet=True)
        people = [who for who in found if isinstance(who, DefaultCharacter) and who != character]
        if len(people) == 1:
            key = entity_id(people[0])
            return key, character.profiles.get_entity_profile(key)
    return choosing.find_person(character, name)


def _delta(text: str, now: float) -> float:
    """Return by how much to move favorability for ``0.6`` or ``+0.1``; raises `AssistantError`."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    signed = text[:1] in ("+", "-")
    if not (-1 if signed else 0) <= number <= 1:
        raise Misused("Give a favorability from 0 to 1, or a step such as +0.1. Usage:")
    return number if signed else number - now


def _favorability(profile: Json) -> float:
    value: float = profile["relationship"]["favorability"]
    return value


def _overview(character: Any) -> tuple[object, ...]:
    known = choosing.people_of(character)
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


*_LOWER, (_, _HIGHEST) = STATES
_THRESHOLDS = "".join(f"{name} below {below:g}, " for below, name in _LOWER) + f"then {_HIGHEST}"
CmdAIRel.__doc__ = (CmdAIRel.__doc__ or "").replace("{states}", _THRESHOLDS)
