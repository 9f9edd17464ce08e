"""Classification: which event makes an assistant act, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter

from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.core.contracts import ALOUD, DIRECT, ENGAGED_SECONDS, Entity, Event, Verdict
from ai_assistant.language.address import addresses, gestures_at, speaks_to, without_others
from ai_assistant.language.talk_signs import has_question_mark

LONG_SILENCE = 3600.0
"""Seconds after which whoever asks something counts as new among those who are there."""
MOST_HEARD = 200
"""Players of whom it knows when they last spoke."""


class Obstacle(StrEnum):
    """What may keep a rule from deciding."""

    TURNS_TO = "turns_to"
    TALKS_WITH = "talks_with"
    TALKED_ELSEWHERE = "talked_elsewhere"
    LONG_AGO = "long_ago"
    INTERRUPTED = "interrupted"
    TURN_OF_OTHERS = "turn_of_others"
    ASLEEP = "asleep"
    ANOTHER_SERVER = "another_server"


Cause = dict[str, list[str]]
"""Obstacles by their values, each with the ids of those on whose account it was one."""


@dataclass(slots=True)
class Engagement:
    """The talk it is in: who turned to it, or was answered, last, and who else lately.

    Words of another player that are not for it end the talk with all of them.
    """

    who: str = ""
    """The id of the one it talked with last; empty for nobody."""
    place: str = ""
    """Where that was, a room's or a channel's id."""
    since: float = 0.0
    """When, in seconds since the epoch."""
    words: str = ""
    """What it said last; whom that calls by name is in the conversation as well."""
    round: dict[str, float] = field(default_factory=dict)
    """When it last talked with each of those who are in this talk, by their ids."""
    broken: tuple[str, str] = ("", "")
    """With whom the last talk was that others broke, and by whose words."""
    asked: str = ""
    """The place to which it was sent, and where others have not answered yet; empty for none."""
    heard: dict[str, float] = field(default_factory=dict)
    """When each player last said something where it is, by their ids; who comes or goes is out."""
    here: str = ""
    """The id of the room in which it heard something last."""
    aside: tuple[str, str, float] = ("", "", 0.0)
    """Where, by whom and when a player last said something that was not for it."""

    def turn_to(self, who: str, at: float, place: str, words: str = "") -> None:
        """Note that it talks with somebody now, who needs no name from here on."""
        self.round = {**self.round, who: at} if place == self.place else {who: at}
        self.who, self.since, self.place, self.words = who, at, place, words

    def has(self, somebody: Entity) -> bool:
        """Is somebody in this talk, or called by name in what it said last?"""
        return somebody.id in (self.who, *self.round) or speaks_to(self.words, (somebody.name,))

    def gap(self, event: Event, seconds: float) -> Cause | None:
        """Return what parts the speaker from the assistant; None while their conversation holds.

        Of several in the talk the last goes on without a name, the others by a question.
        """
        partner, interrupter = self.broken
        who = event.source.id
        if not 0 <= event.timestamp - self.since <= seconds:
            return {Obstacle.LONG_AGO: []} if who in (self.who, partner) and who else {}
        if not self.who:
            return {Obstacle.INTERRUPTED: [interrupter]} if who == partner and who else {}
        was_in = event.timestamp - self.round.get(who, -seconds) <= seconds
        asks = was_in and has_question_mark(event.content)
        if self.who != who and not (asks or speaks_to(self.words, (event.source.name,))):
            return {Obstacle.TALKS_WITH: [self.who]}
        return None if self.place == event.place else {Obstacle.TALKED_ELSEWHERE: []}

    def is_new(self, event: Event, seconds: float) -> bool:
        """Is this the first thing that somebody says here, since coming or for an hour?

        Not where it has just come itself, nor within so many seconds of another player's words
        that were not for it: it may be an answer to those.
        """
        last = self.heard.get(event.source.id)
        place, who, at = self.aside
        is_theirs = place == event.place and who != event.source.id
        if self.here not in ("", event.place) or (is_theirs and event.timestamp - at <= seconds):
            return False
        return last is None or event.timestamp - last > LONG_SILENCE

    def overhear(
        self, event: Event, *, is_asked: bool = False, present: Callable[[], Iterable[str]] = tuple
    ) -> None:
        """Another player's words in the same place, unless they are for it, end the talk.

        Whoever is `present` where it comes is not new there. An assistant's words where it was sent
        are the answer; a player's begin a talk.
        """
        who, kind = event.source.id, event.source_type
        if event.place != self.here and (kind == "move" or kind in ALOUD):
            found = present() if self.here else ()
            self.here, self.heard = event.place, self.heard | dict.fromkeys(found, event.timestamp)
        if kind == "move":
            self.heard.pop(who, None)
        if event.by_assistant:
            if kind == "say" and event.place == self.asked:
                self.asked = ""
            return
        if kind == "say":
            self.heard[who] = event.timestamp
        if kind in ("say", "channel") and not is_asked:
            self._part(event)

    def _part(self, event: Event) -> None:
        """Note words that were not for it, and whom they part from it."""
        who = event.source.id
        if len(self.heard) > MOST_HEARD:
            self.heard = dict(sorted(self.heard.items(), key=itemgetter(1))[-MOST_HEARD:])
        self.aside = (event.place, who, event.timestamp)
        if event.place == self.place and who == self.who:
            self.round = {who: self.since}
        elif event.place == self.place:
            self.broken, self.who, self.round = (self.who, who), "", {}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What classification knows of one assistant at this moment."""

    me: str
    """The id of the assistant."""
    names: tuple[str, ...]
    """What it is called by."""
    enabled: bool = True
    """May it act? Not while somebody plays the character."""
    silenced: bool = False
    """Did staff tell it to be quiet? Then it only hears."""
    permitted: bool = True
    """May the sender turn to it?"""
    energy: int = HUMAN_ENERGY
    """Model calls that the event's root still pays for."""
    engagement: Engagement = field(default_factory=Engagement)
    """With whom it is talking, here or on the channel."""
    engaged_seconds: float = ENGAGED_SECONDS
    """How long a conversation holds without a name being said."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The ids of the others who are there, by their names."""
    channel_mode: str = "mention"
    """What makes it answer on a channel: a mention, all, or off."""
    room_default: str = "context"
    """The verdict on what nobody addressed, as the value of a `Verdict`."""
    alone: bool = False
    """Could nobody but it hear the line, and is the speaker a player?"""
    for_all: bool | None = None
    """Does it answer what a player says to all who are there? None where nothing was said so."""
    has_floor: bool | None = None
    """Has the director of the scene given it a cue? None where none is played."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The verdict, the name of the rule that decided, and why none before it did."""

    verdict: Verdict
    """What becomes of the event."""
    rule: str
    """The first part of an entry of `RULES`, or ``fallback``."""
    cause: Cause = field(default_factory=dict)
    """What kept earlier rules from deciding."""


