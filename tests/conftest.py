"""Fixtures for every test; imports nothing of Django, so that the core's tests stay free of it."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
_ALWAYS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("steady", _ALWAYS, max_examples=10, derandomize=True)
settings.register_profile(
    "random",
    _ALWAYS,
    max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "2000")),
    derandomize=False,
    print_blob=True,
)
settings.load_profile("steady")
"""The same examples at every run; `--hypothesis-profile=random` looks for others (see bench)."""


def pytest_collection(session):
    """While thousands of tests are collected nothing is garbage, and looking for it takes long."""
    gc.disable()


def pytest_collection_finish(session):
    """Take the collected tests from the collector of garbage, which walks them all."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def root():
    """The repository's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def python():
    """The interpreter that runs the tests, for tests that start a process."""
    return sys.executable


@pytest.fixture
def speaking():
    """What makes the game speak another language, for one test."""
    from ai_assistant.language import DEFAULT, use

    yield use
    use(DEFAULT)
