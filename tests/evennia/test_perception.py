"""Perception and identity: who said what, who is who, and who may know of it."""

import pytest
from django.test import override_settings
from evennia.comms.comms import DefaultChannel
from evennia.objects.objects import DefaultCharacter, DefaultRoom
from evennia.utils import create
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.core.text import HEARD_LIMIT, clean
from ai_assistant.game import identity
from ai_assistant.game.identity import CATEGORY, body_of, entity_id, find, is_assistant, reference
from ai_assistant.game.line_ids import Utterances, speaking
from ai_assistant.game.perception import GIFT_TAG, from_channel, from_gift, from_msg, from_page
from tests.evennia.stage import HOSTILE, StageTestCase


class QuietCorner(DefaultRoom):
    """A room where only those at the table hear."""

    def at_ai_hearers(self, speaker, kind):
        return [obj for obj in self.contents if obj.tags.has("table")]


class SdescCharacter(DefaultCharacter):
    """Somebody who is known by looks."""

    def get_display_name(self, looker=None, **kwargs):
        return "|wa tall stranger|n"


class TestIdentity(StageTestCase):
    def test_id_lasts_and_finds(self):
        """An id is minted once, survives a rename and an emptied cache, and finds its object."""
        body = self.a_body("Ann")
        first = entity_id(body)
        body.key = "Beth"
        identity._pks.clear()
        assert first == entity_id(body)
        assert first[0] == "e"
        assert find(first) == body

    def test_copies_get_ids_of_their_own(self):
        """Neither Evennia's copy nor a verbatim copy of the Attribute shares an identity."""
        original = self.a_thing("lamp", self.inn)
        known = entity_id(original)
        copied = original.copy(new_key="lamp2")
        stored = original.attributes.get(identity.ID_KEY, category=CATEGORY, strattr=True)
        copied.attributes.add(identity.ID_KEY, stored, category=CATEGORY, strattr=True)
        identity._pks.clear()
        assert find(known) == original
        assert entity_id(copied) != known
        assert find(known) == original

    def test_recreated_name_is_somebody_else(self):
        """Deleted and made again under the same name, it is another entity."""
        body = self.a_body("Ann")
        first = entity_id(body)
        body.delete()
        again = self.a_body("Ann")
        assert find(first) is None
        assert entity_id(again) != first

    def test_wiped_id_finds_nobody(self):
        """An object that lost its Attributes no longer answers to the id it had."""
        body = self.a_body("Ann")
        first = entity_id(body)
        body.attributes.clear()
        assert find(first) is None
        assert entity_id(body) != first

    def test_deleted_object_has_no_id(self):
        """To ask a deleted object for its id is an error, not a new identity."""
        body = self.a_body("Ann")
        body.delete()
        with pytest.raises(ValueError, match="no id"):
            entity_id(body)

    def test_unknown_ids_find_nobody(self):
        """What is no id of ours is looked up nowhere."""
        for nonsense in ("", "e", "e%", "world", "#1", "e" + "0" * 32):
            assert find(nonsense) is None

    def test_in_character_counts_the_puppet(self):
        """An account is known by the body it wears, and by itself out of character."""
        body = self.a_player("Ann")
        account = body.account
        assert entity_id(body_of(account)) == entity_id(body)
        self.log_out(body)
        assert entity_id(body_of(account)) == entity_id(account)
        assert entity_id(account)[0] == "a"

    def test_kinds_tell_players_from_npcs(self):
        """Played now or before: player. Nobody behind it: npc. A mind stays an npc."""
        player, npc, mind = self.a_player("Ann"), self.a_body("Guard"), self.a_mind()
        account = player.account
        self.log_out(player)
        kinds = [reference(one).kind for one in (player, npc, mind, self.inn, account)]
        assert kinds == ["player", "npc", "npc", "object", "account"]
        assert [is_assistant(one) for one in (player, mind)] == [False, True]

    def test_hostile_names_become_plain(self):
        """A name full of markup, braces and control characters is shown as harmless text."""
        body = self.a_body("Ann")
        for name in HOSTILE:
            body.key = name[:200].replace("\x00", "")
            shown = reference(body).name
            assert shown == clean(shown)
            assert not set("|{}\n\x1b") & set(shown)

    def test_markup_falls_away(self):
        """Colours, spacing codes and the hidden half of links are no part of a text."""
        coloured = "|rA |[gred|n |#ff00aafox|n|/says |lclook sign|ltlook|le |[=zhere"
        assert identity.unstyled(coloured) == "A red fox says look here"


