"""A persona drafted from one sentence: paid by the staff, taken field by field, undone."""

import json

from ai_assistant.agent.attention.budget import STAFF
from ai_assistant.api import lifecycle
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.handlers import store_of
from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.commands.desk.aidraft import CmdAIDraft
from ai_assistant.models import BlockVersion
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import npc_id
from ai_assistant.storage.history.block_history import versions
from tests.evennia.test_trying import TryingTestCase

SENTENCE = "a ferryman who lost his boat"
DRAFT = {"role": "ferryman", "interests": ["boats", "rivers"], "nonsense": 7, "lore": [{}]}


class DraftTestCase(TryingTestCase):
    def persona(self):
        return lifecycle.read_persona(self.marrek).value

    def drafts(self, answer=None):
        """Let the next call of a model answer with a draft."""
        self.model.text(answer or f"Here it is:\n{json.dumps(DRAFT)}")


class TestByCommand(DraftTestCase):
    def draft(self, *typed):
        """Ask for a draft, and type these into the menu; returns the last that was shown."""
        self.types(CmdAIDraft, f" marrek = {SENTENCE}")
        for line in typed:
            self.char1.ndb._evmenu.parse_input(line)
            self.steps.run()

    def test_what_was_taken_is_written_at_the_end(self):
        """Field by field: one is taken, one typed anew; nothing stands there before the last."""
        self.drafts()
        before = self.persona()
        self.draft("1", "ropes, eels")
        assert self.persona() == before
        self.char1.ndb._evmenu.parse_input("1")
        found = self.persona()
        assert (found["role"], found["interests"]) == ("ferryman", ["ropes", "eels"])

    def test_what_was_left_stays(self):
        """Leaving all of it, or the menu, writes nothing."""
        for way in (("2", "2", "1"), ("1", "q"), ("q",)):
            self.drafts()
            before = self.persona()
            self.draft(*way)
            assert self.persona() == before

    def test_the_model_is_told_the_sentence_and_who_it_is(self):
        """As data; the staff's budget pays."""
        change_persona(self.marrek, {"role": "miller"}, by="a test")
        self.drafts()
        self.draft()
        asked = self.model.requests[-1]
        told = json.loads(asked.messages[-1].content)
        assert (told["sentence"], told["now"]["role"]) == (SENTENCE, "miller")
        assert asked.assistant == STAFF

    def test_an_answer_that_is_no_draft(self):
        """It is said, and no menu opens."""
        self.drafts("I would rather not.")
        assert "no draft" in self.types(CmdAIDraft, f" marrek = {SENTENCE}")
        assert not self.char1.ndb._evmenu
        assert "one sentence" in self.types(CmdAIDraft, " marrek")


class TestOnThePage(DraftTestCase):
    def test_it_is_asked_for_and_each_field_can_be_taken(self):
        """The draft stands beside what is now; a field goes the way of any change of a persona."""
        self.drafts()
        self.post("begin_draft", sentence=SENTENCE)
        page = self.get("draft")
        assert "boats; rivers" in page
        version = lifecycle.read_persona(self.marrek).version
        assert f'name="version" value="{version}"' in page
        self.change("persona", version=version, interests="boats; rivers", sure="yes")
        assert self.persona()["interests"] == ["boats", "rivers"]
        assert "role" not in self.persona()

    def test_versions_are_shown_and_undone(self):
        """Who wrote what, as the block has it; the latest change is taken back."""
        change_persona(self.marrek, {"role": "miller"}, by="Ada")
        change_persona(self.marrek, {"role": "king"}, by="Ada")
        assert self.get("persona").count("set role") == 2
        asked = self.change("undo_block", block="persona").content.decode()
        assert "king" in asked
        assert "miller" in asked
        self.change("undo_block", block="persona", sure="yes")
        assert self.persona()["role"] == "miller"
        assert BlockVersion.objects.filter(restores__isnull=False).count() == 1

    def test_any_version_is_brought_back_at_once(self):
        """By the page and by the command, which also refuse one that is not kept."""
        for role in ("miller", "king", "beggar", "queen"):
            change_persona(self.marrek, {"role": role}, by="Ada")
        now = lifecycle.read_persona(self.marrek).version
        self.change("undo_block", block="persona", version=now - 3, sure="yes")
        assert self.persona()["role"] == "miller"
        assert f"version {now - 1}" in self.types(CmdAIBlock, f"/undo marrek = persona {now - 1}")
        assert self.persona()["role"] == "beggar"
        assert "no version 99" in self.types(CmdAIBlock, "/undo marrek = persona 99")

    def test_each_version_tells_what_turns_came_to_by_it(self):
        """Turns, tokens and marks count for the version that held when the turn was."""
        change_persona(self.marrek, {"role": "miller"}, by="Ada")
        self.model.say("Aye.")
        self.does(self.builder, "say Marrek, who are you?")
        turn = store_of(self.marrek).read("stream")["entries"][-1]["turn_id"]
        self.change("mark", turn=turn, good="no", wanted="Aye.", sure="yes")
        change_persona(self.marrek, {"role": "king"}, by="Ada")
        moves = (60, -60, -90)
        for version, moved in zip(versions("persona", npc_id(self.marrek)), moves, strict=True):
            BlockVersion.objects.filter(pk=version.pk).update(at=version.at + moved)
        SERVICE.shared.calls.write()
        rows = self.get("persona").split('<th scope="row" data-label="Version">')
        king, miller, first = rows[1:4]
        assert "no turns on record" in king
        assert "2 turns; " in miller
        assert "1 bad" in miller
        assert "no turns on record" in first
        assert "1 bad" in self.types(CmdAIBlock, "/history marrek = persona")
