"""Several servers on one database: one is in charge at a time, and somebody always comes to be."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ai_assistant.agent.attention.tenure import (
    A_BEAT,
    LASTS,
    RENEWED,
    Lease,
    Tenure,
    refuse_running,
)
from ai_assistant.core.errors import AssistantError, StoreUnavailable
from ai_assistant.testing import ManualClock

SERVERS = {"a": 0, "b": 40, "c": -40}
"""By how many seconds the clock of each is wrong."""


class RowInMemory:
    """A lease in memory, on a database that may take nothing for a while."""

    def __init__(self):
        self.lease = Lease()
        self.is_open = True

    def read(self):
        if not self.is_open:
            raise StoreUnavailable
        return self.lease

    def take(self, seen, holder, until):
        if self.read() != seen:
            return False
        self.lease = Lease(holder, seen.epoch + 1, until)
        return True

    def renew(self, epoch, until):
        if self.read().epoch != epoch:
            return False
        self.lease = Lease(self.lease.holder, epoch, until)
        return True


class TenureMachine(RuleBasedStateMachine):
    """Servers that start, stop, die and beat late, with clocks that differ."""

    def __init__(self):
        super().__init__()
        self.row = RowInMemory()
        self.clocks = {name: ManualClock(ahead=wrong) for name, wrong in SERVERS.items()}
        self.running = {}
        self.starts = 0
        self.writes = []
        """The epochs in which something was written, in order."""

    @rule(name=st.sampled_from([*SERVERS]))
    def start(self, name):
        self.starts += 1
        holder = f"{name}{self.starts}"
        self.running.setdefault(name, Tenure(self.row, holder, self.clocks[name]))

    @rule(name=st.sampled_from([*SERVERS]))
    def die(self, name):
        self.running.pop(name, None)

    @rule(name=st.sampled_from([*SERVERS]))
    def stop(self, name):
        if name in self.running and self.row.is_open:
            self.running.pop(name).give_back()

    @rule(name=st.sampled_from([*SERVERS]))
    def beat(self, name):
        if name in self.running and self.row.is_open:
            self.running[name].renew()

    @rule(name=st.sampled_from([*SERVERS]))
    def beat_in_vain(self, name):
        if name in self.running:
            before, self.row.is_open = self.row.lease, False
            with pytest.raises(StoreUnavailable):
                self.running[name].renew()
            self.row.is_open = True
            assert self.row.lease == before

    @rule(name=st.sampled_from([*SERVERS]))
    def write(self, name):
        """What the fence does: a write passes only in the epoch that stands in the row."""
        lease = self.row.lease
        if lease.epoch and name in self.running and self.running[name].epoch == lease.epoch:
            self.writes.append((lease.epoch, lease.holder))

    @rule(seconds=st.sampled_from([0.5, RENEWED, LASTS, 60.0]))
    def time_passes(self, seconds):
        for clock in self.clocks.values():
            clock.advance(seconds)

    @invariant()
    def at_most_one_may_write(self):
        fit = [
            name
            for name, tenure in self.running.items()
            if tenure.epoch and tenure.epoch == self.row.lease.epoch
        ]
        assert len(fit) <= 1

    @invariant()
    def epochs_only_rise(self):
        assert self.writes == sorted(self.writes, key=lambda entry: entry[0])
        assert len({epoch for epoch, _ in self.writes}) == len(set(self.writes))

    def teardown(self):
        """Whatever happened, a server that goes on beating comes to be in charge, and stays it."""
        self.start("a")
        self.running = {"a": self.running["a"]}
        for _ in range(int(LASTS / RENEWED) + 2):
            self.running["a"].renew()
            self.clocks["a"].advance(RENEWED)
        assert self.running["a"].epoch == self.row.lease.epoch > 0


TestTenure = TenureMachine.TestCase


def two():
    """Return two servers on one row, the first of them in charge, and their clock."""
    row, clock = RowInMemory(), ManualClock()
    first, second = Tenure(row, "first", clock), Tenure(row, "second", clock)
    assert first.renew()
    return first, second, clock


def test_the_second_server_stands_by():
    """As long as the first one renews its lease, and it can tell who that is."""
    first, second, clock = two()
    for _ in range(20):
        clock.advance(RENEWED)
        assert first.renew()
        assert not second.renew()
    assert second.other == "first"


def test_a_dead_server_is_followed_within_seconds():
    """Nobody renews the lease; the dead one, should it wake up, is in charge no more."""
    first, second, clock = two()
    assert not second.renew()
    clock.advance(LASTS)
    assert second.renew()
    assert not first.renew()


def test_who_starts_beside_a_dead_server_looks_on_for_a_beat():
    """A lease that ran out long ago is not waited for as long again as it lasted."""
    _, second, clock = two()
    clock.advance(60.0)
    assert not second.renew()
    clock.advance(A_BEAT)
    assert second.renew()


def test_a_clock_that_is_ahead_takes_nothing_from_the_living():
    """For a newcomer the lease has run out, but it sees it renewed; late, too, by who lives."""
    row, steady, ahead = RowInMemory(), ManualClock(), ManualClock(ahead=3600)
    first, second = Tenure(row, "first", steady), Tenure(row, "second", ahead)
    for pause in (RENEWED, RENEWED, 5.0, RENEWED, 5.0):
        assert first.renew()
        for _ in range(10):
            assert not second.renew()
            steady.advance(pause / 10)
            ahead.advance(pause / 10)


def test_who_stops_is_followed_at_once():
    """A reload need not wait for the lease to run out."""
    first, second, _ = two()
    first.give_back()
    assert second.renew()


def test_a_wrong_clock_only_delays():
    """A lease that lies far ahead is free when nobody renewed it for as long as it should last."""
    row, clock = RowInMemory(), ManualClock()
    row.lease = Lease("from tomorrow", 7, clock.now() + 86_400)
    second = Tenure(row, "second", clock)
    assert not second.renew()
    clock.advance(LASTS + 1)
    assert second.renew()


@pytest.mark.parametrize("ahead", [0, 3600, -3600])
def test_no_command_writes_beside_a_running_server(ahead):
    """Whatever its clock shows, the server is seen to renew the lease, and that is told."""
    row, clock, told = RowInMemory(), ManualClock(ahead=ahead), []
    server = Tenure(row, "server", clock)
    server.renew()
    began = renewed = clock.monotonic()

    def pause(seconds):
        nonlocal renewed
        clock.advance(seconds)
        if clock.monotonic() >= renewed + RENEWED:
            renewed = clock.monotonic()
            server.renew()

    with pytest.raises(AssistantError, match="The game is running"):
        refuse_running(row, told.append, pause)
    assert clock.monotonic() - began <= A_BEAT
    assert told == ["Looking whether the game is running …"]


@pytest.mark.parametrize("ahead", [0, 3600, -3600])
def test_a_command_waits_for_no_dead_server(ahead):
    """A lease that nobody renews is free once it should have run out, whatever it shows."""
    row, clock = RowInMemory(), ManualClock(ahead=ahead)
    Tenure(row, "server", clock).renew()
    began = clock.monotonic()
    refuse_running(row, print, clock.advance)
    assert clock.monotonic() - began == LASTS


def test_a_command_does_not_look_at_a_game_that_was_stopped():
    """Whoever stops gives the lease back; nothing is waited for, and nothing told."""
    row, clock, told = RowInMemory(), ManualClock(), []
    server = Tenure(row, "server", clock)
    server.renew()
    server.give_back()
    began = clock.monotonic()
    refuse_running(row, told.append, clock.advance)
    assert (clock.monotonic(), told) == (began, [])
