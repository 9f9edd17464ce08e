"""What a container begins with never grows old, and is found however far back one looks."""

import pytest

from ai_assistant.core.search_port import Scoring
from ai_assistant.memory.search.retrieval import Index
from tests.unit.rows import a_row

DAY = 86_400.0
NOW = 1000 * DAY


@pytest.fixture
def index():
    """Two rows with the same words from long ago, one of them permanent."""
    made = Index()
    made.add(a_row(1, "The sword is sacred.", session="s1", at=DAY))
    made.add(a_row(2, "The sword is holy.", session="s2", at=DAY, meta={"permanent": True}))
    return made


def test_permanent_rows_are_found_however_few_days_are_asked_for(index):
    """`days_back` leaves out what is old, and not what is permanent."""
    asked = Scoring(days_back=2)
    hits = index.search("sword", 5, now=NOW, scoring=asked)
    assert [hit.id for hit in hits] == [2]


@pytest.mark.parametrize("mode", ["product", "additive"])
def test_permanent_rows_do_not_decay(index, mode):
    """Of two rows of the same age, the permanent one counts as new."""
    hits = index.search("sword", 5, now=NOW, scoring=Scoring(mode=mode), explain=True)
    assert {hit.id: hit.why["age_days"] for hit in hits} == {1: 999.0, 2: 0.0}
    assert hits[0].id == 2
