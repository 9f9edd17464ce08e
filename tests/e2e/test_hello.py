"""The way of a hello that docs/architecture.md tells is the way that one takes in a real Server."""

import json
import subprocess
import sys

import pytest

from bench.house.hello import NEVER_OVER
from bench.house.source import PACKAGE
from tests.house.test_architecture import PAGE, STATION


@pytest.fixture(scope="module")
def ran():
    """Return what one hello ran through, as ``path:line name``, in the order of first calls."""
    command = [sys.executable, "-m", "bench.house.hello"]
    done = subprocess.run(
        command, cwd=PACKAGE.parent, stdout=subprocess.PIPE, text=True, check=True, timeout=900
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert not told["errors_logged"]
    return [*told["before"], *told["after"]]


def test_each_station_is_passed_in_its_turn(ran):
    """A station that a change bypasses, or moves, is one that the page must not tell of there."""
    found = [(place.partition(":")[0], place.partition(" ")[2]) for place in ran]
    stations = [
        (f"{PACKAGE.name}/{file}", name) for file, name in STATION.findall(PAGE.read_text())
    ]
    assert [place for place in found if place in stations] == stations


def test_it_runs_through_no_more_than_a_reader_can_follow(ran):
    assert len(ran) <= NEVER_OVER
