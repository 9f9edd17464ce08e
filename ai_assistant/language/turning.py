"""English turned: what somebody said of themselves, told to them or of them.

Only what can be turned safely is turned; everything else is quoted, which is always good English.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import Any

from ai_assistant.language.loading import DATA

TABLES: dict[str, Any] = tomllib.loads((DATA / "en.turned").read_text("utf-8"))
"""Words for which others stand once a sentence is turned, by the person it is turned to."""
_SMALL = frozenset(TABLES["small"].split())
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ADVERB = r"(?P<adverb>(?:no longer|also|always|never|often|really|just|still|only|usually) )?"
_REPORTS = (
    r"(?:has )?(?:said|says|mentioned|told (?:me|us|you)|tells me|shared|claims|noted|once said)"
)


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
    is_small = first is not None and first[0].lower() in _SMALL
    return text[:1].lower() + text[1:] if is_small else text


def the(name: str) -> str:
    """Return "a copper key" as "the copper key"; a name without an article stays."""
    return re.sub(r"\A(?:an?|some) ", "the ", name)


def joined(items: list[str], last: str = "and") -> str:
    """Return "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def as_their_word(sentence: str, name: str, me: str) -> str:
    """Return what the speaker `name` told `me` as their word: "Alice says the bridge is out"."""
    table = {**TABLES["third"], "you": me or "me", "your": f"{me}'s" if me else "my"}
    return f"{name} says {swap(clause(sentence), table)}"


def said_to_you(sentence: str) -> str:
    """Return the speaker's own words turned to them: "My cat…" → "your cat…"."""
    text = clause(sentence)
    turned = swap(text, TABLES["second"])
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
    if verb in TABLES["agrees"]:
        return str(TABLES["agrees"][verb])
    if len(verb) < 4 or not verb.endswith("s") or verb.endswith(("ss", "us")):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes", "oes")) else verb[:-1]


def _yours(text: str) -> str:
    """Turn their pronouns to "you", unless somebody else is named whom those might mean."""
    found = _pattern(tuple(TABLES["theirs"])).search(text)
    if found and not any(word[0].isupper() for word in _WORD.findall(text[: found.start()])):
        return swap(text, TABLES["theirs"])
    return text
