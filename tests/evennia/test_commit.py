"""The commit: all or nothing on disk and in memory, whatever fails and whoever writes beside it."""

from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultObject
from evennia.typeclasses.attributes import Attribute
from evennia.utils import create

from ai_assistant.core.contracts import AuditRecord, MemoryRow
from ai_assistant.core.errors import StoreError
from ai_assistant.models import AssistantEvent, Memory
from tests.evennia.storehouse import (
    a_commit,
    a_note,
    a_put,
    an_event,
    build_store,
    forget_caches,
)


@pytest.fixture
def shop(db):
    """A store with the character and the script under it."""
    forget_caches()
    return build_store()


@pytest.fixture
def real_shop(transactional_db):
    """The same on a database whose transactions are real ones."""
    forget_caches()
    yield build_store()
    forget_caches()


def a_turn():
    """Return what a typical turn writes: three parts (one of them new), rows, audit, an end."""
    return a_commit(
        a_put("answer"),
        a_note("e8", "met"),
        ("tally", "", "count", {"by": 1}),
        rows=[MemoryRow(content="heard"), MemoryRow(content="said")],
        audit=[AuditRecord("turn", {"steps": 1})],
        closed=["ev1"],
    )


def picture(store):
    """Return all that the store shows, and what the tables hold."""
    return (
        store.read("shelf"),
        store.read("box", "e8"),
        store.read("tally"),
        list(store.keys("box")),
        store.rows.newest(9),
        [waiting.event.id for waiting in store.triggers.waiting()],
        list(AssistantEvent.objects.values_list("seq", "type")),
        Memory.objects.count(),
    )


def prepared(assistant):
    """Return a store, its character and script, and its picture, before a turn that will fail."""
    store, character, script = build_store(assistant)
    store.commit(a_commit(a_put("before"), audit=[AuditRecord("turn", {})]))
    store.triggers.add(an_event("ev1"))
    return store, character, script, picture(store)


@contextmanager
def fault(number, broken):
    """Within, the statement of that number is replaced by `broken(execute, sql, params, many)`."""
    seen = []

    def wrapper(execute, sql, params, many, context):
        seen.append(sql)
        if len(seen) == number:
            return broken(execute, sql, params, many, context)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield seen


def refuse(*_):
    """Fail as a database does that is locked or full."""
    raise OperationalError("disk I/O error")


def spoil_the_end(execute, sql, params, many, context):
    """Slip in a row for which the database will refuse to COMMIT, before the statement."""
    through = DefaultObject.db_attributes.through._meta.db_table
    spoiler = f"INSERT INTO {through} (objectdb_id, attribute_id) VALUES (987654, 987654)"
    execute(spoiler, [()] if many else (), many, context)
    return execute(sql, params, many, context)


class TestOthersWrite:
    def test_staff_changes_survive_a_turn(self, shop):
        """What staff add while the model thinks is still there after the commit."""
        store, character, _ = shop
        store.commit(a_commit(a_put("before")))
        store.read("shelf")
        character.db.shelf["texts"].append("by staff")
        store.commit(a_commit(a_put("answer")))
        assert character.db.shelf["texts"] == ["before", "by staff", "answer"]

    def test_staff_replacing_all_survives(self, shop):
        """A part that staff set anew is what the change is applied to."""
        store, character, _ = shop
        store.commit(a_commit(a_put("before")))
        character.db.shelf = {"texts": ["reset"], "label": "mine"}
        store.commit(a_commit(a_put("answer")))
        assert store.read("shelf") == {"texts": ["reset", "answer"], "label": "mine"}

    def test_staff_write_after_a_commit(self, shop):
        """What staff change in place later does not undo the commit."""
        store, character, _ = shop
        store.commit(a_commit(a_put("answer")))
        character.db.shelf["texts"].append("by staff")
        forget_caches()
        kept = ObjectDB.objects.get(pk=character.pk).db.shelf["texts"]
        assert kept == ["answer", "by staff"]

    def test_disk_counts_not_a_rolled_back_memory(self, real_shop):
        """A value of somebody's failed transaction, still in Evennia's memory, is not saved."""
        store, character, _ = real_shop
        store.commit(a_commit(a_put("before")))
        with transaction.atomic():
            character.db.shelf = {"texts": ["never happened"]}
            transaction.set_rollback(True)
        store.commit(a_commit(a_put("answer")))
        assert character.db.shelf["texts"] == ["before", "answer"]

    def test_disk_counts_where_another_wrote_there(self, shop):
        """What another process wrote since our last commit is built upon."""
        store, character, _ = shop
        store.commit(a_commit(a_put("ours")))
        kept = character.attributes.get("shelf", return_obj=True)
        theirs = {**kept.db_value, "texts": ["theirs"]}
        Attribute.objects.filter(pk=kept.pk).update(db_value=theirs)
        assert store.read("shelf")["texts"] == ["ours"]
        store.commit(a_commit(a_put("more")))
        assert store.read("shelf")["texts"] == ["theirs", "more"]


