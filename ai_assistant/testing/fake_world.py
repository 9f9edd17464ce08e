"""A world of rooms, people and things in memory."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.core.contracts import Entity, Event, SourceType
from ai_assistant.core.readers import OPEN
from ai_assistant.core.seen import Thing
from ai_assistant.testing.fake_ports import FakeActing, FakeSurroundings, FakeTalk


class FakeWorld(FakeSurroundings, FakeTalk, FakeActing):
    """Implements `ports.World`: one character in a place, with others around it.

    Fill it with `enter`, `place_exit`, `carry`; look at `deliveries` and `deeds` afterwards.
    """

    def enter(self, *people: Entity, hidden: bool = False, assistant: bool = False) -> None:
        """Let people come in; hidden ones hear without being seen."""
        for entity in people:
            self.online.add(entity.id)
            if hidden:
                self.hidden[entity.id] = entity
            else:
                self.present[entity.id] = Thing(entity, is_assistant=assistant)

    def leave(self, *people: Entity, online: bool = False) -> None:
        """Let people go; unless `online`, they log out as well."""
        for entity in people:
            self.present.pop(entity.id, None)
            self.hidden.pop(entity.id, None)
            if not online:
                self.online.discard(entity.id)

    def lay_out(self, **rooms: Iterable[str]) -> None:
        """Connect rooms, each with those that one can walk to from there; ids are their names."""
        self.rooms = {room: {way: f"the {way}" for way in ways} for room, ways in rooms.items()}

    def put(self, who: Entity, place: str) -> None:
        """Let somebody be in another room, or come from there to this one."""
        self.leave(who, online=True)
        self.elsewhere[who.id] = (place, Thing(who))
        self.online.add(who.id)
        self._meet()

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


def people(*names: str) -> Iterable[Entity]:
    """Return players of these names with ids like ``e-alice``."""
    return (Entity(f"e-{name.lower()}", name, "player") for name in names)
