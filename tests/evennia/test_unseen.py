"""Unseen: whom one does not see, one does not know to be there; nor what passed between others."""

from evennia.objects.objects import DefaultRoom

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, Participation
from ai_assistant.storage import WorldContainer
from ai_assistant.typeclasses import AssistantMixin
from tests.evennia.test_live_scenes import Listening, SceneTestCase


class Murk(DefaultRoom):
    """A room in which nobody sees anybody but Alice."""

    def filter_visible(self, obj_list, looker, **kwargs):
        return [one for one in obj_list if one.key == "Alice" and one != looker]


class Dark(DefaultRoom):
    """A room in which nobody sees anybody."""

    def filter_visible(self, obj_list, looker, **kwargs):
        return []


class TestUnseen(SceneTestCase):
    def setUp(self):
        super().setUp()
        for one in (self.alice, self.bob, self.charlie):
            one.locks.add("address:false()")

    def hides_from(self, body, *lookers):
        body.locks.add("view:" + " and ".join(f"not id({one.pk})" for one in lookers))

    def knows_of(self, who, session):
        """Return the names of those whom one's last row has as participants."""
        flush(self.resident(who).mind)
        there = self.rows(who, session)[-1].meta["participants"]
        everybody = (self.alice, self.bob, self.charlie, self.pia)
        return {one.key for one in everybody if entity_id(one) in there}

    def test_each_knows_of_those_whom_it_sees(self):
        """Charlie hides from Bob alone, who takes part and does not know that he does."""
        session = self.a_scene(self.pia, self.alice, self.bob, self.charlie)
        self.hides_from(self.charlie, self.bob)
        self.does(self.pia, "say Everyone, listen!")
        assert self.knows_of(self.alice, session) == {"Pia", "Alice", "Bob", "Charlie"}
        assert self.knows_of(self.bob, session) == {"Pia", "Alice", "Bob"}
        assert self.knows_of(self.charlie, session) == {"Pia", "Alice", "Bob", "Charlie"}

    def test_nobody_learns_of_whom_they_do_not_see(self):
        """What became of Charlie is news to those who know that he is there."""
        session = self.a_scene(self.pia, self.alice, self.bob, self.charlie)
        staging.record_update(self.charlie, "Charlie found a coin", "item_acquired")
        self.hides_from(self.charlie, self.bob)
        self.does(self.pia, "say Everyone, listen!")
        for one in (self.alice, self.bob):
            flush(self.resident(one).mind)
        learnt = [
            self.rows(one, session, kind="character_update") for one in (self.alice, self.bob)
        ]
        assert [len(one) for one in learnt] == [1, 0]

    def test_in_the_dark_one_knows_the_voice_alone(self):
        """Where a room lets nobody see anybody, each knows of the speaker and itself."""
        self.inn.swap_typeclass(Murk, run_start_hooks=None)
        session = self.a_scene(self.pia, self.alice, self.bob, self.charlie)
        self.does(self.pia, "say Everyone, listen!")
        assert self.knows_of(self.bob, session) == {"Pia", "Bob", "Alice"}

    def test_in_the_dark_who_is_called_by_name_is_found(self):
        """Whether a player calls or an assistant, it is for whom they called, and for no other."""
        self.inn.swap_typeclass(Dark, run_start_hooks=None)
        session = self.a_scene(self.pia, self.alice, self.bob, self.charlie)
        self.does(self.pia, "say Bob, the mill is shut.")
        self.speaks(self.alice, "Bob, the well is dry.")
        assert self.words(self.bob, session) == ["Bob, the mill is shut.", "Bob, the well is dry."]
        assert self.words(self.charlie, session) == []

    def test_a_gift_that_others_do_not_see_is_no_open_matter(self):
        """A hidden thing is handed over: that is known to the two, and to those who see it."""
        vial, mug = (self.a_thing(name, self.pia) for name in ("Vial", "Mug"))
        vial.locks.add(f"view:id({self.alice.pk}) or id({self.pia.pk})")
        for thing in (vial, mug):
            thing.move_to(self.alice, quiet=True, move_type="give")
        self.steps.run()
        flush(self.resident(self.alice).mind)
        labels = {
            row.content: row.readers for row in self.rows(self.alice) if "gives" in row.content
        }
        assert labels == {
            "Pia gives you Vial.": canonical([entity_id(self.alice), entity_id(self.pia)]),
            "Pia gives you Mug.": OPEN,
        }

    def test_who_mutes_a_channel_does_not_hear_it(self):
        """Of what is said there a player who does not listen takes no part, and keeps nothing."""
        channel = self.a_channel()
        quinn = self.a_player("Quinn")
        for one in (self.pia.account, quinn.account, self.alice):
            channel.connect(one)
        session = self.a_scene(self.pia, quinn, self.alice)
        channel.mute(quinn.account)
        channel.msg("Alice and Quinn, the heir is Dora.", senders=[self.pia.account])
        self.steps.run()
        flush(self.resident(self.alice).mind)
        assert self.rows(quinn, session) == []
        assert len(self.rows(self.alice, session)) == 1

    def test_a_played_assistant_keeps_what_it_hears(self):
        """Somebody wears its body: it has no turn to save with, so others save for it."""
        self.model.replies.clear()
        session = self.a_scene(self.pia, self.alice, self.bob)
        account = self.a_player("Quinn").account
        self.bob.locks.add(f"puppet:pid({account.id})")
        account.puppet_object(account.sessions.all()[0], self.bob)
        self.does(self.pia, "say Bob, Alice, listen!")
        flush(self.resident(self.alice).mind)
        assert self.words(self.bob, session) == ["Bob, Alice, listen!"]

    def test_an_answer_given_at_once_is_a_line_of_its_own(self):
        """A game lets somebody react within the line: that is not what the assistant said."""
        parrot = self.a_player("Parrot")
        parrot.swap_typeclass(Echo, run_start_hooks=None)
        session = self.a_scene(self.alice, self.bob, parrot)
        self.speaks(self.alice, "Bob, the well is dry.")
        assert self.words(self.bob, session) == ["Bob, the well is dry.", "Dry! Dry!"]
        events = Memory.objects.filter(container=entity_id(self.bob), content__contains="ry")
        assert len({row.meta["event"] for row in events}) == 2
        assert Participation.objects.filter(speaker=entity_id(parrot)).exists()


