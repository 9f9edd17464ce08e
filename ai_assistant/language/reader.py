"""The small reader: a handful of plain statements about somebody, precise before complete.

What it can read is data (``data/<code>_reader.toml``): patterns for whole clauses, and the sentence
that each becomes. Whatever is asked, wished, supposed, joked, quoted or told of somebody unknown
fits no pattern and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from ai_assistant.contracts import Json
from ai_assistant.language.tables import ENGLISH, table

LONGEST = 1000
"""Characters of a line that are read."""
MOST_PIECES = 8
"""Parts of a sentence, between commas and conjunctions, that are put together."""
NOTE_LIMIT = 160
SUBJECT = "§"
"""Stands for whoever a clause in the third person is about."""
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*(?:[\"”»]|\Z)")
_SENTENCE = re.compile(r"[^.!?…;]+(?:[.!?…;]+(?=\s|\Z)|[.!?…;]+|\Z)")
_PERSONS = re.compile(r"<([^<>]*?)//([^<>]*)>")
_MACRO = re.compile(r"\{(\w+)\}")
_HIDDEN = "\0"
_AS_IT_STANDS = frozenset({"thing", "other"})
"""Values whose article counts: who likes "the soup" speaks of this one."""
_VALUES = frozenset({"place", "owned", "trade", "state"}) | _AS_IT_STANDS

RELATIONS: dict[str, tuple[str, str, str]] = {
    "name": ("identity", "name", "{name}"),
    "trade": ("trade", "trade", "{trade}"),
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
}
"""A relation's type, what only one value holds of (its slot), and that value."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement about somebody, with the words that show it.

    Two facts with one `slot` and one `value` say the same; with another value, the later one holds.
    An `ended` one says that the value holds no longer, or no value where it has none. A `hint`
    counts only beside another.
    """

    about: str
    fact: str
    quote: str
    type: str = ""
    ended: bool = False
    slot: str = ""
    value: str = ""
    hint: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    """Patterns of whole clauses in one person, and the relations whose facts they make."""

    patterns: tuple[re.Pattern[str], ...]
    makes: Mapping[str, str]
    ended: bool
    hint: bool


class _Reader:
    """The readings of one language, compiled."""

    def __init__(self, data: Json) -> None:
        """Compile what a language's file holds."""
        self._macros: Json = data["macros"]
        self._catch: Json = data["catch"]
        self.own: Sequence[Sequence[str]] = data["possessive"]
        self.joke, self.unsure = self.compiled("{joke}"), self.compiled("{unsure}")
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
        self.readings = tuple(self._readings(data["readings"], person) for person in (0, 1))

    def _readings(self, rows: Sequence[Json], person: int) -> tuple[_Reading, ...]:
        return tuple(
            _Reading(
                tuple(self.compiled(one, person) for one in row["says"]),
                row["makes"],
                row.get("ended", False),
                row.get("hint", False),
            )
            for row in rows
            if person or not row.get("hint")
        )

    def compiled(self, pattern: str, person: int = 0) -> re.Pattern[str]:
        """Return a pattern with its macros filled in, for the first person (0) or the third."""
        while found := _MACRO.search(pattern):
            name = found[1]
            caught = f"(?P<{name}>{self._catch[name]})" if name in self._catch else ""
            filled = caught or f"(?:{self._macros[name]})"
            pattern = pattern[: found.start()] + filled + pattern[found.end() :]
        return re.compile(_PERSONS.sub(lambda one: f"(?:{one[person + 1]})", pattern), re.I)

    def plainly(self, text: str) -> str:
        """Return a clause with short forms written out and without words that open it."""
        for old, new in self.short:
            text = old.sub(new, text)
        return self.opener.sub("", text.strip(" ,:-–"))

    def facts(self, clause: str, about: str, quote: str, person: int) -> list[Fact]:
        """Return what a clause states of `about`; the first reading that fits it counts."""
        whole = self.plainly(clause)
        for text in dict.fromkeys((whole, self.tail.sub("", whole))):
            for reading in self.readings[person]:
                for pattern in reading.patterns:
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
            if name in ("thing", "place") and not found.start(name) and not self.capitals:
                caught[name] = caught[name][:1].lower() + caught[name][1:]  # opens the sentence
        trade = self.article.sub("", caught.get("trade", ""))
        return caught if not trade or self._trade.fullmatch(trade) else None

    def _made(
        self, reading: _Reading, found: dict[str, str], about: str, quote: str
    ) -> Iterator[Fact]:
        keys = {name: self._key(name, words) for name, words in found.items()}
        for relation, sentence in reading.makes.items():
            type_, slot, value = RELATIONS[relation]
            said = sentence.format(who=about, whose=self._whose(about), **found)
            held = "" if reading.ended and value.startswith("{") else value
            yield Fact(
                about,
                " ".join(said.split()),
                quote,
                type_,
                reading.ended,
                _filled(slot, keys),
                _filled(value if keys.get(value.strip("{}")) else held, keys),
                reading.hint,
            )

    def _key(self, name: str, words: str) -> str:
        """Return the words by which a value is known again: no article, of a thing its noun."""
        plain = self.article.sub("", words.casefold())
        return plain.split(" ")[-1] if name in {"trade", "owned", "kin", "kins", "pet"} else plain

    def _whose(self, name: str) -> str:
        ending = next(end for last, end in self.own if name.casefold().endswith(tuple(last)))
        return f"{name}{ending}"


