"""Idling: what one assistant does between its turns: it tidies up, walks, and acts unasked."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import Backoff, TurnBackoff
from ai_assistant.agent.keeping import compaction
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.unasked.autonomy_state import AutonomyState
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.core.times import DAY
from ai_assistant.game.log import report
from ai_assistant.runtime import second_look
from ai_assistant.sleep import tidying

SUMMARY_PAUSE = 60.0
"""Seconds between two looks for a talk that a model might summarise."""
UPKEEP_PAUSE = 30.0
"""Seconds between two looks for lists and blocks that are full."""
UPKEEP_SHARE = 0.1
"""The share of a day's calls that summaries take awake, at most."""
TRY_AGAIN = (300.0, DAY)
"""Seconds until what came to nothing is tried again: at first, and at most."""


class Idling:
    """The idle side of one resident; of each kind of work there is one piece under way at most."""

    def __init__(self, mind: Mind, backoff: TurnBackoff) -> None:
        """Begin to idle. Raises `StoreError` where its patience cannot be read."""
        self.mind = mind
        self.autonomy = AutonomyState(mind)
        self.walker = Walker(mind)
        self._backoff = backoff
        self._last_summary = self._last_upkeep = float("-inf")
        self._talks = Backoff(*TRY_AGAIN)
        self._full = Backoff(*TRY_AGAIN)
        self._under_way: dict[str, Deferred[Any]] = {}

    def _begin(self, what: str, work: Coroutine[Any, Any, object]) -> None:
        """Let a piece of work go on beside everything else; what breaks is logged."""
        done = self._under_way[what] = Deferred.fromCoroutine(work)
        done.addBoth(self._ended, what)

    def _ended(self, result: Any, what: str) -> None:
        del self._under_way[what]
        if isinstance(result, Failure) and not result.check(CancelledError):
            report(what, result.value)

    def drop(self) -> None:
        """Cancel the work under way, and its calls of models with it."""
        for work in [*self._under_way.values()]:
            work.cancel()

    def walk(self, again: Callable[[], None]) -> None:
        """Walk one step of a standing goal; `again` is called while the way is not found yet."""
        if "walk" not in self._under_way:
            self._begin("walk", self._step(again))

    async def _step(self, again: Callable[[], None]) -> None:
        try:
            step = await self.walker.step()
        except CancelledError:
            raise
        except Exception:
            self._backoff.fault()
            raise
        if step == "arrived" and self.walker.reached:
            self.autonomy.arrive(self.walker.reached)
        if step == "searching":
            again()

    def summarise(self) -> None:
        """Let a model put a folded talk together, where the game and the role allow that.

        Whoever is answered meanwhile waits for nothing, and a summary of what has changed is
        dropped. Raises `StoreError`.
        """
        mind, now = self.mind, self.mind.clock.monotonic()
        allowed = conf.settings.LLM_COMPACTION and compaction.may_summarise(mind)
        is_time = now - self._last_summary >= SUMMARY_PAUSE
        if not (allowed and is_time) or "summary" in self._under_way:
            return
        self._last_summary = now
        put_off = self._talks.waiting(now)
        key = next((key for key in compaction.candidates(mind) if key not in put_off), "")
        if key and mind.budget.within(mind.key, "upkeep", compaction.CALLS, UPKEEP_SHARE):
            self._talks.tried(key, now)
            self._begin("summary", self._shorten(key))

    async def _shorten(self, key: str) -> None:
        if await compaction.shorten_talk(self.mind, key):
            self._talks.done(key)

    def keep_up(self) -> None:
        """Shorten a full list or block by rule, one at a time; no model is asked."""
        now = self.mind.clock.monotonic()
        if now - self._last_upkeep < UPKEEP_PAUSE:
            return
        self._last_upkeep = now
        if work := tidying.next_piece(self.mind, self._full.waiting(now)):
            self._full.tried(work.skip, now)
            tidying.keep_up(self.mind, work)

    def refine(self, minds: second_look.Minds) -> None:
        """Let a model look again at a line that was saved; nothing waits for it."""
        if second_look.wants(self.mind) and "refine" not in self._under_way:
            self._begin("refine", second_look.refine_one(self.mind, minds))
