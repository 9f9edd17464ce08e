"""Checks: what a model made of a pass, held against the lines that it names, in any language.

Code asks where something stands, never how it is worded: ids, quote, numbers, names, whom it is
about, length. What fails comes back with its reason, to be mended once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ai_assistant.core.contracts import Entity, Json
from ai_assistant.core.model_json import answer_list, answer_object
from ai_assistant.core.quotes import NO_TONGUE, Tongue, numbers_in, stands_in, unsupported
from ai_assistant.core.text import clean
from ai_assistant.core.times import Calendar
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.memory.people.traits import STRENGTH
from ai_assistant.sleep.reading_pass import SHOWN, Held, Line, Pass, named_in

LONGEST = 200
MOST_FACTS = 60
"""Facts of one answer; what is beyond them is refused."""
MOST_NAMED = 8
"""Lines that a fact may cite, and facts that it may replace."""
LONGEST_REASON = 120
A_MONTH, A_YEAR = 31, 400
"""Days between a line and the day, or the month, that a fact gives for it: "yesterday" and "last
winter" are worked out."""
_DATE = re.compile(r"(?<![\d-])(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?![\d-])")
_MENDED = re.compile(r"m\d+")
"""The id of what was refused, by which the one that mends it names it."""
WORST, BEST = -2, 2
"""How badly, and how well, somebody can treat the character."""
Lookup = Callable[[str], Entity | None]
"""``lookup(name)``: the one that the game knows by this name; None for nobody, or several."""
_TEXT: Json = {"type": "string"}
_TEXTS: Json = {"type": "array", "items": _TEXT}


def _object(**fields: Json) -> Json:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


SCHEMA = _object(
    facts={
        "type": "array",
        "items": _object(
            about=_TEXT,
            fact=_TEXT,
            lines=_TEXTS,
            quote=_TEXT,
            replaces=_TEXTS,
            ended={"type": "boolean"},
            type=_TEXT,
        ),
    },
    people={
        "type": "array",
        "items": _object(who=_TEXT, treated={"type": "integer"}, line=_TEXT, reason=_TEXT),
    },
)
"""What the job `consolidate` answers with."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that its lines show."""

    about: Entity
    """Whom it is about; never the character itself."""
    text: str
    """The fact, in at most `LONGEST` characters."""
    lines: tuple[Line, ...]
    """The lines that it cites, oldest first."""
    quoted: tuple[Line, ...]
    """Those of the lines that hold the quote."""
    quote: str
    """The words of theirs that show it."""
    replaces: tuple[Held, ...] = ()
    """What is held and holds no longer."""
    outdated: tuple[Line, ...] = ()
    """What was only noted and holds no longer."""
    ended: bool = False
    """Does it say that something is over?"""
    type: str = ""
    """What sort of fact the model called it, such as preference."""
    mends: frozenset[str] = frozenset()
    """The ids of what was refused and is put right by it."""

    @property
    def at(self) -> float:
        """When it was learned, in seconds since the epoch."""
        return max(line.at for line in self.lines)

    @property
    def basis(self) -> str:
        """On whose word it is known: the best of the lines that hold its quote."""
        return max((line.word_on(self.about.id) for line in self.quoted), key=STRENGTH.__getitem__)


@dataclass(frozen=True, slots=True)
class Treatment:
    """How somebody treated the character, and the line that shows it."""

    who: Entity
    """Who did."""
    score: int
    """How well, from `WORST` to `BEST`."""
    reason: str
    """What the model says that they did."""
    line: Line
    """The new line of theirs that shows it."""


