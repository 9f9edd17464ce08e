"""Forgetting: a person's words leave everything that the assistants keep, and witnesses stay."""

import json
import pickle

from django.conf import settings
from django.db import connection
from evennia.objects.models import ObjectDB
from evennia.typeclasses.attributes import Attribute

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import blocks, forgetting, lifecycle
from ai_assistant.api.handlers import save
from ai_assistant.api.release import release
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.shared_text import FORGOTTEN
from ai_assistant.models import AssistantEvent, Memory, MemoryBlock, PendingEvent, StateChange
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import erasure
from ai_assistant.storage.history import past
from tests.evennia.living import EventTestCase, broken_database
from tests.evennia.storehouse import forget_caches, sqlite_only

SECRET = "the lantern hangs behind the mill"
FOUR_TABLES = (Memory, AssistantEvent, PendingEvent, MemoryBlock)


class TestForgetting(EventTestCase):
    """Alice told Marrek a secret, and Bob saw Alice take a purse."""

    def setUp(self):
        super().setUp()
        self.whispered(f"My secret is that {SECRET}.", answer=f"So {SECRET}.")
        self.said(self.bob, f"I saw Alice take the purse, and {SECRET}.", answer="Did she?")

    def whispered(self, words, answer):
        """Alice whispers; Marrek answers with a whisper, or with nothing."""
        self.model.text(answer)
        self.does(self.alice, f"whisper Marrek = {words}")

    def said(self, who, words, answer):
        self.model.say(answer)
        self.does(who, f"say Marrek! {words}")

    def forget(self, who=None, **options):
        """Let it be forgotten; returns the report."""
        done = forgetting.forget_person(who or self.alice, by="a test", **options)
        return self.result(done)

    def result(self, done):
        found = []
        done.addBoth(found.append)
        self.steps.run()
        return found[0]

    def stored(self):
        """Return all that the database and the parts hold, as text."""
        tables = [list(model.objects.values()) for model in FOUR_TABLES]
        store = self.marrek.profiles.store
        states = [
            store.read(name, key)
            for name, part in PARTS.items()
            for key in (store.keys(name) if part.keyed else [""])
        ]
        return json.dumps([tables, states], default=str)

    def find(self, word):
        """Return the contents with that word that a search for it finds."""
        mind = self.resident(self.marrek).mind
        hits = mind.recall.index.search(word, 9, now=self.clock.now())
        rows = mind.store.rows.by_ids([hit.id for hit in hits if hit.id > 0])
        return [row.content for row in rows if word in row.content]

    # -- own words

    def test_own_words_leave_everything(self):
        """Rows, conversation, stream, audit and index: what she said is nowhere, nor the answer."""
        report = self.forget()
        assert "My secret" not in self.stored()
        assert f"So {SECRET}" not in self.stored()
        assert self.find("secret") == []
        assert list(self.marrek.profiles.store.keys("working")) == [entity_id(self.bob)]
        assert report.counts["memories"] == 2

    def test_settings_stay(self):
        """Now and in the past, though she said just what is set: those are words of staff."""
        words = "The lady of the silver lake"
        lifecycle.configure(self.marrek, "user_entity", words)
        self.said(self.alice, words, answer="Aha.")
        self.forget()
        kept = {"user_entity": words}
        assert self.marrek.assistant_script.config.values == kept
        own = entity_id(self.marrek)
        assert past.state_at(own, "config", "", past.last_number(own)) == kept

    def test_thief_cannot_erase_the_witness(self):
        """What Bob said of Alice stays word for word, and how Marrek feels about her as well."""
        before = self.marrek.profiles.get_entity_profile(self.alice)["relationship"]
        self.forget()
        assert self.find("purse") == [f"Marrek! I saw Alice take the purse, and {SECRET}."]
        after = self.marrek.profiles.get_entity_profile(self.alice)["relationship"]
        assert after["favorability"] == before["favorability"]
        assert after["interaction_count"] == before["interaction_count"]

    def test_copies_of_her_words_are_cut(self):
        """The journal keeps its entry without her words, and is found by what is left of it."""
        self.said(self.alice, "The password of the gate is marzipan-nine.", answer="Aha.")
        self.marrek.journal.add_journal_entry("The PASSWORD OF THE GATE amused the miller.")
        self.forget()
        entry = self.marrek.journal.entries[-1]["content"]
        assert entry == f"{FORGOTTEN} amused the miller."
        mind = self.resident(self.marrek).mind
        index = mind.recall.index
        gone = index.search("password gate marzipan", 5, now=self.clock.now())
        assert not any(hit.relevance for hit in gone)
        assert index.search("who amused the miller", 5, now=self.clock.now())[0].relevance
        assert b"marzipan" not in pickle.dumps(index)

    def test_twice_changes_nothing_more(self):
        """Asked again, there is nothing to forget and nothing is written."""
        self.forget()
        before = self.stored()
        report = self.forget()
        assert (report.total, str(report)) == (0, "")
        assert self.stored() == before

    def test_forgetting_is_on_record_without_a_word(self):
        """The audit log says who asked, for whom and how much."""
        self.forget()
        [entry] = AssistantEvent.objects.filter(type="Forgotten")
        assert entry.data["by"] == "a test"
        assert (entry.data["entity"], entry.data["scope"]) == (entity_id(self.alice), "own")
        assert entry.data["counts"]["memories"] == 2

    def test_rows_keep_their_links(self):
        """A summary of her words alone goes; one of Bob's too stays and points at his only."""
        hers, his = Memory.objects.filter(kind="utterance").order_by("pk")
        views = [
            MemoryRow("Of both.", kind="summary", parents=(hers.pk, his.pk)),
            MemoryRow("Of her.", kind="summary", parents=(hers.pk,)),
        ]
        both, alone = save(self.marrek, Commit(at=self.clock.now(), rows=views))
        deeper = MemoryRow("Deeper.", kind="summary", parents=(alone.id,))
        save(self.marrek, Commit(at=self.clock.now(), rows=[deeper]))
        self.forget()
        assert [(row.pk, row.parents) for row in Memory.objects.filter(kind="summary")] == [
            (both.id, [his.pk])
        ]

    def test_every_container_is_searched(self):
        """Words in a scene's container, or in that of an assistant that is gone, go as well."""
        for container in ("scene-1", "e" + "0" * 32):
            Memory.objects.create(
                container=container,
                kind="utterance",
                content=SECRET,
                author=entity_id(self.alice),
                learned_at=1.0,
            )
        self.forget()
        assert not Memory.objects.filter(author=entity_id(self.alice)).exists()

    def test_chosen_assistants_forget_alone(self):
        """Where one of them is named, the others remember."""
        other = self.an_assistant("Tansy")
        self.model.say("Is it?")
        self.does(self.alice, "say Tansy, the well is dry.")
        assert self.forget(assistants=[other]).counts["memories"] == 2
        left = Memory.objects.filter(author=entity_id(self.alice)).values_list("container")
        assert set(left) == {(entity_id(self.marrek),), ("world",)}
        assert not Memory.objects.filter(container="world", content__contains="well").exists()

    def test_blocks_are_cleansed(self):
        """A block loses her words, and whoever read it before must read it again."""
        block = MemoryBlock.objects.create(
            label="tasks", limit=99, created=1, updated=1, value={"note": f"Look: {SECRET}"}
        )
        self.forget(scope="all")
        block.refresh_from_db()
        assert (block.value, block.version) == ({"note": f"Look: {FORGOTTEN}"}, 2)

    # -- everything

    def test_everything_takes_the_profile_too(self):
        """All about her goes; what Bob said stays but for the words that were hers."""
        self.marrek.profiles.add_entity_observation(self.alice, "Is seen at the docks at night.")
        self.forget(scope="all")
        assert entity_id(self.alice) not in self.marrek.profiles.all()
        assert "at the docks" not in self.stored()
        assert SECRET not in self.stored()
        assert self.find("purse") == [f"Marrek! I saw Alice take the purse, and {FORGOTTEN}"]

    # -- while the game runs

    def test_turn_that_knows_is_dropped(self):
        """A turn that has her words in its prompt never speaks; Bob's question is asked again."""
        self.said(self.alice, "The ferry is cursed, mark my words.", answer="Is it?")
        hold = self.held(self.bob, "say Marrek, what did Alice say?")
        assert "ferry is cursed" in self.model.shown()
        self.model.say("I cannot remember.")
        self.forget()
        self.let_go(hold)
        self.tick(self.marrek)
        assert "ferry is cursed" not in self.model.shown()
        assert 'Marrek says, "I cannot remember."' in self.screen(self.bob)

    def test_her_open_question_is_closed(self):
        """What she asked and nobody answered yet is closed with a reason and never answered."""
        hold = self.ask("say Marrek, where does the lantern hang?")
        self.does(self.alice, "say Marrek, please tell me about it!")
        report = self.forget()
        self.let_go(hold)
        self.tick(self.marrek, seconds=200)
        assert PendingEvent.objects.count() == 0
        assert self.closed() == ["forgotten", "forgotten"]
        assert report.counts["events"] == 2
        assert "tell me about it" not in self.stored()

    def test_overheard_words_are_dropped(self):
        """What she said to others waits in memory only, and is not written later."""
        self.does(self.alice, "say Bob, the ferry leaves at midnight.")
        assert self.resident(self.marrek).mind.heard
        self.forget()
        assert not self.resident(self.marrek).mind.heard

    def test_assistant_at_rest_forgets_too(self):
        """One that does not run forgets as well."""
        self.marrek.assistant_script.db.enabled = False
        lifecycle.stop(self.marrek)
        self.forget()
        assert "My secret" not in self.stored()

    def rested(self):
        """Let Marrek be a character without a mind, which had her words wherever it keeps words."""
        words = f"Alice says My secret is that {SECRET}."
        self.marrek.goals.add_goal(words)
        self.marrek.journal.add_journal_entry(words)
        release(self.marrek, keep=True, by="Ada")
        assert self.unpickled().count("My secret") > 5

    def unpickled(self):
        """Return all that any row or Attribute holds, unpickled."""
        attributes = list(Attribute.objects.values_list("db_key", "db_value"))
        tables = [list(model.objects.values()) for model in (*FOUR_TABLES, StateChange)]
        return repr([attributes, tables])

    def woken(self):
        lifecycle.adopt(self.marrek)
        self.steps.run()
        return self.stored()

    def test_a_mind_that_rests_forgets_too(self):
        """Released and kept, no Attribute and no pickle holds her words; it wakes without them."""
        self.rested()
        self.forget()
        assert "My secret" not in self.unpickled()
        assert self.forget().total == 0
        woken = self.woken()
        assert "My secret" not in woken
        assert self.find("purse")
        assert self.marrek.goals.store.read("goals")["goals"]

    def test_a_mind_that_rests_forgets_everything(self):
        """Nor is there a profile of her then."""
        self.rested()
        self.forget(scope="all")
        assert SECRET not in self.unpickled()
        self.woken()
        assert entity_id(self.alice) not in self.marrek.profiles.store.keys("profile")

    def test_one_of_several_bodies_forgets_at_rest(self):
        """What it kept by itself before it became one of them goes as well."""
        words = f"Alice says My secret is that {SECRET}."
        self.marrek.goals.add_goal(words)
        blocks.embody(self.marrek, self.an_assistant("Twin"))
        release(self.marrek, keep=True, by="Ada")
        assert words in self.unpickled()
        self.forget()
        assert "My secret" not in self.unpickled()

    def test_what_a_former_mind_told_others_goes(self):
        """It repeated her words in its time: that makes it no witness of its own, nor once gone."""
        tansy, gone = self.an_assistant("Tansy"), self.an_assistant("Gone")
        words = "The gate opens at marzipan-nine sharp."
        self.whispered(words, answer="Indeed.")
        told = [
            MemoryRow(words, kind="utterance", author=entity_id(one)) for one in (self.marrek, gone)
        ]
        rows = save(tansy, Commit(at=self.clock.now(), rows=told))
        release(self.marrek, keep=True, by="Ada")
        lifecycle.delete(gone)
        self.forget()
        held = Memory.objects.filter(pk__in=[row.id for row in rows])
        assert [row.content for row in held] == [FORGOTTEN, FORGOTTEN]

    def test_a_body_of_another_class_forgets_too(self):
        """Staff gave it another class, and its mind is still there: the words go all the same."""
        self.marrek.goals.add_goal(f"Alice says My secret is that {SECRET}.")
        ObjectDB.objects.filter(pk=self.marrek.pk).update(
            db_typeclass_path=settings.BASE_CHARACTER_TYPECLASS
        )
        SERVICE.unregister(entity_id(self.marrek), "gone")
        forget_caches()
        assert lifecycle.all_assistants() == []
        self.forget()
        assert "My secret" not in self.unpickled()

    def test_outside_of_the_server_it_is_done_at_once(self):
        """A management command has the result when the call returns."""
        SERVICE.in_server = lambda: False
        done = forgetting.forget_person(self.alice, by="a command")
        assert done.called
        assert done.result.counts["memories"] == 2

    def test_progress_is_told(self):
        """Whoever waits is told the share that is done; it ends at the whole."""
        shares = []
        self.forget(progress=shares.append)
        assert shares == sorted(shares)
        assert 0 <= shares[0] < shares[-1] <= 1.0

    def test_refusal_is_told_and_may_be_repeated(self):
        """Where the database refuses, the caller learns it; another call finishes the work."""
        with broken_database("DELETE FROM ai_assistant_memory", passing=True):
            failure = self.result(forgetting.forget_person(self.alice, by="a test"))
        assert failure.type.__name__ == "StoreUnavailable"
        assert self.forget().counts["memories"] == 2
        assert "My secret" not in self.stored()

    # -- one thing

    def test_one_memory_is_forgotten(self):
        """One row goes with its copies; the rest stays."""
        row = Memory.objects.get(author=entity_id(self.bob), kind="utterance")
        self.result(forgetting.forget_item(self.marrek, f"#{row.pk}", by=self.bob))
        assert "saw Alice take" not in json.dumps(list(Memory.objects.values()), default=str)
        assert self.find("purse") == []
        assert Memory.objects.filter(author=entity_id(self.alice)).exists()

    def test_a_forgotten_line_takes_its_reason_along(self):
        """How they get on stays; why it changed was said in that line."""
        self.said(self.bob, "Thank you for the bread.", answer="Aye.")
        row = Memory.objects.get(kind="utterance", content__contains="bread")
        bond = self.marrek.profiles.get_entity_profile(self.bob)["relationship"]
        assert [one["reason"] for one in bond["history"]] == ["thanks"]
        self.result(forgetting.forget_item(self.marrek, f"#{row.pk}", by=self.bob))
        after = self.marrek.profiles.get_entity_profile(self.bob)["relationship"]
        assert [one["reason"] for one in after["history"]] == [FORGOTTEN]
        assert after["favorability"] == bond["favorability"]

    def test_references_name_every_kind(self):
        """Journal entries and observations are forgotten by what the commands show."""
        self.marrek.journal.add_journal_entry("It rained on the day of the fair.")
        self.marrek.profiles.add_entity_observation(self.bob, "Bob limps when it is cold.")
        last = self.marrek.journal.entries[-1]["id"]
        for ref in (f"j{last}", f"o1@{entity_id(self.bob)}"):
            assert self.result(forgetting.forget_item(self.marrek, ref, by=self.bob)).total
        assert "rained on the day" not in self.stored()
        assert "limps" not in self.stored()

    def test_unknown_reference_is_refused(self):
        """What is not there cannot be forgotten, whatever the reference looks like."""
        for ref in (
            "",
            "#",
            "#9999",
            "j99",
            "o1",
            "o7@nobody",
            "f1@x",
            "n0",
            "f²",
            "z1",
            "#" + "9" * 40,
        ):
            assert "has no memory" in self.refused(
                forgetting.forget_item, self.marrek, ref, by=self.bob
            )


@sqlite_only
def test_sqlite_overwrites_what_it_deletes(db):
    """Every connection is told so by the app."""
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)
        cursor.execute("PRAGMA secure_delete = OFF")
        erasure.secure_all()
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)


@sqlite_only
def test_moved_rows_leave_no_remains(transactional_db):
    """What SQLite leaves in a page from which rows were moved goes as well."""
    for number in range(200):
        Memory.objects.create(container="e1", content=f"{SECRET} {number}", learned_at=1.0)
    for times in (20, 3):
        for pk in Memory.objects.values_list("pk", flat=True):
            Memory.objects.filter(pk=pk).update(content=SECRET * times)
    Memory.objects.update(content="")

    def holds_it():
        connection.ensure_connection()
        return SECRET.encode() in connection.connection.serialize()

    assert holds_it()
    assert erasure.empty_files()
    assert not holds_it()


@sqlite_only
def test_a_large_database_is_not_called_clean(transactional_db):
    """To write it anew would stop the game: its owner is told that remains may be there."""
    Memory.objects.create(container="e1", content="x" * erasure.SMALL, learned_at=1.0)
    assert not erasure.empty_files()
