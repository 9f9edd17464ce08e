"""What the speakers want: each event becomes intents, and the weightiest is answered first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from ai_assistant.language.small_reader import Fact, read
from ai_assistant.llm.offline.plain_english import DATA, loaded, names_in, plain, sentences
from ai_assistant.llm.offline.request_view import Line, View

Table = tuple[tuple[str, re.Pattern[str]], ...]
_number = count()


def _table(kinds: dict[str, list[str]]) -> Table:
    return tuple((kind, re.compile(_named("|".join(some)))) for kind, some in kinds.items())


def _named(pattern: str) -> str:
    """Give each group of what is meant a name of its own."""
    return re.sub("<what>", lambda _: f"(?P<what{next(_number)}>.+)", pattern)


_TABLES = loaded("patterns")
FIRST, ASKED, REQUESTED, SOCIAL, _SINGLE = map(_table, _TABLES.values())
SINGLE = dict(_SINGLE)
"""Patterns of their own: polite words around a question or a request, and what is a fact."""


_ASKING = frozenset(DATA["asking"].split())
REMEMBER = re.compile(
    r"\A(?:please )?(?:remember|(?:do not|don't|never) forget|(?:(?:make|take) a )?note"
    r"|keep in mind)(?: of| this| that)*:? ",
    re.I,
)
_RANKS = {
    6: frozenset({"injection", "repeat", "ai"}),
    4: frozenset(kind for kind, _ in REQUESTED),
    3: frozenset("fact told remember introduce".split()),
    2: frozenset(
        "apology thanks farewell insult compliment laugh mood_bad mood_good yes no".split()
    ),
    1: frozenset("greeting statement empty gone pose gesture arrival".split()),
}


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that one speaker wants: its kind, the sentence, and what it is about."""

    kind: str
    said: str
    line: Line
    what: str = ""

    @property
    def rank(self) -> int:
        """How much it asks for an answer: tricks, questions, requests, news, courtesies."""
        return next((rank for rank, kinds in _RANKS.items() if self.kind in kinds), 5)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it states of its speaker in plain words."""
        name = self.line.name
        if self.kind == "introduce" and self.what != name:
            return (Fact(name, f"{name} is called {self.what}", self.said),)
        return read(self.said, who=name)


def is_question(text: str) -> bool:
    """Is this asked rather than told?"""
    return text.rstrip().endswith("?") or plain(text[:40]).split(" ", 1)[0] in _ASKING


def intents(view: View) -> list[Intent]:
    """Return what is wanted by all events of the turn, in the order it was said."""
    return [intent for line in view.events for intent in _of_line(line, view)]


def _of_line(line: Line, view: View) -> list[Intent]:
    if line.kind == "gift":
        return [Intent("gift", line.text, line)]
    if line.kind == "move":
        gone = SINGLE["GONE"].search(line.text.lower())
        return [Intent("gone" if gone else "arrival", line.text, line)]
    if line.kind in {"pose", "emote"}:
        gesture = SINGLE["GESTURE"].search(line.text.lower())
        return [Intent("gesture" if gesture else "pose", line.text, line)]
    me = f"{view.persona.name} {view.persona.role}"
    pieces = sentences(line.text, me)
    return [_of_piece(piece, line) for piece in pieces] or [Intent("empty", line.text, line)]


def _of_piece(piece: str, line: Line) -> Intent:
    words = plain(piece)
    for table, text in _readings(words):
        for kind, pattern in table:
            hit = pattern.search(text)
            if hit:
                said = REMEMBER.sub("", piece) if kind == "remember" else piece
                return Intent(kind, said, line, _what(hit.groupdict()))
    return _introduction(piece, words, line) or _told(piece, words, line)


def _readings(words: str) -> Iterator[tuple[Table, str]]:
    yield FIRST, words
    yield ASKED, SINGLE["FRAME"].sub("", words)
    yield REQUESTED, SINGLE["REQUEST"].sub("", words)
    yield SOCIAL, words


def _what(groups: dict[str, str | None]) -> str:
    return next((value.strip() for value in groups.values() if value), "")


def _introduction(piece: str, words: str, line: Line) -> Intent | None:
    """Recognise "I am Alice": a name, capitalised, or the speaker's own in any spelling."""
    for opening in ("i am ", "my name is ", "call me ", "you can call me ", "you may call me "):
        if not words.startswith(opening):
            continue
        given = words.removeprefix(opening)
        names = names_in(piece)
        own = plain(line.name)
        if f"{given} ".startswith(f"{own} "):
            return Intent("introduce", piece, line, line.name)
        if names and len(names) <= 3 and plain(" ".join(names)) == given:
            return Intent("introduce", piece, line, " ".join(names))
    return None


def _told(piece: str, words: str, line: Line) -> Intent:
    if is_question(piece):
        return Intent("question", piece, line)
    if (fact := Intent("fact", piece, line)).facts:
        return fact
    if not SINGLE["NO_FACT"].match(words) and 3 <= words.count(" ") + 1 <= 40:
        named = SINGLE["NAMED_FACT"] if piece[0].isupper() else SINGLE["OTHER_FACT"]
        hit = SINGLE["OTHER_FACT"].match(words) or named.match(words)
        if hit:
            return Intent("told", piece, line, hit["who"] or "")
    return Intent("statement", piece, line)