class TestCost:
    def test_one_part_is_written_once(self, shop):
        """Ten changes of one part are one UPDATE, and no other part is touched."""
        store, _, _ = shop
        store.commit(a_commit(a_put("x"), ("tally", "", "count", {"by": 1})))
        changes = [a_put(str(number)) for number in range(10)]
        with CaptureQueriesContext(connection) as seen:
            store.commit(a_commit(*changes))
        assert sum("UPDATE" in query["sql"] for query in seen.captured_queries) == 1

    def test_cost_does_not_grow(self, shop):
        """After hundreds of profiles, rows and records a turn takes as many statements."""
        store, _, _ = shop
        store.commit(a_turn())
        with CaptureQueriesContext(connection) as first:
            store.commit(a_turn())
        store.commit(
            a_commit(
                *[a_note(f"e{number}", "x") for number in range(100, 300)],
                rows=[MemoryRow(content="row")] * 500,
                audit=[AuditRecord("turn", {})] * 500,
            )
        )
        with CaptureQueriesContext(connection) as later:
            store.commit(a_turn())
        assert len(later) == len(first) < 25


class TestFaults:
    @pytest.mark.parametrize("broken", [refuse, spoil_the_end])
    def test_any_failure_changes_nothing(self, real_shop, broken):
        """Whichever statement fails, or the COMMIT after it: disk and memory are as before."""
        store, _, _, _ = prepared("e1")
        with fault(0, broken) as statements:
            store.commit(a_turn())
        assert len(statements) > 10
        for number in range(1, len(statements) + 1):
            self.fail_and_try_again(number, broken)

    def fail_and_try_again(self, number, broken):
        store, character, script, before = prepared(f"f{number}")
        with fault(number, broken), pytest.raises(StoreError):
            store.commit(a_turn())
        assert picture(store) == before
        assert character.db.shelf["texts"] == ["before"]
        assert script.db.tally is None
        stranger = create.create_object(DefaultObject, key="stranger", nohome=True)
        stranger.db.shelf = "not yours"
        stranger.attributes.add("e8", "not yours", category="boxes")
        store.commit(a_turn())
        forget_caches()
        self.check_disk(character.pk, store.id)
        stranger = ObjectDB.objects.get(pk=stranger.pk)
        assert stranger.db.shelf == "not yours"
        assert stranger.attributes.get("e8", category="boxes") == "not yours"

    def check_disk(self, pk, assistant):
        """The turn that failed and was tried again is there exactly once."""
        character = ObjectDB.objects.get(pk=pk)
        assert character.db.shelf["texts"] == ["before", "answer"]
        assert character.attributes.get("e8", category="boxes") == {"facts": ["met"]}
        log = AssistantEvent.objects.filter(assistant=assistant).order_by("seq")
        told = [(1, "turn"), (2, "StateChanged"), (3, "turn"), (4, "StateChanged")]
        assert list(log.values_list("seq", "type")) == told
        assert Memory.objects.filter(container=assistant).count() == 2

    def test_vanished_attribute_heals(self, shop):
        """An Attribute deleted under Evennia's feet costs one commit, not all that follow."""
        store, character, _ = shop
        store.commit(a_commit(a_put("before")))
        held = character.attributes.get("shelf", return_obj=True)
        character.db_attributes.through.objects.filter(attribute_id=held.pk).delete()
        with pytest.raises(StoreError, match="vanished"):
            store.commit(a_commit(a_put("lost")))
        store.commit(a_commit(a_put("anew")))
        assert store.read("shelf")["texts"] == ["anew"]
        assert Attribute.objects.get(pk=held.pk).value["texts"] == ["before"]

    def test_rollback_around_a_commit_heals(self, real_shop):
        """In a transaction that somebody rolls back nothing is kept: the disk decides."""
        store, character, _ = real_shop
        store.commit(a_commit(a_put("before")))
        with transaction.atomic():
            store.commit(a_commit(a_put("never"), rows=[MemoryRow(content="never")]))
            transaction.set_rollback(True)
        store.commit(a_commit(a_put("after")))
        assert character.db.shelf["texts"] == ["before", "after"]
        assert store.rows.newest(9) == []

    def test_unwritable_text_is_refused(self, shop):
        """Text that no database can encode is a refusal like any other."""
        store, _, _ = shop
        with pytest.raises(StoreError):
            store.commit(a_commit(a_put("x"), rows=[MemoryRow(content="\ud800")]))
        assert store.read("shelf")["texts"] == []