class TestPerception(StageTestCase):
    def setUp(self):
        super().setUp()
        self.mind = self.a_mind()
        self.ann = self.a_player("Ann")
        self.mind.ndb.heard = []

    def heard(self, mind=None):
        """Return what was perceived since the last time."""
        mind = mind or self.mind
        events, mind.ndb.heard = mind.ndb.heard or [], []
        return events

    def test_say_is_heard_as_its_words(self):
        """Of a rendered line only the speech is kept as content, with quotes inside it."""
        self.ann.at_say('Hello "old" Marrek', msg_self=True)
        (event,) = self.heard()
        assert event.content == 'Hello "old" Marrek'
        assert (event.source_type, event.source.id) == ("say", entity_id(self.ann))
        assert (event.place, event.place_name) == (entity_id(self.inn), "The Inn")
        assert (event.readers, event.importance, event.by_assistant) == (OPEN, 8, False)
        assert event.root == event.id

    def test_whisper_belongs_to_the_whisperer(self):
        """A whisper, to one or to several, is labelled with its speaker alone."""
        other = self.a_mind("Olga")
        self.heard()
        self.ann.at_say("psst", receivers=[self.mind, other], whisper=True)
        for event in (*self.heard(), *self.heard(other)):
            assert (event.content, event.source_type) == ("psst", "whisper")
            assert event.readers == entity_id(self.ann)
            assert event.requires_response
            assert (event.importance, event.addressing) == (9, "direct")

    def test_pose_is_heard_whole(self):
        """A pose is the line itself, and its author is who sent it, whatever it claims."""
        self.inn.msg_contents(
            text=('Ann waves. Bob says, "hi"', {"type": "pose"}), from_obj=self.ann
        )
        (event,) = self.heard()
        assert event.content == 'Ann waves. Bob says, "hi"'
        assert (event.source.name, event.importance) == ("Ann", 6)

    def test_arrivals_and_departures_are_moves(self):
        """Somebody who walks out and back again is perceived both times."""
        self.ann.move_to(self.street, move_type="traverse")
        self.ann.move_to(self.inn, move_type="traverse")
        assert [event.source_type for event in self.heard()] == ["move", "move"]

    def test_other_text_is_not_perceived(self):
        """Looks, pick-ups, untyped text, text from nowhere and one's own words are ignored."""
        for text, sender in (
            ("plain", self.ann),
            (("Ann picks up a mug.", {}), self.ann),
            (("A room.", {"type": "look"}), self.mind),
            (("Thunder!", {"type": "weather", "data": {}}), None),
            (('Marrek says, "hi"', {"type": "say"}), self.mind),
            (('Who says, "hi"', {"type": "say"}), None),
            (('Odd says, "hi"', {"type": "say"}), "Ann"),
            (None, self.ann),
        ):
            assert from_msg(self.mind, text, sender) is None

    def test_type_beside_the_text_counts(self):
        """A game that names the type in the hook's other arguments is understood as well."""
        event = from_msg(self.mind, 'Ann says, "Hi."', self.ann, {"type": "say"})
        assert event.content == "Hi."

    def test_translated_speech_falls_back_to_the_line(self):
        """Other quotes are found; a line without quotes, or with words behind them, is whole."""
        lines = {
            "Ann sagt: „Guten Tag“": "Guten Tag",
            "Ann dit : « Bonjour »": "Bonjour",
            "Ann ruft laut Hallo": "Ann ruft laut Hallo",
            'Ann says "hi" in a strange tongue': 'Ann says "hi" in a strange tongue',
        }
        for line, content in lines.items():
            event = from_msg(self.mind, (line, {"type": "say"}), self.ann)
            assert event.content == content

    def test_quotes_in_a_name_are_not_speech(self):
        """The quotes of a nickname do not swallow the says part."""
        self.ann.key = 'Ann "The Axe" Miller'
        self.ann.at_say("Hello.")
        assert self.heard()[0].content == "Hello."

    def test_speaker_is_named_as_seen(self):
        """The hearer knows a stranger by what it sees, the id stays the same."""
        stranger = create.create_object(SdescCharacter, key="Zoe", location=self.inn)
        stranger.at_say("Good evening.")
        (event,) = self.heard()
        assert event.source.name == "a tall stranger"
        assert event.source.id == entity_id(stranger)
        assert event.content == "Good evening."

    def test_hearers_share_the_utterance(self):
        """All who hear one line share its id; said again, it is another utterance."""
        other = self.a_mind("Olga")
        self.heard()
        for _ in range(2):
            self.ann.at_say("Anybody?")
        first, second = self.heard()
        assert [first.id, second.id] == [event.id for event in self.heard(other)]
        assert first.id != second.id

    def test_utterances_end_with_the_step(self):
        """When the reactor step is over, the same words are a new utterance for everybody."""
        after = []
        utterances = Utterances(after.append)
        first = utterances.line_for("h1", "ann", "say", "hi")
        assert utterances.line_for("h2", "ann", "say", "hi") == first
        assert len(after) == 1
        after.pop()()
        assert utterances.line_for("h3", "ann", "say", "hi") != first
        assert len(after) == 1

    def test_private_room_belongs_to_its_hearers(self):
        """In a room tagged private, readers are the speaker and all who were there to hear."""
        self.inn.tags.add("private", category=CATEGORY)
        bob, _ = self.a_player("Bob"), self.a_body("Statue")
        self.ann.at_say("Between us.")
        assert self.heard()[-1].readers == canonical(map(entity_id, (self.ann, bob, self.mind)))

    @override_settings(AI_ASSISTANT_OPEN_SPEECH="present")
    def test_setting_makes_every_room_private(self):
        """With OPEN_SPEECH on ``present``, what is said belongs to those present, everywhere."""
        self.ann.at_say("Between us.")
        assert self.heard()[-1].readers == canonical(map(entity_id, (self.ann, self.mind)))

    def test_game_decides_who_hears(self):
        """`at_ai_hearers` of the room's typeclass replaces the list of those present."""
        corner = create.create_object(QuietCorner, key="Corner", nohome=True)
        corner.tags.add("private", category=CATEGORY)
        for one in (self.mind, self.ann, self.a_player("Bob")):
            one.location = corner
        self.mind.tags.add("table")
        self.ann.at_say("Only for the table.")
        assert self.heard()[-1].readers == canonical(map(entity_id, (self.ann, self.mind)))

    def test_game_code_may_narrow_readers(self):
        """What is sent under `speaking(readers=…)` is labelled so, speaker included."""
        with speaking(readers=entity_id(self.mind)):
            self.ann.at_say("For your ears.")
        assert self.heard()[-1].readers == canonical(map(entity_id, (self.ann, self.mind)))

    def test_the_same_words_stay_under_the_label_of_each(self):
        """What two hear in one step, each in private, is labelled for each of them alone."""
        other, line = self.a_mind("Olga"), ('Ann says, "For your ears."', {"type": "say"})
        for hearer in (self.mind, other):
            with speaking(readers=entity_id(hearer)):
                hearer.msg(text=line, from_obj=self.ann)
        labels = [self.heard(hearer)[-1].readers for hearer in (self.mind, other)]
        assert labels == [canonical(map(entity_id, (self.ann, one))) for one in (self.mind, other)]

    def test_who_speaks_is_told_apart_in_one_event(self):
        """Where several speak as one known event, each is heard as who it is."""
        other, bob = self.a_mind("Olga"), self.a_player("Bob")
        with speaking(event="ev1"):
            self.mind.msg(text=('Ann says, "Aye."', {"type": "say"}), from_obj=self.ann)
            other.msg(text=('Bob says, "Aye."', {"type": "say"}), from_obj=bob)
        spoke = [self.heard(hearer)[-1].source.id for hearer in (self.mind, other)]
        assert spoke == [entity_id(self.ann), entity_id(bob)]

    def test_mention_is_most_important(self):
        """An @ before the hearer's name makes a line as important as can be."""
        self.ann.at_say("What does @marrek think?")
        (event,) = self.heard()
        assert (event.importance, event.addressing) == (10, "mention")

    def test_assistants_talk_costs_its_cause(self):
        """What a mind says follows from the event that made it speak."""
        other = self.a_mind("Olga")
        self.heard()
        with speaking("root-1"):
            other.at_say("Indeed.")
        (event,) = self.heard()
        assert event.by_assistant
        assert (event.root, event.importance) == ("root-1", 4)
        other.at_say("Unprompted.")
        assert self.heard()[-1].root != "root-1"

    def test_gift_is_perceived_and_marked(self):
        """A player's gift is an event, and may be given away later; an npc's is only an event."""
        mug, coin = self.a_thing("a mug", self.ann), self.a_thing("a coin", self.inn)
        mug.move_to(self.mind, quiet=True, move_type="give")
        event = self.heard()[-1]
        assert event.content == "Ann gives you a mug."
        assert (event.source_type, event.metadata["item"]) == ("gift", entity_id(mug))
        from_gift(self.mind, coin, self.a_body("Guard"))
        assert [item.tags.has(GIFT_TAG, category=CATEGORY) for item in (mug, coin)] == [True, False]

    def test_page_belongs_to_its_sender(self):
        """A page has no place, and only who sent it may hear of it."""
        event = from_page(self.mind, self.ann.account, "Are you there?")
        assert (event.source.id, event.readers) == (entity_id(self.ann),) * 2
        assert (event.place, event.source_type, event.content) == ("", "page", "Are you there?")

    def test_deleted_sender_is_nobody(self):
        """What a deleted object is said to have sent is not perceived."""
        self.log_out(self.ann)
        self.ann.delete()
        assert from_page(self.mind, self.ann, "boo") is None

    def test_hostile_text_is_inert(self):
        """Whatever is said, named or described, perception cleans it."""
        for text in HOSTILE:
            event = from_msg(self.mind, (f'Ann says, "{text}"', {"type": "say"}), self.ann)
            page = from_page(self.mind, self.ann, text)
            for heard in (event.content, page.content):
                assert heard == clean(heard, HEARD_LIMIT)
                assert not set("|{}\n\x1b\u202e") & set(heard)

    @pytest.mark.hypothesis
    def test_any_line_is_perceived(self):
        """There is no text that perception chokes on."""

        @given(st.text(max_size=60))
        def hears(text):
            event = from_msg(self.mind, (f'Ann says, "{text}"', {"type": "say"}), [self.ann])
            assert event.content == clean(event.content, HEARD_LIMIT)

        hears()


