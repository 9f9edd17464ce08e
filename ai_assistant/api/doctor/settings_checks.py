"""What the doctor looks for in the settings: values, slips, profiles, keys, what they name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings as django_settings

from ai_assistant import conf
from ai_assistant.api.lifecycle import assistant_class
from ai_assistant.api.model_setup import key_advice, looks_like_key
from ai_assistant.core.contracts import Finding
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.game.stored_profiles import ProfileRow, known_profiles
from ai_assistant.llm.model_profiles import PRESETS, holds_key, wrong_jobs
from ai_assistant.runtime.embedder import read_profiles, wrong_embeddings
from ai_assistant.runtime.named_by_settings import (
    check_functions,
    load_macros,
    load_policy,
    load_tools,
    usable_language,
    without_effect,
)

_MEND = "mend it in server/conf/settings.py, then: evennia reload"


def values() -> Iterator[Finding]:
    """Has every setting a value that it can have?"""
    wrong = conf.settings.wrong()
    for fault in wrong:
        yield Finding("values", "problem", fault, _MEND)
    if not wrong:
        yield Finding("values", "ok", "Every setting has a value that it can have.")


def names() -> Iterator[Finding]:
    """Is every setting that is meant for us one of ours?"""
    unknown = conf.settings.unknown()
    for name, meant in unknown.items():
        fix = (
            f"call it {meant}, then: evennia reload"
            if meant
            else "remove it, unless another app reads it"
        )
        yield Finding("names", "warning", without_effect(name), fix)
    if not unknown:
        yield Finding("names", "ok", "No setting is misspelt.")


def profiles() -> Iterator[Finding]:
    """Can every model profile be used, and is there one for each job?"""
    rows = known_profiles()
    yield from map(_profile, rows)
    if all(row.profile for row in rows):
        found = read_profiles()
        wrong = [*wrong_jobs(found, conf.settings.JOBS), *filter(None, [wrong_embeddings(found)])]
        for fault in wrong:
            yield Finding("profiles", "problem", fault, _MEND)
        if not wrong:
            yield Finding("profiles", "ok", "Every job has a profile.")


def _profile(row: ProfileRow) -> Finding:
    if row.profile is None:
        fix = "mend or remove it by ai/setup" if row.source != "the settings" else _MEND
        return Finding("profiles", "problem", row.state, fix)
    if row.profile.note:
        return Finding("profiles", "warning", f"{row.name}: {row.state}", key_advice(row.profile))
    return Finding("profiles", "ok", f"{row.name}: {row.model}, from {row.source}.")


def places_of_keys() -> Iterator[Finding]:
    """Are the keys where they are looked for, and nowhere else?"""
    meant = {row.name for row in known_profiles()} | {*PRESETS}
    for name in [name for name in conf.settings.KEYS if name not in meant]:
        text = f"AI_ASSISTANT_KEYS[{name!r}] belongs to no profile and no provider."
        yield Finding("keys", "warning", text, "call it as the profile or provider is called")
    path = Path(django_settings.GAME_DIR) / "server" / "conf" / "settings.py"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    held = any(holds_key(text, str(key)) for key in conf.settings.KEYS.values())
    if held or looks_like_key(text):
        yield Finding(
            "keys",
            "problem",
            "settings.py holds what looks like a key, and is mostly shared.",
            "move it to server/conf/secret_settings.py as AI_ASSISTANT_KEYS, and change the key",
        )
    else:
        yield Finding("keys", "ok", "No key stands in settings.py.")


def named_things() -> Iterator[Finding]:
    """Does all exist that the settings name: functions, tools, macros, roles, the language?"""
    wrong: list[str] = []
    for load in (check_functions, load_tools, load_macros, load_policy, usable_language):
        load(wrong.append)
    for fault in wrong:
        yield Finding("named", "problem", fault, _MEND)
    if not wrong:
        yield Finding("named", "ok", "All that the settings name is there.")


def typeclass() -> Iterator[Finding]:
    """Can new assistants be made of the class that the settings name?"""
    try:
        assistant_class()
    except ConfigurationError as error:
        yield Finding("typeclass", "problem", str(error), _MEND)
    else:
        yield Finding("typeclass", "ok", f"{conf.settings.TYPECLASS} can be used.")
