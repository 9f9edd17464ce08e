"""The command `ainote` and its forms: a director's note is given, seen, taken back, on record."""

import re

import pytest

from ai_assistant.api.desk.noting import give_note, notes_of, term_of
from ai_assistant.commands.desk.ainote import CmdAINote
from ai_assistant.commands.records.aiaudit import CmdAIAudit
from ai_assistant.core.errors import AssistantError
from ai_assistant.models import AssistantEvent, Memory
from tests.evennia.pages import PagesTestCase

HURRY = "You are in a hurry tonight."


class TestStaffNotes(PagesTestCase):
    def note(self, line, caller=None):
        return self.types(CmdAINote, line, caller)

    def records(self):
        kinds = AssistantEvent.objects.filter(type__startswith="StaffNote").order_by("pk")
        return list(kinds.values_list("type", "data__by"))

    def test_by_command(self):
        """It is given for five turns or as said, listed, taken back, and all of it on record."""
        assert "for 5 more turns" in self.note(f" marrek = {HURRY}")
        assert "for 1 more turn," in self.note(" marrek = Look for your ring. for 1 turn")
        assert "until 2" in self.note(" marrek = Be loud. for 2 hours")
        listed = self.note(" marrek")
        assert HURRY in listed
        assert "Look for your ring." in listed
        self.note("/remove marrek = 2")
        assert [one["content"] for one in notes_of(self.marrek)] == [HURRY, "Be loud."]
        by = self.char1.key
        given = [("StaffNoteGiven", by)] * 3
        assert self.records() == [*given, ("StaffNoteTakenBack", by)]
        told = self.types(CmdAIAudit, "/events marrek = note")
        assert re.search(r"until:\s+20\d\d-", told)

    def test_what_does_not_fit_is_refused(self):
        """Too long, for too long, or of a number that there is not: nothing is given."""
        assert "at most 300" in self.note(f" marrek = {'x' * 301}")
        assert "turns" in self.note(" marrek = Be brief. for 0 turns")
        assert "days" in self.note(" marrek = Be brief. for 90 days")
        assert "No director's note of that number" in self.note("/remove marrek = 7")
        assert notes_of(self.marrek) == []
        for typed in ("5 apples", "soon", "5"):
            with pytest.raises(AssistantError):
                term_of(typed)

    def test_words_that_only_sound_like_a_term_stay(self):
        """A sentence that ends otherwise is given whole, for the usual time."""
        self.note(" marrek = Wait for Alice.")
        assert notes_of(self.marrek)[0]["content"] == "Wait for Alice."

    def test_who_may_not_edit_it_only_looks(self):
        """They see what stands, and give nothing."""
        assert "You may not change" in self.note(f" marrek = {HURRY}", self.builder)
        assert "No director's note" in self.note(" marrek", self.builder)

    def test_on_the_characters_page(self):
        """It is asked about, given, shown, and taken back."""
        assert HURRY in self.change("give_note", text=HURRY, term="2 turns").content.decode()
        assert notes_of(self.marrek) == []
        self.change("give_note", text=HURRY, term="2 turns", sure="yes")
        assert "for 2 more turns, by" in self.get("talk")
        self.change("take_note_back", note=notes_of(self.marrek)[0]["id"], sure="yes")
        assert "None stands." in self.get("talk")
        assert self.change("take_note_back", note="nonsense").status_code == 400

    def test_it_is_used_up_in_the_game(self):
        """The model reads it in the turns it was given for, and nothing of it is remembered."""
        give_note(self.marrek, HURRY, term_of("1 turn"), by="a test")
        for is_told in (True, False):
            self.model.say("Aye.")
            self.does(self.builder, "say Marrek, good day!")
            assert (HURRY in self.model.shown()) == is_told
        assert not Memory.objects.filter(content__contains="hurry").exists()