@dataclass(slots=True)
class Answer:
    """What an answer comes to."""

    facts: list[Fact] = field(default_factory=list)
    """What its lines show."""
    refused: list[Json] = field(default_factory=list)
    """What they do not: each with ``id``, ``fact`` and ``why``."""
    treated: list[Treatment] = field(default_factory=list)
    """How people treated the character, each once."""
    is_readable: bool = True
    """Was it the object that was asked for at all?"""

    def mended(self, again: Answer) -> Answer:
        """Return what is left once a model was told what was refused, and answered `again`.

        Of that only what puts right something refused counts, each once.
        """
        if not self.is_readable or not again.is_readable:
            return again if again.is_readable else self
        facts, refused = [*self.facts], self.refused
        for fact in again.facts:
            left = [item for item in refused if item["id"] not in fact.mends]
            facts += [fact] if len(left) < len(refused) else []
            refused = left
        return Answer(facts, refused, self.treated)


class Refused(Exception):
    """A fact does not hold; the text says why, for the model that is to mend it."""


def read_answer(
    text: str, shown: Pass, lookup: Lookup, calendar: Calendar, tongue: Tongue = NO_TONGUE
) -> Answer:
    """Return what an answer shows; `calendar` dates its lines, `tongue` is that of the game."""
    given = answer_object(text)
    facts = given.get("facts")
    if not isinstance(facts, list):
        facts = [item for item in answer_list(text) if isinstance(item, dict) and "fact" in item]
        if not facts:
            return Answer(is_readable=False)
    answer = Answer()
    for place, fact in enumerate(facts):
        try:
            if place >= MOST_FACTS:
                raise Refused(f"more than {MOST_FACTS} facts")
            answer.facts.append(_fact(fact, shown, lookup, calendar, tongue))
        except Refused as why:
            said = clean(fact.get("fact") or "", LONGEST) if isinstance(fact, dict) else ""
            id = f"m{len(answer.refused) + 1}"
            answer.refused.append({"id": id, "fact": said, "why": str(why)})
    people = given.get("people")
    answer.treated = _treated(people if isinstance(people, list) else [], shown)
    return answer


def _fact(item: Any, shown: Pass, lookup: Lookup, calendar: Calendar, tongue: Tongue) -> Fact:
    if not isinstance(item, dict):
        raise Refused("not an object")
    text = clean(item.get("fact") or "", LONGEST * 2)
    if not text or len(text) > LONGEST:
        raise Refused(f"too long: at most {LONGEST} characters" if text else "empty")
    lines = _cited(item.get("lines"), shown)
    about = _about(item.get("about"), text, lines, shown, lookup)
    ids = _ids(item.get("replaces"))
    mends = frozenset(filter(_MENDED.fullmatch, ids))
    replaces, outdated = _replaced([id_ for id_ in ids if id_ not in mends], about, shown)
    if any(old.at > lines[-1].at for old in replaces):
        raise Refused("what it replaces is known since later than its lines: leave it out")
    quote = clean(item.get("quote") or "")
    quoted = tuple(line for line in lines if stands_in(quote, line.says))
    if not quoted:
        raise Refused("quote three words in a row of a cited line as written; of a shorter one all")
    if not any(line.word_on(about.id) for line in quoted):
        raise Refused(f"quote somebody else, or leave it out: only {shown.me.name} says so")
    said = [f"{line.says}\n{line.name}" for line in lines]
    there = {id for line in lines for id in shown.of_whom(line)}
    said += [about.name, *(who.name for who in shown.people.values() if who.id in there)]
    said += [str(old.trait["value"]) for old in replaces] + [note.says for note in outdated]
    said_on, spans = [calendar.date(line.at) for line in lines], numbers_in("\n".join(said), tongue)
    if foreign := unsupported(undated(text, said_on, spans), said, shown.names, tongue):
        raise Refused(f"no cited line has '{foreign}': cite the one that has, or leave that out")
    type, ended = clean(item.get("type") or "", 40).lower(), item.get("ended") is True
    return Fact(about, text, lines, quoted, quote, replaces, outdated, ended, type, mends)


