"""Ordinary English taken apart and turned: sentences, plain words, stems that carry meaning.

Of what was said only what can be turned safely from "I" to "you" is turned; everything else is
quoted, which is always good English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence, Set
from datetime import datetime
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

from ai_assistant.core.times import HOUR
from ai_assistant.language import keeps_texts, language_of
from ai_assistant.language.spelling import SHORTEST, nearest_word
from ai_assistant.language.talk_signs import statements
from ai_assistant.language.words import word_key

Thing = TypeVar("Thing")
LONGEST = 1000
"""Characters of one line that are read; nobody says more at once."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


_HERE = resources.files("ai_assistant") / "llm/offline"


def loaded(name: str) -> dict[str, Any]:
    """Return the tables of a file beside this one."""
    return tomllib.loads((_HERE / f"{name}.toml").read_text("utf-8"))


DATA = loaded("words")
"""Word lists and tables of English, by name."""
_ENGLISH = language_of("en")
_SPOKEN = _ENGLISH.stems
_FULL: dict[str, str] = DATA["full"]
_STARTERS = "|".join(DATA["starters"].split())
_NEXT = rf"(?:\s*[,:;!.–-]+\s*|\s+(?=(?:{_STARTERS})\b))"
_OPENER = re.compile(rf"\A(?:(?:{DATA['openers'].strip()}){_NEXT})+", re.I)
_SOCIAL = (
    rf"(?P<social>(?:{DATA['courtesies'].strip()})"
    r"(?: (?:there|again|all|everyone|everybody|very much|so much|a lot))?)"
)
_TWO_FACTS = re.compile(r",? (?:and|but) (?=(?:i|my|i'm|i've|what|where|who|how)\b)", re.I)
_TWO_QUESTIONS = re.compile(rf"(?:,? (?:and|but)|,) (?=(?:{DATA['joined'].strip()})\b)", re.I)
_ASKING = frozenset(DATA["asking"].split())
_EVERYDAY = frozenset(
    word
    for table in (*loaded("patterns").values(), DATA)
    for word in re.findall(r"(?<!\\)\b[a-z]{3,}", str(table))
) | frozenset(_ENGLISH.stop_words)
"""The words of the patterns and tables, for which others may be slips."""
_COMMON = frozenset((_HERE / "common_words.txt").read_text("utf-8").split())
"""Words that are no slips, made by `bench.word_tables`."""
_STOP = frozenset(DATA["stop"].split())
_EPITHETS = frozenset(DATA["epithets"].split())
_GENERIC = frozenset(map(_SPOKEN.stem, DATA["generic"].split()))
_SAME = {
    _SPOKEN.stem(word): _SPOKEN.stem(group.split()[0])
    for group in DATA["same"]
    for word in group.split()
}
_TRADE = re.compile(r"\b(?:am|'m|is|was) (?:an?|the) [a-z]", re.I)
_SMALL = frozenset(DATA["small"].split())
_ADVERB = r"(?P<adverb>(?:no longer|also|always|never|often|really|just|still|only|usually) )?"
_REPORTS = (
    r"(?:has )?(?:said|says|mentioned|told (?:me|us|you)|tells me|shared|claims|noted|once said)"
)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?")
_NUMBERS = {number: word for word, number in _ENGLISH.numbers.items() if number}
_NEAR = ((4, ""), (20, "a little past "), (40, "half past "), (60, "close to "))
_PARTS = ((5, "at night"), (12, "in the morning"), (18, "in the afternoon"), (22, "in the evening"))


def clauses(text: str, me: str) -> list[str]:
    """Return the sentences of a line as pieces with one purpose each; `me` matches vocatives."""
    found: list[str] = []
    opening, closing, social = _forms_of_address(me)
    for sentence in statements(text[:LONGEST].strip()):
        rest, hit = _without((_OPENER, opening, closing, _OPENER), sentence.strip()), None
        for _ in range(4):
            if hit := social.match(rest):
                found.append(hit["social"])
                rest = _without((_OPENER, opening, closing, _OPENER), hit["rest"])
        joint = _TWO_QUESTIONS if is_question(rest) else _TWO_FACTS
        found += [piece for piece in joint.split(rest) if _WORD.search(piece)]
    return found


def is_question(text: str) -> bool:
    """Is this asked rather than told?"""
    return text.rstrip().endswith("?") or spelled_out(text[:40]).split(" ", 1)[0] in _ASKING


