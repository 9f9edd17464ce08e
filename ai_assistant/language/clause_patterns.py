"""The readings of a language: patterns of whole clauses, compiled, and the facts that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.language import Language, current_language

LONGEST_CLAUSE = 160
SUBJECT = "§"
"""Stands for whoever a clause in the third person is about."""
_PERSONS = re.compile(r"<([^<>]*?)//([^<>]*)>")
_MACRO = re.compile(r"\{(\w+)\}")
_AS_IT_STANDS = frozenset({"thing", "other"})
"""Values whose article counts: who likes "the soup" speaks of this one."""
_VALUES = frozenset("place owned trade job state ware tune".split()) | _AS_IT_STANDS
_NOUN_COUNTS = frozenset("trade job owned kin kins pet".split())
"""Values that are known again by their last word."""

RELATIONS: dict[str, tuple[str, str, str]] = {
    "name": ("identity", "name", "{name}"),
    "trade": ("trade", "trade", "{trade}"),
    "job": ("trade", "trade", "{job}"),
    "work": ("trade", "work", "{place}"),
    "home": ("home", "home", "{place}"),
    "origin": ("origin", "origin", "{place}"),
    "likes": ("preference", "taste:{thing}", "likes"),
    "dislikes": ("preference", "taste:{thing}", "dislikes"),
    "favourite": ("preference", "favourite:{sort}", "{thing}"),
    "diet": ("preference", "diet:{thing}", "not"),
    "fear": ("preference", "fear:{thing}", ""),
    "kin": ("family", "kin:{kin}:{name}", ""),
    "kin_trade": ("family", "trade:{kin}:{name}", "{trade}"),
    "kin_home": ("family", "home:{kin}:{name}", "{place}"),
    "spouse": ("family", "spouse", "{name}"),
    "count": ("family", "count:{kins}", "{number}"),
    "pet": ("family", "pet:{pet}:{name}", ""),
    "owns": ("possession", "owns:{owned}", ""),
    "health": ("state", "health", "{ill}"),
    "hurt": ("state", "hurt:{part}", ""),
    "state": ("state", "state:{state}", ""),
    "skill": ("state", "skill:{skill}", ""),
    "speaks": ("skill", "speaks:{tongue}", ""),
    "plays": ("skill", "plays:{tune}", ""),
    "deals": ("trade", "deals:{deal}:{ware}", ""),
}
"""A relation's type, what only one value holds of (its slot), and that value."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement about somebody, with the words that show it."""

    about: str
    """The name of whoever it is about."""
    fact: str
    """The statement as a sentence that names them."""
    quote: str
    """The words of the line that it was read from; empty for what was not read in one."""
    type: str = ""
    """As in `RELATIONS`, such as `home`; empty for what no pattern reads."""
    ended: bool = False
    """Does it say that the value holds no longer, or no value where it has none?"""
    slot: str = ""
    """What only one value holds of; two facts with one slot and one value say the same."""
    value: str = ""
    """What holds of the slot, in small letters; empty where the slot alone says it."""
    hint: bool = False
    """Does it count only beside another?"""
    corrects: bool = False
    """Does it stand for all that was said before of such a thing: the brother, the dog?"""

    def says(self, other: Statement) -> bool:
        """Does it say the same as another one?"""
        if self.fact.casefold() == other.fact.casefold():
            return True
        if not self.slot or self.ended != other.ended:
            return False
        return self.slot == other.slot and self.value == other.value and bool(self.value)

    def replaces(self, old: Statement) -> bool:
        """Does it leave an earlier one in the past?"""
        thing = self.slot.rpartition(":")[0]
        if self.corrects and ":" in thing and thing == old.slot.rpartition(":")[0]:
            return self.slot != old.slot and not self.ended
        if not self.slot or self.slot != old.slot or old.ended or self.hint:
            return False
        if self.ended:
            return not self.value or self.value == old.value
        return bool(self.value) and bool(old.value) and self.value != old.value


