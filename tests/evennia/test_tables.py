"""The tables beside the container: triggers on disk, the day's spending, blocks, and the admin."""

import pytest
from django.contrib import admin
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import path

from ai_assistant.core.errors import BlockRefused, StoreError, StoreUnavailable
from ai_assistant.storage import Block, RowBook, read_block, write_block
from ai_assistant.storage.statements import refusals
from tests.evennia.storehouse import a_commit, an_event, build_store, forget_caches

MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK")
"""What marks transactions, and is no statement."""
urlpatterns = [path("admin/", admin.site.urls)]


@pytest.fixture
def shop(db):
    """A store with the character and the script under it."""
    forget_caches()
    return build_store()


class TestPending:
    @pytest.mark.parametrize(
        ("call", "allowed"),
        [
            (lambda store: store.triggers.begin("t2", ["ev1"]), 1),
            (lambda store: store.triggers.give_back("t1"), 1),
            (lambda store: store.triggers.claim("t1", {"id": "c1"}), 2),
            (lambda store: store.triggers.settle("t1", "c1", {"ok": True}), 2),
        ],
    )
    def test_cost_is_bounded(self, shop, call, allowed):
        """Two hundred waiting events make no step longer."""
        store, _, _ = shop
        for number in range(200):
            store.triggers.add(an_event(f"ev{number}"))
        store.triggers.begin("t1", [f"ev{number}" for number in range(200)])
        with CaptureQueriesContext(connection) as seen:
            call(store)
        assert len([one for one in seen if not one["sql"].startswith(MARKS)]) <= allowed

    def test_assistants_do_not_share_events(self, shop):
        """The same utterance waits once for each of its hearers."""
        store, _, _ = shop
        other, _, _ = build_store("e2")
        assert store.triggers.add(an_event("ev1"))
        assert other.triggers.add(an_event("ev1"))
        store.commit(a_commit(closed=["ev1"]))
        assert len(other.triggers.waiting()) == 1


class TestBook:
    def test_spending_adds_up(self, db):
        """Every owner is charged, and a settlement takes back what was too much."""
        book = RowBook()
        assert book.spent("2026-11-21", "e1") == [(0, 0)]
        book.spend("2026-11-21", ["e1", ""], 1, 900)
        book.spend("2026-11-21", ["e1", ""], 0, -200)
        book.spend("2026-11-21", ["e2", ""], 1, 50)
        assert book.spent("2026-11-21", "e1", "") == [(1, 700), (2, 750)]
        assert book.spent("2026-11-22", "") == [(0, 0)]

    def test_no_cap_is_passed(self, db):
        """A call is added to all of its owners, or to none where one of them has no room for it."""
        book, day = RowBook(), "2026-11-21"
        assert not book.reserve(day, {"e1": (0, 900)}, 1)
        assert book.reserve(day, {"e1": (2, 900), "": (9, 600)}, 400)
        assert not book.reserve(day, {"e1": (2, 900), "": (9, 600)}, 201)
        assert not book.reserve(day, {"e1": (1, 900), "": (9, 900)}, 1)
        assert book.reserve(day, {"e1": (2, 900), "": (9, 600), "e1+p": (1, 200)}, 200)
        assert book.spent(day, "e1", "", "e1+p") == [(2, 600), (2, 600), (1, 200)]


class TestBlocks:
    def test_version_grows_with_each_write(self, db):
        """Each write names the version it read."""
        assert read_block("persona", "e1") == Block({})
        assert write_block("persona", "e1", {"name": "Sera"}, 0) == 1
        assert write_block("persona", "e1", {"name": "Seraphina"}, 1) == 2
        assert read_block("persona", "e1") == Block({"name": "Seraphina"}, 2)
        assert read_block("persona") == Block({})

    @pytest.mark.parametrize("stale", [0, 1, 7])
    def test_lost_race_is_refused(self, db, stale):
        """Whoever did not read the latest version writes nothing."""
        write_block("lore", "", {"age": 1}, 0)
        write_block("lore", "", {"age": 2}, 1)
        with pytest.raises(StoreError, match="somebody else"):
            write_block("lore", "", {"age": 99}, stale)
        assert read_block("lore") == Block({"age": 2}, 2)

    def test_full_block_is_refused(self, db):
        """A value over the limit is refused whole, and the limit is named."""
        with pytest.raises(BlockRefused, match="its limit is 5000"):
            write_block("lore", "", {"text": "x" * 5000}, 0)
        assert read_block("lore") == Block({})


class TestRefusals:
    def test_a_game_that_was_not_migrated_is_told(self, db):
        """The owner reads what to do, not only that something failed."""
        for words in ("no such table: x", 'relation "x" does not exist', "Table 'x' doesn't exist"):
            with pytest.raises(StoreError, match="evennia migrate"), refusals():
                raise OperationalError(words)
        with pytest.raises(StoreError, match="IntegrityError"), refusals():
            raise IntegrityError("a constraint failed")

    def test_what_may_pass_is_told_apart(self, db):
        """A lock, a full disk, a file that is read-only and a lost connection are no bugs."""
        for words in ("database is locked", "database or disk is full", "server closed"):
            with pytest.raises(StoreUnavailable), refusals():
                raise OperationalError(words)
