"""Where the character is, or plays that it is, and who and what is there (1000)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime

from ai_assistant.agent.prompt.chat_lines import is_acted
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.partner import in_brief
from ai_assistant.agent.prompt.prompt_wording import (
    field_lines,
    on_one_line,
    quoted,
    value_in_words,
)
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.ports import Thing
from ai_assistant.prompts import load_prompt

LONGEST_DESCRIPTION = 600
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
KNOWN = 8
"""Others who are there of whom more than the name is told."""


def now(turn: Turn) -> Section:
    """Return place and time, or those of the scene that is played."""
    scene, play = turn.surroundings, turn.play
    row: Json = {
        "place": scene.place_name,
        "description": scene.description[:LONGEST_DESCRIPTION],
        "time": scene.time,
        "private": scene.private,
    }
    row |= {"game_day": play.day} if play.day else {}
    row |= {"scene": play.facts} if play.session else {}
    words = _played(turn) if play.session else []
    if is_acted(turn):
        return Section([Row("\n".join(words), row)], "The scene", fixed=1)
    here = [
        f"You are at {on_one_line(scene.place_name)}. {on_one_line(row['description'])}".rstrip()
    ]
    if scene.time:
        weekday = ""
        with suppress(ValueError):  # the game's clock need not tell a date
            weekday = f"{DAYS[datetime.fromisoformat(scene.time).weekday()]}, "
        here.append(f"It is {weekday}{on_one_line(scene.time)}.")
    if scene.private:
        here.append("What is said here, those who are here keep among themselves.")
    return Section([Row("\n".join([*here, *words]), row)], "Now", fixed=1)


def _played(turn: Turn) -> list[str]:
    facts = {**turn.play.facts}
    place, day = facts.pop("currentScene", turn.play.place), facts.pop("gameDay", turn.play.day)
    hour = facts.pop("timeOfDay", "")
    when = ", ".join(filter(None, [f"day {day} of the story" if day else "", on_one_line(hour)]))
    lead = [load_prompt("scene_fiction")] if turn.play.fiction else ["You take part in a scene."]
    lead += [f"It is called {quoted(on_one_line(turn.play.title))}." if turn.play.title else ""]
    lead += [
        f"It plays at {on_one_line(place)}." if place else "",
        f"It is {when}." if when else "",
    ]
    rest = (field_lines(key, value_in_words(value)) for key, value in facts.items())
    return [" ".join(filter(None, lead)), *rest]


def seen(turn: Turn) -> Section:
    """Return everything in sight: who is answered first, others in a line each, then the rest.

    The handle is told only where two have the same name.
    """
    asked = {event.source.id for event in turn.events}
    present = {thing.entity.id for thing in turn.surroundings.things}
    names = Counter(on_one_line(thing.entity.name).casefold() for thing in turn.things.values())
    first: list[Row] = []
    others: list[Row] = []
    rest: list[Row] = []
    listed: dict[str, list[str]] = {"You carry": [], "You see": [], "Ways out": []}
    for handle, thing in turn.things.items():
        name = on_one_line(thing.entity.name)
        name = f"{name} ({handle})" if names[name.casefold()] > 1 else name
        data = {"handle": handle} | _data(thing)
        if thing.is_exit or thing.entity.kind == "object":
            leads = thing.is_exit and thing.description
            name += f" (to {on_one_line(thing.description)})" if leads else ""
            at = "Ways out" if thing.is_exit else "You carry" if thing.carried else "You see"
            listed[at].append(name)
            rest.append(Row(data=data))
        elif thing.entity.id not in present:
            rest.append(Row(data=data))
        elif thing.entity.id in asked:
            first.append(Row(f"- {name}", data))
        else:
            about = in_brief(turn, thing.entity) if len(others) < KNOWN else ""
            others.append(Row(f"- {name}: {about}" if about else f"- {name}", data))
    told = {} if is_acted(turn) else listed  # a story has its own things
    lists = [Row(f"{title}: {', '.join(found)}") for title, found in told.items() if found]
    rows = [*first, *others, *lists, *rest]
    return Section(rows, "Here with you", fixed=len(first) + len(others) + len(lists))


def _data(thing: Thing) -> Json:
    name = thing.entity.name
    if thing.is_exit:
        return {"exit": name} | ({"to": thing.description} if thing.description else {})
    if thing.entity.kind == "object":
        marks = ("carried", "givable", "takable")
        return {"item": name} | {mark: True for mark in marks if getattr(thing, mark)}
    who: Json = {"name": name, "kind": thing.entity.kind}
    return who | ({"assistant": True} if thing.is_assistant else {})
