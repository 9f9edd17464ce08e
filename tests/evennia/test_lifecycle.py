"""The life of an assistant: made, adopted, stopped, configured, and gone without a trace."""

from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from evennia.comms.models import ChannelDB
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter, DefaultObject
from evennia.scripts.models import ScriptDB
from evennia.scripts.scripts import DefaultScript
from evennia.utils import create

from ai_assistant.api import blocks, lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.api.release import FORMER_LIFE, release, resting_bodies
from ai_assistant.game.identity import CATEGORY, ID_KEY, entity_id, is_assistant
from ai_assistant.models import AssistantEvent, Memory, MemoryBlock, PendingEvent
from ai_assistant.runtime.service import SERVICE
from ai_assistant.typeclasses import AssistantCharacter, AssistantMixin
from tests.evennia.living import LivingTestCase, broken_database
from tests.evennia.storehouse import forget_caches
from tests.evennia.test_database_away import locked

PROFILES = {
    "default": {"provider": "offline"},
    "clever": {"provider": "offline"},
}


class Killed(BaseException):
    """The process ends, as by SIGKILL."""


@contextmanager
def killed_after(writes):
    """Within, so many statements that write are let through."""
    left = [writes]

    def count(execute, sql, *rest):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield


class Npc(AssistantMixin, DefaultCharacter):
    """A game's own class."""


class TestCreate(LivingTestCase):
    def test_it_lives(self):
        """A new assistant stands in its room, with its persona and a heartbeat, and listens."""
        marrek = lifecycle.create_assistant(
            "Marrek", location=self.inn, persona={"name": "Marrek", "role": "ferryman"}
        )
        assert isinstance(marrek, AssistantCharacter)
        assert (marrek.location, marrek.home) == (self.inn, self.inn)
        assert is_assistant(marrek)
        assert lifecycle.read_persona(marrek).value["role"] == "ferryman"
        assert marrek.assistant_script.ndb._task.running
        assert entity_id(marrek) in SERVICE.residents
        told = [type for type in self.audited() if type != "StateChanged"]
        assert told == ["BlockChanged", "AssistantCreated"]

    def test_configuration_is_checked_first(self):
        """A value that does not fit leaves nothing behind."""
        before = ObjectDB.objects.count()
        for config in ({"tick_rate": 0}, {"nonsense": 1}, {"channels": {"Nowhere": "all"}}):
            assert self.refused(
                lifecycle.create_assistant, "Marrek", location=self.inn, config=config
            )
        assert (ObjectDB.objects.count(), ScriptDB.objects.count()) == (before, 0)

    def test_refused_half_way_leaves_nothing(self):
        """A persona that is too long, or a channel that is locked, and there is no character."""
        self.a_channel("Staff", "listen:perm(Admin)")
        before = ObjectDB.objects.count()
        make = lifecycle.create_assistant
        self.refused(make, "Marrek", location=self.inn, persona={"lore": ["x" * 13_000]})
        self.refused(make, "Marrek", location=self.inn, config={"channels": {"Staff": "all"}})
        assert (ObjectDB.objects.count(), ScriptDB.objects.count()) == (before, 0)
        assert MemoryBlock.objects.count() == 0
        assert lifecycle.all_assistants() == []

    def test_own_class_of_the_game(self):
        """The setting names what new assistants are; what cannot be one is refused by name."""
        with override_settings(AI_ASSISTANT_TYPECLASS=f"{__name__}.Npc"):
            assert isinstance(self.an_assistant(), Npc)
        for path in ("no.such.Thing", "evennia.objects.objects.DefaultObject", "nonsense"):
            with override_settings(AI_ASSISTANT_TYPECLASS=path):
                words = self.refused(lifecycle.create_assistant, "Ann", location=self.inn)
            assert "AI_ASSISTANT_TYPECLASS" in words
            assert path in words


