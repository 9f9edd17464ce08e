"""What a part holds is findable as it stands, and saving it costs only what changed."""

import pytest

from ai_assistant.memory.inner.notebook import NOTEBOOK, append_notes, clear
from ai_assistant.memory.search.recall import Recall
from ai_assistant.memory.search.retrieval import Index


class _Kept:
    """Keeps one notebook."""

    def __init__(self):
        self.notebook = NOTEBOOK.empty()

    def view(self, part, key=""):
        return self.notebook


class _Counting(Index):
    """Counts the rows that are added."""

    added = 0

    def add(self, row):
        self.added += 1
        super().add(row)


@pytest.fixture
def recall():
    recall = Recall(_Kept())
    recall.index = _Counting()
    return recall


def note(recall, *lines):
    append_notes(recall._store.notebook, content="\n".join(lines), at=1.0)
    recall.learn_part("notebook")


def test_only_what_is_new_is_indexed(recall):
    """A save of a part with one more line indexes one line."""
    note(recall, "The mill burned.", "The ford is open.")
    note(recall, "The bridge is down.")
    recall.learn_part("notebook")
    assert (recall.index.added, len(recall)) == (3, 3)


def test_what_left_a_part_is_found_no_more(recall):
    """A cleared notebook leaves nothing behind, and a line that stays keeps its place."""
    note(recall, "The mill burned.", "The ford is open.")
    clear(recall._store.notebook)
    note(recall, "The ford is open.")
    assert len(recall) == 1
    assert [hit.relevance > 0 for hit in recall.index.search("ford", 5, now=2.0)] == [True]


def test_the_same_line_twice_is_one_row(recall):
    """Where a hand-made list repeats itself, nothing is left over when it goes."""
    line = {"content": "Gold!", "readers": "*", "timestamp": "", "author": ""}
    recall._store.notebook["lines"] = [dict(line), dict(line)]
    recall.learn_part("notebook")
    assert len(recall) == 1
    recall._store.notebook["lines"] = []
    recall.learn_part("notebook")
    assert len(recall) == 0
