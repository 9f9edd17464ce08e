"""The figures of the benches: what is computed and printed of them."""

import json
import math

import pytest

from bench import report


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)])
def test_percentile_takes_a_value_that_was_measured(share, value):
    """No figure lies between two measurements, and order does not matter."""
    assert report.percentile(list(range(100, 0, -1)), share) == value


def test_percentile_of_nothing_is_no_number():
    """Where nothing was measured, nothing is claimed."""
    assert math.isnan(report.percentile([], 0.99))


def test_spread_counts_in_milliseconds():
    """Seconds go in, rounded milliseconds come out."""
    found = report.spread([0.001, 0.002, 0.3])
    assert found == {"n": 3, "p50_ms": 2.0, "p99_ms": 300.0, "max_ms": 300.0}


def test_spread_of_nothing_stays_json():
    """A stage without replies does not put NaN into the line of JSON."""
    found = report.spread([])
    assert found == {"n": 0, "p50_ms": None, "p99_ms": None, "max_ms": None}


@pytest.mark.parametrize(("figure", "met"), [(150.0, True), (149.9, False), (None, False)])
def test_goal_may_be_the_least_that_is_enough(figure, met):
    """Of what should be much, the limit itself is enough, and less is not."""
    goal = report.Goal("lines spoken a second", figure, 150, least=True)
    assert goal.met is met
    assert str(goal).endswith("goal at least 150")


@pytest.mark.parametrize(("figure", "met"), [(25.0, True), (25.1, False), (None, False)])
def test_goal_is_met_up_to_its_limit(figure, met):
    """The limit itself is good enough; no figure at all is not."""
    goal = report.Goal("lateness", figure, 25, "ms")
    assert goal.met is met
    assert str(goal).startswith("met" if met else "MISSED")


def test_table_lines_up():
    """Every column is as wide as its widest cell, and a missing figure shows as a dash."""
    lines = report.table(["what", "ms"], [["a reply", 12.345], ["none", None]]).splitlines()
    assert lines[0] == "what       ms"
    assert lines[2:] == ["a reply  12.3", "none        -"]


def test_last_line_is_one_json_object(capsys):
    """A program finds all figures, goals and versions in the last line."""
    goals = [report.Goal("overhead", 12.0, 40, "ms")]
    assert report.conclude("a bench", {"ratio": 1.2, "errors_logged": 0}, goals) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["bench"], found["ratio"]) == ("a bench", 1.2)
    assert found["goals"][0] == {"name": "overhead", "figure": 12.0, "limit": 40, "met": True}
    assert {"cores", "evennia", "ai_assistant"} <= found["on"].keys()


@pytest.mark.parametrize(("lost", "errors", "status"), [(0, 0, 0), (1, 0, 1), (0, 2, 1)])
def test_lost_lines_and_errors_fail_a_run(lost, errors, status, capsys):
    """A slow machine only misses a goal; an unanswered address or a logged error is a failure."""
    goals = [report.Goal("slow", 99, 25), report.Goal("lost", lost, 0, must=True)]
    assert report.conclude("a bench", {"errors_logged": errors}, goals) == status
