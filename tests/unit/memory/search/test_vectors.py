"""Vectors of an index: compared exactly, dropped without a trace, refused where they are none."""

import random

import numpy as np
import pytest

from ai_assistant.memory.search.vectors import BLOCK, FLOOR, Vectors

MODEL = "small"


def vector(*numbers):
    return np.array(numbers, np.float32)


def likeness(vectors, slots, query, model=MODEL):
    return vectors.likeness(np.array(slots, np.int64), query, model)


@pytest.mark.parametrize("seed", range(4))
def test_vectors_come_and_go_and_the_others_stay(seed):
    """After any changes each slot is as like the query as its own vector, and the rest is 0."""
    luck, dice = random.Random(seed), np.random.default_rng(seed)
    vectors, kept = Vectors(), {}
    query = dice.normal(size=5).astype(np.float32)
    for _ in range(4 * BLOCK):
        slot = luck.randrange(2 * BLOCK)
        if luck.random() < 0.4:
            vectors.remove(slot)
            kept.pop(slot, None)
        else:
            kept[slot] = dice.normal(size=5).astype(np.float32)
            vectors.set(slot, kept[slot].tobytes(), MODEL)
    slots = luck.sample(range(3 * BLOCK), 1000)
    cosines = [
        kept[slot] @ query / np.linalg.norm(kept[slot]) / np.linalg.norm(query)
        if slot in kept
        else 0.0
        for slot in slots
    ]
    expected = np.clip((np.array(cosines) - FLOOR) / (1 - FLOOR), 0, 1)
    assert np.allclose(likeness(vectors, slots, query), expected, atol=1e-5)


def test_models_are_never_compared():
    """A row counts for the model that made its vector, and for the newest one only."""
    vectors = Vectors()
    vectors.set(0, vector(1, 0), "old")
    vectors.set(1, vector(1, 0, 0), MODEL)
    assert list(likeness(vectors, [0, 1], vector(1, 0, 0))) == [0, 1]
    vectors.set(0, vector(1, 0, 0), MODEL)
    assert list(likeness(vectors, [0, 1], vector(1, 0), "old")) == [0, 0]
    assert list(likeness(vectors, [0], vector(1, 0), "unknown")) == [0]


@pytest.mark.parametrize(
    "bad", [vector(), vector(0, 0), vector(np.nan, 1), vector(np.inf, 1), vector(1, 2, 3), b"abc"]
)
def test_what_is_no_vector_is_refused(bad):
    """A bad vector is an error, as a row's and as a query's, and the old one stays."""
    vectors = Vectors()
    vectors.set(0, vector(1, 0), MODEL)
    for call in (lambda: vectors.set(0, bad, MODEL), lambda: likeness(vectors, [0], bad)):
        with pytest.raises(ValueError, match=r"vector|buffer"):
            call()
    assert list(likeness(vectors, [0], vector(1, 0))) == [1]
