"""Whom or what people mean by a name: one way of choosing for all that commands name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands.tables import MOST, cut_off
from ai_assistant.core.contracts import TO_ONE, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import NAME_LIMIT, clean, did_you_mean
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.memory.search.filters import (
    check_fields,
    conditions,
    facts_of,
    fields_told,
    matches,
    read_filter,
)

SHOWN = 20
"""So many names are listed where one has to choose."""
MANY = 200
"""So many characters are looked through for a part of a name."""
_FILTER = re.compile(r"(?:\A|\s)where(?:\s+(?P<filter>\w+\s*[<>=].*)|\s*)\Z")
SHORT_ID = 8
"""Characters of an id that are enough to name somebody."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that people name: by its name or a part of it, or by another name in full."""

    thing: Any
    """What is returned where this one is meant."""
    name: str
    """What it is called; a part of it is enough, in large or small letters."""
    others: Collection[str] = ()
    """Its other names, of which a part is not enough."""
    shown: str = ""
    """What it is called where one has to choose, if not by its name."""


def matching(typed: str, choices: Iterable[Choice]) -> list[Any]:
    """Return the things of this name, else those of whose name it is a part."""
    wanted = typed.strip().casefold()
    whole, part = list[Any](), list[Any]()
    for choice in choices:
        if wanted in map(str.casefold, (choice.name, *choice.others)):
            whole.append(choice.thing)
        elif wanted and wanted in choice.name.casefold():
            part.append(choice.thing)
    return whole or part


def choose(typed: str, kind: str, choices: Sequence[Choice], *, owner: str = "There is") -> Any:
    """Return the one thing that is meant.

    Raises `AssistantError` naming the choices where there is none, or more than one.
    """
    found = matching(typed, choices)
    if len(found) == 1:
        return found[0]
    named = [choice for choice in choices if choice.thing in found] or choices
    names = (cut_off(choice.shown or choice.name, MOST) for choice in named[:SHOWN])
    listed = ", ".join(names) or "none yet"
    listed += ", …" if len(named) > SHOWN else ""
    if found:
        raise AssistantError(f"Which of them: {listed}?")
    if not typed.strip():
        raise AssistantError(f"Which {kind}? There are: {listed}.")
    meant = did_you_mean(typed, (choice.name for choice in choices)) or f"There are: {listed}."
    raise AssistantError(f"{owner} no {kind} '{clean(typed, 60)}'. {meant}")


def known_assistants() -> list[Any]:
    """Return the assistants of this game. Raises `AssistantError` where there are none."""
    known = all_assistants()
    if not known:
        raise AssistantError("There are no assistants yet. Make one: ai/create <name> = <role>")
    return known


def new_name(typed: str) -> str:
    """Return the name for a new assistant. Raises `AssistantError` where it cannot be one."""
    name = clean(typed)
    if not name or len(name) > NAME_LIMIT:
        raise AssistantError(f"A name has at most {NAME_LIMIT} characters, and at least one.")
    if name.casefold() in (known.key.casefold() for known in all_assistants()):
        raise AssistantError(f"There is an assistant named {name} already.")
    return name


def _body_choices(known: Sequence[Any]) -> list[Choice]:
    """Return characters as choices: by name, alias, or number (``#12``)."""
    bearers = Counter(body.key.casefold() for body in known)
    return [
        Choice(
            body,
            body.key,
            (body.dbref, *body.aliases.all()),
            name_of(body) + (f" ({body.dbref})" if bearers[body.key.casefold()] > 1 else ""),
        )
        for body in known
    ]


def named_first(words: Sequence[str]) -> tuple[Any, str]:
    """Return the assistant whom the first of some words name, as many as do, and the rest of them.

    Raises `AssistantError` where they name none, or more than one.
    """
    known = known_assistants()
    choices = _body_choices(known)
    for count in range(len(words), 1, -1):
        if matching(" ".join(words[:count]), choices):
            return find_character(known, " ".join(words[:count])), " ".join(words[count:])
    return find_character(known, " ".join(words[:1])), " ".join(words[1:])


def find_character(known: Sequence[Any], name: str) -> Any:
    """Return the one of these assistants that is meant. Raises `AssistantError` otherwise."""
    return choose(name, "assistant", _body_choices(known))


def find_acquaintance(known: Sequence[Any], name: str) -> Any:
    """Return the one of those who remember a player; the same, in words for players."""
    return choose(name, "character", _body_choices(known), owner="You are known to")


def find_anybody(caller: Any, name: str) -> Any:
    """Return what bears this name in the game, or the one character of whose name it is a part.

    Raises `AssistantError` naming the characters that it may be.
    """
    typed = name.strip()
    found = caller.search(typed, global_search=True, quiet=True) if typed else []
    return found[0] if len(found) == 1 else find_by_name(typed)


