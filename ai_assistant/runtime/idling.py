"""Idling: what one assistant does between its turns: it tidies up, walks, and acts unasked."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import Backoff, Rest
from ai_assistant.agent.keeping import compaction
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.loop import Report, take_turn
from ai_assistant.agent.unasked.autonomy_state import Initiative
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.game.log import report
from ai_assistant.runtime import second_look
from ai_assistant.sleep import tidying

SUMMARY_PAUSE = 60.0
"""Seconds between two looks for a talk that a model might summarise."""
UPKEEP_PAUSE = 30.0
"""Seconds between two looks for what found no room."""
UPKEEP_SHARE = 0.1
"""The share of a day's calls that summaries take awake, at most."""
TRY_AGAIN = (300.0, 86_400.0)
"""Seconds until what came to nothing is tried again: at first, and at most."""


class Idling:
    """The idle side of one resident; at most one summary and one step are under way."""

    def __init__(self, mind: Mind, rest: Rest) -> None:
        """Begin to idle. Raises `StoreError` where its patience cannot be read."""
        self.mind = mind
        self.rest = rest
        self.initiative = Initiative(mind)
        self.walker = Walker(mind)
        self.last_summary = self.last_upkeep = float("-inf")
        self.talks = Backoff(*TRY_AGAIN)
        self.full = Backoff(*TRY_AGAIN)
        self.summarising = False
        self.refining = False
        self.walking = False

    # -- unasked

    def turn(self, turn_id: str) -> Coroutine[Any, Any, Report]:
        """Begin the turn that `initiative` last decided on."""
        self.initiative.begun()
        about = self.initiative.decision
        return take_turn(
            self.mind, (), turn_id, "tick_autonomous", goal=about.goal, occasion=about.occasion
        )

    # -- on its way

    def walk(self, again: Callable[[], None]) -> None:
        """Take one step of a standing goal; `again` is called when the search needs more time."""
        if not self.walking:
            self.walking = True
            step = Deferred.fromCoroutine(self.walker.step())
            step.addBoth(partial(self._walked, again))
            step.addErrback(lambda failure: report("walk", failure.value))

    def _walked(self, again: Callable[[], None], step: Any) -> Any:
        self.walking = False
        if isinstance(step, Failure):
            self.rest.fault()
            return step
        if step == "arrived" and self.walker.reached:
            self.initiative.arrive(self.walker.reached)
        if step == "searching":
            again()
        return None

    # -- summaries

    def summarise(self, finish: Callable[[Callable[[], None]], None]) -> None:
        """Let a model put a folded talk together, where the game and the role allow that.

        One talk at a time, and beside everything else: whoever is answered meanwhile waits for
        nothing, and a summary of what has changed is dropped. `finish` runs what may be refused.
        """
        mind, now = self.mind, self.mind.clock.monotonic()
        allowed = conf.settings.LLM_COMPACTION and compaction.may_summarise(mind)
        if not allowed or self.summarising or now - self.last_summary < SUMMARY_PAUSE:
            return
        self.last_summary = now
        finish(self._begin_summary)

    def _begin_summary(self) -> None:
        now = self.mind.clock.monotonic()
        put_off = self.talks.waiting(now)
        key = next((one for one in compaction.candidates(self.mind) if one not in put_off), "")
        budget = self.mind.budget
        if key and budget.within(self.mind.key, "upkeep", compaction.CALLS, UPKEEP_SHARE):
            self.summarising = True
            self.talks.tried(key, now)
            done = Deferred.fromCoroutine(compaction.shorten(self.mind, key))
            done.addCallback(lambda taken: self.talks.done(key) if taken else None)
            done.addErrback(lambda failure: report("summary", failure.value))
            done.addBoth(self._end_summary)

    def _end_summary(self, _: object) -> None:
        self.summarising = False

    # -- upkeep

    def keep_up(self, finish: Callable[[Callable[[], None]], None]) -> None:
        """Settle by rule what found no room, one piece at a time; no model is asked."""
        now = self.mind.clock.monotonic()
        if now - self.last_upkeep >= UPKEEP_PAUSE:
            self.last_upkeep = now
            finish(self._keep_up)

    def _keep_up(self) -> None:
        now = self.mind.clock.monotonic()
        work = tidying.next_piece(self.mind, self.full.waiting(now))
        if work:
            self.full.tried(work.skip, now)
            tidying.keep_up(self.mind, work)

    # -- who took part

    def refine(
        self, minds: second_look.Minds, finish: Callable[[Callable[[], None]], None]
    ) -> None:
        """Let a model look again at a line that was saved, one at a time; nothing waits for it."""
        if second_look.wants(self.mind) and not self.refining:
            finish(partial(self._begin_refining, minds))

    def _begin_refining(self, minds: second_look.Minds) -> None:
        self.refining = True
        done = Deferred.fromCoroutine(second_look.refine_one(self.mind, minds))
        done.addErrback(lambda failure: report("refine", failure.value))
        done.addBoth(self._end_refining)

    def _end_refining(self, _: object) -> None:
        self.refining = False
