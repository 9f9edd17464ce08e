"""A world of rooms, people and things in memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from ai_assistant.agent.turn.speech_rules import route
from ai_assistant.core.contracts import Delivery, Entity, Event, SourceType, Speech, SpeechKind
from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import SeenPlace, Thing
from ai_assistant.core.readers import OPEN, Audience
from ai_assistant.testing.hands import Hands


class FakeWorld(Hands):
    """Implements `ports.World`: one character in a place, with others around it.

    Fill it with `enter`, `place_exit`, `carry`; look at `deliveries` and `deeds` afterwards.
    """

    def __init__(self, me: Entity, *, place: str = "room1", place_name: str = "the inn") -> None:
        self.self = me
        self.place = place
        self.place_name = place_name
        self.private = False
        self.present: dict[str, Thing] = {}
        self.hidden: dict[str, Entity] = {}
        self.online: set[str] = set()
        self.channels: dict[str, set[str]] = {}
        self.permissions: dict[str, set[str]] = {}
        self.rooms: dict[str, dict[str, str]] = {}
        self.elsewhere: dict[str, tuple[str, Thing]] = {}
        self.game: list[Entity] = []
        self.leads: dict[str, str] = {}
        self.closed: dict[str, str] = {}
        self.seconds = 12 * 3600.0
        self.body: dict[str, Any] = {}
        self.deliveries: list[tuple[Speech, Delivery]] = []
        self.deeds: list[str] = []
        self._ids = count(1)

    # -- what a test does

    def enter(self, *people: Entity, hidden: bool = False, assistant: bool = False) -> None:
        """Let people come in; hidden ones hear without being seen."""
        for one in people:
            self.online.add(one.id)
            if hidden:
                self.hidden[one.id] = one
            else:
                self.present[one.id] = Thing(one, is_assistant=assistant)

    def leave(self, *people: Entity, online: bool = False) -> None:
        """Let people go; unless `online`, they log out as well."""
        for one in people:
            self.present.pop(one.id, None)
            self.hidden.pop(one.id, None)
            if not online:
                self.online.discard(one.id)

    def lay_out(self, **rooms: Iterable[str]) -> None:
        """Connect rooms, each with those that one can walk to from there; ids are their names."""
        self.rooms = {room: {one: f"the {one}" for one in ways} for room, ways in rooms.items()}

    def put(self, who: Entity, place: str) -> None:
        """Let somebody be in another room, or come from there to this one."""
        self.leave(who, online=True)
        self.elsewhere[who.id] = (place, Thing(who))
        self.online.add(who.id)
        self._meet()

    def _meet(self) -> None:
        for id, (place, thing) in list(self.elsewhere.items()):
            if place == self.place:
                self.present[id] = thing
                del self.elsewhere[id]

    def place_exit(self, name: str, to: str = "", *, closed: str = "") -> str:
        """Add an exit, `to` a room of `lay_out`, or `closed` for that reason; returns its id."""
        exit_id = f"exit-{name}"
        self.leads[exit_id] = to
        self.closed |= {exit_id: closed} if closed else {}
        return self._add(Thing(Entity(exit_id, name), f"the {to}" if to else "", is_exit=True))

    def carry(self, name: str, *, givable: bool = True) -> str:
        """Give the character a thing to carry; returns its id."""
        return self._add(Thing(Entity(f"item-{name}", name), carried=True, givable=givable))

    def lay(self, name: str, *, takable: bool = True, place: str = "") -> str:
        """Let a thing lie here or in another room; returns its id."""
        thing = Thing(Entity(f"item-{name}", name), takable=takable)
        self.elsewhere[thing.entity.id] = (place or self.place, thing)
        self._meet()
        return thing.entity.id

    def _add(self, thing: Thing) -> str:
        self.present[thing.entity.id] = thing
        return thing.entity.id

    def event(
        self,
        who: Entity,
        text: str,
        kind: SourceType = "say",
        *,
        at: float = 0.0,
        readers: str | None = None,
        place: str = "",
    ) -> Event:
        """Return the event of somebody saying something, labelled as perception labels it."""
        private = {"whisper": who.id, "page": who.id, "channel": place}
        id = f"event{next(self._ids)}"
        return Event(
            id=id,
            timestamp=at,
            event_type="external",
            source=who,
            source_type=kind,
            content=text,
            readers=private.get(kind, OPEN) if readers is None else readers,
            place=place or self.place,
            place_name=self.place_name,
            root=id,
            requires_response=True,
        )

    @property
    def said(self) -> list[str]:
        """The words of every speech that was not dropped."""
        return [speech.text for speech, end in self.deliveries if end.outcome != "dropped"]

    # -- the port

    def me(self) -> Entity:
        """The character itself."""
        return self.self

    def scene(self) -> SeenPlace:
        """Where it is and what it sees."""
        return SeenPlace(
            place=self.place,
            place_name=self.place_name,
            description="A room with a fire.",
            time="evening",
            private=self.private,
            things=tuple(self.present.values()),
        )

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that."""
        if entity_id not in self.present:
            raise ToolError("That is not here any more.")
        return f"You see {self.present[entity_id].entity.name}."

    def hearers(self, kind: SpeechKind, place: str, target: str = "") -> Audience:
        """Everybody who would hear a speech of that kind now."""
        if kind == "channel":
            return frozenset({place}) if place in self.channels else frozenset()
        if kind == "page":
            return frozenset({target} & self.online)
        if place != self.place:
            return frozenset()
        here = set(self.hidden) | {
            id
            for id, thing in self.present.items()
            if thing.is_assistant or thing.entity.kind == "player"
        }
        return frozenset(here & {target} if kind == "whisper" else here)

    def belongs(self, principal: str, channel: str) -> bool:
        """Is the principal subscribed to that channel?"""
        return principal in self.channels.get(channel, ())

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused the event still hear an answer?"""
        if event.source_type == "channel":
            return event.place in self.channels
        if event.source_type == "page":
            return event.source.id in self.online
        return event.source.id in self.present or event.source.id in self.hidden

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does that one hold this permission?"""
        return entity_id in self.permissions.get(permission, ())

    async def move(self, exit_id: str) -> str:
        """Walk through an exit."""
        name = self._there(exit_id)
        if exit_id in self.closed:
            raise ToolError(self.closed[exit_id])
        self._go(self.leads.get(exit_id) or f"beyond-{exit_id}")
        self.deeds.append(f"move {name}")
        return f"You went {name}."

    async def walk(self, place: str) -> str:
        """Go to a neighbouring room; whoever is here stays behind."""
        if place not in self.neighbours(self.place):
            raise ToolError("There is no open way there.")
        self._go(place)
        self.deeds.append(f"walk {place}")
        return f"You went to {self.place_name}."

    def _go(self, place: str) -> None:
        here = {id: one for id, one in self.present.items() if not one.carried}
        self.elsewhere |= {id: (self.place, thing) for id, thing in here.items()}
        self.present = {id: one for id, one in self.present.items() if one.carried}
        self.place_name = self.rooms.get(self.place, {}).get(place, place)
        self.place = place
        self._meet()

    def neighbours(self, place: str) -> dict[str, str]:
        """The rooms next to that one."""
        return self.rooms.get(place, {})

    def whereabouts(self, who: str = "") -> str:
        """The room where somebody is; its own without an id."""
        if who in ("", self.self.id) or who in self.present:
            return self.place
        return self.elsewhere[who][0] if who in self.elsewhere else ""

    def company(self) -> Audience:
        """The players here, hidden ones included."""
        seen = {id for id, thing in self.present.items() if thing.entity.kind == "player"}
        return frozenset(seen | set(self.hidden))

    def keeps_own(self, who: str) -> bool:
        """Nobody here tells of what they receive."""
        return False

    def unseen(self, people: Audience) -> dict[str, Audience]:
        """All see each other, but for whom the character does not see."""
        return {}

    def status(self) -> dict[str, Any]:
        """Where it is, and what the test set as `body`."""
        return {"location": self.place_name, **self.body}

    def game_time(self) -> float:
        """What the test set as `seconds`; noon at first."""
        return self.seconds

    def pace(self) -> float:
        """Its time goes as ours does."""
        return 1.0

    def known(self, name: str) -> list[Entity]:
        """Who is here or elsewhere under exactly that name, and whom the test put into `game`."""
        there = [thing.entity for _, thing in self.elsewhere.values()]
        here = [thing.entity for thing in self.present.values()]
        everybody = {one.id: one for one in (*here, *there, *self.game)}.values()
        return [one for one in everybody if one.name.casefold() == name.casefold()]

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now."""
        target = speech.target.id if speech.target else ""
        return route(speech, self.hearers(speech.kind, speech.place, target), self.belongs)

    def deliver(self, speech: Speech) -> Delivery:
        """Keep the speech and its end in `deliveries`."""
        end = self.route(speech)
        self.deliveries.append((speech, end))
        return end


def people(*names: str) -> Iterable[Entity]:
    """Return players of these names with ids like ``e-alice``."""
    return (Entity(f"e-{name.lower()}", name, "player") for name in names)
