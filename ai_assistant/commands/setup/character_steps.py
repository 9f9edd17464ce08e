"""The steps that make a first character: who it is, where, what it hears, its hours and means."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from evennia.comms.models import ChannelDB
from evennia.objects.objects import DefaultRoom

from ai_assistant import conf
from ai_assistant.agent.config import Config
from ai_assistant.api import card_exchange, lifecycle
from ai_assistant.commands.command_base import let_edit
from ai_assistant.commands.setup.profile_steps import PROFILE_STEPS, kept
from ai_assistant.commands.setup.provider_steps import PROVIDER_STEPS
from ai_assistant.commands.setup.setup_menu import MenuStep, Offer, SetupMenu
from ai_assistant.commands.shown import hours_of, in_words
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import NAME_LIMIT, clean
from ai_assistant.game.identity import name_of
from ai_assistant.runtime.assembly import beside

CARDS = 12
"""So many cards of the folder are offered by number."""
CHANNELS = 6
_HOURS = re.compile(r"(\d{1,2})\s*-\s*(\d{1,2})(\s+real)?")
_SENSES = {
    "context": "all talk in its room; it answers what is meant for it",
    "ignore": "only what is said to it, whispered or paged",
    "trigger": "all talk in its room, and it answers every line",
}


# -- who it is


def _cards(menu: SetupMenu) -> list[Offer]:
    offered = enumerate(card_exchange.files()[:CARDS], 1)
    return [
        Offer(str(n), f"the card {as_it_stands(file)}", partial(_take_card, file))
        for n, file in offered
    ]


def _take_card(file: str, menu: SetupMenu, typed: str) -> str:
    def read(found: Any) -> str:
        if isinstance(found, AssistantError):
            raise found
        if found.card is None:
            raise AssistantError(f"{file} is a lorebook, not a card.")
        _check_name(found.name)
        menu.draft.card, menu.draft.persona = found, {}
        return "room"

    reading = beside(card_exchange.read_file, card_exchange.find_file(file))
    return menu.wait(f"Reading {as_it_stands(file)} …", reading, read)


def _take_who(menu: SetupMenu, typed: str) -> str:
    name = clean(typed)
    if not name:
        raise AssistantError("Type a name.")
    _check_name(name)
    menu.draft.card, menu.draft.persona = None, {"name": name}
    return "role"


def _check_name(name: str) -> None:
    if len(name) > NAME_LIMIT:
        raise AssistantError(f"A name has at most {NAME_LIMIT} characters.")
    if name.casefold() in (known.key.casefold() for known in lifecycle.all_assistants()):
        raise AssistantError(f"There is an assistant named {name} already.")


def _take_field(field: str, follows: str, usual: str, menu: SetupMenu, typed: str) -> str:
    menu.draft.persona.pop(field, None)
    if words := clean(typed, 300) or usual:
        menu.draft.persona[field] = words
    return follows


# -- where it lives, and how


def _room(menu: SetupMenu) -> str:
    here = menu.caller.location
    told = f" Enter alone: here, in {name_of(here)}." if here else ""
    return f"In which room does it live? Type its name or number.{told}"


def _take_room(menu: SetupMenu, typed: str) -> str:
    here = menu.caller.location
    is_here = not typed or typed.lower() == "here"
    found = [here] if is_here else menu.caller.search(typed, global_search=True, quiet=True)
    rooms = [room for room in found or () if isinstance(room, DefaultRoom)]
    if len(rooms) != 1:
        raise AssistantError(f"'{clean(typed, 60)}' is not one room; give its number, such as #2.")
    menu.draft.room = rooms[0]
    return "senses"


def _heard(menu: SetupMenu) -> str:
    channels = ", ".join(menu.draft.config.get("channels", ())) or "no channel"
    return f"What does it hear? It listens to {as_it_stands(channels)} as well."


def _senses(menu: SetupMenu) -> list[Offer]:
    told = [(text, partial(_take_senses, value)) for value, text in _SENSES.items()]
    known = ChannelDB.objects.get_all_channels()
    told += [
        (
            f"first let it listen to {as_it_stands(name)}, and answer there when it is named",
            partial(_join, name),
        )
        for name in sorted(map(name_of, known))[:CHANNELS]
        if name not in menu.draft.config.get("channels", {})
    ]
    return [Offer(str(number), text, goes) for number, (text, goes) in enumerate(told, 1)]


def _take_senses(value: str, menu: SetupMenu, typed: str) -> str:
    menu.draft.config["room_default"] = value
    return "hours"


def _join(channel: str, menu: SetupMenu, typed: str) -> str:
    config = menu.draft.config
    config["channels"] = {**config.get("channels", {}), channel: "mention"}
    return "senses"


def _take_hours(menu: SetupMenu, typed: str) -> str:
    config = menu.draft.config
    for option in ("sleep_enabled", "sleep_start_hour", "sleep_duration_hours", "sleep_clock"):
        config.pop(option, None)
    if not typed:
        return "budget"
    read = _HOURS.fullmatch(typed.lower())
    if read is None or max(int(read[1]), int(read[2])) > 23 or int(read[1]) == int(read[2]):
        raise AssistantError("Type two hours from 0 to 23, such as 23-6, or 23-6 real.")
    begins, ends = int(read[1]), int(read[2])
    config |= {
        "sleep_enabled": True,
        "sleep_start_hour": float(begins),
        "sleep_duration_hours": float((ends - begins) % 24),
        "sleep_clock": "real" if read[3] else "game",
    }
    return "budget"


def _budget(menu: SetupMenu) -> str:
    trial = menu.draft.trial
    price = trial.known.price if trial else None
    dear = f" A hundred cost about ${100 * price:.2f}." if price else ""
    return (
        f"How many model calls may it make a day? An answer takes one or two.{dear}\n"
        f"Enter alone: the game's {conf.settings.DAILY_CALLS:,}."
    )


def _take_budget(menu: SetupMenu, typed: str) -> str:
    number = typed.replace(",", "")
    menu.draft.config.pop("daily_calls", None)
    if number and not (number.isdecimal() and 0 < len(number) < 10 and int(number)):
        raise AssistantError("Type a number of calls from 1 on.")
    if number:
        menu.draft.config["daily_calls"] = int(number)
    return "made"


# -- done


def _summary(menu: SetupMenu) -> str:
    draft = menu.draft
    name = draft.card.name if draft.card else draft.persona["name"]
    kept_too = f", and the profile '{draft.name}' is kept" if draft.entry else ""
    config = Config(draft.config)
    facts = draft.persona | {
        "room": name_of(draft.room),
        "hears": _SENSES[config["room_default"]],
        "channels": in_words(config["channels"]),
        "sleeps": hours_of(config),
        "model calls a day": in_words(config["daily_calls"] or conf.settings.DAILY_CALLS),
    }
    lines = (f"  {fact}: {value}" for fact, value in facts.items() if fact != "name")
    return as_it_stands("\n".join([f"{name} comes to life{kept_too}:", *lines]))


def _make(menu: SetupMenu, typed: str) -> str:
    """Make the character and keep the profile, or neither."""
    draft, caller = menu.draft, menu.caller
    _check_name(draft.card.name if draft.card else draft.persona["name"])
    if draft.card:
        made = card_exchange.import_card(
            draft.card, location=draft.room, config=draft.config, by=name_of(caller)
        )
    else:
        made = lifecycle.create_assistant(
            draft.persona["name"],
            location=draft.room,
            persona=draft.persona,
            desc=f"{draft.persona['name']}, {draft.persona['role']}.",
            config=draft.config,
            by=name_of(caller),
        )
    try:
        told = kept(menu) if draft.entry else ""
    except AssistantError:
        made.delete()
        raise
    let_edit(made, caller)
    name = name_of(made)
    where = "here" if made.location == caller.location else f"in {name_of(made.location)}"
    return menu.finish(f"{told}\n{name} is {where} and listens. Say |whello {name}|n.".strip())


CHARACTER_STEPS = {
    "who": MenuStep(
        lambda menu: (
            "Who is your first character? Type its name, or choose a card of the folder "
            f"{conf.settings.CARDS}."
        ),
        _cards,
        _take_who,
    ),
    "role": MenuStep(
        lambda menu: "What is it? Such as: innkeeper. Enter alone: villager.",
        takes=partial(_take_field, "role", "personality", "villager"),
    ),
    "personality": MenuStep(
        lambda menu: "What is it like? Such as: gruff, fond of riddles. Enter alone: nothing yet.",
        takes=partial(_take_field, "personality", "room", ""),
    ),
    "room": MenuStep(_room, takes=_take_room),
    "senses": MenuStep(_heard, _senses),
    "hours": MenuStep(
        lambda menu: (
            "When does it sleep? By the game's clock such as 23-6, by yours 23-6 real.\n"
            "Enter alone: never."
        ),
        takes=_take_hours,
    ),
    "budget": MenuStep(_budget, takes=_take_budget),
    "made": MenuStep(_summary, lambda menu: [Offer("1", "do it", _make)]),
}
STEPS = PROVIDER_STEPS | PROFILE_STEPS | CHARACTER_STEPS
