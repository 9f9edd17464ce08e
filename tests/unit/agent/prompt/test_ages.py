"""How long ago something was: in words, by the clock that the prompt shows."""

import pytest

from ai_assistant.agent.prompt.measures import ago, on_date, on_day, past
from ai_assistant.core.times import iso
from tests.unit.agent.prompt.prompting import ALICE, changed, on_stage, prompted, rows

HOUR, DAY = 3600.0, 86_400.0
NOON = 100 * DAY + 12 * HOUR


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (0, "just now"),
        (599, "just now"),
        (1800, "a little while ago"),
        (3 * HOUR, "this morning"),
        (9 * HOUR, "earlier today"),
        (16 * HOUR, "yesterday evening"),
        (13 * HOUR, "last night"),
        (24 * HOUR, "yesterday afternoon"),
        (3 * DAY, "three days ago"),
        (14 * DAY, "two weeks ago"),
        (13 * DAY, "13 days ago"),
        (61 * DAY, "two months ago"),
        (800 * DAY, "two years ago"),
    ],
)
def test_the_past_in_words(passed, words):
    """Minutes, parts of the day, then days, weeks, months and years."""
    assert past(NOON - passed, NOON) == words


def test_days_of_a_story():
    """Counted by its own days; the future has no words."""
    assert [on_day(day, 6) for day in (6, 5, 3, 7, 0)] == [
        "today", "yesterday", "three days ago", "", ""
    ]  # fmt: skip


@pytest.mark.parametrize("hour", [1, 11, 13, 23])
def test_a_date_has_no_part_of_the_day(hour):
    """Of news only the day is kept: no hour of now makes a morning of it."""
    stage = on_stage()
    now = stage.clock.now() // DAY * DAY + hour * HOUR
    stage.clock.advance(now + DAY - stage.clock.now())
    stage.world.seconds = stage.clock.now()
    dates = [iso(stage.clock.now() - days * DAY)[:10] for days in (0, 1, 3, 14)]
    turn = prompted(stage)
    words = ["today", "yesterday", "three days ago", "two weeks ago"]
    assert [on_date(turn, date) for date in dates] == words


def test_the_clock_is_the_games():
    """Where time goes twice as fast, twelve hours of ours are a day of it; without one, ours."""
    stage = on_stage()
    stage.world.seconds = NOON
    turn = prompted(stage)
    then = iso(stage.clock.now() - 12 * HOUR)
    assert ago(turn, then) == "earlier today"
    stage.world.pace = lambda: 2.0
    assert ago(turn, then) == "yesterday afternoon"
    turn.surroundings = type(turn.surroundings)("room1", "the inn", time="")
    assert ago(turn, then) in ("earlier today", "this morning", "last night", "yesterday evening",
                               "yesterday afternoon", "yesterday morning")  # fmt: skip
    assert ago(turn, "") == ""


def test_the_last_talk_has_the_date_of_the_games_clock():
    """Beside the time of now it says how long that was, whatever year the game has."""
    stage = on_stage()
    at = stage.clock.now() - HOUR
    changed(stage, "profile", "create_entity_profile", ALICE.id, name="Alice", entity_type="player",
            at=at)  # fmt: skip
    changed(stage, "profile", "count_exchange", ALICE.id, at=at)
    stage.world.seconds = NOON
    assert rows(prompted(stage), "entity")[0]["last"] == "1970-04-11 11:00"