def undated(text: str, said_on: Sequence[datetime], spans: Collection[float] = ()) -> str:
    """Return a text without the dates (2030-01-07, 2030-01 or 2030) that its lines may tell of.

    A day lies within a month of when they were said, a month within a year, or both as many years
    off as they speak of (`spans`). So does a year alone: near its lines it may be any number.
    """

    def rest(found: re.Match[str]) -> str:
        year, month, day = (int(group) if group else 0 for group in found.groups())
        try:
            told = datetime(year, month or 1, day or 1, tzinfo=UTC)
        except ValueError:
            return found[0]
        most = A_MONTH if day else A_YEAR
        is_near = month and any(abs((told - date).days) <= most for date in said_on)
        is_counted = any(abs(year - date.year) in spans for date in said_on)
        return "" if is_near or is_counted else found[0]

    return _DATE.sub(rest, text)


def _cited(given: Any, shown: Pass) -> tuple[Line, ...]:
    ids = _ids(given)
    unknown = [id_ for id_ in ids if id_ not in shown.lines]
    if unknown or not ids:
        told = f"only what stands in 'lines': '{unknown[0]}' does not" if unknown else ""
        raise Refused(f"cite {told or 'the lines that it rests on'}")
    cited = (shown.lines[id_] for id_ in ids[:MOST_NAMED])
    return tuple(sorted(cited, key=lambda line: (line.at, line.row)))


def _about(given: Any, text: str, lines: Sequence[Line], shown: Pass, lookup: Lookup) -> Entity:
    """Return whom a fact is about: somebody shown, or known to the game by a name in its lines."""
    name = clean(given or "")
    own = shown.me.name
    people = shown.people.items()
    found = next((who for handle, who in people if name in (handle, who.name)), None)
    if name in ("me", own) or _begins_with(own, text):
        found = shown.me
    elif found is None and named_in((line.says for line in lines), {name: name}):
        found = lookup(name)
    if found is None:
        raise Refused(f"cite the line that has '{name}', or name somebody of 'people' as 'about'")
    is_theirs = _begins_with(found.name, text)  # a namesake by the given name, perhaps
    if found.id == shown.me.id:
        raise Refused(f"leave out what is about {own}: nothing of that is kept here")
    if not is_theirs and self_reference(text, (own,), about=found.name or name):
        raise Refused(f"leave out what is about {own}; begin what is about '{name}' with that name")
    return found


def _begins_with(name: str, text: str) -> bool:
    return re.match(rf"{re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _replaced(
    ids: Sequence[str], about: Entity, shown: Pass
) -> tuple[tuple[Held, ...], tuple[Line, ...]]:
    notes = {id: line for id, line in shown.lines.items() if line.note is not None}
    ids = [id for id in ids[:MOST_NAMED] if id in notes or id not in shown.lines]  # no line is held
    for id_ in ids:
        if id_ not in shown.known and id_ not in notes:
            raise Refused(f"replace only what stands in 'known', or a note: '{id_}' does not")
        whose = shown.known[id_].entity if id_ in shown.known else notes[id_].about
        if whose != about.id:
            raise Refused(f"leave '{id_}' out of 'replaces': it is not about {about.name}")
    held = tuple(shown.known[id_] for id_ in ids if id_ in shown.known)
    return held, tuple(notes[id_] for id_ in ids if id_ in notes)


def _ids(given: Any) -> list[str]:
    some = given if isinstance(given, list) else [given] if given else []
    return list(dict.fromkeys(str(handle) for handle in some))


def _treated(items: Sequence[Any], shown: Pass) -> list[Treatment]:
    """Return how people treated the character, each once: by a line of theirs that is new."""
    found: dict[str, Treatment] = {}
    for item in items:
        if not isinstance(item, dict):
            continue
        who, line = shown.people.get(str(item.get("who"))), shown.lines.get(str(item.get("line")))
        score = item.get("treated")
        if who is None or line is None or type(score) is not int or not WORST <= score <= BEST:
            continue
        is_theirs = line.author == who.id and line.row and line.fresh and not line.note
        if score and is_theirs and line.kind != SHOWN:  # deeds were weighed when they were done
            reason = clean(item.get("reason") or "", LONGEST_REASON)
            found.setdefault(who.id, Treatment(who, score, reason, line))
    return list(found.values())
