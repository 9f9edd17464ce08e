"""How long PostgreSQL may work at a statement of ours; run by `python -m tests.e2e.postgres`."""

import pytest
from django.db import connection

from ai_assistant.core.errors import StoreUnavailable
from ai_assistant.storage.gateway import LONGEST_STATEMENT, LONGEST_WAIT, Gateway

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="another database"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture(autouse=True)
def no_gateway_stays():
    """The connection outlives a test, and whoever looks at its statements with it."""
    yield
    connection.execute_wrappers.clear()


def limits():
    """What a statement may wait for a lock, and take in all, as PostgreSQL puts it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('lock_timeout'), current_setting('statement_timeout')"
        )
        return cursor.fetchone()


def test_ours_are_limited_and_others_as_the_owner_wants():
    """Within the gateway of a server alone."""
    usual = limits()
    gateway = Gateway()
    with gateway:
        assert limits() == usual
    gateway.limit()
    with gateway:
        assert limits() == (f"{LONGEST_WAIT}ms", f"{LONGEST_STATEMENT // 1000}s")
    assert limits() == usual


def test_nothing_is_opened_before_it_is_asked():
    """Who asks nothing waits for no server out of reach; what is opened amid ours is limited."""
    gateway = Gateway()
    gateway.limit()
    for _ in range(2):
        connection.close()
        with gateway:
            assert connection.connection is None
            assert limits() == (f"{LONGEST_WAIT}ms", f"{LONGEST_STATEMENT // 1000}s")
    assert limits() == ("0", "0")


def test_what_takes_too_long_is_refused():
    """As a database is that is away; the connection serves the next statement."""
    gateway = Gateway()
    gateway.limit()
    with pytest.raises(StoreUnavailable), gateway, connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(600)")
    with gateway, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
