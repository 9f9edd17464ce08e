"""The store on Evennia's Attributes: what builders see and change, and what things cost."""

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from evennia.objects.models import ObjectDB
from evennia.typeclasses.attributes import Attribute
from evennia.utils.idmapper.models import flush_cache

from ai_assistant import models
from ai_assistant.core.contracts import AuditRecord, MemoryRow
from ai_assistant.core.errors import StoreError, StoreUnavailable
from ai_assistant.storage import Block, read_block, write_block
from ai_assistant.storage.gateway import GATEWAY
from ai_assistant.storage.memory_rows import narrowed
from tests.evennia.storehouse import (
    a_commit,
    a_note,
    a_put,
    an_event,
    build_store,
    forget_caches,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(db):
    """A store with the character and the script under it."""
    forget_caches()
    return build_store()


def statements(run):
    """Return the SQL statements of a call."""
    with CaptureQueriesContext(connection) as seen:
        run()
    return [query["sql"] for query in seen.captured_queries]


class TestAttributes:
    def test_builders_see_what_was_saved(self, shop):
        """State is found where Evennia people look for it."""
        store, character, script = shop
        store.commit(a_commit(a_put("one"), a_note("e7", "x"), ("tally", "", "count", {"by": 2})))
        assert character.db.shelf["texts"] == ["one"]
        assert character.attributes.get("e7", category="boxes") == {"facts": ["x"]}
        assert script.db.tally == {"count": 2}

    def test_builders_changes_are_read(self, shop):
        """What staff set by Evennia's own means counts, also in place."""
        store, character, _ = shop
        character.db.shelf = {"texts": ["by hand"], "label": "mine"}
        character.db.shelf["texts"].append("and more")
        assert store.read("shelf") == {"texts": ["by hand", "and more"], "label": "mine"}

    def test_reads_hand_out_plain_data(self, shop):
        """Nothing that was read saves itself when it is changed."""
        store, character, _ = shop
        character.db.shelf = {"texts": [["nested"]]}
        state = store.read("shelf")
        state["texts"][0].append("mine only")
        assert type(state["texts"]) is list
        assert type(state["texts"][0]) is list
        assert character.db.shelf["texts"] == [["nested"]]

    @pytest.mark.parametrize("broken", [None, "nonsense", 7, ["a list"]])
    def test_nonsense_reads_empty(self, shop, broken):
        """A value that cannot be the part's is as good as none."""
        store, character, _ = shop
        character.db.shelf = broken
        assert store.read("shelf") == {"texts": [], "label": "a shelf"}

    def test_missing_fields_read_empty(self, shop):
        """A state stored by an older release gets the fields that came since."""
        store, character, _ = shop
        character.db.shelf = {"texts": ["old"]}
        assert store.read("shelf") == {"texts": ["old"], "label": "a shelf"}

    @pytest.mark.parametrize("by_handler", [True, False])
    def test_deleted_attribute_is_made_again(self, shop, by_handler):
        """Staff may delete an Attribute, in either way: the part begins anew."""
        store, character, _ = shop
        store.commit(a_commit(a_put("gone")))
        if by_handler:
            character.attributes.remove("shelf")
        else:
            character.attributes.get("shelf", return_obj=True).delete()
        assert store.read("shelf")["texts"] == []
        store.commit(a_commit(a_put("new")))
        assert character.db.shelf["texts"] == ["new"]

    def test_flushed_cache_is_no_trap(self, shop):
        """After Evennia flushed its cache, store and game still see each other's changes."""
        store, character, _ = shop
        store.commit(a_commit(a_put("before")))
        flush_cache()
        again = ObjectDB.objects.get(pk=character.pk)
        assert again is not character
        again.db.shelf["texts"].append("by staff")
        assert store.read("shelf")["texts"] == ["before", "by staff"]
        store.commit(a_commit(a_put("after")))
        again.db.shelf["texts"].append("last")
        forget_caches()
        kept = ObjectDB.objects.get(pk=character.pk).db.shelf["texts"]
        assert kept == ["before", "by staff", "after", "last"]

    def test_everybody_sees_the_same_after_a_flush(self, shop):
        """Whoever loads the Attribute again after a flush, and whoever never let go of it."""
        store, character, _ = shop
        store.commit(a_commit(a_put("one")))
        flush_cache()
        store.commit(a_commit(a_put("two")))
        assert store.read("shelf")["texts"] == ["one", "two"]
        Attribute.objects.get(db_key="shelf")
        store.commit(a_commit(a_put("three")))
        again = ObjectDB.objects.get(pk=character.pk)
        assert again.db.shelf["texts"] == store.read("shelf")["texts"] == ["one", "two", "three"]

    def test_deleted_character_is_refused(self, shop):
        """The state of an object that is gone can be neither read nor written."""
        store, character, _ = shop
        character.delete()
        with pytest.raises(StoreError):
            store.read("shelf")
        with pytest.raises(StoreError):
            store.commit(a_commit(a_put("late")))

    def test_keys_cost_one_query(self, shop):
        """A hundred profiles are listed by one query."""
        store, _, _ = shop
        store.commit(a_commit(*[a_note(f"e{number}", "x") for number in range(100)]))
        with CaptureQueriesContext(connection) as seen:
            assert len(store.keys("box")) == 100
        assert len(seen) == 1

    def test_warm_reads_cost_no_query(self, shop):
        """A part that was read before comes from memory."""
        store, _, _ = shop
        store.commit(a_commit(a_put("one")))
        assert statements(lambda: store.read("shelf")) == []

    def test_a_commit_looks_its_attributes_up_together(self, shop):
        """One query for all that Evennia does not know yet, also for those that are made then."""
        store, character, _ = shop
        store.commit(a_commit(*[a_note(f"e{number}", "old") for number in range(12)]))
        character.attributes.reset_cache()
        notes = a_commit(*[a_note(f"e{number}", "new") for number in range(13)])
        asked = statements(lambda: store.make_ready(notes))
        assert sum(one.startswith("SELECT") for one in asked) == 1, asked
        store.commit(notes)
        forget_caches()
        facts = [box["facts"] for box in store.read_all("box").values()]
        assert facts == [["old", "new"]] * 12 + [["new"]]


class TestRows:
    def test_containers_are_closed(self, shop):
        """No id and no paging leads into somebody else's container."""
        store, _, _ = shop
        other, _, _ = build_store("e2")
        [secret] = other.commit(a_commit(rows=[MemoryRow(content="secret")]))
        assert store.rows.by_ids([secret.id]) == []
        assert store.rows.newest(10) == []
        assert secret.container == "e2"

    def test_archived_rows_are_not_read(self, shop):
        """What was archived is kept, but comes back to no mind."""
        store, _, _ = shop
        [row] = store.commit(a_commit(rows=[MemoryRow(content="old")]))
        models.Memory.objects.update(archived_at=5.0)
        assert store.rows.by_ids([row.id]) == []
        assert store.rows.newest(10) == []

    def test_crowded_label_only_narrows(self):
        """A label too long for its column loses whole readers, and gains none."""
        crowd = [f"e{number:032x}" for number in range(80)]
        kept = narrowed(",".join(crowd)).split(",")
        assert 50 < len(kept) < 80
        assert set(kept) < set(crowd)
        assert narrowed("*") == "*"


class TestDeletion:
    def test_only_the_audit_log_remains(self, shop):
        """Attributes, rows, triggers and blocks go; what was done stays known."""
        store, character, script = shop
        character.db.desc = "A captain."
        store.triggers.add(an_event("ev1"))
        store.commit(
            a_commit(
                a_put("x"),
                a_note("e7", "y"),
                ("tally", "", "count", {"by": 1}),
                rows=[MemoryRow(content="row")],
                audit=[AuditRecord("turn", {})],
            )
        )
        write_block("persona", "e1", {"name": "Seraphina"}, 0)
        store.delete_everything()
        assert character.db.desc == "A captain."
        assert character.db.shelf is None
        assert script.db.tally is None
        assert character.attributes.get("e7", category="boxes") is None
        assert store.rows.newest(5) == []
        assert store.triggers.waiting() == []
        assert read_block("persona", "e1") == Block({})
        told = models.AssistantEvent.objects.filter(assistant="e1").order_by("seq")
        assert list(told.values_list("type", flat=True)) == ["turn", "StateChanged"]
        assert not models.StateChange.objects.filter(sequence__in=("e1", "block:e1")).exists()

    def test_others_keep_theirs(self, shop):
        """Who is deleted takes nothing of anybody else along."""
        store, _, _ = shop
        other, _, _ = build_store("e2")
        other.triggers.add(an_event("ev1"))
        other.commit(a_commit(a_put("mine"), a_note("e7", "x"), rows=[MemoryRow(content="row")]))
        store.delete_everything()
        assert other.read("shelf")["texts"] == ["mine"]
        assert list(other.keys("box")) == ["e7"]
        assert len(other.rows.newest(5)) == len(other.triggers.waiting()) == 1

    def test_the_store_can_begin_again(self, shop):
        """An assistant that forgot everything learns anew."""
        store, character, _ = shop
        store.commit(a_commit(a_put("old")))
        store.delete_everything()
        store.commit(a_commit(a_put("new")))
        assert character.db.shelf["texts"] == ["new"]

    def test_many_profiles_go_together(self, shop):
        """Three hundred Attributes are not deleted one by one."""
        store, _, _ = shop
        store.commit(a_commit(*[a_note(f"e{number}", "x") for number in range(300)]))
        gone = statements(lambda: store.delete_everything())
        assert len(gone) < 60


def test_a_refusal_does_not_end_the_transaction_around_it():
    """Game code may save within one of its own: what was refused is undone, and all else stays."""
    models.Memory.objects.create(container="e1", content="kept", learned_at=1.0)
    with pytest.raises(StoreUnavailable), GATEWAY, transaction.atomic():
        raise OperationalError("canceling statement due to lock timeout")
    assert models.Memory.objects.get().content == "kept"
