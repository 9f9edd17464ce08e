"""A connection that is lost while a transaction ends: it is written once, whatever was told."""

import pytest
from django.db import OperationalError, connection, transaction
from evennia.utils import create

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import lifecycle
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import StoreUnavailable
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from ai_assistant.storage.server_lease import Fence, LeaseRow
from ai_assistant.storage.store import AttributeStore


class LostAtTheEnd:
    """Lets the first transaction that passes the fence be written, and nobody be told."""

    def __init__(self):
        self.left = 1

    def __call__(self, execute, sql, params, many, context):
        if self.left and "SET recent" in sql:
            self.left -= 1
            transaction.on_commit(self.lose)
        return execute(sql, params, many, context)

    def lose(self):
        raise OperationalError("server closed the connection unexpectedly")


@pytest.fixture
def store():
    """An assistant's store behind the fence of a server that is in charge."""
    room = create.create_object("evennia.objects.objects.DefaultRoom", key="Inn", nohome=True)
    marrek = lifecycle.create_assistant("Marrek", location=room)
    LeaseRow().take(LeaseRow().read(), "us", 1e12)
    key = entity_id(marrek)
    script = marrek.assistant_script
    return AttributeStore(marrek, script, key, PARTS, fence=Fence(LeaseRow().read().epoch))


@pytest.mark.django_db(transaction=True)
def test_what_was_written_unheard_is_not_written_twice(store):
    """The same commit, put together anew, is known by its id; its rows are there once."""
    changes = [Change("counters", "", "count", {"name": "ticks"})]
    commit = Commit(1.0, "t1", changes=changes, rows=[MemoryRow("It rains.")])
    with connection.execute_wrapper(LostAtTheEnd()), pytest.raises(StoreUnavailable):
        store.commit(commit)
    again = Commit(1.0, "t1", changes=changes, rows=[MemoryRow("It rains.")], id=commit.id)
    rows = store.commit(again)
    assert [row.content for row in rows] == ["It rains."]
    assert Memory.objects.count() == 1
    assert store.read("counters")["ticks"] == 1
    store.commit(Commit(2.0, "t2", changes=changes, rows=[MemoryRow("It pours.")]))
    assert Memory.objects.count() == 2
    assert store.read("counters")["ticks"] == 2


@pytest.mark.django_db(transaction=True)
def test_what_was_not_written_is_written(store):
    """A refusal before the end is no doubt: the second try writes it."""

    def refuse(execute, sql, params, many, context):
        if "SET recent" in sql:
            raise OperationalError("the connection is lost")
        return execute(sql, params, many, context)

    commit = Commit(1.0, "t1", rows=[MemoryRow("It rains.")])
    with connection.execute_wrapper(refuse), pytest.raises(StoreUnavailable):
        store.commit(commit)
    store.commit(commit)
    assert Memory.objects.count() == 1
