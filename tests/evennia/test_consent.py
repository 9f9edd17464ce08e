"""Consent: an assistant leaves those alone who ignore it, and keeps nothing of who opted out.

The game of these tests keeps its ignore lists in `IGNORED`: pairs of listener and speaker.
"""

from django.core import serializers
from django.test import override_settings
from evennia.typeclasses.attributes import Attribute
from twisted.internet.defer import Deferred

from ai_assistant.api.execution import put_to_bed
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.core.contracts import Entity, Event, Speech
from ai_assistant.core.readers import OPEN
from ai_assistant.game.consent import has_opted_out, opt_out
from ai_assistant.game.identity import entity_id, reference
from ai_assistant.game.senses import EvenniaWorld
from ai_assistant.models import AssistantEvent, Memory, PendingEvent
from ai_assistant.runtime.means import FORGETTINGS_A_DAY
from tests.evennia.living import CommandTestCase

HERE = "tests.evennia.test_consent"
IGNORED = set()
KINDS = ("say", "emote", "whisper", "page", "channel")


def by_list(listener, speaker):
    """The ignore lists of this game."""
    return (listener.key, speaker.key) in IGNORED


def broken(listener, speaker):
    """A function of the game that does not work."""
    raise LookupError("no such list")


class ConsentTestCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        IGNORED.clear()
        self.public = self.a_channel()
        self.marrek = self.an_assistant(channels={"Public": "all"})
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        for body in (self.alice, self.bob):
            self.public.connect(body.account)

    def speaks(self, kind, to):
        """Let Marrek speak in one of the five ways; returns how it ended."""
        target = to if kind in ("whisper", "page") else None
        audience = {
            entity_id(self.public if kind == "channel" else body) for body in self.meant(kind, to)
        }
        place = entity_id(self.public if kind == "channel" else self.inn)
        meant = reference(target) if target else None
        speech = Speech(kind, "good day", OPEN, frozenset(audience), place, meant, "cause", "said")
        end = EvenniaWorld(self.marrek).deliver(speech)
        self.steps.run()
        return end

    def meant(self, kind, to):
        return (to,) if kind in ("whisper", "page") else (self.alice, self.bob)

    def heard(self, body):
        """Did the player of that body read what Marrek said?"""
        return any("good day" in line for line in self.screen(body))

    def tells(self, kind, who):
        """Let a player turn to Marrek in one of the five ways."""
        if kind == "page":
            self.marrek.at_page_receive(who, "Marrek, the word is heron.")
        elif kind == "channel":
            self.public.msg("Marrek, the word is heron.", senders=[who.account])
        else:
            how = {
                "say": "say Marrek,",
                "emote": "pose asks Marrek:",
                "whisper": "whisper Marrek =",
            }
            who.execute_cmd(f"{how[kind]} the word is heron.")
        self.steps.run()

    def traces(self, word):
        """Return where in the whole database, prompts and memory of the server a word stands."""
        stored = [*Memory.objects.all(), *AssistantEvent.objects.all(), *PendingEvent.objects.all()]
        stored += Attribute.objects.all()
        found = [
            line for line in serializers.serialize("json", stored).split('"pk"') if word in line
        ]
        found += [request for request in map(str, self.model.requests) if word in request]
        return found + [
            event for event in map(str, self.resident(self.marrek).mind.heard) if word in event
        ]