class TestAdopt(LivingTestCase):
    def test_it_stays_what_it_is(self):
        """Attributes, tags, aliases, locks and command sets are as before, and it listens."""
        body = self.a_body("Marrek")
        body.db.desc = "An |rold|n man."
        body.db.coins = 7
        body.tags.add("shopkeeper")
        body.aliases.add("ferryman")
        body.locks.add("get:perm(Admin)")
        body.cmdset.add("evennia.commands.default.cmdset_character.CharacterCmdSet")
        before = [str(one) for one in body.cmdset.all()]
        assert lifecycle.adopt(body) is body
        assert isinstance(body, AssistantCharacter)
        assert ObjectDB.objects.get(pk=body.pk).db_typeclass_path.endswith("AssistantCharacter")
        assert body.db.coins == 7
        assert body.tags.has("shopkeeper")
        assert body.aliases.all() == ["ferryman"]
        assert "get:perm(Admin)" in str(body.locks)
        assert [str(one) for one in body.cmdset.all()] == before
        assert lifecycle.read_persona(body).value == {"name": "Marrek", "role": "An old man."}
        alice = self.a_player("Alice")
        self.model.say("At your service.")
        self.steps.run()
        self.does(alice, "say Hello, ferryman!")
        assert 'Marrek says, "At your service."' in self.screen(alice)

    def test_own_class_is_kept(self):
        """A class that has the mixin already needs no other."""
        body = create.create_object(Npc, key="Marrek", location=self.inn, home=self.inn)
        assert type(lifecycle.adopt(body)) is Npc

    def test_a_statue_may_be_adopted(self):
        """What is no character becomes one."""
        statue = create.create_object(DefaultObject, key="statue", location=self.inn)
        assert isinstance(lifecycle.adopt(statue), AssistantCharacter)

    def test_what_cannot_be_adopted(self):
        """Rooms, exits, assistants and whoever is played keep the minds they have."""
        assert "room" in self.refused(lifecycle.adopt, self.inn)
        assert "exit" in self.refused(lifecycle.adopt, self.door)
        assert "already" in self.refused(lifecycle.adopt, self.an_assistant())
        assert "belongs to a player" in self.refused(lifecycle.adopt, self.a_player("Alice"))

    def test_players_who_are_away_stay_players(self):
        """Whoever is not online just now is a player all the same."""
        alice = self.a_player("Alice")
        self.log_out(alice)
        assert "belongs to a player" in self.refused(lifecycle.adopt, alice)
        assert not isinstance(alice, AssistantMixin)

    def test_staff_characters_and_staff_work(self):
        """A superuser's own character is a player's; what a superuser built is not."""
        account = create.create_account("Boss", None, "a password!", is_superuser=True)
        own, _ = DefaultCharacter.create("Boss", account, location=self.inn, home=self.inn)
        account.db._last_puppet = own
        built, _ = DefaultCharacter.create("Guard", account, location=self.inn, home=self.inn)
        assert "belongs to a player" in self.refused(lifecycle.adopt, own)
        assert is_assistant(lifecycle.adopt(built))
        played, _ = DefaultCharacter.create("Alt", account, location=self.inn, home=self.inn)
        played.db.prelogout_location = self.inn
        assert "belongs to a player" in self.refused(lifecycle.adopt, played)

    def test_refused_adoption_changes_nothing(self):
        """Where the configuration does not fit, the body keeps its class."""
        self.a_channel("Staff", "listen:perm(Admin)")
        body = self.a_body("Marrek")
        for config in ({"tick_rate": 0}, {"channels": {"Staff": "all"}}):
            self.refused(lifecycle.adopt, body, config=config)
        assert type(body) is DefaultCharacter
        assert not is_assistant(body)

    def test_lost_script_is_mended(self):
        """Who lost its script gets a new one by adoption, and is still the same person."""
        marrek = lifecycle.create_assistant(
            "Marrek", location=self.inn, persona={"name": "Marrek", "role": "ferryman"}
        )
        marrek.assistant_script.delete()
        for call in (lifecycle.start, lifecycle.stop):
            assert "script" in self.refused(call, marrek)
        assert "script" in self.refused(lifecycle.configure, marrek, "tick_rate", "7")
        lifecycle.adopt(marrek)
        assert lifecycle.read_persona(marrek).value["role"] == "ferryman"
        assert entity_id(marrek) in SERVICE.residents


class Miller(DefaultCharacter):
    """Somebody of the game's own, with a life before it has a mind."""

    def at_init(self):
        self.ndb.mills = True


