"""The model profiles that staff made in the game: on disk, merged over those of the settings."""

from __future__ import annotations

from collections.abc import Mapping

from evennia.server.models import ServerConfig
from evennia.utils.dbserialize import deserialize

from ai_assistant.core.contracts import Json
from ai_assistant.core.text import clean

KEY = "ai_assistant_profiles"


def stored_profiles() -> dict[str, Json]:
    """Return {name: options}, as `AI_ASSISTANT_LLM` has them; no key is ever among them."""
    return dict(deserialize(ServerConfig.objects.conf(KEY, default=dict)))


def store_profiles(profiles: Mapping[str, Json]) -> None:
    """Keep these instead of those that were kept."""
    ServerConfig.objects.conf(KEY, {clean(name): dict(one) for name, one in profiles.items()})
