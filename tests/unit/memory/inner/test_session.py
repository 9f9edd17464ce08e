"""Session memory: facts and patterns under their labels, compaction, completed tasks."""

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import epoch
from ai_assistant.memory.inner.session import (
    MAX_CHARACTERS,
    MAX_CONTENT,
    MAX_IN_ALL,
    MAX_ITEMS,
    SESSION,
    add_completed_task,
    add_session_memory,
    compact_session_memory,
    counts,
    usable_lists,
)
from ai_assistant.memory.labelled import SEVERAL

ALICE, BOB = "e-alice", "e-bob"


@pytest.fixture
def memory():
    """A session memory in which one open fact, one of Alice's and one open pattern stand."""
    memory = SESSION.empty()
    add(memory, "The mill is closed.")
    add(memory, "Alice hides a map.", readers=ALICE)
    add(memory, "Players ask before they explore.", "pattern")
    return memory


def add(memory, content, memory_type="fact", *, readers=OPEN, author=ALICE):
    return add_session_memory(
        memory, memory_type=memory_type, content=content, at=60.0, readers=readers, author=author
    )


def compact(memory, facts=(), patterns=(), *, readers=OPEN, author=ALICE):
    return compact_session_memory(
        memory, new_facts=facts, new_patterns=patterns, at=90.0, readers=readers, author=author
    )


def texts(memory, name="key_facts"):
    return [one["content"] for one in memory[name]]


def may_read(*labels):
    return lambda readers, author: readers in labels


def test_the_shape_is_the_seed_s(memory):
    """The lists, with who may read it, when and from whom beside each content."""
    assert SESSION.attribute == "session_memory"
    assert memory["key_facts"][0] == {
        "content": "The mill is closed.",
        "readers": OPEN,
        "timestamp": "1970-01-01T00:01:00Z",
        "author": ALICE,
    }
    assert texts(memory, "learned_patterns") == ["Players ask before they explore."]
    assert (memory["completed_tasks"], memory["last_compacted"]) == ([], "")


def test_an_exact_repeat_is_not_added(memory):
    """The same words for the same readers stand once; for other readers they are another fact."""
    add(memory, "The mill is closed.")
    assert len(memory["key_facts"]) == 2
    add(memory, "The mill is closed.", readers=BOB)
    add(memory, "The mill is  closed.")
    assert len(memory["key_facts"]) == 4


def test_a_full_label_refuses_more():
    """A write over the limit changes nothing, and asks for compaction."""
    memory = SESSION.empty()
    for number in range(MAX_ITEMS + 1):
        add(memory, f"Fact {number}.")
    assert len(memory["key_facts"]) == MAX_ITEMS
    assert memory["needs_compaction"] is True


def test_long_facts_fill_a_label_sooner():
    """Characters are counted as well as items."""
    memory = SESSION.empty()
    for number in range(MAX_ITEMS):
        add(memory, f"{number:<{MAX_CONTENT - 1}}.")
    assert sum(map(len, texts(memory))) <= MAX_CHARACTERS
    assert memory["needs_compaction"]


def test_whispers_take_no_room_from_others():
    """However much one person whispers, what is said openly still finds its place."""
    memory = SESSION.empty()
    for number in range(2 * MAX_ITEMS):
        add(memory, f"Secret {number}.", readers=BOB)
    add(memory, "The mill is closed.")
    assert texts(memory)[-1] == "The mill is closed."


def test_many_labels_stay_bounded():
    """When everybody has secrets, the oldest of whoever has most become rows, under their label."""
    memory, rows = SESSION.empty(), []
    for number in range(1000):
        who = f"e-{number % 100}"
        rows += add(memory, f"{number} " + "x" * 200, readers=who, author=who)
    assert sum(map(len, texts(memory))) <= MAX_IN_ALL
    assert len(rows) + len(memory["key_facts"]) == 1000
    assert all((row.readers, row.kind) == (row.author, "session_fact") for row in rows)


def test_compaction_replaces_only_its_own_label(memory):
    """What others may read, or fewer, is not touched by compacting what is open."""
    compact(memory, ["The mill and the inn are closed."])
    assert texts(memory) == ["Alice hides a map.", "The mill and the inn are closed."]
    assert texts(memory, "learned_patterns") == []
    assert epoch(memory["last_compacted"]) == 90.0
    compact(memory, ["Alice has a map."], readers=ALICE)
    assert texts(memory) == ["The mill and the inn are closed.", "Alice has a map."]


def test_compaction_destroys_no_evidence(memory):
    """What a summary replaces can still be recalled, by those who could read it before."""
    rows = compact(memory, ["The mill is closed."])
    assert [(row.kind, row.content, row.readers) for row in rows] == [
        ("session_pattern", "Players ask before they explore.", OPEN)
    ]


def test_compaction_keeps_completed_tasks(memory):
    """What was achieved is not up for summary."""
    add_completed_task(memory, content="Built a tavern.", at=70.0, readers=OPEN)
    compact(memory)
    assert texts(memory, "completed_tasks") == ["Built a tavern."]


def test_compaction_makes_room_again():
    """A compacted label takes new facts, and the flag goes down."""
    memory = SESSION.empty()
    for number in range(MAX_ITEMS + 1):
        add(memory, f"Fact {number}.")
    compact(memory, ["Forty facts."])
    add(memory, "One more.")
    assert texts(memory) == ["Forty facts.", "One more."]
    assert memory["needs_compaction"] is False


def test_compaction_does_not_launder_authors(memory):
    """What was made of several people's words is by all of them, and permits what each may."""
    add(memory, "Bob sells boats.", author=BOB)
    compact(memory, ["Bob sells boats at the closed mill."], author="e-carol")
    assert memory["key_facts"][-1]["author"] == "e-alice,e-bob,e-carol"
    for number in range(9):
        add(memory, f"Fact {number}.", author=f"e-{number}")
    compact(memory, ["All of it."])
    assert memory["key_facts"][-1]["author"] == SEVERAL


def test_only_what_may_be_read_is_seen(memory):
    """Counts and lists are those of the one who asks."""
    assert counts(memory, may_read(OPEN)) == {"facts": 1, "patterns": 1}
    assert counts(memory, may_read(OPEN, ALICE)) == {"facts": 2, "patterns": 1}
    assert texts(usable_lists(memory, may_read(ALICE))) == ["Alice hides a map."]


def test_the_oldest_tasks_become_rows():
    """Beyond fifty completed tasks the oldest are remembered as rows, with their label."""
    memory, rows = SESSION.empty(), []
    for number in range(52):
        rows += add_completed_task(memory, content=f"Task {number}.", at=number, readers=BOB)
    assert [(row.content, row.readers, row.kind) for row in rows] == [
        ("Task 0.", BOB, "completed_task"),
        ("Task 1.", BOB, "completed_task"),
    ]


def test_items_without_an_author_are_read():
    """A state saved before items had authors still counts, compacts and spills."""
    memory = SESSION.empty()
    memory["key_facts"] = [{"content": "Old.", "readers": OPEN}]
    assert counts(memory, lambda readers, author: author == "") == {"facts": 1, "patterns": 0}
    compact(memory, ["New."], author="")
    assert memory["key_facts"][0]["author"] == ""
