"""Turns what was said into a fact about the speaker and back into "you", and tells times in words.

Only what can be turned safely is turned; everything else is quoted, which is always good English.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from ai_assistant.language import language
from ai_assistant.llm.offline.plain_english import DATA

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SMALL = frozenset(DATA["small"].split())
_ADVERB = r"(?P<adverb>(?:no longer|also|always|never|often|really|just|still|only|usually) )?"
_REPORTS = (
    r"(?:has )?(?:said|says|mentioned|told (?:me|us|you)|tells me|shared|claims|noted|once said)"
)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?")
_NUMBERS = {number: word for word, number in language("en").numbers.items() if number}
_NEAR = ((4, ""), (20, "a little past "), (40, "half past "), (60, "close to "))
_PARTS = ((5, "at night"), (12, "in the morning"), (18, "in the afternoon"), (22, "in the evening"))


@lru_cache(maxsize=8)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b(?!')", re.I)


def swap(text: str, table: dict[str, str]) -> str:
    """Return a text with the words of a table turned: "my boat" → "their boat"."""
    text = text.replace("’", "'")
    return _pattern(tuple(table)).sub(lambda hit: table[hit[0].lower()], text)


def clause(text: str) -> str:
    """Return a sentence as part of another one: no final stop, no capital but a name's."""
    text = text.strip().rstrip(".!… ")
    first = _WORD.match(text)
    if first and first[0].lower() in _SMALL:
        text = text[:1].lower() + text[1:]
    return text


def the(name: str) -> str:
    """Return "a copper key" as "the copper key"; a name without an article stays."""
    return re.sub(r"\A(?:an?|some) ", "the ", name)


def joined(items: list[str], last: str = "and") -> str:
    """Return "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def report(sentence: str, name: str, me: str) -> str:
    """Return what the speaker `name` told `me` as their word: "Alice says the bridge is out"."""
    table = {**DATA["third"], "you": me or "me", "your": f"{me}'s" if me else "my"}
    return f"{name} says {swap(clause(sentence), table)}"


def said_to_you(sentence: str) -> str:
    """Return the speaker's own words turned to them: "My cat…" → "your cat…"."""
    text = clause(sentence)
    turned = swap(text, DATA["second"])
    if re.match(r"you\b", text, re.I) and turned.startswith("me "):
        turned = "I" + turned[2:]
    return turned


def fact_to_you(fact: str, name: str) -> str:
    """Return a fact about `name` turned to them: "Alice likes chess" → "you like chess".

    Empty when the fact does not speak of them by name.
    """
    fact = clause(fact)
    if not name or not fact.startswith(name):
        return ""
    rest = fact[len(name) :]
    report = re.match(rf" {_REPORTS}(?: that)?:? (?P<what>.+)", rest, re.S)
    if report:
        what = report["what"]
        if what.startswith(('"', "“")):
            return said_to_you(what.strip('"“”'))
        return fact_to_you(what, name) or clause(_yours(what))
    if rest.startswith(("'s ", "’s ")):
        return "your" + _yours(rest[2:])
    hit = re.match(rf" {_ADVERB}(?P<verb>[a-z']+)(?P<rest>.*)", rest, re.S)
    if not hit:
        return ""
    return f"you {hit['adverb'] or ''}{_base(hit['verb'])}{_yours(hit['rest'])}"


def _base(verb: str) -> str:
    if verb in DATA["agrees"]:
        return str(DATA["agrees"][verb])
    if len(verb) < 4 or not verb.endswith("s") or verb.endswith(("ss", "us")):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes", "oes")) else verb[:-1]


def _yours(text: str) -> str:
    """Turn their pronouns to "you", unless somebody else is named whom those might mean."""
    found = _pattern(tuple(DATA["theirs"])).search(text)
    if found and not any(word[0].isupper() for word in _WORD.findall(text[: found.start()])):
        return swap(text, DATA["theirs"])
    return text


# -- times as people speak of them


def number(count: int) -> str:
    """Return a small number in words, a large one in digits."""
    return _NUMBERS.get(count, str(count))


def _parse(stamp: str) -> datetime | None:
    hit = _STAMP.match(stamp)
    try:
        return datetime.fromisoformat(f"{hit[1]}T{hit[2] or '12:00'}") if hit else None
    except ValueError:
        return None


def spoken_time(stamp: str) -> str:
    """Return the time of day in words; the text itself where it is no known form."""
    at = _parse(stamp)
    if not at or ":" not in stamp:
        return stamp
    hour = (at.hour + (at.minute >= 40)) % 24
    near = next(words for until, words in _NEAR if at.minute < until)
    if hour % 12 == 0:
        return near + ("noon" if hour else "midnight")
    part = next((name for until, name in _PARTS if hour < until), "at night")
    return f"{near}{number(hour % 12)} {part}"


def hours_between(earlier: str, later: str) -> float | None:
    """Return the hours from one stamp to another; None where one of them is no time."""
    first, second = _parse(earlier), _parse(later)
    return (second - first).total_seconds() / 3600 if first and second else None


def ago(earlier: str, now: str) -> str:
    """Return how long ago something was, in days as people count them; empty if unknown."""
    first, second = _parse(earlier), _parse(now)
    days = (second.date() - first.date()).days if first and second else -1
    if days < 0:
        return ""
    if days < 2:
        return ("earlier today", "yesterday")[days]
    if days < 14:
        return f"{number(days)} days ago"
    return f"{number(days // 7)} weeks ago" if days < 60 else "a long while ago"
