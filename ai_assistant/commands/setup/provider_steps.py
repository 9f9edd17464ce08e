"""The steps to a model's server: who runs it, where, its key, which model, and does it answer?"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import Any

from ai_assistant import conf
from ai_assistant.api.model_setup import key_advice
from ai_assistant.commands.setup.setup_menu import MenuStep, Offer, SetupMenu
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.game.stored_profiles import profile_of
from ai_assistant.llm.model_profiles import PRESETS
from ai_assistant.llm.next_steps import next_step
from ai_assistant.llm.profile_options import check_options
from ai_assistant.runtime.model_trials import list_models, run_trial

PROVIDERS = {
    "openai": "OpenAI",
    "openrouter": "OpenRouter, which has models of all makers",
    "anthropic": "Anthropic",
    "ollama": "Ollama, on this machine or another",
    "local": "another server that speaks OpenAI's protocol: llama.cpp, vLLM, Groq …",
}
MODELS = 12
"""So many models are offered by number."""
_NO_TALK = re.compile(
    r"embed|tts|whisper|dall|image|audio|moderation|realtime|transcri|rerank", re.I
)


def _providers(menu: SetupMenu) -> list[Offer]:
    offered = enumerate(PROVIDERS.items(), 1)
    return [
        Offer(str(number), told, partial(_take_provider, name), name)
        for number, (name, told) in offered
    ]


def _take_provider(provider: str, menu: SetupMenu, typed: str) -> str:
    menu.draft.entry = {"provider": provider}
    menu.draft.trial = None
    return "key" if provider in ("openai", "openrouter", "anthropic") else "address"


def address_so_far(entry: Json) -> str:
    """Return the address that a profile with these options has: its own, else its provider's."""
    return str(entry.get("base_url") or PRESETS[entry["provider"]].base_url)


def _address(menu: SetupMenu) -> str:
    so_far = as_it_stands(address_so_far(menu.draft.entry))
    return f"At which address does it listen? Mostly it ends in /v1.\nEnter alone: {so_far}"


def _take_address(menu: SetupMenu, typed: str) -> str:
    entry = menu.draft.entry
    address = typed or address_so_far(entry)
    if not address.startswith(("http://", "https://")):
        raise AssistantError("An address begins with http:// or https://, as the one above.")
    _set(menu, "base_url", address)
    is_key_told = "model" in entry or entry["provider"] == "ollama"
    return list_and_choose(menu, typed) if is_key_told else "key"


def _key(menu: SetupMenu) -> str:
    return (
        "Where does its key come from? |wNever type a key here|n, only the name of the\n"
        "environment variable that holds it. Type such a name, or choose:"
    )


def _keys(menu: SetupMenu) -> list[Offer]:
    entry = menu.draft.entry
    usual = entry.get("key_env") or PRESETS[entry["provider"]].key_env
    ways = [("it needs none", _no_key)] if entry["provider"] == "local" else []
    if usual:
        ways.append((f"the variable {usual}, {_is_set(usual)}", partial(_take_key, usual)))
    names = [name for name in (menu.draft.name, entry["provider"]) if name in conf.settings.KEYS]
    there = f"'{names[0]}', which is there" if names else f"'{entry['provider']}', not there yet"
    ways.append(
        (f"AI_ASSISTANT_KEYS in secret_settings.py, under {there}", partial(_take_key, usual))
    )
    return [Offer(str(number), told, goes) for number, (told, goes) in enumerate(ways, 1)]


def _is_set(variable: str) -> str:
    return "which is set" if os.environ.get(variable) else "not set in the server's environment"


def _no_key(menu: SetupMenu, typed: str) -> str:
    menu.draft.entry.pop("key_env", None)
    return list_and_choose(menu, typed)


def _take_key(variable: str, menu: SetupMenu, typed: str) -> str:
    if variable:
        _set(menu, "key_env", variable)
    return list_and_choose(menu, typed)


def _take_variable(menu: SetupMenu, typed: str) -> str:
    _set(menu, "key_env", typed)
    return list_and_choose(menu, typed)


def list_and_choose(menu: SetupMenu, typed: str) -> str:
    """Ask the server which models it has, where it can be asked, then which one is meant."""
    draft = menu.draft
    draft.models, draft.note = [], ""
    profile = profile_of(draft.name, {"model": "unknown", **draft.entry})
    if profile.offline:
        draft.note = f"{profile.note} {key_advice(profile)}"
        return "model"

    def listed(found: Any) -> str:
        if isinstance(found, AssistantError):
            draft.note = f"{found} {next_step(found, profile)}"
        else:
            draft.models = [name for name in found if not _NO_TALK.search(name)]
            draft.note = f"The server has {counted(len(found), 'model')}." if found else ""
        return "model"

    return menu.wait(f"Asking {profile.base_url} for its models …", list_models(profile), listed)


def _model(menu: SetupMenu) -> str:
    draft = menu.draft
    more = len(draft.models) - MODELS
    hint = f" A part of a name finds those with it; {more} more are not shown." if more > 0 else ""
    note = f"{as_it_stands(draft.note)}\n" if draft.note else ""
    return f"{note}Which model? Type its name{', or choose' if draft.models else ''}.{hint}"


def _models(menu: SetupMenu) -> list[Offer]:
    offered = enumerate(menu.draft.models[:MODELS], 1)
    return [
        Offer(str(n), as_it_stands(name), lambda menu, typed, name=name: _take_model(menu, name))
        for n, name in offered
    ]


def _take_model(menu: SetupMenu, typed: str) -> str:
    found = [name for name in menu.draft.models if typed.lower() in name.lower()]
    if found and typed not in found:
        if len(found) == len(menu.draft.models):
            raise AssistantError("Choose one by its number, or type its name.")
        menu.draft.models = found
        return "model"
    _set(menu, "model", typed)
    return try_out(menu, typed)


def _set(menu: SetupMenu, option: str, value: str) -> None:
    check_options("profile", {option: value})
    menu.draft.entry[option] = value
    menu.draft.trial = None


def try_out(menu: SetupMenu, typed: str) -> str:
    """Test the model that is described so far, then show what came of it."""
    profile = profile_of(menu.draft.name, menu.draft.entry)
    if profile.offline:
        return "profile"

    def tried(trial: Any) -> str:
        if isinstance(trial, AssistantError):
            raise trial
        menu.draft.trial = trial
        menu.draft.entry |= trial.fitting
        return "profile"

    most = f"{conf.settings.MODEL_TIMEOUT:g} s"
    told = f"Testing {profile.model} with a handful of questions; each may take {most} …"
    return menu.wait(as_it_stands(told), run_trial(profile), tried)


PROVIDER_STEPS = {
    "provider": MenuStep(lambda menu: "Who runs the model?", _providers),
    "address": MenuStep(_address, takes=_take_address),
    "key": MenuStep(_key, _keys, _take_variable),
    "model": MenuStep(_model, _models, _take_model),
}
