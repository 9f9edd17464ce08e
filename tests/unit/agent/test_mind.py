"""The mind between two turns: its index and what it estimates."""

from ai_assistant.contracts import MemoryRow
from ai_assistant.testing import Stage


def test_rows_that_are_learned_are_found():
    """A stored row answers the question for its words, with its label and its kind."""
    mind = Stage().mind
    mind.learn([MemoryRow("The dragon sleeps.", id=7, readers="e-bob", meta={"event": "e1"})])
    assert [hit.id for hit in mind.index.search("dragon", 5, now=0.0)] == [7]
    assert mind.index.search("dragon", 5, now=0.0, allow=lambda label: label != "e-bob") == []
    assert mind.index.search("dragon", 5, now=0.0, where={"kind": "utterance", "event": "e1"})
    assert mind.index.search("dragon", 5, now=0.0, where={"kind": "journal"}) == []


def test_the_estimate_stays_sane():
    """No answer of a provider makes the estimate of tokens absurd."""
    mind = Stage().mind
    for characters, tokens in ((0, 5), (5, 0), (1, 10**9), (10**9, 1)) * 50:
        mind.calibrate(characters, tokens)
        assert 0.1 <= mind.tokens_per_char <= 1.0
