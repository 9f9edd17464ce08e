"""Classification: which event makes an assistant act, and by which rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.core.contracts import DIRECT, ENGAGED_SECONDS, Event, Verdict
from ai_assistant.language.address import addresses, speaks_to

ACTED = frozenset({"say", "pose"})


@dataclass(slots=True)
class Engagement:
    """Who was answered last, where and when; broken as soon as another player speaks there."""

    who: str = ""
    place: str = ""
    since: float = 0.0

    def holds(self, event: Event, seconds: float) -> bool:
        """Is the speaker still in conversation with the assistant?"""
        recent = 0 <= event.timestamp - self.since <= seconds
        same = (self.who, self.place) == (event.source.id, event.place)
        return bool(self.who) and recent and same

    def overhear(self, event: Event) -> None:
        """Another player's words in the same place end a conversation that needs no names."""
        spoken = event.source_type in ("say", "channel") and not event.by_assistant
        if spoken and event.place == self.place and event.source.id != self.who:
            self.who = ""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What classification knows of one assistant at this moment."""

    me: str
    names: tuple[str, ...]
    enabled: bool = True
    permitted: bool = True
    """May the sender turn to it?"""
    energy: int = HUMAN_ENERGY
    """Model calls that the event's root still pays for."""
    engagement: Engagement = field(default_factory=Engagement)
    engaged_seconds: float = ENGAGED_SECONDS
    others: tuple[str, ...] = ()
    channel_mode: str = "mention"
    """What makes it answer on a channel: a mention, all, or off."""
    room_default: str = "context"
    """The verdict on what nobody addressed, as the value of a `Verdict`."""
    has_floor: bool | None = None
    """Is it its turn by the policy of the scene? None where none is played, or by address."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The verdict, and the name of the rule that decided."""

    verdict: Verdict
    rule: str


Rule = Callable[[Event, Circumstances], Verdict | None]


def _assistant_talk(event: Event, now: Circumstances) -> Verdict | None:
    if not event.by_assistant:
        return None
    meant = event.source_type in DIRECT or speaks_to(event.content, now.names) or now.has_floor
    return Verdict.TRIGGER if meant and now.energy > 0 else Verdict.CONTEXT


def _addressed(event: Event, now: Circumstances) -> Verdict | None:
    """A line in which it is named; what is said to somebody else only speaks of it."""
    spoken = event.source_type in ACTED or event.source_type == "channel"
    if not spoken or not addresses(event.content, now.names):
        return None
    of_it = speaks_to(event.content, now.others) and not speaks_to(event.content, now.names)
    return None if of_it else Verdict.TRIGGER


def _engaged(event: Event, now: Circumstances) -> Verdict | None:
    if event.source_type not in ("say", "channel"):
        return None
    if not now.engagement.holds(event, now.engaged_seconds):
        return None
    return None if speaks_to(event.content, now.others) else Verdict.TRIGGER


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
    ("assistant_talk", _assistant_talk),
    ("sender_not_permitted", lambda event, now: None if now.permitted else Verdict.CONTEXT),
    ("addressed", _addressed),
    ("direct", lambda event, now: Verdict.TRIGGER if event.source_type in DIRECT else None),
    ("engaged", _engaged),
    ("channel_mode", _channel_mode),
    (
        "scene_policy",
        lambda event, now: (
            Verdict.TRIGGER if event.source_type in ACTED and now.has_floor else None
        ),
    ),
    (
        "room_default",
        lambda event, now: Verdict(now.room_default) if event.source_type in ACTED else None,
    ),
)
"""In order. Those that only forbid come first, so that no address gets around them."""


def classify(event: Event, now: Circumstances) -> Classification:
    """Return what becomes of an event and the first rule that had an opinion."""
    for name, rule in RULES:
        verdict = rule(event, now)
        if verdict is not None:
            return Classification(verdict, name)
    return Classification(Verdict.CONTEXT, "fallback")
