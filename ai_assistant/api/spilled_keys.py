"""Keys typed where they do not belong: neither kept nor repeated, to nobody at all."""

from __future__ import annotations

import re
from contextlib import suppress

from ai_assistant import conf
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.llm.model_profiles import holds_key
from ai_assistant.runtime.service import SERVICE

_LOOKS = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|pplx)[-_][-_A-Za-z0-9]{12}|\bAIza[-_A-Za-z0-9]{12}")


def refuse_keys(text: str) -> None:
    """Do nothing, unless a text holds what is a key of this game, or looks like one.

    Raises `ConfigurationError` then, in words that hold nothing of the text.
    """
    if looks_like_key(text) or any(holds_key(text, key) for key in _keys()):
        raise ConfigurationError(
            "That looks like a key, and is neither kept nor shown. Keys belong into the server's "
            "environment, or into AI_ASSISTANT_KEYS of the secret settings."
        )


def looks_like_key(text: str) -> bool:
    """Does a text hold what begins as the keys of the known providers do?"""
    return bool(_LOOKS.search(text))


def _keys() -> list[str]:
    keys: list[str] = []
    with suppress(ConfigurationError):  # of settings that cannot be used `ai` tells
        keys += (str(key) for key in conf.settings.KEYS.values())
        keys += (profile.key for profile in SERVICE.shared.profiles.values())
    return keys
