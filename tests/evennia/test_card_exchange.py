"""Cards and lorebooks in the game: `ai/import`, `ai/export`, `ai/lore`, prototypes, the folder."""

import json
import tempfile
from io import StringIO
from pathlib import Path

import evennia
import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from evennia.prototypes.spawner import spawn
from evennia.utils import create

from ai_assistant.api import card_exchange, lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.stream import STREAM
from ai_assistant.models import AssistantEvent, MemoryBlock
from ai_assistant.roleplay.cards import card_from_bytes, card_to_bytes, read_card
from ai_assistant.storage.lorebooks import CharacterShelf
from tests.evennia.living import CommandTestCase, LivingTestCase, broken_database
from tests.evennia.stage import HOSTILE
from tests.unit.roleplay.decks import ALL, card, world_info


class CardCase:
    """A folder of cards that is gone after the test, and staff with a tall screen."""

    def setUp(self):
        super().setUp()
        for session in evennia.SESSION_HANDLER.values():
            session.protocol_flags["SCREENHEIGHT"] = {0: 200}
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        settings = override_settings(AI_ASSISTANT_CARDS=str(self.folder))
        settings.enable()
        self.addCleanup(settings.disable)

    def lay(self, name, raw):
        """Put a card or lorebook into the folder, as the ending says."""
        data = json.dumps(raw).encode()
        if name.endswith(".png"):
            data = card_to_bytes(read_card(raw))
        (self.folder / name).write_bytes(data)

    def file(self, name):
        """The card in a file of the folder."""
        return card_from_bytes((self.folder / name).read_bytes())

    def the(self, name):
        """The assistant of that name."""
        return next(one for one in lifecycle.all_assistants() if one.key == name)