def _filled(template: str, keys: Mapping[str, str]) -> str:
    return _MACRO.sub(lambda one: keys.get(one[1], ""), template)


@cache
def _reader(language: str) -> _Reader | None:
    data = table(f"{language}_reader")
    return _Reader(data) if data else None


def warm(language: str) -> None:
    """Compile a language's patterns now: some tenths of a second, once."""
    _reader(language)


@lru_cache(maxsize=4096)
def read(
    line: str, *, who: str, people: tuple[str, ...] = (), me: str = "", language: str = ENGLISH
) -> tuple[Fact, ...]:
    """Return what a line by `who` states of its speaker, and of `people` whom it names.

    Nothing is read of `me`, the character that listens.
    """
    reader = _reader(language)
    line = " ".join(line[:LONGEST].split())
    if reader is None or reader.joke.search(line):
        return ()
    others = tuple(one for one in people if one not in ("", who, me) and one in line)
    found: list[Fact] = []
    for start, end in _sentences(reader, line):
        spans = _spans(reader, line, start, end)
        at = start
        for first, last in spans:
            if first < at:
                continue
            clause = line[first:last]
            quote = _quote(line, clause, line[start:end].strip())
            if facts := _stated(reader, clause, quote, who, others):
                found += [one for one in facts if _is_news(one)]
                at = last
    return tuple(found)


def _stated(
    reader: _Reader, clause: str, quote: str, who: str, others: Sequence[str]
) -> list[Fact]:
    if own := reader.facts(clause, who, quote, 0):
        return own
    for name in others:
        of_them = reader.marked(clause, name)
        if SUBJECT in of_them and (facts := reader.facts(of_them, name, quote, 1)):
            return facts
    return []


def read_note(text: str, *, about: str, language: str = ENGLISH) -> tuple[Fact, ...]:
    """Return what the character's own note states of the one it is about.

    A plain sentence about them that fits no pattern is a fact as it stands.
    """
    reader = _reader(language)
    text = " ".join(text[:LONGEST].split())
    if reader is None or _QUOTED.search(text) or "?" in text:
        return ()
    marked = reader.marked(text.rstrip(" .!"), about)
    reported = reader.report.fullmatch(marked)
    clause = reported["rest"] if reported else marked
    if facts := reader.facts(clause, about, text, 1):
        return tuple(one for one in facts if _is_news(one))
    plain = reader.plain.fullmatch(marked)
    if reported or not plain or len(text) > NOTE_LIMIT or reader.unsure.search(text):
        return ()
    return (Fact(about, _with_name(reader, marked, about), text),)


def held(fact: str, *, about: str, language: str = ENGLISH) -> tuple[Fact, ...]:
    """Return what a fact that is known of somebody states, to compare it with what is new."""
    reader = _reader(language)
    marked = reader.marked(fact.rstrip(" .!"), about) if reader else ""
    return tuple(reader.facts(marked, about, fact, 1)) if reader else ()


def _with_name(reader: _Reader, marked: str, about: str) -> str:
    """Return a sentence that begins with the name: a note often leaves its subject out."""
    if SUBJECT in marked:
        return marked.replace(SUBJECT, about)
    rest = reader.bare.sub("", marked)
    return f"{about} {rest[:1].lower()}{rest[1:]}"


def _is_news(fact: Fact) -> bool:
    """Does it tell more than the name that everybody sees?"""
    return fact.slot != "name" or fact.value not in fact.about.casefold()


def _sentences(reader: _Reader, line: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences stand that state something: none asked, unsure or with a quote."""
    hidden = _QUOTED.sub(lambda found: _HIDDEN * len(found[0]), line)
    for found in _SENTENCE.finditer(hidden):
        sentence = found[0]
        if "?" in sentence or _HIDDEN in sentence or reader.unsure.search(sentence):
            continue
        words = sentence.rstrip(".!…; ")
        yield found.start() + len(words) - len(words.lstrip()), found.start() + len(words)


def _spans(reader: _Reader, line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of a sentence's pieces, longest first from each beginning."""
    joints = list(reader.joint.finditer(line, start, end))[: MOST_PIECES - 1]
    begins = [start, *(one.end() for one in joints)]
    ends = [*(one.start() for one in joints), end]
    for number, begin in enumerate(begins):
        yield from ((begin, last) for last in reversed(ends[number:]))


def _quote(line: str, clause: str, sentence: str) -> str:
    """Return the fewest words that may be cited: three at least, or the whole line."""
    return next((one for one in (clause.strip(), sentence) if one.count(" ") > 1), line)
