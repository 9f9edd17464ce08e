"""Embeddings: memories are found by their meaning as well, and by their words whatever happens."""

import queue
import time
from dataclasses import replace

import numpy as np
from django.test import override_settings
from twisted.internet.defer import Deferred

from ai_assistant.agent.attention.budget import Budget
from ai_assistant.api import forgetting, lifecycle
from ai_assistant.api.game_state import health
from ai_assistant.api.overview import status_lines
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.llm.bridge import Bridge
from ai_assistant.models import Memory
from ai_assistant.runtime.assembly import build_shared, read_profiles
from ai_assistant.runtime.backfill import BATCH, LONGEST_REST, SKIPPED_FOR
from ai_assistant.runtime.embedder import OWNER, Embeddings
from ai_assistant.runtime.means import caps_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import RowBook, memory_rows
from ai_assistant.testing.fake_openai import FakeOpenAI
from tests.evennia.living import CommandTestCase, LivingTestCase

FELINE = "The feline pinched a mackerel."
PARAPHRASE = "Which cat stole fish?"


class EmbeddingTestCase(LivingTestCase):
    """Marrek and a server for embeddings, to which real HTTP goes over a real bridge."""

    model_name = "small"

    def setUp(self):
        self.fake = FakeOpenAI()
        self.fake.__enter__()
        self.addCleanup(self.fake.__exit__)
        for words in (("cat", "feline"), ("stole", "pinched"), ("fish", "mackerel")):
            self.fake.meanings.alike(*words)
        self.calls = queue.Queue()
        self.bridges = []
        super().setUp()
        self.addCleanup(self._stop_bridges)

    def hand_over(self, call, *args):
        self.calls.put((call, args))

    def build(self):
        """Make what assistants share, with a bridge that this test cranks."""
        profile = {"provider": "local", "base_url": self.fake.url, "model": self.model_name}
        with override_settings(AI_ASSISTANT_LLM={"v": profile}, AI_ASSISTANT_EMBEDDINGS="v"):
            shared = super().build()
        bridge = Bridge(self.hand_over, note=shared.outages.note)
        bridge.start()
        self.bridges.append(bridge)
        budget = Budget(RowBook(), self.clock, caps_of)
        embedder = Embeddings(bridge, shared.profiles["v"], budget)
        return replace(shared, bridge=bridge, budget=budget, embedder=embedder)

    def _stop_bridges(self):
        for bridge in self.bridges:
            bridge.stop()

    def settle(self):
        """Let everything go on until nothing is on its way any more."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            self.steps.run()
            if not any(bridge.pending for bridge in self.bridges):
                return
            call, args = self.calls.get(timeout=60)
            call(*args)

    def beat(self, character, seconds=5):
        """Let time pass, then a heartbeat, and whatever it sets going."""
        self.clock.advance(seconds)
        character.assistant_script.at_repeat()
        self.settle()

    def knows(self, *texts, name="Marrek"):
        """Return a running assistant that has these memories, none of them embedded yet."""
        character = self.an_assistant(name)
        self.learns(character, *texts)
        return character

    def learns(self, character, *texts):
        mind = self.resident(character).mind
        stored = memory_rows.insert([MemoryRow(text) for text in texts], mind.store.id, time.time())
        mind.recall.learn(stored)
        return stored

    def found(self, character, query, **options):
        """Return the contents of what is found."""
        mind = self.resident(character).mind
        results = []
        search = mind.recall.search(query, 5, now=time.time(), allow=lambda _: True, **options)
        Deferred.fromCoroutine(search).addBoth(results.append)
        self.settle()
        return [one.row.content for one in results[0]]

    def asked(self):
        """Return the texts of each request so far."""
        return [request["body"]["input"] for request in self.fake.requests]

    def embedded(self, character):
        return self.resident(character).mind.recall.embedded

    def models(self):
        """Return the models of the vectors on disk, each with how many there are."""
        names = list(Memory.objects.exclude(embedding=None).values_list("embedding_model"))
        return {name: names.count((name,)) for (name,) in names}

    def status(self, character):
        return "\n".join(status_lines(character))


@override_settings(AI_ASSISTANT_EMBEDDINGS="v")
class TestEmbeddings(EmbeddingTestCase):
    def test_a_paraphrase_is_found_by_its_meaning(self):
        """A question that shares no word with a memory finds it once it is embedded."""
        marrek = self.knows(FELINE, "The bridge is out.")
        assert self.found(marrek, PARAPHRASE) == []
        self.beat(marrek)
        assert self.found(marrek, PARAPHRASE)[0] == FELINE
        assert self.found(marrek, "Which bridge is out?")[0] == "The bridge is out."
        assert "embeddings: 2 of 2 memories, by small; " in self.status(marrek)

    def test_equal_texts_are_asked_once(self):
        """Equal questions, and one line heard by many, cost one vector."""
        marrek, tansy = self.knows(FELINE, FELINE), self.knows(FELINE, name="Tansy")
        self.beat(marrek)
        self.beat(tansy)
        for _ in range(3):
            self.found(marrek, PARAPHRASE)
        assert self.asked() == [[FELINE], [PARAPHRASE]]
        assert self.embedded(tansy) == (1, 1)

    def test_vectors_survive_a_restart(self):
        """What is embedded stays so; after a restart in the middle, only the rest is sent."""
        marrek = self.knows(*(f"Sheep number {number}." for number in range(3 * BATCH)))
        self.clock.advance(5)
        marrek.assistant_script.at_repeat()
        self.steps.run()
        call, args = self.calls.get(timeout=60)
        call(*args)
        assert self.models() == {"small": BATCH}
        marrek = self.come_back(marrek)
        assert self.embedded(marrek) == (BATCH, 3 * BATCH)
        self.beat(marrek)
        assert self.embedded(marrek) == (3 * BATCH, 3 * BATCH)
        sent = [text for texts in self.asked() for text in texts]
        assert len(set(sent)) == 3 * BATCH
        assert len(sent) <= 4 * BATCH  # the batch that was on its way is sent again at most

    def test_a_new_model_embeds_anew_without_a_gap(self):
        """Old vectors serve, by the model before, until those of the new one replace them."""
        marrek = self.knows(FELINE, *(f"Sheep number {number}." for number in range(BATCH)))
        self.beat(marrek)
        self.model_name = "large"
        marrek = self.come_back(marrek)
        assert self.models() == {"small": BATCH + 1}
        assert self.embedded(marrek) == (0, BATCH + 1)
        assert self.found(marrek, PARAPHRASE)[0] == FELINE
        assert "embeddings: 0 of 33 memories, by large, 33 more by small" in self.status(marrek)
        told = dict(health().figures)["memories found by meaning"]
        assert told == "0 of 33 by large, 33 more by small until then"
        self.beat(marrek)
        assert dict(health().figures)["memories found by meaning"] == "33 of 33 by large"
        assert self.models() == {"large": BATCH + 1}
        assert self.found(marrek, PARAPHRASE)[0] == FELINE

    def test_calls_are_counted_apart(self):
        """They count as the game's, and nobody's allowance for talk shrinks."""
        marrek = self.knows(FELINE)
        self.beat(marrek)
        budget = SERVICE.shared.budget
        assert budget.spent(OWNER) == budget.spent("") == (1, 8)
        assert budget.spent(entity_id(marrek)) == (0, 0)

    @override_settings(AI_ASSISTANT_GAME_DAILY_CALLS=3)
    def test_the_budget_ends_it(self):
        """Half the game's calls are theirs; beyond, memories are found by their words."""
        marrek = self.knows(FELINE)
        self.beat(marrek)
        assert self.found(marrek, "feline")[0] == FELINE
        assert len(self.asked()) == 1
        assert "daily cap" in "".join(self.logged())

    def test_a_model_that_is_gone_is_left_alone(self):
        """Where no server has the model before, words do, and it is not asked again for a while."""
        marrek = self.knows(FELINE)
        self.beat(marrek)
        self.model_name = "large"
        marrek = self.come_back(marrek)
        self.fake.meanings.script.add({"fault": "500", "times": 1})
        for _ in range(3):
            assert self.found(marrek, "feline") == [FELINE]
        assert len(self.asked()) == 2
        self.beat(marrek)
        assert self.found(marrek, PARAPHRASE) == [FELINE]
        self.logged()


