"""The settings: typed, looked up live, and wrong ones named before they do harm."""

import pytest
from django.test import override_settings

from ai_assistant import conf
from ai_assistant.api import overview
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase

WRONG = (
    ("IN_FLIGHT", "many", "int"),
    ("IN_FLIGHT", True, "int"),
    ("IN_FLIGHT", 0, "more than 0"),
    ("DAILY_CALLS", -1, "negative"),
    ("GAME_DAILY_TOKENS", 1.5, "int"),
    ("MODEL_TIMEOUT", "30", "float"),
    ("MODEL_TIMEOUT", 0, "more than 0"),
    ("MAX_REPLY_BYTES", 0, "more than 0"),
    ("RESTORE_WAIT", -0.5, "negative"),
    ("OPEN_SPEECH", "closed", "open, present"),
    ("LLM", ["gpt"], "dict"),
    ("KEYS", "sk-canary", "dict"),
    ("TOOL_MODULES", "world.tools", "list"),
    ("TYPECLASS", None, "str"),
)


@pytest.mark.parametrize(("name", "value", "hint"), WRONG)
def test_wrong_value_is_named(name, value, hint, settings):
    """Whoever reads it is told the setting's whole name and what it should be, not its value."""
    setattr(settings, f"AI_ASSISTANT_{name}", value)
    for read in (lambda: getattr(conf.settings, name), conf.settings.check):
        with pytest.raises(ConfigurationError) as refusal:
            read()
        assert f"AI_ASSISTANT_{name}" in str(refusal.value)
        assert hint in str(refusal.value)
        assert "canary" not in str(refusal.value)


def test_defaults_are_fine(settings):
    """A game that sets nothing has settings that work."""
    conf.settings.check()


def test_a_misspelt_setting_is_told(settings):
    """What resembles one of ours is named with the one that was meant; other apps' without."""
    assert conf.settings.unknown() == {}
    settings.AI_ASSISTANT_DAILY_CALL = 5
    settings.AI_ASISTANT_LLM = settings.ASSISTANT_JOBS = {}
    settings.AI_ASSISTANT_CLIENT_ID_FN = "another.app"
    settings.AIRPORTS = []
    settings.ASSISTANT = settings.AI = "of.another.app"
    assert conf.settings.unknown() == {
        "AI_ASISTANT_LLM": "AI_ASSISTANT_LLM",
        "AI_ASSISTANT_CLIENT_ID_FN": "",
        "AI_ASSISTANT_DAILY_CALL": "AI_ASSISTANT_DAILY_CALLS",
        "ASSISTANT_JOBS": "AI_ASSISTANT_JOBS",
    }


def test_looked_up_live(settings):
    """A changed setting counts at once, and whole numbers will do for seconds."""
    settings.AI_ASSISTANT_MODEL_TIMEOUT = 5
    assert conf.settings.MODEL_TIMEOUT == 5
    settings.AI_ASSISTANT_TOOL_MODULES = ("world.tools",)
    assert conf.settings.TOOL_MODULES == ("world.tools",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLAYER_SHARE", 0.0),
        ("PLAYER_SHARE", -0.5),
        ("LINES_PER_MINUTE", -1),
        ("LINES_PER_DAY", "all"),
        ("JOBS", {"chat": "unknown"}),
        ("JOBS", {"dream": "default"}),
        ("TOOL_MODULES", ["no.such.module"]),
        ("TOOL_MODULES", ["ai_assistant.conf"]),
        ("DAILY_TOKENS", "lots"),
        ("LANGUAGE", "klingon"),
        ("LANGUAGE", "no/such/file.toml"),
    ],
)
def test_wrong_from_the_start(name, value, settings, db):
    """What only shows when settings are put together is named as well, before anybody thinks."""
    setattr(settings, f"AI_ASSISTANT_{name}", value)
    with pytest.raises(ConfigurationError, match=f"AI_ASSISTANT_{name}"):
        build_shared()


@pytest.mark.parametrize(
    "llm",
    [
        {"default": {"provider": "nobody"}},
        {"default": {"provider": "openai", "model": "x", "speed": 9}},
        {"default": {"base_url": "model.example:8080"}},
        {"default": {"base_url": "https://me:secret@model.example/v1"}},
        {"default": {"provider": "openai", "model": ""}},
        {"default": {"provider": "ollama", "model": "x", "requests_per_minute": -1}},
        {"default": {"provider": "ollama", "model": "x", "extra": {"n": "many"}}},
    ],
)
def test_a_wrong_profile_is_told_and_stops_no_game(llm, settings, db):
    """Whoever has another one goes on; the banner of `ai` names the entry."""
    settings.AI_ASSISTANT_LLM = llm
    (banner,) = build_shared().outages.banners().values()
    assert "AI_ASSISTANT_LLM['default']" in banner
    assert "me:secret" not in banner


@override_settings(AI_ASSISTANT_DAILY_CALLS=-5)
class TestGameWithAWrongSetting(CommandTestCase):
    """The game starts; its assistants are inert, and staff are told why."""

    PROBLEM = "AI_ASSISTANT_DAILY_CALLS must not be negative."

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.log = "\n".join(self.logged())

    def test_logged_in_one_line(self):
        """The server's log has one line for each assistant, and no traceback of ours."""
        lines = [line for line in self.log.split("\n") if "ai_assistant: " in line]
        assert lines == [f"ai_assistant: Marrek cannot start: {self.PROBLEM}"]

    def test_players_notice_nothing(self):
        """Talking, giving and paging work as with any character."""
        self.a_thing("coin", self.builder)
        for line in (
            "say Hello, Marrek!",
            "whisper Marrek = psst",
            "pose waves.",
            "page Marrek = x",
        ):
            self.does(self.builder, line)
        self.does(self.builder, "give coin to Marrek")
        self.tick(self.marrek)
        assert not SERVICE.residents
        assert "Traceback" not in "".join(self.screen(self.builder))

    def test_every_command_says_why(self):
        """The overview and the status name the setting; nothing fails on it."""
        assert self.PROBLEM in self.ai("")
        told = self.ai("/status marrek")
        assert "not running" in told
        assert told.count(self.PROBLEM) == 1
        assert self.PROBLEM in self.ai("/start marrek")
        assert self.PROBLEM in self.logged()[-1]
        for line in ("/config marrek", "/history marrek", "/persona marrek", "/stop marrek"):
            assert "Traceback" not in self.ai(line)
        assert self.PROBLEM in overview.overview().trouble

    def test_mended(self):
        """Once the setting is right, starting is enough."""
        with override_settings(AI_ASSISTANT_DAILY_CALLS=100):
            assert "awake" in self.ai("/start marrek")
            assert "cannot" not in self.ai("/status marrek")
            self.model.say("Hello.")
            self.does(self.builder, "say Hello, Marrek!")
            assert 'Marrek says, "Hello."' in self.screen(self.builder)
