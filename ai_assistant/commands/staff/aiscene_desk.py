"""The desk of `aiscene`: staff make scenes and run them without playing in them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api import staging
from ai_assistant.api.stories.branching import branch_scene
from ai_assistant.api.stories.telling_chapters import (
    chapter_lines,
    tell_all,
    tell_day,
    tell_over,
)
from ai_assistant.api.stories.undoing import take_back_lines
from ai_assistant.api.stories.who_was_there import (
    bodies_concerned,
    correct_participants,
    what_changes,
    who_was_there,
)
from ai_assistant.commands import scene_shown
from ai_assistant.commands.choosing import find_anybody
from ai_assistant.commands.command_base import (
    AICommand,
    halves,
    must_edit,
    must_hold,
    number_in,
    switch,
)
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted, typed_number
from ai_assistant.game.identity import entity_id, find, is_assistant, name_of, reference
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.story_acts import LONGEST_PLACE, link_room
from ai_assistant.storage import Container
from ai_assistant.storage.scene_rows import owner_of_row


class SceneDesk(AICommand):
    """
    The switches of `aiscene` that make, fill, run, correct and end a scene.

    """

    @switch("create", "Admin", takes=1, writes="")
    def _create(self) -> None:
        if not clean(self.args):
            raise Misused("What is it called?")
        scene = staging.create_scene(self.args, by=self.caller.key)
        self.msg(f"'{scene.title}' is made, with nobody in it: aiscene/add, then aiscene/start.")

    @switch("add", "Admin", named=True)
    def _add(self, scene: SceneState) -> None:
        who = find_anybody(self.caller, self.rhs or "")
        must_edit(self.caller, who)
        after = cast_in_scene(scene, who, by=self.caller.key)
        self.msg(f"In '{after.title}' play: {scene_shown.members_of(after)}.")

    @switch("start", "Admin", named=True, takes=1)
    def _start(self, scene: SceneState) -> None:
        after = raise_curtain(scene, by=self.caller.key)
        self.msg(f"'{after.title}' runs with {scene_shown.members_of(after)}.")

    @switch("remove", "Admin", named=True)
    def _remove(self, scene: SceneState) -> None:
        who = scene_shown.member_named(scene, self.rhs or "")
        after = staging.remove_member(scene.id, who.id, by=self.caller.key)
        over = " It is over now." if after.is_over else ""
        self.msg(f"{who.name} plays in '{scene.title}' no more.{over}")
        if over:
            tell_over(scene)

    @switch("stop", "Admin", named=True, takes=1)
    def _stop(self, scene: SceneState) -> None:
        drop_curtain(scene, by=self.caller.key)
        self.msg(f"'{scene.title}' is over.")

    @switch("set", "Admin", named=True)
    def _set(self, scene: SceneState) -> None:
        name, value = self.name_and_text()
        staging.set_scene(scene.id, name, value, staff=self.caller.key)
        self.msg(f"{clean(name, 40)} is {clean(value)} now.")

    @switch("unset", "Admin", named=True)
    def _unset(self, scene: SceneState) -> None:
        if not self.rhs:
            raise Misused("What is to be taken back?")
        staging.set_scene(scene.id, self.rhs, None, staff=self.caller.key)
        self.msg(f"{clean(self.rhs, 60)} is set no more.")

    @switch("day", "Admin", named=True)
    def _day(self, scene: SceneState) -> None:
        day = scene_shown.day_in(self.rhs, "0 goes by the game's clock.")
        after = turn_day(scene, day, by=self.caller.key)
        self.msg(f"It is day {SCENES.day(after)} there.")

    @switch("correct", "Admin", named=True)
    def _correct(self, scene: SceneState) -> Generator[str, str, None]:
        ref, words = self.name_and_text()
        line, _, asked = ref.partition(" ")
        row = typed_number(line)
        if asked == "who":
            yield from self._correct_who(scene, row, words)
            return
        who = find(owner_of_row(scene.id, row))
        if who is None:
            raise AssistantError(
                f"Nobody remembers {clean(ref, 20)} of {scene_shown.title_of(scene)}."
            )
        must_edit(self.caller, who)
        new = staging.correct_by_staff(scene, who, row, words, by=self.caller.key)
        self.msg(f"{name_of(who)} remembers from day {new.game_day} on: {new.content}")

    def _correct_who(self, scene: SceneState, row: int, names: str) -> Generator[str, str, None]:
        listed = filter(None, map(str.strip, names.split(",")))
        people = [] if names == "nobody" else [find_anybody(self.caller, name) for name in listed]
        who = list(map(entity_id, people))
        made = who_was_there(scene, row, who)
        for body in bodies_concerned(made):
            must_edit(self.caller, body)
        told = spoken_words(made.line.content)
        self.show([f"|c#{row}|n {made.line.author_name}: {told}", *what_changes(made)])
        if (yield from self.confirmed(f"Put right who took part in #{row}")):
            must_hold(self.caller, "Admin")
            correct_participants(scene, row, who, by=self.caller.key)
            self.msg(f"That is right now: {', '.join(map(scene_shown.person, made.participants))}.")

    @switch("undo", "Admin", named=True)
    def _undo(self, scene: SceneState) -> None:
        wanted, row = self.rhs or "1", 0
        if wanted.startswith("#"):
            wanted, row = "1", typed_number(wanted) or -1
        work = rewind_scene(scene, number_in(wanted, 1), row, by=self.caller.key)

        def told(done: tuple[SceneState, int]) -> None:
            after, lines = done
            self.msg(f"Taken back: {counted(lines, 'line')}. {scene_shown.headline(after)}")

        work.addCallback(told).addErrback(self.failed)

    @switch("branch", "Admin", named=True)
    def _branch(self, scene: SceneState) -> None:
        if not self.rhs:
            raise Misused("What is the branch called?")
        ref, title = halves(self.rhs) if self.rhs.startswith("#") else ("", self.rhs)
        row = typed_number(ref) or -1 if ref else 0
        made = fork_scene(scene, title, row, by=self.caller.key)
        self.msg(scene_shown.branched(scene, made))

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
        found = Container(scene.id, entity_id(teller)).rows([typed_number(ref)])
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

    def name_and_text(self) -> tuple[str, str]:
        """Return what follows the equal sign, before its colon and after. Raises `Misused`."""
        name, value = halves(self.rhs)
        if not (name and value):
            raise Misused
        return name, value


def cast_in_scene(scene: SceneState, who: Any, *, by: str) -> SceneState:
    """Put somebody into a scene, and tell all who play. Raises `AssistantError`."""
    if not (is_assistant(who) or reference(who).kind == "player"):
        raise AssistantError(f"{name_of(who)} is nobody who could play.")
    after = staging.join_scene(scene.id, who, by=by)
    tell_all(after, scene_shown.newcomer_line(name_of(who), after))
    stands = f"You play in '{after.title}': |wscene|n shows how it stands."
    who.msg("\n".join([stands, *chapter_lines(after, entity_id(who))]))
    return after


def raise_curtain(scene: SceneState, *, by: str) -> SceneState:
    """Let a scene run, and tell all who play. Raises `AssistantError`."""
    if not scene.members:
        raise AssistantError("Nobody is in it yet: aiscene/add <scene> = <name>")
    if scene.is_running:
        raise AssistantError("It runs already.")
    after = staging.start_scene(scene.id, by=by)
    tell_all(after, f"{scene_shown.begun(after)}: |wscene|n shows how it stands.")
    return after


def drop_curtain(scene: SceneState, *, by: str) -> SceneState:
    """End a scene, and tell all who played. Raises `AssistantError`, also where it is over."""
    if scene.is_over:
        raise AssistantError("It is over already.")
    after = staging.stop_scene(scene.id, by=by)
    tell_over(after)
    return after


def turn_day(scene: SceneState, day: int, *, by: str) -> SceneState:
    """Set the day of a scene's story, and tell all who play."""
    after = staging.set_scene_day(scene.id, day, by=by)
    if after.id:
        tell_day(after)
    return after


def rewind_scene(
    scene: SceneState, count: int, row: int, *, by: str
) -> Deferred[tuple[SceneState, int]]:
    """Take lines back as `take_back_lines` does, and tell all who play."""

    def told(done: tuple[SceneState, int]) -> tuple[SceneState, int]:
        after, lines = done[0], scene_shown.lines_taken(done[1])
        tell_all(after, f"{by} takes back {lines} of '{after.title}'.")
        return done

    return take_back_lines(scene.id, count, row=row, by=by).addCallback(told)


def fork_scene(scene: SceneState, title: str, row: int, *, by: str) -> SceneState:
    """Let a scene go on as another as `branch_scene` does, and tell all who play."""
    made = branch_scene(scene.id, title, row=row, by=by)
    tell_all(made, scene_shown.branched(scene, made))
    return made