@override_settings(AI_ASSISTANT_EMBEDDINGS="v", AI_ASSISTANT_GAME_DAILY_CALLS=16)
class TestShares(EmbeddingTestCase, CommandTestCase):
    def test_one_player_leaves_the_day_to_others(self):
        """Beyond a player's share `memories` goes by words, and by meaning for who has one."""
        marrek, alice, bob = self.an_assistant(), self.a_player("Alice"), self.a_player("Bob")
        mind = self.resident(marrek).mind
        rows = [MemoryRow(FELINE, author=entity_id(who)) for who in (alice, bob)]
        mind.recall.learn(memory_rows.insert(rows, mind.store.id, time.time()))
        self.beat(marrek)
        for words in ("Which cat?", "Which fish?", "feline"):
            told = self.types(CmdMemories, f" marrek = {words}", alice)
            self.settle()
        assert "mackerel" in told
        assert {text for (text,) in self.asked()} == {FELINE, "Which cat?", "Which fish?"}
        self.types(CmdMemories, f" marrek = {PARAPHRASE}", bob)
        self.settle()
        assert [PARAPHRASE] in self.asked()


@override_settings(AI_ASSISTANT_EMBEDDINGS="v")
class TestFaults(EmbeddingTestCase):
    def fault(self, name, times=1, **options):
        self.fake.meanings.script.add({"fault": name, "times": times, **options})

    def test_a_server_that_is_down(self):
        """Words do without it, the log says so once, and it is left alone ever longer."""
        marrek = self.knows(FELINE)
        self.fault("500", times=100)
        for _ in range(10):
            self.beat(marrek)
        assert self.found(marrek, "feline")[0] == FELINE
        assert len(self.logged()) == 1
        assert SERVICE.shared.budget.spent(OWNER)[0] <= 7
        assert "embeddings fail: The model's server" in self.status(marrek)

    def test_it_is_taken_up_again(self):
        """Once the server answers, everything is embedded, and the status forgets its trouble."""
        marrek = self.knows(FELINE)
        self.fault("429")
        self.beat(marrek)
        assert self.embedded(marrek) == (0, 1)
        assert "embeddings fail" in self.status(marrek)
        self.beat(marrek)
        assert self.embedded(marrek) == (1, 1)
        assert "embeddings fail" not in self.status(marrek)
        self.logged()

    def test_a_question_does_not_wait_for_long(self):
        """Where the server hangs, the question is answered by words after three seconds."""
        marrek = self.knows(FELINE)
        self.beat(marrek)
        self.fault("hang")
        began = time.monotonic()
        assert self.found(marrek, "whose feline?") == [FELINE]
        assert 2.5 < time.monotonic() - began < 20
        assert "3 s" in "".join(self.logged())

    def test_bad_vectors_are_never_kept(self):
        """Wrong lengths, NaN, too few or no JSON: refused, as a row's and as a question's."""
        marrek = self.knows(FELINE)
        self.beat(marrek)
        for fault in ("dimensions", "nan", "missing", "malformed", "html", "500", "429", "drop"):
            self.learns(marrek, f"A {fault}.")
            self.fault(fault, times=3)
            assert self.found(marrek, f"feline {fault}")
            self.fake.meanings.script.clear()
            self.fault(fault, times=3)
            self.beat(marrek, LONGEST_REST)
            self.fake.meanings.script.clear()
        kept = Memory.objects.exclude(embedding=None).values_list("embedding", flat=True)
        vectors = [np.frombuffer(one, np.float32) for one in kept]
        assert all(len(one) == 64 and np.isfinite(one).all() for one in vectors)
        assert "ai_assistant: embeddings: " in "".join(self.logged())

    def test_one_poisoned_row_stops_nobody(self):
        """The row that the server cannot do is found out, named, and left out for an hour."""
        texts = [f"Sheep number {number}." for number in range(20)]
        marrek = self.knows(*texts[:7], "POISON", *texts[7:])
        self.fault("400", times=1000, when="POISON")
        for _ in range(60):
            self.beat(marrek)
        assert self.embedded(marrek) == (20, 21)
        poison = Memory.objects.get(content="POISON")
        assert f"memory {poison.pk} cannot be embedded" in "".join(self.logged())
        before = len(self.asked())
        for _ in range(20):
            self.beat(marrek)
        assert len(self.asked()) == before
        self.fake.meanings.script.clear()
        self.beat(marrek, SKIPPED_FOR)
        assert self.embedded(marrek) == (21, 21)


