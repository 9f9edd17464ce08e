"""The game as one character perceives it and acts in it, under that character's own locks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from evennia.objects.models import ObjectDB
from evennia.server.signals import SIGNAL_EXIT_TRAVERSED
from evennia.utils import gametime

from ai_assistant.core.contracts import Delivery, Entity, Event, Speech, SpeechKind
from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import SeenPlace
from ai_assistant.core.readers import Audience
from ai_assistant.core.text import HEARD_LIMIT, clean, clean_name
from ai_assistant.game import handling, senses
from ai_assistant.game import speech as voice
from ai_assistant.game.earshot import is_private, keeps_own, listens, room_hearers, unseen
from ai_assistant.game.identity import entity_id, find, known_id, name_of, plain, reference
from ai_assistant.game.senses import body_status

LOOK_LINES = 12
MOST_OF_A_NAME = 20


class EvenniaWorld:
    """The `World` of one character (an Evennia object), which it knows by its lasting id only."""

    def __init__(self, character: Any, missed: voice.Missed = lambda *_: None) -> None:
        """`missed` learns who did not receive a line that was saved before it was said."""
        self._id = entity_id(character)
        self._missed = missed

    def me(self) -> Entity:
        """The character itself; raises `ToolError` when it is gone."""
        return reference(self._body())

    def scene(self) -> SeenPlace:
        """Where it is, and what it sees there: nothing that a lock or the game hides from it."""
        me = self._body()
        room = me.location
        if room is None:
            return SeenPlace("", "nowhere", time=_game_time())
        return SeenPlace(
            place=entity_id(room),
            place_name=name_of(room, me),
            description=senses.description(room, me, HEARD_LIMIT),
            time=_game_time(),
            private=is_private(room),
            things=tuple(senses.things(room, me)),
        )

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that; raises `ToolError` where it is gone or unseen."""
        me, target = self._body(), find(entity_id)
        if target is None or not (target in (me, me.location) or handling.sees(me, target)):
            raise ToolError("That is not to be seen here any more.")
        return clean(plain(me.at_look(target)), HEARD_LIMIT, LOOK_LINES)

    def hearers(self, kind: SpeechKind, place: str, target: str = "") -> Audience:
        """Everybody who would hear a speech of that kind now; empty when nobody would.

        Say and emote reach the room `place`, as long as the character is there; a whisper
        reaches `target` in the same room, a page `target` if online, a channel its subscribers.
        """
        me = find(self._id)
        if me is None:
            return frozenset()
        if kind == "channel":
            return frozenset({place} if self.belongs(self._id, place) else ())
        if kind == "page":
            return frozenset({target} if _is_online(find(target)) else ())
        room = me.location
        if room is None or (kind != "whisper" and entity_id(room) != place):
            return frozenset()
        if kind == "whisper":
            return frozenset({target} if _is_listening(find(target), room) else ()) - {self._id}
        return frozenset(map(entity_id, room_hearers(room, me, kind)))

    def belongs(self, principal: str, channel: str) -> bool:
        """Is the principal, or the account behind it, subscribed there and let in to listen?"""
        return belongs(principal, channel)

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused the event still hear an answer, where it was caused?"""
        if event.event_type != "external":
            return True
        who = event.source.id
        if event.source_type == "channel":
            return self.belongs(who, event.place) and _is_online(find(who))
        if event.source_type == "page":
            return bool(self.hearers("page", "", who))
        me = find(self._id)
        here = me.location if me else None
        return bool(here and entity_id(here) == event.place and _is_listening(find(who), here))

    async def move(self, exit_id: str) -> str:
        """Walk through an exit as its own command would; returns what happened.

        Raises `ToolError` where it is not there, locked, or did not lead anywhere.
        """
        me, way = self._free_body(), find(exit_id)
        if way is None or not way.destination or not handling.sees(me, way):
            raise ToolError("There is no such way out here.")
        if not way.access(me, "traverse"):
            reason = clean(plain(way.db.err_traverse or ""))
            with handling.told(me) as reasons:
                if not reason:
                    way.at_failed_traverse(me)
            raise ToolError(reason or handling.first(reasons) or "That way is closed to you.")
        before = me.location
        with handling.told(me) as reasons:
            way.at_traverse(me, way.destination)
        if me.pk is None or me.location in (None, before):
            raise ToolError(handling.first(reasons) or "You did not get through.")
        SIGNAL_EXIT_TRAVERSED.send(sender=way, traverser=me)
        return f"You went to {name_of(me.location, me)}."

    async def walk(self, place: str) -> str:
        """Go to a neighbouring place by the first way that is open; see `move`."""
        me = self._free_body()
        for way in senses.open_ways(me.location, me):
            if entity_id(way.destination) == place:
                return await self.move(entity_id(way))
        raise ToolError("There is no open way there.")

    def neighbours(self, place: str) -> dict[str, str]:
        """The places next to that one, id → name, that the character's locks let it reach."""
        me, room = self._body(), find(place)
        ways = senses.open_ways(room, me)
        return {entity_id(way.destination): name_of(way.destination, me) for way in ways}

    def whereabouts(self, who: str = "") -> str:
        """Return the id of the place where somebody is, unless hidden from it; its own without."""
        me, other = find(self._id), find(who or self._id)
        room = getattr(other, "location", None)
        if me is None or room is None:
            return ""
        seen = other is me or room.filter_visible([other], me)
        return entity_id(room) if seen else ""

    def company(self) -> Audience:
        """Return the players who would hear it speak where it is, hidden ones included."""
        me = find(self._id)
        heard = room_hearers(me.location, me, "say") if me and me.location else ()
        return frozenset(entity_id(one) for one in heard if one.sessions.count())

    def keeps_own(self, who: str) -> bool:
        """Does that one tell by itself what it received, so that nobody else keeps it for it?"""
        body = find(who)
        return body is not None and keeps_own(body)

    def unseen(self, people: Audience) -> Mapping[str, Audience]:
        """Those of these people whom others of them do not see, where it is; with those others."""
        room = self._body().location
        bodies = [body for body in map(find, sorted(people)) if body is not None]
        return unseen(room, bodies) if room is not None else {}

    def status(self) -> dict[str, Any]:
        """Return what the game knows of its state: location, position, health; see `senses`."""
        return body_status(self._body())

    def game_time(self) -> float:
        """Return the game's own time, in its seconds since the epoch."""
        return float(gametime.gametime(absolute=True))

    def pace(self) -> float:
        """Return how much faster the game's own time goes than ours."""
        return float(gametime.TIMEFACTOR)

    async def give(self, item_id: str, receiver_id: str) -> str:
        """Hand over something givable to somebody present; returns what happened.

        Raises `ToolError` where the item, the receiver or the game does not allow it.
        """
        return handling.give(self._free_body(), find(item_id), find(receiver_id))

    async def take(self, item_id: str) -> str:
        """Pick up something that lies here, as the game's own command does; see `give`."""
        return handling.take(self._free_body(), find(item_id))

    async def put_down(self, item_id: str) -> str:
        """Put down something that may be given away; see `give`."""
        return handling.put_down(self._free_body(), find(item_id))

    def known(self, name: str) -> list[Entity]:
        """Who and what in the whole game bears exactly this name, as the character would see it.

        Players come first; of all else only what has had to do with an assistant before.
        """
        me = self._body()
        found = ObjectDB.objects.search_object(name, use_dbref=False)[:MOST_OF_A_NAME]
        ours = [one for one in found if one != me and _is_called(one, name, me)]
        known = [
            reference(one, me) for one in ours if known_id(one) or reference(one).kind == "player"
        ]
        return sorted(known, key=lambda one: one.kind != "player")

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does that one hold this permission of the game right now? Whoever is gone does not."""
        who = find(entity_id)
        return who is not None and who.locks.check_lockstring(who, f"holds:perm({permission})")

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now, without saying a word."""
        return voice.route(self, find(self._id), speech)

    def deliver(self, speech: Speech) -> Delivery:
        """Speak, if those who hear it now still may; see `ai_assistant.game.speech`."""
        return voice.deliver(self, find(self._id), speech, self._missed)

    def _body(self) -> Any:
        body = find(self._id)
        if body is None:
            raise ToolError("You are not in the world any more.")
        return body

    def _free_body(self) -> Any:
        """Refuse acts while a player is in the character: they would carry that player's rights."""
        body = self._body()
        if voice.is_puppeted(body):
            raise ToolError("Somebody else is moving your body just now.")
        return body


def _is_called(obj: Any, name: str, me: Any) -> bool:
    """Is that its name for the character? Where a game hides names, the real one says nothing."""
    shown, wanted = name_of(obj, me).casefold(), clean_name(name).casefold()
    return wanted == shown or shown == clean_name(obj.key).casefold()


def _is_listening(obj: Any, room: Any) -> bool:
    return getattr(obj, "location", None) == room and listens(obj)


def _is_online(someone: Any) -> bool:
    sessions = getattr(someone, "sessions", None)
    return bool(sessions and sessions.count())


def _game_time() -> str:
    return f"{datetime.fromtimestamp(gametime.gametime(absolute=True), UTC):%Y-%m-%d %H:%M}"


def belongs(principal: str, channel: str) -> bool:
    """Is the principal, or the account behind it, subscribed there and let in to listen?"""
    lane, who = (find(channel) if channel.startswith("c") else None), find(principal)
    if lane is None or who is None:
        return False
    selves = [one for one in (who, getattr(who, "account", None)) if one]
    return any(lane.subscriptions.has(one) and lane.access(one, "listen") for one in selves)