Rule = Callable[[Event, Circumstances], Verdict | Cause | None]


def _assistant_talk(event: Event, now: Circumstances) -> Verdict | None:
    if not event.by_assistant:
        return None
    meant = now.has_floor
    if meant is None:
        meant = event.source_type in DIRECT or speaks_to(_own_part(event, now), now.names)
    return Verdict.TRIGGER if meant and now.energy > 0 else Verdict.CONTEXT


def _addressed(event: Event, now: Circumstances) -> Verdict | Cause | None:
    """A line in which it is named; what is said to somebody else only speaks of it."""
    text, is_pose = _own_part(event, now), event.source_type == "pose"
    is_named = gestures_at if is_pose else addresses
    if event.source_type not in ("say", "channel", "pose") or not is_named(text, now.names):
        return None
    if now.has_floor is False:
        return {Obstacle.TURN_OF_OTHERS: []}
    is_called = is_pose or speaks_to(text, now.names)
    return Verdict.TRIGGER if is_called else _turned(event, now) or Verdict.TRIGGER


def _own_part(event: Event, now: Circumstances) -> str:
    """Return a line without the whole names of others, of which one's own name may be a part."""
    return without_others(event.content, (*now.others, event.source.name), now.names)


def _engaged(event: Event, now: Circumstances) -> Verdict | Cause | None:
    if event.source_type not in ("say", "channel") or False in (now.has_floor, now.for_all):
        return None
    gap = now.engagement.gap(event, now.engaged_seconds)
    return gap if gap is not None else _turned(event, now) or Verdict.TRIGGER


def _turned(event: Event, now: Circumstances) -> Cause:
    """Return to whom else a line turns."""
    called = [id for name, id in now.others.items() if speaks_to(event.content, (name,))]
    return {Obstacle.TURNS_TO: called} if called else {}


def _alone(event: Event, now: Circumstances) -> Verdict | Cause | None:
    """What its only company says or does there.

    Not where it ignores talk, or where a scene gives another the floor.
    """
    listening = now.room_default != Verdict.IGNORE.value and now.has_floor is not False
    if event.source_type not in ALOUD or not now.alone or not listening:
        return None
    return _turned(event, now) or Verdict.TRIGGER


def _floor(event: Event, now: Circumstances) -> Verdict | Cause | None:
    if event.source_type not in ALOUD or now.has_floor is None:
        return None
    return Verdict.TRIGGER if now.has_floor else {Obstacle.TURN_OF_OTHERS: []}


def _room_default(event: Event, now: Circumstances) -> Verdict | None:
    if event.source_type not in ALOUD:
        return None
    default = Verdict(now.room_default)
    is_cut_short = default is Verdict.TRIGGER and now.has_floor is False
    return Verdict.CONTEXT if is_cut_short else default


def _channel_mode(event: Event, now: Circumstances) -> Verdict | None:
    if event.source_type != "channel":
        return None
    return Verdict.TRIGGER if now.channel_mode == "all" else Verdict.CONTEXT


RULES: tuple[tuple[str, Rule], ...] = (
    ("disabled", lambda event, now: None if now.enabled else Verdict.IGNORE),
    ("own_message", lambda event, now: Verdict.IGNORE if event.source.id == now.me else None),
    (
        "channel_off",
        lambda event, now: (
            Verdict.IGNORE if event.source_type == "channel" and now.channel_mode == "off" else None
        ),
    ),
    ("silenced", lambda event, now: Verdict.CONTEXT if now.silenced else None),
    ("assistant_talk", _assistant_talk),
    ("sender_not_permitted", lambda event, now: None if now.permitted else Verdict.CONTEXT),
    ("addressed", _addressed),
    ("direct", lambda event, now: Verdict.TRIGGER if event.source_type in DIRECT else None),
    ("engaged", _engaged),
    ("alone", _alone),
    ("for_all", lambda event, now: Verdict.TRIGGER if now.for_all else None),
    ("channel_mode", _channel_mode),
    ("scene_policy", _floor),
    ("room_default", _room_default),
)
"""In order. Those that only forbid come first, so that no address gets around them."""


def classify(event: Event, now: Circumstances) -> Classification:
    """Return what becomes of an event, by the first rule that had a verdict."""
    cause: Cause = {}
    for name, rule in RULES:
        opinion = rule(event, now)
        if isinstance(opinion, Verdict):
            return Classification(opinion, name, cause)
        if opinion:
            cause |= {str(why): who for why, who in opinion.items()}  # plain, for the disk
    return Classification(Verdict.CONTEXT, "fallback", cause)
