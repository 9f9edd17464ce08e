"""Taking the app out of a game: every character has its old life again, and a way back."""

from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import override_settings
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter
from evennia.scripts.models import ScriptDB

from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.api.release import former_life
from ai_assistant.game.identity import is_assistant
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.server_lease import LeaseRow
from tests.evennia.living import LivingTestCase, renew_lease
from tests.evennia.storehouse import forget_caches


class TestRemoval(LivingTestCase):
    """Marrek was made as an assistant, Bob was adopted; both met Alice."""

    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek, self.bob = self.an_assistant(), self.a_body("Bob")
        lifecycle.adopt(self.bob, config={"daily_calls": 900})
        self.steps.run()
        for name in ("Marrek", "Bob"):
            self.model.say("Aye.")
            self.does(self.alice, f"say {name}, my cat is called Whiskers.")
        SERVICE.__init__(**{**self.ties(), "in_server": lambda: False})
        LeaseRow().renew(LeaseRow().read().epoch, 0.0)  # the server has stopped

    def remove(self, *options):
        out = StringIO()
        call_command("ai_remove", *options, stdout=out, no_color=True, pause=renew_lease)
        return out.getvalue()

    def test_without_a_choice_nothing_happens(self):
        """It says what would become of them, and which lines of the game name the app."""
        with TemporaryDirectory() as folder:
            conf = Path(folder) / "server" / "conf"
            conf.mkdir(parents=True)
            (conf / "settings.py").write_text('A = 1\nINSTALLED_APPS += ["ai_assistant"]\n')
            with override_settings(GAME_DIR=folder):
                told = self.remove()
        assert "1 would become evennia.objects.objects.DefaultCharacter" in told
        assert 'server/conf/settings.py:2: INSTALLED_APPS += ["ai_assistant"]' in told
        assert "Nothing was changed" in told
        assert len(lifecycle.all_assistants()) == 2

    def test_nothing_of_the_app_is_named_in_the_database(self):
        """No character and no script is of a class that would be missing."""
        assert "Their minds rest" in self.remove("--keep")
        assert not ObjectDB.objects.filter(db_typeclass_path__contains="ai_assistant").exists()
        assert not ScriptDB.objects.filter(db_typeclass_path__contains="ai_assistant").exists()
        assert type(self.bob) is DefaultCharacter
        assert self.marrek.typeclass_path == settings.BASE_CHARACTER_TYPECLASS
        assert [self.marrek.key, self.bob.key] == ["Marrek", "Bob"]

    def test_and_back(self):
        """All minds wake with what they knew, and how they were set."""
        self.remove("--keep")
        told = self.remove("--undo")
        assert "Marrek" in told
        assert "Bob" in told
        SERVICE.__init__(**self.ties())
        for body in (self.marrek, self.bob):
            body.assistant_script.at_start()
        self.steps.run()
        assert self.bob.assistant_script.config["daily_calls"] == 900
        self.model.say("Whiskers.")
        self.does(self.alice, "say Bob, what is my cat called?")
        assert "my cat is called Whiskers." in self.model.shown()
        assert "At rest: 0 minds" in self.remove()

    def test_one_that_was_given_another_class(self):
        """As where the app was gone: no command stumbles over it, and it wakes with the others."""
        ObjectDB.objects.filter(pk=self.bob.pk).update(
            db_typeclass_path=settings.BASE_CHARACTER_TYPECLASS
        )
        self.bob.assistant_script.delete()
        forget_caches()
        assert [body.key for body in lifecycle.all_assistants()] == ["Marrek"]
        assert "Bob" in self.remove("--undo")
        assert len(lifecycle.all_assistants()) == 2
        bob = ObjectDB.objects.get(pk=self.bob.pk)
        assert former_life(bob).path == settings.BASE_CHARACTER_TYPECLASS
        assert store_of(bob).keys("profile")

    def test_one_that_cannot_be_released_is_named(self):
        """The others are, and what comes after waits until all are."""
        self.bob.attributes.get("ai_former_life", category="ai_assistant")["typeclass"] = "gone.Npc"
        out = StringIO()
        with pytest.raises(CommandError, match="1 were not released"):
            call_command("ai_remove", "--keep", stdout=out, no_color=True)
        assert "gone.Npc before, which cannot be imported" in out.getvalue()
        assert is_assistant(self.bob)
        assert not is_assistant(self.marrek)
        assert store_of(self.bob).keys("profile")

    def test_not_while_the_game_runs(self):
        """The server would go on with what it has in memory; its clock may be behind ours."""
        LeaseRow().take(LeaseRow().read(), "a server", 1.0)
        with pytest.raises(CommandError, match="The game is running"):
            self.remove("--keep")
        assert len(lifecycle.all_assistants()) == 2
