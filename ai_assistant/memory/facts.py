"""Facts: a reading as a plain sentence in the third person, and such a sentence taken back."""

from __future__ import annotations

import re

from ai_assistant.memory.grammar import fact_about
from ai_assistant.memory.readings import Reading
from ai_assistant.memory.wording import spelled, words_of

_CHAT = frozenset("kinda sorta tbh ngl lol haha super totally literally basically honestly".split())
_MINE = {"we": "I", "our": "My"}
_NAMED = ("home", "origin", "spouse", "member", "owes", "own", "name")
_SORTS = ("drink", "food", "colour", "animal", "flower", "season", "game", "weather")
_PLAIN = {
    "home": (" lives in {v}", " no longer lives in {v}"),
    "work": (" works as {v}", " no longer works as {v}"),
    "workplace": (" works for {v}", " no longer works for {v}"),
    "origin": (" comes from {v}", " does not come from {v}"),
    "spouse": (" is married to {v}", " is no longer married to {v}"),
    "likes": (" likes {v}", " dislikes {v}"),
    "fears": (" fears {v}", " no longer fears {v}"),
    "allergy": (" is allergic to {v}", " is not allergic to {v}"),
    "skill": (" knows {v}", " does not know {v}"),
    "owes": (" owes {v} money", " no longer owes {v} anything"),
    "member": (" belongs to {v}", " no longer belongs to {v}"),
    "collects": (" collects {v}", " no longer collects {v}"),
    "has": (" has {v}", " no longer has {v}"),
    "stole": (" stole {v}", " did not steal {v}"),
    "is": (" is {v}", " is not {v}"),
    "name": ("'s name is {v}", "'s name is not {v}"),
}
"""Kind → how it is told, so and not so, where the words of the teller are too roundabout."""


def fact_of(clause: str, reading: Reading, name: str) -> str:
    """Return what a clause in the first person tells of the one called `name`.

    Plain words stay as they were said; what is put in a roundabout way comes out in plain ones.
    """
    if reading.start >= 0:
        said = [one for one in words_of(clause).said[reading.start :] if one.lower() not in _CHAT]
        said[0] = _MINE.get(said[0].lower(), said[0])
        fact = fact_about(" ".join(said), name, "")
        if is_fact(fact, name):
            return fact
    return told(reading, name)


def is_fact(sentence: str, name: str) -> bool:
    """Does a sentence tell a fact about the one called `name`, and not only quote them?"""
    return bool(sentence) and not sentence.startswith((f"{name} said", f"{name} says"))


def told(reading: Reading, name: str) -> str:
    """Return a reading as the plainest sentence about the one called `name`."""
    kind, _, what = reading.kind.partition(":")
    value = _inner(reading.value, kind, what)
    if kind == "favourite":
        return f"{name}'s favourite {what} {'is' if reading.good else 'is not'} {value}"
    if kind == "own":
        return f"{name}'s {what} is called {value}"
    if kind == "likes" and reading.ended:
        return f"{name} {'no longer likes' if not reading.good else 'likes'} {value}"
    if kind == "has":
        bare = re.sub(r"\A(?:an?|my|our|the) ", "", value)
        value = f"the {bare}" if not reading.good else value if bare != value else _some(bare)
    if kind == "is":
        value = value[:1].lower() + value[1:]
    return name + _PLAIN[kind][not reading.good].format(v=re.sub(r"\b[Mm]y\b", "their", value))


def _inner(value: str, kind: str, what: str) -> str:
    """Return what may have begun a sentence as it is written within one; names stay."""
    first, _, more = value.partition(" ")
    if kind in _NAMED or more[:1].isupper() or (kind == "favourite" and what not in _SORTS):
        return value
    is_name = kind in ("likes", "skill", "stole") and not first.endswith(("s", "ing")) and not more
    return value if is_name else value[:1].lower() + value[1:]


def _some(thing: str) -> str:
    """Return a thing with its article, where it is one."""
    if thing.endswith("s") or thing.split(" ")[0] in ("two", "three", "four", "five", "some", "no"):
        return thing
    return f"{'an' if thing[:1] in 'aeiou' else 'a'} {thing}"


def in_first_person(content: str, name: str) -> str:
    """Return a fact about the one called `name` as they would say it themselves; empty if none."""
    text = spelled(content).strip(" .!")
    for form in (name, name.split(" ")[0] if name else ""):
        if form and text.lower().startswith(form.lower()):
            rest = text[len(form) :]
            rest = re.sub(r"\b(?:his|her|their)\b", "my", rest)
            rest = re.sub(r"\b(?:he|she|they)\b", "I", rest)
            rest = re.sub(r"\b(?:him|her|them)sel(?:f|ves)\b", "myself", rest)
            return f"my{rest[2:]}" if rest.startswith("'s ") else f"I{rest}"
    return ""
