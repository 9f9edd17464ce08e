"""What was replaced ranks after what replaced it, by the marks that the night left."""

import pytest

from ai_assistant.core.times import DAY
from ai_assistant.memory.search.retrieval import Index
from tests.unit.rows import a_row

OLD, NEW = "I hate onions, onions are the worst.", "These days they go into every soup of mine."


def index_of(*rows):
    """Return an index of rows (text, options), a day apart and numbered from 1."""
    index = Index()
    for number, (text, options) in enumerate(rows, 1):
        index.add(
            a_row(number, text, speaker="Ann", session=f"s{number}", at=number * DAY, **options)
        )
    return index


def asked(index, query="Does Ann like onions?", **options):
    return [hit for hit in index.search(query, 5, now=9 * DAY, **options) if hit.relevance]


@pytest.mark.parametrize("mark", [2, [2], (77, 2)])
def test_what_replaced_a_row_comes_before_it_and_is_found_by_its_words(mark):
    """Whoever asks in the words of what was so learns what is so."""
    hits = asked(index_of((OLD, {"meta": {"replaced_by": mark}}), (NEW, {})), explain=True)
    assert [hit.id for hit in hits] == [2, 1]
    assert hits[1].why["replaced_by"] == 2


@pytest.mark.parametrize("meta", [{}, {"replaced_by": 0}, {"replaced_by": None}])
def test_without_a_mark_words_alone_decide(meta):
    """Nothing is guessed: what is not marked, or not any more, keeps its place."""
    assert next(hit.id for hit in asked(index_of((OLD, {"meta": meta}), (NEW, {})))) == 1


@pytest.mark.parametrize("mark", [True, "t3@e1", 404])
def test_a_mark_that_names_no_row_only_lowers(mark):
    """What replaced it may stand in a profile, or be forgotten: it comes last, and stays."""
    rows = (OLD, {"meta": {"replaced_by": mark}}), ("Ann has onions and many cares and needs.", {})
    assert [hit.id for hit in asked(index_of(*rows))] == [2, 1]


def test_of_a_chain_the_last_holds():
    """What was replaced twice leads to what holds now."""
    rows = (
        (OLD, {"meta": {"replaced_by": 2}}),
        (NEW, {"meta": {"replaced_by": 3}}),
        ("I no longer cook.", {}),
    )
    assert next(hit.id for hit in asked(index_of(*rows))) == 3


def test_who_asks_of_a_past_day_learns_what_was_so_then():
    """A question that names a day before today sees no marks."""
    index = index_of((OLD, {"meta": {"replaced_by": 2}}), (NEW, {}))
    query = "Did Ann like onions on 2 January 1970?"
    assert asked(index, query)[0].id == 1
    assert asked(index, "Does Ann like onions today?")[0].id == 2


def test_a_narrow_row_replaces_a_wide_one_only_for_who_may_use_it():
    """The narrower row carries the mark: for everybody else the wider one holds as before."""
    wide, narrow = (OLD, {}), (NEW, {"meta": {"replaces": [1]}, "readers": "e-bob"})
    index, alone = index_of(wide, narrow), index_of(wide)
    assert [hit.id for hit in asked(index)] == [2, 1]
    assert asked(index, allow=lambda label: label == "*") == asked(alone)


def test_what_a_forgotten_row_replaced_holds_again():
    """Where the newer row is gone, its mark is gone with it."""
    index = index_of((OLD, {}), (NEW, {"meta": {"replaces": [1]}}))
    before = asked(index_of((OLD, {})))
    index.remove(2)
    assert asked(index) == before


def test_a_mark_that_was_taken_back_counts_no_more():
    """A row that is learned again without its mark leaves the older one where it was."""
    index = index_of((OLD, {}), (NEW, {"meta": {"replaces": [1]}}))
    index.add(a_row(2, NEW, speaker="Ann", session="s2", at=2 * DAY))
    assert asked(index) == asked(index_of((OLD, {}), (NEW, {})))


def test_what_was_said_again_before_is_replaced_with_it():
    """No night cites what it knew already; what is said once more afterwards holds again."""
    rows = (OLD, {"meta": {"replaced_by": 3}}), (OLD, {}), (NEW, {})
    assert asked(index_of(*rows))[0].id == 3
    assert asked(index_of(*rows, (OLD, {})))[0].id == 4
