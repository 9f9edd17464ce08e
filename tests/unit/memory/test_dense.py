"""The dense channel of recall: meaning beside words, and words alone whatever goes wrong."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.errors import BudgetExhausted, ModelTimeout
from ai_assistant.memory.search.recall import QUERY_SECONDS, Recall
from ai_assistant.testing import DictStore
from ai_assistant.testing.meanings import Meanings
from ai_assistant.testing.scripted_model import run

FELINE = "The feline pinched a mackerel."
PARAPHRASE = "Which cat stole fish?"


class FakeEmbedder:
    """Implements `ports.Embedder`; `error` is raised instead of an answer."""

    def __init__(self, model="small", other=None):
        self.model = model
        self.other = other
        self.size = 0
        self.error = None
        self.asked = []
        self.meanings = Meanings()
        for words in (("cat", "feline"), ("stole", "pinched"), ("fish", "mackerel")):
            self.meanings.alike(*words)

    def vector(self, text):
        return np.array(self.meanings.vector(text), np.float32).tobytes()

    async def embed(self, texts, *, seconds=0.0):
        self.asked.append((list(texts), seconds))
        if self.error:
            raise self.error
        return [self.vector(text) for text in texts]

    def forget(self):
        pass

    def of(self, model):
        return self.other if self.other and self.other.model == model else None


class Memories:
    """A recall over a store, with an embedder."""

    def __init__(self, *texts, worker=None):
        self.store, self.embedder = DictStore(PARTS), FakeEmbedder()
        self.rows = self.store.commit(Commit(at=0.0, rows=[MemoryRow(text) for text in texts]))
        self.restart(self.embedder)

    def restart(self, embedder):
        """Begin anew on the same disk."""
        self.embedder = embedder
        self.recall = Recall(self.store, embedder=embedder)
        self.recall.learn_stored(self.rows)

    def embed(self, *places):
        rows = [self.rows[place] for place in places]
        vectors = [self.embedder.vector(row.content) for row in rows]
        self.store.rows.set_vectors(rows, vectors, self.embedder.model)
        found = {row.id: vector for row, vector in zip(rows, vectors, strict=True)}
        self.recall.learn_vectors(found)

    def found(self, query, **options):
        hits = run(self.recall.search(query, 5, now=0.0, allow=bool, **options))
        return [one.row.content for one in hits]


def test_meaning_is_found_beside_words():
    """What shares no word with the question is found by its vector; others by words as ever."""
    memories = Memories(FELINE, "It rained.")
    assert memories.found(PARAPHRASE) == []
    memories.embed(0)
    assert memories.found(PARAPHRASE)[0] == FELINE
    assert memories.found("Has it rained?")[0] == "It rained."


def test_a_hit_says_how_alike_it_is():
    """The explanation names the dense channel."""
    memories = Memories(FELINE)
    memories.embed(0)
    search = memories.recall.search(PARAPHRASE, 5, now=0.0, allow=bool, explain=True)
    assert run(search)[0].hit.why["dense"] > 0.2


def test_what_may_not_be_read_is_not_found_by_meaning():
    """The dense channel sees usable rows only."""
    memories = Memories(FELINE)
    memories.embed(0)
    search = memories.recall.search(PARAPHRASE, 5, now=0.0, allow=lambda _: False)
    assert run(search) == []


def test_a_question_is_asked_with_a_short_limit():
    """And not at all where nothing is embedded, or nothing is asked."""
    memories = Memories(FELINE)
    memories.found(PARAPHRASE)
    assert memories.embedder.asked == []
    memories.embed(0)
    memories.found(" ")
    assert memories.embedder.asked == []
    memories.found(PARAPHRASE)
    assert memories.embedder.asked == [([PARAPHRASE], QUERY_SECONDS)]


@pytest.mark.parametrize("error", [ModelTimeout(), BudgetExhausted()])
def test_errors_leave_the_words(error):
    """Without a vector the question is answered by its words."""
    memories = Memories(FELINE)
    memories.embed(0)
    memories.embedder.error = error
    assert memories.found(PARAPHRASE) == []
    assert memories.found("feline") == [FELINE]


def test_a_vector_of_another_length_is_no_vector():
    """Neither as a question's nor as a row's; the row counts as lacking still."""
    memories = Memories(FELINE, "It rained.")
    memories.embed(0)
    memories.recall.learn_vectors({2: b"\0" * 20, 3: b"abc", 99: b"\0" * 256})
    assert memories.recall.lacking(5) == [2]
    memories.embedder.vector = lambda text: np.ones(5, np.float32).tobytes()
    assert memories.found("feline")[0] == FELINE


@pytest.mark.parametrize("bad", [b"\0" * 256, np.full(64, np.nan, np.float32).tobytes()])
def test_broken_vectors_on_disk_are_lacking(bad):
    """What was stored and cannot be used is made anew."""
    memories = Memories(FELINE)
    memories.store.rows.set_vectors(memories.rows, [bad], "small")
    memories.restart(FakeEmbedder())
    assert memories.recall.embedded == (0, 1)
    assert memories.recall.lacking(5) == [1]


def test_vectors_come_back_after_a_restart():
    """Those of the model in use do; those that nothing can compare are neither loaded nor lost."""
    memories = Memories(FELINE, "It rained.")
    memories.embed(0)
    memories.restart(FakeEmbedder())
    assert memories.recall.embedded == (1, 2)
    assert memories.found(PARAPHRASE)[0] == FELINE
    memories.restart(FakeEmbedder("large"))
    assert memories.recall.embedded == (0, 2)
    assert memories.found(PARAPHRASE) == []
    memories.restart(FakeEmbedder())
    assert memories.recall.embedded == (1, 2)


@pytest.fixture
def changed():
    """Two memories embedded by a small model, which gives way to a large one: (memories, small)."""
    memories = Memories(FELINE, "It rained.")
    memories.embed(0, 1)
    small = memories.embedder
    memories.restart(FakeEmbedder("large", small))
    return memories, small


def test_old_vectors_serve_until_the_new_ones_are_there(changed):
    """At no time is a memory found by its words alone, and each is embedded anew."""
    memories, small = changed
    for done in range(3):
        if done:
            memories.embed(done - 1)
        assert memories.recall.embedded == (done, 2)
        assert memories.recall.by_older_models == ({"small": 2 - done} if done < 2 else {})
        assert memories.found(PARAPHRASE)[0] == FELINE
    asked = len(small.asked)
    memories.found(PARAPHRASE)
    assert len(small.asked) == asked


def test_no_question_waits_longer_for_two_models(changed):
    """They share its three seconds."""
    memories, small = changed
    memories.embed(1)
    memories.found(PARAPHRASE)
    assert [one.asked[-1][1] for one in (memories.embedder, small)] == [QUERY_SECONDS / 2] * 2


def test_where_the_old_model_is_gone_words_do(changed):
    """What has a new vector is found by that."""
    memories, small = changed
    small.error = ModelTimeout()
    assert memories.found(PARAPHRASE) == []
    memories.embed(0)
    assert memories.found(PARAPHRASE)[0] == FELINE


def test_a_memory_with_other_words_has_no_old_vector(changed):
    """It waits for its new one like one that was just made; one that is gone waits for none."""
    memories, _ = changed
    memories.recall.learn([replace(memories.rows[0], content="A hound barked.")])
    assert memories.recall.by_older_models == {"small": 1}
    memories.recall.forget([memories.rows[1].id])
    assert memories.recall.by_older_models == {}
    assert memories.found(PARAPHRASE) == []


def test_new_and_changed_rows_are_lacking_and_forgotten_ones_are_not():
    """What is to be embedded follows what is known; some can be left out."""
    memories = Memories("One.", "Two.", "Three.")
    assert memories.recall.lacking(2) == [1, 2]
    assert memories.recall.lacking(5, {2}) == [1, 3]
    memories.embed(0, 1)
    memories.recall.forget([2, 3])
    assert (memories.recall.lacking(5), memories.recall.embedded) == ([], (1, 1))
    memories.recall.learn([MemoryRow("One, anew.", id=1)])
    assert memories.recall.lacking(5) == [1]
    assert memories.found(PARAPHRASE) == []


def test_without_an_embedder_nothing_is_lacking():
    """Where embeddings are off, nothing waits for them."""
    recall = Recall(DictStore(PARTS))
    recall.learn([MemoryRow("One.", id=1)])
    recall.learn_vectors({1: b"\0\0\x80?"})
    assert (recall.lacking(5), asyncio.run(recall.search("two", 5, now=0.0, allow=bool))) == (
        [],
        [],
    )
