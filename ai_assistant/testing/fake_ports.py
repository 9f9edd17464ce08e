"""The ports of a game over one place in memory: what is perceived, who hears, what is done."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from ai_assistant.agent.turn.speech_rules import route
from ai_assistant.core.contracts import Delivery, Entity, Event, Json, Speech, SpeechKind
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import Audience
from ai_assistant.core.seen import SeenPlace, Thing
from ai_assistant.core.times import HOUR


class FakePlace:
    """The place of one character, and what lies around it; all fields are a test's to change."""

    def __init__(self, me: Entity, *, place: str = "room1", place_name: str = "the inn") -> None:
        self.self = me
        self.place = place
        self.place_name = place_name
        self.home_id = ""
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
        self.seconds = 12 * HOUR
        self.body: dict[str, Any] = {}
        self.deliveries: list[tuple[Speech, Delivery]] = []
        self.deeds: list[str] = []
        self._ids = count(1)

    def neighbours(self, place: str) -> dict[str, str]:
        """The rooms next to that one."""
        return self.rooms.get(place, {})

    def _meet(self) -> None:
        for id, (place, thing) in list(self.elsewhere.items()):
            if place == self.place:
                self.present[id] = thing
                del self.elsewhere[id]


class FakeSurroundings(FakePlace):
    """Implements `ports.Surroundings`."""

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

    def home(self) -> str:
        """Where it belongs."""
        return self.home_id

    def whereabouts(self, who: str = "") -> str:
        """The room where somebody is; its own without an id."""
        if who in ("", self.self.id) or who in self.present:
            return self.place
        return self.elsewhere[who][0] if who in self.elsewhere else ""

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
        wanted = name.casefold()
        return [entity for entity in self._everybody.values() if entity.name.casefold() == wanted]

    def who_is(self, lasting_id: str) -> Entity | None:
        """Who of these bears this id."""
        return self._everybody.get(lasting_id)

    @property
    def _everybody(self) -> dict[str, Entity]:
        there = [thing.entity for _, thing in self.elsewhere.values()]
        here = [thing.entity for thing in self.present.values()]
        return {entity.id: entity for entity in (*here, *there, *self.game)}


class FakeTalk(FakePlace):
    """Implements `ports.Talk`: who is here hears, and what was said is kept in `deliveries`."""

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

    def company(self) -> Audience:
        """The players here, hidden ones included."""
        seen = {id for id, thing in self.present.items() if thing.entity.kind == "player"}
        return frozenset(seen | set(self.hidden))

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused the event still hear an answer?"""
        if event.source_type == "channel":
            return event.place in self.channels
        if event.source_type == "page":
            return event.source.id in self.online
        return event.source.id in self.present or event.source.id in self.hidden

    def keeps_own(self, who: str) -> bool:
        """Nobody here tells of what they receive."""
        return False

    def moderated(self, speech: Speech) -> Speech:
        """Let everything be said as it is."""
        return speech

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now."""
        target = speech.target.id if speech.target else ""
        return route(speech, self.hearers(speech.kind, speech.place, target), self.belongs)

    def deliver(self, speech: Speech) -> Delivery:
        """Keep the speech and its end in `deliveries`."""
        end = self.route(speech)
        self.deliveries.append((speech, end))
        return end


class FakeActing(FakePlace):
    """Implements `ports.Acting`: acts on what is `present`, and puts each into `deeds`."""

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

    async def give(self, item_id: str, receiver_id: str) -> str:
        """Hand over an item."""
        name, receiver = self._carried(item_id), self._there(receiver_id)
        del self.present[item_id]
        self.deeds.append(f"give {name} to {receiver}")
        return f"You gave the {name} to {receiver}."

    async def take(self, item_id: str) -> str:
        """Pick up an item."""
        name, thing = self._there(item_id), self.present[item_id]
        if thing.carried or not thing.takable:
            raise ToolError(f"You cannot pick up the {name}.")
        self.present[item_id] = replace(thing, carried=True, givable=True, takable=False)
        self.deeds.append(f"take {name}")
        return f"You took the {name}."

    async def put_down(self, item_id: str) -> str:
        """Put down an item."""
        name = self._carried(item_id)
        self.present[item_id] = Thing(self.present[item_id].entity, takable=True)
        self.deeds.append(f"put down {name}")
        return f"You put down the {name}."

    def propose(self, act: str, arguments: Json, asked_by: str, readers: str) -> str:
        """Keep the proposal; nobody confirms it."""
        self.deeds.append(f"propose {act} {sorted(arguments.items())} to {asked_by}")
        return f"You proposed to {act}."

    def _go(self, place: str) -> None:
        here = {id: thing for id, thing in self.present.items() if not thing.carried}
        self.elsewhere |= {id: (self.place, thing) for id, thing in here.items()}
        self.present = {id: thing for id, thing in self.present.items() if thing.carried}
        self.place_name = self.rooms.get(self.place, {}).get(place, place)
        self.place = place
        self._meet()

    def _carried(self, item_id: str) -> str:
        name = self._there(item_id)
        if not self.present[item_id].carried:
            raise ToolError(f"You do not carry the {name}.")
        if not self.present[item_id].givable:
            raise ToolError(f"The {name} is not yours to give.")
        return name

    def _there(self, entity_id: str) -> str:
        if entity_id not in self.present:
            names = [entity.name for entity in self.game if entity.id == entity_id]
            raise ToolError(f"{names[0]} is not here." if names else "That is not here any more.")
        return self.present[entity_id].entity.name