class Reader:
    """The readings of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Compile what a language's file holds."""
        self._macros: Json = data["macros"]
        self._catch: Json = data["catch"]
        self.own: Sequence[Sequence[str]] = data["possessive"]
        self.joke, self.unsure = self.compiled("{joke}"), self.compiled("{unsure}")
        self.corrected = self.compiled(r"\b{corrected}\b")
        self.joint, self.opener = self.compiled("{joint}"), self.compiled(r"\A(?:{opener})+")
        self.tail = self.compiled(r"(?:,? (?:{tail}))+\Z")
        self.article = self.compiled(r"\A(?:{article}) ")
        self._trade = self.compiled(data["checks"]["trade"])
        self._stop = self.compiled(data["checks"]["stop"])
        self._named = self.compiled("{named}")
        self.short = [(self.compiled(old), new) for old, new in data["short"]]
        self.report, self.plain = self.compiled("{report}", 1), self.compiled("{plain}", 1)
        self.bare = self.compiled(r"\A{i}", 1)
        self.before = self.compiled(r"\A{before}")
        self.capitals: bool = data.get("capitals", False)
        self.readings: list[list[tuple[re.Pattern[str], Json]]] = [
            [
                (self.compiled(say, person), row)
                for row in data["readings"]
                if person or not row.get("hint")
                for say in row["says"]
            ]
            for person in (0, 1)
        ]
        """Patterns of whole clauses in each person, and the relations whose facts they make."""

    def compiled(self, pattern: str, person: int = 0) -> re.Pattern[str]:
        """Return a pattern with its macros filled in, for the first person (0) or the third."""
        while found := _MACRO.search(pattern):
            name = found[1]
            caught = f"(?P<{name}>{self._catch[name]})" if name in self._catch else ""
            filled = caught or f"(?:{self._macros[name]})"
            pattern = pattern[: found.start()] + filled + pattern[found.end() :]
        return re.compile(_PERSONS.sub(lambda match: f"(?:{match[person + 1]})", pattern), re.I)

    def facts(self, clause: str, about: str, quote: str, person: int) -> list[Statement]:
        """Return what a clause states of `about`; the first reading that fits it counts.

        Of one longer than `LONGEST_CLAUSE` that is nothing: plain statements are short.
        """
        if len(clause) > LONGEST_CLAUSE:
            return []
        for old, new in self.short:
            clause = old.sub(new, clause)
        whole = self.opener.sub("", clause.strip(" ,:-–"))
        for text in (self.tail.sub("", whole), whole):
            for pattern, reading in self.readings[person]:
                found = pattern.fullmatch(text)
                caught = self._caught(found) if found else None
                if caught is not None:
                    return list(self._made(reading, caught, about, quote))
        return []

    def marked(self, text: str, name: str) -> str:
        """Return a text with its subject marked, where that is the one of this name."""
        hit = self.before.match(text)
        at = hit.end() if hit else 0
        return text[:at] + SUBJECT + text[at + len(name) :] if text.startswith(name, at) else text

    def _caught(self, found: re.Match[str]) -> dict[str, str] | None:
        """Return what a pattern caught; None where that is no value but a turn of phrase."""
        caught = found.groupdict("")
        for name in _VALUES & caught.keys():
            value = caught[name]
            if name not in _AS_IT_STANDS:
                value = self._named.split(self.article.sub("", value))[0]
            if self._stop.search(value):
                return None
            opens = not found.start(name) and value[1:] == value[1:].lower()
            if name in ("thing", "place") and opens and not self.capitals:
                caught[name] = caught[name][:1].lower() + caught[name][1:]
        trade = self.article.sub("", caught.get("trade", ""))
        return caught if not trade or self._trade.fullmatch(trade) else None

    def _made(
        self, reading: Json, found: dict[str, str], about: str, quote: str
    ) -> Iterator[Statement]:
        keys = {name: self._key(name, words) for name, words in found.items()}
        ending = next(end for last, end in self.own if about.casefold().endswith(tuple(last)))
        ended = reading.get("ended", False)
        for relation, sentence in reading["makes"].items():
            type_, slot, value = RELATIONS[relation]
            said = sentence.format(who=about, whose=about + ending, **found)
            held = "" if ended and value.startswith("{") else value
            yield Statement(
                about,
                " ".join(said.split()),
                quote,
                type_,
                ended,
                _filled(slot, keys),
                _filled(value if keys.get(value.strip("{}")) else held, keys),
                reading.get("hint", False),
            )

    def _key(self, name: str, words: str) -> str:
        """Return the words by which a value is known again: no article, of a thing its noun."""
        plain = self.article.sub("", words.casefold())
        return plain.split(" ")[-1] if name in _NOUN_COUNTS else plain


def _filled(template: str, keys: Mapping[str, str]) -> str:
    return _MACRO.sub(lambda macro: keys.get(macro[1], ""), template)


def current_reader() -> Reader | None:
    """Return what reads the game's language; None where nothing does."""
    return _compiled(current_language())


@cache
def _compiled(spoken: Language) -> Reader | None:
    return Reader(spoken.reader) if spoken.reader else None
