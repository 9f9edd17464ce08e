"""A whole errand in one turn: fetched from the next room, refused at a locked door, not found."""

from evennia.utils import create

from ai_assistant.core.model_records import ModelReply, ToolCall
from tests.evennia.living import LivingTestCase


class TestFetching(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.cellar = create.create_object("typeclasses.rooms.Room", key="The Cellar")
        for key, here, there in (("down", self.inn, self.cellar), ("up", self.cellar, self.inn)):
            create.create_object(
                "typeclasses.exits.Exit", key=key, location=here, destination=there
            )
        self.lantern = create.create_object(
            "typeclasses.objects.Object", key="an iron lantern", location=self.cellar
        )
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    def answers(self, text, *calls):
        """Queue an answer of words beside calls."""
        made = (ToolCall(f"{text}{at}", name, given) for at, (name, given) in enumerate(calls))
        self.model.replies.append(ModelReply(text=text, tool_calls=tuple(made)))

    def fetch(self):
        """Let Alice ask for the lantern; returns how often the model was asked."""
        self.does(self.alice, "say marrek, fetch the lantern from the cellar and bring it to me")
        return len(self.model.requests)

    def test_fetched_and_given_in_four_calls(self):
        """She sees him go with a word, and come back with the lantern and another."""
        self.answers("Two shakes!", ("move", {"to": "down"}))
        self.answers("", ("take", {"item": "lantern"}), ("move", {"to": "up"}))
        self.answers("Here it is.", ("give", {"item": "lantern", "to": "Alice"}))
        assert self.fetch() <= 4
        assert self.lantern.location == self.alice
        seen = " ".join(self.screen(self.alice))
        assert seen.index("Two shakes!") < seen.index("Here it is.")

    def test_a_locked_door_is_told_as_it_is(self):
        """What keeps him from going reaches the model in the game's own words."""
        (way,) = [one for one in self.inn.exits if one.key == "down"]
        way.locks.add("traverse:false()")
        way.db.err_traverse = "The trapdoor is locked."
        self.answers("I am on my way!", ("move", {"to": "down"}))
        self.answers("The trapdoor is locked, I am sorry.")
        self.fetch()
        assert "The trapdoor is locked." in self.model.shown()
        assert self.marrek.location == self.inn
        assert "locked, I am sorry" in " ".join(self.screen(self.alice))

    def test_a_hidden_lantern_is_not_found(self):
        """What he cannot see he cannot take, and he comes back to say so."""
        self.lantern.locks.add("view:false()")
        self.answers("", ("move", {"to": "down"}))
        self.answers("", ("take", {"item": "lantern"}), ("move", {"to": "up"}))
        self.answers("There is no lantern down there.")
        self.fetch()
        assert self.lantern.location == self.cellar
        assert "no lantern down there" in " ".join(self.screen(self.alice))
