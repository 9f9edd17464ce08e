"""The character: hooks that hear, hooks that the game keeps, and a body that others may wear."""

from evennia.objects.objects import DefaultCharacter
from evennia.utils import create

from ai_assistant.api import lifecycle
from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.service import SERVICE
from ai_assistant.typeclasses import AssistantMixin
from tests.evennia.living import LivingTestCase
from tests.evennia.stage import HOSTILE

CALLS = []


class Choosy(DefaultCharacter):
    """A game's own character, which notes what its hooks are told and dislikes rudeness."""

    def at_msg_receive(self, text=None, from_obj=None, **kwargs):
        CALLS.append("heard")
        return "stinking" not in str(text)

    def at_object_receive(self, moved_obj, source_location, **kwargs):
        CALLS.append(f"got {moved_obj.key}")
        super().at_object_receive(moved_obj, source_location, **kwargs)

    def at_post_puppet(self, **kwargs):
        CALLS.append("puppeted")
        super().at_post_puppet(**kwargs)

    def at_object_delete(self):
        CALLS.append("deleted")
        return self.db.immortal is not True


class ChoosyNpc(AssistantMixin, Choosy):
    """The same with a mind."""


class TestHooks(LivingTestCase):
    def setUp(self):
        super().setUp()
        CALLS.clear()
        self.alice = self.a_player("Alice")
        self.npc = create.create_object(ChoosyNpc, key="Nora", location=self.inn, home=self.inn)
        lifecycle.adopt(self.npc)
        self.steps.run()

    def test_the_games_hooks_run(self):
        """Every hook of ours passes on to the class of the game."""
        self.a_thing("coin", self.alice)
        self.model.say("Thanks.")
        self.does(self.alice, "give coin to Nora")
        assert {"heard", "got coin"} <= set(CALLS)

    def test_what_the_game_keeps_from_it(self):
        """What the game's own hook drops was not perceived."""
        self.does(self.alice, "say Nora, you stinking fish!")
        assert not self.model.requests
        assert not self.resident(self.npc).mind.heard

    def test_the_games_veto_to_deletion(self):
        """Where the game forbids to delete it, nothing is forgotten and it lives on."""
        self.npc.db.immortal = True
        assert not self.npc.delete()
        assert lifecycle.read_persona(self.npc).value["name"] == "Nora"
        self.model.say("Still here.")
        self.does(self.alice, "say Nora?")
        assert 'Nora says, "Still here."' in self.screen(self.alice)

    def test_before_it_has_a_mind(self):
        """A character of such a class is an ordinary one until it is adopted."""
        other = create.create_object(ChoosyNpc, key="Olga", location=self.inn, home=self.inn)
        self.does(self.alice, "say Hello, Olga!")
        self.does(self.alice, "whisper Olga = psst")
        assert entity_id(other) not in SERVICE.residents
        assert other.assistant_script is None
        assert other.delete()

    def test_hostile_lines(self):
        """Whatever is said within its hearing, the speaker and the server notice nothing."""
        self.a_player("Bob")
        for line in HOSTILE:
            self.npc.msg(text=(f'Alice says, "{line}"', {"type": "say"}), from_obj=self.alice)
        self.npc.msg(text=None)
        self.npc.msg(text=("", {}), from_obj=self.alice)
        self.npc.msg(text=("x", {"type": "say"}), from_obj="nobody")
        self.steps.run()
        mind = self.resident(self.npc).mind
        heard = [event.content for event in mind.heard]
        heard += [entry["content"] for entry in mind.store.view("stream")["entries"]]
        assert len(heard) == len(["Bob arrives.", *HOSTILE])
        assert not set("".join(heard)) & set("|{}\\\x1b\x00\x9b\u202e")

    def test_error_while_sensing(self):
        """An error in perception is logged with its traceback, and the line arrives elsewhere."""
        bob = self.a_player("Bob")
        self.alice.get_display_name = self.odd_name
        self.npc.msg(text=('Alice says, "Hello!"', {"type": "say"}), from_obj=self.alice)
        del self.alice.get_display_name
        assert "from_msg of Nora: ZeroDivisionError" in "".join(self.logged())
        self.does(self.alice, "say Nice weather!")
        assert 'Alice says, "Nice weather!"' in self.screen(bob)

    def odd_name(self, looker=None, **kwargs):
        """Break as a game's own code may."""
        return str(1 // (looker is not self.npc))


class TestBody(LivingTestCase):
    def test_worn_and_left(self):
        """A player may wear it and take it elsewhere; there it stays, and listens again."""
        marrek, alice = self.an_assistant(), self.a_player("Alice", self.street)
        marrek.locks.add("puppet:all()")
        session = self.a_player("Staff", self.street).sessions.all()[0]
        session.account.puppet_object(session, marrek)
        self.does(marrek, "say I am not myself.")
        marrek.move_to(self.street, quiet=True)
        self.does(alice, "say Hello, Marrek!")
        assert not self.model.requests
        session.account.unpuppet_object(session)
        assert marrek.location == self.street
        assert not marrek.attributes.has("prelogout_location")
        self.model.say("Hello, Alice.")
        self.does(alice, "say Hello, Marrek!")
        assert 'Marrek says, "Hello, Alice."' in self.screen(alice)

    def test_renamed(self):
        """Under a new name it answers to that name, and is the same person."""
        marrek, alice, _ = self.an_assistant(), self.a_player("Alice"), self.a_player("Bob")
        before = entity_id(marrek)
        marrek.key = "Berta"
        self.does(alice, "say Hello, Marrek!")
        assert not self.model.requests
        self.model.say("Yes?")
        self.does(alice, "say Hello, Berta!")
        assert 'Berta says, "Yes?"' in self.screen(alice)
        assert entity_id(marrek) == before

    def test_flushed_from_memory(self):
        """When Evennia empties its cache, the assistant hears and answers all the same."""
        marrek, alice = self.an_assistant(), self.a_player("Alice")
        marrek.flush_from_cache(force=True)
        self.inn.contents_cache.init()
        renamed = type(marrek).objects.get(pk=marrek.pk)
        assert renamed is not marrek
        renamed.key = "Berta"
        self.model.say("Yes?")
        self.does(alice, "say Hello, Berta!")
        assert 'Berta says, "Yes?"' in self.screen(alice)
