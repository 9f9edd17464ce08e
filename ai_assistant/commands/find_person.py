"""Finding a person among those an assistant met, and what it holds about one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evennia.objects.objects import DefaultCharacter

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import shown
from ai_assistant.commands.command_base import SHOWN
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of

SHORT_ID = 8
"""Characters of an id that are enough to name somebody."""


def find_person(character: Any, name: str) -> tuple[str, Json]:
    """Return (entity id, profile) of the one whom `name`, a part of it, or an id means.

    Of an id the first eight characters will do. Raises `AssistantError` naming the choices where
    there is none, or more than one.
    """
    if not name.strip():
        raise AssistantError("Whom do you mean? Write <assistant> = <person>.")
    known = people_of(character)
    found = _matches(known, name)
    if len(found) == 1:
        return found[0], known[found[0]]
    if found:
        choices = ", ".join(f"{known[key]['name']} ({key[:SHORT_ID]})" for key in found[:SHOWN])
        raise AssistantError(f"Which of them: {choices}? Give the id.")
    names = ", ".join(one["name"] for one in list(known.values())[:SHOWN]) or "nobody yet"
    raise AssistantError(f"{name_of(character)} never met '{clean(name, 60)}'. It knows: {names}.")


def find_anybody(character: Any, name: str, looker: Any) -> tuple[str, Json]:
    """Return (entity id, profile) of one whom it met, else of one whom `looker` finds by name.

    Raises `AssistantError` as `find_person` does.
    """
    if not name.strip() or _matches(people_of(character), name):
        return find_person(character, name)
    found = looker.search(name.strip(), global_search=True, quiet=True)
    people = [one for one in found if isinstance(one, DefaultCharacter) and one != character]
    if len(people) != 1:
        return find_person(character, name)
    key = entity_id(people[0])
    return key, character.profiles.get_entity_profile(key)


def _matches(known: Mapping[str, Json], name: str) -> list[str]:
    wanted = name.strip().casefold()
    exact = [key for key, one in known.items() if _means(wanted, key, one["name"])]
    return exact or [key for key, one in known.items() if wanted in one["name"].casefold()]


def _means(wanted: str, key: str, name: str) -> bool:
    return wanted == name.casefold() or (len(wanted) >= SHORT_ID and key.startswith(wanted))


def people_of(character: Any) -> dict[str, Json]:
    """Return the profiles of all whom an assistant knows by name, by entity id."""
    return {key: one for key, one in character.profiles.all().items() if one["name"]}


def told_apart(known: Mapping[str, Json]) -> dict[str, str]:
    """Return each one's name by entity id, with the beginning of the id where several bear it."""
    bearers = Counter(one["name"].casefold() for one in known.values())
    return {
        key: one["name"] + (f" ({key[:SHORT_ID]})" if bearers[one["name"].casefold()] > 1 else "")
        for key, one in known.items()
    }


def shown_ref(ref: str, known: Mapping[str, Json]) -> str:
    """Return a reference as people type it: who it is about by name, where that is one word."""
    thing, at, key = ref.partition("@")
    if not at:
        return ref
    name = told_apart(known).get(key, "")
    return f"{thing}@{name if name.isalnum() else key[:SHORT_ID]}"


def person_anywhere(name: str) -> tuple[str, str]:
    """Return (entity id, name) of the one person of that name, or id, whom any assistant met.

    Somebody whose character is gone is found by name too. Raises `AssistantError` otherwise.
    """
    wanted = name.strip().casefold()
    profiles = (item for one in all_assistants() for item in one.profiles.all().items())
    known = {key: one["name"] for key, one in profiles if one["name"]}
    found = [key for key, called in known.items() if _means(wanted, key, called)]
    if len(found) == 1:
        return found[0], known[found[0]]
    if found:
        choices = ", ".join(f"{known[key]} ({key[:SHORT_ID]})" for key in found[:SHOWN])
        raise AssistantError(f"Which of them: {choices}? Give the id.")
    raise AssistantError(f"No assistant ever met '{clean(name, 60)}'. Give the whole name.")


def describe(character: Any, key: str, profile: Json) -> str:
    """Return all that an assistant holds about somebody, for staff."""
    lines = [
        f"|c{profile['name']}|n ({profile['entity_type']}, {key})",
        shown.bond_line(profile, numbers=True),
    ]
    talks = conversations(character, key)
    sections = {
        "Traits": shown.traits(profile, shown.everything, refs=True),
        "Observations": shown.observations(profile, shown.everything, refs=True),
        "Conversation": [line for talk in talks for line in _titled(character, profile, talk)],
    }
    return "\n".join([*lines, *shown.sections(sections)])


def conversations(character: Any, who: str = "") -> list[Json]:
    """Return the conversations under way with somebody (or everybody), one for each label."""
    store = character.working_memory.store
    talks = (store.read("working", key) for key in store.keys("working"))
    return [talk for talk in talks if who in ("", talk["entity_id"])]


def _titled(character: Any, profile: Json, talk: Json) -> list[str]:
    last = shown.minute(talk["last_message"])
    return [
        f"  since {shown.minute(talk['started'])}, last {last}{shown.private(talk['readers'])}",
        *shown.conversation(talk, they=profile["name"], me=name_of(character)),
    ]
