"""What the speakers want: each event becomes intents, and the weightiest is answered first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ai_assistant.language.reader import Fact, read
from ai_assistant.llm.offline import patterns
from ai_assistant.llm.offline.memory import REMEMBER, is_question
from ai_assistant.llm.offline.view import Line, View
from ai_assistant.llm.offline.words import names_in, plain, sentences

_RANKS = {
    6: frozenset({"injection", "repeat", "ai"}),
    4: frozenset(kind for kind, _ in patterns.REQUESTED),
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


def intents(view: View) -> list[Intent]:
    """Return what is wanted by all events of the turn, in the order it was said."""
    return [intent for line in view.events for intent in _of_line(line, view)]


def _of_line(line: Line, view: View) -> list[Intent]:
    if line.kind == "gift":
        return [Intent("gift", line.text, line)]
    if line.kind == "move":
        gone = patterns.SINGLE["GONE"].search(line.text.lower())
        return [Intent("gone" if gone else "arrival", line.text, line)]
    if line.kind in {"pose", "emote"}:
        gesture = patterns.SINGLE["GESTURE"].search(line.text.lower())
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


def _readings(words: str) -> Iterator[tuple[patterns.Table, str]]:
    yield patterns.FIRST, words
    yield patterns.ASKED, patterns.SINGLE["FRAME"].sub("", words)
    yield patterns.REQUESTED, patterns.SINGLE["REQUEST"].sub("", words)
    yield patterns.SOCIAL, words


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
    if not patterns.SINGLE["NO_FACT"].match(words) and 3 <= words.count(" ") + 1 <= 40:
        named = (
            patterns.SINGLE["NAMED_FACT"] if piece[0].isupper() else patterns.SINGLE["OTHER_FACT"]
        )
        hit = patterns.SINGLE["OTHER_FACT"].match(words) or named.match(words)
        if hit:
            return Intent("told", piece, line, hit["who"] or "")
    return Intent("statement", piece, line)
