"""Delivery: an assistant's words arrive as cleaned text, and only where they may be heard."""

import pytest
from evennia.comms.comms import DefaultChannel
from evennia.objects.objects import DefaultRoom
from evennia.utils import create
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.contracts import Speech
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.game.identity import entity_id, reference
from ai_assistant.game.senses import EvenniaWorld
from tests.evennia.stage import HOSTILE, StageTestCase


class Balcony(DefaultRoom):
    """A room whose talk is carried to the room below."""

    def msg_contents(self, text=None, exclude=None, from_obj=None, mapping=None, **kwargs):
        for room in (super(), self.db.below):
            room.msg_contents(text, exclude, from_obj=from_obj, mapping=mapping, **kwargs)


class DeliverTestCase(StageTestCase):
    def setUp(self):
        super().setUp()
        self.ann, self.bob = self.a_player("Ann"), self.a_player("Bob")
        self.mind = self.a_mind()
        self.world = EvenniaWorld(self.mind)
        self.screens.clear()

    def speak(self, kind, text, readers=OPEN, audience=None, target=None, place=None):
        """Deliver a speech that was meant for Ann and Bob, unless told otherwise."""
        meant = (self.ann, self.bob) if audience is None else audience
        return self.world.deliver(
            Speech(
                kind,
                text,
                readers,
                frozenset(map(entity_id, meant)),
                entity_id(place or self.inn),
                reference(target) if target else None,
                "cause",
            )
        )

    def only(self, *people):
        """Return the label that these people may read."""
        return canonical(map(entity_id, people))


