"""Who knows what of a scene, as a file: under fixed names, for people and for programs."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from django.test import override_settings

from ai_assistant.api import staging
from ai_assistant.game.identity import entity_id
from ai_assistant.roleplay.recollection import thought
from tests.evennia.test_commands_scene import SceneCommandCase


class TestReports(SceneCommandCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=str(self.folder)))

    def played(self):
        """Let Pia and Bob talk in the lair on day 5; returns the scene."""
        scene = self.playing()
        self.aiscene("/set sword = location: lair")
        self.talk()
        return scene

    def exported(self, asked, file="told.json"):
        """Export what is asked, and return what is in the file."""
        assert f"/{file}" in self.aiscene(f"/export sword = {file} {asked}")
        text = (self.folder / file).read_text()
        return json.loads(text) if file.endswith(".json") else text

    def test_lines_go_out_under_the_names_of_the_seed(self):
        """Who took part and how surely, what each learnt with it, and how the scene stands."""
        scene, pia, bob = self.played(), entity_id(self.pia), entity_id(self.bob)
        found = self.exported("why")
        assert (found["currentScene"], found["gameDay"], found["isWhole"]) == ("lair", 5, True)
        assert found["names"] == {pia: "Pia", bob: "Bob"}
        asked, answer = found["messages"]
        assert asked["containerTag"] == f"{scene.id}-world"
        assert asked["content"] == "Message: Pia: Bob, the gate is open. GameDay: 5"
        assert asked["actualParticipants"] == [pia, bob]
        assert asked["confidence"] == {pia: 1.0, bob: 0.95}
        assert answer["speaker"] == bob
        assert "The party moved from tavern to lair" in asked["worldKnowledge"][bob]

    def test_memories_go_out_with_their_facts(self):
        """What one has, with speaker, participants, isSpeaker, place and day."""
        scene, bob = self.played(), entity_id(self.bob)
        [own] = self.exported("knows bob where author_name = Pia")["containers"]
        assert own["containerTag"] == f"{scene.id}-{bob}"
        [row] = own["memories"]
        assert (row["isSpeaker"], row["location"], row["gameDay"]) == (False, "lair", 5)
        assert row["content"] == "Bob, the gate is open."
        both = self.exported("who gate is open", "gate.json")["containers"]
        assert {one["characterId"] for one in both} == {entity_id(self.pia), bob}

    def test_what_one_alone_learnt_with_a_line_is_told_of_that_one(self):
        """News for Bob's ears only are among what he learnt, and not among what Pia did."""
        self.playing()
        staging.record_update(self.pia, "Pia is the heir", "status", readers=entity_id(self.bob))
        self.talk()
        learnt = self.exported("why")["messages"][0]["worldKnowledge"]
        assert "Pia is the heir" in learnt[entity_id(self.bob)]
        assert "Pia is the heir" not in learnt.get(entity_id(self.pia), ())

    def test_the_worlds_record_goes_out_with_its_facts(self):
        """Every line and update, of what type, and where the party was before."""
        scene = self.played()
        staging.record_update(self.bob, "Bob broke his arm", "injury")
        [record] = self.exported("world 50")["containers"]
        assert record["containerTag"] == f"{scene.id}-world"
        rows = {row["content"]: row for row in record["memories"]}
        moved = rows["The party moved from tavern to lair. GameDay: 5"]
        assert (moved["location"], moved["previousLocation"]) == ("lair", "tavern")
        hurt = rows["Bob broke his arm. GameDay: 5"]
        assert (hurt["type"], hurt["updateType"]) == ("character_update", "injury")
        assert hurt["characterId"] == entity_id(self.bob)
        told = self.exported("world gate", "world.md")
        assert "## the world" in told
        assert " Pia: Bob, the gate is open.\n" in told

    def test_the_same_is_there_to_be_read(self):
        """As Markdown, with names in the place of ids, and nothing of a player's that is markup."""
        self.playing()
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, the *gate* is <b>open</b>.")
        told = self.exported("who gate", "gate.md")
        assert "# The Sword: who gate" in told
        assert "## Bob" in told
        assert "\\*gate\\*" in told
        assert "Bob: 0.95 (addressed)" in self.exported("why", "why.md")

    def test_what_cannot_be_exported_is_told(self):
        """Another ending, a file that is there, a place elsewhere, nothing asked."""
        self.played()
        self.exported("why")
        for line, told in (
            ("told.json why", "There is a file told.json already"),
            ("told.txt why", "ends in .json or .md"), ("../told.json why", "is no file of"),
            ("other.md who", "which file?"), ("other.md what", "which file?"),
        ):  # fmt: skip
            assert told in self.aiscene(f"/export sword = {line}")
        assert [path.name for path in self.folder.iterdir()] == ["told.json"]

    def test_no_look_leaves_out_anything_in_silence(self):
        """Where more is known than is shown, that is said, and how to have all of it."""
        scene = self.played()
        many = [thought(entity_id(self.bob), "Bob", f"Aha {n}.", day=5) for n in range(2001)]
        staging.keep_rows(entity_id(self.bob), scene.id, many[:400])
        assert "the newest alone" not in self.aiscene("/knows sword = bob")
        staging.keep_rows(entity_id(self.bob), scene.id, many[400:600])
        for line in ("/knows sword = bob", "/who sword = aha"):
            assert "the newest alone" in self.aiscene(line), line
        assert len(self.exported("who aha")["containers"][0]["memories"]) == 600
        staging.keep_rows(entity_id(self.bob), scene.id, many[600:])
        assert not self.exported("knows bob", "more.json")["isWhole"]
        assert "there is more" in self.exported("who aha", "more.md")
