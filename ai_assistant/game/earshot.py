"""Earshot: who could hear a line, who received it, and when it is taken in.

The room decides who could hear: `at_ai_hearers(speaker, kind)` of its class returns the objects
that hear a say, pose, move or gift there; without that method, everybody in the room does. Of
these, assistants and characters of `scene_listeners.SceneParticipantMixin` report what they
receive, and count only if they did. All others count, except those whom a room of
`scene_listeners.SceneRoomMixin` left out.

A game may narrow that: `at_ai_received(speaker, kind, text, hearers, missed)` of the room is asked
once for each line, when it is over, and returns those of `hearers` who took it in. `missed` are
those who could have heard it and did not get it. Nothing widens the answer; if the method raises,
nobody received the line.

Evennia hands a line to one hearer after the other. Only when all of that is over is it known who
received it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evennia.objects.objects import DefaultObject

from ai_assistant import conf
from ai_assistant.core.contracts import Event
from ai_assistant.core.readers import OPEN, Audience, canonical, meet, members
from ai_assistant.game.consent import ignores
from ai_assistant.game.identity import entity_id, find, has_tag, is_assistant
from ai_assistant.game.line_ids import VOICE
from ai_assistant.game.log import report, surviving

IN_ROOMS = frozenset({"say", "pose", "move"})
"""Kinds of event that a whole room can hear or see."""
REPORTED = IN_ROOMS | {"whisper"}
"""Kinds that reporters are asked about; everything else reaches them by other ways."""
_MOST_LINES = 500
_SEEN_BY_ALL = "view:all()"
_NONE: Audience = frozenset()


def listens(obj: Any) -> bool:
    """Does somebody hear through this object: a session, or a mind of ours?"""
    return bool(obj.sessions.count()) or is_assistant(obj)


def keeps_own(obj: Any) -> bool:
    """Does an object report and keep what it receives? Not while a player controls it."""
    reports = getattr(type(obj), "reports_lines", False)
    return bool(reports and not (obj.sessions.count() and is_assistant(obj)))


def sees(looker: Any, things: Iterable[Any], room: Any) -> bool:
    """Does somebody see all of these things in a room?"""
    others = [thing for thing in things if thing != looker]
    return len(room.filter_visible(others, looker)) == len(others)


def shy(room: Any, people: Iterable[Any]) -> list[Any]:
    """Return those people in a room whom others there may not see."""
    # Most are seen by all, as Evennia makes them; only of the others it is asked who sees them.
    if type(room).filter_visible is not DefaultObject.filter_visible:
        return list(people)
    return [
        body
        for body in people
        if body.locks.get("view") != _SEEN_BY_ALL or body.locks.get("search")
    ]


def unseen(room: Any, people: Collection[Any]) -> dict[str, Audience]:
    """Return {id: ids of those who do not see them} for all in a room whom somebody misses."""
    some = shy(room, people)
    found: dict[str, set[str]] = {}
    for looker in people if some else ():
        seen = room.filter_visible(some, looker)
        for body in some:
            if body != looker and body not in seen:
                found.setdefault(entity_id(body), set()).add(entity_id(looker))
    return {body: frozenset(lookers) for body, lookers in found.items()}


def room_hearers(room: Any, speaker: Any, kind: str, *, deaf: bool = False) -> list[Any]:
    """Return everybody but the speaker who hears in a room, hidden ones included.

    With `deaf`, return instead those who could hear, but ignore the speaker.
    """
    asks = bool(conf.settings.IGNORES)
    if deaf and not asks:
        return []
    hook = getattr(room, "at_ai_hearers", None)
    there: Iterable[Any] = hook(speaker, kind) if hook else room.contents
    heard = [obj for obj in there if obj != speaker and listens(obj)]
    return [obj for obj in heard if ignores(obj, speaker) is deaf] if asks else heard


def is_private(room: Any) -> bool:
    """Does what is said in a room belong to those who heard it?"""
    tag = conf.settings.PRIVATE_TAG
    everywhere = conf.settings.OPEN_SPEECH == "present" or tag == conf.UNUSABLE
    return everywhere or has_tag(room, tag)


@dataclass(slots=True)
class _LineReceipt:
    """A line on its way, and who gets it, by id.

    `there` could hear it when it was said, `left_out` are those it was kept from, `got` those who
    reported it. `heard` are those who received it, once somebody asked. `answerer` is the assistant
    that a line without a name may be for, once that was looked at; empty for none.
    """

    event: Event
    there: tuple[str, ...]
    left_out: Audience = _NONE
    got: set[str] = field(default_factory=set)
    heard: tuple[str, ...] | None = None
    answerer: str | None = None


class Receipts:
    """Knows who received each of the latest lines. Use it on the reactor thread only.

    Who could hear a line is noted when its first hearer gets it; whoever comes later is too late.
    """

    def __init__(self) -> None:
        self.lines: OrderedDict[str, _LineReceipt] = OrderedDict()

    def expect(self, event: Event, there: Iterable[str]) -> None:
        """Note the ids of those who could hear a line that is about to be said."""
        self.lines[event.id] = _LineReceipt(event, tuple(there))
        while len(self.lines) > _MOST_LINES:
            self.lines.popitem(last=False)

    def note(self, event: Event, who: str) -> bool:
        """Note that somebody received a line; return False if they had it already."""
        if event.id not in self.lines:
            room = find(who).location if event.source_type in IN_ROOMS else None
            there = room_hearers(room, find(event.source.id), event.source_type) if room else ()
            self.expect(event, map(entity_id, there) if room else [who])
        line = self.lines[event.id]
        if left_out := VOICE.get().left_out:
            line.left_out |= {entity_id(obj) for obj in left_out if getattr(obj, "pk", None)}
        if who in line.got:
            return False
        line.got.add(who)
        return True

    def heard(self, event: str) -> tuple[str, ...] | None:
        """Return the ids of those who received a line; None if it is not known any more.

        Ask when the line is over: the game is asked once, and its answer stands.
        """
        line = self.lines.get(event)
        if line is None:
            return None
        if line.heard is None:
            bodies = {who: find(who) for who in line.there}
            by_report = {  # they count only if they said so, or are gone
                who
                for who, body in bodies.items()
                if body is None or getattr(type(body), "reports_lines", False)
            }
            apart = by_report | line.left_out
            got = [who for who in bodies if who in line.got or who not in apart]
            hook = getattr(find(line.event.place), "at_ai_received", None)
            line.heard = tuple(_narrowed(hook, line.event, bodies, got) if callable(hook) else got)
        return line.heard

    def missed(self, event: str) -> Audience:
        """Return those who could hear a line and did not receive it. Ask when it is over."""
        heard = self.heard(event)
        return frozenset(self.lines[event].there).difference(heard) if heard is not None else _NONE

    def labelled(self, event: Event, alone: str = "") -> Event:
        """Return an event with the label of those who received it, once its line is over.

        Before that, name the one hearer in `alone`: the label is no wider than speaker and hearer.
        """
        if event.readers == OPEN or event.source_type not in IN_ROOMS:
            return event
        if alone:
            return replace(event, readers=meet(event.readers, canonical({event.source.id, alone})))
        return replace(event, readers=canonical(members(event.readers) - self.missed(event.id)))


def _narrowed(
    hook: Callable[..., Iterable[Any]], said: Event, bodies: Mapping[str, Any], got: Sequence[str]
) -> Sequence[str]:
    """Return who took a line in, of those who `got` it, by the hook of its room."""
    there = {who: body for who, body in bodies.items() if body is not None}
    took = [body for who, body in there.items() if who in got]
    missed = [body for who, body in there.items() if who not in got]
    try:
        answer = list(hook(find(said.source.id), said.source_type, said.content, took, missed))
    except Exception as error:  # the line is heard all the same
        report("at_ai_received", error)
        return []
    return [who for who, body in there.items() if who in got and body in answer]


RECEIPTS = Receipts()


class HeardQueue:
    """Holds what was heard until this reactor step is over. Use it on the reactor thread only."""

    def __init__(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """`later(seconds, call)` runs something in a later step of the reactor."""
        self._later = later
        self._waiting: dict[Callable[[list[Any]], None], list[Any]] = {}

    def put_off(self, take_in: Callable[[list[Any]], None], heard: Any) -> None:
        """Hand what was heard to `take_in` one step later, with all that joins it until then."""
        if not self._waiting:
            self._later(0, self.settle)
        self._waiting.setdefault(take_in, []).append(heard)

    def settle(self) -> None:
        """Hand over everything that waits now. Never raises."""
        waiting, self._waiting = self._waiting, {}
        for take_in, heard in waiting.items():
            with surviving("perceive"):
                take_in(heard)
        if not self._waiting:
            RECEIPTS.lines.clear()
