"""Where the character is, or plays that it is, and who and what is there (1000)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from operator import itemgetter

from ai_assistant.agent.prompt.chat_lines import is_acted
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.partner import in_brief
from ai_assistant.agent.prompt.prompt_wording import (
    enumerated,
    field_lines,
    on_one_line,
    quoted,
    value_in_words,
)
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import draw_from
from ai_assistant.core.contracts import Json
from ai_assistant.core.seen import Thing
from ai_assistant.language.words import clipped
from ai_assistant.memory.phrases import shortened
from ai_assistant.prompts import load_prompt
from ai_assistant.roleplay.permanent import ROLE
from ai_assistant.roleplay.scene import LISTED, SETTING, hour_and_day, setting_of

LONGEST_DESCRIPTION = 600
OF_ROLE, LONGEST_OF_ROLE = 20, 600
"""Lines of what its role alone knows that are looked at, and letters of them that are told."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
STAYS = " (your place is here: you never leave it, whoever asks)"
"""What is told beside the ways out to whoever keeps its place, lest it invent why it stays."""
KNOWN = 8
"""Others who are there of whom more than the name is told."""


def now(turn: Turn) -> Section:
    """Return place and time, or those of the scene that is played."""
    scene, play = turn.surroundings, turn.play
    elsewhere = play.session and play.place
    row: Json = {
        "place": scene.place_name,
        "description": clipped(scene.description, LONGEST_DESCRIPTION),
        "time": scene.time,
        "private": scene.private,
    }
    row |= {"place": play.place, "description": ""} if elsewhere else {}
    row |= {"game_day": play.day} if play.day else {}
    row |= {"time": hour_and_day(play.facts), "scene": play.facts} if play.session else {}
    words, facts = list[str](), list[Row]()
    if play.session:
        known = _known_to_role(turn) if play.role else []
        words = _played(turn, known)
        facts = [Row(data={"fact": fact}) for fact in (*known, *_each_fact(play.facts))]
    here = [] if elsewhere else [f"You are at {on_one_line(scene.place_name)}."]
    if here and row["description"]:
        here = [f"{here[0]} {on_one_line(row['description'])}"]
    if is_acted(turn):
        return Section([Row("\n".join([*words, *here]), row), *facts], "The scene", fixed=1)
    if scene.time and not play.session:
        weekday = ""
        with suppress(ValueError):  # the game's clock need not tell a date
            weekday = f"{DAYS[datetime.fromisoformat(scene.time).weekday()]}, "
        here.append(f"It is {weekday}{on_one_line(scene.time)}.")
    if scene.private:
        here.append("What is said here, those who are here keep among themselves.")
    return Section([Row("\n".join([*here, *words]), row), *facts], "Now", fixed=1)


def _each_fact(facts: Json) -> Iterator[str]:
    """Yield the facts of a scene one by one, for the offline model; who is where comes first."""
    for key, fact in reversed(facts.items()):
        if key == "activeQuest":
            yield f"The quest: {fact}"
        elif key not in SETTING:
            label = "" if key in LISTED else f"{key}: "
            yield from (f"{label}{part}" for part in str(fact).split("; "))


def _known_to_role(turn: Turn) -> list[str]:
    """Return what the character alone knows by its role: the first lines that there is room for."""
    of_it = {"session": turn.play.session, ROLE: turn.play.role}
    room, told = LONGEST_OF_ROLE, list[str]()
    for row in reversed(turn.store.rows.find(of_it, OF_ROLE)):
        line = on_one_line(row.content) if told else shortened(on_one_line(row.content), room)
        if len(line) > room:
            break
        if draw_from(turn, row):
            told.append(line)
            room -= len(line)
    return told


def _played(turn: Turn, known: list[str]) -> list[str]:
    """Return the frame of the scene: with whom, where and when it plays, then what else is set.

    Below its role stands what is `known` by that.
    """
    play = turn.play
    others = [on_one_line(name) for who, name in play.cast if who != turn.me.id]
    company = f" with {enumerated(others)}" if others else ""
    title = f" called {quoted(on_one_line(play.title))}" if play.title else ""
    setting = on_one_line(setting_of(play.facts))
    lead = [load_prompt("scene_fiction")] if play.fiction else []
    verb = "are playing" if play.fiction else "take part in"
    lead.append(f"You {verb} a scene{title}{company}{f': {setting}' if setting else ''}.")
    told = [" ".join(lead)]
    for key, fact in play.facts.items():
        told += [field_lines(key, value_in_words(fact))] if key not in SETTING else []
        told += [f"- of it you know: {quoted(line)}" for line in known] if key == ROLE else []
    return told


def seen(turn: Turn) -> Section:
    """Return who is answered, the others in a line each (known ones first), then what is in sight.

    The handle is told only where two have the same name.
    """
    asked = {event.source.id for event in turn.events}
    present = {thing.entity.id for thing in turn.surroundings.things}
    hiding = turn.world.unseen(turn.audience).keys() - asked  # that they are here tells of them
    playing = turn.play.members or present
    shown = {it: thing for it, thing in turn.things.items() if thing.entity.id not in hiding}
    names = Counter(on_one_line(thing.entity.name).casefold() for thing in shown.values())
    first, others, rest = list[Row](), list[tuple[bool, Row]](), list[Row]()
    ways = f"Ways out{STAYS}" if turn.mind.config["keeps_place"] else "Ways out"
    listed: dict[str, list[str]] = {"You carry": [], "You see": [], ways: []}
    for handle, thing in shown.items():
        name = on_one_line(thing.entity.name)
        name = f"{name} ({handle})" if names[name.casefold()] > 1 else name
        there = turn.play.apart.get(thing.entity.id, "")
        data = ({"apart": there} if there else {"handle": handle}) | _data(thing)
        watches = "" if thing.entity.id in playing else " (stands by, and does not play)"
        watches = f" (elsewhere in the story: {on_one_line(there)})" if there else watches
        if thing.is_exit or thing.entity.kind == "object":
            leads = thing.is_exit and thing.description
            name += f" (to {on_one_line(thing.description)})" if leads else ""
            at = ways if thing.is_exit else "You carry" if thing.carried else "You see"
            listed[at].append(name)
            rest.append(Row(data=data))
        elif thing.entity.id not in present:
            rest.append(Row(data=data))
        elif thing.entity.id in asked:
            first.append(Row(f"- {name}{watches}", data))
        else:
            name += watches
            is_told = turn.play.inherits and len(others) < KNOWN
            about, known = in_brief(turn, thing.entity) if is_told else ("", "")
            data |= {"known": known} if known else {}
            others.append((not about, Row(f"- {name}: {about}" if about else f"- {name}", data)))
    told = {} if is_acted(turn) else listed  # a story has its own things
    lists = [Row(f"{title}: {', '.join(found)}") for title, found in told.items() if found]
    told_of = [*first, *(row for _, row in sorted(others, key=itemgetter(0))), *lists]
    return Section([*told_of, *rest], "Here with you", fixed=len(told_of))


def _data(thing: Thing) -> Json:
    name = thing.entity.name
    if thing.is_exit:
        return {"exit": name} | ({"to": thing.description} if thing.description else {})
    if thing.entity.kind == "object":
        marks = ("carried", "givable", "takable")
        return {"item": name} | {mark: True for mark in marks if getattr(thing, mark)}
    who: Json = {"name": name, "kind": thing.entity.kind}
    return who | ({"assistant": True} if thing.is_assistant else {})
