"""Between two: what is said aloud to one alone, and noted as private, in a game."""

from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from tests.evennia.living import CommandTestCase


class TestBetweenTwo(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.char1.move_to(self.street, quiet=True)
        self.marrek, self.alice = self.an_assistant(), self.a_player("Alice")
        fact = {"fact": "Alice is Nellwyn by birth.", "about": "p1", "private": True}
        self.model.calls(("note", fact), ("say", {"text": "Nobody shall hear it, Nellwyn."}))

    def confides(self):
        self.does(self.alice, "say Marrek, I am Nellwyn, but that stays between us.")

    def labels(self):
        rows = Memory.objects.filter(container=entity_id(self.marrek), content__contains="Nellwyn")
        return {row.readers for row in rows}

    def test_it_is_kept_for_her_alone(self):
        """She hears the answer; before whoever comes later it is in no prompt."""
        self.confides()
        assert any("Nobody shall hear it" in line for line in self.screen(self.alice))
        assert self.labels() == {entity_id(self.alice)}
        assert "Nellwyn" in self.ai("/prompt marrek = alice: Who am I?")
        self.a_player("Bob")
        for asking in ("bob: Who is she?", "alice: Who am I?"):
            assert "Nellwyn" not in self.ai(f"/prompt marrek = {asking}")

    def test_before_others_it_stays_open(self):
        """What Bob heard as well he may be told again."""
        self.a_player("Bob")
        self.confides()
        assert self.labels() == {"*"}
