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
    """What gives rise to a turn besides a goal: somebody came in, it arrived, or it is quiet.

    A ``promise`` is something that it still has to do for somebody who is there; `asked` is the id
    of the line for which it set out before an ``arrival``.
    """

    kind: Literal["greeting", "nod", "arrival", "small talk", "promise"]
    who: Entity | None = None
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the decision depends on. Times are seconds, `hour` is one of the game's day.

    `interval` is the configured pause, `idle` how long it has done nothing, `silence` how long
    nobody has spoken. `company`: is a player there? `welcome`: may it speak to them unasked?
    `guided`: has it guidelines to act by? `spent` and `elapsed` are shares of the day's budget
    and of the day. `fruitless` turns in a row came to nothing.
    """

    interval: float
    idle: float
    hour: float = 12.0
    active_from: int = 0
    active_until: int = _HOURS
    company: bool = False
    welcome: bool = False
    goal: Json | None = None
    guided: bool = False
    occasion: Occasion | None = None
    promise: Occasion | None = None
    silence: float = 0.0
    small_talk_after: float = 0.0
    spent: float = 0.0
    elapsed: float = 1.0
    fruitless: int = 0

    @property
    def active(self) -> bool:
        """Is this one of its hours? They may lie around midnight."""
        begin, end = self.active_from, self.active_until
        if begin <= end:
            return begin <= self.hour < end
        return self.hour >= begin or self.hour < end


@dataclass(frozen=True, slots=True)
class TickDecision:
    """To act or to keep quiet, and why, in words for the owner; `goal` is what to work on."""

    act: bool
    reason: str
    goal: Json | None = None
    occasion: Occasion | None = None


def decide(now: Situation) -> TickDecision:
    """Return whether to take a turn now, about what, and why."""
    if not now.interval:
        return _quiet("it never acts of its own accord")
    if now.spent >= allowance(now):
        return _quiet("what is left of the budget by this hour is for those who ask")
    if now.occasion and now.welcome and now.active and now.idle >= SOONEST:
        return TickDecision(True, now.occasion.kind, occasion=now.occasion)
    if now.idle < pace(now):
        return _quiet("it waits until it is time")
    if now.promise:
        return TickDecision(True, "keeps a promise", occasion=now.promise)
    if now.goal is not None:
        return TickDecision(True, "works on a goal", goal=now.goal)
    if now.guided:
        return TickDecision(True, "follows its guidelines")
    return _pass_the_time(now)


def _pass_the_time(now: Situation) -> TickDecision:
    """Decide where there is nothing to do: only a long silence in company is worth a turn."""
    if not now.company:
        return _quiet("nobody is near, and there is nothing to do")
    if not now.welcome:
        return _quiet("it has spoken unasked enough")
    if not now.active:
        return _quiet("it is not its time of day")
    if not now.small_talk_after or now.silence < now.small_talk_after:
        return _quiet("there is nothing to do, and it has not been silent for long")
    return TickDecision(True, "small talk", occasion=Occasion("small talk"))


def allowance(now: Situation) -> float:
    """Return which share of the day's budget may be spent by now before it keeps quiet."""
    return ITS_SHARE * min(1.0, now.elapsed + HEAD_START)


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


def _quiet(reason: str) -> TickDecision:
    return TickDecision(False, reason)