@override_settings(AI_ASSISTANT_EMBEDDINGS="v")
class TestForgotten(EmbeddingTestCase):
    def forget_all_of(self, who):
        done = forgetting.forget_person(who, by="a test")
        self.settle()
        assert done.called

    def test_a_vector_goes_with_its_row(self):
        """What is forgotten leaves no vector: on disk, in the index, or for equal texts."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        mind = self.resident(marrek).mind
        row = MemoryRow(FELINE, author=entity_id(alice), author_name="Alice")
        mind.recall.learn(memory_rows.insert([row], mind.store.id, time.time()))
        self.beat(marrek)
        assert self.found(marrek, PARAPHRASE) == [FELINE]
        self.forget_all_of(alice)
        assert self.models() == {}
        assert self.found(marrek, PARAPHRASE) == []
        self.learns(marrek, FELINE)
        self.beat(marrek)
        assert self.asked().count([FELINE]) == 2

    def test_a_redacted_row_loses_the_vector_of_its_old_words(self):
        """Who echoed what is forgotten keeps the rest, and a vector of that alone."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        mind = self.resident(marrek).mind
        secret = "the lantern hangs behind the mill"
        told = MemoryRow(f"My secret: {secret}.", author=entity_id(alice), author_name="Alice")
        echo = MemoryRow(f"So {secret}.", author=mind.key, author_name="Marrek")
        mind.recall.learn(memory_rows.insert([told, echo], mind.store.id, time.time()))
        self.beat(marrek)
        assert self.models() == {"small": 2}
        self.forget_all_of(alice)
        (left,) = Memory.objects.all()
        assert "lantern" not in left.content
        assert (left.embedding, left.embedding_model) == (None, "")
        self.beat(marrek)
        assert self.asked()[-1] == [left.content]
        assert self.models() == {"small": 1}

    def test_what_is_forgotten_on_the_way_gets_no_vector(self):
        """A vector that arrives for a row which changed meanwhile is dropped."""
        marrek = self.knows(FELINE, "Rain.")
        self.clock.advance(5)
        marrek.assistant_script.at_repeat()
        Memory.objects.filter(content=FELINE).update(content="(forgotten)")
        Memory.objects.filter(content="Rain.").delete()
        call, args = self.calls.get(timeout=60)
        call(*args)
        assert self.models() == {}
        self.settle()
        assert self.asked()[-1] == ["(forgotten)"]
        assert self.embedded(marrek) == (1, 1)

    def test_who_stopped_meanwhile_is_left_alone(self):
        """An assistant that is deleted while its memories are embedded does no harm."""
        marrek = self.knows(FELINE)
        self.clock.advance(5)
        marrek.assistant_script.at_repeat()
        lifecycle.delete(marrek)
        self.settle()
        assert self.models() == {}


