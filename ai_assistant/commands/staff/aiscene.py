"""The staff's command `aiscene`: what the world knows, who knows what and from whom, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ai_assistant import conf
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.stories.looking import (
    LOOKED_THROUGH,
    MOST_SHOWN,
    Look,
    at_place,
    knowers,
    known_by,
    lines_report,
    rows_report,
    write_report,
)
from ai_assistant.api.stories.missed_lines import Attendance
from ai_assistant.api.stories.scene_cards import export_scene
from ai_assistant.api.stories.scene_log import LISTED, scene_log
from ai_assistant.commands import choosing, rows_shown, scene_shown
from ai_assistant.commands.choosing import find_anybody
from ai_assistant.commands.command_base import number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.commands.staff.aiscene_cards import SceneCards
from ai_assistant.core.text import clean, counted, typed_number
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.places import path_text
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import WorldContainer, ledgers
from ai_assistant.storage.scene_rows import holders_of

NEWEST = 15
MOST_PEOPLE = 50
_NOT_ALL = "the newest alone: name a day or a place, or have more in a file by aiscene/export"
_ASKED = re.compile(
    r"(?P<name>.+?)(?: day (?P<day>\d{1,9}))?"
    r"(?: until (?P<until>\d{4}-\d\d-\d\d(?: \d\d:\d\d)?))?(?: at (?P<place>.+))?"
)


class CmdAIScene(SceneCards):
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
      aiscene/log <scene> [= <n>]      what was changed of it, when and by whom
      aiscene/export <scene> = <file> why [<n>], world [<...>], knows <...>
                                       or who <...>: what these find, in a file of
                                       the folder of cards (.md, .json)
      aiscene/create <title>           make a scene without playing in it
      aiscene/import <file>            make one of a card (.yaml, .json)
      aiscene/export <scene> [= <file>]
                                       write its card
      aiscene/add <scene> = <name>     put somebody into it
      aiscene/role <scene> = <name>: <role>
                                       let somebody play a role of its card
      aiscene/start <scene>            let it run
      aiscene/update <scene> = <name>: <what>
                                       record what became of somebody
      aiscene/set <scene> = <name>: <value>
      aiscene/unset <scene> = <name>   take that back; of several say which:
                                       thing sword, place cave
      aiscene/day <scene> = <n>        the day of its story
      aiscene/room <place>             let this room be a place of stories, where
                                       walking takes the story; none: of none
      aiscene/tell <scene> = <#id> <teller> > <hearer>
                                       pass a memory on
      aiscene/undo <scene> [= <n>, or #<row>]
                                       take the last line back, or the last n; or
                                       that line of the record and all since
      aiscene/branch <scene> = [#<row>:] <title>
                                       go on as another scene, from that line of
                                       the record or from now; this one rests
      aiscene/fold <scene> = <name> before <day>
                                       summarise somebody's old days
      aiscene/correct <scene> = #<row>: <words>
                                       let somebody remember it so from today's
                                       day of the story on
      aiscene/correct <scene> = #<row> who: <names>
                                       put right who took part in that line of
                                       the record (or nobody), and who knows it
      aiscene/remove <scene> = <name>  take somebody out of it
      aiscene/stop <scene>             end it

    A scene is named by part of its title or by its number in the list; the game
    itself is 0. A place is meant with all that lies in it. A filter has
    conditions such as: gameDay >= 5, participants = Alice, isSpeaker = false.
    Confidence below 0.5 means that no rule knew, so that all who could hear
    took part. Builders look, Admins act.

    Examples:
      aiscene/why 0 = 5                   aiscene/world sword = 20
      aiscene/recap sword = 5             aiscene/who sword = the old map
      aiscene/knows sword = alice day 5
      aiscene/correct sword = #12 who: alice, bob
      aiscene/export sword = alice.md knows alice day 5
      aiscene/correct sword = #12: The map is behind the mill.
      aiscene/tell sword = #12 alice > tansy
      aiscene/update sword = alice: broke her arm
      aiscene/fold sword = alice before 5
      aiscene/undo sword                  aiscene/remove sword = bram
      aiscene/export sword = sword.yaml   aiscene/branch sword = The Mill
      aiscene/stop mill                   aiscene/create The Wake
      aiscene/import bell.yaml            aiscene/add bell = bram
      aiscene/role bell = bram: smith     aiscene/log bell
      aiscene/set bell = quest: find the clapper
      aiscene/unset bell = quest          aiscene/room the cellar
      aiscene/start bell                  aiscene/day bell = 3

    """

    key = "aiscene"

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
            for number, scene in enumerate(scene_shown.listed_scenes())
        ]
        self.show(self.table(("#", "Title", "State", "Day", "Place", "Members"), rows))

    def _show_one(self, scene: SceneState) -> None:
        rows = [
            (scene_shown.person(own.character), own.rows, minute(iso(own.last)))
            for own in holders_of(scene.id)[:MOST_PEOPLE]
        ]
        record = f"  |wthe world's record|n: {counted(WorldContainer(scene.id).count(), 'row')}"
        table = ["", self.table(("Whose", "Remembers", "Latest"), rows)] if rows else []
        self.show([*scene_shown.standing(scene), record, *table])

    @switch("world", named=True)
    def _world(self, scene: SceneState) -> None:
        found = _asked_world(scene, self.rhs or "").rows
        title = f"The world's record of {scene_shown.title_of(scene)}"
        self._tell(title, map(rows_shown.world_line, found[-MOST_SHOWN:]), len(found) <= MOST_SHOWN)

    @switch("recap", named=True)
    def _recap(self, scene: SceneState) -> None:
        until = {}
        if self.rhs:
            day = scene_shown.day_in(self.rhs, "Usage: aiscene/recap <scene> = 5")
            until = {"game_day": ("<=", day)}
        found = WorldContainer(scene.id).find(where=until, limit=MOST_SHOWN + 1)
        told = (line for row in found[:MOST_SHOWN][::-1] for line in rows_shown.recorded(row))
        title = f"The tale of {scene_shown.title_of(scene)}"
        self._tell(title, told, len(found) <= MOST_SHOWN)

    @switch("why", named=True)
    def _why(self, scene: SceneState) -> None:
        wanted = self.rhs or ""
        if wanted.startswith("#"):
            self._tell(
                f"{wanted} of {scene_shown.title_of(scene)}",
                rows_shown.one_decided(scene, typed_number(wanted)),
            )
            self._tell_forgotten(scene)
            return
        world, asked = WorldContainer(scene.id), number_in(wanted, NEWEST)
        decisions = world.participations(min(asked, MOST_SHOWN))[::-1]
        lines = {row.id: row for row in world.rows([made["row"] for made in decisions])}
        attendance, members = Attendance(scene.id), scene.participants()
        told = (
            line
            for made in decisions
            for line in rows_shown.decided(
                made, lines.get(made["row"]), attendance.missed(made, members)
            )
        )
        title = f"Who took part, in {scene_shown.title_of(scene)}"
        self._tell(title, told, asked <= MOST_SHOWN)
        self._tell_forgotten(scene)

    def _tell_forgotten(self, scene: SceneState) -> None:
        """Say when one of those who play in it was last made to forget something, if ever."""
        who = scene.participants() or map(entity_id, all_assistants())
        at = [record.at for member in who for record in ledgers.last(member, "Forgotten", 1)]
        if at:
            self.msg(f"|xWhat was forgotten, last on {minute(iso(max(at)))}, is not shown.|n")

    @switch("log", named=True)
    def _log(self, scene: SceneState) -> None:
        found = scene_log(scene, number_in(self.rhs, LISTED))
        rows = [(minute(one.at), one.what, one.was, one.now, one.by) for one in found]
        self.show_table(("When", "What", "Before", "Then", "By"), rows, "Nothing was changed yet.")

    @switch("knows", named=True)
    def _knows(self, scene: SceneState) -> None:
        who, seen, when = self._asked_knows(scene, self.rhs or "")
        title = f"What {name_of(who)} knows of {scene_shown.title_of(scene)}{when}"
        is_whole = seen.is_whole and len(seen.rows) <= MOST_SHOWN
        self._tell(title, map(rows_shown.known_line, seen.rows[-MOST_SHOWN:]), is_whole)

    def _asked_knows(self, scene: SceneState, words: str) -> tuple[Any, Look, str]:
        """Return who is meant by what was typed, what that one knows, and as of when."""
        typed, where = choosing.words_and_filter(words, choosing.id_finder(self.caller))
        asked = _ASKED.fullmatch(typed)
        name, day, until, place = asked.groups("") if asked else ("", "", "", "")
        who = find_anybody(self.caller, name)
        seen = known_by(
            scene,
            who,
            day=int(day) if day else None,
            until=scene_shown.moment_in(until) if until else None,
            place=place,
            fits=lambda rows: choosing.fitting(rows, where),
        )
        when = f"{f' by the end of day {day}' if day else ''}{f' until {until}' if until else ''}"
        return who, seen, when

    @switch("who", named=True)
    def _who(self, scene: SceneState) -> None:
        if not self.rhs:
            raise Misused("Who knows of what? Usage:")
        held, is_whole = knowers(scene, self.rhs, MOST_SHOWN)
        told = (
            line
            for who, rows in held.items()
            for line in (f" {scene_shown.person(who)}", *map(rows_shown.known_line, rows))
        )
        title = f"Who knows of '{clean(self.rhs, 40)}' in {scene_shown.title_of(scene)}"
        self._tell(title, told, is_whole)

    def _tell(self, title: str, lines: Iterable[str], is_whole: bool = True) -> None:
        """Show what was found, page by page, and say where that is not all."""
        more = "" if is_whole else f" |x({_NOT_ALL})|n"
        self.show([f"|w{title}|n{more}", *(list(lines) or ["  Nothing."])])

    @switch("export", "Admin", named=True)
    def _export(self, scene: SceneState) -> None:
        file, _, asked = (self.rhs or "").partition(" ")
        kind, _, words = asked.strip().partition(" ")
        if not kind:
            self.msg(f"It is in {conf.settings.CARDS}/{export_scene(scene, file)}.")
            return
        if kind == "why":
            found = lines_report(scene, min(number_in(words, NEWEST), LOOKED_THROUGH), asked)
        elif kind == "world":
            seen = _asked_world(scene, words)
            found = rows_report(scene, {WORLD: seen.rows}, asked, is_whole=seen.is_whole)
        elif kind == "knows":
            who, seen, _ = self._asked_knows(scene, words)
            held = {entity_id(who): seen.rows}
            found = rows_report(scene, held, asked, is_whole=seen.is_whole)
        elif kind == "who" and words:
            held, is_whole = knowers(scene, words, LOOKED_THROUGH)
            found = rows_report(scene, held, asked, is_whole=is_whole)
        else:
            raise Misused("What goes into which file?")
        self.msg(f"It is in {conf.settings.CARDS}/{write_report(found, file)}.")

    def wanted(self, name: str) -> SceneState:
        """Return the scene that is meant. Raises `AssistantError` naming the choices."""
        choices = scene_shown.scene_choices(scene_shown.listed_scenes(), first=0)
        return choosing.choose(name, "scene", choices)


def _asked_world(scene: SceneState, wanted: str) -> Look:
    """Return what is meant of the world's record: the newest, those of a place, or with words."""
    is_counted = not wanted or wanted.isdecimal()
    most = number_in(wanted, NEWEST) if is_counted else LOOKED_THROUGH
    newest = WorldContainer(scene.id).find(limit=most + 1)
    found = newest[:most][::-1]
    if wanted.startswith("at "):
        found = at_place(found, wanted[3:], scene)
    elif not is_counted:
        found = [row for row in found if wanted.casefold() in row.content.casefold()]
    return Look(found, len(newest) <= most)
