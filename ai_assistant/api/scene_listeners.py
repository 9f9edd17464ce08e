"""Ears of scenes: what players say to each other is recorded also where no assistant is near.

A running scene places a listener where its players are. Whispers reach only whom they are for, so
of those between players only games know whose characters have the mixin below.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from evennia import create_object
from evennia.objects.objects import DefaultObject
from evennia.utils.utils import make_iter

from ai_assistant.core.contracts import Commit, Event, MemoryRow
from ai_assistant.game import perception
from ai_assistant.game.consent import may_hear
from ai_assistant.game.earshot import IN_ROOMS, RECEIPTS
from ai_assistant.game.identity import entity_id, find, is_assistant, known_id
from ai_assistant.game.line_ids import one_line, received
from ai_assistant.game.log import report, surviving
from ai_assistant.roleplay.distribution import keep_heard
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.scene_lines import SCENE_LINES
from ai_assistant.scenes.story_acts import walk_in_story
from ai_assistant.scenes.updates import note_item, note_move, note_parting
from ai_assistant.storage.scene_rows import write_distributions
from ai_assistant.storage.server_lease import writing

EAR = "ai_assistant_ear"
LOCKS = "view:false();get:false();call:false();search:false();puppet:false();delete:perm(Admin)"


class SceneParticipantMixin:
    """
    Lets a scene know what a player's character really hears, whispers included, where it goes and
    what it gets. Optional, and to stand first, so that it sees what the rest decides:

        class Character(SceneParticipantMixin, DefaultCharacter):
            pass

    An assistant may be of such a class as well: it tells all that already.

    """

    reports_lines = True

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Hear as ever, and let the scene know."""
        heard = super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)  # type: ignore[misc]
        if heard and not is_assistant(self):
            overhear(self, text, from_obj, kwargs)
        return bool(heard)

    def at_object_receive(self, moved_obj: Any, source_location: Any, **kwargs: Any) -> None:
        """Get something, and let the world of the scene know."""
        super().at_object_receive(moved_obj, source_location, **kwargs)  # type: ignore[misc]
        if not is_assistant(self):
            note_item(self, moved_obj, source_location)

    def at_object_leave(self, moved_obj: Any, target_location: Any, **kwargs: Any) -> None:
        """Part with something, and let the world of the scene know."""
        super().at_object_leave(moved_obj, target_location, **kwargs)  # type: ignore[misc]
        if not is_assistant(self):
            note_parting(self, moved_obj, target_location)

    def at_post_move(self, source_location: Any, move_type: str = "move", **kwargs: Any) -> None:
        """Go somewhere, and let the world of the scene know."""
        super().at_post_move(source_location, move_type=move_type, **kwargs)  # type: ignore[misc]
        if not is_assistant(self):
            note_move(self, source_location)


class SceneRoomMixin:
    """
    Lets a scene know from whom a line is kept, whatever class they are of. Optional:

        class Room(SceneRoomMixin, DefaultRoom):
            pass

    """

    def msg_contents(
        self, text: Any = None, exclude: Any = None, *args: Any, **kwargs: Any
    ) -> None:
        """Send it as ever: one line, in the words of each, to all but those who are excluded."""
        with one_line(make_iter(exclude) if exclude else ()):
            super().msg_contents(text, exclude, *args, **kwargs)  # type: ignore[misc]


class SceneListener(DefaultObject):
    """An ear of a scene: nobody sees it, and it keeps nothing itself."""

    def at_object_creation(self) -> None:
        """Be out of everybody's sight and reach."""
        self.locks.add(LOCKS)

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Let the scene know what is said here."""
        overhear(self, text, from_obj, kwargs)
        return True


def overhear(hearer: Any, text: Any, from_obj: Any, kwargs: dict[str, Any]) -> None:
    """Note what is heard; a line of a running scene is recorded when it is over. Never raises."""
    try:
        event = perception.from_msg(hearer, text, from_obj, kwargs)
        if (
            event is None
            or not may_hear(hearer, event)
            or not RECEIPTS.note(event, entity_id(hearer))
            or event.source_type == "move"
        ):
            return
        event = received(event, entity_id(hearer), frozenset)
        scene = SCENE_LINES.played(event)
        plays = _is_ear(hearer) or scene.has(entity_id(hearer))
        if scene.id and plays:
            SERVICE.heard_queue.put_off(record_heard, (event, hearer, scene))
    except Exception as error:
        report("overhear", error)


def record_heard(heard: Sequence[tuple[Event, Any, SceneState]]) -> None:
    """Write what was heard in scenes: what an ear heard before what others did, each in its words.

    Of what was whispered each knows only of itself. What none of the others in its scene could
    hear is no part of it, unless nobody heard it. Raises `StoreError`.
    """
    lines = [line for line in heard if _is_for_scene(*line)]
    aloud = [line for line in lines if line[0].source_type in IN_ROOMS]
    _record(sorted(aloud, key=lambda line: not _is_ear(line[1])))
    for line in lines:
        if line not in aloud:
            _record([line])


def _record(heard: Sequence[tuple[Event, Any, SceneState]]) -> None:
    commit, own = Commit(at=time.time()), list[MemoryRow]()
    for event, hearer, scene in heard:
        who, kept = entity_id(hearer), len(commit.rows)
        line = SCENE_LINES.placed(RECEIPTS.labelled(event), who, scene)
        keep_heard(commit, line, who, world=SCENES.agent)
        own += [replace(row, container=who) for row in commit.rows[kept:] if not _is_ear(hearer)]
    write_distributions(commit.distributions, commit.at, own)


def _is_for_scene(event: Event, hearer: Any, scene: SceneState) -> bool:
    """Did one of the scene receive that line, or nobody at all?"""
    who = () if _is_ear(hearer) else (entity_id(hearer),)
    received = {*(RECEIPTS.heard(event.id) or ()), *who}
    return not received or any(map(scene.has, received))


def _is_ear(hearer: Any) -> bool:
    return isinstance(hearer, SceneListener)


def follow_player(body: Any) -> None:
    """Let the ears of a scene go where a player of it was put or came back. Never raises."""
    try:
        if not SERVICE.in_server() or len(SCENES.running) == 1:
            return
        session = SCENES.of(known_id(body)).id
        if session:
            SERVICE.next_step(0, partial(_follow, session, body))  # before anybody speaks there
    except Exception as error:
        report("follow", error)


def _follow(session: str, body: Any) -> None:
    place_ears(session)
    if body.pk:  # else it was deleted meanwhile
        with surviving("walking in a story"):
            walk_in_story(body)


def place_ears(session: str) -> None:
    """Have one listener in each place where players of a scene are, and none elsewhere; as soon as
    the database takes that."""
    SERVICE.watch.finish(partial(_place_ears, session))


def _place_ears(session: str) -> None:
    scene = SCENES.running.get(session)
    members = scene.members if scene else ()
    SERVICE.heard_queue.settle()  # what an ear heard that goes now
    with writing():
        bodies = filter(None, (find(member.id) for member in members if not member.has_mind))
        wanted = {body.location.pk: body.location for body in bodies if body.location}
        for ear in SceneListener.objects.filter(db_key=EAR, db_tags__db_key=session.lower()):
            if ear.location is None or wanted.pop(ear.location.pk, None) is None:
                ear.delete()
        for room in wanted.values():
            create_object(SceneListener, key=EAR, location=room, nohome=True, tags=[session])
