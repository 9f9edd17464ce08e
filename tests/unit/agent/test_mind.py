"""The mind between two turns: what it saves can be found, and what it estimates stays sane."""

from ai_assistant.contracts import Change, Commit, MemoryRow
from ai_assistant.memory import PARTS
from ai_assistant.memory.recall import Recall
from ai_assistant.testing import DictStore, Stage
from ai_assistant.testing.model import run


def found(mind, query, allow=lambda label: True, **options):
    hits = run(mind.recall.search(query, 5, now=0.0, allow=allow, **options))
    return [one.row.content for one in hits]


def test_what_is_saved_is_found():
    """A stored row answers the question for its words, with its label and its kind."""
    mind = Stage().mind
    text = "The dragon sleeps."
    mind.save(Commit(at=0.0, rows=[MemoryRow(text, readers="e-bob", meta={"event": "e1"})]))
    assert found(mind, "dragon") == [text]
    assert found(mind, "dragon", allow=lambda label: label != "e-bob") == []
    assert found(mind, "dragon", where={"kind": "utterance", "event": "e1"}) == [text]
    assert found(mind, "dragon", where={"kind": "journal"}) == []


def journal_entry(content):
    entry = {"content": content, "source_type": "observation", "at": 0.0, "readers": "*"}
    return Change("journal", "", "add_journal_entry", entry)


def test_the_journal_is_found_before_and_after_it_moved_to_rows():
    """An entry is found once, whether it stands in the journal or became a row."""
    mind = Stage().mind
    mind.save(Commit(at=0.0, changes=[journal_entry("The dragon woke.")]))
    assert found(mind, "dragon") == ["The dragon woke."]
    for number in range(120):
        mind.save(Commit(at=0.0, changes=[journal_entry(f"Day {number}: rain.")]))
    assert found(mind, "dragon", where={"kind": "journal"})[:1] == ["The dragon woke."]
    assert len(mind.recall) == 121


def test_what_is_learned_during_a_search_waits_for_its_end():
    """An index is never changed while another thread reads it."""

    async def thread(call):
        recall.learn([MemoryRow("A dragon!", id=6000)])
        assert len(recall) == 5000
        return call()

    recall = Recall(DictStore(PARTS), thread)
    recall.learn([MemoryRow(f"Sheep {number}", id=number + 1) for number in range(5000)])
    run(recall.search("sheep", 5, now=0.0, allow=bool))
    assert len(recall) == 5001


def test_the_estimate_stays_sane():
    """No answer of a provider makes the estimate of tokens absurd."""
    mind = Stage().mind
    for characters, tokens in ((0, 5), (5, 0), (1, 10**9), (10**9, 1)) * 50:
        mind.calibrate(characters, tokens)
        assert 0.1 <= mind.tokens_per_char <= 1.0
