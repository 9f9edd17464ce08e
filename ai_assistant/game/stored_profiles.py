"""The game's model profiles: those that staff keep in the database, over those of the settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evennia.server.models import ServerConfig
from evennia.utils.dbserialize import deserialize

from ai_assistant import conf
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import clean
from ai_assistant.llm.model_profiles import Profile, load_profiles

KEY = "ai_assistant_profiles"


def stored_profiles() -> dict[str, Json]:
    """Return {name: options} of the kept profiles, in the form of `AI_ASSISTANT_LLM`, no keys."""
    return dict(deserialize(ServerConfig.objects.conf(KEY, default=dict)))


def store_profiles(profiles: Mapping[str, Json]) -> None:
    """Replace all kept profiles by these."""
    ServerConfig.objects.conf(
        KEY, {clean(name): dict(profile) for name, profile in profiles.items()}
    )


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A profile as people see it."""

    name: str
    """By which settings and assistants choose it."""
    model: str
    """With its provider; ``none`` where it cannot be used."""
    source: str
    """Settings, or what staff keep in the game."""
    state: str
    """``set up``, or what is wrong; whether it answers is another question."""
    profile: Profile | None = None
    """None where its options make none; `state` says why."""


def known_profiles(*, kept: bool = True) -> list[ProfileRow]:
    """Return all profiles, each with where it comes from and its state, in words.

    `kept` tells whether those in the database are among them; without it the database is not asked.
    """
    stored, settings = stored_profiles() if kept else {}, conf.settings.LLM
    return [_row(name, entry, stored, settings) for name, entry in (settings | stored).items()]


def _row(
    name: str, entry: Any, stored: Mapping[str, Any], settings: Mapping[str, Any]
) -> ProfileRow:
    source = "the settings"
    if name in stored:
        source = "ai/setup, before the settings" if name in settings else "ai/setup"
    try:
        profile = profile_of(name, entry)
    except ConfigurationError as error:
        return ProfileRow(str(name), "none", source, str(error))
    model = profile.model if profile.offline else f"{profile.model} ({profile.provider})"
    return ProfileRow(name, model, source, profile.note or "set up", profile)


def profile_of(name: str, entry: Json) -> Profile:
    """Return the profile made of these options, with its key; raises `ConfigurationError`."""
    return load_profiles({name: entry}, os.environ, conf.settings.KEYS)[name]
