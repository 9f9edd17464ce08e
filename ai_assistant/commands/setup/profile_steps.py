"""The steps around a model profile: look at those there are, keep, change and remove one."""

from __future__ import annotations

import re
from functools import partial

from ai_assistant.api.model_setup import (
    drop_profile,
    keep_profile,
    key_advice,
    options_of,
    unused,
)
from ai_assistant.commands.setup.provider_steps import address_so_far, list_and_choose, try_out
from ai_assistant.commands.setup.setup_menu import Draft, MenuStep, Offer, SetupMenu
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError, ConfigurationError
from ai_assistant.game.stored_profiles import ProfileRow, known_profiles, profile_of
from ai_assistant.llm.model_trial import trial_lines
from ai_assistant.runtime.service import SERVICE

SHOWN = 12
"""So many profiles are offered by number."""
_MUTE = (
    "Until it answers, characters that use it have excuses, or the offline model where the "
    'settings have AI_ASSISTANT_FALLBACK = "offline".'
)
_NAME = re.compile(r"[A-Za-z][\w-]{0,39}")


def _welcome(menu: SetupMenu) -> str:
    rows = known_profiles()
    listed = [f"  {as_it_stands(_row(row))}" for row in rows]
    return "\n".join(
        [
            "|wSet up a model, and a first character.|n Nothing is kept before the last step.",
            *(["Model profiles of this game:", *listed] if rows else []),
            *([] if rows else ["So far the built-in offline model answers: rules, no real model."]),
        ]
    )


def _row(row: ProfileRow) -> str:
    cause = SERVICE.shared.outages.cause(row.name)
    state = f"fails: {cause}" if cause else row.state
    return f"{row.name}: {row.model}, from {row.source}; {state}"


def _ways(menu: SetupMenu) -> list[Offer]:
    rows = known_profiles()
    return [
        Offer("1", "connect a model", _anew),
        *(
            Offer(str(number), f"look at '{as_it_stands(row.name)}'", partial(_look_at, row.name))
            for number, row in enumerate(rows[:SHOWN], 2)
        ),
        Offer("c", "make a character with what there is", "who"),
    ]


def _anew(menu: SetupMenu, typed: str) -> str:
    taken = {row.name for row in known_profiles()}
    free = (f"model{number}" for number in range(2, len(taken) + 3))
    menu.draft = Draft(
        "default" if "default" not in taken else next(n for n in free if n not in taken)
    )
    return "provider"


def _look_at(name: str, menu: SetupMenu, typed: str) -> str:
    menu.draft = Draft(name, options_of(name))
    return "profile"


def _profile(menu: SetupMenu) -> str:
    draft = menu.draft
    try:
        profile = profile_of(draft.name, draft.entry)
    except ConfigurationError as error:
        return as_it_stands(str(error))
    if draft.trial is not None:
        told, mute = trial_lines(draft.trial), _MUTE if draft.trial.failure else ""
    else:
        model = draft.entry.get("model", profile.model)
        told = [f"{draft.name}: {model} at {address_so_far(draft.entry)}"]
        mute = f"{profile.note} {key_advice(profile)}" if profile.note else ""
    return as_it_stands("\n".join(filter(None, [*told, mute, unused(draft.name)])))


def _changes(menu: SetupMenu) -> list[Offer]:
    offered = [
        Offer("1", "keep it, and go on to a first character", "who"),
        Offer("2", "keep it, and finish", keep),
        Offer("3", "test it", try_out),
        Offer("4", "another model", list_and_choose),
        Offer("5", "another key", "key"),
        Offer("6", "another address", "address"),
        Offer("7", f"another name than '{as_it_stands(menu.draft.name)}'", "name"),
    ]
    if menu.draft.name in {row.name for row in known_profiles()}:
        offered.append(Offer("8", "remove it", "remove"))
    return offered


def _take_name(menu: SetupMenu, typed: str) -> str:
    if not _NAME.fullmatch(typed):
        raise AssistantError("A name has letters, digits, - and _, and begins with a letter.")
    menu.draft.name, menu.draft.trial = typed, None
    return "profile"


def keep(menu: SetupMenu, typed: str) -> str:
    """Keep the profile for the whole game, and end the menu."""
    return menu.finish(kept(menu))


def kept(menu: SetupMenu) -> str:
    """Keep the profile for the whole game; returns what is to be told of it."""
    draft = menu.draft
    told = keep_profile(draft.name, draft.entry, by=menu.caller.key)
    if draft.trial is not None and draft.trial.failure is not None:
        shared = SERVICE.shared
        shared.outages.note(shared.profiles[draft.name], draft.trial.failure, is_sure=True)
        mute = "Its test failed, so characters have excuses until it answers."
        told = unused(draft.name) or mute
    return f"The profile '{draft.name}' is kept. {told}"


def _remove(menu: SetupMenu, typed: str) -> str:
    name = menu.draft.name
    told = drop_profile(name, by=menu.caller.key)
    return menu.finish(f"The profile '{name}' is removed. {told}")


PROFILE_STEPS = {
    "start": MenuStep(_welcome, _ways),
    "profile": MenuStep(_profile, _changes),
    "remove": MenuStep(
        lambda menu: (
            f"Remove the profile '{as_it_stands(menu.draft.name)}'? Who uses it goes on with "
            "what the settings or another profile offer, else with the offline model."
        ),
        lambda menu: [Offer("1", "remove it", _remove)],
    ),
    "name": MenuStep(
        lambda menu: "Which name? A profile of that name is replaced; 'default' is for all.",
        takes=_take_name,
    ),
}
