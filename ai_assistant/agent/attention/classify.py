"""Classification: which event makes an assistant act, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.attention.engagement import Cause, Engagement, Obstacle
from ai_assistant.core.contracts import ALOUD, DIRECT, ENGAGED_SECONDS, Event, Verdict
from ai_assistant.language.address import addresses, gestures_at, speaks_to, without_others

PERHAPS = "perhaps"
"""The rule by which a line without a name is answered that may be for it: its mind decides."""
_ENGAGED = "engaged"


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
    """Does it answer a line without a name that asks for it? False where another one may."""
    perhaps: bool = False
    """Is it the one whom a line without a name may be for?"""
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
    if event.source_type not in ("say", "channel") or now.has_floor is False:
        return None
    gap = now.engagement.gap(event, now.engaged_seconds)
    if gap is None and now.for_all is False:
        return {Obstacle.TURN_OF_OTHERS: []}
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


def _perhaps(event: Event, now: Circumstances) -> Verdict | Cause | None:
    """What may be for it, of those in its talk and of whoever came in; its mind may let it pass."""
    listening = now.room_default != Verdict.IGNORE.value and now.has_floor is not False
    if event.source_type != "say" or not (now.perhaps and listening):
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
    (_ENGAGED, _engaged),
    ("alone", _alone),
    ("for_all", lambda event, now: Verdict.TRIGGER if now.for_all else None),
    (PERHAPS, _perhaps),
    ("channel_mode", _channel_mode),
    ("scene_policy", _floor),
    ("room_default", _room_default),
)
"""In order. Those that only forbid come first, so that no address gets around them."""


def may_pass(event: Event, players: Callable[[], Collection[str]]) -> bool:
    """May its mind let a line pass? One that is perhaps for it; and what it is told amid a talk, if
    another of the `players` who are there may be meant.
    """
    if event.addressing == _ENGAGED and event.source_type == "say":
        return not {event.source.id}.issuperset(players())
    return event.addressing == PERHAPS


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
