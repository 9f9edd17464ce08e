"""Deeds: which tools a wish needs before words are spoken, and the words for what came of them."""

from __future__ import annotations

import re

from ai_assistant.llm.offline import grammar, plans, walks
from ai_assistant.llm.offline.answers import (
    Words,
    carried,
    fact_heard,
    introduce,
    lying,
)
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.turn import GAVE_NAME, Turn, pick
from ai_assistant.llm.offline.view import Seen
from ai_assistant.llm.offline.words import DATA, meanings, plain

LONGEST_NOTE = 240
_FETCH = re.compile(r"\b(?:fetch|bring|get)\b")
_COURTESY = re.compile(r",? (?:please|thanks|thank you|if you (?:can|may|will|please))$")
_GERUND = re.compile(r"^\w{3,}ing\b")
_ERRANDS = frozenset(DATA["errands"].split())
_HANDLED = {"take": lying, "put_down": carried}
"""Tools that take one thing in hand, or out of it → among which things it is."""
_RECEIVER = re.compile(r"^(?P<item>.+?) to (?P<to>.+)$")


def wishes(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the tool calls that an intent needs before it can be answered."""
    if turn.calm:
        return []
    if intent.kind in _NOTES:
        lasting = fact(turn, intent) if intent.kind in ("fact", "remember") else ""
        return _note(turn, intent) + plans.preference(turn, intent.said, lasting)
    deed = _DEEDS.get(intent.kind)
    return deed(turn, intent) if deed else []


def fact(turn: Turn, intent: Intent) -> str:
    """Return what there is to note, in the third person; empty where nothing is new or lasting."""
    me = turn.view.persona.name
    if intent.kind == "introduce":
        return _introduction(turn, intent)
    if intent.kind == "help":
        return f"{turn.name} asked for help {_task(intent)}" if intent.what else ""
    said = intent.said
    if intent.kind == "remember":
        at = said.lower().find(intent.what.split(" ")[0])
        said = said[at:] if at >= 0 else intent.what
    text = grammar.fact_about(said, turn.name, me)
    return text if len(text) <= LONGEST_NOTE else ""


def _introduction(turn: Turn, intent: Intent) -> str:
    if intent.what != turn.name:
        return f"{turn.name} is called {intent.what}"
    _, _, more = intent.said.partition(",")
    if more.strip():
        return grammar.fact_about(f"I am {more.strip()}", turn.name, turn.view.persona.name)
    known = any(GAVE_NAME in one.text for one in turn.view.observations)
    return "" if known or turn.state != "stranger" else f"{turn.name} {GAVE_NAME}"


def _task(intent: Intent) -> str:
    """Return what help is asked with: "to find their cat", "with their boat"."""
    what = _COURTESY.sub("", re.sub(r"^(?:me |us )", "", intent.what))
    what = _GERUND.sub(lambda hit: _plain_verb(hit[0]), what)
    if not what.startswith(("with ", "to ", "in ", "on ", "at ")):
        noun = what.startswith(("a ", "an ", "the ", "my ", "this ", "that "))
        what = f"{'with' if noun else 'to'} {what}"
    return grammar.theirs(what)


def _plain_verb(gerund: str) -> str:
    """Return "find" for "finding"; what is no verb that we know gets a "with" before it."""
    root = gerund.removesuffix("ing")
    return next((one for one in (root, f"{root}e", root[:-1]) if one in _ERRANDS), f"with {gerund}")


def is_known(turn: Turn, intent: Intent) -> bool:
    """Was this noted before?"""
    has = meanings(fact(turn, intent))
    noted = turn.view.observations if turn.is_partner else ()
    return bool(has) and any(has <= meanings(one.text) for one in noted)


def _note(turn: Turn, intent: Intent) -> list[Wish]:
    text = fact(turn, intent)
    if not text or is_known(turn, intent):
        return []
    if intent.kind == "help":
        taken_on = plans.take_on(turn, _task(intent), text)
        if taken_on or plans.going(turn, _task(intent)):
            return taken_on
    subject = pick(intent.what, turn.view.of_kind()) if intent.kind == "told" else None
    hearsay = text.startswith(f"{turn.name} says ")
    if hearsay and intent.kind == "told" and subject is None:
        return []  # it is about somebody who is not here: the line itself is remembered
    if hearsay and subject is None:
        return [("remember", {"fact": text})]
    return [("note", {"about": subject.handle if subject else turn.handle, "fact": text})]


def _give(turn: Turn, intent: Intent) -> list[Wish]:
    item = _to_give(turn, intent)
    if not item:
        return []
    handed: Wish = ("give", {"item": item.handle, "to": _receiver(turn, intent)})
    return [handed] if item.carried else [("take", {"item": item.handle}), handed]


def _to_give(turn: Turn, intent: Intent) -> Seen | None:
    """Return what may be handed over: what we carry for that, or what lies here to be fetched."""
    asked = _asked_item(intent)
    if mine := pick(asked, carried(turn)):
        return mine if mine.givable else None
    fetched = _FETCH.search(plain(intent.said)) and turn.view.may("take")
    return pick(asked, lying(turn)) if fetched else None


def _handle(turn: Turn, intent: Intent) -> list[Wish]:
    item = pick(intent.what, _HANDLED[intent.kind](turn))
    return [(intent.kind, {"item": item.handle})] if item else []


def _asked_item(intent: Intent) -> str:
    text = re.sub(r"^(?:me|us|him|her|them|it) ", "", intent.what)
    hit = _RECEIVER.match(text)
    return hit["item"] if hit else text


def _receiver(turn: Turn, intent: Intent) -> str:
    hit = _RECEIVER.match(intent.what)
    named = pick(hit["to"] if hit else intent.what, turn.view.of_kind())
    return named.handle if named else turn.handle


def _look(turn: Turn, intent: Intent) -> list[Wish]:
    target = _target(turn, intent)
    return [("look", {"at": target.handle})] if target else []


def _target(turn: Turn, intent: Intent) -> Seen | None:
    if intent.kind == "look":
        return pick(intent.what, turn.view.of_kind("item")) or pick(
            intent.what, list(turn.view.seen)
        )
    return pick(intent.what, turn.view.of_kind("item"))


def noted(turn: Turn, intent: Intent) -> str:
    """Acknowledge what was told: kept, known already, or not kept, as it truly was."""
    if intent.kind == "introduce":
        return introduce(turn, intent)
    clause = grammar.fact_to_you(fact(turn, intent), turn.name)
    clause = clause or grammar.clause(intent.what if intent.kind == "remember" else "")
    slots = {"fact": grammar.shorten(clause, 120)}
    if is_known(turn, intent):
        return turn.voice.say("note_known", **slots)
    if not _kept(turn, intent):
        return turn.voice.say("note_not")
    if turn.private:
        return turn.voice.say("note_private", **slots)
    delight = fact_heard(turn, intent.said)
    if intent.kind == "told":
        return turn.voice.say("note_hearsay", **slots)
    return delight or turn.voice.say("note", **slots)


def _kept(turn: Turn, intent: Intent) -> bool:
    """Is it noted with these words?"""
    kept = ("note", "remember")
    return any(name in kept and turn.view.may(name) for name, _ in wishes(turn, intent))


def helped(turn: Turn, intent: Intent) -> str:
    """Promise help, honestly: it is noted, or it is only a promise."""
    if not intent.what:
        return turn.voice.say("help_what")
    if planned := plans.promised(turn, _task(intent)):
        return planned
    noted = turn.view.succeeded("add_goal") or _kept(turn, intent)
    key = "help_noted" if noted else "help_promise"
    return turn.voice.say(key, task=_task(intent).replace("their ", "your "))


def gave(turn: Turn, intent: Intent) -> str:
    """Speak of a gift: made, failed, or why it is not made."""
    item, result = _to_give(turn, intent), turn.view.result("give")
    if item and result:
        held = item.carried or turn.view.succeeded("take")
        key = "give_done" if result.ok else "give_failed" if held else "take_failed"
        return turn.voice.say(key, item=grammar.the(item.name))
    asked = _asked_item(intent)
    if mine := pick(asked, carried(turn)):
        return turn.voice.say("give_keep", item=grammar.the(mine.name))
    if there := pick(asked, lying(turn)):
        return turn.voice.say("give_not_mine", item=grammar.the(there.name))
    return turn.voice.say("give_nothing")


def handled(turn: Turn, intent: Intent) -> str:
    """Speak of what was to be taken or put down: done, refused, or not there to begin with."""
    item = pick(intent.what, _HANDLED[intent.kind](turn))
    end = "done" if turn.view.succeeded(intent.kind) else "failed" if item else "nothing"
    return turn.voice.say(f"{intent.kind}_{end}", item=grammar.the(item.name) if item else "")


def looked(turn: Turn, intent: Intent) -> str:
    """Tell what was seen on a closer look."""
    target, result = _target(turn, intent), turn.view.result("look")
    if not target:
        return turn.voice.say("look_nothing")
    if not result or not result.ok:
        return turn.voice.say("look_failed", item=grammar.the(target.name))
    return turn.voice.say("look_done", item=target.name, text=_seen(result.text, target.name))


def _seen(text: str, name: str) -> str:
    """Return what a look showed, without the heading that only repeats the name."""
    first, _, rest = text.strip().partition("\n")
    shown = rest if rest.strip() and name.lower() in first.lower() else text
    return grammar.shorten(" ".join(shown.split()), 300)


def _sleep(turn: Turn, intent: Intent) -> list[Wish]:
    return [("go_to_sleep", {})]


def restless(turn: Turn, intent: Intent) -> str:
    """Say that it cannot sleep now: had it fallen asleep, there would be no words."""
    return turn.voice.say("restless")


_NOTES = frozenset({"fact", "told", "remember", "introduce", "help"})
_DEEDS = {
    "move": walks.move_wish, "give": _give, "take": _handle, "put_down": _handle,
    "look": _look, "whois": _look,
    "follow": walks.follow_wish, "stay": walks.stay_wish, "sleep": _sleep,
}  # fmt: skip
WORDS: dict[str, Words] = {
    "fact": noted, "told": noted, "remember": noted, "introduce": noted, "help": helped,
    "move": walks.moved, "follow": walks.follow, "give": gave, "sleep": restless,
    "take": handled, "put_down": handled, "look": looked, "plans": plans.told,
}  # fmt: skip
