"""The command `airel`: how assistants feel about the people they met."""

from __future__ import annotations

from ai_assistant.commands.base import AICommand, columns
from ai_assistant.commands.people import describe, find_person, people_of, told_apart
from ai_assistant.commands.shown import minute
from ai_assistant.contracts import Json
from ai_assistant.errors import AssistantError
from ai_assistant.identity import name_of
from ai_assistant.text import clean, with_article

WHOLE = 1.0
"""Staff may move favorability over its whole range at once."""


class CmdAIRel(AICommand):
    """
    see and set how an assistant feels about people

    Usage:
      airel <assistant>                         everybody it met, dearest first
      airel <assistant> = <person>              all that it holds about one of them
      airel/history <assistant> = <person>      what moved its heart, newest first
      airel/set <assistant> = <person>: <favorability> [<reason>]

    Favorability goes from 0 to 1: stranger below 0.25, acquaintance below 0.5, friend below 0.75,
    then ally. A number with a sign, such as +0.1, is added. Builders look, Admins set; what is set
    is put on record.

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
    switch_options = tuple(verb for verb in verbs if verb)

    def do_show(self) -> None:
        """Show everybody, or one of them."""
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
        titles = ("Name", "Kind", "State", "Favorability", "Met", "Times", "Last", "Noted")
        self.show(columns(titles, (_row(names[key], known[key]) for key in dearest)))

    def do_history(self) -> None:
        """Show every change of favorability that is on record."""
        character = self.wanted(self.lhs)
        _, profile = find_person(character, self.rhs or "")
        history = profile["relationship"]["history"]
        if not history:
            self.msg(f"Nothing has moved {name_of(character)} about {profile['name']} yet.")
            return
        rows = [
            (minute(one["timestamp"]), f"{one['delta']:+.2f}", _private(one), one["reason"])
            for one in reversed(history)
        ]
        self.show(columns(("When", "Change", "", "Why"), rows))

    def do_set(self) -> None:
        """Set favorability, or move it."""
        character = self.wanted(self.lhs)
        name, _, rest = (self.rhs or "").partition(":")
        entity_id, profile = find_person(character, name)
        number, _, reason = rest.strip().partition(" ")
        now = profile["relationship"]["favorability"]
        change = character.profiles.update_relationship(
            entity_id,
            _delta(number, now),
            clean(reason) or f"set by {self.caller.key}",
            limit=WHOLE,
        )
        self.msg(
            f"{profile['name']} is {with_article(change['new_state'])} to {name_of(character)} "
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
            "Give a favorability from 0 to 1, such as 0.6, or a step such as +0.1: "
            "airel/set <assistant> = <person>: 0.6"
        )
    return number if signed else number - now


def _favorability(profile: Json) -> float:
    value: float = profile["relationship"]["favorability"]
    return value


def _row(name: str, profile: Json) -> tuple[object, ...]:
    bond = profile["relationship"]
    return (
        name,
        profile["entity_type"],
        bond["state"],
        f"{bond['favorability']:.2f}",
        profile["created"][:10],
        bond["interaction_count"],
        minute(profile["last_interaction"]),
        len(profile["observations"]) + len(profile["attributes"]),
    )


def _private(item: Json) -> str:
    return "" if item["readers"] == "*" else "private"
