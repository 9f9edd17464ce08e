"""The game as one character perceives it and acts in it, under that character's own locks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from evennia.server.signals import SIGNAL_EXIT_TRAVERSED
from evennia.utils import gametime

from ai_assistant import conf
from ai_assistant import speech as voice
from ai_assistant.contracts import Delivery, Entity, Event, Scene, Speech, SpeechKind, Thing
from ai_assistant.earshot import is_private, keeps_own, listens, room_hearers, unseen
from ai_assistant.errors import ToolError
from ai_assistant.identity import (
    CATEGORY,
    entity_id,
    find,
    is_assistant,
    marked,
    name_of,
    plain,
    reference,
)
from ai_assistant.perception import GIFT_TAG
from ai_assistant.readers import Audience
from ai_assistant.senses import body_status
from ai_assistant.text import HEARD_LIMIT, clean

SEEN_OF_A_KIND = 40
"""So many characters, exits and items are looked at; what lies beyond is not noticed."""
DESCRIPTION_LIMIT = 300
LOOK_LINES = 12


class EvenniaWorld:
    """The `World` of one character (an Evennia object), which it knows by its lasting id only."""

    def __init__(self, character: Any) -> None:
        self._id = entity_id(character)

    def me(self) -> Entity:
        """The character itself; raises `ToolError` when it is gone."""
        return reference(self._body())

    def scene(self) -> Scene:
        """Where it is, and what it sees there: nothing that a lock or the game hides from it."""
        me = self._body()
        room = me.location
        if room is None:
            return Scene("", "nowhere", time=_game_time())
        return Scene(
            place=entity_id(room),
            place_name=name_of(room, me),
            description=_description(room, me, HEARD_LIMIT),
            time=_game_time(),
            private=is_private(room),
            things=tuple(_things(room, me)),
        )

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that; raises `ToolError` where it is gone or unseen."""
        me, target = self._body(), find(entity_id)
        if target is None or not (target in (me, me.location) or _sees(me, target)):
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
        if way is None or not way.destination or not _sees(me, way):
            raise ToolError("There is no such way out here.")
        if not way.access(me, "traverse"):
            reason = clean(plain(way.db.err_traverse or ""))
            if not reason:
                way.at_failed_traverse(me)
            raise ToolError(reason or "That way is closed to you.")
        before = me.location
        way.at_traverse(me, way.destination)
        if me.pk is None or me.location in (None, before):
            raise ToolError("You did not get through.")
        SIGNAL_EXIT_TRAVERSED.send(sender=way, traverser=me)
        return f"You went to {name_of(me.location, me)}."

    async def walk(self, place: str) -> str:
        """Go to a neighbouring place by the first way that is open; see `move`."""
        me = self._free_body()
        for way in _open_ways(me.location, me):
            if entity_id(way.destination) == place:
                return await self.move(entity_id(way))
        raise ToolError("There is no open way there.")

    def neighbours(self, place: str) -> dict[str, str]:
        """The places next to that one, id → name, that the character's locks let it reach."""
        me, room = self._body(), find(place)
        ways = _open_ways(room, me)
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
        me, item, receiver = self._free_body(), find(item_id), find(receiver_id)
        if item is None or item.location != me:
            raise ToolError("You do not carry that.")
        if not _is_givable(item):
            raise ToolError("That is not yours to give away.")
        if receiver is None or receiver == me or not _sees(me, receiver):
            raise ToolError("Whoever should get it is not here.")
        if reference(receiver).kind == "object":
            raise ToolError("Only persons can be given something.")
        allowed = item.at_pre_give(me, receiver)
        if not allowed or not item.move_to(receiver, quiet=True, move_type="give"):
            raise ToolError("It could not be given.")
        item.tags.remove(GIFT_TAG, category=CATEGORY)
        item.at_give(me, receiver)
        receiver.msg(f"{name_of(me, receiver)} gives you {name_of(item, receiver)}.")
        return f"You gave {name_of(item, me)} to {name_of(receiver, me)}."

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does that one hold this permission of the game right now? Whoever is gone does not."""
        who = find(entity_id)
        return who is not None and who.locks.check_lockstring(who, f"holds:perm({permission})")

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now, without saying a word."""
        return voice.route(self, find(self._id), speech)

    def deliver(self, speech: Speech) -> Delivery:
        """Speak, if those who hear it now still may; see `ai_assistant.speech`."""
        return voice.deliver(self, find(self._id), speech)

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


def _things(room: Any, me: Any) -> list[Thing]:
    def seen(holder: Any, kind: str) -> list[Any]:
        return holder.filter_visible(
            holder.contents_get(content_type=kind, exclude=me)[:SEEN_OF_A_KIND], me
        )

    people = [
        Thing(
            reference(one, me),
            description=_description(one, me, DESCRIPTION_LIMIT),
            is_assistant=is_assistant(one),
        )
        for one in seen(room, "character")
    ]
    ways = [
        Thing(reference(way, me), description=name_of(way.destination, me), is_exit=True)
        for way in _open_ways(room, me)
    ]
    carried = [
        Thing(reference(item, me), carried=True, givable=_is_givable(item))
        for item in seen(me, "object")
    ]
    lying = [
        Thing(reference(item, me), is_assistant=is_assistant(item)) for item in seen(room, "object")
    ]
    return [*people, *ways, *carried, *lying]


def _open_ways(room: Any, me: Any) -> Iterator[Any]:
    """Yield the exits of a room (None has none) that it may see and take."""
    ways = room.contents_get(content_type="exit", exclude=me)[:SEEN_OF_A_KIND] if room else ()
    for way in room.filter_visible(ways, me) if ways else ():
        if way.destination and way.access(me, "traverse"):
            yield way


def _sees(me: Any, target: Any) -> bool:
    holder = target.location
    return holder in (me, me.location) and bool(holder and holder.filter_visible([target], me))


def _description(obj: Any, looker: Any, limit: int) -> str:
    shown = obj.get_display_desc(looker) if obj.access(looker, "view") else ""
    return "" if shown == obj.default_description else clean(plain(shown or ""), limit)


def _is_givable(item: Any) -> bool:
    return marked(item, conf.settings.GIVABLE_TAG) or marked(item, GIFT_TAG)


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
