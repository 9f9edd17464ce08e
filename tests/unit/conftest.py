"""What the core's tests share: a scene that many begin with, and that pytest does not tidy."""

import gc

import pytest

from ai_assistant.testing import Stage, people


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain; a file with another scene has its own."""
    stage = Stage()
    stage.world.enter(*people("Alice", "Bob"))
    return stage


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    """Keep the collector of garbage off: a process of these tests is soon over."""
    gc.disable()


def pytest_sessionfinish(session):
    """Nor does pytest look through all that is left, five times, when the last test is over."""
    gc.freeze()
