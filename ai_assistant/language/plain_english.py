"""Plain English taken apart: sentences with one purpose, plain words, stems with a meaning."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ai_assistant.language import keeps_texts, language_of
from ai_assistant.language.loading import DATA as FILES
from ai_assistant.language.talk_signs import statements

T = TypeVar("T")
LONGEST, LONGEST_NAME = 700, 60
"""Characters of one line that are read; nobody says more at once."""
MOST_CLAUSES = 12
"""Sentences of one line that are told apart; the last has all the rest."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
DATA: dict[str, Any] = tomllib.loads((FILES / "en.plain").read_text("utf-8"))
"""Word lists and tables of English, by name."""
_ENGLISH = language_of("en")
_SPOKEN = _ENGLISH.stems
_FULL: dict[str, str] = DATA["full"]
_STARTERS = "|".join(DATA["starters"].split())
_NEXT = rf"(?:\s*[,:;!.–-]+\s*|\s+(?=(?:{_STARTERS})\b))"
_CORRECTED: str = _ENGLISH.reader["macros"]["corrected"]
_OPENER = re.compile(rf"\A(?:(?:{DATA['openers'].strip()}|{_CORRECTED}){_NEXT})+", re.I)
_SOCIAL = (
    rf"(?P<social>(?:{DATA['courtesies'].strip()})"
    r"(?: (?:there|again|all|everyone|everybody|very much|so much|a lot))?)"
)
_TWO_FACTS = re.compile(r",? (?:and|but) (?=(?:i|my|i'm|i've|what|where|who|how)\b)", re.I)
_REASON = rf", (?=(?:{DATA['reasons'].strip()})\b)"
_TWO_QUESTIONS = re.compile(
    rf"(?:,? (?:and|but)|,) (?=(?:{DATA['joined'].strip()})\b)|{_REASON}", re.I
)
_ASKING = frozenset(DATA["asking"].split())
_STOP = frozenset(DATA["stop"].split())
_EPITHETS = frozenset(DATA["epithets"].split())
_GENERIC = frozenset(map(_SPOKEN.stem, DATA["generic"].split()))
_SAME = {
    _SPOKEN.stem(word): _SPOKEN.stem(group.split()[0])
    for group in DATA["same"]
    for word in group.split()
}
_TRADE = re.compile(r"(?:(?<=\w )(?:am|is|was)|'m) (?:an?|the) [a-z]|\bfor a living\b", re.I)


def clauses(text: str, me: str) -> list[str]:
    """Return the sentences of a line as pieces with one purpose each; `me` matches vocatives."""
    found: list[str] = []
    opening, closing, social = _forms_of_address(me)
    told = statements(text[:LONGEST].strip())
    for sentence in [*told[: MOST_CLAUSES - 1], " ".join(told[MOST_CLAUSES - 1 :])]:
        rest = _without((_OPENER, opening, closing, _OPENER), sentence.strip())
        for _ in range(4):
            if hit := social.match(rest):
                found.append(hit["social"])
                rest = _without((_OPENER, opening, closing, _OPENER), hit["rest"])
        joint = _TWO_QUESTIONS if is_question(rest) else _TWO_FACTS
        found += [piece for piece in joint.split(rest) if _WORD.search(piece)]
    return found


def is_question(text: str) -> bool:
    """Is this asked rather than told?"""
    first = spelled_out(text[:40]).split(" ")
    return text.rstrip().endswith("?") or (first[0] in _ASKING and first[1:2] != ["not"])


def _without(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    for pattern in patterns:
        shorter = pattern.sub("", text, count=1).strip()
        text = shorter if _WORD.search(shorter) else text
    return text


@keeps_texts(256)
def _forms_of_address(me: str) -> tuple[re.Pattern[str], ...]:
    """Return how `me` is called at the beginning of a sentence, at its end, after a courtesy."""
    own = spelled_out(me[:LONGEST_NAME]).split()
    names = "|".join(sorted({re.escape(word) for word in own if word not in _STOP}))
    word = rf"(?:{names or 'you there'}|sir|ma'am|captain|friend)"
    called = rf"@?{word}(?: {word}){{0,4}}"
    return (
        re.compile(rf"\A{called}(?:{_NEXT}|\s+(?=(?:{DATA['courtesies'].strip()})\b))", re.I),
        re.compile(rf",\s*(?:my )?(?:dear |good )?{called}(?=[.!?…]*\Z)", re.I),
        re.compile(rf"{_SOCIAL}(?:,? {called})?{_NEXT}(?P<rest>.+)", re.I | re.S),
    )


@keeps_texts(256)
def spelled_out(text: str) -> str:
    """Return the words of a text, lower case, contractions written out, one space between."""
    words = _WORD.findall(text[:LONGEST].lower().replace("’", "'"))
    return " ".join(_FULL.get(word, word) for word in words)


@keeps_texts(4096)
def _meaning(word: str) -> str:
    root = _SPOKEN.stem(word)
    return "" if word in _STOP else _SAME.get(root, root)


@keeps_texts(1024)
def meanings(text: str) -> frozenset[str]:
    """Return the stems of a text that carry meaning; words of one meaning share a stem."""
    found = frozenset(map(_meaning, spelled_out(text).split())) - {""}
    return found | {_SAME[_SPOKEN.stem("job")]} if _TRADE.search(text) else found


def how_telling(meaning: str) -> float:
    """Return how much a stem says: names of things much, all-purpose words little."""
    return 0.4 if meaning in _GENERIC else 1.0


def capitalised(text: str) -> list[str]:
    """Return the capitalised words inside a sentence: whom or what it names."""
    names = (word for word in _WORD.findall(text)[1:] if word[0].isupper())
    return [name for name in names if name.replace("’", "'").split("'")[0] != "I"]


def pick(text: str, among: Sequence[T], key: str = "name") -> T | None:
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
