"""Configuration of one assistant: every kind of value, checked, applied at once, taken back."""

import json

import pytest
from django.test import override_settings

from ai_assistant.api import lifecycle
from ai_assistant.core.errors import StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.runtime.means import caps_of
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase, broken_database

PROFILES = {
    "default": {"provider": "offline"},
    "clever": {"provider": "offline"},
}


class TestConfigure(CommandTestCase):
    def test_each_kind_of_value(self):
        """Numbers, switches, choices and lists are read as people write them."""
        marrek = self.an_assistant()
        for key, text, value in (
            ("tick_rate", "7", 7),
            ("multi_action_enabled", "off", False),
            ("room_default", "ignore", "ignore"),
            ("disabled_tools", "move, give", ["move", "give"]),
            ("daily_calls", "12", 12),
        ):
            assert lifecycle.configure(marrek, key, text) == value
            assert marrek.assistant_script.config[key] == value
            assert self.resident(marrek).mind.config[key] == value
        assert self.audited().count("ConfigurationChanged") == 5

    def test_bad_values_change_nothing(self):
        """Each is refused with a word on what would fit."""
        marrek = self.an_assistant()
        for key, text, hint in (
            ("tick_rate", "fast", "1 to 3600"),
            ("tick_rate", "0", "1 to 3600"),
            ("multi_action_enabled", "perhaps", "on or off"),
            ("room_default", "shout", "context, ignore, trigger"),
            ("disabled_tools", "fly", "say"),
            ("channels", "Nowhere=all", "Nowhere"),
            ("channels", "Nowhere=loud", "mention"),
            ("llm_profile", "genius", "default"),
            ("nonsense", "1", "lists them all"),
            ("tik_rate", "1", "Did you mean tick_rate"),
        ):
            assert hint in self.refused(lifecycle.configure, marrek, key, text)
        assert marrek.assistant_script.config.values == {}
        assert "ConfigurationChanged" not in self.audited()
        assert marrek.assistant_script.config["tick_rate"] == 5

    @override_settings(AI_ASSISTANT_KEYS={"default": "canary-0123456789-abcdefgh"})
    def test_key_is_neither_kept_nor_repeated(self):
        """Whatever an owner types by mistake: no screen, audit or Attribute holds the key."""
        marrek = self.an_assistant()
        for secret in ("canary-0123456789-abcdefgh", "sk-proj-0123456789abcdef"):
            for line in (
                f"llm_profile {secret}",
                f"compact_prompt Use {secret} for it",
                f"api_key {secret}",
                f"tick_rate {secret}",
                f"channels {secret}=all",
                secret,
            ):
                told = self.ai(f"/config Marrek = {line}")
                assert told.startswith("That looks like a key"), told
                assert secret[8:] not in told
            refused = self.refused(lifecycle.configure, marrek, "compact_prompt", secret)
            assert secret[8:] not in refused
        assert marrek.assistant_script.config.values == {}
        audit = json.dumps([*AssistantEvent.objects.values_list("data", flat=True)])
        assert "0123456789" not in audit + "".join(self.logged())

    def test_what_the_database_refuses_is_not_on_record(self):
        """Record and value are written together, or neither is."""
        marrek = self.an_assistant()
        broken = broken_database("UPDATE typeclasses_attribute")
        with broken as refused, pytest.raises(StoreError):
            lifecycle.configure(marrek, "tick_rate", "9", by="Ada")
        assert refused
        assert "ConfigurationChanged" not in self.audited()
        assert marrek.assistant_script.config["tick_rate"] == 5

    def test_taken_back(self):
        """The word `default` takes a value back."""
        marrek = self.an_assistant()
        lifecycle.configure(marrek, "tick_rate", "7")
        assert lifecycle.configure(marrek, "tick_rate", "default") == 5
        assert marrek.assistant_script.config.values == {}
        assert marrek.assistant_script.interval == 5

    def test_heartbeat_changes_and_nothing_else(self):
        """Another pace ends no turn, closes no question and forgets nobody."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        resident = self.resident(marrek)
        hold = self.held(alice, "say Hello, Marrek!")
        self.does(alice, "say Marrek?")
        lifecycle.configure(marrek, "tick_rate", "9")
        assert marrek.assistant_script.ndb._task.interval == 9
        assert self.resident(marrek) is resident
        self.model.say("Hello.").say("Yes?")
        self.let_go(hold)
        assert self.closed() == []
        assert 'Marrek says, "Yes?"' in self.screen(alice)

    def test_channels_are_joined_and_left(self):
        """It subscribes to what is named, leaves what is not, and hears nothing of what is off."""
        public, trade = self.a_channel("Public"), self.a_channel("Trade")
        marrek = self.an_assistant()
        lifecycle.configure(marrek, "channels", "public=all, Trade")
        assert public.subscriptions.has(marrek)
        assert trade.subscriptions.has(marrek)
        assert marrek.assistant_script.config["channels"] == {"Public": "all", "Trade": "mention"}
        lifecycle.configure(marrek, "channels", "Trade=off")
        assert not public.subscriptions.has(marrek)
        assert not trade.subscriptions.has(marrek)
        lifecycle.configure(marrek, "channels", "Public")
        lifecycle.configure(marrek, "channels", "default")
        assert not public.subscriptions.has(marrek)

    def test_channel_mode_counts_however_it_is_typed(self):
        """The name of a channel may be written in any case."""
        lane, alice = self.a_channel("Public"), self.a_player("Alice")
        lane.connect(alice.account)
        self.an_assistant(channels={"PUBLIC": "all"})
        self.model.call("channel_say", text="I do.")
        lane.msg("Does anybody know the way?", senders=alice)
        self.steps.run()
        assert any("I do." in line for line in self.screen(alice))

    def test_locked_and_banned_channels(self):
        """A channel that does not let it in is refused, and no other is joined."""
        public, staff = self.a_channel(), self.a_channel("Staff", "listen:perm(Admin)")
        marrek = self.an_assistant()
        assert "Staff" in self.refused(lifecycle.configure, marrek, "channels", "Public, Staff")
        public.ban(marrek)
        assert "Public" in self.refused(lifecycle.configure, marrek, "channels", "Public")
        assert not public.subscriptions.has(marrek)
        assert not staff.subscriptions.has(marrek)

    def test_a_profile_that_exists(self):
        """An assistant may have another model than the game's."""
        with override_settings(AI_ASSISTANT_LLM=PROFILES):
            marrek = self.an_assistant()
            assert lifecycle.configure(marrek, "llm_profile", "clever") == "clever"

    def test_own_caps(self):
        """An assistant's own caps count instead of the game's, at once and after a reload."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        lifecycle.configure(marrek, "daily_calls", "1")
        assert caps_of(entity_id(marrek))[0] == 1
        self.model.say("One.")
        self.does(alice, "say Hello, Marrek!")
        self.does(alice, "say Marrek?")
        assert len(self.model.requests) == 1
        assert "daily cap is reached" in self.resident(marrek).last_error
        marrek = self.come_back(marrek)
        self.does(alice, "say Marrek?")
        assert len(self.model.requests) == 1

    def test_stopped_ones_can_be_configured(self):
        """What is set while it is stopped counts when it starts."""
        marrek = self.an_assistant()
        lifecycle.stop(marrek)
        lifecycle.configure(marrek, "room_default", "trigger")
        lifecycle.start(marrek)
        assert self.resident(marrek).mind.config["room_default"] == "trigger"

    def test_configuration_spoilt_by_hand(self):
        """What staff broke in the Attribute keeps that one from starting, with a reason."""
        marrek = self.an_assistant()
        lifecycle.stop(marrek)
        marrek.assistant_script.db.config = {"tick_rate": "fast"}
        assert "tick_rate" in self.refused(lifecycle.start, marrek)
        marrek.assistant_script.db.config = None
        lifecycle.start(marrek)
        assert SERVICE.residents