class TestRelease(LivingTestCase):
    def a_miller(self):
        """Return one with locks, commands, a script and a channel of its own."""
        bob = create.create_object(Miller, key="Bob", location=self.inn, home=self.street)
        bob.locks.add("get:perm(Admin);edit:perm(Developer)")
        bob.cmdset.add("evennia.commands.default.cmdset_character.CharacterCmdSet", persistent=True)
        bob.db.coins = 7
        bob.tags.add("shopkeeper")
        bob.aliases.add("miller")
        create.create_script(DefaultScript, key="grind", obj=bob)
        self.a_channel("Trade").connect(bob)
        return bob

    def life(self, obj):
        """Return all that a character is, as the database has it."""
        row = ObjectDB.objects.filter(pk=obj.pk).values().get()
        kept = (attribute.key for attribute in obj.attributes.all() if not attribute.category)
        channels = ChannelDB.objects.get_subscriptions(obj)
        others = [script.key for script in obj.scripts.all()]
        return row, {*kept}, obj.tags.all(), obj.aliases.all(), [*channels], others

    def test_it_gets_its_old_life_back(self):
        """Class, locks, commands, scripts, channels, tags: all is as before it was adopted."""
        bob = self.a_miller()
        before = self.life(bob)
        self.a_channel("Public")
        for keep in (True, False):
            lifecycle.adopt(bob, config={"channels": {"Public": "all"}, "daily_calls": 9})
            assert isinstance(bob, AssistantCharacter)
            assert release(bob, keep=keep, by="Ada") == f"{__name__}.Miller"
            assert type(bob) is Miller
            assert bob.ndb.mills
            assert entity_id(bob) not in SERVICE.residents
            assert lifecycle.all_assistants() == []
        assert self.life(bob) == before
        assert "AssistantReleased" in self.audited()

    def test_broken_off_it_is_done_again(self):
        """Whichever write (of every five) is the last before a crash, it can be finished."""
        for keep in (True, False):
            written = 0
            while True:
                bob = self.a_miller()
                before = self.life(bob)
                lifecycle.adopt(bob)
                try:
                    with killed_after(written):
                        release(bob, keep=keep, by="Ada")
                except Killed:
                    connection.set_rollback(False)  # what is not within a savepoint stays
                    SERVICE.residents.pop(entity_id(bob), None)
                    forget_caches()
                    bob = ObjectDB.objects.get(pk=bob.pk)
                    if bob in resting_bodies():
                        bob = lifecycle.adopt(bob)
                    if is_assistant(bob):
                        release(bob, keep=False, by="Ada")
                    written += 5
                else:
                    break
                assert self.life(bob) == before, written
                for character in (bob, self.a_channel("Trade")):
                    character.delete()
            assert written > 9

    def test_a_mind_that_rests_wakes_as_it_was(self):
        """Memories, people, goals and configuration are there again."""
        alice, bob = self.a_player("Alice"), self.a_miller()
        lifecycle.adopt(bob, config={"daily_calls": 900})
        bob.goals.add_goal("Mend the wheel.")
        self.steps.run()
        self.model.say("A fine cat.")
        self.does(alice, "say Bob, my cat is called Whiskers.")
        release(bob, keep=True, by="Ada")
        self.does(alice, "say Bob, my dog is called Rex.")
        lifecycle.adopt(bob)
        self.steps.run()
        assert bob.assistant_script.config["daily_calls"] == 900
        assert "Mend the wheel." in str(store_of(bob).read("goals"))
        self.model.say("Whiskers.")
        self.does(alice, "say Bob, what is my cat called?")
        assert "my cat is called Whiskers." in self.model.shown()
        assert "Rex" not in self.model.shown()

    def test_nothing_of_a_deleted_mind_is_left(self):
        """No row, no block, no Attribute of ours but its id."""
        alice, bob = self.a_player("Alice"), self.a_miller()
        lifecycle.adopt(bob)
        self.steps.run()
        self.model.say("Aye.")
        self.does(alice, "say Bob, my cat is called Whiskers.")
        release(bob, keep=False, by="Ada")
        assert not Memory.objects.filter(container=entity_id(bob)).exists()
        assert MemoryBlock.objects.count() == 0
        assert [one.key for one in bob.attributes.all() if one.category] == [ID_KEY]
        assert AssistantEvent.objects.get(type="AssistantArchived").data["by"] == "Ada"

    def test_one_that_was_made_as_an_assistant(self):
        """It becomes what the game's characters are, in its place."""
        marrek = self.an_assistant()
        assert release(marrek, keep=True, by="Ada") == settings.BASE_CHARACTER_TYPECLASS
        assert not isinstance(marrek, AssistantMixin)
        assert (marrek.key, marrek.location) == ("Marrek", self.inn)
        lifecycle.adopt(marrek)
        assert entity_id(marrek) in SERVICE.residents

    def test_an_old_class_that_is_gone(self):
        """It is named, and nothing is changed; nor where the database takes nothing."""
        bob = self.a_miller()
        lifecycle.adopt(bob)
        note = bob.attributes.get(FORMER_LIFE, category=CATEGORY)
        note["typeclass"] = "world.gone.Miller"
        assert "world.gone.Miller" in self.refused(release, bob, keep=True, by="Ada")
        note["typeclass"] = f"{__name__}.Miller"
        with locked():
            assert self.refused(release, bob, keep=True, by="Ada")
        assert entity_id(bob) in SERVICE.residents

    def test_a_mind_of_several_bodies(self):
        """It cannot rest with the first of them while the others need it; deleted, it passes on."""
        marrek, twin = self.an_assistant(), self.an_assistant("Twin")
        blocks.embody(twin, marrek)
        assert "Twin" in self.refused(release, marrek, keep=True, by="Ada")
        release(marrek, keep=False, by="Ada")
        assert lifecycle.read_persona(twin).value["name"] == "Marrek"
        release(twin, keep=True, by="Ada")


