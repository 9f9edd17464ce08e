"""The settings: typed, looked up live, and wrong ones named before they do harm."""

import pytest
from django.test import override_settings

from ai_assistant import conf
from ai_assistant.game.earshot import is_private
from ai_assistant.runtime.assembly import build_shared, pick_profile
from ai_assistant.runtime.named_by_settings import wrong_settings
from tests.evennia.living import CommandTestCase
from tests.evennia.test_assembly import forecast, game_tools  # noqa: F401 - a fixture

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
def test_a_wrong_value_is_named_and_another_holds(name, value, hint, settings):
    """It is told what it should be, not what it is; whoever reads it gets one that works."""
    default = getattr(conf.settings, name)
    setattr(settings, f"AI_ASSISTANT_{name}", value)
    (fault,) = conf.settings.wrong()
    assert fault.startswith(f"AI_ASSISTANT_{name} must")
    assert hint in fault
    assert "Until then" in fault
    assert "canary" not in fault
    held = getattr(conf.settings, name)
    assert type(held) is type(default)
    assert held != value or value == 0


SAFE = {
    "OPEN_SPEECH": "closed",
    "PAGE_READERS": ["Admin"],
    "PAGE_EDITORS": None,
    "METRICS_TOKEN": 7,
    "CALL_PRIVATE_BODIES": "no",
    "API": "yes",
    "BUILDING": 1,
    "AUDIT_KEPT": "many",
    "STATE_DAYS": "400",
    "CALL_DAYS": "400",
    "DAILY_TOKENS": "9",
    "GAME_DAILY_CALLS": "9",
}


def test_where_the_default_may_be_too_much_what_is_safe_holds(settings):
    """Nothing is told on, opened, thrown away, or spent in earnest for a slip of the pen."""
    usual = {name: getattr(conf.settings, name) for name in SAFE}
    for name, wrong in SAFE.items():
        setattr(settings, f"AI_ASSISTANT_{name}", wrong)
    held = {name: getattr(conf.settings, name) for name in SAFE}
    assert held["OPEN_SPEECH"] == "present"
    assert held["PAGE_READERS"] == held["PAGE_EDITORS"] == "Developer"
    assert held["METRICS_TOKEN"] == ""
    assert not any(held[name] for name in ("CALL_PRIVATE_BODIES", "API", "BUILDING"))
    assert held["AUDIT_KEPT"] == 0  # all of them
    assert held["STATE_DAYS"] == held["CALL_DAYS"] > 10_000
    for name in ("DAILY_TOKENS", "GAME_DAILY_CALLS"):
        assert 0 < held[name] <= usual[name] / 20


def test_defaults_are_fine(settings):
    """A game that sets nothing has settings that work."""
    assert conf.settings.wrong() == []


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
    """What only shows when settings are put together is named as well, and stops nobody."""
    setattr(settings, f"AI_ASSISTANT_{name}", value)
    shared = build_shared()
    (fault,) = [*wrong_settings(shared.profiles), *shared.faults]
    assert f"AI_ASSISTANT_{name}" in fault
    assert pick_profile(shared.profiles, "chat").offline
    assert shared.registry.get("say")


def test_an_entry_that_fits_is_kept_beside_one_that_does_not(settings, db, game_tools):  # noqa: F811
    """Each job, module and macro stands for itself."""
    game_tools(forecast=forecast)
    (module,) = settings.AI_ASSISTANT_TOOL_MODULES
    settings.AI_ASSISTANT_TOOL_MODULES = ["no.such.module", module]
    settings.AI_ASSISTANT_LLM = {"small": {"base_url": "http://127.0.0.1:1/v1"}, "odd": 7}
    settings.AI_ASSISTANT_JOBS = {"assess": "small", "chat": ["small"]}
    shared = build_shared()
    assert shared.registry.get("forecast")
    assert pick_profile(shared.profiles, "assess").name == "small"
    assert shared.profiles["odd"].problem


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


WRONG_TOGETHER = {
    "AI_ASSISTANT_DAILY_CALLS": -5,
    "AI_ASSISTANT_MODEL_TIMEOUT": "30",
    "AI_ASSISTANT_JOBS": {"chat": "nobody"},
    "AI_ASSISTANT_OPEN_SPEECH": "closed",
    "AI_ASSISTANT_LANGUAGE": "klingon",
    "AI_ASSISTANT_TOOL_MODULES": ["no.such.module"],
    "AI_ASSISTANT_MEMORY_POLICY": "no.such.policy",
    "AI_ASSISTANT_MEMORY_STORE": "no.such.store",
    "AI_ASSISTANT_EMBEDDINGS": "vectors",
}


@override_settings(**WRONG_TOGETHER)
class TestGameWithWrongSettings(CommandTestCase):
    """Everybody goes on talking, and staff are told what is wrong."""

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.log = "\n".join(self.logged())

    def test_one_line_each_in_the_log(self):
        """With the setting's name and what holds instead."""
        for name in WRONG_TOGETHER:
            assert self.log.count(name) == 1, name
        assert "AI_ASSISTANT_DAILY_CALLS must not be negative. Until then it is 100." in self.log
        assert self.log.count("ai_assistant: ") == len(WRONG_TOGETHER)

    def test_it_answers(self):
        """Players notice nothing."""
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        assert 'Marrek says, "Hello."' in self.screen(self.builder)

    def test_staff_see_them_all(self):
        """Above the overview, and once in the health of the game."""
        told = self.ai("")
        health = self.ai("/health").replace("\n", " ")
        assert "Marrek" in told
        for name in WRONG_TOGETHER:
            assert name in told
            assert "problem, " in health
            assert health.count(name) == 1, name
        assert "not running" not in self.ai("/status marrek")

    def test_what_cannot_be_kept_as_wished_is_not_kept(self):
        """Where neither policy nor store can be read, no talk of this time is on disk."""
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek! The word is heron.")
        assert "heron" in str(self.marrek.stream.entries)
        kept = [str(attribute.value) for attribute in self.marrek.attributes.all()]
        assert "heron" not in "".join(kept)

    def test_mended(self):
        """A setting that is right again is told of no more."""
        with override_settings(AI_ASSISTANT_DAILY_CALLS=100):
            assert "DAILY_CALLS" not in self.ai("")


@override_settings(AI_ASSISTANT_MODERATION=7, AI_ASSISTANT_PRIVATE_TAG=7)
class TestSafeSide(CommandTestCase):
    def test_unmoderated_words_are_not_said(self):
        """Where the moderation cannot be asked, nothing passes it; `ai` says so."""
        self.an_assistant()
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        assert not any("Marrek says" in line for line in self.screen(self.builder))
        assert "Until then characters say nothing." in self.ai("")
        assert "ai_assistant: AI_ASSISTANT_MODERATION: " not in "\n".join(self.logged())

    def test_every_room_is_private(self):
        """Which ones the owner meant is not known."""
        assert is_private(self.inn)
