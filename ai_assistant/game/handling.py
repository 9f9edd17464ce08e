"""Handling: a character walks, takes, puts down and gives, as the game's own commands do it.

Each act raises `ToolError` with the game's own reason, if it gives one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from evennia.server.signals import SIGNAL_EXIT_TRAVERSED

from ai_assistant import conf
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.game.consent import ignores
from ai_assistant.game.earshot import room_hearers
from ai_assistant.game.identity import (
    CATEGORY,
    Body,
    entity_id,
    find,
    has_tag,
    is_puppeted,
    name_of,
    reference,
    unstyled,
)
from ai_assistant.game.perception import GIFT_TAG
from ai_assistant.game.quiet import QUIET

SEEN_OF_A_KIND = 40
"""So many characters, exits and items are looked at; what lies beyond is not noticed."""
BY_AGE = attrgetter("id")
"""The order in which they are: Evennia's own may change with each restart and each arrival."""
TAKEN_TAG = "taken_by_itself"
"""On what a character picked up, and may therefore hand over or put down again."""


class EvenniaActing(Body):
    """Implements `ports.Acting`."""

    async def move(self, exit_id: str) -> str:
        """Walk through an exit; see `ports.Acting`."""
        me, way = self._free_body(), find(exit_id)
        if way is None or not way.destination or not is_at_hand(me, way):
            raise ToolError("There is no such way out here.")
        if not way.access(me, "traverse"):
            reason = clean(unstyled(way.db.err_traverse or ""))
            with collect_told(me) as reasons:
                if not reason:
                    way.at_failed_traverse(me)
            raise ToolError(reason or first(reasons) or "That way is closed to you.")
        before = me.location
        with collect_told(me) as reasons:
            way.at_traverse(me, way.destination)
        if me.pk is None or me.location in (None, before):
            raise ToolError(first(reasons) or "You did not get through.")
        SIGNAL_EXIT_TRAVERSED.send(sender=way, traverser=me)
        return f"You went to {name_of(me.location, me)}."

    async def walk(self, place: str) -> str:
        """Go to a neighbouring place by the first way that is open."""
        me = self._free_body()
        for way in open_ways(me.location, me):
            if entity_id(way.destination) == place:
                return await self.move(entity_id(way))
        raise ToolError("There is no open way there.")

    async def take(self, item_id: str) -> str:
        """Pick up a thing that lies here."""
        me, item = self._free_body(), find(item_id)
        if item is None or not is_at_hand(me, item):
            raise ToolError("That is not here.")
        name = name_of(item, me)
        if item.location == me:
            raise ToolError(f"You carry {name} already.")
        if item.destination or not is_takable(item, me):
            raise ToolError(_plain(item.db.get_err_msg) or f"You cannot pick up {name}.")
        refusal = f"You cannot pick up {name}."
        _carry(me, item, me, "get", lambda: item.at_pre_get(me), refusal)
        item.tags.add(TAKEN_TAG, category=CATEGORY)
        item.at_get(me)
        _show(me, item, "$You() $conj(pick) up")
        return f"You took {name}."

    async def put_down(self, item_id: str) -> str:
        """Put down a thing that the character carries and may part with."""
        me, item = self._free_body(), find(item_id)
        name = _own(me, item)
        if me.location is None:
            raise ToolError("There is nowhere to put it.")
        refusal = f"You cannot put down {name}."
        _carry(me, item, me.location, "drop", lambda: item.at_pre_drop(me), refusal)
        _let_go(item)
        item.at_drop(me)
        _show(me, item, "$You() $conj(drop)")
        return f"You put down {name}."

    async def give(self, item_id: str, receiver_id: str) -> str:
        """Hand a thing that the character carries to somebody here."""
        me, item, receiver = self._free_body(), find(item_id), find(receiver_id)
        name = _own(me, item)
        if receiver is None or receiver == me or not is_at_hand(me, receiver):
            who = name_of(receiver, me) if receiver not in (None, me) else "Whoever should get it"
            raise ToolError(f"{who} is not here.")
        if reference(receiver).kind == "object":
            raise ToolError("Only persons can be given something.")
        if ignores(receiver, me):
            raise ToolError(f"{name_of(receiver, me)} wants nothing from you.")
        refusal = f"You cannot give away {name}."
        _carry(me, item, receiver, "give", lambda: item.at_pre_give(me, receiver), refusal)
        _let_go(item)
        item.at_give(me, receiver)
        receiver.msg(f"{name_of(me, receiver)} gives you {name_of(item, receiver)}.")
        return f"You gave {name} to {name_of(receiver, me)}."

    def _free_body(self) -> Any:
        """Refuse acts while a player controls the character: they would use the player's rights."""
        body = self._body()
        if is_puppeted(body):
            raise ToolError("Somebody else is moving your body just now.")
        if QUIET.reason(body):
            raise ToolError("You were told to be quiet.")
        return body


def is_at_hand(me: Any, target: Any) -> bool:
    """Is a thing carried by the character, or in the same place and not hidden from it?"""
    holder = target.location
    return holder in (me, me.location) and bool(holder and holder.filter_visible([target], me))


def open_ways(room: Any, me: Any) -> Iterator[Any]:
    """Yield the exits of a room that the character may see and take; none without a room."""
    ways = sorted(room.contents_get(content_type="exit"), key=BY_AGE) if room else ()
    for way in room.filter_visible(ways[:SEEN_OF_A_KIND], me) if ways else ():
        if way.destination and way.access(me, "traverse"):
            yield way


def is_givable(item: Any) -> bool:
    """May a character part with a thing?"""
    return has_tag(item, conf.settings.GIVABLE_TAG, GIFT_TAG, TAKEN_TAG)


def is_takable(item: Any, me: Any) -> bool:
    """May a thing be picked up, by its lock `get`?"""
    return reference(item).kind == "object" and bool(item.access(me, "get"))


@contextmanager
def collect_told(me: Any) -> Iterator[list[str]]:
    """Collect what the game tells a character within this block: the reason why an act failed."""
    me.ndb.told = lines = []
    try:
        yield lines
    finally:
        me.ndb.told = None


def first(reasons: list[str]) -> str:
    """Return the first line that has any text, as plain text; empty if there is none."""
    return next(filter(None, map(_plain, reasons)), "")


def _plain(text: Any) -> str:
    return clean(unstyled(text or ""))


def _carry(me: Any, item: Any, to: Any, how: str, allowed: Callable[[], Any], refusal: str) -> None:
    """Move a thing as the game's own command does; raises `ToolError` with the game's reason."""
    with collect_told(me) as reasons:
        moved = allowed() and item.move_to(to, quiet=True, move_type=how)
    if not moved:
        raise ToolError(first(reasons) or refusal)


def _own(me: Any, item: Any) -> str:
    """Return the name of a thing that the character carries and may part with."""
    if item is None or item.location != me:
        raise ToolError("You do not carry that.")
    if not is_givable(item):
        raise ToolError("That is not yours to give away.")
    return name_of(item, me)


def _let_go(item: Any) -> None:
    for tag in (GIFT_TAG, TAKEN_TAG):
        item.tags.remove(tag, category=CATEGORY)


def _show(me: Any, item: Any, words: str) -> None:
    """Show everybody in the room what the character does; the name of a thing is no template."""
    if me.location is not None:
        name = _plain(item.get_numbered_name(1, me, return_string=True))
        deaf = room_hearers(me.location, me, "pose", deaf=True)
        me.location.msg_contents(
            f"{words} {{item}}.", exclude=deaf, from_obj=me, mapping={"item": name}
        )
