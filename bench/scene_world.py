"""What the game of the scenes' bench has beside the demo game; it runs inside that game's Server.

Players and assistants may be deaf; in a dark room nobody sees anybody and no gesture reaches
anybody. The command `stage` builds, sets and watches: whoever plays may use it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from evennia import Command, create_object
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter, DefaultRoom
from evennia.utils.utils import delay

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import lifecycle
from ai_assistant.api.scene_listeners import SceneParticipantMixin
from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.service import SERVICE
from ai_assistant.typeclasses import AssistantMixin
from bench.scene_script import towns_in
from commands.default_cmdsets import CharacterCmdSet

DOORS = ("hall", "yard")
POLL = 0.01
HEARD: dict[str, set[str]] = defaultdict(set)
"""The places that each assistant heard of."""
KNOWN: dict[str, set[str]] = defaultdict(set)
"""The places that were found anywhere in what is stored of each assistant."""


class StageRoom(DefaultRoom):
    """A room that may be dark."""

    def filter_visible(self, obj_list: Any, looker: Any, **kwargs: Any) -> list[Any]:
        """Return what a looker sees: nothing in the dark."""
        if self.db.dark:
            return []
        return super().filter_visible(obj_list, looker, **kwargs)


class ListeningRoom(StageRoom):
    """A room that tells who took in what was said: for players of a class that does not."""

    def at_ai_received(
        self, speaker: Any, kind: str, text: str, hearers: list[Any], missed: list[Any]
    ) -> list[Any]:
        """Return those of the hearers whom it reached."""
        return [one for one in hearers if not _is_lost(one, kind)]


def _is_lost(hearer: Any, kind: str) -> bool:
    """Does that one not get what others say or do?"""
    dark = hearer.location is not None and hearer.location.db.dark
    return bool((kind in ("say", "whisper") and hearer.db.deaf) or (kind == "pose" and dark))


class StageBody(DefaultCharacter):
    """Somebody with ears that may be deaf, and eyes that see nothing in the dark."""

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Let what others say and do through, as far as it can be heard or seen."""
        kind = text[1].get("type") if isinstance(text, tuple) and len(text) == 2 else ""
        if from_obj not in (None, self) and _is_lost(self, kind):
            return False
        return super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)


class StagePlayer(SceneParticipantMixin, StageBody):
    """A player's character in a game that lets scenes know what players hear."""


class StagePlain(StageBody):
    """A player's character in a game that does not; its rooms tell who heard what was said."""


class StageNpc(AssistantMixin, StageBody):
    """An assistant; what reaches it is noted."""

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Hear, and note of which places one heard."""
        heard = super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)
        if heard and from_obj is not self:
            HEARD[self.key] |= set(towns_in(str(text)))
        return heard


class CmdStage(Command):
    """
    prepare and watch the stage of a bench

    Usage:
      stage build|set|walk|settle|mark|report <what>

    """

    key = "stage"
    locks = "cmd:all()"
    auto_help = False

    def func(self) -> None:
        """Do it, and say so."""
        verb, _, what = self.args.strip().partition(" ")
        getattr(self, f"do_{verb}")(what)

    def do_build(self, what: str) -> None:
        """Let a cast live: ``{"minds": {name: [alias]}, "players": {…}, "plain": false}``."""
        plan = json.loads(what)
        room = self.caller.location
        ids = []
        for name, aliases in plan["minds"].items():
            mind = lifecycle.create_assistant(name, location=room)
            mind.aliases.add(aliases)
            ids.append(entity_id(mind))
        for name, aliases in plan["players"].items():
            body = ObjectDB.objects.get(db_key=name)
            body.aliases.add(aliases)
            if plan["plain"]:
                body.swap_typeclass(StagePlain, run_start_hooks=None)
        self.msg(f"built {' '.join(ids)}.")

    def do_set(self, what: str) -> None:
        """Bring a cast to a new place: ``{"number", "where": {name: door}, hidden, deaf, dark}``.

        With ``"rooms": false`` they go on in the place where they are.
        """
        plan = json.loads(what)
        rooms = _rooms(plan) if plan["rooms"] else self.caller.ndb.rooms
        self.caller.ndb.rooms = rooms
        for number, room in enumerate(rooms):
            room.db.dark = number in plan["dark"]
        for name, at in plan["where"].items():
            body = ObjectDB.objects.get(db_key=name)
            body.db.deaf = name in plan["deaf"]
            body.locks.add("view:false()" if name in plan["hidden"] else "view:all()")
            if body.location != rooms[at]:
                body.move_to(rooms[at], move_type="traverse")
        self.msg(f"set {plan['number']}.")

    def do_walk(self, what: str) -> None:
        """Let an assistant walk: ``<door> <name>``."""
        door, _, name = what.partition(" ")
        ObjectDB.objects.get(db_key=name).execute_cmd(door)
        self.msg(f"walked {name}.")

    def do_settle(self, what: str) -> None:
        """Say ``settled <number>.`` when no assistant of ``<number> <ids>`` thinks any more."""
        number, *minds = what.split()
        _settle(self.caller, number, minds)

    def do_mark(self, what: str) -> None:
        """Say it back: whatever was sent before has arrived then."""
        self.msg(f"mark {what}.")

    def do_report(self, what: str) -> None:
        """Write into a file who is who, and what assistants heard and keep; save what is left."""
        place, *minds = what.split()
        told: dict[str, Any] = {"ids": {}, "heard": {}, "known": {}}
        for one in minds:
            resident = SERVICE.residents[one]
            flush(resident.mind)
            body = resident.script.obj
            KNOWN[body.key] |= set(towns_in(_stored(body) + _stored(resident.script)))
            told["heard"][body.key] = sorted(HEARD[body.key])
            told["known"][body.key] = sorted(KNOWN[body.key])
        for body in DefaultCharacter.objects.all_family():
            told["ids"][body.key] = entity_id(body)
        Path(place).write_text(json.dumps(told))
        self.msg("reported.")


def _rooms(plan: dict[str, Any]) -> list[Any]:
    """Make two rooms with a door between them."""
    kind = ListeningRoom if plan["listening"] else StageRoom
    made = [create_object(kind, key=f"{door} {plan['number']}", nohome=True) for door in DOORS]
    for at, room in enumerate(made):
        there = made[1 - at]
        exit_type = "evennia.objects.objects.DefaultExit"
        create_object(exit_type, key=DOORS[1 - at], location=room, destination=there, home=room)
    return made


def _stored(obj: Any) -> str:
    """Return all that is stored on an object, as text."""
    return " ".join(repr(one.value) for one in obj.attributes.all())


def _settle(caller: Any, number: str, minds: list[str], quiet: int = 0) -> None:
    idle = all(SERVICE.is_idle(id) and not SERVICE.residents[id].inbox.waiting for id in minds)
    if quiet and idle:
        caller.msg(f"settled {number}.")
    else:
        delay(POLL, _settle, caller, number, minds, int(idle))


class StageCmdSet(CharacterCmdSet):
    """The demo game's commands, and that of the stage."""

    def at_cmdset_creation(self) -> None:
        """Add it."""
        super().at_cmdset_creation()
        self.add(CmdStage)
