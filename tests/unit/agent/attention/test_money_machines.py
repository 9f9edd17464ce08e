"""Ledger and breaker as state machines: their promises hold after any steps, in any order."""

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from ai_assistant.agent.attention.budget import GAME, Budget
from ai_assistant.core.errors import BudgetExhausted
from ai_assistant.core.model_records import TokenUsage
from ai_assistant.llm.breaker import (
    LONGEST_REST,
    MOST_FAILURES,
    REST,
    WINDOW,
    Breaker,
    CallEnding,
    Unavailable,
)
from ai_assistant.testing import DictBook, ManualClock

CAPS = {"sera": (7, 900), "tom": (5, 2000), GAME: (10, 1500)}
SHARE = 0.5
MIDNIGHT = 86_400.0 * 20_000
ABSURD = (
    TokenUsage(),
    TokenUsage(absurd=True),
    TokenUsage(0, 0, known=True),
    TokenUsage(-50, 20, known=True),
    TokenUsage(10**9, 1, known=True),
)


class LedgerMachine(RuleBasedStateMachine):
    """Two processes on one book, calls under way at the same time, crashes, a clock that jumps."""

    calls = Bundle("calls")

    def __init__(self):
        super().__init__()
        self.clock, self.book = ManualClock(MIDNIGHT - 5), DictBook()
        self.start()
        self.cost = {}
        """What calls truly cost, of each day."""

    def start(self):
        self.processes = [
            Budget(self.book, self.clock, CAPS.__getitem__, lambda payer: {payer: SHARE})
            for _ in range(2)
        ]
        self.made = [[0, 0], [0, 0]]
        """Calls and second tries of each process."""

    @rule(
        target=calls,
        process=st.integers(0, 1),
        owner=st.sampled_from(("sera", "tom")),
        payer=st.sampled_from(("", "alice", "bob")),
        tokens=st.integers(1, 400),
        used=st.floats(0.01, 1),
    )
    def reserve(self, process, owner, payer, tokens, used):
        """A call begins, of which the provider bills at most what was reserved."""
        try:
            made = self.processes[process].reserve(owner, tokens, payer)
        except BudgetExhausted:
            return None
        self.made[process][0] += 1
        truth = max(1, int(tokens * used))
        for who in made.owners:
            spent = self.cost.setdefault((made.day, who), [0, 0])
            spent[0] += 1
            spent[1] += truth
        return made, truth

    @rule(call=consumes(calls), process=st.integers(0, 1))
    def settle(self, call, process):
        """The answer comes with what it took."""
        if call:
            made, truth = call
            used = self.processes[process].settle(made, TokenUsage(truth, 0, known=True))
            assert used.known

    @rule(call=consumes(calls), process=st.integers(0, 1), said=st.sampled_from(ABSURD))
    def settle_by_nonsense(self, call, process, said):
        """The answer comes with what cannot be, or with nothing."""
        if call:
            assert not self.processes[process].settle(call[0], said).known

    @rule(call=consumes(calls), process=st.integers(0, 1))
    def release(self, call, process):
        """Nobody was reached: nothing was billed."""
        if call:
            made, truth = call
            self.processes[process].fail(made, Unavailable(CallEnding.AUTH, "No."), 1)
            for who in made.owners:
                self.cost[made.day, who][0] -= 1
                self.cost[made.day, who][1] -= truth

    @rule(call=consumes(calls))
    def lose(self, call):
        """No outcome ever comes: it timed out, or was cancelled."""

    @rule()
    def crash(self):
        """Both processes are gone, and begin anew on the book that they left."""
        self.start()

    @rule(seconds=st.sampled_from((-90_000.0, -3600.0, -1.0, 1.0, 10.0, 3600.0, 90_000.0)))
    def jump(self, seconds):
        """The clock goes on, or is set."""
        self.clock.advance(seconds)

    @invariant()
    def no_cap_is_passed(self):
        """Neither by calls nor by tokens, on no day, by no player."""
        for (_, who), (calls, tokens) in self.book.days.items():
            owner, _, payer = who.partition("+")
            share = SHARE if payer else 1.0
            most_calls, most_tokens = CAPS[owner]
            assert calls <= -(-most_calls * share // 1)
            assert 0 <= tokens <= -(-most_tokens * share // 1)

    @invariant()
    def at_least_the_bill_is_booked(self):
        """What the provider truly billed is never more than what the book says."""
        for (day, who), (calls, tokens) in self.cost.items():
            booked = self.book.days[day, who]
            assert booked[0] >= calls
            assert booked[1] >= tokens

    @rule(process=st.integers(0, 1))
    def try_again(self, process):
        """A call failed in passing: a second try is one of ten, beside the first."""
        calls, tries = self.made[process]
        if self.processes[process].may_try_again():
            assert tries + 1 <= 1 + calls / 10
            self.made[process][1] += 1


class BreakerMachine(RuleBasedStateMachine):
    """Calls that begin and end in any order, with every outcome, while time passes."""

    permits = Bundle("permits")

    def __init__(self):
        super().__init__()
        self.clock = ManualClock()
        self.breaker = Breaker(self.clock.monotonic)
        self.in_flight = 0

    @rule(target=permits)
    def enter(self):
        """A call asks to pass."""
        rests = self.breaker.wait > 0
        permit = self.breaker.enter()
        assert not (rests and permit is not None), "nobody passes while the server is left alone"
        self.in_flight += permit is not None
        return permit

    @rule(permit=consumes(permits), kind=st.sampled_from([*CallEnding]))
    def leave(self, permit, kind):
        """A call ends."""
        if permit is None:
            return
        self.in_flight -= 1
        before = self.breaker.wait
        self.breaker.leave(permit, kind)
        opened = self.breaker.wait > before
        harmless = (
            CallEnding.RATE,
            CallEnding.REQUEST,
            CallEnding.CANCELLED,
            CallEnding.ANSWERED,
            CallEnding.RESTING,
        )
        assert not (opened and kind in harmless), "these are no failures of the server"

    @rule(seconds=st.sampled_from((0.1, 1.0, REST, WINDOW, LONGEST_REST)))
    def pass_time(self, seconds):
        """Time passes."""
        self.clock.advance(seconds)

    @rule(
        kind=st.sampled_from(
            (CallEnding.SERVER, CallEnding.NETWORK, CallEnding.TIMEOUT, CallEnding.BAD)
        )
    )
    def fail_again_and_again(self, kind):
        """A server that only fails is left alone, after twice as many failures at the latest."""
        for _ in range(4 * MOST_FAILURES):
            permit = self.breaker.enter()
            if permit is not None:
                self.breaker.leave(permit, kind)
        assert self.breaker.wait > 0 or self.in_flight

    @rule()
    def recover(self):
        """Once all is over and time has passed, one call may ask; its success opens the way."""
        if self.in_flight:
            return
        self.clock.advance(LONGEST_REST)
        permit = self.breaker.enter()
        assert permit is not None, "it recovers alone"
        self.breaker.leave(permit, CallEnding.ANSWERED)
        again = self.breaker.enter()
        assert again is not None
        self.breaker.leave(again, CallEnding.CANCELLED)

    @invariant()
    def rest_has_an_end(self):
        """It is left alone for ten minutes at the longest."""
        assert self.breaker.wait <= LONGEST_REST


TestLedger = LedgerMachine.TestCase
TestBreaker = BreakerMachine.TestCase
