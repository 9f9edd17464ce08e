"""The upkeep of the past: with the heartbeats of assistants, what is too old is folded."""

from __future__ import annotations

from ai_assistant import conf
from ai_assistant.core.times import DAY, HOUR
from ai_assistant.game.log import report
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.history.past_folding import fold_page

SLICE_EVERY = 5.0
"""Seconds between two slices of a pass; an hour lies between two passes."""


class PastUpkeep:
    """One pass over the log of states after the other."""

    def __init__(self) -> None:
        self._after, self._due = 0, 0.0

    def tend(self) -> None:
        """Do the next slice if it is due. Never raises: the heartbeat calls it."""
        try:
            if not (SERVICE.residents and SERVICE.watch.may_begin and conf.settings.STATE_DAYS):
                return
            now = SERVICE.shared.clock.now()
            if now >= self._due:
                before = now - conf.settings.STATE_DAYS * DAY
                self._after = fold_page(self._after, before)
                self._due = now + (SLICE_EVERY if self._after else HOUR)
        except Exception as error:
            self._due += HOUR
            report("upkeep of the past", error)


PAST_UPKEEP = PastUpkeep()
