"""Ordinary English taken apart: sentences, plain words, and the stems that carry meaning."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

LONGEST = 1000
"""Characters of one line that are read; nobody says more at once."""
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "ly", "s")


def stem(word: str) -> str:
    """Return a word without its commonest endings: mostly a beginning of the word itself."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    return word.removesuffix("e") if len(word) > 3 else word


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDS = re.compile(r"(?<=[.!?…])\s+|\s*;\s*|\n+")
DATA = tomllib.loads(
    (resources.files("ai_assistant") / "llm/offline/words.toml").read_text("utf-8")
)
"""Word lists and tables of English, by name."""
_FULL: dict[str, str] = DATA["full"]
_STARTERS = "|".join(DATA["starters"].split())
_NEXT = rf"(?:\s*[,:;!.–-]+\s*|\s+(?=(?:{_STARTERS})\b))"
_OPENER = re.compile(rf"\A(?:(?:{DATA['openers'].strip()}){_NEXT})+", re.I)
_SOCIAL = (
    rf"(?P<social>(?:{DATA['courtesies'].strip()})"
    r"(?: (?:there|again|all|everyone|everybody|very much|so much|a lot))?)"
)
_TWO_FACTS = re.compile(r",? (?:and|but) (?=(?:i|my|i'm|i've|what|where|who|how)\b)", re.I)
_STOP = frozenset(DATA["stop"].split())
_EPITHETS = frozenset(DATA["epithets"].split())
_GENERIC = frozenset(map(stem, DATA["generic"].split()))
_PETS = frozenset(map(stem, DATA["pets"].split()))
_GROUPS: list[list[str]] = [[stem(word) for word in group.split()] for group in DATA["same"]]
_SAME = {root: group[0] for group in _GROUPS for root in group}
_FORMS = {
    meaning: tuple(root for root, same in _SAME.items() if same == meaning)
    for meaning in set(_SAME.values())
}
_FORMS[_SAME[stem("job")]] += (" a ", " an ", " the ")  # "I am a baker" tells a job too
_TRADE = re.compile(r"\b(?:am|'m|is|was) (?:an?|the) [a-z]", re.I)


def sentences(text: str, me: str) -> list[str]:
    """Return the sentences of a line as pieces with one purpose each; `me` matches vocatives."""
    found: list[str] = []
    social = _social(me)
    for sentence in _ENDS.split(text[:LONGEST].strip()):
        rest = _without_openers(sentence.strip(), me)
        for _ in range(4):
            hit = social.match(rest)
            if not hit:
                break
            found.append(hit["social"])
            rest = _without_openers(hit["rest"], me)
        found += [piece for piece in _TWO_FACTS.split(rest) if _WORD.search(piece)]
    return found


def _without_openers(text: str, me: str) -> str:
    for pattern in (_OPENER, *_vocatives(me), _OPENER):
        shorter = pattern.sub("", text, count=1).strip()
        text = shorter if _WORD.search(shorter) else text
    return text


def _called(me: str) -> str:
    names = "|".join(sorted({re.escape(word) for word in plain(me).split() if word not in _STOP}))
    word = rf"(?:{names or 'you there'}|sir|ma'am|captain|friend)"
    return rf"@?{word}(?: {word}){{0,4}}"


@lru_cache(maxsize=256)
def _vocatives(me: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(rf"\A{_called(me)}{_NEXT}", re.I),
        re.compile(rf",\s*(?:my )?(?:dear |good )?{_called(me)}(?=[.!?…]*\Z)", re.I),
    )


@lru_cache(maxsize=256)
def _social(me: str) -> re.Pattern[str]:
    return re.compile(rf"{_SOCIAL}(?:,? {_called(me)})?{_NEXT}(?P<rest>.+)", re.I | re.S)


def plain(text: str) -> str:
    """Return the words of a text, lower case, contractions written out, one space between."""
    words = _WORD.findall(text[:LONGEST].lower().replace("’", "'"))
    return " ".join(_FULL.get(word, word) for word in words)


@lru_cache(maxsize=4096)
def _meaning(word: str) -> tuple[str, ...]:
    if word in _STOP:
        return ()
    root = stem(word)
    same = _SAME.get(root, root)
    return (root, same) if root in _PETS else (same,)


def meanings(text: str) -> set[str]:
    """Return the stems of a text that carry meaning; words of one meaning share a stem."""
    found = {one for word in plain(text).split() for one in _meaning(word)}
    return found | {_SAME[stem("job")]} if _TRADE.search(text) else found


@lru_cache(maxsize=512)
def name_meanings(name: str) -> frozenset[str]:
    """Return the meanings of a name."""
    return frozenset(meanings(name))


def wanted(text: str) -> set[str]:
    """Return the stems that an answer to this question must have: a cat is not just any pet."""
    return {_meaning(word)[0] for word in plain(text).split() if _meaning(word)}


def spellings(found: Iterable[str]) -> list[str]:
    """Return the letters with which any word of these meanings begins."""
    return [one.removesuffix("y") for meaning in found for one in _FORMS.get(meaning, (meaning,))]


def query(text: str) -> str:
    """Return the words of a question that a memory of its answer would contain."""
    return " ".join(word for word in plain(text).split() if _meaning(word))


def weight(meaning: str) -> float:
    """Return how much a stem says: names of things much, all-purpose words little."""
    return 0.4 if meaning in _GENERIC else 1.0


def names_in(text: str) -> list[str]:
    """Return the capitalised words inside a sentence: whom or what it names."""
    return [
        word
        for word in _WORD.findall(text)[1:]
        if word[0].isupper() and word.replace("’", "'").split("'")[0] != "I"
    ]


def overlap(text: str, name: str) -> int:
    """Return how many telling words of a name the text has."""
    words = plain(text).split()
    return sum(any(_alike(word, part) for word in words) for part in _telling(name))


def _alike(one: str, other: str) -> bool:
    """The same word, or the beginning of it: a sign is a signpost."""
    return one == other or (
        len(min(one, other, key=len)) > 3 and (one.startswith(other) or other.startswith(one))
    )


@lru_cache(maxsize=1024)
def _telling(name: str) -> frozenset[str]:
    words = plain(name).split()
    telling = [word for word in words if word not in _STOP and word not in _EPITHETS]
    return frozenset(telling or words)
