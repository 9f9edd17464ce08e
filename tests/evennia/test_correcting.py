"""A correction by staff: what quotes the old words, or rests on them, follows; witnesses stay."""

import json
import time

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import blocks
from ai_assistant.api.handlers import save, store_of
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.storage import WorldContainer
from tests.evennia.living import CommandTestCase

OLD, NEW = "Marrek, my brother's ship is the Gull.", "Marrek, my brother's ship is the Albatross."


class TestCorrecting(CommandTestCase):
    """Alice told Marrek of a ship, and much was made of that."""

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.who = entity_id(self.alice)
        self.model.say("The Gull? A fine name.")
        self.does(self.alice, f"say {OLD}")
        self.told = self.row("ship is the Gull", kind="utterance")

    def row(self, words, **where):
        rows = Memory.objects.filter(container=entity_id(self.marrek), archived_at=None, **where)
        return rows.filter(content__contains=words).first()

    def trait(self, value, *evidence, **more):
        """Let a night have learned this of Alice from some rows."""
        self.change(
            "profile",
            self.who,
            "add_attribute",
            entity_id=self.who,
            type="kin",
            value=value,
            source="consolidation",
            at=time.time(),
            author=self.who,
            evidence=list(evidence),
            **more,
        )

    def change(self, part, key, step, **args):
        save(self.marrek, Commit(at=time.time(), changes=[Change(part, key, step, args)]))

    def correct(self, ref, words):
        return self.types(CmdAIMem, f"/edit marrek = {ref} {words}")

    def kept(self):
        """Return all that the mind keeps, but for rows that are out of use, as text."""
        rows = Memory.objects.filter(container=entity_id(self.marrek), archived_at=None)
        store = store_of(self.marrek)
        states = [
            store.read(name, key)
            for name, part in PARTS.items()
            for key in (store.keys(name) if part.keyed else [""])
        ]
        return json.dumps([list(rows.values()), states], default=str)

    def prompt(self, words="Hello."):
        return self.ai(f"/prompt marrek = alice: {words}")

    def test_every_place_is_put_right(self):
        """Stream, talk and its summary, own words, traits, notes, facts, journal, goals, blocks."""
        self.trait("Alice's brother's ship is the Gull", self.told.pk)
        self.trait("Her brother captains the Gull", self.told.pk)
        self.marrek.profiles.add_entity_observation(self.alice, "Proud of the Gull.")
        self.marrek.session_memory.add_session_memory("The ship of Alice's brother: Gull.")
        self.marrek.notebook.append("Ask Alice's brother about his ship, the Gull.")
        self.marrek.journal.add_journal_entry(
            "Met Alice, who sails on the Gull.", source_type="direct", source_entity=self.alice
        )
        self.marrek.goals.add_goal("See the ship of her brother, the Gull.")
        blocks.share_fact(self.marrek, "A brother's ship, the Gull, is in.")
        self.change("working", self.who, "fold", at=time.time())
        summary = MemoryRow(
            "Day 1: Alice: the Gull / Bob: Aye.", "day_summary", parents=(self.told.pk,)
        )
        save(self.marrek, Commit(at=time.time(), rows=[summary]))
        before = self.kept().count("Gull")
        assert before > 12
        self.correct(f"#{self.told.pk}", NEW)
        assert "What quoted it or rested on it follows" in "".join(self.screen(self.char1))
        kept = self.kept()
        assert "Gull" not in kept
        assert kept.count("Albatross") == before
        assert "Gull" not in (prompt := self.prompt("What is my brother's ship?"))
        assert "Albatross" in prompt
        assert Memory.objects.filter(pk=self.told.pk, content=OLD).exists()
        assert AssistantEvent.objects.filter(type="Edited").exists()

    def test_what_rests_on_it_follows_the_evidence(self):
        """A trait goes on with the new row, and one that says nothing of what stayed goes."""
        self.trait("Alice's brother's ship is the Gull", self.told.pk)
        self.trait("Alice fancies seabirds", self.told.pk)
        self.correct(f"#{self.told.pk}", NEW)
        new = self.row("Albatross", kind="utterance")
        (trait,) = self.marrek.profiles.get_entity_profile(self.alice)["attributes"]
        assert trait["value"] == "Alice's brother's ship is the Albatross"
        assert trait["evidence"] == [new.pk]

    def test_a_correction_that_takes_all_back(self):
        """What rested on it alone goes; what it had replaced holds again; the rest is read anew."""
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, he sails north.")
        other = self.row("he sails north").pk
        past = {"type": "kin", "value": "Alice's brother is a cook", "source": "consolidation"}
        past |= {"created": "2026-01-01", "evidence": [other], "until": "2026-02-01"}
        self.trait("Alice's brother sails north", self.told.pk, other)
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        now = {**profile["attributes"][0], "was": [past]}
        self.change(
            "profile", self.who, "consolidate", entity_id=self.who, drop=[], add=[now], consumed=[]
        )
        self.trait("Alice's brother owns a ship", self.told.pk)
        self.correct(f"#{self.told.pk}", "Marrek, forget all about the sea.")
        values = [
            one["value"]
            for one in self.marrek.profiles.get_entity_profile(self.alice)["attributes"]
        ]
        assert values == ["Alice's brother is a cook"]
        again = store_of(self.marrek).read("sleep")
        assert again["waiting"]["*"]["again"] == [other]

    def test_a_trait_corrects_the_line_that_showed_it(self):
        """Else the prompt would hold both."""
        self.trait("Alice's brother's ship is the Gull", self.told.pk)
        self.correct("t1@alice", "Alice's brother's ship is the Albatross")
        assert "Gull" not in self.kept()
        assert self.row(NEW, kind="utterance").meta["corrects"] == self.told.pk

    def noted(self, fact, line):
        """Let Marrek note something of Alice on a line of hers."""
        self.model.call("note", about="Alice", fact=fact)
        self.model.say("Noted.")
        self.does(self.alice, f"say {line}")

    def test_a_noted_thing_corrects_the_line_that_told_it(self):
        """Else the old one would be answered from the line: commands, search and prompt agree."""
        self.noted("Alice's cat is called Tom.", "Marrek, my cat is called Tom, and purrs.")
        self.model.say("A cat.")
        self.does(self.alice, "say Marrek, I told Tom of you.")
        told = self.correct("o1@alice", "Alice's cat is called Whiskers.")
        assert "says now: Marrek, my cat is called Whiskers, and purrs." in told
        assert self.row("Whiskers, and purrs", kind="utterance")
        assert self.row("I told Tom of you.")
        found = self.types(CmdAIMem, "/search marrek = what is the cat called")
        assert "called Whiskers" in found
        assert "called Tom" not in found + self.kept() + self.prompt("What is my cat called?")

    def test_a_noted_thing_that_was_never_so(self):
        """New words that share little with the old stand for the sentence that told of it."""
        self.noted("Alice has a cat, Tom.", "Good day, Marrek! I have a cat, Tom. It is late.")
        self.correct("o1@alice", "Alice keeps no animals.")
        assert self.row("Good day, Marrek! Alice keeps no animals. It is late.")
        assert "Tom" not in self.kept()

    def test_a_fact_corrects_the_line_that_told_it(self):
        """So does what was remembered of the world."""
        self.model.call("note", fact="The old bridge is painted red.")
        self.model.say("Is it?")
        self.does(self.alice, "say Marrek, the old bridge is painted red.")
        fact = self.row("bridge is painted red", kind="fact")
        self.correct(f"#{fact.pk}", "The old bridge is painted blue.")
        assert "red." not in self.kept()
        assert self.row("Marrek, the old bridge is painted blue.", kind="utterance")

    def test_a_private_line_is_not_found_for_an_open_note(self):
        """What only looks alike under another label stays."""
        self.noted("Alice's cat is called Tom.", "Marrek, my cat is called Tom.")
        self.model.text("Aye.")
        self.does(self.alice, "whisper Marrek = My cat is called Tom.")
        self.correct("o1@alice", "Alice's cat is called Whiskers.")
        assert self.row("My cat is called Tom.", readers=self.who)

    def test_witnesses_stay(self):
        """What somebody else said is theirs, and so is the world's record."""
        self.model.say("Is it?")
        self.does(self.bob, "say Marrek, her brother's ship is the Gull, they say.")
        self.correct(f"#{self.told.pk}", NEW)
        assert self.row("her brother's ship is the Gull, they say.", author=entity_id(self.bob))
        assert any(OLD in row.content for row in WorldContainer("").find(limit=10))

    def test_the_same_said_twice(self):
        """It is put right in both lines of the same speaker."""
        self.model.say("So you said.")
        self.does(self.alice, f"say As I told you, {OLD}")
        self.correct(f"#{self.told.pk}", NEW)
        assert "Gull" not in self.kept()

    def test_another_mind_keeps_what_it_heard(self):
        """A correction is of one assistant."""
        tansy = self.an_assistant("Tansy")
        self.model.say("Aye.")
        self.does(self.alice, "say Tansy, my brother's ship is the Gull.")
        self.correct(f"#{self.told.pk}", NEW)
        assert Memory.objects.filter(container=entity_id(tansy), content__contains="Gull").exists()

    def test_a_turn_under_way_is_thought_again(self):
        """What it was shown is not so any more."""
        hold = self.held(self.alice, "say Marrek, what is the ship called?")
        self.model.say("Albatross.")
        self.correct(f"#{self.told.pk}", NEW)
        self.let_go(hold)
        self.tick(self.marrek)
        assert "Albatross" in self.model.shown()
        assert "Gull" not in self.model.shown()

    def test_a_correction_on_record_names_no_words(self):
        """Who edited, and what kind of thing; the words are in the rows."""
        self.correct(f"#{self.told.pk}", NEW)
        assert AssistantEvent.objects.get(type="Edited").data == {"kind": "#", "by": "Ada"}
