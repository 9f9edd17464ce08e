"""Forgetting while the game runs: what is thought, or waits to be written, does not outlive it."""

import json
import time
from itertools import cycle

from django.test import override_settings

from ai_assistant.api import forgetting, lifecycle
from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.model_records import ModelReply
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, PendingEvent
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.calls.call_rows import every_call
from bench.forgetting import in_memory, left_in_tables
from tests.evennia.living import EventTestCase
from tests.evennia.test_database_away import locked

SECRET = "the lantern hangs behind the mill"
WEEK = 7 * 24 * 3600.0
SMALL_TALK = (
    "The ferry is late again.",
    "Apples cost two pence.",
    "It rains on the weir.",
    "My boots are wet.",
    "The miller owes me a cart.",
)


def repeat(request):
    """Answer with the secret where that is in the prompt."""
    is_shown = any(SECRET in message.content for message in request.messages)
    return ModelReply(text=f"Bob says that {SECRET}." if is_shown else "Nobody knows.")


class MeanwhileTestCase(EventTestCase):
    """Alice has told Marrek a secret; what is forgotten is all about her."""

    def setUp(self):
        super().setUp()
        self.model.text("Oh.")
        self.does(self.alice, f"whisper Marrek = My secret is that {SECRET}.")

    def forget(self, **options):
        """Begin to forget, and go on until it is done; returns the report, or why there is none."""
        found = []
        done = forgetting.forget_person(self.alice, scope="all", by="a test", **options)
        done.addBoth(found.append)
        self.steps.run()
        return found[0]

    def left(self):
        """Return where the secret still is: in a table, a call of a model, or the memory."""
        calls = [call.words() for page in every_call() for call in page]
        return [
            *left_in_tables([SECRET]),
            *(call for call in calls if SECRET in json.dumps(call, default=str)),
            *([SECRET] if SECRET.encode() in in_memory() else []),
        ]

    def later(self, *assistants):
        """Let time pass, in which all is done that still waits."""
        for _ in range(3):
            for one in assistants or (self.marrek,):
                self.tick(one)


class TestSlices(MeanwhileTestCase):
    def test_few_memories_at_a_time_are_found_no_more(self):
        """Each of their words may be a new one, which a search takes its time for."""
        who = {"kind": "utterance", "author": entity_id(self.alice), "author_name": "Alice"}
        rows = [MemoryRow(f"The {n}th barrel leaks.", **who, readers="*") for n in range(20)]
        save(self.marrek, Commit(at=time.time(), rows=rows))
        index, least = self.resident(self.marrek).mind.recall.index, [0]
        forgetting.forget_person(self.alice, scope="all", by="a test")
        while self.steps.waiting:
            before = len(index)
            self.steps.waiting.popleft()()
            least.append(before - len(index))
        assert sum(least) > 10
        assert max(least) <= 5


