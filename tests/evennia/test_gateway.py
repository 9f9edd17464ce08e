"""How long statements of ours may wait for a lock, and that Evennia's find everything as it was."""

from contextlib import closing, nullcontext, suppress

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction

from ai_assistant.core.errors import NotMigrated, StoreError, StoreUnavailable
from ai_assistant.storage.gateway import LONGEST_WAIT, WARY, Gateway
from tests.evennia.storehouse import sqlite_only

USUAL = 5000
pytestmark = sqlite_only


@pytest.fixture(autouse=True)
def no_gateway_stays():
    """The connection outlives a test, and whoever looks at its statements with it."""
    before = [*connection.execute_wrappers]
    connection.execute_wrappers.clear()
    yield
    connection.execute_wrappers[:] = before


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


def test_a_database_that_is_restored_is_away_and_not_unmigrated(gateway):
    """What waits is written once it is there again; a table that lacks is another matter."""
    gateway, _ = gateway
    gone = OperationalError('FATAL:  database "mud" does not exist')
    assert isinstance(gateway.judged(gone), StoreUnavailable)
    lacking = ProgrammingError('relation "ai_assistant_event" does not exist')
    assert isinstance(gateway.judged(lacking), NotMigrated)


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


def refuse(execute, sql, *rest):
    """Stand in for a table that somebody else writes to."""
    if "locked" in sql:
        raise OperationalError("database is locked")
    return execute(sql, *rest)


@pytest.mark.parametrize("is_nested", [False, True])
def test_nothing_waits_twice_within(gateway, is_nested):
    """However what was refused within is taken: as our error, or by code that knows of none."""
    gateway, _ = gateway
    inner = gateway if is_nested else nullcontext()
    with connection.execute_wrapper(refuse), gateway:
        with suppress(OperationalError, StoreUnavailable), inner, connection.cursor() as cursor:
            cursor.execute("SELECT 'locked'")
        assert waits() == 1
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


def test_the_end_of_another_transaction_waits_as_ever(gateway):
    """It is no statement, so nothing announces it: ours within it leave it as it was."""
    gateway, _ = gateway
    with transaction.atomic():
        with gateway:
            assert waits() == LONGEST_WAIT
        with closing(connection.connection.cursor()) as cursor:  # past Django, and past us
            assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] == USUAL


@pytest.mark.django_db(transaction=True)
def test_the_connection_is_told_only_where_that_changes():
    """Blocks of ours, one after the other, tell it once."""
    told = []
    gateway = Gateway()
    gateway.limit()
    connection.connection.set_trace_callback(told.append)
    for _ in range(3):
        with gateway, connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    connection.connection.set_trace_callback(None)
    assert [line for line in told if "busy_timeout = " in line] == [
        f"PRAGMA busy_timeout = {LONGEST_WAIT}"
    ]
    assert waits() != LONGEST_WAIT


def test_a_transaction_takes_nothing_back(gateway):
    """SQLite keeps what it was told, so that no statement in a transaction tells it again."""
    gateway, _ = gateway
    told = []
    with suppress(ValueError), gateway, transaction.atomic():
        raise ValueError
    connection.connection.set_trace_callback(told.append)
    with gateway:
        assert [waits(), waits()] == [LONGEST_WAIT] * 2
    with suppress(ValueError), transaction.atomic():
        assert waits() == USUAL
        raise ValueError
    assert waits() == USUAL
    connection.connection.set_trace_callback(None)
    assert [line for line in told if "busy_timeout = " in line] == [
        f"PRAGMA busy_timeout = {LONGEST_WAIT}",
        f"PRAGMA busy_timeout = {USUAL}",
    ]


def test_what_the_database_refuses_is_an_error_of_ours(gateway):
    """Whoever asks within it need not know the database's own."""
    gateway, _ = gateway
    with pytest.raises(StoreError), gateway, connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
