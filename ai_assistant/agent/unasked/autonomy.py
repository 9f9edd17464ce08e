"""Autonomy: what an assistant does while nobody asks for anything, decided from plain figures.

Nothing in here looks at a clock, a world or a store: `agent.unasked.autonomy_state` gathers the
situation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ai_assistant.core.contracts import Entity, Json

ALONE = 4.0
"""How many times longer it waits while nobody is near to see what it does."""
OFF_HOURS = 4.0
"""How many times longer it waits outside its active hours."""
MOST_FRUITLESS = 3
"""How often, at most, a turn that came to nothing doubles the pause before the next."""
ITS_SHARE = 0.8
"""The share of the day's budget that it spends unasked at most; the rest is for those who ask."""
HEAD_START = 1 / 24
"""The share of a day by which its spending may run ahead of the clock."""
SOONEST = 5.0
"""Seconds between two acts, whatever the occasion."""
_HOURS = 24


@dataclass(frozen=True, slots=True)
class Occasion:
    """What gives rise to a turn besides a goal: somebody came in, it arrived, or it is quiet."""

    kind: Literal["greeting", "nod", "arrival", "small talk", "promise"]
    """A promise is something that it still has to do for somebody who is there."""
    who: Entity | None = None
    """Whom it is about; None for nobody in particular."""
    question: str = ""
    """The id of the line for which it set out before an arrival."""
    payer: str = ""
    """The id of the player who pays for what that line asked for."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the decision depends on."""

    interval: float
    """The configured pause between acts, in seconds; 0 for one that never acts unasked."""
    idle: float
    """Seconds for which it has done nothing."""
    hour: float = 12.0
    """Of the game's day."""
    active_from: int = 0
    """The hour of the game's day from which on it is active."""
    active_until: int = _HOURS
    """The hour at which it winds down."""
    company: bool = False
    """Is a player there?"""
    welcome: bool = False
    """May it speak to them unasked?"""
    goal: Json | None = None
    """The most urgent one that needs a thought."""
    guided: bool = False
    """Has it rules for its behaviour that staff accepted?"""
    occasion: Occasion | None = None
    """What just happened that asks for a turn."""
    paid: bool = False
    """Does the line for which it set out still pay for what it does on arrival?"""
    promise: Occasion | None = None
    """For whom of those who are here there is something to do."""
    silence: float = 0.0
    """Seconds for which nobody has spoken."""
    small_talk_after: float = 0.0
    """Seconds of silence after which it talks of something; 0 for never."""
    spent: float = 0.0
    """The share of the day's budget that is spent."""
    elapsed: float = 1.0
    """The share of the day that is over."""
    fruitless: int = 0
    """Turns in a row that came to nothing."""

    @property
    def active(self) -> bool:
        """Is this one of its hours? They may lie around midnight."""
        begin, end = self.active_from, self.active_until
        if begin <= end:
            return begin <= self.hour < end
        return self.hour >= begin or self.hour < end

    @property
    def is_due(self) -> bool:
        """Is the occasion worth a turn right now? An arrival is, alone and at night as well."""
        if self.occasion is None or self.occasion.kind == "arrival":
            return self.occasion is not None
        return self.welcome and self.active and self.idle >= SOONEST


@dataclass(frozen=True, slots=True)
class TickDecision:
    """To act or to keep quiet."""

    act: bool
    """Shall a turn begin?"""
    reason: str
    """Why, in words for the owner."""
    goal: Json | None = None
    """What it works on, if anything."""
    occasion: Occasion | None = None
    """What it follows from besides."""


def decide(now: Situation) -> TickDecision:
    """Return whether to take a turn now, about what, and why."""
    if now.occasion and now.paid and now.spent < 1:
        return TickDecision(True, now.occasion.kind, occasion=now.occasion)
    if not now.interval:
        return TickDecision(False, "it never acts on its own")
    if now.spent >= ITS_SHARE * min(1.0, now.elapsed + HEAD_START):
        why = "what is left of the budget by this hour is for those who ask"
        return TickDecision(False, why)
    if now.occasion and now.is_due:
        own_errand = now.occasion.kind == "arrival" and not now.occasion.question
        goal = now.goal if own_errand else None
        return TickDecision(True, now.occasion.kind, goal, now.occasion)
    if now.idle < pace(now):
        return TickDecision(False, "it waits until it is time")
    return _work(now)


def _work(now: Situation) -> TickDecision:
    """Decide what it does when it is time: without work only a long silence is worth a turn."""
    if now.promise:
        return TickDecision(True, "keeps a promise", occasion=now.promise)
    if now.goal is not None:
        return TickDecision(True, "works on a goal", goal=now.goal)
    if now.guided:
        return TickDecision(True, "follows its guidelines")
    if not now.company:
        return TickDecision(False, "nobody is near, and there is nothing to do")
    if not now.welcome:
        return TickDecision(False, "it has spoken unasked enough")
    if not now.active:
        return TickDecision(False, "it is not its time of day")
    if not 0 < now.small_talk_after <= now.silence:
        why = "there is nothing to do, and it has not been silent for long"
        return TickDecision(False, why)
    return TickDecision(True, "small talk", occasion=Occasion("small talk"))


def pace(now: Situation) -> float:
    """Return the pause before the next act, in seconds.

    It grows while nobody is near, outside active hours, after turns that came to nothing, and by
    as much as the day's budget is spent faster than the day goes by.
    """
    pause = now.interval
    pause *= 1.0 if now.company else ALONE
    pause *= 1.0 if now.active else OFF_HOURS
    pause *= 2.0 ** min(now.fruitless, MOST_FRUITLESS)
    return pause * max(1.0, now.spent / max(now.elapsed, 1 / _HOURS))
