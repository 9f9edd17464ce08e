"""The inbox: what waits to be answered by one assistant, or to be written for it once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from ai_assistant import conf
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.keeping import closing
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event, StoredTrigger
from ai_assistant.runtime.means import payer_of


class Inbox:
    """The events of one assistant between their arrival and their turn, and after a failed one."""

    def __init__(self, mind: Mind, hindrance: Callable[[], str]) -> None:
        """`hindrance()` says in a word why it may not think just now; empty where it may."""
        self._mind = mind
        self._hindrance = hindrance
        self.finish = mind.watch.finish
        self.waiting: list[tuple[Event, float]] = []
        """Taken over from disk, or to be tried again, each with the time (steady clock, seconds)
        until which its speaker may come back into reach."""
        self.retries: Counter[str] = Counter()
        """How often a turn with that event failed, by its id."""

    def give_back(self, turn_id: str, events: Sequence[Event]) -> None:
        """Let the events of a turn that was halted wait to be tried anew."""
        self._mind.store.triggers.give_back(turn_id)
        self.try_again(events, "interrupted")

    def try_again(self, events: Sequence[Event], reason: str) -> None:
        """Take up the events of a turn that came to nothing. Raises `StoreError`.

        One that is not on disk any more was saved with its answer: only the delivery failed. A tick
        that is, is what such a turn left of its own.
        """
        on_disk = {pending.event.id: pending for pending in self._mind.store.triggers.waiting()}
        ticks = (pending.event for pending in on_disk.values())
        events = [*events, *(event for event in ticks if event.event_type == "tick")]
        for event in events:
            pending = on_disk.get(event.id)
            if pending:
                self._take_over(pending, reason)
            else:
                self.forget([event])

    def restore(self) -> None:
        """Take up what is on disk: some to be answered, some that may never run again.

        Raises `StoreError`.
        """
        for pending in self._mind.store.triggers.waiting():
            self._take_over(pending, "gave_up")

    def _take_over(self, pending: StoredTrigger, reason: str) -> None:
        event = pending.event
        if pending.claims:
            self.finish(partial(closing.close_interrupted, self._mind, pending))
        elif (
            event.event_type == "tick"
            or max(pending.attempts, self.retries[event.id]) >= closing.MAX_ATTEMPTS
        ):
            self.close([event], reason)
        else:
            payer = payer_of(event.source.id, by_assistant=event.by_assistant)
            self._mind.energy.mint(event.root, HUMAN_ENERGY, payer)
            self.put_off(event)

    def put_off(self, *events: Event) -> None:
        """Let events wait until their speakers are in reach, for some minutes."""
        until = self._mind.clock.monotonic() + conf.settings.RESTORE_WAIT
        self.waiting += [(event, until) for event in events]

    def take_up(self) -> list[Event]:
        """Return the waiting events whose speaker is in reach; close those who waited too long."""
        hindrance = self._hindrance() if self.waiting else ""
        now = self._mind.clock.monotonic()
        waiting, self.waiting = self.waiting, []
        ready = []
        for event, until in waiting:
            if not hindrance and self._mind.world.in_reach(event):
                ready.append(event)
            elif now >= until:
                self.close([event], hindrance or "speaker_gone")
            else:
                self.waiting.append((event, until))
        return ready

    def reword(self, after: Callable[[Event], Event | None]) -> None:
        """Give waiting events other words; those without any are closed on disk already."""
        new = [(after(event), until) for event, until in self.waiting]
        self.waiting = [(event, until) for event, until in new if event]

    def depart(self, queued: Sequence[Event], reason: str) -> None:
        """Close whatever waits (`queued` are those before a turn), and save what was overheard.

        Raises `StoreError`.
        """
        open_events = {
            event.id: event for event in (*queued, *(event for event, _ in self.waiting))
        }
        for pending in self._mind.store.triggers.waiting():
            open_events[pending.event.id] = pending.event
            if pending.claims:
                del open_events[pending.event.id]
                closing.close_interrupted(self._mind, pending)
        self.close(list(open_events.values()), reason)
        closing.flush(self._mind)

    def close(self, events: Sequence[Event], reason: str) -> None:
        """Close events with a reason; where even that is refused, it is tried again later."""
        self.forget(events)
        if events:
            self.finish(partial(closing.close_events, self._mind, list(events), reason))

    def forget(self, events: Sequence[Event]) -> None:
        """Drop what is kept of events that are over."""
        for event in events:
            self.retries.pop(event.id, None)
