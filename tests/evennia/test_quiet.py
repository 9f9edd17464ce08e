"""Quiet, moderation and the label: what the game's staff and owner hold in their hands."""

import re

from django.test import override_settings
from twisted.internet.defer import Deferred

from ai_assistant.api.execution import end_silence, silence
from ai_assistant.api.overview import status_lines
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.players.own_view import WITHHELD
from ai_assistant.core.contracts import Speech
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase

HERE = "tests.evennia.test_quiet"
SEEN = []


def softened(text, speaker, hearers):
    """A moderation that replaces one word and drops lines with another."""
    SEEN.append((text, speaker.key, {one.key for one in hearers}))
    return None if "gallows" in text else text.replace("damned", "blessed")


def failing(text, speaker, hearers):
    """A moderation that does not work."""
    raise LookupError("no word list")


class Unending(Model):
    """A model that answers nobody, and knows which calls were dropped."""

    def __init__(self):
        self.pending, self.dropped = [], []

    def complete(self, request):
        call = Deferred(self.dropped.append)
        self.pending.append(call)
        return call


class TestQuiet(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0, AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE=0)
    def test_all_at_once(self):
        """With 64 calls in flight all are dropped in the same step, and nothing more is said."""
        others = [self.an_assistant(f"Guest{number}") for number in range(63)]
        model = Unending()
        for body in (self.marrek, *others):
            self.resident(body).mind.model = model
            self.does(self.alice, f"whisper {body.key} = Hello, {body.key}!")
        assert len(model.pending) == 64
        calls, tokens = SERVICE.shared.budget.spent("")
        self.screen(self.alice)
        assert "64 turns" in self.ai("/quiet all")
        assert len(model.dropped) == 64
        assert all(not resident.turn_id for resident in SERVICE.residents.values())
        self.tick(self.marrek, 1)
        assert len(model.pending) == 64
        assert SERVICE.shared.budget.spent("") == (calls, tokens)  # booked as if they had come
        assert not any("says" in line or "whispers:" in line for line in self.screen(self.alice))

    def test_a_late_word_is_not_said(self):
        """A turn that goes on although it was dropped can neither speak nor act."""
        hold = self.held(self.alice, "say Hello, Marrek!")
        silence(self.marrek)
        assert hold.called
        self.steps.run()
        assert not any("Marrek says" in line for line in self.screen(self.alice))

    def test_no_way_to_the_game_is_open(self):
        """Speech and hands refuse by themselves whoever is to be quiet, whatever asks them."""
        coin, world = self.a_thing("coin", self.inn), self.resident(self.marrek).mind.world
        silence(self.inn)
        here = entity_id(self.inn)
        speech = Speech("say", "Hello.", OPEN, frozenset({entity_id(self.alice)}), here)
        assert world.deliver(speech).outcome == "dropped"
        refused = []
        Deferred.fromCoroutine(world.take(entity_id(coin))).addErrback(refused.append)
        assert "quiet" in str(refused[0].value)
        assert coin.location == self.inn

    def test_it_hears_and_keeps_silent(self):
        """Who is quiet hears what is said, and answers once that is over."""
        self.ai("/quiet marrek")
        self.does(self.alice, "say Marrek, my cat is Whiskers.")
        assert not self.model.requests
        self.ai("/quiet marrek = end")
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, did you hear me?")
        assert "Whiskers" in self.model.shown()
        assert 'Marrek says, "Aye."' in self.screen(self.alice)

    def test_a_room_is_quiet_for_all_who_come(self):
        """What holds for a room holds there alone, and for whoever comes in."""
        tansy = self.an_assistant("Tansy", self.street)
        told = self.ai("/quiet here")
        assert "The Inn: quiet until ai/quiet here = end." in told
        self.does(self.alice, "say Hello, Marrek!")
        tansy.move_to(self.inn)
        self.does(self.alice, "say Hello, Tansy!")
        assert not self.model.requests
        tansy.move_to(self.street)
        self.alice.move_to(self.street)
        self.model.say("Well met.")
        self.does(self.alice, "say Hello, Tansy!")
        assert 'Tansy says, "Well met."' in self.screen(self.alice)

    def test_it_stands_over_a_reload(self):
        """Who, where or that all are quiet is the same after a reload, and `ai/status` says so."""
        for what, word in ((self.marrek, "it is quiet"), (self.inn, "place"), (None, "whole game")):
            silence(what)
            self.marrek = self.come_back(self.marrek)
            self.does(self.alice, "say Hello, Marrek!")
            assert word in "\n".join(status_lines(self.marrek))
            assert "quiet" in self.ai("")
            end_silence(what)
        assert not self.model.requests
        assert "quiet" not in "\n".join(status_lines(self.marrek))

    def test_only_admins_silence(self):
        """A builder may not silence the game, and what was not understood is said."""
        assert "Only Admins" in self.ai("/quiet all", self.builder)
        assert "Usage" in self.ai("/quiet")
        assert "Usage" in self.ai("/quiet all = for ever")

    def test_nothing_is_done_unasked(self):
        """Who is quiet neither acts on its own nor works at night."""
        self.ai("/quiet all")
        self.resident(self.marrek).mind.config.values["autonomy_interval"] = 1
        for _ in range(3):
            self.tick(self.marrek, 600)
        assert not self.model.requests