class TestStartAndStop(LivingTestCase):
    def test_stopped_is_silent(self):
        """A stopped assistant neither hears nor spends, not even after a reload."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        lifecycle.stop(marrek)
        self.does(alice, "say Hello, Marrek!")
        marrek = self.come_back(marrek)
        self.does(alice, "say Hello, Marrek!")
        self.tick(marrek, 100)
        assert not self.model.requests
        assert PendingEvent.objects.count() == 0

    def test_started_again(self):
        """Started again it knows what it knew."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.model.say("A fine cat.")
        self.does(alice, "say Marrek, my cat is called Whiskers.")
        lifecycle.stop(marrek)
        lifecycle.start(marrek)
        self.model.say("Whiskers.")
        self.does(alice, "say Marrek, what is my cat called?")
        assert "my cat is called Whiskers." in self.model.shown()

    def test_what_was_overheard_is_saved(self):
        """Stopping loses nothing that was perceived."""
        alice, _, marrek = self.a_player("Alice"), self.a_player("Bob"), self.an_assistant()
        self.does(alice, "say The bridge fell.")
        lifecycle.stop(marrek)
        assert Memory.objects.get(kind="utterance").content == "The bridge fell."

    def test_starting_twice(self):
        """Starting what runs changes nothing, nor does it end a turn."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        hold = self.held(alice, "say Hello, Marrek!")
        lifecycle.start(marrek)
        self.model.say("Hello.")
        self.let_go(hold)
        assert 'Marrek says, "Hello."' in self.screen(alice)
        assert self.closed() == []

    def test_evennias_own_way_to_stop(self):
        """Stopping the script's timer is stopping the assistant, until it is started again."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.held(alice, "say Hello, Marrek!")
        marrek.assistant_script.stop()
        assert self.closed() == ["stopped"]
        assert not SERVICE.residents
        marrek.assistant_script.start()
        assert SERVICE.residents


class TestDelete(LivingTestCase):
    def fill(self, marrek, alice):
        """Let it have memories of every kind."""
        self.a_player("Bob")  # so that not every line is for it
        self.model.say("Good day.")
        self.does(alice, "say The bridge fell.")
        self.does(alice, "say Hello, Marrek!")
        self.held(alice, "say Marrek, are you there?")

    def test_nothing_is_left_but_the_audit_log(self):
        """Rows, blocks, events, script and subscriptions go; audit and the world's record stay."""
        lane, alice = self.a_channel(), self.a_player("Alice")
        marrek = self.an_assistant(channels={"Public": "all"})
        self.fill(marrek, alice)
        own_id = entity_id(marrek)
        lifecycle.delete(marrek)
        assert marrek.pk is None
        assert not Memory.objects.exclude(container="world").exists()
        for kept in (MemoryBlock, PendingEvent):
            assert kept.objects.count() == 0, kept
        assert ScriptDB.objects.count() == 0
        assert list(lane.subscriptions.all()) == []
        assert own_id not in SERVICE.residents
        last = AssistantEvent.objects.filter(type="AssistantArchived").get()
        assert last.data["reason"] == "deleted"
        assert last.data["by"] == "game"
        assert last.data["final_stats"]["people"] == 1
        self.logged()
        lane.msg("Is anybody there?", senders=alice)
        assert self.logged() == []

    def test_whoever_deletes_it(self):
        """The game's own `destroy` leaves no more behind than ours does."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.fill(marrek, alice)
        marrek.delete()
        assert not Memory.objects.exclude(container="world").exists()
        assert MemoryBlock.objects.count() == 0
        assert not SERVICE.residents

    def test_same_name_is_somebody_else(self):
        """Who is made anew under the same name remembers nothing."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.fill(marrek, alice)
        lifecycle.delete(marrek)
        again = self.an_assistant()
        assert len(self.resident(again).mind.recall) == 0
        assert again.profiles.all() == {}

    def test_hundreds_of_acquaintances(self):
        """Deleting costs about the same whomever it met."""
        hermit, gossip = self.an_assistant("Ann"), self.an_assistant("Ben")
        for number in range(200):
            gossip.attributes.add(f"e{number:032}", {}, category="entity_profiles")
        costs = []
        for one in (hermit, gossip):
            with CaptureQueriesContext(connection) as seen:
                lifecycle.delete(one)
            costs.append(len(seen))
        assert costs[1] <= costs[0] + 20

    def test_the_games_veto(self):
        """Where the game forbids it, the assistant lives on with all that it knows."""
        marrek = self.an_assistant()
        marrek.delete = lambda: False
        assert "forbids" in self.refused(lifecycle.delete, marrek)
        assert SERVICE.residents

    def test_refusing_database(self):
        """What cannot be forgotten now is reported; the character goes all the same."""
        marrek = self.an_assistant()
        with broken_database("ai_assistant_memory"):
            lifecycle.delete(marrek)
        assert marrek.pk is None
        assert "forgetting Marrek" in "".join(self.logged())
