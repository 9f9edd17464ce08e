"""The scheduler's queue as a state machine: its promises hold after any steps, in any order."""

from collections import Counter
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai_assistant.agent.attention.scheduler import (
    MAX_JOINED,
    MAX_WAITING,
    PASSED_OVER,
    RESERVED,
    Priority,
    Scheduler,
    together,
)
from ai_assistant.core.contracts import Entity
from ai_assistant.testing import SERA, FakeWorld, people

ASSISTANTS = "ab"
KEYS = st.sampled_from(ASSISTANTS)
SPEAKERS = (*people("Alice", "Bob"), Entity("e-cook", "The Cook", "npc"))
WORLD = FakeWorld(SERA)


class QueueMachine(RuleBasedStateMachine):
    """Two assistants and all that is said to them; turns begin and end when they like."""

    @initialize(slots=st.integers(1, 4))
    def start(self, slots):
        self.slots, self.plan = slots, Scheduler(slots)
        self.open, self.busy = set(), set()
        self.waits = {key: [] for key in ASSISTANTS}
        """What waits for each, by the account of whoever watches."""
        self.passed = Counter()
        """How often something newer began before an event."""
        self.own = {key: set() for key in ASSISTANTS}
        """Who wants a turn of their own accord, or to sleep on."""
        self.overtaken = Counter()
        """How often one assistant began while another waited in the same class."""

    def class_of(self, key):
        """Return the class of somebody's next turn; None where there is nothing to do."""
        if waiting := self.waits[key]:
            return Priority(min(event.by_assistant for event in waiting))
        return min(self.own[key], default=None)

    def classes(self):
        """Return the class of each who could begin."""
        found = {key: self.class_of(key) for key in self.open - self.busy}
        return {key: priority for key, priority in found.items() if priority is not None}

    def forget(self, key):
        """Whoever begins, is held or leaves waits anew."""
        self.overtaken = Counter({pair: n for pair, n in self.overtaken.items() if key not in pair})

    @rule(key=KEYS)
    def open_up(self, key):
        """An assistant is there; what came before is kept."""
        self.plan.open(key)
        self.open.add(key)

    @rule(
        key=KEYS,
        speaker=st.sampled_from(SPEAKERS),
        importance=st.integers(1, 9),
        rank=st.integers(0, 3),
        session=st.sampled_from(("", "hunt")),
        count=st.sampled_from((1, 1, 1, 9)),
    )
    def offer(self, key, speaker, importance, rank, session, count):
        """Something is said; beyond what fits, something gives way, of assistants before people."""
        before = self.class_of(key)
        for _ in range(count):
            event = replace(WORLD.event(speaker, "Hello."), session=session, importance=importance)
            event = replace(event, by_assistant=speaker.id == "e-cook")
            self.waits[key].append(event)
            dropped = self.plan.offer(key, event, rank)
            assert len(dropped) == (len(self.waits[key]) > MAX_WAITING)
            for gone in dropped:
                talk = [event for event in self.waits[key] if event.by_assistant]
                assert gone in (talk or self.waits[key])
                self.waits[key].remove(gone)
        if self.class_of(key) != before:
            self.forget(key)

    @rule(key=KEYS, night=st.booleans())
    def offer_own(self, key, night):
        """It wants to act of its own accord, or sleeps on."""
        (self.plan.offer_night if night else self.plan.offer_tick)(key)
        before = self.class_of(key)
        self.own[key].add(Priority.SLEEP if night else Priority.AUTONOMY)
        if self.class_of(key) != before:
            self.forget(key)

    @rule(over=st.booleans())
    def begin(self, over):
        """A turn begins where there is a slot and somebody who may: of the first class."""
        turn, may = self.plan.next(), self.classes()
        full = len(self.busy) + 1 > self.slots * (1 - RESERVED) and self.slots > 1
        if full:
            may = {key: each for key, each in may.items() if each < Priority.AUTONOMY}
        if len(self.busy) >= self.slots or not may:
            assert turn is None
            return
        assert turn is not None
        assert turn.key in may
        assert turn.priority == may[turn.key] == min(may.values())
        for other, priority in may.items():
            if priority == turn.priority and other != turn.key:
                self.overtaken[other, turn.key] += 1
                assert self.overtaken[other, turn.key] <= 1, "everybody gets a turn"
        self.take(turn)
        if over:
            self.end(turn.key)

    def take(self, turn):
        """A turn answers what belongs together, first what was passed over often."""
        key, waiting = turn.key, self.waits[turn.key]
        assert bool(turn.events) == bool(waiting)
        assert len(turn.events) <= MAX_JOINED
        assert len({together(event) for event in turn.events}) <= 1
        people_wait = [event for event in waiting if not event.by_assistant] or waiting
        tired = [event for event in people_wait if self.passed[event.id] >= PASSED_OVER]
        assert not tired or tired[0] in turn.events
        newest = max((waiting.index(event) for event in turn.events), default=0)
        self.passed.update(event.id for event in waiting[:newest] if event not in turn.events)
        self.waits[key] = [event for event in waiting if event not in turn.events]
        self.own[key].clear()
        self.busy.add(key)
        self.overtaken = Counter({pair: n for pair, n in self.overtaken.items() if pair[0] != key})

    @rule(key=KEYS)
    def hold(self, key):
        """A turn that waited elsewhere counts."""
        self.plan.hold(key)
        self.busy.add(key)
        self.forget(key)

    @rule(key=KEYS)
    def end(self, key):
        """A turn ends, or somebody reports one that had ended."""
        self.plan.done(key)
        self.busy.discard(key)

    @rule(key=KEYS, kept=st.sampled_from((None, *SPEAKERS)))
    def take_out(self, key, kept):
        """What waits is taken back, but for what one of them said."""
        before = self.class_of(key)
        self.plan.reword(key, lambda event: event if event.source is kept else None)
        self.waits[key] = [event for event in self.waits[key] if event.source is kept]
        if self.class_of(key) != before:
            self.forget(key)

    @rule(key=KEYS)
    def close(self, key):
        """Whoever leaves gives back what waited; a running turn still counts."""
        assert list(self.plan.close(key)) == self.waits[key]
        self.waits[key], self.own[key] = [], set()
        self.open.discard(key)
        self.forget(key)

    @invariant()
    def nothing_is_lost(self):
        """What was offered waits until it is begun, dropped, taken back or given back."""
        for key, waiting in self.waits.items():
            assert list(self.plan.waiting(key)) == waiting
            assert self.plan.is_busy(key) == (key in self.busy)
        assert self.plan.in_flight == len(self.busy)


TestQueue = QueueMachine.TestCase
