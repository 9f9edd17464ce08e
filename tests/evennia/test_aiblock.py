"""The command `aiblock`: staff see blocks in both forms, mend them, and take that back."""

from ai_assistant.api import blocks
from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.game.identity import entity_id
from ai_assistant.storage import npc_id, read_block
from tests.evennia.living import CommandTestCase

FACT = "The bridge is repaired."


class TestBlockCommand(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.alice = self.a_player("Alice")

    def block(self, line, caller=None):
        return self.types(CmdAIBlock, line, caller)

    def facts(self):
        social = read_block("shared_social", npc_id(self.marrek)).value
        return [one["content"] for one in social.get("recent_facts", ())]

    def test_blocks_are_listed(self):
        """Those of everybody, and those of each assistant with size, limit and version."""
        blocks.announce("War!")
        blocks.get_or_create_global_block("house_rules")
        told = self.block("")
        for words in ("global_knowledge", "house_rules", "Marrek"):
            assert words in told, told
        told = self.block(" marrek")
        for words in ("persona", "a view", "shared_social", "6000", "house_rules"):
            assert words in told, told

    def test_both_forms_are_shown(self):
        """As it is stored, and as the model sees it; private of one person."""
        blocks.share_fact(self.marrek, FACT)
        told = self.block("/show marrek = shared_social")
        assert "recent_facts:" in told
        assert f"Known Facts:\n- {FACT}" in told
        secret = {"readers": entity_id(self.alice)}
        self.marrek.profiles.add_entity_observation(self.alice, "Hid the crown.", **secret)
        assert "Secrets: Hid the crown." in self.block("/show marrek = private@alice")
        assert "With whom" in self.block("/show marrek = private")
        assert "Your Persona:" in self.block("/visible marrek")
        assert "Hid the crown." in self.block("/visible marrek = alice")
        assert "War!" not in self.block("/show world = global_knowledge")

    def test_a_full_block_says_so(self):
        """In words, not by the name of its field."""
        self.block("/limit marrek = shared_social 500")
        self.refused(blocks.share_fact, self.marrek, "y" * 400)
        told = self.block("/show marrek = shared_social")
        assert "It waits to be summarised." in told
        assert "compaction" not in told

    def test_readers_are_named(self):
        """Who may read which lines, by their names."""
        blocks.share_fact(self.marrek, FACT)
        blocks.share_fact(self.marrek, "Alice pays.", readers=entity_id(self.alice))
        told = self.block("/readers marrek = shared_social")
        assert "everybody" in told
        assert "Alice" in told
        assert "open" in self.block("/readers marrek = persona")

    def test_lines_are_edited_by_words(self):
        """Added, replaced where unmistakable, taken out."""
        assert FACT in self.block(f"/edit marrek = shared_social fact: {FACT}")
        self.block("/edit marrek = shared_social fact: The mill is closed.")
        assert "2 times" in self.block("/edit marrek = shared_social fact: The -> A")
        self.block("/edit marrek = shared_social fact: bridge -> ford")
        assert self.facts() == ["The ford is repaired.", "The mill is closed."]
        assert "taken out" in self.block(
            "/edit marrek = shared_social fact: The mill is closed. ->"
        )
        assert self.facts() == ["The ford is repaired."]

    def test_talks_of_several_are_edited_by_words(self):
        """Who talked and of what: added, replaced, taken out, and taken back."""

        def talks():
            social = read_block("shared_social", npc_id(self.marrek)).value
            return [
                (one["participants"], one["topic"]) for one in social.get("group_interactions", ())
            ]

        self.block("/edit marrek = shared_social talk: Alice, Bob: the market fire")
        assert talks() == [(["Alice", "Bob"], "the market fire")]
        assert "is now: Alice, Ann: the mill" in self.block(
            "/edit marrek = shared_social talk: Bob: the market fire -> Ann: the mill"
        )
        assert talks() == [(["Alice", "Ann"], "the mill")]
        assert "Say who talked" in self.block("/edit marrek = shared_social talk: Alice, Ann ->")
        assert "taken out" in self.block(
            "/edit marrek = shared_social talk: Alice, Ann: the mill ->"
        )
        assert talks() == []
        self.block("/undo marrek = shared_social")
        assert talks() == [(["Alice", "Ann"], "the mill")]
        assert "no 'talk'" in self.block("/edit world = global_knowledge talk: mill -> fire")

    def test_the_world_is_edited(self):
        """Events, lore and places of everybody."""
        for line in ("event: The tower fell.", "lore: Old.", "place: Market - A busy hub."):
            self.block(f"/edit world = global_knowledge {line}")
        self.block("/edit world = global_knowledge event: tower -> northern tower")
        world = read_block("global_knowledge").value
        assert world["recent_events"][0]["content"] == "The northern tower fell."
        assert (world["lore"], world["locations"][0]["description"]) == ("Old.", "A busy hub.")

    def test_persona_and_status_are_edited_by_field(self):
        """The running mind has the persona at once; a status field is taken back with none."""
        self.block("/edit marrek = persona role: king")
        assert self.resident(self.marrek).mind.persona["role"] == "king"
        self.block("/edit marrek = status engagement: Patrolling")
        assert blocks.get_status(self.marrek)["engagement"] == "Patrolling"
        self.block("/edit marrek = status engagement: none")
        assert blocks.get_status(self.marrek)["engagement"] == "idle"

    def test_a_change_is_on_record_and_taken_back(self):
        """History says who; undo brings back what stood there."""
        self.block("/edit marrek = persona role: king")
        self.block("/edit marrek = persona role: beggar")
        told = self.block("/history marrek = persona")
        assert "Ada" in told
        assert "designer" in told
        assert "as it was" in self.block("/undo marrek = persona")
        assert blocks.read_persona(self.marrek).value["role"] == "king"
        self.block(f"/edit marrek = shared_social fact: {FACT}")
        self.block("/edit marrek = shared_social fact: Another.")
        self.block("/undo marrek = shared_social")
        assert self.facts() == [FACT]
        assert "undo to 1" in self.block("/history marrek = shared_social")

    def test_views_are_mended_elsewhere(self):
        """Private and tasks have commands of their own."""
        for verb in ("/history", "/undo"):
            for label in ("private", "tasks"):
                assert "That is a view" in self.block(f"{verb} marrek = {label}")

    def test_limits(self):
        """A new limit holds for the next write."""
        assert "500" in self.block("/limit marrek = shared_social 500")
        told = self.block(f"/edit marrek = shared_social fact: {'x' * 250}")
        assert "500 characters fit" in self.block(f"/edit marrek = shared_social fact: {'y' * 390}")
        assert "added" in told
        assert "from 500 to" in self.block("/limit marrek = shared_social 7")

    def test_bodies_are_joined_and_parted(self):
        """Two assistants become one character and are two again."""
        twin = self.an_assistant("Tansy")
        assert "body of the character" in self.block("/share tansy = marrek")
        assert npc_id(twin) == npc_id(self.marrek)
        assert "Tansy" in self.block("")
        assert "by itself again" in self.block("/part tansy")
        assert npc_id(twin) == entity_id(twin)

    def test_blocks_of_the_games_own(self):
        """Lines of a global one, and of a shared one through its owner."""
        blocks.get_or_create_global_block("rules")
        blocks.get_or_create_shared_block("guild", [self.marrek])
        self.block("/edit world = rules line: No fire.")
        self.block("/edit marrek = guild line: Meet at dawn.")
        self.block("/edit marrek = guild line: dawn -> dusk")
        assert "Meet at dusk." in self.block("/show marrek = guild")
        assert "No fire." in self.block("/show world = rules")

    def test_what_makes_no_sense(self):
        """Each mistake is one clear line."""
        for line, told in (
            ("/show marrek", "Which block? There are: persona"),
            ("/show marrek = private", "private@alice"),
            ("/readers marrek = private", "private@alice"),
            ("/show nobody = persona", "no assistant 'nobody'"),
            ("/edit marrek = shared_social colour: red", "only: fact"),
            ("/edit marrek = shared_social fact:", "Usage"),
            ("/undo marrek = status", "never written"),
        ):
            assert told in self.block(line), line

    def test_builders_look_and_admins_change(self):
        """A Builder may not edit."""
        assert "Only Admins" in self.block("/edit marrek = persona role: king", self.builder)
        assert "persona" in self.block(" marrek", self.builder)

    def test_blocks_are_made_shared_and_deleted(self):
        """Who joins has its lines before its eyes, who leaves has not."""
        tansy, quill = self.an_assistant("Tansy"), self.an_assistant("Quill")
        assert "Marrek, Tansy" in self.block("/create marrek, tansy = Night Watch")
        self.block("/edit marrek = night_watch line: Nobody passes after dark.")
        assert "after dark" in blocks.visible(tansy)
        assert "after dark" not in blocks.visible(quill)
        self.block("/join quill = night_watch")
        self.block("/leave tansy = night_watch")
        assert "after dark" in blocks.visible(quill)
        assert "after dark" not in blocks.visible(tansy)
        assert blocks.sharing("night_watch", quill) == [self.marrek, quill]
        self.types(CmdAIBlock, "/delete quill = night_watch", answers=["no"])
        assert "after dark" in blocks.visible(quill)
        told = self.types(CmdAIBlock, "/delete quill = night_watch", answers=["yes"])
        assert "is gone" in told
        assert "after dark" not in blocks.visible(self.marrek)

    def test_what_cannot_be_deleted_or_joined_is_said(self):
        """One of the six, one that is not there, one that it does not share."""
        self.block("/create world = house_rules")
        assert "cannot be the name" in self.block("/delete marrek = persona")
        assert "only: house_rules" in self.block("/delete marrek = moon")
        assert "no block 'house_rules' that characters share" in self.block(
            "/join marrek = house_rules"
        )
        self.an_assistant("Tansy")
        self.an_assistant("Quill")
        self.block("/create tansy, quill = watch")
        assert "does not share" in self.block("/leave marrek = watch")
        assert self.types(CmdAIBlock, "/delete world = house_rules", answers=["yes"])
        assert "house_rules" not in self.block("")
