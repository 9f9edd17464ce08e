"""Writes that are refused: in order, once each, bounded, and whoever waits is never forgotten."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ai_assistant.agent.keeping.waiting_writes import WaitingWrites
from ai_assistant.core.errors import BlockRefused, NotInCharge, StoreUnavailable

MOST = 5


class WritesMachine(RuleBasedStateMachine):
    """A database that comes and goes, and writes of which some can never be made."""

    def __init__(self):
        super().__init__()
        self.reports = []
        self.queue = WaitingWrites(lambda where, error: self.reports.append(error), MOST)
        self.is_open = True
        self.asked = 0
        self.taken = []
        """What was accepted and is to be written, in order."""
        self.written = []

    def write(self, number, problem=None):
        def attempt():
            if not self.is_open:
                raise StoreUnavailable
            if problem:
                raise problem
            self.written.append(number)

        return attempt

    @rule()
    def database_goes(self):
        self.is_open = False

    @rule()
    def database_comes(self):
        self.is_open = True

    @rule()
    def ask(self):
        self.asked += 1
        lost = self.queue.lost
        self.queue.finish(self.write(self.asked))
        if self.queue.lost == lost:
            self.taken.append(self.asked)

    @rule(problem=st.sampled_from([BlockRefused, NotInCharge, ValueError]))
    def ask_for_what_never_succeeds(self, problem):
        if self.queue.waiting or problem is not ValueError:
            self.queue.finish(self.write(0, problem()))

    @rule(most=st.integers(1, 3))
    def retry_for_a_moment(self, most):
        waiting, moments = len(self.queue.waiting), iter(range(most - 1))
        done = self.queue.retry(lambda: next(moments, None) is not None)
        assert done == (self.is_open or not waiting)
        assert len(self.queue.waiting) == (max(0, waiting - most) if self.is_open else waiting)

    @rule()
    def retry(self):
        done = self.queue.retry()
        assert done == (not self.queue.waiting)
        assert done or not self.is_open

    @invariant()
    def in_order_and_once(self):
        assert self.written == self.taken[: len(self.written)]

    @invariant()
    def bounded(self):
        assert len(self.queue.waiting) <= MOST
        assert self.queue.is_full == (len(self.queue.waiting) == MOST)

    @invariant()
    def nothing_is_forgotten(self):
        assert len(self.taken) - len(self.written) <= len(self.queue.waiting)

    def teardown(self):
        self.is_open = True
        assert self.queue.retry()
        assert self.written == self.taken


TestWrites = WritesMachine.TestCase


def test_what_finds_no_room_is_counted_and_told():
    """The owner can be told how much was lost; when all is written, the count begins anew."""

    def refuse():
        if not gone:
            raise StoreUnavailable

    gone, reports = [], []
    queue = WaitingWrites(lambda *told: reports.append(told), 2)
    for _ in range(5):
        queue.finish(refuse)
    assert (len(queue.waiting), queue.is_full, queue.lost) == (2, True, 3)
    assert [where for where, _ in reports] == ["put off"]
    gone.append("the lock")
    assert queue.retry()
    assert (len(queue.waiting), queue.lost) == (0, 0)