def mended(text: str, known: Set[str]) -> str:
    """Return a text with its slips mended: for each the word, `known` or plain, that was meant."""

    def meant(found: re.Match[str]) -> str:
        word = found[0].lower()
        if len(word) < SHORTEST or word in known or is_word(word):
            return found[0]
        best = nearest_word(word, known)
        best = nearest_word(word, _EVERYDAY) if best == word else best
        return found[0] if best == word else best

    return _WORD.sub(meant, text[:LONGEST])


def is_word(text: str) -> bool:
    """Is this a word that people use every day?"""
    return text.lower() in _EVERYDAY or text.lower() in _COMMON


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of texts that a slip may be meant for."""
    return frozenset(word for text in texts for word in word_key(text) if len(word) >= SHORTEST)


def _without(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    for pattern in patterns:
        shorter = pattern.sub("", text, count=1).strip()
        text = shorter if _WORD.search(shorter) else text
    return text


@keeps_texts(256)
def _forms_of_address(me: str) -> tuple[re.Pattern[str], ...]:
    """Return how `me` is called at the beginning of a sentence, at its end, after a courtesy."""
    names = "|".join(
        sorted({re.escape(word) for word in spelled_out(me).split() if word not in _STOP})
    )
    word = rf"(?:{names or 'you there'}|sir|ma'am|captain|friend)"
    called = rf"@?{word}(?: {word}){{0,4}}"
    return (
        re.compile(rf"\A{called}{_NEXT}", re.I),
        re.compile(rf",\s*(?:my )?(?:dear |good )?{called}(?=[.!?…]*\Z)", re.I),
        re.compile(rf"{_SOCIAL}(?:,? {called})?{_NEXT}(?P<rest>.+)", re.I | re.S),
    )


def spelled_out(text: str) -> str:
    """Return the words of a text, lower case, contractions written out, one space between."""
    words = _WORD.findall(text[:LONGEST].lower().replace("’", "'"))
    return " ".join(_FULL.get(word, word) for word in words)


@keeps_texts(4096)
def _meaning(word: str) -> str:
    root = _SPOKEN.stem(word)
    return "" if word in _STOP else _SAME.get(root, root)


def meanings(text: str) -> set[str]:
    """Return the stems of a text that carry meaning; words of one meaning share a stem."""
    found = set(map(_meaning, spelled_out(text).split())) - {""}
    return found | {_SAME[_SPOKEN.stem("job")]} if _TRADE.search(text) else found


def how_telling(meaning: str) -> float:
    """Return how much a stem says: names of things much, all-purpose words little."""
    return 0.4 if meaning in _GENERIC else 1.0


def capitalised(text: str) -> list[str]:
    """Return the capitalised words inside a sentence: whom or what it names."""
    return [
        word
        for word in _WORD.findall(text)[1:]
        if word[0].isupper() and word.replace("’", "'").split("'")[0] != "I"
    ]


def pick(text: str, among: Sequence[Thing], key: str = "name") -> Thing | None:
    """Return the thing whose name (or other `key`) fits the text best; None where none does."""
    scores = [(_overlap(text, getattr(thing, key)), thing) for thing in among]
    best, found = max(scores, key=lambda pair: pair[0], default=(0, None))
    return found if best else None


def _overlap(text: str, name: str) -> int:
    words, of_name = spelled_out(text).split(), spelled_out(name).split()
    telling = set(of_name) - _STOP - _EPITHETS or set(of_name)
    return sum(any(_alike(word, part) for word in words) for part in telling)


def _alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) > 3 and longer.startswith(shorter))


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


def as_their_word(sentence: str, name: str, me: str) -> str:
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


def spoken_day(stamp: str) -> str:
    """Return the day in words, as "Saturday, the 21st of November"; empty for no known form."""
    at = _parse(stamp)
    if not at:
        return ""
    end = {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10 if at.day // 10 != 1 else 0, "th")
    return f"{at:%A}, the {at.day}{end} of {at:%B}"


def hours_between(earlier: str, later: str) -> float | None:
    """Return the hours from one stamp to another; None where one of them is no time."""
    first, second = _parse(earlier), _parse(later)
    return (second - first).total_seconds() / HOUR if first and second else None


def days_since(earlier: str, now: str) -> str:
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
