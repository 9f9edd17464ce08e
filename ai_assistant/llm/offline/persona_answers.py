"""Answers from the persona, the scene and the relationship: who, where, when, do you know me."""

from __future__ import annotations

import re
from collections.abc import Callable

from ai_assistant.language import current
from ai_assistant.llm.offline import grammar
from ai_assistant.llm.offline.grammar import ago, joined, number, spoken_time
from ai_assistant.llm.offline.intents import Intent, Turn
from ai_assistant.llm.offline.plain_english import DATA, meanings, plain, weight
from ai_assistant.llm.offline.request_view import Seen

Words = Callable[[Turn, Intent], str]
_SHOWN = 6
_FRIENDS = frozenset({"friend", "ally"})
_GIVEN = re.compile(r"gives? you (.+?)\.?\Z")


def _greeting(turn: Turn, intent: Intent) -> str:
    """Greet by relationship, and recall the last meeting."""
    if turn.still_talking:
        return turn.voice.say("greet_again")
    if turn.state != "stranger":
        hello = turn.voice.say(f"greet_{turn.state}")
    else:
        hello = turn.voice.say("greet_returning" if turn.returning else "greet_stranger")
        own = [line for line in turn.view.persona.greeting if line.endswith((".", "!", "?"))]
        if own and not turn.returning:
            hello = turn.voice.pick("greeting", [*own, hello]) if turn.view.own else own[0]
    facts = turn.facts()
    if facts and turn.state in _FRIENDS and turn.voice.roll("fact", 2):
        last = turn.voice.say("greet_fact", fact=facts[turn.voice.roll("which", len(facts))])
    else:
        last = turn.voice.say("last_met", ago=_last_met(turn))
    return f"{hello} {last}".strip()


def _last_met(turn: Turn) -> str:
    return ago(turn.view.partner.last, turn.view.time) if turn.returning else ""


def introduce(turn: Turn, intent: Intent) -> str:
    """Answer a name with a name."""
    key = "introduced" if intent.what == turn.name else "introduced_otherwise"
    return turn.voice.say(key, given=intent.what)


def _statement(turn: Turn, intent: Intent) -> str:
    """Say something to a remark that asks for nothing."""
    if turn.calm:
        return turn.voice.say("closing")
    if turn.private and current().pronouns["first"] & set(plain(intent.said).split()):
        return turn.voice.say("note_private")
    return fact_heard(turn, intent.said) or turn.voice.say("small_talk")


def shared_interest(turn: Turn, text: str) -> str:
    """Return the interest of ours that a text touches; empty where it touches none."""
    has = {one for one in meanings(text) if weight(one) == 1}
    found = [one for one in turn.view.persona.interests if has & meanings(one)]
    return found[0].lower() if found else ""


def fact_heard(turn: Turn, text: str) -> str:
    """Return a word of delight where a fact touches an interest of our own; else empty."""
    shared = shared_interest(turn, text)
    return turn.voice.say("shared_interest", topic=shared) if shared else ""


def _is_self(turn: Turn, intent: Intent) -> str:
    """Answer "are you the captain?" by our role and name."""
    own = meanings(f"{turn.view.persona.role} {turn.view.persona.name}")
    return turn.voice.say("is_self" if meanings(intent.what) & own else "is_not_self")


def _who_here(turn: Turn, intent: Intent) -> str:
    others = [seen for seen in turn.view.of_kind() if seen.handle != turn.handle]
    return turn.voice.say("who_here" if others else "alone", people=_named(others))


def exit_names(turn: Turn, last: str = "and") -> str:
    """Return the ways out as "north, east and the gate"."""
    return joined([one.name for one in turn.view.of_kind("exit")][:8], last)


def carried(turn: Turn) -> list[Seen]:
    """Return what we carry."""
    return [one for one in turn.view.of_kind("item") if one.carried]


def lying(turn: Turn) -> list[Seen]:
    """Return the things here that we do not carry."""
    return [one for one in turn.view.of_kind("item") if not one.carried]


def _named(things: list[Seen]) -> str:
    return joined([thing.name for thing in things[:_SHOWN]])


def _described(turn: Turn) -> dict[str, str]:
    return {"description": grammar.shorten(turn.view.description, 160)}


def _know_me(turn: Turn, intent: Intent) -> dict[str, str]:
    times = turn.view.partner.times if turn.returning else 0
    met = f"{number(times)} times" if times > 1 else "once" if times else ""
    return {"facts": joined(turn.facts()[:3]), "times": met}


def _my_name(turn: Turn, intent: Intent) -> str:
    """Say the speaker's name, the one they last gave, if they ever gave one."""
    called = f"{turn.name} is called "
    noted = [one.text for one in turn.view.observations if one.text.startswith(called)]
    if noted:
        return turn.voice.say("my_other_name", other=noted[0].removeprefix(called).rstrip("."))
    return turn.voice.say("my_name" if turn.introduced else "my_name_unknown")


SLOTS: dict[str, Callable[[Turn, Intent], dict[str, str]]] = {
    "gift": lambda _, intent: {"item": (_GIVEN.findall(intent.said) or [""])[0]},
    "where": lambda turn, _: _described(turn),
    "exits": lambda turn, _: {"exits": exit_names(turn)},
    "time": lambda turn, _: {"time": spoken_time(turn.view.time)},
    "things": lambda turn, _: {"things": _named(lying(turn)), **_described(turn)},
    "carrying": lambda turn, _: {"things": _named(carried(turn))},
    "know_me": _know_me,
    "met": lambda turn, _: {"ago": _last_met(turn)},
    "said_what": lambda turn, _: {"text": grammar.shorten("".join(turn.view.own[-1:]))},
    "abilities": lambda turn, _: {
        "things": joined([words for tool, words in DATA["able"].items() if turn.view.may(tool)])
    },
}
"""What fills the lines of an intent whose wording is under its own name."""
ANSWERS: dict[str, Words] = {
    "greeting": _greeting, "arrival": _greeting,
    "farewell": lambda turn, _: turn.voice.say(f"farewell{'_friend' * (turn.state in _FRIENDS)}"),
    "statement": _statement, "is_self": _is_self, "who_here": _who_here, "my_name": _my_name,
    "advice": lambda turn, _: turn.voice.pick("advice", turn.view.persona.sayings)
    or turn.voice.say("advice"),
}  # fmt: skip
