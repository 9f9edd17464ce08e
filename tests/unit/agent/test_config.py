"""An assistant's configuration: only keys that exist, only values that fit, errors that help."""

import pytest

from ai_assistant.agent.config import OPTIONS, Config, check_all, find_option
from ai_assistant.core.errors import ConfigurationError


def test_what_is_not_set_has_its_default():
    """A new assistant needs no configuration at all."""
    config = Config({"tick_rate": 9})
    assert config["tick_rate"] == 9
    assert {key: config[key] for key in OPTIONS if key != "tick_rate"} == {
        key: option.default for key, option in OPTIONS.items() if key != "tick_rate"
    }


def test_every_default_fits_its_own_rule():
    """No option refuses what it starts with."""
    assert check_all({key: option.default for key, option in OPTIONS.items()})


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("tick_rate", "7", 7),
        ("multi_action_enabled", "off", False),
        ("multi_action_enabled", " YES ", True),
        ("room_default", "trigger", "trigger"),
        ("llm_profile", "fast", "fast"),
        ("disabled_tools", "give, move,", ["give", "move"]),
        ("disabled_tools", "", []),
        ("channels", "Public=all, Guild", {"Public": "all", "Guild": "mention"}),
        ("channels", "", {}),
    ],
)
def test_typed_values_are_understood(key, typed, value):
    """What a person types becomes a value of the right type."""
    assert OPTIONS[key].parse(key, typed) == value


@pytest.mark.parametrize(
    ("key", "typed", "takes"),
    [
        ("tick_rate", "soon", "a number from 1 to 3600"),
        ("tick_rate", "0", "a number from 1 to 3600"),
        ("tick_rate", "1.5", "a number"),
        ("multi_action_enabled", "maybe", "on or off"),
        ("room_default", "shout", "one of: context, ignore, trigger"),
        ("channels", "Public=loud", "pairs like Public=mention, each of: mention, all, off"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(key, typed, takes):
    """The refusal names the key and says what it takes."""
    with pytest.raises(ConfigurationError, match=f"'{key}' takes {takes}"):
        OPTIONS[key].parse(key, typed)


@pytest.mark.parametrize(
    ("key", "value"),
    [("tick_rate", True), ("tick_rate", "5"), ("tick_rate", 10**9), ("disabled_tools", "give"),
     ("multi_action_enabled", 1), ("llm_profile", None)],
)  # fmt: skip
def test_values_of_a_wrong_type_are_refused(key, value):
    """Stored values are checked like typed ones."""
    with pytest.raises(ConfigurationError, match=key):
        check_all({key: value})


def test_an_unknown_key_names_those_like_it():
    """A slip of the finger is answered with what was meant, anything else with where to look."""
    with pytest.raises(ConfigurationError, match=r"no option 'tickrate'. Did you mean tick_rate"):
        find_option("tickrate")
    with pytest.raises(ConfigurationError, match="ai/config"):
        find_option("xyzzy")
    assert all(option.about and option.takes() for option in OPTIONS.values())
