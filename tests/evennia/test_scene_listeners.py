"""Ears of scenes are where their players are, however those got there."""

from unittest.mock import patch

from evennia.server.signals import SIGNAL_OBJECT_POST_PUPPET

from ai_assistant.api import staging
from ai_assistant.api.scene_listeners import SceneListener
from ai_assistant.game.consent import opt_out
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from tests.evennia.living import Steps, broken_database
from tests.evennia.test_live_scenes import SceneTestCase


class TestEars(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")
        self.session = self.a_scene(self.pia, self.quinn)

    def places(self):
        """Return the names of the rooms with an ear."""
        self.steps.run()
        return sorted(one.location.key for one in SceneListener.objects.all())

    def assert_talk_is_kept(self):
        self.does(self.pia, "say Quinn, the gate is open.")
        assert self.words(self.quinn, self.session) == ["Quinn, the gate is open."]

    def test_they_follow_a_quiet_teleport(self):
        """Nobody announces it, and yet what is said there is kept."""
        for one in (self.pia, self.quinn):
            one.move_to(self.street, quiet=True)
        assert self.places() == ["Street"]
        self.assert_talk_is_kept()

    def test_they_follow_a_body_that_is_put_elsewhere(self):
        """A builder or the game's code sets the location; no hook is called."""
        self.pia.location = self.quinn.location = self.street
        assert self.places() == ["Street"]
        self.assert_talk_is_kept()

    def test_there_is_one_where_each_player_is(self):
        """In two rooms there are two, and in a room that players left there is none."""
        self.pia.location = self.street
        assert self.places() == ["Street", "The Inn"]
        self.quinn.location = self.street
        assert self.places() == ["Street"]

    def test_they_wait_behind_no_turn(self):
        """However much a busy Server has put off, what is said right after a walk is kept."""
        with patch.object(SERVICE, "later", Steps()):
            self.pia.location = self.quinn.location = self.street
            assert self.places() == ["Street"]
        self.assert_talk_is_kept()

    def test_a_scene_that_ended_is_told_as_ended_though_an_ear_cannot_go(self):
        """The ear goes when the database takes it."""
        with broken_database("objects_objectdb", "DELETE") as refused:
            staging.stop_scene(self.session)
        assert refused
        assert not SCENES.get(self.session).is_running
        assert "malformed" in str(self.logged())
        self.clock.advance(5)
        SERVICE.watch.beat()
        assert self.places() == []

    def test_before_migrate_the_log_says_so_in_a_line(self):
        """Whoever moves then, moves; the owner reads what to do, and no traceback."""
        SCENES.reset()
        with broken_database("ai_assistant_scene", told="no such table: ai_assistant_scene"):
            self.quinn.location = self.street
        told = [line for line in self.logged() if "ai_assistant" in line]
        assert told == [
            "ai_assistant: follow: The database lacks a table of ours. "
            "Run: evennia migrate, then evennia reload."
        ]
        assert self.quinn.location == self.street

    def test_who_leaves_the_game_takes_it_along(self):
        """A stowed body has no ear; back in the game it has one."""
        account = self.pia.account
        self.quinn.location = self.street
        self.log_out(self.pia)
        assert self.places() == ["Street"]
        self.log_in(account, self.pia)
        assert self.places() == ["Street", "The Inn"]

    def test_a_word_to_somebody_else_is_not_of_the_scene(self):
        """What Pia tells Rob in the street, who plays nowhere, is no part of the scene, nor of what
        she takes home; what she says with nobody there, or with Quinn there as well, is."""
        rob = self.a_player("Rob", self.street)
        self.pia.location = self.street
        self.steps.run()
        self.does(self.pia, "say Rob, my real password is hunter2")
        assert self.world(self.session) == self.words(self.pia, self.session) == []
        self.quinn.location = self.street
        self.steps.run()
        self.does(self.pia, "say Rob, this is the queen of the moon.")
        rob.location = self.quinn.location = self.inn
        self.steps.run()
        self.does(self.pia, "say I am alone.")
        told = ["Rob, this is the queen of the moon.", "I am alone."]
        assert self.words(self.pia, self.session) == told

    def test_who_opted_out_is_in_no_record(self):
        """The record of a scene does not have what a player says who opted out."""
        opt_out(self.pia)
        self.does(self.pia, "say Quinn, the gate is open.")
        self.does(self.quinn, "say So it is.")
        assert self.words(self.quinn, self.session) == ["So it is."]
        assert not any("gate" in line for line in self.world(self.session))

    def test_after_a_restart_they_are_where_the_players_are(self):
        """Whatever a killed server left behind is put right when players come back."""
        for ear in SceneListener.objects.all():
            ear.delete()
        SCENES.reset()
        SIGNAL_OBJECT_POST_PUPPET.send(sender=self.pia, account=self.pia.account, session=None)
        assert self.places() == ["The Inn"]
        self.assert_talk_is_kept()

    def test_nobody_else_is_followed(self):
        """Bodies that play in no scene, and things, put off nothing."""
        staging.stop_scene(self.session)
        self.steps.run()
        self.pia.location = self.street
        self.a_thing("lamp", self.inn).location = self.street
        assert not self.steps.waiting
        assert self.places() == []
