"""Senses: what a character sees around it, and what the game knows of its body right now.

Together with its voice and hands they make the world of a mind, under the character's own locks.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from evennia.objects.models import ObjectDB
from evennia.utils import gametime

from ai_assistant import conf
from ai_assistant.core.contracts import Entity
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import Audience
from ai_assistant.core.seen import SeenPlace, Thing
from ai_assistant.core.text import HEARD_LIMIT, clean, clean_name
from ai_assistant.game import earshot, handling
from ai_assistant.game.handling import EvenniaActing
from ai_assistant.game.identity import (
    Body,
    entity_id,
    find,
    is_assistant,
    known_id,
    name_of,
    reference,
    unstyled,
)
from ai_assistant.game.proposals import EvenniaProposing
from ai_assistant.game.speech import EvenniaTalk, Missed
from ai_assistant.memory.blocks.status_block import checked_fields

LOOK_LINES = 12
MOST_OF_A_NAME = 20
DESCRIPTION_LIMIT = 300
MOST_ALIASES = 6


class EvenniaSurroundings(Body):
    """Implements `ports.Surroundings`: what a lock or the game hides is not seen."""

    def me(self) -> Entity:
        """The character itself; raises `ToolError` when it is gone."""
        return reference(self._body())

    def scene(self) -> SeenPlace:
        """Where it is, and what it sees there."""
        me = self._body()
        room = me.location
        time = f"{datetime.fromtimestamp(self.game_time(), UTC):%Y-%m-%d %H:%M}"
        if room is None:
            return SeenPlace("", "nowhere", time=time)
        return SeenPlace(
            place=entity_id(room),
            place_name=name_of(room, me),
            description=description(room, me, HEARD_LIMIT),
            time=time,
            private=earshot.is_private(room),
            things=tuple(things(room, me)),
        )

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that; raises `ToolError` where it is gone or unseen."""
        me, target = self._body(), find(entity_id)
        if target is None or not (target in (me, me.location) or handling.is_at_hand(me, target)):
            raise ToolError("That is not to be seen here any more.")
        return clean(unstyled(me.at_look(target)), HEARD_LIMIT, LOOK_LINES)

    def neighbours(self, place: str) -> dict[str, str]:
        """The places next to that one, id → name, that the character's locks let it reach."""
        me = self._body()
        ways = handling.open_ways(find(place), me)
        return {entity_id(way.destination): name_of(way.destination, me) for way in ways}

    def whereabouts(self, who: str = "") -> str:
        """The id of the place where somebody is, unless hidden from it; without `who` its own."""
        me, other = find(self._id), find(who or self._id)
        room = getattr(other, "location", None)
        if me is None or room is None:
            return ""
        seen = other is me or room.filter_visible([other], me)
        return entity_id(room) if seen else ""

    def home(self) -> str:
        """The id of its home, as Evennia has it; empty for none."""
        me = find(self._id)
        return entity_id(me.home) if me is not None and me.home else ""

    def unseen(self, people: Audience) -> Mapping[str, Audience]:
        """{id: ids of those who do not see them} for those of `people` whom others do not see."""
        room = self._body().location
        bodies = [body for body in map(find, sorted(people)) if body is not None]
        return earshot.unseen(room, bodies) if room is not None else {}

    def status(self) -> dict[str, Any]:
        """What the game knows of its state: location, position and health, if it has them.

        The position is the room's coordinates: its `xyz`, or its Attribute `coordinates`. Health is
        the Attribute or property that ``AI_ASSISTANT_HEALTH`` names. If the character has a method
        `at_ai_status`, the dict that it returns comes before all of that.
        """
        character = self._body()
        room, name = character.location, conf.settings.HEALTH
        health = character.attributes.get(name)
        if health is None:
            health = getattr(type(character), name, None)
            health = getattr(character, name) if isinstance(health, property) else health
        found = {
            "location": name_of(room, character) if room else "nowhere",
            "position": position_of(room),
            "health": health if isinstance(health, int | float | str) else None,
        }
        told = getattr(character, "at_ai_status", None)
        found |= dict(told()) if callable(told) else {}
        return checked_fields({key: got for key, got in found.items() if got not in (None, "", [])})

    def game_time(self) -> float:
        """The game's own time, in its seconds since the epoch."""
        return float(gametime.gametime(absolute=True))

    def pace(self) -> float:
        """How many seconds of game time pass in one real second."""
        return float(gametime.TIMEFACTOR)

    def known(self, name: str) -> list[Entity]:
        """Everybody and everything in the game with exactly this name, as the character sees it.

        Players come first; of all else only what has had to do with an assistant before. If the
        game shows a character under another name, its real name finds nothing.
        """
        me, wanted = self._body(), clean_name(name).casefold()
        known = []
        for obj in ObjectDB.objects.search_object(name, use_dbref=False)[:MOST_OF_A_NAME]:
            is_called = name_of(obj, me).casefold() in (wanted, clean_name(obj.key).casefold())
            is_ours = bool(known_id(obj))
            if obj != me and is_called and (is_ours or reference(obj).kind == "player"):
                known.append(reference(obj, me))
        return sorted(known, key=lambda entity: entity.kind != "player")

    def who_is(self, lasting_id: str) -> Entity | None:
        """Who has this id now, as the character sees them; None if nobody has."""
        found = find(lasting_id)
        return None if found is None else reference(found, self._body())


