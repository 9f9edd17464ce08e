"""Means: one player has so many answers a minute, and so much of a character's day and memory."""

from django.conf import settings
from django.test import override_settings

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import lifecycle
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.game.identity import account_of, entity_id
from ai_assistant.language import language_of
from ai_assistant.models import AssistantEvent, Memory, Usage
from ai_assistant.runtime.means import shares_of
from ai_assistant.storage.ledgers import PRUNED_EVERY, STATE_CHANGED
from tests.evennia.living import CommandTestCase

GESTURES = language_of("en").excuses["gestures"]


class TestMeans(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        for one, address in ((self.alice, "10.0.0.1"), (self.bob, "10.0.0.2")):
            one.sessions.get()[0].address = address
        self.marrek = self.an_assistant()

    def answered(self, one, line="Marrek, are you there?"):
        """Did the model answer this line?"""
        before = len(self.model.requests)
        self.model.say("Aye.")
        self.does(one, f"say {line}")
        self.model.replies.clear()
        return len(self.model.requests) > before

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=2)
    def test_player_who_asks_too_often_gets_an_excuse_and_no_call(self):
        """The third line of a minute is met politely, without a model, and the game says why; the
        fourth with silence."""
        assert self.answered(self.alice)
        assert self.answered(self.alice)
        self.screen(self.alice)
        assert not self.answered(self.alice)
        *_, told, gesture = self.screen(self.alice)
        assert told.startswith("You ask too often. Try again in ")
        assert gesture.removeprefix("Marrek ") in GESTURES
        assert not self.answered(self.alice)
        assert len(self.screen(self.alice)) == 1, "only the own line"
        assert self.answered(self.bob)

    def test_a_body_that_nobody_plays_costs_nothing(self):
        """What the game itself says over and over is heard, and answered by nobody."""
        crier = self.a_body("Crier")
        for _ in range(3):
            crier.at_say("Marrek, are you there?")
            self.steps.run()
        assert not self.model.requests
        assert "Marrek, are you there?" in str(self.marrek.stream.entries)

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=2)
    def test_line_that_two_are_asked_by_is_paid_once(self):
        """What is said to several at once takes one from the purse, not one for each of them."""
        self.an_assistant("Tansy")
        for _ in range(2):
            self.model.say("Aye.").say("Aye.")
            self.does(self.alice, "say Marrek and Tansy, good day!")
            assert len(self.model.replies) < 2
            self.model.replies.clear()
        assert not self.answered(self.alice)

    @override_settings(AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE=2)
    def test_accounts_of_one_address_share_a_purse(self):
        """Whoever makes a second account to ask more gets no more."""
        eve = self.a_player("Eve")
        eve.sessions.get()[0].address = "10.0.0.1"
        assert self.answered(self.alice)
        assert self.answered(eve)
        assert not self.answered(eve)
        assert not self.answered(self.alice)
        assert self.answered(self.bob)

    def test_guests_without_end_are_not_kept_without_end(self):
        """Of one address together as much is kept as of ten players, whoever of it comes anew."""
        guests = [self.a_player(f"Guest{number}") for number in range(12)]
        with override_settings(AI_ASSISTANT_LINES_PER_DAY=1):
            for guest in guests:
                guest.sessions.get()[0].address = "10.0.0.7"
                self.does(guest, "say It rains, Bob.")
            self.does(self.bob, "say It rains, Alice.")
        flush(self.resident(self.marrek).mind)
        heard = [line["content"] for line in self.marrek.stream.entries]
        assert heard.count("It rains, Bob.") == 10
        assert "It rains, Alice." in heard

    def test_addresses_of_one_network_are_one(self):
        """Of IPv6 a player has as many as he likes; what is no address counts as it is."""
        alice, bob = (entity_id(account_of(one)) for one in (self.alice, self.bob))
        self.alice.sessions.get()[0].address = "2001:db8:1:2::3"
        for address, same in (
            ("2001:db8:1:2:9::4", True),
            ("2001:db8:1:3::3", False),
            ("a:b", False),
        ):
            self.bob.sessions.get()[0].address = address
            shared = shares_of(alice).keys() & shares_of(bob).keys()
            assert bool(shared) == same, address

    @override_settings(AI_ASSISTANT_DAILY_CALLS=6, AI_ASSISTANT_PLAYER_SHARE=0.5)
    def test_nobody_uses_up_a_characters_day(self):
        """Half of its calls are one player's at most; then others are answered still."""
        for _ in range(3):
            assert self.answered(self.alice)
        assert not self.answered(self.alice)
        assert not self.answered(self.alice)
        assert "too often" not in " ".join(self.screen(self.alice)), "waiting does not help"
        for _ in range(3):
            assert self.answered(self.bob)
        assert not self.answered(self.bob)

    @override_settings(AI_ASSISTANT_DAILY_CALLS=10, AI_ASSISTANT_PLAYER_SHARE=0.5)
    def test_no_address_uses_up_a_characters_day(self):
        """However many accounts come from one, a tenth is left for others; no book tells which."""
        eve = self.a_player("Eve")
        eve.sessions.get()[0].address = "10.0.0.1"
        for one in (self.alice, eve):
            assert [self.answered(one) for _ in range(4)] == [True] * 4
        assert self.answered(eve), "nine of ten are theirs"
        assert not self.answered(self.alice)
        assert not self.answered(eve)
        assert self.answered(self.bob)
        assert not Usage.objects.filter(owner__contains="10.0.0.1").exists()

    @override_settings(AI_ASSISTANT_LINES_PER_DAY=5)
    def test_so_much_is_kept_of_one_player(self):
        """A flood of lines fills no memory: what is beyond is neither answered nor kept."""
        for number in range(20):
            self.does(self.alice, f"say The river rose by {number} feet.")
        assert not self.answered(self.alice)
        assert self.answered(self.bob)
        kept = Memory.objects.filter(container=entity_id(self.marrek), author=entity_id(self.alice))
        assert kept.count() == 5

    @override_settings(AI_ASSISTANT_LINES_PER_DAY=2)
    def test_a_players_characters_share_what_is_kept(self):
        """Whoever slips from one body into the next gets no more kept, and no more answers."""
        session, account = self.alice.sessions.get()[0], self.alice.account
        eve = self.a_body("Eve")
        eve.locks.add(f"puppet:pid({account.id})")
        for _ in range(2):
            assert self.answered(self.alice)
        account.unpuppet_object(session)
        account.puppet_object(session, eve)
        assert not self.answered(eve)
        assert not Memory.objects.filter(author=entity_id(eve)).exists()
        assert self.answered(self.bob)

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=3)
    def test_command_says_that_one_asks_too_often(self):
        """A search that may cost an embedding takes from the same purse, and says when it is
        empty."""
        assert self.answered(self.alice, "Marrek, I have a cat.")
        assert "cat" in self.types(CmdMemories, " marrek = cat", self.alice)
        told = self.types(CmdMemories, " marrek = cat", self.alice)
        assert told.startswith("You ask too often. Try again in ")
        assert "Marrek" in self.types(CmdMemories, "", self.alice)

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=2)
    def test_a_flood_of_lists_is_not_read(self):
        """Whatever a player's command reads takes a tenth of a line's share from the purse."""
        assert self.answered(self.alice)
        self.does(self.alice, "scene/create The Mill")
        for typed in ("memories", "memories marrek", "scene", "scene/list", "scene/recap"):
            self.does(self.alice, typed)
        assert "too often" not in "".join(self.screen(self.alice))
        for typed in ["memories", "scene/join", "scene/recap", "scene/list"] * 3:
            self.does(self.alice, typed)
        refused = [line for line in self.screen(self.alice) if "You ask too often." in line]
        assert len(refused) == 8, "of eighteen in all, ten are paid for"
        self.does(self.bob, "scene")
        assert "too often" not in "".join(self.screen(self.bob))

    def test_a_line_full_of_links_is_a_line_of_words(self):
        """What is typed is searched for a few links at most: Evennia's search has no bound."""
        typed = self.alice.sessions.all()[0].data_in
        for number in (1, 20):
            typed(text=([f"say {'|lcquit|ltnorth' * number}|le"], {}))
        *_, few, many = self.screen(self.alice)
        assert "north" in few
        assert "quit" not in few
        assert "|l" not in many

    def test_a_client_sends_a_line_and_nothing_with_it(self):
        """One no longer than the game lets through, and nothing that a command would bear."""
        typed = self.alice.sessions.all()[0].data_in
        typed(text=(["say hello"], {"args": " Bob waves."}))
        assert 'You say, "|nhello|n"' in "".join(self.screen(self.alice))
        varied = "".join(map(chr, range(0x4E00, 0x4E00 + 1000)))
        for line in (f"say {'x' * settings.MAX_CHAR_LIMIT}", varied):
            typed(text=([line], {}))
            assert "too long" in "".join(self.screen(self.alice))
        typed(text=([f"say {varied[:400] * 3}"], {}))
        assert varied[:400] in "".join(self.screen(self.alice))
        self.logged()
        for odd in (["say", "hello"], {"say": "hello"}, 7, None):
            typed(text=([odd], {}))
        assert not self.screen(self.alice)
        assert not self.logged()

    @override_settings(AI_ASSISTANT_AUDIT_KEPT=20, AI_ASSISTANT_LINES_PER_MINUTE=0)
    def test_oldest_records_go(self):
        """The audit log keeps the newest records of turns, its moments and what staff did."""
        lifecycle.configure(self.marrek, "tick_rate", "7", by="Ada")
        for _ in range(80):
            self.answered(self.bob)
        records = AssistantEvent.objects.filter(assistant=entity_id(self.marrek))
        records = records.exclude(type=STATE_CHANGED)
        newest = records.latest("seq").seq
        assert newest > 100
        assert records.count() <= 20 + PRUNED_EVERY
        assert records.filter(type="TurnCompleted").earliest("seq").seq > 50
        assert records.filter(seq=newest).exists()
        assert records.get(type="ConfigurationChanged").data["by"] == "Ada"
