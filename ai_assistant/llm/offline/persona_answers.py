"""Answers from the persona, the scene and the relationship: who, where, when, do you know me."""

from __future__ import annotations

import re
from collections.abc import Callable

from ai_assistant.language import plain_english as english
from ai_assistant.language import spoken_times, turning
from ai_assistant.language.sums import reckoned
from ai_assistant.language.words import clipped, whole_sentences
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.request_records import Seen

AnswerMaker = Callable[[Asker, Intent], str]
_SHOWN = 6
_LONGEST_VIEW = 160  # characters of the place that are told
_MOST_GIVEN = 3  # words of what somebody really is
_FRIENDS = frozenset({"friend", "ally"})
_GIVEN = re.compile(r"gives? you (.+?)\.?\Z")


def _greeting(asker: Asker, intent: Intent) -> str:
    if asker.still_talking:
        return asker.voice.say("greet_again")
    if asker.partner.state != "stranger":
        hello = asker.voice.say(f"greet_{asker.partner.state}")
    else:
        hello = asker.voice.say("greet_returning" if asker.partner.times else "greet_stranger")
        own = [line for line in asker.view.persona.greeting if line.endswith((".", "!", "?"))]
        if own and not asker.partner.times:
            hello = asker.voice.pick("greeting", [*own, hello]) if asker.view.own else own[0]
    facts = asker.facts()
    if facts and asker.partner.state in _FRIENDS and asker.voice.roll("fact", 2):
        last = asker.voice.say("greet_fact", fact=facts[asker.voice.roll("which", len(facts))])
    else:
        last = asker.voice.say("last_met", ago=_last_met(asker))
    return f"{hello} {last}".strip()


def _last_met(asker: Asker) -> str:
    met = asker.partner
    return spoken_times.days_since(met.last, asker.view.time) if met.times else ""


def introduce(asker: Asker, intent: Intent) -> str:
    """Answer a name with a name."""
    key = "introduced" if intent.what == asker.name else "introduced_otherwise"
    return asker.voice.say(key, given=intent.what)


def shared_interest(asker: Asker, text: str) -> str:
    """Return the interest of ours that a text touches; empty where it touches none."""
    has = {stem for stem in english.meanings(text) if english.how_telling(stem) == 1}
    found = (own for own in asker.view.persona.interests if has & english.meanings(own))
    return next(found, "").lower()


def fact_heard(asker: Asker, text: str) -> str:
    """Return a word of delight where a fact touches an interest of our own; else empty."""
    shared = shared_interest(asker, text)
    return asker.voice.say("shared_interest", topic=shared) if shared else ""


def _named(things: list[Seen]) -> str:
    return turning.joined([thing.name for thing in things[:_SHOWN]])


def _described(asker: Asker) -> dict[str, str]:
    return {"description": whole_sentences(asker.view.description, _LONGEST_VIEW)}


def _know_me(asker: Asker, intent: Intent) -> dict[str, str]:
    return {"facts": turning.joined(asker.facts()[:3])}


def _my_name(asker: Asker, intent: Intent) -> str:
    called = f"{asker.name} is called "
    noted = [note.text for note in asker.view.observations if note.text.startswith(called)]
    if noted:
        return asker.voice.say("my_other_name", other=noted[-1].removeprefix(called).rstrip("."))
    return asker.voice.say("my_name" if asker.introduced else "my_name_unknown")


def _sum(asker: Asker, intent: Intent) -> dict[str, str]:
    """Work out a sum of two numbers; one of them may be the last that was told."""
    result = reckoned(intent.words, before=" ".join(asker.view.own[-1:]))
    return {} if result is None else {"result": spoken_times.number(result)}


def _corrected(asker: Asker, intent: Intent) -> str:
    """Take somebody at their new word, in the letters they gave it: "Corvin, then." """
    given = turning.clause(re.sub(r"^(?:an?|the) ", "", intent.what)).strip()
    said = re.search(rf"\b{re.escape(given)}\b", intent.said, re.I) if given else None
    given = said[0] if said else given
    return asker.voice.say("correction", given=given if given.count(" ") < _MOST_GIVEN else "")


def saying(asker: Asker) -> str:
    """Return one of the sayings of the persona, or of everybody."""
    return asker.voice.pick("advice", asker.view.persona.sayings) or asker.voice.say("advice")


SLOTS: dict[str, Callable[[Asker, Intent], dict[str, str]]] = {
    "sum": _sum,
    "absent": lambda _, intent: {"other": intent.what},
    "who_here": lambda asker, _: {
        "people": _named([seen for seen in asker.view.people if seen.handle != asker.handle])
    },
    "gift": lambda _, intent: {"item": (_GIVEN.findall(intent.said) or [""])[0]},
    "tour": lambda asker, _: _described(asker),
    "day": lambda asker, _: {"day": spoken_times.spoken_day(asker.view.time)},
    "time": lambda asker, _: {"time": spoken_times.spoken_time(asker.view.time)},
    "things": lambda asker, _: {"things": _named(asker.view.lying), **_described(asker)},
    "carrying": lambda asker, _: {"things": _named(asker.view.carried)},
    "know_me": _know_me,
    "opinion_me": _know_me,
    "met": lambda asker, _: {"ago": _last_met(asker)},
    "give_up": lambda asker, _: {
        "text": "".join([own for own in asker.view.own if "? " in own][-1:]).rpartition("? ")[2]
    },
    "said_what": lambda asker, _: {"text": clipped("".join(asker.view.own[-1:]), 200)},
    "abilities": lambda asker, _: {
        "things": turning.joined(
            [words for tool, words in english.DATA["able"].items() if asker.view.may(tool)]
        )
    },
}
"""What fills the lines of an intent whose wording is under its own name."""
ANSWERS: dict[str, AnswerMaker] = {
    "greeting": _greeting, "arrival": _greeting,
    "farewell": lambda asker, intent: asker.voice.say(
        "good_night" if "night" in intent.words.split()
        else "farewell_friend" if asker.partner.state in _FRIENDS else "farewell"
    ),
    "correction": _corrected, "my_name": _my_name,
    "where": lambda asker, intent: asker.voice.say(
        "where_i_am" if intent.line.kind in ("page", "channel") else "where", **_described(asker)
    ),
    "advice": lambda asker, _: saying(asker),
    "hush": lambda asker, _: asker.voice.say("note_private" if asker.private else "hush"),
}  # fmt: skip
