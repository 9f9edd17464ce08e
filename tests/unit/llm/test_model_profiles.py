"""Profiles: what an owner may write, and where keys come from and never go."""

import pytest

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.llm.model_profiles import PRESETS, load_profiles, profile_for, wrong_jobs

KEY = "sk-canary-1234567890"
CHAT = {"provider": "openai", "model": "small"}


def load(entry, **environ):
    """Load one profile called ``chat``."""
    return load_profiles({"chat": entry}, environ)["chat"]


def test_nothing_set_means_offline():
    """An owner who configures nothing gets the built-in model, without a complaint."""
    profile = load_profiles({}, {})["default"]
    assert profile.offline
    assert profile.note == ""


@pytest.mark.parametrize("provider", sorted({*PRESETS} - {"offline"}))
def test_each_provider_needs_only_model_and_key(provider):
    """A preset brings the address; the owner names a model and sets one variable."""
    variable = PRESETS[provider].key_env
    profile = load(
        {"provider": provider, "model": "small"}, **({variable: KEY} if variable else {})
    )
    assert profile.base_url == PRESETS[provider].base_url
    assert not profile.offline
    assert profile.key == (KEY if variable else "")


def test_missing_key_turns_offline_with_a_reason():
    """Without its key a profile is answered offline, and the note names the variable."""
    profile = load(CHAT)
    assert profile.offline
    assert "OPENAI_API_KEY" in profile.note


def test_local_server_needs_no_key():
    """An address alone is enough for a server of one's own."""
    profile = load({"base_url": "http://127.0.0.1:9000/v1"})
    assert (profile.provider, profile.offline, profile.native_tools) == ("local", False, False)


def test_secret_settings_go_before_the_environment():
    """A key in the secret settings wins, by profile name first and by provider next."""
    raw = {"chat": CHAT, "other": CHAT}
    secrets = {"chat": "sk-chat", "openai": "sk-provider"}
    profiles = load_profiles(raw, {"OPENAI_API_KEY": KEY}, secrets)
    assert [profiles["chat"].key, profiles["other"].key] == ["sk-chat", "sk-provider"]


def test_first_profile_stands_in_for_default():
    """There is always a default, and it is a real model where there is one."""
    assert load_profiles({"chat": CHAT}, {"OPENAI_API_KEY": KEY})["default"].model == "small"


def test_openrouter_is_told_who_calls():
    """The game's name and site travel as the headers OpenRouter asks for."""
    entry = {"provider": "openrouter", "model": "m", "app_name": "My Game", "site": "https://g.org"}
    headers = load(entry, OPENROUTER_API_KEY=KEY).headers
    assert headers == {"X-Title": "My Game", "HTTP-Referer": "https://g.org"}


def test_parameters_hold_only_what_was_chosen():
    """Unset parameters stay out of the body, and the owner's token limit goes first."""
    entry = {**CHAT, "temperature": 0.5, "max_tokens": 90, "extra": {"seed": 7}}
    assert load(entry, OPENAI_API_KEY=KEY).parameters(500) == {
        "temperature": 0.5,
        "max_completion_tokens": 90,
        "seed": 7,
    }


def test_other_providers_know_max_tokens_by_its_old_name():
    """Only OpenAI itself insists on the newer name of the token limit."""
    assert load({"provider": "ollama", "model": "m"}).parameters(500) == {"max_tokens": 500}


def test_key_is_never_shown():
    """Neither a profile nor its parameters print the key."""
    profile = load({**CHAT, "headers": {"X-Team": "secret-team"}}, OPENAI_API_KEY=KEY)
    assert profile.key == KEY
    assert KEY not in repr(profile) + str(profile) + repr(profile.parameters(5))
    assert "secret-team" not in repr(profile)


@pytest.mark.parametrize("option", ["api_key", "key"])
def test_key_in_settings_is_refused_unshown(option):
    """A key written into the settings is refused, with the way to do it and without the key."""
    with pytest.raises(ConfigurationError, match="environment") as caught:
        load({**CHAT, option: KEY})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("temperature", "hot"),
        ("temperature", 2.5),
        ("temperature", float("nan")),
        ("temperature", True),
        ("top_p", -0.1),
        ("reasoning_effort", 3),
        ("max_tokens", 0),
        ("max_tokens", 1.5),
        ("native_tools", "yes"),
        ("json_schema", "yes"),
        ("extra", {"messages": []}),
        ("extra", {"when": object()}),
        ("headers", {"Authorization": "Bearer " + KEY}),
        ("headers", {"x-goog-api-key": KEY}),
        ("headers", {"X-Auth-Token": KEY}),
        ("headers", {"X-A": "a\r\nX-B: b"}),
        ("headers", ["X-A"]),
        ("timeout", 0),
        ("base_url", "ftp://example.org"),
        ("base_url", "https://user:" + KEY + "@example.org/v1"),
        ("base_url", "https://example.org/v1?key=" + KEY),
        ("base_url", "http://example.org:port/v1"),
        ("base_url", "nonsense"),
        ("base_url", 5),
        ("key_env", KEY),
        ("model", ""),
        ("temprature", 1),
    ],
)
def test_bad_option_is_named(option, value):
    """Whatever cannot be used is refused by the setting's full name, without its value."""
    with pytest.raises(ConfigurationError) as caught:
        load({**CHAT, option: value}, OPENAI_API_KEY=KEY)
    assert f"AI_ASSISTANT_LLM['chat']['{option}']" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_long_timeout_is_cut_to_what_is_possible():
    """An owner who means to wait for an hour does not lose the profile over it."""
    assert load({**CHAT, "timeout": 3600}, OPENAI_API_KEY=KEY).timeout == 600
    assert load({**CHAT, "timeout": 5}, OPENAI_API_KEY=KEY).timeout == 5


@pytest.mark.parametrize("entry", [{"provider": "acme"}, {"provider": ["openai"]}, {}, "openai"])
def test_unknown_provider_is_refused(entry):
    """A profile names one of the known providers, or an address."""
    with pytest.raises(ConfigurationError, match="AI_ASSISTANT_LLM"):
        load(entry)


def test_missing_model_is_named():
    """A provider with many models needs one named."""
    with pytest.raises(ConfigurationError, match=r"\['chat'\]\['model'\]"):
        load({"provider": "ollama"})


@pytest.mark.parametrize("key", ["sk abc", "sk\nX-Evil: 1", "schlüssel"])
def test_odd_key_is_refused_unshown(key):
    """A key that would break a header is refused at start, and not printed."""
    with pytest.raises(ConfigurationError) as caught:
        load(CHAT, OPENAI_API_KEY=key)
    assert key not in str(caught.value)


def test_job_picks_its_profile():
    """A job goes to the profile the owner named, else to its namesake, else to the default."""
    entry = {"base_url": "http://127.0.0.1:1/v1"}
    profiles = load_profiles({"default": entry, "big": entry, "assess": entry}, {})
    names = [
        profile_for(j, profiles, {"chat": "big"}).name for j in ("chat", "assess", "summarise")
    ]
    assert names == ["big", "assess", "default"]


@pytest.mark.parametrize("jobs", [{"chat": "nowhere"}, {"chatting": "default"}, {"chat": ["x"]}])
def test_unknown_job_or_profile_is_named(jobs):
    """What a job table has no effect with is told by the setting's name; the usual one does it."""
    profiles = load_profiles({}, {})
    (fault,) = wrong_jobs(profiles, jobs)
    assert "AI_ASSISTANT_JOBS" in fault
    assert profile_for("chat", profiles, jobs) is profiles["default"]
