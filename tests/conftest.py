"""Fixtures for every test; imports nothing of Django, so that the core's tests stay free of it."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root():
    """The repository's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def python():
    """The interpreter that runs the tests, for tests that start a process."""
    return sys.executable
