"""The players' command `scene`: playing a scene together, and what one remembers of it."""

from __future__ import annotations

from ai_assistant import staging
from ai_assistant.commands.base import AICommand
from ai_assistant.contracts import MemoryRow
from ai_assistant.errors import AssistantError
from ai_assistant.identity import entity_id, find, is_assistant, name_of
from ai_assistant.readers import NOBODY
from ai_assistant.roleplay.formats import enriched_row
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.roleplay.scene import GAME, STOPPED, SceneState, leader
from ai_assistant.roleplay.thoughts import thought
from ai_assistant.scenes import SCENES
from ai_assistant.storage import Container
from ai_assistant.storage.scenes import load_scenes
from ai_assistant.text import clean

RECAPPED = 10


class CmdScene(AICommand):
    """
    play a scene together

    Usage:
      scene                        your scene, and those that you could join
      scene/create <title>         make one
      scene/join <title>           while one of its players is with you
      scene/invite <character>     let a character here join your scene
      scene/start                  begin to play
      scene/recap [<number>]       the last things that you remember of it
      scene/think <text>           a thought of yours that nobody hears
      scene/day <number>           the day of the story; 0: by the game's clock
      scene/set <name> = <value>   location, time, quest, plot, policy, or others
      scene/leave                  leave it
      scene/stop                   end it; whoever made it may

    What those in a scene say to each other belongs to the scene: everybody
    remembers what they took part in, and nothing else. When it ends, characters
    keep one short account of it; what was played does not change what they think
    of you.

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
        "start": ("do_start", ""),
        "stop": ("do_stop", ""),
        "day": ("do_day", ""),
        "set": ("do_set", ""),
        "recap": ("do_recap", ""),
        "think": ("do_think", ""),
    }

    def may(self, permission: str) -> bool:
        """Everybody may play."""
        return True

    @property
    def own_id(self) -> str:
        """The lasting id of whoever asks."""
        return entity_id(self.caller)

    def do_show(self) -> None:
        """Show the own scene, and those of the people here."""
        mine = self._mine()
        told = (
            [_told(mine)] if mine else ["You are in no scene; |wscene/create <title>|n makes one."]
        )
        others = [one for one in self._joinable() if not mine or one.id != mine.id]
        if others:
            told.append(self.table(("Title", "State", "Players"), map(_row, others)))
        self.show("\n".join(told))

    def do_create(self) -> None:
        """Make a scene."""
        if not clean(self.args):
            raise AssistantError("What is it called? Say: scene/create <title>")
        if self._mine():
            raise AssistantError("You are in a scene already; scene/leave leaves it.")
        scene = staging.create_scene(self.args, self.caller)
        self.msg(f"'{scene.title}' is made. Invite others, then: |wscene/start|n.")

    def do_join(self) -> None:
        """Join a scene of somebody who is here."""
        if self._mine():
            raise AssistantError("You are in a scene already; scene/leave leaves it.")
        wanted = self.args.strip().casefold()
        found = [one for one in self._joinable() if wanted in one.title.casefold()]
        if len(found) != 1:
            raise AssistantError("Which scene? You can join those of people who are with you.")
        scene = staging.join_scene(found[0].id, self.caller)
        self._tell_all(scene, f"{name_of(self.caller)} joins '{scene.title}'.")

    def do_invite(self) -> None:
        """Take an assistant that is here into the own scene."""
        body = self.caller.search(self.args.strip())
        if body is None:
            return
        if not is_assistant(body):
            raise AssistantError("Players join by themselves: scene/join.")
        scene = staging.join_scene(self._my_scene().id, body)
        self._tell_all(scene, f"{name_of(body)} joins '{scene.title}'.")

    def do_leave(self) -> None:
        """Leave the own scene."""
        scene = self._my_scene()
        self._tell_all(scene, f"{name_of(self.caller)} leaves '{scene.title}'.")
        staging.leave_scene(scene.id, self.caller)

    def do_start(self) -> None:
        """Let it run."""
        scene = staging.start_scene(self._my_scene().id)
        self._tell_all(scene, f"'{scene.title}' begins.")

    def do_stop(self) -> None:
        """End it: whoever made it may."""
        scene = self._my_scene()
        if leader(scene) != self.own_id:
            raise AssistantError("Whoever made it ends it; you can leave: scene/leave.")
        staging.stop_scene(scene.id)
        self._tell_all(scene, f"'{scene.title}' is over.")

    def do_day(self) -> None:
        """Set the day of the story."""
        typed = self.args.strip()
        if not typed.isdecimal():
            raise AssistantError("Which day? Say: scene/day 3")
        mine = self._my_scene()
        if leader(mine) != self.own_id:
            raise AssistantError("Only whoever made the scene may change that.")
        scene = staging.set_scene_day(mine.id, int(typed[:9]))
        self._tell_all(scene, f"It is day {SCENES.day(scene)} in '{scene.title}'.")

    def do_set(self) -> None:
        """Set a value."""
        if not self.rhs:
            raise AssistantError("Say: scene/set <name> = <value>")
        scene = staging.set_scene(self._my_scene().id, self.lhs, self.rhs, by=self.caller)
        self._tell_all(scene, f"{clean(self.lhs, 40)}: {clean(self.rhs)}")

    def do_recap(self) -> None:
        """Show what the own container holds."""
        scene = self._my_scene()
        most = self.number(self.args, RECAPPED)
        found = Container(scene.id, self.own_id).find(limit=most * 3)
        lines = [row for row in found if row.kind not in KINDS][:most]
        if not lines:
            raise AssistantError("You remember nothing of it yet.")
        self.show("\n\n".join(_shown(row) for row in reversed(lines)))

    def do_think(self) -> None:
        """Keep a thought."""
        words = clean(self.args)
        if not words:
            raise AssistantError("A thought of what? Say: scene/think <text>")
        scene = self._my_scene()
        me = (self.own_id, name_of(self.caller))
        row = thought(*me, words, day=SCENES.day(scene), place=scene.scene)
        staging.keep(self.own_id, scene.id, [row])
        self.msg(f"You think: {words}")

    # -- which

    def _mine(self) -> SceneState | None:
        now = SCENES.of(self.own_id)
        if now.id != GAME:
            return now
        made = [one for one in load_scenes() if one.status != STOPPED and one.has(self.own_id)]
        return made[-1] if made else None

    def _my_scene(self) -> SceneState:
        mine = self._mine()
        if mine is None:
            raise AssistantError("You are in no scene; scene/create <title> makes one.")
        return mine

    def _joinable(self) -> list[SceneState]:
        """Return the scenes of those who are in the same room and can be seen."""
        room = self.caller.location
        seen = room.filter_visible(room.contents, self.caller) if room else ()
        here = {entity_id(one) for one in seen if one.sessions.count()}
        open_ones = (one for one in load_scenes() if one.status != STOPPED and one.id != GAME)
        return [one for one in open_ones if here & set(one.participants())]

    def _tell_all(self, scene: SceneState, line: str) -> None:
        for one in {*scene.participants(), self.own_id}:
            body = find(one)
            if body is not None:
                body.msg(f"|x{line}|n")


def _told(scene: SceneState) -> str:
    who = ", ".join(one.name for one in scene.members)
    place = f" at {scene.scene}" if scene.scene else ""
    return f"|w{scene.title}|n ({scene.status}), day {SCENES.day(scene)}{place}: {who}"


def _row(scene: SceneState) -> tuple[object, ...]:
    return (scene.title, scene.status, ", ".join(one.name for one in scene.members))


def _shown(row: MemoryRow) -> str:
    if row.readers == NOBODY:
        return f"Day {row.game_day}. You thought: {row.content}"
    return enriched_row(row) if row.author_name else f"Day {row.game_day}. {row.content}"
