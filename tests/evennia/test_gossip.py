"""Gossip: what an assistant passes on in talk comes to its hearers with the chain it came by."""

from dataclasses import replace

import pytest

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.commands.rows_shown import known_line
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.hearsay import TOLD, hearsay, sources_of
from ai_assistant.roleplay.retelling import RETOLD
from tests.evennia.test_live_scenes import SceneTestCase

TOWER = "The northern tower fell last night."
RETOLD_BY_ALICE = "Pia told me that the northern tower fell last night."
RETOLD_BY_BOB = "The northern tower fell, they say."


class TestGossip(SceneTestCase):
    """Pia tells Alice, Alice tells Bob in the street, Bob tells Charlie."""

    def setUp(self):
        super().setUp()
        for one in (self.bob, self.charlie):
            one.move_to(self.street, quiet=True)
        self.dora = self.a_player("Dora", self.street)

    def is_told(self, line=f"say Alice, {TOWER}", answer="Alas!"):
        """Let Pia tell Alice something in the inn."""
        self.model.say(answer)
        self.does(self.pia, line)

    def meet(self, who, *others, place=None):
        for one in (who, *others):
            one.move_to(place or self.street, quiet=True)
        self.steps.run()

    def sources(self, row):
        return [(one["author"], one["chain"]) for one in sources_of(row)]

    def test_the_hearer_knows_by_whom_it_was_told(self):
        """Bob's row has Alice's words, Pia as their source, and is believed a fifth less."""
        self.is_told()
        self.meet(self.alice)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        row = self.said_to(self.bob)
        assert row.content == f"Bob, {RETOLD_BY_ALICE}"
        assert self.sources(row) == [(entity_id(self.pia), [entity_id(self.alice)])]
        assert row.trust == pytest.approx(0.9 * RETOLD)

    def test_trust_falls_with_each_hop(self):
        """Charlie has it from Bob, who has it from Alice, who has it from Pia."""
        self.is_told()
        self.meet(self.alice)
        self.charlie.move_to(self.inn, quiet=True)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        self.alice.move_to(self.inn, quiet=True)
        self.charlie.move_to(self.street, quiet=True)
        self.speaks(self.bob, f"Charlie, {RETOLD_BY_BOB}")
        row = self.said_to(self.charlie)
        chain = [entity_id(self.alice), entity_id(self.bob)]
        assert self.sources(row) == [(entity_id(self.pia), chain)]
        assert row.trust == pytest.approx(0.9 * RETOLD * RETOLD)

    def test_it_is_recalled_as_hearsay(self):
        """What Bob has from Alice stands in his prompt as Pia's word, once it left the window."""
        self.is_told()
        self.meet(self.alice)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        self.resident(self.bob).mind.config.values["memory_role"] = "PlainChat"
        stream = self.bob.attributes.get("perception_stream")
        stream["entries"] = []
        self.model.say("The northern one.")
        self.does(self.dora, "say Bob, which tower fell?")
        assert "on the word of Pia" in self.model.shown()
        row = self.rows(self.bob, kind="own_words")[-1]
        assert not row.meta.get(TOLD)  # a word is no gossip
        told = self.rows(self.alice, kind="own_words")[-1]
        assert "said, drawn from Pia > Alice" in known_line(told)
        assert "day 0" not in known_line(replace(told, game_day=0))

    def test_who_was_told_by_the_source_has_no_gossip(self):
        """Pia comes along: what she hears of her own words is no news, nor is it to Bob, who was
        there when she spoke."""
        self.meet(self.bob, place=self.inn)
        self.is_told()
        self.meet(self.alice, self.bob, self.pia)
        self.speaks(self.alice, f"Bob, Charlie, {RETOLD_BY_ALICE}")
        assert not sources_of(self.said_to(self.bob))
        assert sources_of(self.said_to(self.charlie))

    def test_a_whisper_is_not_passed_on(self):
        """What Pia whispered is not before Alice's eyes when she speaks to Bob; nothing she says is
        drawn from it, and Bob's row is an ordinary one."""
        self.model.call("whisper", to="p1", text="I shall keep it.")
        self.does(self.pia, f"whisper Alice = {TOWER}")
        self.meet(self.alice)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")  # a model that guesses
        row = self.said_to(self.bob)
        assert TOWER not in self.model.shown()
        assert not sources_of(row)
        assert row.trust == 0.9

    def test_players_of_a_scene_have_the_chain_too(self):
        """What Dora keeps of Alice's words in a scene says that they are Pia's."""
        self.is_told()
        self.meet(self.alice)
        session = self.a_scene(self.alice, self.dora)
        self.speaks(self.alice, f"Dora, {RETOLD_BY_ALICE}")
        row = self.said_to(self.dora, session)
        assert self.sources(row) == [(entity_id(self.pia), [entity_id(self.alice)])]
        assert row.trust == pytest.approx(0.9 * RETOLD)

    def test_fiction_stays_in_its_scene(self):
        """What was told in a fiction scene is not recalled outside of it, and what is told in one
        stays there, marked where a bystander hears it."""
        session = self.a_scene(self.alice, self.pia)
        self.is_told()
        self.meet(self.alice, self.pia)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        assert self.words(self.bob, session) == []
        row = self.said_to(self.bob)
        assert row.meta["fiction"] is True
        self.alice.move_to(self.inn, quiet=True)
        self.speaks(self.bob, f"Charlie, {RETOLD_BY_BOB}")
        row = self.said_to(self.charlie)
        assert row.meta["fiction"] is True
        assert sources_of(row)

    def test_it_survives_a_restart(self):
        """What Bob overheard and had not answered yet keeps its source on disk."""
        self.is_told()
        self.meet(self.alice)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        bob = self.crash(self.bob)
        assert self.sources(self.said_to(bob)) == [(entity_id(self.pia), [entity_id(self.alice)])]

    def test_a_folded_day_says_whose_word_it_was(self):
        """What Bob was told and what he heard himself have a summary each: one is Zed's word and
        believed as such, the other is nobody else's; what Bob says from the first is Zed's."""
        told = {"author": "e-zed", "author_name": "Zed", "chain": [entity_id(self.alice)]}
        told |= {"origin": "ev0", "happened_day": 1, "trust": 0.72}
        words = {
            "The miller Otto burned his barn down.": {"told": [told]},
            "Otto did it for the silver.": {"told": [{**told, "origin": "ev1"}]},
            "The well is dry.": {},
            "The bread is stale.": {},
        }
        bob = entity_id(self.bob)
        heard = [
            MemoryRow(
                text,
                author=entity_id(self.alice),
                author_name="Alice",
                game_day=1,
                trust=0.72 if meta else 0.9,
                meta=meta,
            )
            for text, meta in words.items()
        ]
        staging.keep_rows(bob, "", heard)
        assert staging.fold_container("", bob, 5) == 4
        ours, theirs = sorted(self.rows(self.bob, kind="day_summary"), key=lambda row: row.trust)
        assert (ours.trust, theirs.trust) == (0.72, 0.9)
        assert (hearsay(ours), hearsay(theirs)) == ({"heard_from": "Zed"}, {})
        assert [one["origin"] for one in sources_of(ours)] == ["ev0", "ev1"]
        self.charlie.move_to(self.street, quiet=True)
        self.model.say("Everybody, the miller Otto burned his barn down.")
        self.does(self.dora, "say Bob, what of Otto?")
        flush(self.resident(self.charlie).mind)
        row = self.said_to(self.charlie)
        assert {author for author, _ in self.sources(row)} == {"e-zed"}

    def test_it_asks_no_model(self):
        """Passing on costs no call beside the one that spoke."""
        self.is_told()
        self.meet(self.alice)
        before = len(self.model.requests)
        self.speaks(self.alice, f"Bob, {RETOLD_BY_ALICE}")
        assert len(self.model.requests) == before + 1