class TestImport(CardCase, CommandTestCase):
    def test_a_card_comes_to_life(self):
        """Its character is here, with persona and lorebook, and answers by them."""
        self.lay("tansy.png", card(1, 3))
        told = self.ai("/import tansy.png")
        assert "Tansy Brewell is here and listens" in told
        self.steps.run()
        tansy = self.the("Tansy Brewell")
        persona = lifecycle.read_persona(tansy).value
        assert persona["char_description"] == "Innkeeper. {{char}} feeds everybody."
        assert "n1" in tansy.aliases.all()
        prompt = self.ai("/prompt tansy = Hello.")
        assert "Innkeeper. Tansy Brewell feeds everybody." in prompt
        assert "SECRET" not in prompt

    def test_lore_reaches_the_prompt(self):
        """An entry of the card's own book is there when its word falls."""
        raw = card(3, 2)
        raw["data"]["character_book"]["entries"][0] |= {"keys": ["ferry"], "content": "It leaks."}
        raw["data"]["character_book"]["entries"][0]["extensions"] = {}
        self.lay("x.json", raw)
        self.ai("/import x")
        self.steps.run()
        assert "It leaks." in self.ai("/prompt 雪乃 = Is the ferry safe?")
        assert "It leaks." not in self.ai("/prompt 雪乃 = Good evening.")
        assert "the word 'ferry'" in self.ai("/lore 雪乃 = The ferry!")
        assert "ferry" not in self.ai("/lore 雪乃 = Hm.")
        assert "ferry" in self.ai("/lore 雪乃")

    def test_onto_one_that_lives_already(self):
        """Its persona becomes the card's, its memory and what a card does not say stay."""
        marrek = self.an_assistant()
        self.ai("/persona marrek = home_location: The pier")
        self.ai("/persona marrek = scenario: Of old.")
        marrek.journal.add_journal_entry("The bridge fell.")
        raw = card(2, 1)
        del raw["scenario"]
        self.lay("zoe.json", raw)
        told = " ".join(self.ai("/import zoe.json = marrek").split())
        assert "keeps its name; it is told that it is known as Zoë de l'Étang." in told
        assert "name Marrek = Zoë de l'Étang renames it" in told
        persona = lifecycle.read_persona(marrek).value
        assert persona["home_location"] == "The pier"
        assert "scenario" not in persona
        assert self.resident(marrek).mind.persona == persona
        assert len(marrek.journal.entries) == 1
        assert self.names() == ["Marrek"]

    def test_one_prompt_has_one_name(self):
        """The name in the world; the card's beside it, until the character is renamed so."""
        marrek = self.an_assistant("Old Marrek")
        self.lay("zoe.json", card(2, 1))
        self.ai("/import zoe.json = marrek")
        told = self.ai("/prompt marrek = Hello.")
        assert "Name: Old Marrek\nKnown as: Zoë de l'Étang" in told
        marrek.key = "Zoë de l'Étang"
        told = self.ai("/prompt zoë = Hello.")
        assert "Name: Zoë de l'Étang" in told
        assert "Known as" not in told
        assert "Old Marrek" not in told

    def test_a_second_one_of_the_name_is_refused(self):
        """Nothing is made twice by mistake."""
        self.lay("a.json", card(0, 2))
        self.ai("/import a")
        assert "already" in self.ai("/import a")
        assert self.names() == ["Old Marrek"]

    def test_what_is_refused_changes_nothing(self):
        """No half character stays behind, whatever is wrong with the file."""
        (self.folder / "bad.json").write_text('{"spec": "chara_card_v2", "data": {"name": 7}}')
        (self.folder / "deep.json").write_text("[" * 200_000)
        (self.folder / "no.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
        for name in ("bad.json", "deep.json", "no.png"):
            told = self.ai(f"/import {name}")
            assert "Traceback" not in told
            assert "listens" not in told
        assert self.names() == []
        self.lay("a.json", card(0, 2))
        with broken_database("INSERT", "ai_assistant_block", "lorebook"):
            self.ai("/import a")
        assert MemoryBlock.objects.filter(label="card").count() == len(self.names())

    def test_only_files_of_the_folder(self):
        """No path leads elsewhere, nor does a link."""
        outside = self.folder.parent / "outside_of_cards.json"
        outside.write_text(json.dumps(card(0, 2)))
        self.addCleanup(outside.unlink)
        (self.folder / "link.json").symlink_to(outside)
        paths = ("../outside_of_cards.json", str(outside), "link.json", ".", "", "a\0b", "x" * 5000)
        for path in (*paths, *HOSTILE):
            assert "listens" not in self.ai(f"/import {path}")
        assert self.names() == []

    def test_the_folder_is_listed(self):
        """What there is to import."""
        assert "Put cards" in self.ai("/import")
        self.lay("a.json", card(0, 2))
        self.lay("b.png", card(1, 2))
        (self.folder / "notes.txt").write_text("x")
        told = self.ai("/import")
        assert "a.json" in told
        assert "b.png" in told
        assert "notes" not in told

    def test_a_large_card_fits(self):
        """More than a persona typed by hand may have."""
        raw = card(0, 2)
        raw["data"]["description"] = "word " * 3000
        self.lay("a.json", raw)
        self.ai("/import a")
        assert (
            len(lifecycle.read_persona(self.the("Old Marrek")).value["char_description"]) == 14_999
        )
        raw["data"] |= {"scenario": "word " * 4000, "mes_example": "w " * 9990}
        raw["data"]["first_mes"] = "word " * 4000
        self.lay("b.json", raw)
        assert "60000 characters" in self.ai("/import b")

    def test_lorebooks_are_for_admins(self):
        """A Builder makes characters; what all assistants read, an Admin gives."""
        self.lay("isle.json", world_info())
        self.lay("a.json", card(0, 2))
        assert "Only Admins" in self.ai("/import isle", self.builder)
        assert "listens" in self.ai("/import a", self.builder)
        assert "Only Admins" in self.ai("/export marrek", self.builder)
        assert "Only Admins" in self.ai("/lore = delete isle", self.builder)


class TestExport(CardCase, CommandTestCase):
    def test_all_cards_survive_the_game(self):
        """Twenty cards in three versions: imported, exported, imported again, unchanged."""
        marrek = self.an_assistant()
        for number, version in ALL:
            raw = card(number, version)
            for ending in ("json", "png"):
                self.lay(f"in.{ending}", raw)
                self.ai(f"/import in.{ending} = marrek")
                store = self.folder / f"out.{ending}"
                store.unlink(missing_ok=True)
                assert f"(v{version})" in self.ai(f"/export marrek = out.{ending}")
                assert self.file(store.name).raw == raw, (number, version, ending)
        assert lifecycle.read_persona(marrek).value["name"] == "Quill"

    def test_what_was_edited_is_in_it(self):
        """An edit in the game is exported; what nobody touched is as it came."""
        self.lay("a.png", card(1, 2))
        self.ai("/import a.png")
        self.ai("/persona tansy = char_description: Now a miller.")
        self.ai("/export tansy = a.png")
        data = self.file("a.png").data
        assert data["description"] == "Now a miller."
        assert data["creator_notes"] == card(1, 2)["data"]["creator_notes"]

    def test_another_version(self):
        """As asked for."""
        self.an_assistant()
        for version in (1, 2, 3):
            self.ai(f"/export marrek = v{version} m{version}.json")
            assert self.file(f"m{version}.json").version == version
        assert "server" not in self.ai("/export marrek")
        assert self.file("marrek.json").name == "Marrek"

    def test_the_picture_stays(self):
        """A card goes into the picture that is there, and nothing else of it changes."""
        self.lay("a.png", card(0, 3))
        self.ai("/import a.png")
        before, card_before = (self.folder / "a.png").read_bytes(), self.file("a.png")
        self.ai("/export marrek = a.png")
        after = (self.folder / "a.png").read_bytes()
        in_order = card_to_bytes(read_card(card(0, 3)), after)  # PostgreSQL has its own for keys
        assert in_order == before
        assert self.file("a.png") == card_before

    def test_nothing_else_is_overwritten(self):
        """Neither somebody else's card, nor what is none, nor a file elsewhere."""
        self.an_assistant()
        self.lay("tansy.json", card(1, 2))
        (self.folder / "notes.json").write_text("[1]")
        for file in (
            "tansy.json",
            "notes.json",
            "../x.json",
            "x.py",
            ".json",
            str(self.folder.parent / "x.json"),
        ):
            assert "is in" not in self.ai(f"/export marrek = {file}"), file
        assert self.file("tansy.json").raw == card(1, 2)
        assert (self.folder / "notes.json").read_text() == "[1]"


class TestLorebooks(CardCase, CommandTestCase):
    def lorebook(self, **entry):
        """A lorebook of the world with one entry."""
        return {
            "name": "Isle",
            "entries": [{"id": 1, "keys": ["ferry"], "content": "It leaks.", **entry}],
        }

    def test_a_world_book_is_for_all(self):
        """Every assistant knows it at once; a new import takes its place, and deleting ends it."""
        self.an_assistant()
        self.an_assistant("Orrin")
        self.lay("isle.json", self.lorebook())
        assert "1 entry" in self.ai("/import isle")
        for name in ("marrek", "orrin"):
            assert "It leaks." in self.ai(f"/prompt {name} = The ferry!")
        self.lay("isle.json", self.lorebook(content="It was mended."))
        self.ai("/import isle")
        assert "mended" in self.ai("/prompt marrek = The ferry!")
        assert "Isle" in self.ai("/lore")
        assert "gone" in self.ai("/lore = delete isle")
        assert "mended" not in self.ai("/prompt marrek = The ferry!")
        assert "there are: none yet" in self.ai("/lore = delete isle")

    def test_an_entry_is_shown_and_edited(self):
        """Field by field, by its name or its key; it counts at once, and is on record."""
        self.an_assistant()
        self.lay("isle.json", self.lorebook(name="The ferry"))
        self.ai("/import isle")
        shown = self.ai("/lore = show isle: the ferry")
        assert "It leaks." in shown
        assert "probability" in shown
        told = self.ai("/lore = edit isle: the ferry: keys: boat, raft")
        assert "Isle, The ferry: keys is now boat, raft." in told
        self.ai("/lore = edit isle: the ferry: content: It was mended: at last.")
        assert "It was mended: at last." in self.ai("/prompt marrek = A boat!")
        assert "mended" not in self.ai("/prompt marrek = The ferry!")
        changed = AssistantEvent.objects.filter(type="BlockChanged").latest("id").data
        assert (changed["by"], changed["did"]) == (self.char1.key, "write")

    def test_what_an_entry_cannot_hold_is_refused(self):
        """With what it can be; and builders see no more than before."""
        self.lay("isle.json", self.lorebook(name="The ferry"))
        self.ai("/import isle")
        entry = "/lore = edit isle: the ferry"
        assert "from 0 to 100" in self.ai(f"{entry}: probability: 101")
        assert "on or off" in self.ai(f"{entry}: enabled: maybe")
        assert "one of and_any" in self.ai(f"{entry}: logic: sometimes")
        assert "something to say" in self.ai(f"{entry}: content:")
        assert "no patterns" in self.ai(f"{entry}: keys: /a+/")
        assert "no field 'colour'" in self.ai(f"{entry}: colour: red")
        assert "no entry 'mill'" in self.ai("/lore = show isle: mill")
        assert "Usage: ai/lore" in self.ai(f"{entry}: content")
        assert "Only Admins" in self.ai("/lore = show isle: the ferry", self.builder)

    def test_tags_of_the_character_decide(self):
        """Evennia's tags: who bears them knows."""
        marrek = self.an_assistant()
        tags = {"extensions": {"ai_assistant": {"required_tags": ["Guild"]}}}
        self.lay("isle.json", self.lorebook(**tags))
        self.ai("/import isle")
        assert "It leaks." not in self.ai("/prompt marrek = The ferry!")
        marrek.tags.add("guild", category="faction")
        assert "It leaks." in self.ai("/prompt marrek = The ferry!")

    def test_what_sticks_survives_a_restart(self):
        """The count of messages is saved with the turn."""
        marrek = self.an_assistant()
        sticky = {"extensions": {"sticky": 9, "scan_depth": 1}}
        self.lay("isle.json", self.lorebook(**sticky))
        self.ai("/import isle")
        self.model.say("Aye.")
        self.does(self.char1, "say Marrek, the ferry!")
        assert "still in mind" in self.ai("/lore marrek = Hm.")
        marrek = self.crash(marrek)
        assert "It leaks." in self.ai("/prompt marrek = Well?")

    def test_a_turn_costs_one_query(self):
        """However many books there are, they are read again only when they changed."""
        marrek = self.an_assistant()
        for n in range(5):
            self.lay("isle.json", {**self.lorebook(), "name": f"Isle {n}"})
            self.ai("/import isle")
        shelf = CharacterShelf(marrek)
        assert len(shelf.books()) == 5
        with self.assertNumQueries(1):
            assert len(shelf.books()) == 5

    def test_a_deleted_character_takes_its_card_along(self):
        """Its books and card go with it; those of the world stay."""
        self.lay("a.json", card(1, 2))
        self.lay("isle.json", self.lorebook())
        self.ai("/import a")
        self.ai("/import isle")
        tansy = self.the("Tansy Brewell")
        owner = entity_id(tansy)
        assert MemoryBlock.objects.filter(owner=owner, label="card").exists()
        lifecycle.delete(tansy)
        assert not MemoryBlock.objects.filter(owner=owner).exists()
        assert MemoryBlock.objects.filter(owner="").exists()

    def test_hostile_names(self):
        """Whatever is typed or written comes back as plain text."""
        self.an_assistant()
        for line in HOSTILE:
            for verb in ("/lore marrek = ", "/lore = delete ", "/export marrek = ", "/lore "):
                assert "Traceback" not in self.ai(f"{verb}{line}")
        self.lay("isle.json", {"name": "|r$pad(x) {a}", "entries": [{"content": "x"}]})
        assert "|r" not in self.ai("/import isle")


class TestPrototypes(CardCase, CommandTestCase):
    def test_builders_spawn_a_card(self):
        """The prototype makes a body with mind, persona and lore, as often as one likes."""
        self.lay("tansy.json", card(1, 2))
        told = self.ai("/prototype tansy", self.builder)
        assert "spawn card_tansy_brewell" in told
        for _ in range(2):
            (made,) = spawn("card_tansy_brewell", caller=self.builder)
            made.location = self.inn
            self.steps.run()
            assert lifecycle.read_persona(made).value["dialogue_examples"].startswith("<START>")
            assert made.assistant_script
            assert store_of(made).read("stream") == STREAM.empty()
        assert self.names() == ["Tansy Brewell"] * 2

    def test_a_body_without_its_card(self):
        """Where the file is gone there is a body, and the log says why it has no mind."""
        self.lay("tansy.json", card(1, 2))
        self.ai("/prototype tansy")
        (self.folder / "tansy.json").unlink()
        (made,) = spawn("card_tansy_brewell")
        assert made.assistant_script is None
        assert "There is no card" in "\n".join(self.logged())

    def test_only_cards_with_plain_names(self):
        """No text of a prototype may be code."""
        self.lay("$choice(a).json", card(1, 2))
        self.lay("isle.json", world_info())
        assert "plain name" in self.ai("/prototype $choice(a).json")
        assert "not a card" in self.ai("/prototype isle")


class TestManagementCommand(CardCase, LivingTestCase):
    def run_it(self, *args):
        """Run `ai_import` on the folder; returns what it told."""
        out = StringIO()
        call_command("ai_import", str(self.folder), *args, stdout=out)
        return out.getvalue()

    def test_a_whole_folder(self):
        """Each file has a line with its number; cards live in the room, lorebooks are kept."""
        for number in range(4):
            self.lay(f"{number}.{'png' if number % 2 else 'json'}", card(number, 2))
        self.lay("isle.json", world_info())
        told = self.run_it("--room", self.inn.dbref)
        assert "1/5 0.json: Old Marrek (version 2)" in told
        assert "4/5 3.png: 雪乃 (version 2), with 3 entries of lore" in told
        assert "5/5 isle.json: lorebook isle" in told
        assert "5 files, none refused" in told
        assert self.the("Tansy Brewell").location == self.inn

    def test_a_dry_run_changes_nothing(self):
        """It reads all, tells the same, and makes nobody."""
        self.lay("0.json", card(0, 2))
        self.lay("isle.json", world_info())
        assert "2 files, none refused" in self.run_it("--dry-run", "--room", self.inn.dbref)
        assert lifecycle.all_assistants() == []
        assert not MemoryBlock.objects.exists()

    def test_the_rest_goes_on(self):
        """A file that is refused stops no other, and the command fails in the end."""
        (self.folder / "0.json").write_text("{")
        self.lay("1.json", card(1, 2))
        out = StringIO()
        with pytest.raises(CommandError, match="Refused: 1 of 2 files"):
            call_command("ai_import", str(self.folder), "--room", self.inn.dbref, stdout=out)
        assert "1/2 0.json: refused: It is no JSON" in out.getvalue()
        assert "2/2 1.json: Tansy Brewell" in out.getvalue()

    def test_where(self):
        """The folder and the room must be there."""
        create.create_object("evennia.objects.objects.DefaultObject", key="spade", nohome=True)
        for room in ("#99999", "spade", ""):
            with pytest.raises(CommandError, match="not one room"):
                self.run_it("--room", room)
        with pytest.raises(CommandError, match="no folder"):
            call_command("ai_import", str(self.folder / "none"))


class TestGameCode(CardCase, LivingTestCase):
    def test_a_card_from_bytes(self):
        """Game code needs no folder."""
        read = card_exchange.read_bytes(card_to_bytes(read_card(card(1, 3))), "upload.png")
        made = card_exchange.import_card(read, location=self.inn)
        assert card_exchange.exported(made).raw == card(1, 3)
        assert card_exchange.exported(made, 1).version == 1
