"""How much an entry matters, by where it comes from and what it says."""

import pytest

from ai_assistant.memory.importance import SOURCE_TYPES, score_importance_heuristic
from ai_assistant.memory.inner.journal import JOURNAL, add_journal_entry


@pytest.mark.parametrize(
    ("content", "source_type", "importance"),
    [
        ("We talked.", "direct", 7),
        ("We talked.", "observation", 6),
        ("We talked.", "inference", 5),
        ("We talked.", "environmental", 4),
        ("The miller was murdered.", "direct", 10),
        ("She swore an oath.", "inference", 7),
        ("He gave me a gift.", "inference", 6),
        ("The weather is fine.", "environmental", 3),
        ("It rained when he was killed.", "inference", 8),
    ],
)
def test_source_and_words_decide(content, source_type, importance):
    """What was lived weighs more than what was around, and a death more than the weather."""
    assert score_importance_heuristic(content, source_type) == importance


@pytest.mark.parametrize("source_type", SOURCE_TYPES)
def test_it_stays_between_one_and_ten(source_type):
    """However much is said at once."""
    assert 1 <= score_importance_heuristic("kill love gold " * 50, source_type) <= 10


def test_tags_count_and_come_by_themselves():
    """A tag counts as a word, and some words are worth a tag."""
    assert score_importance_heuristic("It is done.", "inference", ["murder"]) == 8
    journal = JOURNAL.empty()
    for content in ("She promised to help, and promised again.", "We sat."):
        add_journal_entry(journal, content=content, source_type="direct", at=0.0, tags=["talk"])
    tags = [entry["tags"] for entry in journal["entries"]]
    assert tags == [["talk", "promise", "quest"], ["talk"]]
