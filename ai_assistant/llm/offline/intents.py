"""What each speaker wants: their lines become intents, and the weightiest is answered first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, count

from ai_assistant.core.contracts import TO_ONE
from ai_assistant.language.small_reader import Statement, held, read_line
from ai_assistant.llm.offline import english
from ai_assistant.llm.offline.request_view import Remark, RequestView
from ai_assistant.llm.offline.voice import Voice

Table = tuple[tuple[str, re.Pattern[str]], ...]
_number = count()


def _table(kinds: dict[str, list[str]]) -> Table:
    found = []
    for kind, patterns in kinds.items():
        named = re.sub("<what>", lambda _: f"(?P<what{next(_number)}>.+)", "|".join(patterns))
        found.append((kind, re.compile(named)))
    return tuple(found)


_TABLES = english.loaded("patterns")
FIRST, ASKED, REQUESTED, SOCIAL, _SINGLE = map(_table, _TABLES.values())
SINGLE = dict(_SINGLE)
"""Patterns of their own: polite words around a question or a request, and what is a fact."""
_NAMED = re.compile(r"(?:i am|my name is|(?:you (?:can|may) )?call me) (.+)")
_ASKING = frozenset(english.DATA["asking"].split())
REMEMBER = re.compile(
    r"\A(?:please )?(?:remember|(?:do not|don't|never) forget|(?:(?:make|take) a )?note"
    r"|keep in mind)(?: of| this| that)*:? ",
    re.I,
)

_SAME_TALK = 1.0
"""Hours after which a greeting is a new meeting."""


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that one speaker wants: its kind, the sentence, and what it is about."""

    kind: str
    said: str
    line: Remark
    what: str = ""

    @property
    def rank(self) -> int:
        """How much it asks for an answer: tricks, questions, requests, news, courtesies."""
        ranks = english.DATA["ranks"].items()
        return next((int(rank) for rank, kinds in ranks if self.kind in kinds.split()), 5)

    @property
    def facts(self) -> tuple[Statement, ...]:
        """What it states of its speaker in plain words."""
        name = self.line.name
        if self.kind == "introduce" and self.what != name:
            return (Statement(name, f"{name} is called {self.what}", self.said),)
        return read_line(self.said, who=name)


def is_question(text: str) -> bool:
    """Is this asked rather than told?"""
    return text.rstrip().endswith("?") or english.spelled_out(text[:40]).split(" ", 1)[0] in _ASKING


def _of_line(line: Remark, view: RequestView) -> list[Intent]:
    if line.kind == "gift":
        return [Intent("gift", line.text, line)]
    if line.kind == "move":
        gone = SINGLE["GONE"].search(line.text.lower())
        return [Intent("gone" if gone else "arrival", line.text, line)]
    if line.kind in {"pose", "emote"}:
        gesture = SINGLE["GESTURE"].search(line.text.lower())
        return [Intent("gesture" if gesture else "pose", line.text, line)]
    pieces = english.clauses(line.text, f"{view.persona.name} {view.persona.role}")
    return [_of_piece(piece, line) for piece in pieces] or [Intent("empty", line.text, line)]


def _of_piece(piece: str, line: Remark) -> Intent:
    words = english.spelled_out(piece)
    for table, text in (
        (FIRST, words),
        (ASKED, SINGLE["FRAME"].sub("", words)),
        (REQUESTED, SINGLE["REQUEST"].sub("", words)),
        (SOCIAL, words),
    ):
        for kind, pattern in table:
            if hit := pattern.search(text):
                what = next((group.strip() for group in hit.groupdict().values() if group), "")
                said = REMEMBER.sub("", piece) if kind == "remember" else piece
                return Intent(kind, said, line, what)
    if name := _introduced_as(piece, words, line.name):
        return Intent("introduce", piece, line, name)
    return _told(piece, words, line)