@override_settings(AI_ASSISTANT_MODERATION=f"{HERE}.softened")
class TestModeration(CommandTestCase):
    def setUp(self):
        super().setUp()
        SEEN.clear()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    def kept(self):
        """Return the words of its own that Marrek remembers."""
        return [row.content for row in Memory.objects.filter(kind="own_words").order_by("pk")]

    def test_memory_keeps_what_was_really_said(self):
        """Another text than the model's is said, and that one alone is remembered."""
        self.model.say("That damned mill.")
        self.does(self.alice, "say Hello, Marrek!")
        assert 'Marrek says, "That blessed mill."' in self.screen(self.alice)
        assert SEEN[0] == ("That damned mill.", "Marrek", {"Ada", "Alice"})
        assert "That blessed mill." in self.kept()
        assert "That damned mill." not in self.kept()

    def test_what_it_drops_is_not_said(self):
        """A line that the moderation drops is neither heard nor remembered."""
        self.model.say("To the gallows with you!")
        self.does(self.alice, "say Hello, Marrek!")
        assert not any("Marrek says" in line for line in self.screen(self.alice))
        assert not self.kept()
        assert "moderation dropped it" in "\n".join(status_lines(self.marrek))

    def test_what_was_noted_passes_it_as_well(self):
        """What a model noted is read as the moderation allows; what is kept from one says so."""
        for words in ("Dreams of the gallows", "Owns a damned mill"):
            self.marrek.profiles.add_entity_observation(self.alice, words)
            self.marrek.journal.add_journal_entry(words, source_entity=self.alice)
        told = self.types(CmdMemories, " marrek", self.alice)
        assert told.count("Owns a blessed mill") == told.count(WITHHELD) == 2
        assert not re.search("gallows|damned", told)
        assert SEEN[-1][1:] == ("Marrek", {"Alice"})
        found = self.types(CmdMemories, " marrek = mill", self.alice)
        assert "blessed mill" in found
        assert "damned" not in found

    def test_an_error_drops_the_line(self):
        """Where the moderation breaks nothing is said, and the owner is told where."""
        self.model.say("Good day.")
        with override_settings(AI_ASSISTANT_MODERATION=f"{HERE}.failing"):
            self.does(self.alice, "say Hello, Marrek!")
        assert not any("Marrek says" in line for line in self.screen(self.alice))
        assert not self.kept()
        assert "AI_ASSISTANT_MODERATION" in "\n".join(self.logged())
        assert "moderation failed" in "\n".join(status_lines(self.marrek))

    def test_a_function_that_is_not_there_is_named(self):
        """The owner learns at the start that there is no such function."""
        for name in ("MODERATION", "IGNORES"):
            with override_settings(**{f"AI_ASSISTANT_{name}": "world.nothing.here"}):
                build_shared()
            assert name in "".join(self.logged())


class TestLabel(CommandTestCase):
    def test_who_looks_sees_the_label(self):
        """With the setting a look at an assistant says what it is; without, nothing does."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        assert "(AI)" not in marrek.return_appearance(alice)
        with override_settings(AI_ASSISTANT_LABEL="AI"):
            assert "Marrek (AI)" in marrek.return_appearance(alice)
