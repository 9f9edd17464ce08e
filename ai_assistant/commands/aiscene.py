"""The staff's command `aiscene`: what the world knows, who knows what and from whom, and why."""

from __future__ import annotations

from typing import Any

from ai_assistant import staging
from ai_assistant.commands.base import AICommand
from ai_assistant.commands.shown import minute
from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.errors import AssistantError
from ai_assistant.identity import entity_id, find, name_of
from ai_assistant.memory.hearsay import sources_of
from ai_assistant.memory.parts import iso
from ai_assistant.roleplay.formats import container_name
from ai_assistant.roleplay.scene import GAME, SceneState
from ai_assistant.scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scenes import as_of, load_scenes
from ai_assistant.text import clean

NEWEST = 15


class CmdAIScene(AICommand):
    """
    look into scenes: the world's record, and who knows what

    Usage:
      aiscene                          all scenes
      aiscene/world <scene> [= <n>]    the newest of its world container
      aiscene/why <scene> [= <n>]      who took part, and by which rule
      aiscene/knows <scene> = <name> [day <d>]
                                       what somebody remembers, then or now
      aiscene/update <scene> = <name>: <what>
                                       record what became of somebody
      aiscene/set <scene> = <name>: <value>
      aiscene/day <scene> = <n>        the day of its story
      aiscene/tell <scene> = <#id> <teller> > <hearer>
                                       pass a memory on
      aiscene/fold <scene> = <name> before <day>
                                       summarise somebody's old days
      aiscene/stop <scene>             end it

    A scene is named by part of its title or by its number in the list; the game
    itself is 0. Confidence below 0.5 means that no rule knew, so that all who
    could hear took part. Builders look, Admins act.

    Examples:
      aiscene/why 0 = 5
      aiscene/knows sword = alice day 5

    """

    key = "aiscene"
    aliases = ["aiworld"]
    verbs = {
        "": ("do_list", "Builder"),
        "world": ("do_world", "Builder"),
        "why": ("do_why", "Builder"),
        "knows": ("do_knows", "Builder"),
        "update": ("do_update", "Admin"),
        "set": ("do_set", "Admin"),
        "day": ("do_day", "Admin"),
        "tell": ("do_tell", "Admin"),
        "fold": ("do_fold", "Admin"),
        "stop": ("do_stop", "Admin"),
    }

    def do_list(self) -> None:
        """List the scenes."""
        rows = [_row(number, one) for number, one in enumerate(_all())]
        self.show(self.table(("#", "Title", "State", "Day", "Place", "Members"), rows))

    def do_world(self) -> None:
        """Show the world's record."""
        scene = _scene(self.lhs)
        found = WorldContainer(scene.id).find(limit=self.number(self.rhs, NEWEST))
        told = [f"|w{container_name(scene.id)}|n"]
        told += [f"  #{row.id} {row.kind}: {row.content}" for row in reversed(found)]
        self.show("\n".join(told))

    def do_why(self) -> None:
        """Show who took part, and why."""
        world = WorldContainer(_scene(self.lhs).id)
        told = []
        for one in world.decisions(self.number(self.rhs, NEWEST)):
            lines = world.find(where={"event": one["event"]}, limit=1)
            told += [f"|w{minute(iso(one['at']))}|n {lines[0].content if lines else '(forgotten)'}"]
            told += [f"  {_part(who)}" for who in one["participants"]]
            took = {who["id"] for who in one["participants"]}
            others = [_name(who) for who in one["hearers"] if who not in took]
            told += [f"  only overheard by: {', '.join(others)}"] if others else []
        self.show("\n".join(told) or "Nothing was said yet.")

    def do_knows(self) -> None:
        """Show what somebody remembers of a scene."""
        scene = _scene(self.lhs)
        name, _, day = (self.rhs or "").partition(" day ")
        who = self._who(name)
        container = Container(scene.id, entity_id(who))
        if day.strip().isdecimal():
            found = as_of(container, day=int(day.strip()[:9]))
        else:
            found = container.find(limit=NEWEST)[::-1]
        told = [f"|w{container_name(scene.id, name_of(who))}|n", *map(_known, found)]
        self.show("\n".join(told))

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
        number = int(ref[1:10]) if ref[1:10].isdecimal() else 0
        rows = Container(scene.id, entity_id(who)).find(limit=5000)
        row = next((one for one in rows if one.id == number), None)
        if row is None:
            raise AssistantError(f"{name_of(who)} remembers nothing under {clean(ref, 20)} there.")
        told = staging.tell(row, who, to)
        self.msg(f"{name_of(to)} has it from {name_of(who)}, with a trust of {told.trust:.2f}.")

    def do_fold(self) -> None:
        """Summarise old days in somebody's container."""
        name, _, day = (self.rhs or "").partition(" before ")
        if not day.strip().isdecimal():
            raise AssistantError("Say: aiscene/fold <scene> = <name> before <day>")
        who = self._who(name)
        count = staging.fold(_scene(self.lhs).id, entity_id(who), int(day.strip()[:9]))
        self.msg(f"{count} memories of {name_of(who)} made place for summaries.")

    def do_stop(self) -> None:
        """End a scene."""
        scene = staging.stop_scene(_scene(self.lhs).id)
        self.msg(f"'{scene.title}' is over.")

    def _pair(self) -> tuple[str, str]:
        name, _, value = (self.rhs or "").partition(":")
        if not (name.strip() and value.strip()):
            raise AssistantError(f"Say: {self.key}/{self.switches[0]} <scene> = <name>: <text>")
        return name.strip(), value.strip()

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


def _row(number: int, scene: SceneState) -> tuple[object, ...]:
    members = ", ".join(one.name for one in scene.members) or "everybody"
    title = scene.title or "the game itself"
    return (number, title, scene.status, SCENES.day(scene), scene.scene, members)


def _part(one: Json) -> str:
    return f"{_name(one['id'])}: {one['confidence']:.2f} ({one['rule'].replace('_', ' ')})"


def _name(who: str) -> str:
    body = find(who)
    return name_of(body) if body else "somebody gone"


def _way(told: Json) -> str:
    """Return through whom something came, whose word it is first, then who told whom."""
    through = [_name(one) for one in told["chain"]]
    return " > ".join([told["author_name"] or "the world", *through])


def _known(row: MemoryRow) -> str:
    source = row.author_name or row.meta.get("source", "")
    source = "; ".join(map(_way, sources_of(row))) or source
    private = "" if row.readers == "*" else " |m(private)|n"
    by = f" from {source}" if source else ""
    return (
        f"  #{row.id} day {row.game_day}, {row.kind}{by} ({row.trust:.2f}): {row.content}{private}"
    )