def _introduced_as(piece: str, words: str, speaker: str) -> str:
    """Recognise "I am Alice": a name, capitalised, or the speaker's own in any spelling."""
    given, names = _NAMED.match(words), english.capitalised(piece)
    if given and f"{given[1]} ".startswith(f"{english.spelled_out(speaker)} "):
        return speaker
    is_name = given and len(names) <= 3 and english.spelled_out(" ".join(names)) == given[1]
    return " ".join(names) if is_name else ""


def _told(piece: str, words: str, line: Remark) -> Intent:
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


# -- speakers


@dataclass(frozen=True, slots=True)
class Asker:
    """One who spoke, what they want of us in order of weight, and the voice that answers them."""

    view: RequestView
    voice: Voice
    intents: tuple[Intent, ...]
    name: str
    handle: str
    introduced: bool
    calm: bool

    @property
    def main(self) -> Intent:
        """What is answered first."""
        return self.intents[0]

    @property
    def private(self) -> bool:
        """Is this between the two of us?"""
        return self.main.line.kind in TO_ONE

    @property
    def returning(self) -> bool:
        """Have we met before, and not just now?"""
        return self.is_partner and self.view.partner.times > 0

    @property
    def is_partner(self) -> bool:
        """Is this the one whom the profile in the prompt is about?"""
        return self.handle == self.view.partner.handle or self.name == self.view.partner.name

    @property
    def state(self) -> str:
        """The relationship: stranger, acquaintance, friend or ally."""
        return self.view.partner.state if self.is_partner else "stranger"

    @property
    def still_talking(self) -> bool:
        """Did we speak within the hour?"""
        hours = english.hours_between(self.view.partner.last, self.view.time)
        return bool(self.view.own) and (hours is None or hours < _SAME_TALK)

    def facts(self) -> list[str]:
        """Return what we know of them, each as a clause that says "you"."""
        if not self.is_partner:
            return []
        noted = (_known(note.text, self.name) for note in reversed(self.view.observations))
        lines = (line.text for line in self.view.stream if line.name == self.name)
        holds: list[Statement] = []
        for new in chain(*noted, *(read_line(text, who=self.name) for text in lines)):
            holds = [old for old in holds if not (new.says(old) or new.replaces(old))] + [new]
        clauses = (english.fact_to_you(fact.fact, self.name) for fact in reversed(holds))
        return list(dict.fromkeys(filter(None, clauses)))


def _known(text: str, name: str) -> tuple[Statement, ...]:
    facts = held(text, about=name) or (Statement(name, text, text),)
    return facts if len(facts) > 1 else (replace(facts[0], fact=text),)


def askers(view: RequestView) -> list[Asker]:
    """Return all who spoke with what they want, the weightiest first."""
    wanted: dict[str, list[Intent]] = {}
    for line in view.events:
        wanted.setdefault(line.who, []).extend(_of_line(line, view))
    found = [_asker(view, some) for some in wanted.values()]
    return sorted(found, key=lambda asker: -asker.main.rank)


def _asker(view: RequestView, wanted: list[Intent]) -> Asker:
    line = wanted[0].line
    calm = any(seen.assistant for seen in view.people if seen.handle == line.who)
    introduced = _is_introduced(view, line.name, wanted)
    said = " ".join(intent.said for intent in wanted)
    voice = Voice(view.persona, f"{line.name}: {said}", view.own, calm)
    who = f", {line.name}" if introduced else ""
    voice.slots |= {"who": who, "name": line.name, "place": view.place}
    ranked = tuple(sorted(wanted, key=lambda intent: -intent.rank))
    return Asker(view, voice, ranked, line.name, line.who, introduced, calm)


def _is_introduced(view: RequestView, name: str, wanted: list[Intent]) -> bool:
    if view.partner.name == name and view.partner.state != "stranger":
        return True
    if any(intent.kind == "introduce" for intent in wanted):
        return True
    said = " ".join(english.spelled_out(line.text) for line in view.stream if line.name == name)
    return (
        f"i am {english.spelled_out(name)}" in said
        or f"name is {english.spelled_out(name)}" in said
    )
