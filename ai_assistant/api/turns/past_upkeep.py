"""Upkeep of the past: with the heartbeats of assistants, what is too old goes or is folded."""

from __future__ import annotations

from ai_assistant import conf
from ai_assistant.core.times import DAY, HOUR
from ai_assistant.game.log import report
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.history.old_traces import prune_moments, prune_traces, prune_usage
from ai_assistant.storage.history.past_folding import PAST_WEIGHT, fold_page

_STATES = "STATE_DAYS"
PASSES = (
    (prune_traces, "TRACE_DAYS"),
    (prune_usage, "TRACE_DAYS"),
    (PAST_WEIGHT.weigh, _STATES),
    (prune_moments, _STATES),
    (fold_page, _STATES),
)
"""What goes through the past, slice by slice, and the setting of how old it must be to go."""
SLICE_EVERY = 5.0
"""Seconds between two slices of a pass; an hour lies between two passes."""


def next_slice(number: int, after: int, now: float) -> int:
    """Do one slice of a pass, by its place in `PASSES`; returns how far it is, 0 where it is over.

    Raises `StoreError`.
    """
    work, setting = PASSES[number]
    days = getattr(conf.settings, setting)
    before = max(now - days * DAY, PAST_WEIGHT.too_old if setting == _STATES else 0)
    return work(after, before) if days else 0


class PastUpkeep:
    """Rounds of passes over the past, slice by slice; what is over waits for the next round."""

    def __init__(self) -> None:
        self._due = 0.0
        self._after: dict[int, int] = {}
        """How far each pass is that is not over yet, by its place in `PASSES`."""

    def tend(self) -> None:
        """Do the next slice if it is due. Never raises: the heartbeat calls it."""
        try:
            if not (SERVICE.residents and SERVICE.watch.may_begin):
                return
            now = SERVICE.shared.clock.now()
            if now >= self._due:
                after = self._after or dict.fromkeys(range(len(PASSES)), 0)
                slices = ((number, next_slice(number, at, now)) for number, at in after.items())
                self._after = {number: at for number, at in slices if at}
                self._due = now + (SLICE_EVERY if self._after else HOUR)
        except Exception as error:
            self._due += HOUR
            report("upkeep of the past", error)


PAST_UPKEEP = PastUpkeep()
