"""What staff do about the game's model profiles: find, keep and remove one."""

from __future__ import annotations

import re

from evennia.utils import logger

from ai_assistant import conf
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, ConfigurationError
from ai_assistant.core.text import clean
from ai_assistant.game.stored_profiles import profile_of, store_profiles, stored_profiles
from ai_assistant.llm.model_profiles import JOBS, Profile, holds_key
from ai_assistant.runtime.embedder import read_profiles
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.statements import refusals

_LOOKS = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|pplx)[-_][-_A-Za-z0-9]{12}|\bAIza[-_A-Za-z0-9]{12}")
"""How the keys of the known providers begin."""


def options_of(name: str) -> Json:
    """Return the options of a profile that is kept, else of the settings, to be changed."""
    entry = (conf.settings.LLM | stored_profiles()).get(name, {})
    return {"provider": "local", **entry}


def find_profile(name: str) -> Profile:
    """Return a profile at work, by its name in any case. Raises `AssistantError` naming them."""
    known = SERVICE.shared.profiles
    for profile in known.values():
        if profile.name.casefold() == name.strip().casefold():
            return profile
    raise AssistantError(f"There is no profile '{clean(name, 60)}'; there are: {', '.join(known)}.")


def keep_profile(name: str, entry: Json, *, by: str) -> str:
    """Keep a profile for the whole game and let it be used at once.

    Returns what is still to be done, in a sentence. Raises `ConfigurationError` where it does not
    fit, and `StoreError`; nothing was kept then.
    """
    refuse_keys(repr((name, entry)))
    profile = profile_of(name, entry)
    with refusals():
        store_profiles(stored_profiles() | {name: entry})
    return _changed(profile, f"keeps the model profile {name!r} ({profile.model})", by)


def drop_profile(name: str, *, by: str) -> str:
    """Remove a profile that was kept; returns what holds from now on, in a sentence.

    Raises `AssistantError` for one that only the settings have.
    """
    stored = stored_profiles()
    if name not in stored:
        raise AssistantError(
            f"The profile '{clean(name, 60)}' stands in the settings: take it out of "
            "AI_ASSISTANT_LLM in server/conf/settings.py, then reload."
        )
    del stored[name]
    with refusals():
        store_profiles(stored)
    return _changed(None, f"removes the model profile {name!r}", by, name)


def _changed(profile: Profile | None, what: str, by: str, name: str = "") -> str:
    """Put what is kept into use, and say what is left to do."""
    logger.log_sec(f"Assistants: {by} {what}.")
    shared = SERVICE.shared
    before, found = dict(shared.profiles), read_profiles()
    shared.profiles.clear()
    shared.profiles.update(found)
    shared.outages.replaced(before)
    if reached := [known for known in found.values() if not (known.offline or known.problem)]:
        shared.bridge.start(reached)
    if (profile.name if profile else name) == conf.settings.EMBEDDINGS:
        return "It makes the vectors of memories: evennia reload puts that into use."
    if profile is None:
        left = found.get(name, found["default"])
        answers = "the built-in offline model" if left.offline else left.model or "nobody"
        return f"That holds at once: {answers} answers in its place."
    used = unused(profile.name) or "It is in use at once; neither a reload nor a restart is needed."
    return f"{profile.note} {key_advice(profile)}" if profile.note else used


def unused(name: str) -> str:
    """Return how a profile of this name gets into use; empty where it is, or would be, in use."""
    serving = ["default", *JOBS, *conf.settings.JOBS.values(), conf.settings.EMBEDDINGS]
    if name in serving or "default" not in conf.settings.LLM | stored_profiles():
        return ""
    minds = (resident.mind for resident in SERVICE.residents.values())
    if any(mind.config["llm_profile"] == name for mind in minds):
        return ""
    return (
        f"Nobody uses it under the name '{name}': called 'default' it is for all, and "
        f"ai/config <name> = llm_profile {name} gives it to one."
    )


def key_advice(profile: Profile) -> str:
    """Say how a key gets to where a profile looks for it, and what is to be restarted then."""
    return (
        f"Set {profile.key_env} where the game is started and restart it whole (evennia reboot), "
        "or put the key into AI_ASSISTANT_KEYS of server/conf/secret_settings.py and reload."
    )


# -- keys typed where they do not belong: neither kept nor repeated, to nobody at all


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
    held = [str(key) for key in conf.settings.KEYS.values()]
    return [*held, *(profile.key for profile in SERVICE.shared.profiles.values())]