def position_of(room: Any) -> list[float]:
    """Return the coordinates of a room, if the game gave it any."""
    found = getattr(room, "xyz", None) or (room.db.coordinates if room else None) or ()
    numbers = [number for number in found if isinstance(number, int | float)]
    return numbers if len(numbers) == len(found) else []


def things(room: Any, me: Any) -> list[Thing]:
    """Return the people, exits and things in a room, and what the character carries."""
    around = ((room, "character"), (room, "exit"), (me, "object"), (room, "object"))
    most = handling.SEEN_OF_A_KIND
    people, ways, carried, lying = (
        holder.filter_visible(
            sorted(holder.contents_get(content_type=kind, exclude=me), key=handling.BY_AGE)[:most],
            me,
        )
        for holder, kind in around
    )
    seen: list[tuple[Any, dict[str, Any]]] = []
    for person in people:
        told = description(person, me, DESCRIPTION_LIMIT)
        hides = {} if name_of(person, me) == clean_name(person.key) else {"aliases": ()}
        seen.append((person, {"description": told, "is_assistant": is_assistant(person), **hides}))
    for way in ways:
        if way.destination:  # of one that is closed it is not seen where it leads
            leads = name_of(way.destination, me) if way.access(me, "traverse") else ""
            seen.append((way, {"description": leads, "is_exit": True}))
    for item in carried:
        seen.append((item, {"carried": True, "givable": handling.is_givable(item)}))
    for item in lying:
        takable = handling.is_takable(item, me)
        seen.append((item, {"is_assistant": is_assistant(item), "takable": takable}))
    found = []
    for obj, known in seen:
        aliases = tuple(map(clean_name, obj.aliases.all()[:MOST_ALIASES]))
        found.append(Thing(reference(obj, me), **{"aliases": aliases, **known}))
    return found


def description(obj: Any, looker: Any, limit: int) -> str:
    """Return an object's description, if the looker may view it; empty without one."""
    shown = obj.get_display_desc(looker) if obj.access(looker, "view") else ""
    return "" if shown == obj.default_description else clean(unstyled(shown or ""), limit)


class EvenniaWorld(EvenniaSurroundings, EvenniaTalk, EvenniaActing, EvenniaProposing):
    """The `World` of one character, an Evennia object found by its lasting id."""

    def __init__(self, character: Any, missed: Missed = lambda *_: None) -> None:
        """`missed` is told who did not receive a line that was saved before it was said."""
        super().__init__(character)
        self.missed = missed