class TestDelivery(DeliverTestCase):
    def test_say_is_heard_in_the_room(self):
        """Everybody in the room hears it once; the speaker gets no echo of it."""
        end = self.speak("say", "Good day.")
        assert end.outcome == "said"
        assert end.hearers == {entity_id(self.ann), entity_id(self.bob)}
        assert self.screen(self.ann) == self.screen(self.bob) == ['Marrek says, "Good day."']
        assert not self.mind.ndb.heard

    def test_emote_begins_with_the_name(self):
        """A gesture is shown with the speaker's name before it."""
        self.speak("emote", "raises an eyebrow.")
        assert self.screen(self.ann) == ["Marrek raises an eyebrow."]

    def test_whisper_stays_private(self):
        """A whisper appears on its target's screen and on no other."""
        end = self.speak("whisper", "psst", self.only(self.ann), [self.ann], self.ann)
        assert (end.outcome, end.hearers) == ("said", {entity_id(self.ann)})
        assert self.screen(self.ann) == ['Marrek whispers: "psst"']
        assert self.screen(self.bob) == []

    def test_page_reaches_another_room(self):
        """A page goes to the one it is for, wherever they are, in or out of character."""
        self.bob.location = self.street
        account = self.ann.account
        self.ann.account.unpuppet_all()
        self.screens.clear()
        for who in (self.bob, account):
            assert self.speak("page", "Come home.", audience=[who], target=who).outcome == "said"
            assert self.screen(who) == ["Marrek pages: Come home."]

    def test_page_to_the_absent_is_dropped(self):
        """Nobody is paged who has logged out."""
        who = entity_id(self.ann)
        self.log_out(self.ann)
        end = self.speak("page", "Hello?", audience=[self.ann], target=self.ann)
        assert end.outcome == "dropped"
        assert who not in end.hearers

    def test_newcomers_hear_open_speech(self):
        """Under an open label, somebody who came in meanwhile simply hears it too."""
        self.a_player("Zoe")
        end = self.speak("say", "Good day.")
        assert len(end.hearers) == 3
        assert 'Marrek says, "Good day."' in self.screens["Zoe"]

    def test_newcomer_in_mid_thought_learns_nothing(self):
        """What only Ann and Bob may know is whispered to them when Zoe has come in."""
        zoe = self.a_player("Zoe")
        self.screens.clear()
        end = self.speak("say", "The gold is in the well.", self.only(self.ann, self.bob))
        assert (end.outcome, end.hearers) == (
            "privately",
            {entity_id(self.ann), entity_id(self.bob)},
        )
        assert self.screen(self.ann) == ['Marrek whispers: "The gold is in the well."']
        assert self.screen(zoe) == []

    def test_hidden_listener_counts(self):
        """Somebody whom nobody sees keeps a secret from being said aloud all the same."""
        zoe = self.a_player("Zoe")
        zoe.locks.add("view:false()")
        self.screens.clear()
        assert self.speak("emote", "winks.", self.only(self.ann)).outcome == "privately"
        assert self.screen(self.ann) == ["Marrek winks."]
        assert self.screen(self.bob) == self.screen(zoe) == []

    def test_nobody_who_may_know_means_dropped(self):
        """When only such are there who may not know it, it is not said at all."""
        end = self.speak("say", "secret", self.only(self.ann), [self.bob])
        assert end.outcome == "dropped"
        assert end.reason
        assert not self.screens

    def test_narrow_speech_passes_no_relay(self):
        """What a room carries further is the open word only; the rest goes to the hearers."""
        balcony = create.create_object(Balcony, key="Balcony", nohome=True)
        balcony.db.below = self.street
        zoe = self.a_player("Zoe", self.street)
        self.mind.location = self.ann.location = balcony
        self.screens.clear()
        self.speak("say", "for all", audience=[self.ann], place=balcony)
        assert self.screen(zoe) == ['Marrek says, "for all"']
        end = self.speak("say", "for Ann", self.only(self.ann), [self.ann], place=balcony)
        assert end.outcome == "said"
        assert self.screen(self.ann)[-1] == 'Marrek says, "for Ann"'
        assert self.screen(zoe) == []

    def test_leavers_hear_nothing(self):
        """When all who were meant have left, nothing is said into the room they left."""
        olga = self.a_mind("Olga")
        self.ann.location = self.bob.location = self.street
        end = self.speak("say", "Wait!", audience=[self.ann, self.bob, olga])
        assert (end.outcome, end.reason) == ("dropped", "nobody is there to hear it")
        assert not self.screens
        assert not olga.ndb.heard

    def test_speaker_who_left_is_not_heard(self):
        """A reply thought up in one room is not spoken in the next."""
        self.mind.location = self.ann.location = self.street
        assert self.speak("say", "Good day.").outcome == "dropped"
        assert not self.screens

    def test_gone_listeners_raise_nothing(self):
        """A target deleted while the model thought is a reason, not an error."""
        target, label = reference(self.ann), self.only(self.ann)
        self.log_out(self.ann)
        self.ann.delete()
        speech = Speech("whisper", "hm", label, frozenset({target.id}), "", target)
        assert self.world.deliver(speech).outcome == "dropped"

    def test_gone_or_taken_speaker_is_silent(self):
        """A character that was deleted, or that a player has put on, says nothing by itself."""
        self.mind.account = self.ann.account
        assert self.speak("say", "I am myself.").outcome == "dropped"
        self.mind.account = None
        self.mind.delete()
        assert self.speak("say", "Boo.").reason == "the speaker is gone"

    def test_route_says_nothing(self):
        """Asking how a speech would end gives the same answer and makes no sound."""
        speech = Speech("say", "Hm.", OPEN, frozenset({entity_id(self.ann)}), entity_id(self.inn))
        assert self.world.route(speech).outcome == "said"
        assert not self.screens
        assert self.world.deliver(speech) == self.world.route(speech)

    def test_other_minds_hear_root_and_label(self):
        """Another assistant hears who made it speak, and may tell no wider than it was told."""
        olga = self.a_mind("Olga")
        label = self.only(self.ann, self.bob, olga)
        assert self.speak("say", "Between us.", label).outcome == "said"
        event = olga.ndb.heard[-1]
        assert (event.content, event.root, event.by_assistant) == ("Between us.", "cause", True)
        assert event.readers == self.only(self.ann, self.bob, olga, self.mind)
        self.speak("emote", "nods.")
        assert olga.ndb.heard[-1].source_type == "pose"
        assert olga.ndb.heard[-1].readers == OPEN

    def test_private_gesture_stays_a_secret_for_minds(self):
        """A gesture shown privately to an assistant is no open pose for it."""
        olga = self.a_mind("Olga")
        assert self.speak("emote", "winks.", self.only(olga), [olga]).outcome == "privately"
        event = olga.ndb.heard[-1]
        assert (event.source_type, event.readers) == ("whisper", entity_id(self.mind))


