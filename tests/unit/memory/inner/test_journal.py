"""The journal: scored entries, the newest hundred at hand, the older ones as rows."""

from ai_assistant.core.readers import NOBODY
from ai_assistant.memory.inner.journal import JOURNAL, add_journal_entry


def filled(count):
    journal, rows = JOURNAL.empty(), []
    for number in range(count):
        rows += add_journal_entry(
            journal, content=f"day {number}", source_type="observation", at=float(number),
            source_entity="e-alice", tags=["diary"],
        )  # fmt: skip
    return journal, rows


def test_the_newest_hundred_stay():
    """Beyond a hundred the oldest become memory rows, with nothing of them lost."""
    journal, rows = filled(103)
    assert [entry["content"] for entry in journal["entries"]] == [
        f"day {number}" for number in range(3, 103)
    ]
    assert [row.content for row in rows] == ["day 0", "day 1", "day 2"]
    assert rows[1].meta == {
        "entry_id": 2, "tags": ["diary"], "related_projects": [],
        "source_type": "observation", "importance_method": "heuristic",
    }  # fmt: skip
    assert (rows[1].kind, rows[1].subject, rows[1].learned_at) == ("journal", "e-alice", 1.0)
    assert (rows[1].trust, rows[1].importance) == (0.8, 6)


def test_numbers_are_never_used_twice():
    """An entry's number counts on when older entries have left."""
    journal, _ = filled(150)
    assert journal["entry_count"] == journal["entries"][-1]["id"] == 150


def test_thoughts_are_private_unless_said_otherwise():
    """An entry without a label is for the character itself."""
    journal, _ = filled(1)
    assert journal["entries"][0]["readers"] == NOBODY
