"""The players' command `scene`: playing a scene together, and what one remembers of it."""

from __future__ import annotations

import time
from typing import Any

from ai_assistant import conf
from ai_assistant.api import staging
from ai_assistant.api.stories.branching import branch_scene
from ai_assistant.api.stories.scene_cards import cast_role
from ai_assistant.api.stories.telling_chapters import chapter_lines, tell_day, tell_over
from ai_assistant.api.stories.undoing import take_back_lines
from ai_assistant.commands import scene_shown
from ai_assistant.commands.choosing import choose
from ai_assistant.commands.command_base import switch
from ai_assistant.commands.players.scene_props import SceneProps
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import DAY
from ai_assistant.game.identity import entity_id, find, is_assistant, name_of
from ai_assistant.roleplay.recollection import thought
from ai_assistant.roleplay.scene import OPEN, SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import load_scenes, made_since


class CmdScene(SceneProps):
    """
    play a scene together

    Usage:
      scene                        where you are, and what you can do
      scene/list                   the scenes that you play or played
      scene/create <title>         make one
      scene/join <title or #number>
                                   while somebody who plays in it is with you
      scene/invite <character>     let a character here join your scene
      scene/role [<role>]          play a role of it, and what you know in it;
      scene/role <name> = <role>   whoever made it gives roles to others
      scene/start                  begin to play
      scene/recap [<number>]       the last things that you remember of it
      scene/recap <scene> [= <day>]
                                   the same of any scene of yours, as you
                                   knew it at the end of that day
      scene/recall <words> [where <filter>]
                                   look for something that you remember: "the
                                   gate since day 3", "... where location = mill"
      scene/think <text>           a thought of yours that nobody hears
      scene/take <thing>           take, give, put down a thing of the story,
      scene/give <thing> = <name>  and go to a place of it: nothing of yours, and
      scene/put <thing>            no step of yours, is touched; scene shows
      scene/go <place>             what there is
      scene/day <number>           the day of the story; 0: by the game's clock
      scene/set <name> = <value>   location, time, quest, plot, policy, thing
                                   (the sword: Tansy; the map: mill), or others
      scene/unset <name>           take that back: "quest", "thing the sword"
      scene/undo [<number>]        take the last line back, or the last few: all
                                   forget it; whoever made the scene may
      scene/undo <words>           the same of the line with these, and all since
      scene/branch <title> [= <number or words>]
                                   go on in another scene, without the last
                                   lines or from that one on; this one rests
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
      scene/create The Black Sword        scene/invite tansy
      scene/set quest = find the sword before the new moon
      scene/unset quest                   scene/start
      scene/day 3                         scene/think Where is the sword?
      scene/recall the sword              scene/recap 20
      scene/undo 2                        scene/branch The Cave
      scene/undo the gate is              scene/branch The Mill = the gate is
      scene/dismiss tansy                 scene/stop
      scene/leave                         scene/list
      scene/recap cave = 3                scene/join bell
      scene/role reeve                    scene/go cellar
      scene/take the clapper              scene/give the clapper = bram
      scene/put the bell rope             scene/leave

    """

    key = "scene"

    @switch("", "", takes=0)
    def _show(self) -> None:
        mine, others = self._mine(), self._joinable()
        if mine:
            told = [*scene_shown.standing(mine, self.own_id), self._choices(mine)]
        else:
            told = [
                "You are in no scene: what you say belongs to the game.",
                "|wscene/create <title>|n makes one, |wscene/list|n shows those you played.",
            ]
        if others:
            rows = [
                (f"#{number}", scene.title, scene.status, scene_shown.members_of(scene))
                for number, scene in enumerate(others, 1)
            ]
            told += ["", self.table(("#", "Title", "State", "Players"), rows)]
            told += [] if mine else ["|wscene/join <title>|n takes you into one of these."]
        self.show(told)

    def _choices(self, scene: SceneState) -> str:
        """Return what somebody who is in a scene can do next."""
        can = ["invite <character>", "start", "leave"]
        if scene.is_running:
            acts = ["take <thing>", "give <thing> = <name>", "put <thing>", "go <place>"]
            can = ["recap", "recall <words>", "think <text>", *acts, "invite <character>", "leave"]
        if SCENES.leader(scene) == self.own_id:
            running = ["day <number>", "undo", "branch <title>"] if scene.is_running else []
            can += ["set <name> = <value>", *running, "dismiss <name>", "stop"]
        return "You can: " + ", ".join(f"|wscene/{verb}|n" for verb in can)

    @switch("create", "")
    def _create(self) -> None:
        if not clean(self.args):
            raise AssistantError("What is it called? Usage: scene/create <title>")
        self._be_free()
        self._may_make()
        scene = staging.create_scene(self.args, self.caller)
        self.msg(f"'{scene.title}' is made. Invite others, then: |wscene/start|n.")

    @switch("join", "")
    def _join(self) -> None:
        self._be_free()
        others = self._joinable()
        if not others:
            raise AssistantError("Nobody who is with you has a scene: go where they are who play.")
        meant = choose(self.args, "scene", scene_shown.scene_choices(others))
        self._count()
        scene = staging.join_scene(meant.id, self.caller, by=name_of(self.caller))
        self._tell_all(scene, scene_shown.newcomer_line(name_of(self.caller), scene))
        told = chapter_lines(scene, self.own_id)
        self.show([*scene_shown.standing(scene, self.own_id), *told, self._choices(scene)])

    @switch("invite", "")
    def _invite(self) -> None:
        mine = self._my_scene()
        if not self.args:
            raise AssistantError("Whom? Usage: scene/invite <character>")
        body = self.caller.search(self.args)
        if body is None:
            return
        if not is_assistant(body):
            raise AssistantError(f"Players join by themselves: scene/join {mine.title}")
        self._count()
        scene = staging.invite(mine.id, body, self.caller)
        self._tell_all(scene, scene_shown.newcomer_line(name_of(body), scene))

    @switch("leave", "", takes=0)
    def _leave(self) -> None:
        scene = self._my_scene()
        self._tell_all(scene, f"{name_of(self.caller)} leaves '{scene.title}'.")
        if staging.leave_scene(scene.id, self.caller).is_over:
            tell_over(scene, self.own_id)

    @switch("dismiss", "")
    def _dismiss(self) -> None:
        mine = self._led()
        who = scene_shown.member_named(mine, self.args)
        if who.id == self.own_id:
            raise AssistantError("You can leave it: scene/leave")
        staging.remove_member(mine.id, who.id, by=name_of(self.caller))
        self._tell_all(mine, f"{who.name} plays in '{mine.title}' no more.")

    @switch("start", "", takes=0)
    def _start(self) -> None:
        mine = self._my_scene()
        if mine.is_running:
            raise AssistantError("It runs already. scene shows how it stands.")
        scene = staging.start_scene(mine.id, by=name_of(self.caller))
        self._tell_all(scene, f"{scene_shown.begun(scene)}.")
        here = [name_of(body) for body in self._seen() if is_assistant(body)]
        if here and not any(member.has_mind for member in scene.members):
            them = " or ".join(f"|wscene/invite {name}|n" for name in here)
            self.msg(f"No character plays along yet, and none answers you in it: {them}.")
        self.msg(self._choices(scene))

    @switch("stop", "", takes=0)
    def _stop(self) -> None:
        scene = self._led("end it; you can leave: scene/leave")
        staging.stop_scene(scene.id, by=name_of(self.caller))
        tell_over(scene, self.own_id)

    @switch("day", "")
    def _day(self) -> None:
        day = scene_shown.day_in(self.args, "Usage: scene/day 3")
        mine = self._led()
        self._count()
        scene = staging.set_scene_day(mine.id, day, by=name_of(self.caller))
        tell_day(scene)

    @switch("set", "")
    def _set(self) -> None:
        if not self.rhs:
            raise AssistantError("Usage: scene/set <name> = <value>")
        mine = self._my_scene()
        self._count()
        scene = staging.set_scene(mine.id, self.lhs, self.rhs, by=self.caller)
        who, what = name_of(self.caller), clean(self.lhs, 40)
        self._tell_all(scene, f"{who} sets {what}: {clean(self.rhs)}")

    @switch("unset", "", takes=1)
    def _unset(self) -> None:
        if not self.args:
            raise AssistantError("Usage: scene/unset <name>")
        mine = self._led()
        self._count()
        scene = staging.set_scene(mine.id, self.args, None, by=self.caller)
        self._tell_all(scene, f"{name_of(self.caller)} takes back {clean(self.args, 60)}.")

    @switch("undo", "", takes=1)
    def _undo(self) -> None:
        mine, me = self._led(), name_of(self.caller)
        self._pay()
        count, row = self._from_line(mine, self.args, 1)
        work = take_back_lines(mine.id, count, row=row, by=me)

        def told(done: tuple[SceneState, int]) -> None:
            self._tell_all(done[0], f"{me} takes back {scene_shown.lines_taken(done[1])}.")

        work.addCallback(told).addErrback(self.failed)

    @switch("branch", "")
    def _branch(self) -> None:
        mine = self._led()
        self._pay()
        count, row = self._from_line(mine, self.rhs or "", 0)
        self._may_make()
        scene = branch_scene(mine.id, self.lhs, count, row=row, by=name_of(self.caller))
        self._tell_all(scene, scene_shown.branched(mine, scene))

    @switch("role", "")
    def _role(self) -> None:
        mine = self._my_scene()
        if not self.args:
            self.show(scene_shown.role_lines(mine, self.own_id))
            return
        if self.rhs is None:
            who, role = self.own_id, self.lhs
        else:
            who, role = scene_shown.member_named(self._led(), self.lhs).id, self.rhs
        name = scene_shown.role_named(mine, role)
        if who in mine.parts:
            raise AssistantError(f"{scene_shown.person(who)} has had a role: staff give another.")
        self._count()
        scene = cast_role(mine.id, who, name, by=name_of(self.caller))
        self._tell_all(scene, f"{scene_shown.person(who)} plays the role {scene.parts[who]}.")
        if (body := find(who)) is not None:
            body.msg("\n".join(scene_shown.role_lines(scene, who)))

    @switch("think", "")
    def _think(self) -> None:
        words = clean(self.args)
        if not words:
            raise AssistantError("A thought of what? Usage: scene/think <text>")
        scene = self._my_scene()
        self._count()
        me = (self.own_id, name_of(self.caller))
        row = thought(*me, words, day=SCENES.day(scene), place=scene.scene)
        staging.keep_rows(self.own_id, scene.id, [row])
        self.msg(f"You think: {words}")

    # -- which

    def _seen(self) -> list[Any]:
        room = self.caller.location
        return room.filter_visible(room.contents, self.caller) if room else []

    def _joinable(self) -> list[SceneState]:
        """Return the scenes of those who are in the same room and can be seen, characters too."""
        seen = self._seen()
        here = {entity_id(body) for body in seen if body.sessions.count() or is_assistant(body)}
        return [
            scene
            for scene in (*SCENES.running.values(), *(load_scenes(OPEN, here) if here else ()))
            if scene.id and here & {*scene.participants()} and not scene.has(self.own_id)
        ]

    def _may_make(self) -> None:
        """Raise `AssistantError` where one has made as many scenes as a day has."""
        self._must_be_heard()
        if made_since(self.own_id, time.time() - DAY) >= conf.settings.SCENES_A_DAY:
            raise AssistantError("You have made many scenes today: go on with it tomorrow.")

    def _be_free(self) -> None:
        """Raise `AssistantError` where one is in a scene."""
        if mine := self._mine():
            raise AssistantError(f"You are in '{mine.title}' already; scene/leave leaves it.")
