"""What the core's tests need of pytest: nothing but that it does not tidy while they run."""

import gc

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    """Keep the collector of garbage off: a process of these tests is soon over."""
    gc.disable()


def pytest_sessionfinish(session):
    """Nor does pytest look through all that is left, five times, when the last test is over."""
    gc.freeze()
