"""The notebook: written, appended to and cleared under each label by itself."""

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.memory.inner.notebook import (
    MAX_CHARACTERS,
    MAX_IN_ALL,
    NOTEBOOK,
    append_notes,
    clear,
    size_under,
    write_notes,
)

ALICE, BOB = "e-alice", "e-bob"
BLADE = "Craft#1: Iron Blade damage:45"


@pytest.fixture
def notebook():
    """A notebook with an open line, and one for Alice."""
    notebook = NOTEBOOK.empty()
    append_notes(notebook, content=BLADE, at=1.0, readers=OPEN, author=BOB)
    append_notes(notebook, content="Alice wants a bow.", at=2.0, readers=ALICE, author=ALICE)
    return notebook


def texts(notebook):
    return [line["content"] for line in notebook["lines"]]


def test_writing_replaces_one_label(notebook):
    """A write replaces the lines with exactly its label, and no others."""
    write_notes(notebook, content="Craft#2: Steel Longsword\n\nCraft#3: Axe", at=3.0, readers=OPEN)
    assert texts(notebook) == ["Alice wants a bow.", "Craft#2: Steel Longsword", "Craft#3: Axe"]


def test_clearing_takes_one_label(notebook):
    """A clear removes the lines with exactly its label."""
    clear(notebook, readers=ALICE)
    assert texts(notebook) == [BLADE]
    clear(notebook, readers=BOB)
    assert texts(notebook) == [BLADE]


@pytest.mark.parametrize(
    "line",
    ["Craft#1: Iron Blade damage:46", "craft#1: iron blade damage:45", f"{BLADE}.", "Craft#1"],
)
def test_a_line_that_resembles_another_is_kept(notebook, line):
    """One digit more or less is another fact."""
    append_notes(notebook, content=line, at=3.0, readers=OPEN)
    assert texts(notebook)[-1] == line


def test_an_identical_line_stands_once(notebook):
    """Word for word the same under one label is not written twice; under another it is."""
    append_notes(notebook, content=f"{BLADE}\nNew.\nNew.", at=3.0, readers=OPEN)
    assert texts(notebook).count(BLADE) == 1
    assert texts(notebook).count("New.") == 1
    append_notes(notebook, content=BLADE, at=3.0, readers=ALICE)
    assert texts(notebook).count(BLADE) == 2


@pytest.mark.parametrize("step", [write_notes, append_notes])
def test_a_full_notebook_refuses_more(notebook, step):
    """Too long a text changes nothing but the flag that asks for compaction."""
    before = texts(notebook)
    step(notebook, content="x" * (MAX_CHARACTERS + 1), at=3.0, readers=OPEN)
    assert texts(notebook) == before
    assert notebook["needs_compaction"] is True
    write_notes(notebook, content="Shorter.", at=4.0, readers=OPEN)
    assert notebook["needs_compaction"] is False


def test_a_label_fills_up_alone(notebook):
    """What is written for one takes no room from what is written for others."""
    append_notes(notebook, content="y" * (MAX_CHARACTERS - 100), at=3.0, readers=BOB)
    assert size_under(notebook, OPEN) == len(BLADE) + 1
    append_notes(notebook, content="z" * 3900, at=3.0, readers=OPEN)
    assert notebook["needs_compaction"] is False


def test_many_labels_stay_bounded():
    """When everybody has lines of their own, the oldest of the fullest label become rows."""
    notebook, rows = NOTEBOOK.empty(), []
    append_notes(notebook, content=BLADE, at=0.0, readers=OPEN)
    for number in range(600):
        who = f"e-{number % 60}"
        rows += append_notes(notebook, content=f"{number} " + "x" * 99, at=number, readers=who)
    assert sum(map(len, texts(notebook))) <= MAX_IN_ALL
    assert len(rows) + len(notebook["lines"]) == 601
    assert {row.kind for row in rows} == {"note"}
    assert BLADE in texts(notebook)


def test_a_rewrite_keeps_the_authors(notebook):
    """Lines made of somebody's lines are theirs as well."""
    write_notes(notebook, content="Craft#1 is done.", at=3.0, readers=OPEN, author="e-carol")
    assert notebook["lines"][-1]["author"] == "e-bob,e-carol"
