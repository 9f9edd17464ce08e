"""Who knows a line or a memory, since when and from whom; and the table that tells it quickly."""

from importlib import import_module
from unittest.mock import patch

from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import forgetting
from ai_assistant.api.disclosure import publish
from ai_assistant.api.handlers import save
from ai_assistant.api.stories.knowing import who_knows_of
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.models import Memory, MemoryEvidence
from ai_assistant.storage.history.row_evidence import renew_evidence
from tests.evennia.pages import PagesTestCase
from tests.evennia.test_live_scenes import SceneTestCase

TOWER = "The northern tower fell last night."
RETOLD = "Pia told me that the northern tower fell last night."


def evidence():
    """Return what stands in the table."""
    return sorted(MemoryEvidence.objects.values_list("ref", "row"))


def assert_evidence_as_rows_have_it():
    """The table says what the rows do, each once."""
    stands = evidence()
    renew_evidence(Memory.objects.values_list("pk", flat=True))
    assert stands == evidence()


class ToldTestCase(SceneTestCase):
    """Pia tells Alice in the inn, where Charlie overhears it; Alice tells Bob in the street."""

    def setUp(self):
        super().setUp()
        self.bob.move_to(self.street, quiet=True)
        self.dora = self.a_player("Dora", self.street)
        self.model.say("Alas!")
        self.does(self.pia, f"say Alice, {TOWER}")
        self.steps.run()
        self.row = self.said_to(self.alice)

    def is_retold(self):
        self.alice.move_to(self.street, quiet=True)
        self.steps.run()
        self.speaks(self.alice, f"Bob, {RETOLD}")


class TestWhoKnows(ToldTestCase):
    def names(self, found):
        everybody = (self.alice, self.bob, self.charlie, self.pia, self.dora)
        known = {entity_id(one): one.key for one in everybody}
        return tuple(
            [known[who] for who in ids] for ids in (found.held, found.took_part, found.overheard)
        )

    def test_who_took_part_knows_and_who_overheard_does_not(self):
        """Alice has it since it was said; Pia said it, and Charlie only overheard it."""
        found = who_knows_of(self.alice, f"#{self.row.id}")
        assert self.names(found) == (["Alice"], ["Pia"], ["Charlie"])
        [row] = found.held[entity_id(self.alice)]
        assert (row.learned_at, row.author) == (self.row.learned_at, entity_id(self.pia))
        assert (found.words, found.is_whole) == (f"Alice, {TOWER}", True)

    def test_who_was_told_later_knows_from_whom(self):
        """Bob has it since Alice spoke, as Pia's word; so it is asked of his memory and of hers."""
        self.is_retold()
        found = who_knows_of(self.alice, f"#{self.row.id}")
        assert self.names(found)[0] == ["Alice", "Bob"]
        first = found.held[entity_id(self.bob)][0]
        [source] = sources_of(first)
        assert (source["author"], source["chain"]) == (entity_id(self.pia), [entity_id(self.alice)])
        assert first.learned_at > self.row.learned_at
        told = self.said_to(self.bob)
        assert who_knows_of(self.bob, f"#{told.id}").held.keys() == found.held.keys()

    def test_a_line_is_asked_for_by_its_id(self):
        """As a turn's page has it."""
        line = self.row.meta["event"]
        assert self.names(who_knows_of(self.charlie, line))[0] == ["Alice"]

    def test_what_was_made_known_is_shown_beside(self):
        """An open copy of what was said privately is drawn from it."""
        secret = MemoryRow("The silver is moved.", readers=entity_id(self.pia))
        [row] = save(self.alice, Commit(at=self.clock.now(), rows=[secret]))
        copy = publish(self.alice, row.id, by="a test")
        held = who_knows_of(self.alice, f"#{row.id}").held[entity_id(self.alice)]
        assert copy.id in [one.id for one in held]

    def test_what_was_withdrawn_is_known_no_more(self):
        """Who turned out not to have taken part does not know it."""
        notes = {**self.row.meta, "withdrawn": True}
        Memory.objects.filter(pk=self.row.id).update(meta=notes, archived_at=9.0)
        assert self.names(who_knows_of(self.alice, f"#{self.row.id}"))[0] == []

    def test_it_takes_few_statements(self):
        """However many know it."""
        self.is_retold()
        with CaptureQueriesContext(connection) as seen:
            who_knows_of(self.alice, f"#{self.row.id}")
        assert len(seen) <= 8


class TestTheTable(ToldTestCase):
    """It says what the rows say, whatever happens to them."""

    def test_written_with_the_rows(self):
        """Lines, what was told on, what rests on other rows; the world's record has none."""
        self.is_retold()
        world = Memory.objects.filter(container="world").values_list("pk", flat=True)
        assert evidence()
        assert not MemoryEvidence.objects.filter(row__in=world).exists()
        assert_evidence_as_rows_have_it()

    def test_forgetting_clears_it(self):
        """Nothing is left of what is gone, and what stays has what its row says still."""
        self.is_retold()
        done = forgetting.forget_person(self.pia, scope="all", by="a test")
        self.steps.run()
        assert done.called
        left = {*Memory.objects.values_list("pk", flat=True)}
        assert {row for _, row in evidence()} <= left
        assert self.row.id not in left
        assert_evidence_as_rows_have_it()

    def test_a_deleted_mind_leaves_none(self):
        """With its memories goes what they were of."""
        own = Memory.objects.filter(container=entity_id(self.alice))
        rows = {*own.values_list("pk", flat=True)}
        self.alice.delete()
        assert rows
        assert not MemoryEvidence.objects.filter(row__in=rows).exists()

    def test_older_rows_get_theirs_by_the_migration(self):
        """Rows that were there before the table, each once, and no mark of the game's is left."""
        self.is_retold()
        whole = evidence()
        MemoryEvidence.objects.all().delete()
        renew_evidence([self.row.id])
        MemoryEvidence.objects.create(ref="", row=-3)
        migration = import_module("ai_assistant.migrations.0019_older_evidence")
        with patch.object(migration, "PAGE", 2):
            migration.fill(apps, connection.schema_editor())
        assert evidence() == whole


class TestLooking(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, the ferry sank at the old bridge.")
        mine = Memory.objects.filter(container=entity_id(self.marrek))
        self.row = mine.get(content__contains="old bridge")

    def test_by_command(self):
        """Who, since when, from whom; what rests on nothing is nobody else's."""
        told = self.types(CmdAIMem, f"/who marrek = #{self.row.pk}")
        assert "Marrek since" in told
        assert "from Alice" in told
        self.marrek.notebook.append("Buy rope.")
        told = self.types(CmdAIMem, "/who marrek = n1")
        assert "Buy rope." in told
        assert "Marrek alone" in told
        assert "Marrek alone" in self.get("who_knows", query={"ref": "n1"})
        assert "no memory #999" in self.types(CmdAIMem, "/who marrek = #999")

    def test_on_a_page_that_memories_and_turns_lead_to(self):
        """By the number of a memory, and by the line that a turn answered."""
        address = self.address("who_knows")
        assert f"{address}?ref=%23{self.row.pk}" in self.get("memory")
        turn = self.row.meta["turn"]
        assert f"{address}?ref={self.row.meta['event']}" in self.get("turn", turn=turn)
        for ref in (f"#{self.row.pk}", self.row.meta["event"]):
            page = self.get("who_knows", query={"ref": ref})
            assert "since" in page
            assert "from Alice" in page