def find_by_name(typed: str) -> Any:
    """Return the one character of the game that is meant. Raises `AssistantError` otherwise."""
    named = ObjectDB.objects.filter(db_key__icontains=typed)[:MANY] if typed else ()
    people = (body for body in named if isinstance(body, DefaultCharacter))
    bodies = list(dict.fromkeys((*all_assistants(), *people)))
    return choose(typed, "character", _body_choices(bodies))


def id_finder(caller: Any) -> Callable[[str], str]:
    """Return what finds the id of whoever of the game somebody names, as `find_anybody` does."""
    return lambda name: entity_id(find_anybody(caller, name))


def words_and_filter(text: str, id_of: Callable[[str], str]) -> tuple[str, Json]:
    """Return what was typed before ``where gameDay >= 5, location = tavern``, and that filter.

    `id_of` returns the id of somebody by name. Raises `AssistantError` for what is no filter.
    """
    words, found = text, _FILTER.search(text)
    if found is None:
        return words.strip(), {}
    if not found["filter"]:
        raise AssistantError(f"Where what? As in: where gameDay >= 5; {fields_told()}.")
    try:
        return text[: found.start()].strip(), read_filter(found["filter"], id_of)
    except ValueError as wrong:
        raise AssistantError(str(wrong)) from wrong


def fitting(rows: Sequence[MemoryRow], where: Json) -> list[MemoryRow]:
    """Return the rows that meet a filter. Raises `AssistantError` for one that is none."""
    try:
        checks = list(conditions(where))
        check_fields(checks, map(facts_of, rows))
    except ValueError as wrong:
        raise AssistantError(str(wrong)) from wrong
    return [row for row in rows if matches(facts_of(row), checks)]


def people_of(character: Any) -> dict[str, Json]:
    """Return the profiles of all whom an assistant knows by name, by entity id."""
    return {key: profile for key, profile in character.profiles.all().items() if profile["name"]}


def known_to_anybody() -> dict[str, Json]:
    """Return a profile of each whom any assistant knows by name, by entity id."""
    known: dict[str, Json] = {}
    for character in all_assistants():
        known |= people_of(character)
    return known


def told_apart(known: Mapping[str, Json]) -> dict[str, str]:
    """Return each one's name by entity id, with the beginning of the id where several bear it."""
    bearers = Counter(profile["name"].casefold() for profile in known.values())
    return {
        key: profile["name"]
        + (f" ({key[:SHORT_ID]})" if bearers[profile["name"].casefold()] > 1 else "")
        for key, profile in known.items()
    }


def full_ref(character: Any, ref: str) -> str:
    """Return a reference with the id of the person that it names, if it names one."""
    thing, at, name = ref.strip().partition("@")
    if not thing:
        raise AssistantError("Which line? Give its reference, such as #12, j3 or o1@Alice.")
    return f"{thing}@{find_person(character, name)[0]}" if at else thing


def short_ref(ref: str, names: Mapping[str, str]) -> str:
    """Return a reference as people type it: with the name of whom it is about, told apart, or the
    beginning of the id.
    """
    thing, at, key = ref.partition("@")
    name = names.get(key, "")
    return f"{thing}@{name if name.isalnum() else key[:SHORT_ID]}" if at else thing


def people_choices(known: Mapping[str, Json]) -> list[Choice]:
    """Return people as choices: by name, by id, or by the first eight characters of it."""
    shown = told_apart(known)
    return [
        Choice(key, profile["name"], (key, key[:SHORT_ID]), shown[key])
        for key, profile in known.items()
    ]


def find_person(character: Any, name: str) -> tuple[str, Json]:
    """Return (entity id, profile) of the one whom an assistant knows by that name, or id."""
    known = people_of(character)
    owner = f"{name_of(character)} has met"
    key = choose(name, "person", people_choices(known), owner=owner)
    return key, known[key]


def find_speaker(character: Any, name: str, own: Mapping[str, Any]) -> Any:
    """Return the body that is meant: one of `own`, by what stands for it, or whom it knows.

    Raises `AssistantError` where nobody bears that name, or has left the game.
    """
    body = own.get(name) or find(find_person(character, name)[0])
    if body is None:
        raise AssistantError("Whoever that is has left the game.")
    return body


def said_by(caller: Any, typed: str | None) -> tuple[str, Any, str]:
    """Return how, by whom and what is said of ``whisper <person>: <text>``; the caller says what
    has no colon. Raises `AssistantError` where nobody bears that name.
    """
    who, mark, text = (typed or "").partition(":")
    kind, _, name = who.strip().rpartition(" ")
    if not mark:
        kind, name, text = "", "", who
    elif kind not in TO_ONE:
        kind, name = "", who.strip()
    return kind, find_anybody(caller, name) if name else caller, text.strip()
