"""Embeddings on the wire: good answers become float32 bytes, and every bad one is refused."""

import base64
import json

import numpy as np
import pytest

from ai_assistant.core.errors import BadReply
from ai_assistant.llm.embeddings import (
    LONGEST_TEXT,
    cut_to_send,
    parse_vectors,
    vectors_name,
    with_vectors_of,
)
from ai_assistant.llm.model_profiles import Profile


def answer(*vectors, **more):
    data = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return json.dumps({"data": data, **more}).encode()


def packed(*numbers):
    return base64.b64encode(np.array(numbers, "<f4").tobytes()).decode()


def numbers(embedded):
    return [list(np.frombuffer(one, np.float32)) for one in embedded.vectors]


@pytest.mark.parametrize("pair", [([1.0, 2], [3, 4]), (packed(1, 2), packed(3, 4))])
def test_lists_and_base64_are_the_same(pair):
    """Both forms that servers answer in give the same vectors, and the cost is known."""
    found = parse_vectors(answer(*pair, usage={"prompt_tokens": 7, "total_tokens": 7}), count=2)
    assert numbers(found) == [[1, 2], [3, 4]]
    assert (found.usage.total, found.usage.known) == (7, True)


def test_vectors_come_in_the_order_of_the_texts():
    """An answer in another order is put right by its numbers."""
    data = [{"index": 1, "embedding": [3.0, 4]}, {"index": 0, "embedding": [1.0, 2]}]
    found = parse_vectors(json.dumps({"data": data}).encode(), count=2)
    assert numbers(found) == [[1, 2], [3, 4]]
    assert not found.usage.known


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b'{"data": 5}',
        b'{"data": [{}, {}]}',
        b"[" * 100_000,
        answer([1.0, 2.0]),
        answer([1.0], [2.0], [3.0]),
        answer([1.0, 2.0], [1.0]),
        answer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        answer([1.0, float("nan")], [1.0, 2.0]),
        answer([1.0, 1e300], [1.0, 2.0]),
        answer([0.0, 0.0], [1.0, 2.0]),
        answer([], []),
        answer(["1", "2"], [1.0, 2.0]),
        answer([[1.0, 2.0]], [[1.0, 2.0]]),
        answer([True, False], [1.0, 2.0]),
        answer("???", packed(1, 2)),
        answer("AAAA", packed(1, 2)),
        answer(packed(float("inf"), 1), packed(1, 2)),
        answer(None, None),
        json.dumps({"data": [{"index": 0, "embedding": [1.0, 2.0]}] * 2}).encode(),
        json.dumps({"data": [{"index": 5, "embedding": [1.0, 2.0]}] * 2}).encode(),
    ],
)
def test_bad_answers_are_refused(raw):
    """Malformed, missing, too many, not finite, not numbers, another length: none of it is kept."""
    with pytest.raises(BadReply):
        parse_vectors(raw, count=2, size=2)


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": -1}, {"prompt_tokens": True}])
def test_an_odd_cost_is_no_cost(usage):
    """What a server says of its cost is believed only where it can be true."""
    assert not parse_vectors(answer([1.0], usage=usage), count=1).usage.known


def test_names_tell_what_can_be_compared():
    """A model's shortened vectors have a name of their own, and each fits its column."""
    assert vectors_name(Profile("v", "local", model="small")) == "small"
    assert vectors_name(Profile("v", "local", model="small", extra={"dimensions": 256})) == (
        "small@256"
    )
    assert len(vectors_name(Profile("v", "local", model="m" * 200))) == 100


def test_the_profile_of_the_model_before():
    """The same server, with the model and the length that the name of the vectors says."""
    now = Profile("v", "local", model="large", extra={"dimensions": 256, "user": "mud"})
    before = with_vectors_of(now, "small")
    assert (before.model, before.extra) == ("small", {"user": "mud"})
    shorter = with_vectors_of(now, "ns/small@128")
    assert (shorter.model, shorter.extra) == ("ns/small", {"user": "mud", "dimensions": 128})
    assert with_vectors_of(now, "") is None
    assert with_vectors_of(now, "small@0") is None


def test_texts_are_shortened_and_never_empty():
    """Whatever a memory holds, the server gets some text, and not too much of it."""
    assert [cut_to_send(""), cut_to_send("  \n"), cut_to_send(" Hi ")] == ["-", "-", "Hi"]
    assert len(cut_to_send("x" * 99_999)) == LONGEST_TEXT