@override_settings(AI_ASSISTANT_IGNORES=f"{HERE}.by_list")
class TestIgnoring(ConsentTestCase):
    def test_who_ignores_whom(self):
        """Block matrix: in each way of speaking, only those hear a line who do not ignore it."""
        for kind in KINDS:
            for pairs in ((), (("Alice", "Marrek"),), (("Marrek", "Alice"),)):
                IGNORED.clear()
                IGNORED.update(pairs)
                self.screen(self.alice), self.screen(self.bob)
                end = self.speaks(kind, self.alice)
                blocked = ("Alice", "Marrek") in IGNORED
                with self.subTest(kind=kind, pairs=pairs):
                    assert self.heard(self.alice) is not blocked
                    assert self.heard(self.bob) is (kind in ("say", "emote", "channel"))
                    assert (end.outcome == "dropped") is (blocked and kind in ("whisper", "page"))
                    assert entity_id(self.alice) not in end.hearers or not blocked

    def test_the_ignored_is_not_heard(self):
        """Block matrix, the other way: nothing that the ignored says reaches the assistant."""
        IGNORED.add(("Marrek", "Alice"))
        for kind in KINDS:
            self.tells(kind, self.alice)
            with self.subTest(kind=kind):
                assert not self.traces("heron")
        assert not self.model.requests
        assert "does not hear you" not in "\n".join(self.screen(self.alice)), "she did not ask so"
        self.model.say("Aye.")
        self.tells("say", self.bob)
        assert self.traces("heron")

    def test_who_ignores_it_is_not_answered(self):
        """Who turns to an assistant and ignores it gets no answer, in whatever way."""
        IGNORED.add(("Alice", "Marrek"))
        for kind in KINDS:
            self.tells(kind, self.alice)
        assert not self.model.requests
        assert not self.heard(self.alice)
        assert self.closed() == []  # it was never taken for a question

    def test_assistants_may_be_ignored_by_assistants(self):
        """One assistant does not hear another that it ignores."""
        tansy = self.an_assistant("Tansy")
        IGNORED.add(("Tansy", "Marrek"))
        self.speaks("say", self.alice)
        assert not self.resident(tansy).mind.heard
        IGNORED.clear()
        self.speaks("say", self.alice)
        assert self.resident(tansy).mind.heard

    def test_nothing_is_pressed_on_who_ignores_it(self):
        """An assistant hands nothing to who ignores it, nor does its handling fill that screen."""
        world = self.resident(self.marrek).mind.world
        coin, told = self.a_thing("coin", self.inn), []
        IGNORED.add(("Alice", "Marrek"))
        self.screen(self.alice), self.screen(self.bob)
        Deferred.fromCoroutine(world.take(entity_id(coin)))
        assert any("coin" in line for line in self.screen(self.bob))
        giving = Deferred.fromCoroutine(world.give(entity_id(coin), entity_id(self.alice)))
        giving.addErrback(told.append)
        assert "wants nothing from you" in str(told[0].value)
        assert self.screen(self.alice) == []
        assert coin.location == self.marrek

    def test_whom_it_ignores_it_does_not_follow_into_a_story(self):
        """There it would know of all that they set and do."""
        self.types(CmdScene, "/create The Owl", self.bob)
        IGNORED.add(("Marrek", "Bob"))
        assert "does not play along" in self.types(CmdScene, "/invite Marrek", self.bob)
        IGNORED.clear()
        assert "Marrek joins" in self.types(CmdScene, "/invite Marrek", self.bob)

    def test_it_sleeps_unseen_by_who_ignores_it(self):
        """That it falls asleep is shown in the room, but not to who ignores it."""
        IGNORED.add(("Alice", "Marrek"))
        put_to_bed(self.marrek)
        self.steps.run()
        assert "Marrek falls asleep." in self.screen(self.bob)
        assert not [line for line in self.screen(self.alice) if "Marrek" in line]

    def test_an_error_of_the_game_bothers_nobody(self):
        """Where the game's function breaks nobody is spoken to, and the log says which broke."""
        with override_settings(AI_ASSISTANT_IGNORES=f"{HERE}.broken"):
            assert self.speaks("page", self.alice).outcome == "dropped"
        assert "AI_ASSISTANT_IGNORES" in "\n".join(self.logged())

    def test_locked_pages_stay_closed(self):
        """An account whose lock `msg` refuses pages is not paged by an assistant either."""
        self.alice.account.locks.add("msg:perm(Admin)")
        assert self.speaks("page", self.alice).outcome == "dropped"
        assert not self.heard(self.alice)

    def test_a_muted_channel_stays_muted(self):
        """Who muted a channel does not read on it what an assistant says."""
        self.public.mute(self.alice.account)
        self.speaks("channel", self.alice)
        assert (self.heard(self.alice), self.heard(self.bob)) == (False, True)


