"""A story's own days and places, as an axis of the search."""

import pytest

from ai_assistant.core.search_port import Scoring, StoryNow
from ai_assistant.core.times import DAY
from ai_assistant.memory.search.retrieval import Index
from tests.unit.rows import a_row

STORY = StoryNow("s1", 6)
SAID = (
    (1, "inn", "Mira hired us to find the crown."),
    (2, "road", "Bandits fell upon us in an ambush."),
    (3, "tavern", "Rolf sang of the crown until dawn."),
    (4, "tavern", "The host told us of a crown in the lair."),
    (5, "Dragon's Lair", "We saw the crown beneath the dragon."),
)
"""All of it was played in one hour of one real day."""


def played(*more):
    index = Index()
    for day, place, text in SAID:
        index.add(a_row(day, text, session="s1", at=10 * DAY + day, game_day=day, location=place))
    for row in more:
        index.add(row)
    return index


def best(query, index=None, k=1, **options):
    found = (index or played()).search(query, k, now=10 * DAY + 60, story=STORY, **options)
    return [hit.id for hit in found]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did we hear of the crown on day 4?", 4),
        ("What of the crown, yesterday?", 5),
        ("What of the crown on the third day?", 3),
        ("Who spoke of the crown three days ago?", 3),
        ("What happened before the ambush?", 1),
        ("What happened to the crown before we came to the tavern?", 1),
        ("What have we seen since the tavern?", 5),
        ("What of the crown since our stay in the tavern?", 5),
        ("What was the day after the ambush?", 3),
        ("What was the night before the tavern?", 2),
        ("What was the day after the dreadful ambush on us?", 3),
        ("Remember the Dragon's Lair? Somebody there spoke of the crown.", 5),
        ("Did anybody speak of the crown in the lair?", 5),
        ("How did it begin, at the very beginning?", 1),
    ],
)
def test_a_question_is_read_against_the_story(question, day):
    """Its days and its places, whatever the calendar says: else all these lines are of one day."""
    assert best(question) == [day]


def test_all_of_a_day_comes_before_anything_else():
    """Also what shares no word with the question."""
    assert best("What of the crown on day 2?", k=2)[0] == 2


def test_ages_are_counted_in_days_of_the_story():
    """What `days_back` leaves out, and what each row tells of its age."""
    two = Scoring(days_back=2)
    assert sorted(best("crown", k=9, scoring=two)) == [4, 5]
    found = played().search("crown", 1, now=10 * DAY + 60, story=STORY, explain=True)
    assert found[0].why["age_days"] == STORY.day - found[0].id


def test_elsewhere_the_calendar_counts():
    """Of rows that are not of the story, age is real; the story's days are none of theirs."""
    home = a_row(9, "The crown is gone.", at=10 * DAY - 5 * DAY, game_day=5)
    index = played(home)
    assert 9 not in best("crown", index, k=9, scoring=Scoring(days_back=2))
    assert best("What of the crown on day 5?", index) == [5]
    no_story = index.search("crown", 9, now=10 * DAY + 60, scoring=Scoring(days_back=2))
    assert {hit.id for hit in no_story} == {1, 2, 3, 4, 5}


def test_what_is_told_later_is_found_by_the_day_it_happened():
    """Hearsay bears both days."""
    late = a_row(9, "A wolf ate the miller.", session="s1", at=10 * DAY + 9, game_day=6,
                 meta={"happened_day": 2})  # fmt: skip
    assert 9 in best("What happened on day 2?", played(late), k=2)


def test_plots_and_cards_are_of_no_day():
    """What is permanent is not what happened when the scene began."""
    plot = a_row(9, "Find the crown.", session="s1", at=10 * DAY, game_day=1,
                 meta={"permanent": True})  # fmt: skip
    assert best("What of the crown on day 1?", played(plot)) == [1]


def test_what_was_said_before_decides_between_equals():
    """Words of earlier lines count a little, and no more than that."""
    index = Index()
    index.add(a_row(1, "The bridge was built by giants.", session="a", at=1.0))
    index.add(a_row(2, "The bridge was built by dwarves.", session="b", at=2.0))
    asked = {"now": 3.0, "around": "I met giants in the hills."}
    assert index.search("Who built the bridge?", 1, **asked)[0].id == 1
    assert index.search("Did dwarves build the bridge?", 1, **asked)[0].id == 2
    assert index.search("Hm.", 1, **asked)[0].relevance == 0