class TestChannelListener(StageTestCase):
    def setUp(self):
        super().setUp()
        self.ann = self.a_player("Ann")
        self.mind, self.olga = self.a_mind(), self.a_mind("Olga")
        self.public = create.create_channel("Public", typeclass=DefaultChannel)
        for one in (self.mind, self.olga, self.ann.account):
            assert self.public.connect(one)
        self.screens.clear()

    def test_channel_is_heard_and_belongs_to_it(self):
        """A line on a channel reaches the mind unadorned; its speaker is the account's puppet."""
        self.public.msg("Hello all", senders=[self.ann.account])
        event = self.mind.ndb.heard[-1]
        channel = entity_id(self.public)
        assert event.content == "Hello all"
        assert (event.source.id, event.readers) == (entity_id(self.ann), channel)
        assert (event.place, event.place_name, event.importance) == (channel, "Public", 5)
        assert event.id == self.olga.ndb.heard[-1].id

    def test_others_hear_it_as_before(self):
        """With minds subscribed, accounts still get the line with prefix and sender."""
        self.public.msg("Hello all", senders=[self.mind])
        assert self.screen(self.ann) == ["[Public] Marrek: Hello all"]
        assert not self.mind.ndb.heard

    def test_channel_poses_are_told_as_poses(self):
        """A line that begins with a colon is a pose of its sender."""
        self.public.msg(":waves", senders=[self.ann.account])
        assert self.mind.ndb.heard[-1].content == "Ann waves"

    def test_broadcasts_are_nobodys_words(self):
        """What no one sent is not perceived, and breaks nothing."""
        self.public.msg("The server restarts.")
        assert not self.mind.ndb.heard
        assert from_channel(self.mind, self.public, "x", []) is None
