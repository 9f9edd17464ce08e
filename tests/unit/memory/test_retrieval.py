"""Retrieval: what shares the question's words is found; what may not be used does not exist."""

import math
import random
import time

import pytest

from ai_assistant.memory.retrieval import DAY, Index, stem, stems

WORDS = "dragon gold sword tavern ship storm captain whiskers cat harbour map key".split()


def index_of(*texts, **options):
    index = Index()
    for number, text in enumerate(texts, 1):
        index.add(number, text, **options)
    return index


def ids(hits):
    return [hit.id for hit in hits]


def test_shared_words_are_found():
    """Rows that share meaning words with the question come, best first; others do not."""
    index = index_of("My cat is called Whiskers.", "The storm took a cat and a ship.", "Gold!")
    assert ids(index.search("What is the name of your cat Whiskers?", 5, now=0.0)) == [1, 2]
    assert index.search("What is it?", 5, now=0.0) == []
    assert index.search("", 5, now=0.0) == []
    assert Index().search("cat", 5, now=0.0) == []


@pytest.mark.parametrize("k", [0, 1, 2, 3, 50])
def test_as_many_as_asked_for_or_as_there_are(k):
    """A small container returns all that fits, a large one the best k."""
    index = index_of("a dragon", "the dragons", "dragon gold")
    assert len(index.search("dragon", k, now=0.0)) == min(k, 3)


@pytest.mark.parametrize("seed", range(12))
def test_what_may_not_be_used_influences_nothing(seed):
    """Unusable rows change no score, no order and no count, by label and by metadata."""
    luck = random.Random(seed)
    pure, mixed, spare = Index(), Index(), 1000

    def text():
        return " ".join(luck.choices(WORDS, k=luck.randint(1, 6)))

    for number in range(1, 25):
        row = {"at": luck.random() * 90 * DAY, "importance": luck.randint(1, 10)}
        words = text()
        pure.add(number, words, meta={"kind": "fact"}, **row)
        mixed.add(number, words, meta={"kind": "fact"}, **row)
        for _ in range(luck.randint(0, 3)):
            spare += 1
            if luck.random() < 0.5:
                mixed.add(spare, text(), readers="e-bob", meta={"kind": "fact"}, **row)
            else:
                mixed.add(spare, text(), meta={"kind": "rumour"}, **row)
    options = {"now": 90 * DAY, "explain": True, "allow": lambda label: label == "*"}
    for _ in range(5):
        query = text()
        expected = pure.search(query, 8, **options)
        assert mixed.search(query, 8, where={"kind": "fact"}, **options) == expected


def test_an_unusable_label_changes_no_score():
    """Also without metadata: with secrets beside it, a row scores as it would alone."""
    alone, beside = Index(), Index()
    for index in (alone, beside):
        index.add(1, "dragon gold")
        index.add(2, "dragon ship")
    for number in range(3, 40):
        beside.add(number, "gold map", readers="e-bob")
    options = {"now": 0.0, "explain": True, "allow": lambda label: label == "*"}
    query = "gold dragon whiskers"
    assert beside.search(query, 5, **options) == alone.search(query, 5, **options)


def test_each_label_is_asked_once():
    """The question who may read is asked for each distinct label, not for each row."""
    index, asked = Index(), []
    for number in range(50):
        index.add(number, "dragon", readers=("*", "e-bob")[number % 2])
    index.search("dragon", 5, now=0.0, allow=lambda label: not asked.append(label))
    assert sorted(asked) == ["*", "e-bob"]


def test_rare_words_tell_more():
    """A word that few rows have weighs more than one that all have."""
    index = index_of("dragon ship", "dragon gold", "dragon ship", "dragon ship")
    assert ids(index.search("ship gold", 1, now=0.0)) == [2]


def test_recency_and_importance_only_nudge():
    """Between equals the newer and the more important win; they never beat relevance."""
    index = Index()
    index.add(1, "dragon gold", at=0.0, importance=1)
    index.add(2, "dragon gold", at=90 * DAY, importance=1)
    index.add(3, "dragon gold", at=0.0, importance=10)
    index.add(4, "dragon tale", at=90 * DAY, importance=10)
    found = ids(index.search("dragon gold", 9, now=90 * DAY))
    assert found[-2:] == [1, 4]
    assert found.index(2) < found.index(1)
    assert found.index(3) < found.index(1)


def test_the_speaker_is_a_word():
    """Who said it helps to find it."""
    index = Index()
    index.add(1, "Nothing special.", speaker="Bob")
    assert ids(index.search("What did Bob say?", 5, now=0.0)) == [1]


def test_a_hit_explains_itself():
    """Asked to, each hit tells the factors of its score, and its age."""
    (hit,) = index_of("dragon gold", at=DAY).search("dragon ship", 1, now=3 * DAY, explain=True)
    factors = [value for name, value in hit.why.items() if name != "age_days"]
    assert math.prod(factors) == pytest.approx(hit.score)
    assert hit.why["age_days"] == 2.0
    assert index_of("dragon").search("dragon", 1, now=0.0)[0].why == {}


def test_rows_are_replaced_and_forgotten():
    """An id added again is the new text; a removed one is gone, and an unknown one no matter."""
    index = index_of("dragon", "dragon")
    index.add(1, "gold")
    index.remove(2)
    index.remove(77)
    assert index.search("dragon", 5, now=0.0) == []
    assert ids(index.search("gold", 5, now=0.0)) == [1]
    assert len(index) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("walks", "walked"), ("ladies", "lady"), ("loves", "loving"), ("Ships", "ship"),
     ("dog's", "dog"), ("dog’s", "dog")],
)  # fmt: skip
def test_endings_do_not_matter(one, other):
    """The commonest endings of English are cut off."""
    assert stem(one) == stem(other)


def test_small_words_do_not_count():
    """Words that say nothing find nothing, however their apostrophe is written."""
    assert stems("It's what I'm, it’s what i’m") == []


def test_a_large_index_answers_quickly():
    """Ten thousand rows are searched well within one step of the reactor."""
    luck, index = random.Random(1), Index()
    for number in range(3000):
        index.add(number, " ".join(luck.choices(WORDS, k=6)) + f" w{number}")
    start = time.perf_counter()
    index.search("dragon w7", 6, now=0.0)
    assert time.perf_counter() - start < 0.1
