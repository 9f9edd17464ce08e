"""The players' command `scene`: playing a scene together, and what one remembers of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ai_assistant import conf
from ai_assistant.api import staging
from ai_assistant.commands.players.scene_past import ScenePast
from ai_assistant.commands.scene_shown import (
    choices,
    member_named,
    members_of,
    person,
    scene_named,
    standing,
)
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, find, is_assistant, name_of
from ai_assistant.roleplay.recollection import thought
from ai_assistant.roleplay.scene import OPEN, SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_counts import load_played
from ai_assistant.storage.scene_rows import load_scenes, made_since

_DAY = 86_400


class CmdScene(ScenePast):
    """
    play a scene together

    Usage:
      scene                        where you are, and what you can do
      scene/list                   the scenes that you play or played
      scene/create <title>         make one
      scene/join <title or #number>
                                   while one of its players is with you
      scene/invite <character>     let a character here join your scene
      scene/start                  begin to play
      scene/recap [<number>]       the last things that you remember of it
      scene/recap <scene> [= <day>]
                                   the same of any scene of yours, as you
                                   knew it at the end of that day
      scene/recall <words>         look for something that you remember
      scene/think <text>           a thought of yours that nobody hears
      scene/day <number>           the day of the story; 0: by the game's clock
      scene/set <name> = <value>   location, time, quest, plot, policy, or others
      scene/leave                  leave it
      scene/dismiss <name>         take somebody out of it; whoever made it may
      scene/stop                   end it; whoever made it may

    What those in a scene say to each other belongs to the scene: everybody
    remembers what they took part in, and nothing else. When it ends, characters
    keep one short account of it; what was played does not change what they think
    of you. A scene that none of its players comes back to ends after a while.

    The day, the end and all values named above are up to whoever made the scene.
    Under any other name, what you set is your word on something.

    Examples:
      scene/create The Lost Sword
      scene/invite tansy
      scene/set quest = find the sword before the new moon
      scene/start

    """

    key = "scene"
    aliases: list[str] = []
    locks = "cmd:all()"
    help_category = "General"
    verbs = {
        "": ("do_show", ""),
        "create": ("do_create", ""),
        "join": ("do_join", ""),
        "invite": ("do_invite", ""),
        "leave": ("do_leave", ""),
        "dismiss": ("do_dismiss", ""),
        "start": ("do_start", ""),
        "stop": ("do_stop", ""),
        "day": ("do_day", ""),
        "set": ("do_set", ""),
        "list": ("do_list", ""),
        "recap": ("do_recap", ""),
        "recall": ("do_recall", ""),
        "think": ("do_think", ""),
    }

    def may(self, permission: str) -> bool:
        """Everybody may play."""
        return True

    def do_show(self) -> None:
        """Show where one is, what one can do, and the scenes of the people here."""
        mine = self._mine()
        if mine:
            told = [*standing(mine, load_played(mine.id)), choices(mine, self.own_id)]
        else:
            told = ["You are in no scene: what you say belongs to the game."]
            told += ["|wscene/create <title>|n makes one, |wscene/list|n shows those you played."]
        others = self._joinable()
        if others:
            told += ["", self.table(("#", "Title", "State", "Players"), _rows(others))]
            told += [] if mine else ["|wscene/join <title>|n takes you into one of these."]
        self.show("\n".join(told))

    def do_create(self) -> None:
        """Make a scene."""
        if not clean(self.args):
            raise AssistantError("What is it called? Usage: scene/create <title>")
        self._be_free()
        if made_since(self.own_id, time.time() - _DAY) >= conf.settings.SCENES_A_DAY:
            raise AssistantError("You have made many scenes today: go on with it tomorrow.")
        scene = staging.create_scene(self.args, self.caller)
        self.msg(f"'{scene.title}' is made. Invite others, then: |wscene/start|n.")

    def do_join(self) -> None:
        """Join a scene of somebody who is here."""
        self._be_free()
        others = self._joinable()
        if not others:
            raise AssistantError("Nobody who is with you has a scene: go where its players are.")
        meant = scene_named(others, self.args, "Write scene/join #<number>. Which scene")
        scene = staging.join_scene(meant.id, self.caller)
        self._tell_all(scene, f"{name_of(self.caller)} joins '{scene.title}'.")
        self.msg(choices(scene, self.own_id))

    def do_invite(self) -> None:
        """Take an assistant that is here into the own scene."""
        mine = self._my_scene()
        if not self.args.strip():
            raise AssistantError("Whom? Usage: scene/invite <character>")
        body = self.caller.search(self.args.strip())
        if body is None:
            return
        if not is_assistant(body):
            raise AssistantError(f"Players join by themselves: scene/join {mine.title}")
        scene = staging.invite(mine.id, body, self.caller)
        self._tell_all(scene, f"{name_of(body)} joins '{scene.title}'.")

    def do_leave(self) -> None:
        """Leave the own scene."""
        scene = self._my_scene()
        self._tell_all(scene, f"{name_of(self.caller)} leaves '{scene.title}'.")
        staging.leave_scene(scene.id, self.caller)

    def do_dismiss(self) -> None:
        """Take somebody out of the own scene: whoever leads it may."""
        mine = self._my_scene()
        self._be_leader(mine)
        who = member_named(mine, self.args)
        if who.id == self.own_id:
            raise AssistantError("You can leave it: scene/leave")
        staging.remove(mine.id, who.id)
        self._tell_all(mine, f"{who.name} plays in '{mine.title}' no more.")

    def do_start(self) -> None:
        """Let it run."""
        mine = self._my_scene()
        if mine.is_running:
            raise AssistantError("It runs already. scene shows how it stands.")
        scene = staging.start_scene(mine.id)
        self._tell_all(scene, f"'{scene.title}' begins.")

    def do_stop(self) -> None:
        """End it: whoever made it may."""
        scene = self._my_scene()
        if SCENES.leader(scene) != self.own_id:
            raise AssistantError(
                f"{person(SCENES.leader(scene))} ends it; you can leave: scene/leave"
            )
        staging.stop_scene(scene.id)
        self._tell_all(scene, f"'{scene.title}' is over.")

    def do_day(self) -> None:
        """Set the day of the story."""
        typed = self.args.strip()
        if not typed.isdecimal():
            raise AssistantError("Which day? Usage: scene/day 3")
        mine = self._my_scene()
        self._be_leader(mine)
        scene = staging.set_scene_day(mine.id, int(typed[:9]))
        self._tell_all(scene, f"It is day {SCENES.day(scene)} in '{scene.title}'.")

    def do_set(self) -> None:
        """Set a value."""
        if not self.rhs:
            raise AssistantError("Usage: scene/set <name> = <value>")
        scene = staging.set_scene(self._my_scene().id, self.lhs, self.rhs, by=self.caller)
        self._tell_all(scene, f"{clean(self.lhs, 40)}: {clean(self.rhs)}")

    def do_think(self) -> None:
        """Keep a thought."""
        words = clean(self.args)
        if not words:
            raise AssistantError("A thought of what? Usage: scene/think <text>")
        scene = self._my_scene()
        me = (self.own_id, name_of(self.caller))
        row = thought(*me, words, day=SCENES.day(scene), place=scene.scene)
        staging.keep(self.own_id, scene.id, [row])
        self.msg(f"You think: {words}")

    # -- which

    def _my_scene(self) -> SceneState:
        mine = self._mine()
        if mine is None:
            raise AssistantError(
                "You are in no scene; scene/create <title> makes one, scene/join enters one."
            )
        return mine

    def _joinable(self) -> list[SceneState]:
        """Return the scenes of those who are in the same room and can be seen."""
        room = self.caller.location
        seen = room.filter_visible(room.contents, self.caller) if room else ()
        here = {entity_id(one) for one in seen if one.sessions.count()}
        going_on = [*SCENES.running.values(), *load_scenes(OPEN)]
        return [
            one
            for one in going_on
            if one.id and here & {*one.participants()} and not one.has(self.own_id)
        ]

    def _be_leader(self, scene: SceneState) -> None:
        """Raise `AssistantError` where somebody else leads it."""
        leads = SCENES.leader(scene)
        if leads != self.own_id:
            raise AssistantError(f"Only {person(leads)} may change that: the scene's leader.")

    def _be_free(self) -> None:
        """Raise `AssistantError` where one is in a scene."""
        mine = self._mine()
        if mine:
            raise AssistantError(f"You are in '{mine.title}' already; scene/leave leaves it.")

    def _tell_all(self, scene: SceneState, line: str) -> None:
        for one in {*scene.participants(), self.own_id}:
            body = find(one)
            if body is not None:
                body.msg(f"|x{line}|n")


def _rows(scenes: Sequence[SceneState]) -> Iterator[tuple[object, ...]]:
    for number, one in enumerate(scenes, 1):
        yield (f"#{number}", one.title, one.status, members_of(one))
