"""Answers from the persona, the scene and the relationship: who, where, when, do you know me."""

from __future__ import annotations

import re
from collections.abc import Callable

from ai_assistant.llm.offline import grammar
from ai_assistant.llm.offline.days import ago, number, spoken_time
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.turn import Turn
from ai_assistant.llm.offline.view import Seen
from ai_assistant.llm.offline.words import meanings, weight

Words = Callable[[Turn, Intent], str]
_ABLE = {
    "note": "remember what people tell me",
    "recall": "tell them so when they ask",
    "look": "look at things for you",
    "take": "fetch what lies about",
    "give": "hand over what I may give away",
    "move": "walk where you ask me to",
}


def greeting(turn: Turn, intent: Intent) -> str:
    """Greet by relationship, and recall the last meeting."""
    if turn.still_talking:
        return turn.voice.say("greet_again")
    if turn.state != "stranger":
        hello = turn.voice.say(f"greet_{turn.state}")
    else:
        hello = turn.voice.say("greet_returning" if turn.returning else "greet_stranger")
        own = [one for one in turn.view.persona.greeting if one.endswith((".", "!", "?"))]
        if own and not turn.returning:
            hello = turn.voice.pick("greeting", [*own, hello]) if turn.view.own else own[0]
    return " ".join(filter(None, (hello, _last_time(turn))))


def _last_time(turn: Turn) -> str:
    facts = turn.facts()
    if facts and turn.state in {"friend", "ally"} and turn.voice.roll("fact", 2):
        return turn.voice.say("greet_fact", fact=facts[turn.voice.roll("which", len(facts))])
    when = ago(turn.view.partner.last, turn.view.time) if turn.returning else ""
    return turn.voice.say("last_met", ago=when)


def introduce(turn: Turn, intent: Intent) -> str:
    """Answer a name with a name."""
    key = "introduced" if intent.what == turn.name else "introduced_otherwise"
    return turn.voice.say(key, given=intent.what)


def farewell(turn: Turn, intent: Intent) -> str:
    """Say goodbye, sometimes with a saying of the persona's own."""
    key = "farewell" if turn.state in {"stranger", "acquaintance"} else "farewell_friend"
    return f"{turn.voice.say(key)} {_saying(turn)}".rstrip()


def _saying(turn: Turn) -> str:
    sayings = turn.view.persona.sayings
    return turn.voice.pick("saying", sayings) if sayings and not turn.voice.roll("add", 4) else ""


def gift(turn: Turn, intent: Intent) -> str:
    """Say thanks for a gift by name."""
    hit = re.search(r"gives? you (?P<item>.+?)\.?\Z", intent.said)
    return turn.voice.say("gift", item=hit["item"] if hit else "")


def statement(turn: Turn, intent: Intent) -> str:
    """Say something to a remark that asks for nothing."""
    if turn.calm:
        return turn.voice.say("closing")
    shared = shared_interest(turn, intent.said)
    if shared:
        return turn.voice.say("shared_interest", topic=shared)
    return f"{turn.voice.say('small_talk')} {_saying(turn)}".rstrip()


def shared_interest(turn: Turn, text: str) -> str:
    """Return the interest of ours that a text touches; empty where there is none."""
    has = {one for one in meanings(text) if weight(one) == 1}
    found = [one for one in turn.view.persona.interests if has & meanings(one)]
    return found[0].lower() if found else ""


def fact_heard(turn: Turn, text: str) -> str:
    """Return a word of delight where a fact touches an interest of our own; else empty."""
    shared = shared_interest(turn, text)
    return turn.voice.say("shared_interest", topic=shared) if shared else ""


def is_self(turn: Turn, intent: Intent) -> str:
    """Answer "are you the captain?" by our role and name."""
    own = meanings(f"{turn.view.persona.role} {turn.view.persona.name}")
    key = "is_self" if meanings(intent.what) & own else "is_not_self"
    return turn.voice.say(key)


def where(turn: Turn, intent: Intent) -> str:
    """Say where we are."""
    return turn.voice.say("where", description=grammar.shorten(turn.view.description, 160))


def who_here(turn: Turn, intent: Intent) -> str:
    """Name everybody in sight but the one who asks."""
    others = [one.name for one in turn.view.people() if one.handle != turn.handle]
    return turn.voice.say("who_here" if others else "alone", people=grammar.joined(others[:6]))


def exits(turn: Turn, intent: Intent) -> str:
    """Name the ways out."""
    return turn.voice.say("exits", exits=exit_names(turn))


def exit_names(turn: Turn, last: str = "and") -> str:
    """Return the ways out as "north, east and the gate"."""
    return grammar.joined([one.name for one in turn.view.exits()][:8], last)


def time(turn: Turn, intent: Intent) -> str:
    """Tell the time of day."""
    return turn.voice.say("time", time=spoken_time(turn.view.time))


def things(turn: Turn, intent: Intent) -> str:
    """Name the items in sight."""
    there = [one.name for one in lying(turn)]
    described = grammar.shorten(turn.view.description, 160)
    return turn.voice.say("things", things=grammar.joined(there[:6]), description=described)


def carried(turn: Turn) -> list[Seen]:
    """Return what we carry."""
    return [one for one in turn.view.items() if one.carried]


def lying(turn: Turn) -> list[Seen]:
    """Return the things here that we do not carry."""
    return [one for one in turn.view.items() if not one.carried]


def carrying(turn: Turn, intent: Intent) -> str:
    """Name what we carry."""
    names = [one.name for one in carried(turn)]
    return turn.voice.say("carrying", things=grammar.joined(names[:6]))


def know_me(turn: Turn, intent: Intent) -> str:
    """List what we know of the one who asks."""
    facts = turn.facts()[:3]
    times = turn.view.partner.times if turn.returning else 0
    counted = f"{number(times)} times" if times > 1 else "once" if times else ""
    return turn.voice.say("know_me", facts=grammar.joined(facts), times=counted)


def met(turn: Turn, intent: Intent) -> str:
    """Say when we last met."""
    when = ago(turn.view.partner.last, turn.view.time) if turn.returning else ""
    return turn.voice.say("met", ago=when)


def my_name(turn: Turn, intent: Intent) -> str:
    """Say the speaker's name, if they ever gave it."""
    if turn.other_name:
        return turn.voice.say("my_other_name", other=turn.other_name)
    return turn.voice.say("my_name" if turn.introduced else "my_name_unknown")


def said_what(turn: Turn, intent: Intent) -> str:
    """Repeat our own last words."""
    last = turn.view.own[-1] if turn.view.own else ""
    return turn.voice.say("said_what", text=grammar.shorten(last))


def advice(turn: Turn, intent: Intent) -> str:
    """Give one of the persona's sayings."""
    return turn.voice.pick("advice", turn.view.persona.sayings) or turn.voice.say("advice")


def abilities(turn: Turn, intent: Intent) -> str:
    """Tell what we can do: only what the tools of this turn allow."""
    able = [words for tool, words in _ABLE.items() if turn.view.may(tool)]
    return turn.voice.say("abilities", things=grammar.joined(able))


ANSWERS: dict[str, Words] = {
    "greeting": greeting, "arrival": greeting, "introduce": introduce, "farewell": farewell,
    "gift": gift,
    "statement": statement, "is_self": is_self, "where": where, "who_here": who_here,
    "exits": exits, "time": time, "things": things, "carrying": carrying, "know_me": know_me,
    "met": met, "my_name": my_name, "said_what": said_what, "advice": advice,
    "abilities": abilities,
}  # fmt: skip
