"""How long statements of ours may wait for a lock, and that Evennia's find everything as it was."""

from contextlib import suppress

import pytest
from django.db import OperationalError, connection

from ai_assistant.core.errors import StoreUnavailable
from ai_assistant.storage.gateway import LONGEST_WAIT, WARY, Gateway

USUAL = 5000


@pytest.fixture
def gateway(db):
    """A gateway of a server, its clock, and a connection that waits for five seconds."""
    now = [0.0]
    gateway = Gateway(lambda: now[0])
    gateway.limit()
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {USUAL}")
    return gateway, now


def waits():
    """How many milliseconds a statement waits now."""
    with connection.cursor() as cursor:
        return cursor.execute("PRAGMA busy_timeout").fetchone()[0]


def test_ours_wait_a_quarter_of_a_second(gateway):
    """Within it, however deep, and no longer."""
    gateway, _ = gateway
    with gateway:
        with gateway:
            assert waits() == LONGEST_WAIT
        assert waits() == LONGEST_WAIT
    assert waits() == USUAL


def test_what_was_refused_is_not_waited_for_again(gateway):
    """For some seconds after a refusal nothing waits; then it may be worth it."""
    gateway, now = gateway
    assert isinstance(gateway.judged(OperationalError("database is locked")), StoreUnavailable)
    with gateway:
        assert waits() == 1
    now[0] += WARY
    with gateway:
        assert waits() == LONGEST_WAIT
    assert waits() == USUAL


def test_an_error_restores_it(gateway):
    """Whatever is raised within."""
    gateway, _ = gateway
    with suppress(ValueError), gateway:
        raise ValueError
    assert waits() == USUAL


def test_a_limit_that_begins_within(db):
    """The server's first statements may be those that begin it: the next ones are short."""
    gateway = Gateway()
    with gateway:
        gateway.limit()
    with gateway:
        assert waits() == LONGEST_WAIT


def test_no_limit_beside_the_server(db):
    """A shell or a management command waits as Evennia does."""
    before = waits()
    with Gateway():
        assert waits() == before
