"""The watch on the database: is this server in charge there, and does it take what is written?

It renews the server's lease, and tries again what was refused: first after a quarter of a second,
then less often, in order. Once the database takes it, a thousand writes go slice by slice, and the
game goes on between two of them. Nothing new begins meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from uuid import uuid4

from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall

from ai_assistant.agent.attention.tenure import RENEWED, Tenure
from ai_assistant.agent.keeping.waiting_writes import WaitingWrites, Write
from ai_assistant.core.errors import NotInCharge, StoreError, StoreUnavailable
from ai_assistant.core.ports import Clock
from ai_assistant.game.log import report, surviving, warn
from ai_assistant.game.reactor_steps import Later
from ai_assistant.storage.gateway import GATEWAY
from ai_assistant.storage.server_lease import Fence, LeaseRow

LOOKS = 0.25
"""Seconds between two looks at what is due, and until the first try of what was refused."""
LONGEST_PAUSE = 2.0
"""Seconds between two tries, at most, unless one of them takes long."""
SPARED = 4
"""How many times as long as a try took nothing is tried after it: the game stands still in one."""
SLICE = 0.01
"""Seconds for which one step of the reactor writes what waited, or little more."""
TOLD_AGAIN = 60.0
"""Seconds after which the log says once more what is wrong."""
NOT_NOW = "nothing may begin while something is forgotten, or the database is away"
THIS_PROCESS = uuid4().hex
_LATER = f"{StoreUnavailable()} Once it is over, try again."


class DatabaseWatch:
    """One per service. All of its methods belong on the reactor thread."""

    def __init__(
        self, later: Later, *, took_over: Callable[[float], None], recovered: Callable[[], None]
    ) -> None:
        """`later` runs one call in a step of the reactor. `took_over(alone)` is called when this
        server comes to be in charge, with the seconds for which nobody was seen to be;
        `recovered()` when turns may begin again.
        """
        self._later = later
        self.writes = WaitingWrites(report)
        self.fence = Fence.of_process = Fence()
        self._took_over = took_over
        self._recovered = recovered
        self._tenure: Tenure | None = None
        self._now: Callable[[], float] = lambda: 0.0
        self._loop = LoopingCall(self.beat)
        self._waiting: deque[Deferred[None]] = deque()
        self._problem: StoreError | None = None
        self._stalled = False
        self._holders = 0
        self._pause = LOOKS
        self._lease_due = self._retry_due = 0.0
        self._told, self._told_at = "", float("-inf")

    def start(self, clock: Clock) -> None:
        """Take the lease unless another server holds it, and keep watch from now on."""
        self._now = clock.monotonic
        self._tenure = Tenure(LeaseRow(), THIS_PROCESS, clock)
        self.fence.epoch = 0
        GATEWAY.limit()
        self._loop.start(LOOKS)

    def stop(self) -> None:
        """Write what still can be written, then nothing more: another server may take over."""
        if self._tenure is None:
            return
        self._loop.stop()
        with surviving("leaving the database"):
            if not self.writes.retry():
                warn(f"{len(self.writes.waiting)} writes are lost: the database takes nothing.")
            self._tenure.give_back()
        self._tenure, self.fence.epoch = None, 0

    @property
    def is_standby(self) -> bool:
        """Is another server in charge, so that this one only listens?"""
        return self.fence.epoch == 0

    @property
    def may_begin(self) -> bool:
        """May turns begin, and whatever else changes something?"""
        is_away = self.is_standby or self._problem or self.writes.waiting or self._waiting
        return not (is_away or self._holders)

    @contextmanager
    def holding_back(self) -> Iterator[None]:
        """Within, nothing begins, as while the database is away; what is heard waits."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            self._recovered()

    @property
    def trouble(self) -> str:
        """What keeps this server's assistants from answering, in a sentence; empty for nothing."""
        if self._problem:
            return str(self._problem)
        if self.is_standby:
            other = self._tenure.other[:8] if self._tenure else ""
            return (
                f"Another server ({other}) runs the assistants of this database. Here they only "
                "listen; when that one is gone, this one takes over by itself."
            )
        count = len(self.writes.waiting) + len(self._waiting)
        if self.writes.is_full:
            return (
                f"{StoreUnavailable()} {count} writes wait, {self.writes.lost} more were lost, and "
                "nothing is heard any longer."
            )
        return f"{StoreUnavailable()} {count} writes wait." if count else ""

    def has_room(self) -> bool:
        """May more be heard, which may have to wait? What may not is counted as lost."""
        is_full = bool(self.writes.waiting) and self.writes.is_full
        self.writes.lost += is_full
        return not is_full

    def finish(self, write: Write) -> None:
        """Run a write now, or when the database takes it, behind those that wait already."""
        self.writes.finish(write)
        if self.writes.waiting:
            self._stall()

    def catch_up(self) -> Iterator[None]:
        """Write what waits before it is due, a slice at each step but the last.

        Raises `StoreUnavailable` where the database does not take it.
        """
        while self.writes.waiting:
            if self.is_standby or self._problem or not self.writes.retry(self._for_a_slice()):
                raise StoreUnavailable(_LATER)
            if self.writes.waiting:
                yield None

    def catch_up_at_once(self) -> None:
        """Do so in one slice. Raises `StoreUnavailable` where more waits, too."""
        for _ in self.catch_up():
            raise StoreUnavailable(_LATER)

    def back(self) -> Deferred[None]:
        """Return what fires when it is worth trying a write again that was just refused."""
        again: Deferred[None] = Deferred(self._waiting.remove)
        self._waiting.append(again)
        self._stall()
        return again

    def _stall(self) -> None:
        """Where something waits, try it again from now on."""
        if self.trouble and not self._stalled:
            self._stalled, self._pause = True, LOOKS
            self._retry_due = self._now() + LOOKS

    def beat(self) -> None:
        """See what is due: the lease, and what was refused."""
        with surviving("the watch on the database"):
            if self._now() >= self._lease_due and not self._problem:
                self._renew()
            if self._stalled and self._now() >= self._retry_due:
                self._retry()
            if self._told or self.trouble:
                self._tell()

    def _renew(self) -> None:
        """Keep the lease or take it; what comes of it opens or shuts the fence."""
        if self._tenure is None:
            return
        before = self.fence.epoch
        try:
            self._tenure.renew()
        except StoreError as error:
            self._problem = error
        else:
            self._problem, self.fence.epoch = None, self._tenure.epoch
        self._lease_due = self._now() + (LOOKS if self.is_standby else RENEWED)
        if self.fence.epoch != before:
            while self._waiting:
                self._waiting.popleft().errback(NotInCharge())
            if not self.is_standby:
                self._take_over(self._tenure.looked_on)
        self._stall()

    def _take_over(self, alone: float) -> None:
        """Write what waits, slice by slice: it stands on disk before others read that anew."""
        with suppress(StoreUnavailable):
            for _ in self.catch_up():
                self._retry_due = float("inf")  # the next step is sooner
                self._later(0, partial(self._take_over, alone))
                return
        self._retry_due = self._now()
        if not self.is_standby:
            self._took_over(alone)

    def _retry(self) -> None:
        """Try a slice of what was refused; when all of it is written, go on."""
        self._pause, begun = min(2 * self._pause, LONGEST_PAUSE), self._now()
        self._retry_due = begun + self._pause
        if self._problem:
            self._renew()
        is_taken = not (self.is_standby or self._problem) and self._take(self._for_a_slice())
        if is_taken and self.trouble:
            self._retry_due = float("inf")  # the next step is sooner
            self._later(0, self._next_slice)
            return
        self._retry_due = max(self._retry_due, self._now() + SPARED * (self._now() - begun))
        if not self.trouble:
            self._stalled = False
            self._recovered()

    def _for_a_slice(self) -> Callable[[], bool]:
        until = self._now() + SLICE
        return lambda: self._now() < until

    def _next_slice(self) -> None:
        with surviving("the watch on the database"):
            self._retry()

    def _take(self, goes_on: Callable[[], bool]) -> bool:
        """Write what waits, then let turns try again one after the other, while it `goes_on`.

        False: something was refused again.
        """
        if not self.writes.retry(goes_on):
            return False
        while self._waiting and not self.writes.waiting and goes_on():
            left = len(self._waiting)
            self._waiting.popleft().callback(None)
            if len(self._waiting) == left or self.writes.waiting:
                return False
        return True

    def _tell(self) -> None:
        """Log what is wrong when it begins, and once a minute; and when it is over."""
        trouble, now = self.trouble, self._now()
        if bool(trouble) != bool(self._told) or (trouble and now >= self._told_at + TOLD_AGAIN):
            warn(f"No assistant answers: {trouble}" if trouble else "The assistants answer again.")
            self._told, self._told_at = trouble, now