class TestOptingOut(ConsentTestCase):
    def types_it(self, line, answers=()):
        return self.types(CmdMemories, line, self.alice, answers)

    def test_nothing_of_theirs_is_kept(self):
        """In no way of speaking do the lines of who opted out reach a store, a prompt or a log."""
        assert "no character hears" in self.types_it("/optout")
        self.screen(self.alice)
        for kind in KINDS:
            self.tells(kind, self.alice)
        self.model.say("Aye.")
        self.does(self.bob, "say Marrek, what did she say?")
        assert len(self.model.requests) == 1
        assert not self.traces("heron")

    def test_nobody_sees_them_go(self):
        """By then the body has no account any more that could say so."""
        opt_out(self.alice)
        self.log_out(self.alice)
        self.steps.run()
        heard = self.resident(self.marrek).mind.heard
        assert not [event for event in heard if event.content == "Alice leaves."]

    def test_they_write_no_story(self):
        """What they would set, do or call a scene by its commands is refused, and so kept nowhere;
        they can leave it, and end one of theirs."""
        self.types(CmdScene, "/create The Owl", self.bob)
        self.types(CmdScene, "/invite Marrek", self.bob)
        self.types(CmdScene, "/start", self.bob)
        self.types(CmdScene, "/join Owl", self.alice)
        self.types(CmdScene, "/set thing = the bell: Alice", self.bob)
        opt_out(self.alice)
        for line in ("set bird = heron", "take heron", "put the bell", "go heron", "think heron"):
            assert "No character hears you" in self.types(CmdScene, f"/{line}", self.alice), line
        self.types(CmdScene, "/leave", self.alice)
        for line in ("create heron", "join Owl"):
            assert "No character hears you" in self.types(CmdScene, f"/{line}", self.alice), line
        assert not self.traces("heron")

    def test_they_are_told_so(self):
        """Who opted out and turns to a character reads one line about it, and others do not."""
        opt_out(self.alice)
        self.tells("say", self.alice)
        told = [line for line in self.screen(self.alice) if "does not hear you" in line]
        assert len(told) == 1
        assert "Marrek" in told[0]
        assert not any("does not hear" in line for line in self.screen(self.bob))
        self.does(self.alice, "say What a day.")
        assert not any("does not hear" in line for line in self.screen(self.alice))

    def test_who_is_gone_is_not_heard(self):
        """Nobody can tell whether those deleted had opted out; a thing, or the world, is heard."""
        bell, lena = self.a_thing("bell", self.inn), self.a_player("Lena")
        bodies = {"owl": lena, "lark": lena.account, "heron": self.a_body("Ida"), "swan": bell}
        gone = {word: reference(body) for word, body in bodies.items()}
        for body in bodies.values():
            body.delete()
        for word, source in (gone | {"crane": Entity("world", "The world")}).items():
            said = f"The word is {word}."
            self.marrek.perceive(Event(word, self.clock.now(), "external", source, "say", said))
        self.steps.run()
        words = ("owl", "lark", "heron", "swan", "crane")
        assert [word for word in words if self.traces(word)] == ["swan", "crane"]

    def test_others_may_speak_of_them(self):
        """What others say about who opted out is heard and kept."""
        opt_out(self.alice)
        self.model.say("Aye.")
        self.does(self.bob, "say Marrek, Alice likes herons.")
        assert self.traces("herons")

    def test_it_holds_for_all_their_characters_until_they_opt_in(self):
        """It is the player's wish, whatever character they wear, and theirs to take back."""
        self.types_it("/optout")
        assert has_opted_out(self.alice.account)
        self.types_it("/optin")
        self.model.say("Aye.")
        self.tells("say", self.alice)
        assert self.traces("heron")

    def test_what_was_known_stays_until_they_have_it_forgotten(self):
        """Opting out says how, and takes no later line for an answer."""
        self.model.say("Aye.")
        self.tells("say", self.alice)
        assert "memories/forget" in self.types_it("/optout")
        assert self.traces("heron")
        self.model.requests.clear()
        self.types_it("/forget", ["yes"])
        assert not self.traces("heron")

    def test_nobody_has_the_game_forget_without_end(self):
        """Each time the answers under way are dropped."""
        for _ in range(FORGETTINGS_A_DAY):
            assert "You ask too often" not in self.types_it("/forget", ["yes"])
        assert "You ask too often" in self.types_it("/forget", ["yes"])

    def test_behind_a_gateway_nobody_uses_up_the_forgetting_of_others(self):
        """Of one address all share it, unless the game says that addresses tell nobody apart."""
        for one in (self.alice, self.bob):
            one.sessions.get()[0].address = "10.0.0.7"
        for _ in range(FORGETTINGS_A_DAY):
            self.types_it("/forget", ["yes"])
        assert "You ask too often" in self.types(CmdMemories, "/forget", self.bob, ["yes"])
        with override_settings(AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE=0):
            assert "forgetting" in self.types(CmdMemories, "/forget", self.bob, ["yes"])

    def test_nobody_drops_answers_by_opting_out_without_end(self):
        """One may always opt out, and in again as often as one may have something forgotten."""
        for _ in range(FORGETTINGS_A_DAY):
            self.types_it("/optout")
            assert "hear you again" in self.types_it("/optin")
            assert "hear you again" in self.types_it("/optin"), "which changes nothing"
        assert "no character hears" in self.types_it("/optout")
        assert "You ask too often" in self.types_it("/optin")
        assert has_opted_out(self.alice)

    def test_an_answer_under_way_is_dropped(self):
        """Who opts out while a character thinks of an answer to them does not get it any more."""
        hold = self.held(self.alice, "say Hello, Marrek!")
        self.types_it("/optout")
        assert hold.called
        self.model.hold = None
        self.tick(self.marrek)
        assert len(self.model.requests) == 1
        assert not any("Marrek says" in line for line in self.screen(self.bob))
