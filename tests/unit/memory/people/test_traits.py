"""Traits among memories: what is asked finds them, and they do not hide what is newer."""

from dataclasses import replace

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.memory.people.traits import trait_as_row
from ai_assistant.memory.search.recall import Recall
from ai_assistant.testing import DictStore, run

DAY = 86_400


def said(text):
    """Return a row of something that Alice said."""
    return MemoryRow(content=text, kind="utterance", author="e1", author_name="Alice", readers="*")


def trait(text, type):
    """Return a trait of Alice as recall finds it."""
    item = {"type": type, "value": text, "author": "e1", "readers": "*"}
    return trait_as_row("e1", "Alice", item)


def first(question, *rows):
    """Return what comes first of rows that were learned a day apart."""
    rows = [replace(row, id=day, learned_at=DAY * day) for day, row in enumerate(rows, 1)]
    store = DictStore(PARTS)
    store.memories.update({row.id: row for row in rows})
    recall = Recall(store)
    recall.learn(rows)
    return run(recall.search(question, 5, now=30 * DAY, allow=bool))[0].row.content


def test_a_trait_is_found_by_what_its_type_is_called():
    """The word for its sort, as a model or staff gave it, counts as one of its own."""
    now = trait("Alice is a potion seller now", "work")
    assert first("What does Alice do for work?", said("I cook a lot."), now) == now.content


def test_a_trait_does_not_come_before_what_replaced_it():
    """However many lines a trait was made of, what the night put in its place stands first."""
    now = said("My favourite song is now Over the Moor.")
    older = trait("Alice's favourite song is The Drowned Bell", "preference")
    older = replace(older, meta={**older.meta, "replaced_by": 2})
    assert first("What is Alice's favourite song?", older, now) == now.content


def test_a_trait_comes_before_the_line_that_it_was_made_of():
    """Of two that say the same, what was made of several lines goes first."""
    line = said("I live in Oakvale")
    made = trait("Alice lives in Oakvale", "home")
    assert first("Where does Alice live?", made, line) == made.content
