"""The staff's command `aiscene`: what the world knows, who knows what and from whom, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ai_assistant.api import staging
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import choosing, scene_shown
from ai_assistant.commands.choosing import find_anybody
from ai_assistant.commands.command_base import must_edit, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.commands.staff.aiscene_desk import SceneDesk, shown_number
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.message_formats import container_name
from ai_assistant.roleplay.places import path_text, places_in
from ai_assistant.roleplay.scene import GAME, SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.story_acts import LONGEST_PLACE, link_room
from ai_assistant.storage import Container, WorldContainer, ledgers
from ai_assistant.storage.scene_rows import as_of, holders_of, load_scenes, who_knows

NEWEST = 15
MOST_SHOWN = 100
MOST_PEOPLE = 50
LOOKED_THROUGH = 2000
"""Rows of a container, the newest first, among which a look for a place or for words goes."""
_ASKED = re.compile(
    r"(?P<name>.+?)(?: day (?P<day>\d{1,9}))?"
    r"(?: until (?P<until>\d{4}-\d\d-\d\d(?: \d\d:\d\d)?))?(?: at (?P<place>.+))?"
)


class CmdAIScene(SceneDesk):
    """
    look into scenes: the world's record, and who knows what

    Usage:
      aiscene                          all scenes
      aiscene <scene>                  how it stands, and who remembers how much
      aiscene/world <scene> [= <n>, at <place>, or <words>]
                                       the world's record of it
      aiscene/recap <scene> [= <day>]  the newest of it as a tale; or as it stood
                                       at the end of that day
      aiscene/why <scene> [= <n>, or #<row>]
                                       who took part, and by which rule; of one
                                       line also what each got of it
      aiscene/knows <scene> = <name> [day <d>] [until <date>] [at <place>]
                                       [where <filter>]
                                       what somebody remembers, now; or knew at
                                       the end of that day, or at that time (UTC)
      aiscene/who <scene> = <words>    who knows of something, and from whom
      aiscene/create <title>           make a scene without playing in it
      aiscene/add <scene> = <name>     put somebody into it
      aiscene/start <scene>            let it run
      aiscene/update <scene> = <name>: <what>
                                       record what became of somebody
      aiscene/set <scene> = <name>: <value>
      aiscene/day <scene> = <n>        the day of its story
      aiscene/room <place>             let this room be a place of stories, where
                                       walking takes the story; none: of none
      aiscene/tell <scene> = <#id> <teller> > <hearer>
                                       pass a memory on
      aiscene/fold <scene> = <name> before <day>
                                       summarise somebody's old days
      aiscene/correct <scene> = #<row>: <words>
                                       let somebody remember it so from today's
                                       day of the story on
      aiscene/remove <scene> = <name>  take somebody out of it
      aiscene/stop <scene>             end it

    A scene is named by part of its title or by its number in the list; the game
    itself is 0. A place is meant with all that lies in it. A filter has
    conditions such as: gameDay >= 5, participants = Alice, isSpeaker = false.
    Confidence below 0.5 means that no rule knew, so that all who could hear
    took part. Builders look, Admins act.

    Examples:
      aiscene/why 0 = 5
      aiscene/knows sword = alice day 5
      aiscene/who sword = the old map

    """

    key = "aiscene"
    aliases = ["aiworld"]

    @switch("", takes=1)
    def _list(self) -> None:
        if self.args:
            self._show_one(self.wanted(self.lhs))
            return
        rows = [
            (
                number,
                scene_shown.title_of(scene),
                scene_shown.scene_state_word(scene),
                SCENES.day(scene),
                path_text(scene.scene, scene.places),
                scene_shown.members_of(scene),
            )
            for number, scene in enumerate(_all())
        ]
        self.show(self.table(("#", "Title", "State", "Day", "Place", "Members"), rows))

    def _show_one(self, scene: SceneState) -> None:
        rows = [
            (scene_shown.person(own.character), own.rows, minute(iso(own.last)))
            for own in holders_of(scene.id)[:MOST_PEOPLE]
        ]
        record = f"  |wthe world's record|n: {counted(WorldContainer(scene.id).count(), 'row')}"
        table = self.table(("Whose", "Remembers", "The last of it"), rows)
        self.show([*scene_shown.standing(scene), record, "", table])

    @switch("world", named=True)
    def _world(self, scene: SceneState) -> None:
        wanted = self.rhs or ""
        world = WorldContainer(scene.id)
        if not wanted or wanted.isdecimal():
            found = world.find(limit=number_in(wanted, NEWEST))
        elif wanted.startswith("at "):
            found = _at(world.find(limit=LOOKED_THROUGH), wanted[3:], scene)
        else:
            words = wanted.casefold()
            rows = world.find(limit=LOOKED_THROUGH)
            found = [row for row in rows if words in row.content.casefold()]
        title = f"The world's record of {scene_shown.title_of(scene)}"
        self._tell(title, map(scene_shown.world_line, reversed(found[:MOST_SHOWN])))

    @switch("recap", named=True)
    def _recap(self, scene: SceneState) -> None:
        until = {}
        if self.rhs:
            day = scene_shown.day_in(self.rhs, "Usage: aiscene/recap <scene> = 5")
            until = {"game_day": ("<=", day)}
        found = WorldContainer(scene.id).find(where=until, limit=MOST_SHOWN)[::-1]
        told = (line for row in found for line in scene_shown.recorded(row, scene))
        self._tell(f"The tale of {scene_shown.title_of(scene)}", told)

    @switch("why", named=True)
    def _why(self, scene: SceneState) -> None:
        wanted = self.rhs or ""
        if wanted.startswith("#"):
            self._tell(f"{wanted} of {scene_shown.title_of(scene)}", _why_one(scene, wanted))
            self._tell_forgotten(scene)
            return
        world = WorldContainer(scene.id)
        decisions = world.participations(number_in(wanted, NEWEST))[::-1]
        lines = {row.id: row for row in world.rows([made["row"] for made in decisions])}
        told = (
            line for made in decisions for line in scene_shown.decided(made, lines.get(made["row"]))
        )
        self._tell(f"Who took part, in {scene_shown.title_of(scene)}", told)
        self._tell_forgotten(scene)

    def _tell_forgotten(self, scene: SceneState) -> None:
        """Say when one of those who play in it was last made to forget something, if ever."""
        who = scene.participants() or map(entity_id, all_assistants())
        at = [record.at for one in who for record in ledgers.last(one, "Forgotten", 1)]
        if at:
            self.msg(f"|xWhat was forgotten, last on {minute(iso(max(at)))}, is not shown.|n")

    @switch("knows", named=True)
    def _knows(self, scene: SceneState) -> None:
        typed, where = choosing.words_and_filter(self.rhs or "", choosing.id_finder(self.caller))
        asked = _ASKED.fullmatch(typed)
        name, day, until, place = asked.groups("") if asked else ("", "", "", "")
        who = find_anybody(self.caller, name)
        container = Container(scene.id, entity_id(who))
        if day or until:
            moment = scene_shown.moment_in(until) if until else None
            then = int(day) if day else None
            rows = as_of(container, day=then, at=moment, limit=LOOKED_THROUGH)
        else:
            rows = container.find(limit=LOOKED_THROUGH)[::-1]
        rows = choosing.fitting(rows, where)
        if place:
            rows = _at(rows, place, scene)
        when = f"{f' by the end of day {day}' if day else ''}{f' until {until}' if until else ''}"
        title = f"What {name_of(who)} knows of {scene_shown.title_of(scene)}{when}"
        self._tell(title, map(scene_shown.known_line, rows[-MOST_SHOWN:]))

    @switch("who", named=True)
    def _who(self, scene: SceneState) -> None:
        if not self.rhs:
            raise Misused("Who knows of what? Usage:")
        held: dict[str, list[str]] = {}
        for row in reversed(who_knows(scene.id, self.rhs, MOST_SHOWN)):
            name = f" {scene_shown.person(row.container)}"
            held.setdefault(row.container, [name]).append(scene_shown.known_line(row))
        told = (line for lines in held.values() for line in lines)
        self._tell(f"Who knows of '{clean(self.rhs, 40)}' in {scene_shown.title_of(scene)}", told)

    def _tell(self, title: str, lines: Iterable[str]) -> None:
        self.show([f"|w{title}|n", *(list(lines) or ["  Nothing."])])

    @switch("update", "Admin", named=True)
    def _update(self, scene: SceneState) -> None:
        name, what = self.name_and_text()
        who = find_anybody(self.caller, name)
        must_edit(self.caller, who)
        row = staging.record_update(who, what, "staff", session=scene.id)
        self.msg(f"Recorded: {row.content}")

    @switch("room", "Admin", takes=1, writes="")
    def _room(self) -> None:
        room, place = self.caller.location, clean(self.args, LONGEST_PLACE)
        if room is None or not place:
            raise Misused("Which place is the room where you are?")
        must_edit(self.caller, room)
        link_room(room, "" if place == "none" else place)
        self.msg(f"{name_of(room)} is {'no place' if place == 'none' else place} in stories now.")

    @switch("tell", "Admin", named=True)
    def _pass_on(self, scene: SceneState) -> None:
        ref, _, names = (self.rhs or "").partition(" ")
        teller, hearer = (find_anybody(self.caller, name) for name in names.partition(">")[::2])
        must_edit(self.caller, hearer)
        found = Container(scene.id, entity_id(teller)).rows([shown_number(ref)])
        if not found:
            nothing = f"remembers nothing under {clean(ref, 20)} there."
            raise AssistantError(f"{name_of(teller)} {nothing}")
        told = staging.tell(found[0], teller, hearer)
        self.msg(
            f"{name_of(hearer)} has it from {name_of(teller)}, with a trust of {told.trust:.2f}."
        )

    @switch("fold", "Admin", named=True)
    def _fold(self, scene: SceneState) -> None:
        name, _, day = (self.rhs or "").partition(" before ")
        before = scene_shown.day_in(day, "Usage: aiscene/fold <scene> = <name> before <day>")
        who = find_anybody(self.caller, name)
        must_edit(self.caller, who)
        count = staging.fold_container(scene.id, entity_id(who), before)
        memories = counted(count, "memory", "memories")
        self.msg(f"{memories} of {name_of(who)} made place for summaries.")

    def wanted(self, name: str) -> SceneState:
        """Return the scene that is meant. Raises `AssistantError` naming the choices."""
        scene: SceneState = choosing.choose(
            name, "scene", scene_shown.scene_choices(_all(), first=0)
        )
        return scene


def _all() -> list[SceneState]:
    return [SCENES.get(GAME), *(scene for scene in load_scenes() if scene.id != GAME)]


def _at(rows: Iterable[MemoryRow], place: str, scene: SceneState) -> list[MemoryRow]:
    """Return the rows of a place, with all that lies in it."""
    there = {inner.casefold() for inner in places_in(place.strip(), scene.places)}
    return [row for row in rows if row.location.casefold() in there]


def _why_one(scene: SceneState, ref: str) -> Iterator[str]:
    """Yield who took part in one line, and what each has of it."""
    world = WorldContainer(scene.id)
    found = world.rows([shown_number(ref)])
    event = found[0].meta.get("event", "") if found else ""
    for made in world.participations(1, event) if event else ():
        yield from scene_shown.decided(made, found[0])
        yield f"  |xin {container_name(scene.id)}|n"
        for who in made["participants"]:
            own = Container(scene.id, who["id"]).find(where={"event": event}, limit=1)
            yield from (
                line
                for row in own
                for line in scene_shown.in_full(scene_shown.person(who["id"]), row)
            )