class TestSettings(LivingTestCase):
    def test_off_by_default(self):
        """Without the setting nothing is sent, and the status does not speak of it."""
        assert build_shared().embedder is None
        assert "embeddings" not in "".join(status_lines(self.an_assistant()))

    @override_settings(AI_ASSISTANT_EMBEDDINGS="vectors")
    def test_a_wrong_name_is_named(self):
        """A profile that is not there is told, and memories are found by words alone."""
        assert build_shared().embedder is None
        assert "AI_ASSISTANT_EMBEDDINGS names 'vectors'" in "".join(self.logged())

    @override_settings(
        AI_ASSISTANT_EMBEDDINGS="v", AI_ASSISTANT_LLM={"v": {"provider": "local", "model": "m"}}
    )
    def test_it_is_no_model_for_talk(self):
        """The only profile, meant for embeddings, does not become the one that talks."""
        profiles = read_profiles()
        assert (profiles["v"].model, profiles["default"].offline) == ("m", True)

    @override_settings(
        AI_ASSISTANT_EMBEDDINGS="v",
        AI_ASSISTANT_LLM={"v": {"provider": "openai", "model": "m", "key_env": "NOT_SET"}},
    )
    def test_no_key_is_said(self):
        """Without a key it is off, and the status says why."""
        marrek = self.an_assistant()
        assert "embeddings: off; the profile 'v'" in "".join(status_lines(marrek))