class TestChannel(DeliverTestCase):
    def setUp(self):
        super().setUp()
        self.public = create.create_channel("Public", typeclass=DefaultChannel)
        for one in (self.mind, self.ann.account):
            self.public.connect(one)
        self.screens.clear()

    def send(self, text, **options):
        return self.speak("channel", text, audience=[self.public], place=self.public, **options)

    def test_channel_carries_the_line(self):
        """Subscribers get the line with the channel's prefix and the speaker's name; no others."""
        label = entity_id(self.public)
        assert self.send("Hello all", readers=label).outcome == "said"
        assert self.screen(self.ann) == ["[Public] Marrek: Hello all"]
        assert self.screen(self.bob) == []

    def test_send_lock_and_ban_silence(self):
        """Where the channel does not let it send, the character does not."""
        self.public.locks.add("send:false()")
        assert self.send("Hello").outcome == "dropped"
        self.public.locks.add("send:all()")
        self.public.ban(self.mind)
        assert self.send("Hello").outcome == "dropped"
        assert not self.screens

    def test_muted_listeners_are_left_alone(self):
        """Who has muted the channel hears nothing; with nobody else there, nothing is sent."""
        self.public.mute(self.ann.account)
        assert self.send("Hello").reason == "nobody is there to hear it"
        assert not self.screens

    def test_unsubscribed_character_is_not_heard(self):
        """Outside of the channel, the character has nobody to speak to."""
        self.public.disconnect(self.mind)
        assert self.send("Hello").outcome == "dropped"

    def test_channel_text_is_inert(self):
        """Hostile text passes through the channel's own formatting as plain text."""
        for text in HOSTILE:
            self.screens.clear()
            assert self.send(text).outcome == "said"
            words = clean(text, SPEECH_LIMIT)
            assert self.screen(self.ann) == [f"[Public] Marrek: {words}"]


class TestHostileWords(DeliverTestCase):
    def test_hostile_speech_arrives_as_cleaned(self):
        """Whatever a model says is shown exactly as the cleaning leaves it."""
        for text in HOSTILE:
            self.screens.clear()
            assert self.speak("say", text).outcome == "said"
            assert self.screen(self.ann) == [f'Marrek says, "{clean(text, SPEECH_LIMIT)}"']

    def test_hostile_names_arrive_as_cleaned(self):
        """The speaker's own name can carry neither markup nor a template."""
        for name in HOSTILE:
            self.screens.clear()
            self.mind.key = name[:200].replace("\x00", "")
            shown = reference(self.mind).name
            for kind, line in (("say", f'{shown} says, "Hi."'), ("emote", f"{shown} Hi.")):
                self.speak(kind, "Hi.")
                assert self.screen(self.ann) == [line]
            self.speak("whisper", "Hi.", audience=[self.ann], target=self.ann)
            assert self.screen(self.ann) == [f'{shown} whispers: "Hi."']

    def test_further_lines_fake_nothing(self):
        """Aloud there is one line; a whisper has three at most, all but the first indented."""
        text = "one\nSYSTEM: two\nthree\nfour"
        self.speak("say", text)
        assert self.screen(self.ann) == ['Marrek says, "one SYSTEM: two three four"']
        self.speak("whisper", text, audience=[self.ann], target=self.ann)
        assert self.screen(self.ann) == ['Marrek whispers: "one\n  SYSTEM: two\n  three four"']

    def test_nothing_is_not_said(self):
        """Words of which the cleaning leaves nothing are dropped."""
        assert self.speak("say", "\x00\u200b \n").reason == "there are no words in it"

    @pytest.mark.hypothesis
    def test_any_words_are_said(self):
        """There is no text that delivery chokes on, or lets through uncleaned."""

        @given(st.text(min_size=1, max_size=60))
        def arrives(text):
            self.screens.clear()
            end = self.speak("say", text)
            words = clean(text, SPEECH_LIMIT)
            assert self.screen(self.ann) == ([f'Marrek says, "{words}"'] if words else [])
            assert end.outcome == ("said" if words else "dropped")

        arrives()
