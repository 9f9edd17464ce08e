"""The staff's command `aiscene`: what the world knows, who knows what and from whom, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from ai_assistant.api import staging
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.scene_shown import (
    member_named,
    members_of,
    person,
    standing,
    state_of,
    title_of,
)
from ai_assistant.commands.shown import minute
from ai_assistant.commands.staff.aiscene_shown import decided, in_full, known_line, world_line
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.parts import iso
from ai_assistant.roleplay.message_formats import container_name
from ai_assistant.roleplay.places import path_text, places_in
from ai_assistant.roleplay.scene import GAME, SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_counts import load_played, people_of, who_knows
from ai_assistant.storage.scene_rows import as_of, load_scenes

NEWEST = 15
MOST_SHOWN = 100
MOST_PEOPLE = 50
LOOKED_THROUGH = 2000
"""Rows of a container, the newest first, among which a look for a place or for words goes."""
_ASKED = re.compile(
    r"(?P<name>.+?)(?: day (?P<day>\d{1,9}))?"
    r"(?: until (?P<until>\d{4}-\d\d-\d\d(?: \d\d:\d\d)?))?(?: at (?P<place>.+))?"
)


class CmdAIScene(AICommand):
    """
    look into scenes: the world's record, and who knows what

    Usage:
      aiscene                          all scenes
      aiscene <scene>                  how it stands, and who remembers how much
      aiscene/world <scene> [= <n>, at <place>, or <words>]
                                       the world's record of it
      aiscene/why <scene> [= <n>, or #<row>]
                                       who took part, and by which rule; of one
                                       line also what each got of it
      aiscene/knows <scene> = <name> [day <d>] [until <date>] [at <place>]
                                       what somebody remembers, now; or knew at
                                       the end of that day, or at that time (UTC)
      aiscene/who <scene> = <words>    who knows of something, and from whom
      aiscene/update <scene> = <name>: <what>
                                       record what became of somebody
      aiscene/set <scene> = <name>: <value>
      aiscene/day <scene> = <n>        the day of its story
      aiscene/tell <scene> = <#id> <teller> > <hearer>
                                       pass a memory on
      aiscene/fold <scene> = <name> before <day>
                                       summarise somebody's old days
      aiscene/remove <scene> = <name>  take somebody out of it
      aiscene/stop <scene>             end it

    A scene is named by part of its title or by its number in the list; the game
    itself is 0. A place is meant with all that lies in it. Confidence below 0.5
    means that no rule knew, so that all who could hear took part. Builders look,
    Admins act.

    Examples:
      aiscene/why 0 = 5
      aiscene/knows sword = alice day 5
      aiscene/who sword = the old map

    """

    key = "aiscene"
    aliases = ["aiworld"]
    verbs = {
        "": ("do_list", "Builder"),
        "world": ("do_world", "Builder"),
        "why": ("do_why", "Builder"),
        "knows": ("do_knows", "Builder"),
        "who": ("do_who", "Builder"),
        "update": ("do_update", "Admin"),
        "set": ("do_set", "Admin"),
        "day": ("do_day", "Admin"),
        "tell": ("do_tell", "Admin"),
        "fold": ("do_fold", "Admin"),
        "remove": ("do_remove", "Admin"),
        "stop": ("do_stop", "Admin"),
    }

    def do_list(self) -> None:
        """List the scenes, or show how one stands."""
        if self.args.strip():
            return self.show("\n".join(self._standing(_scene(self.args))))
        rows = [_row(number, one) for number, one in enumerate(_all())]
        return self.show(self.table(("#", "Title", "State", "Day", "Place", "Members"), rows))

    def _standing(self, scene: SceneState) -> Iterator[str]:
        yield from standing(scene, load_played(scene.id))
        yield f"  |wthe world's record|n: {WorldContainer(scene.id).count()} rows"
        people = people_of(scene.id)[:MOST_PEOPLE]
        rows = [(person(one.character), one.rows, minute(iso(one.last))) for one in people]
        yield ""
        yield self.table(("Whose", "Remembers", "The last of it"), rows)

    def do_world(self) -> None:
        """Show the world's record: the newest, of a place, or with some words."""
        scene = _scene(self.lhs)
        found = self._of_the_world(scene, (self.rhs or "").strip())
        self._tell(f"The world's record of {title_of(scene)}", map(world_line, reversed(found)))

    def _of_the_world(self, scene: SceneState, wanted: str) -> list[MemoryRow]:
        world = WorldContainer(scene.id)
        if not wanted or wanted.isdecimal():
            return world.find(limit=self.number(wanted, NEWEST))
        found = world.find(limit=LOOKED_THROUGH)
        at, _, place = wanted.partition(" ")
        if at == "at" and place:
            there = {one.casefold() for one in places_in(place.strip(), scene.places)}
            return [row for row in found if row.location.casefold() in there][:MOST_SHOWN]
        return [row for row in found if wanted.casefold() in row.content.casefold()][:MOST_SHOWN]

    def do_why(self) -> None:
        """Show who took part in what was said, and why; of one line also what each got of it."""
        scene, wanted = _scene(self.lhs), (self.rhs or "").strip()
        world = WorldContainer(scene.id)
        if wanted.startswith("#"):
            return self._tell(f"{wanted} of {title_of(scene)}", self._why_one(scene, wanted))
        decisions = world.decisions(self.number(wanted, NEWEST))[::-1]
        lines = {row.id: row for row in world.rows([one["row"] for one in decisions])}
        told = (line for one in decisions for line in decided(one, lines.get(one["row"])))
        return self._tell(f"Who took part, in {title_of(scene)}", told)

    def _why_one(self, scene: SceneState, ref: str) -> Iterator[str]:
        world = WorldContainer(scene.id)
        found = world.rows([_number(ref)])
        event = found[0].meta.get("event", "") if found else ""
        for one in world.decisions(1, event) if event else ():
            yield from decided(one, found[0])
            yield f"  |xin {container_name(scene.id)}|n"
            for who in one["participants"]:
                own = Container(scene.id, who["id"]).find(where={"event": event}, limit=1)
                yield from (line for row in own for line in in_full(person(who["id"]), row))

    def do_knows(self) -> None:
        """Show what somebody remembers of a scene, now or as it was known then."""
        scene = _scene(self.lhs)
        found = _ASKED.fullmatch((self.rhs or "").strip())
        asked = found.groupdict() if found else {"name": ""}
        who = self._who(asked["name"])
        container = Container(scene.id, entity_id(who))
        day, until, place = (asked.get(one) or "" for one in ("day", "until", "place"))
        if day or until:
            moment = _moment(until) if until else None
            then = {"day": int(day) if day else None, "at": moment}
            rows = as_of(container, **then, limit=LOOKED_THROUGH)
        else:
            rows = container.find(limit=LOOKED_THROUGH)[::-1]
        if place:
            there = {one.casefold() for one in places_in(place.strip(), scene.places)}
            rows = [row for row in rows if row.location.casefold() in there]
        when = f"{f' by the end of day {day}' if day else ''}{f' until {until}' if until else ''}"
        title = f"What {name_of(who)} knows of {title_of(scene)}{when}"
        self._tell(title, map(known_line, rows[-MOST_SHOWN:]))

    def do_who(self) -> None:
        """Show who knows of something, since when, and from whom."""
        scene, words = _scene(self.lhs), (self.rhs or "").strip()
        if not words:
            raise AssistantError("Who knows of what? Usage: aiscene/who <scene> = <words>")
        found = who_knows(scene.id, words, MOST_SHOWN)
        held: dict[str, list[MemoryRow]] = {}
        for row in reversed(found):
            held.setdefault(row.container, []).append(row)
        told = [line for who, some in held.items() for line in _held(who, some)]
        self._tell(f"Who knows of '{clean(words, 40)}' in {title_of(scene)}", told)

    def _tell(self, title: str, lines: Iterable[str]) -> None:
        told = list(lines) or ["  Nothing."]
        self.show("\n".join([f"|w{title}|n", *told]))

    def do_update(self) -> None:
        """Record what became of somebody."""
        scene = _scene(self.lhs)
        name, what = self._pair()
        row = staging.record_update(self._who(name), what, "staff", session=scene.id)
        self.msg(f"Recorded: {row.content}")

    def do_set(self) -> None:
        """Set a value of a scene."""
        name, value = self._pair()
        staging.set_scene(_scene(self.lhs).id, name, value)
        self.msg(f"{clean(name, 40)} is {clean(value)} now.")

    def do_day(self) -> None:
        """Set the day of a story, or of the game."""
        typed = (self.rhs or "").strip()
        if not typed.isdecimal():
            raise AssistantError("Which day? 0 goes by the game's clock.")
        scene = staging.set_scene_day(_scene(self.lhs).id, int(typed[:9]))
        self.msg(f"It is day {SCENES.day(scene)} there.")

    def do_tell(self) -> None:
        """Let somebody tell somebody what they remember."""
        scene = _scene(self.lhs)
        ref, _, names = (self.rhs or "").strip().partition(" ")
        teller, _, hearer = names.partition(">")
        who, to = self._who(teller), self._who(hearer)
        found = Container(scene.id, entity_id(who)).rows([_number(ref)])
        if not found:
            raise AssistantError(f"{name_of(who)} remembers nothing under {clean(ref, 20)} there.")
        told = staging.tell(found[0], who, to)
        self.msg(f"{name_of(to)} has it from {name_of(who)}, with a trust of {told.trust:.2f}.")

    def do_fold(self) -> None:
        """Summarise old days in somebody's container."""
        name, _, day = (self.rhs or "").partition(" before ")
        if not day.strip().isdecimal():
            raise AssistantError("Usage: aiscene/fold <scene> = <name> before <day>")
        who = self._who(name)
        count = staging.fold(_scene(self.lhs).id, entity_id(who), int(day.strip()[:9]))
        self.msg(f"{count} memories of {name_of(who)} made place for summaries.")

    def do_remove(self) -> None:
        """Take somebody out of a scene, also one who is gone from the game."""
        scene = _scene(self.lhs)
        who = member_named(scene, self.rhs or "")
        after = staging.remove(scene.id, who.id)
        over = " It is over now." if after.is_over else ""
        self.msg(f"{who.name} plays in '{scene.title}' no more.{over}")

    def do_stop(self) -> None:
        """End a scene."""
        scene = staging.stop_scene(_scene(self.lhs).id)
        self.msg(f"'{scene.title}' is over.")

    def _pair(self) -> tuple[str, str]:
        name, value = self.halves()
        if not (name and value):
            raise AssistantError(f"Usage: {self.key}/{self.switches[0]} <scene> = <name>: <text>")
        return name, value

    def _who(self, name: str) -> Any:
        found = self.caller.search(name.strip(), global_search=True, quiet=True)
        if len(found) != 1:
            raise AssistantError(f"Who is '{clean(name, 40)}'? Give a name or #number.")
        return found[0]


def _all() -> list[SceneState]:
    return [SCENES.get(GAME), *(one for one in load_scenes() if one.id != GAME)]


def _scene(name: str) -> SceneState:
    """Return the scene that is meant. Raises `AssistantError` naming the choices."""
    known, wanted = _all(), name.strip().casefold()
    if wanted.isdecimal() and int(wanted[:9]) < len(known):
        return known[int(wanted[:9])]
    found = [one for one in known[1:] if wanted and wanted in one.title.casefold()]
    if len(found) == 1:
        return found[0]
    titles = ", ".join(f"{number} {one.title}" for number, one in enumerate(known) if number)
    raise AssistantError(f"Which scene: 0 the game itself{', ' if titles else ''}{titles}?")


def _moment(typed: str) -> float:
    """Return a time that was typed, as it is shown. Raises `AssistantError` for none."""
    try:
        return datetime.fromisoformat(typed).replace(tzinfo=UTC).timestamp()
    except ValueError as error:
        raise AssistantError("Until when? As in: until 2026-11-21 18:00") from error


def _number(ref: str) -> int:
    """Return the number of a row as it is shown, ``#12``; 0 for what is none."""
    typed = ref.strip().removeprefix("#")[:9]
    return int(typed) if typed.isdecimal() else 0


def _held(who: str, rows: Iterable[MemoryRow]) -> list[str]:
    return [f" {person(who)}", *map(known_line, rows)]


def _row(number: int, scene: SceneState) -> tuple[object, ...]:
    where = path_text(scene.scene, scene.places)
    day = SCENES.day(scene)
    return (number, title_of(scene), state_of(scene), day, where, members_of(scene))