class Echo(Listening):
    """Somebody who answers within the line."""

    def at_msg_receive(self, text=None, from_obj=None, **kwargs):
        heard = super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)
        if from_obj is not self and "well" in str(text):
            self.location.msg_contents(
                ('Parrot says, "Dry! Dry!"', {"type": "say"}), exclude=[self], from_obj=self
            )
        return heard


class Townsman(AssistantMixin, Listening):
    """An assistant in a game whose characters all use the mixin for players."""


class TestBothMixins(SceneTestCase):
    def test_an_assistant_of_the_players_class_hears_once(self):
        """It keeps what it hears and gets as an assistant, and not as a player beside that."""
        self.bob.swap_typeclass(Townsman, run_start_hooks=None)
        self.bob.locks.add("address:false()")
        session = self.a_scene(self.pia, self.bob)
        self.does(self.pia, "say Bob, listen!")
        flush(self.resident(self.bob).mind)
        self.a_thing("Mug", self.inn).move_to(self.bob, quiet=True)
        self.bob.move_to(self.street, quiet=True)
        kept = [row.kind for row in self.rows(self.bob, session)]
        assert kept == ["utterance", "character_update", "character_update"]  # each but once
        news = WorldContainer(session).find(where={"kind": "character_update"}, limit=9)
        assert [row.meta["updateType"] for row in news] == ["moved", "item_acquired"]