class TestTurnsInFlight(MeanwhileTestCase):
    """Tansy, in the street with Carl, remembers that Bob quoted Alice."""

    def setUp(self):
        super().setUp()
        self.tansy = self.an_assistant("Tansy", location=self.street)
        self.carl = self.a_player("Carl", location=self.street)
        heard = [*SMALL_TALK, f"Bob told that {SECRET}, says everybody."]
        at, bob = self.clock.now() - WEEK, entity_id(self.bob)
        rows = [MemoryRow(said, kind="utterance", author=bob, learned_at=at) for said in heard]
        save(self.tansy, Commit(at=time.time(), rows=rows))
        self.tick(self.tansy)

    def test_a_turn_that_was_shown_a_quotation_is_dropped(self):
        """Her memory of it is only redacted: she is asked again all the same, and knows nothing."""
        hold = self.held(self.carl, "say Tansy, what did Bob tell of the lantern?")
        assert SECRET in self.model.shown()
        self.model.say("Bob says nothing of it.")
        self.forget()
        self.let_go(hold)
        self.later(self.tansy)
        assert SECRET not in self.model.shown()
        assert 'Tansy says, "Bob says nothing of it."' in self.screen(self.carl)
        assert self.left() == []

    def test_what_is_said_between_two_slices_is_forgotten_too(self):
        """Tansy and Sera are asked again and again, and repeat whatever they are shown."""
        self.asked_meanwhile(every=3)

    @override_settings(AI_ASSISTANT_STATE_DAYS=0)
    def test_so_is_what_is_in_no_log(self):
        """Where a game keeps nothing of what was, all is gone over again."""
        self.asked_meanwhile(every=9)

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0, AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE=0)
    def asked_meanwhile(self, every):
        """Forget while Carl asks Tansy or Sera after each of so many slices."""
        sera = self.an_assistant("Sera", location=self.street)
        self.model.replies.extend([repeat] * 1000)
        asked = cycle(["Sera, what did Tansy tell of it?", "Tansy, what did Bob tell of it?"])
        slices = cycle(range(every))
        self.forget(
            progress=lambda _: next(slices) or self.carl.execute_cmd(f"say {next(asked)} Lantern!")
        )
        answers = [line for line in self.screen(self.carl) if SECRET in line]
        assert {line.split()[0] for line in answers} == {"Sera", "Tansy"}
        assert self.left() == []
        self.later(self.tansy, sera)
        self.model.replies.clear()
        assert self.left() == []

    def test_nothing_waits_for_what_was_written_before(self):
        """However many people a mind knows, it may begin something again as soon."""
        few = self.held_back()
        learned = {"drop": [], "add": [], "consumed": []}
        people = [f"e9{number}" for number in range(60)]
        steps = [Change("profile", id, "consolidate", learned | {"entity_id": id}) for id in people]
        save(self.tansy, Commit(at=time.time(), changes=steps))
        assert 0 < self.held_back() <= few

    def held_back(self):
        """Return in how many slices of a forgetting nothing may begin."""
        may_begin = []
        self.forget(progress=lambda _: may_begin.append(SERVICE.watch.may_begin))
        return may_begin.count(False)


class TestWaitingWrites(MeanwhileTestCase):
    """The database was locked for a moment, and nothing of what waits for it was tried again."""

    def tearDown(self):
        self.logged()
        super().tearDown()

    def test_her_question_that_waits_is_closed(self):
        """It is never answered, and on no disk."""
        asked = len(self.model.requests)
        with locked():
            self.does(self.alice, f"say Marrek, is it true that {SECRET}?")
        assert SERVICE.watch.writes.waiting
        self.forget()
        assert self.left() == []
        self.later()
        assert self.left() == []
        assert len(self.model.requests) == asked
        assert self.closed() == ["forgotten"]
        assert PendingEvent.objects.count() == 0

    def test_overheard_lines_that_wait_are_not_written(self):
        """Of a hundred lines that waited, none is there afterwards."""
        heard = self.resident(self.marrek).mind.heard
        with locked():
            for number in range(heard.maxlen + 1):
                self.does(self.alice, f"say Bob, number {number}: {SECRET}.")
        assert SERVICE.watch.writes.waiting
        self.forget()
        assert self.left() == []
        self.later()
        assert self.left() == []

    def test_while_the_database_takes_nothing_nothing_is_forgotten(self):
        """Whoever asks is told to try again, and then all of it goes."""
        with locked():
            self.does(self.alice, f"say Marrek, is it true that {SECRET}?")
            before = Memory.objects.count()
            refusal = self.forget()
        assert "try again" in str(refusal.value)
        assert Memory.objects.count() == before
        self.forget()
        self.later()
        assert self.left() == []

    def test_what_waits_is_not_written_for_one_who_is_gone(self):
        """Who is deleted leaves no open question and no memory behind."""
        with locked():
            self.does(self.alice, f"say Marrek, is it true that {SECRET}?")
        own_id = entity_id(self.marrek)
        lifecycle.delete(self.marrek)
        self.clock.advance(5)
        SERVICE.watch.beat()
        self.steps.run()
        assert PendingEvent.objects.count() == 0
        assert not Memory.objects.filter(container=own_id).exists()
