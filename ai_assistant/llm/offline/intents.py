"""What each speaker wants: their lines become intents, and the weightiest is answered first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import chain, count

from ai_assistant.core.contracts import TO_ONE
from ai_assistant.language import current_language
from ai_assistant.language.address import speaks_to
from ai_assistant.language.small_reader import Statement, held, read_line
from ai_assistant.language.talk_signs import is_one, manner_of
from ai_assistant.llm.offline import english
from ai_assistant.llm.offline.english import is_question
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
LINE, FIRST, ASKED, REQUESTED, SOCIAL, LOOSE, _SINGLE = map(_table, _TABLES.values())
SINGLE = dict(_SINGLE)
"""Patterns of their own: polite words around a question or a request, and what is a fact."""
_NAMED = re.compile(r"(?:i am|my name is|(?:you (?:can|may) )?call me) (.+)")
REMEMBER = re.compile(
    r"\A(?:please )?(?:remember|(?:do not|don't|never) forget|(?:(?:make|take) a )?note"
    r"|keep in mind)(?: of| this| that)*:? ",
    re.I,
)

_SAME_TALK = 1.0
"""Hours after which a greeting is a new meeting."""
LONG = 25
"""Words of a line that somebody means, whatever it is about."""
POSED = frozenset("farewell flirt insult weather laugh".split())
"""What a gesture may say as words do."""
STATED = frozenset("fact told statement remember introduce confess promise".split())
"""Kinds of lines that tell something."""
_JUMBLE = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}|\b[bcdfghjklmnpqrstvwxz]{4,}\b")
_ONLY_ASKED = frozenset("have judge look_of_me opinion_me wares opinion".split())
_OPENS = re.compile(r"\A([A-Z][\w’']+(?: [A-Z][\w’']+)*)( the [a-z]+ [a-z]+s\b)?")
_CALLED = re.compile(r"\A([A-Z][a-z]{2,})[,!] ")
_CAPITALS = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: (?:and )?[A-Z][\w'’]+)*")


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that one speaker wants: its kind, the sentence, and what it is about."""

    kind: str
    said: str
    line: Remark
    what: str = ""
    meant: str = ""
    """The sentence with its slips mended."""

    @property
    def words(self) -> str:
        """Its plain words, as they were meant."""
        return english.spelled_out(self.meant)

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


def _of_line(line: Remark, view: RequestView, known: frozenset[str]) -> list[Intent]:
    if line.kind == "gift":
        return [Intent("gift", line.text, line)]
    if line.kind == "move":
        gone = SINGLE["GONE"].search(line.text.lower())
        return [Intent("gone" if gone else "arrival", line.text, line)]
    if line.kind in {"pose", "emote"}:
        return [_of_pose(line, view, known)]
    if name := _calls_absent(line.text, view, known):
        return [Intent("absent", line.text, line, name)]
    me = f"{view.persona.name} {view.persona.role}"
    pieces = english.clauses(line.text, me)
    found = [intent_of(piece, line, known) for piece in pieces]
    meant = english.mended(" ".join(pieces) or line.text, known)
    words = english.spelled_out(meant)
    if not any(intent.kind in _TABLES["FIRST"] for intent in found):
        if whole := _hit(LINE, words, meant, line):
            return [replace(whole, meant=meant)]
        if len(words.split()) >= LONG:
            return [*found, Intent("confided", line.text, line)]
    return found or [Intent("empty", line.text, line)]


def _of_pose(line: Remark, view: RequestView, known: frozenset[str]) -> Intent:
    """Read a gesture: as a greeting where nothing was said yet, or by what it is about."""
    text = english.mended(line.text.removeprefix(line.name).strip(), known)
    words = english.spelled_out(text)
    said = _hit(SOCIAL, words, text, line) or _hit(LOOSE, words, text, line)
    if said and said.kind in POSED:
        return replace(said, meant=text)
    if gaze := SINGLE["GAZE"].search(words):
        return Intent("topic", text, line, gaze["at"], text)
    if not SINGLE["GESTURE"].search(words):
        return Intent("pose", text, line)
    return Intent("gesture" if view.own else "greeting", text, line)


def _calls_absent(text: str, view: RequestView, known: frozenset[str]) -> str:
    """Return whom a line turns to who is not here: by a name that is known, or by none."""
    here = " ".join([view.persona.name, view.persona.role, *(seen.name for seen in view.people)])
    near = set(english.spelled_out(here).split())
    meant = english.mended(text, known)
    for name in names_known(view):
        telling = set(english.spelled_out(name).split())
        if not telling & near and speaks_to(meant, (name,)):
            return name
    opening = _CALLED.match(text)
    if not opening or opening[1].lower() in known | near or english.is_word(opening[1]):
        return ""
    greets = any(is_one([opening[1]], kind) for kind in ("hello", "well", "called_all"))
    return "" if greets else opening[1]


def names_opening(text: str) -> list[str]:
    """Return the name of somebody with whom a text begins: "Orrin the smith goes fishing"."""
    found = _OPENS.match(text)
    first = found[1].split()[0].lower() if found else ""
    spoken = current_language()
    is_titled = first in spoken.titles - spoken.particles and " " in found[1] if found else False
    is_name = is_titled or (found and found[2] and not english.is_word(first))
    return [found[1]] if found and is_name else []


def persons(view: RequestView) -> list[str]:
    """Return the names of people in what is known."""
    return [name for item in view.knowledge for name in names_opening(item.text)]


def names_known(view: RequestView) -> list[str]:
    """Return all names in what is known, the most often told first."""
    found = Counter(
        name for item in view.knowledge for name in _CAPITALS.findall(item.text) if name != "I"
    )
    return [*dict.fromkeys(persons(view)), *(name for name, _ in found.most_common())]


def _hit(
    table: Table, text: str, piece: str, line: Remark, without: Set[str] = frozenset()
) -> Intent | None:
    for kind, pattern in table:
        if kind not in without and (hit := pattern.search(text)):
            what = next((group.strip() for group in hit.groupdict().values() if group), "")
            said = REMEMBER.sub("", piece) if kind == "remember" else piece
            return Intent(kind, said, line, what)
    return None


def intent_of(piece: str, line: Remark, known: frozenset[str] = frozenset()) -> Intent:
    """Return what a piece of a line is, by the first pattern that fits its words."""
    meant = english.mended(piece, known)
    words = english.spelled_out(meant)
    without = frozenset() if is_question(meant) else _ONLY_ASKED
    for table, text in (
        (FIRST, words),
        (ASKED, SINGLE["FRAME"].sub("", words)),
        (REQUESTED, SINGLE["REQUEST"].sub("", words)),
        (SOCIAL, words),
    ):
        if found := _hit(table, text, piece, line, without):
            return replace(found, meant=meant)
    if name := _introduced_as(piece, words, line.name):
        return Intent("introduce", piece, line, name, meant)
    if "?" not in piece and _is_jumble(words):
        return Intent("nonsense", piece, line, meant=meant)
    return replace(_told(piece, words, line, asks=is_question(meant)), meant=meant)


def _is_jumble(words: str) -> bool:
    """Do these make no word, or one over and over?"""
    all_words = words.split()
    return bool(_JUMBLE.search(words)) or len(all_words) > 2 * len(set(all_words))


def _introduced_as(piece: str, words: str, speaker: str) -> str:
    """Recognise "I am Alice": a name, capitalised, or the speaker's own in any spelling."""
    given, names = _NAMED.match(words), english.capitalised(piece)
    if given and f"{given[1]} ".startswith(f"{english.spelled_out(speaker)} "):
        return speaker
    is_name = given and len(names) <= 3 and english.spelled_out(" ".join(names)) == given[1]
    return " ".join(names) if is_name else ""


def _told(piece: str, words: str, line: Remark, *, asks: bool) -> Intent:
    if asks:
        rude = "?" not in piece and _hit(LOOSE[:1], words, piece, line)
        return rude or Intent("question", piece, line)
    if (fact := Intent("fact", piece, line)).facts:
        return fact
    if loose := _hit(LOOSE, words, piece, line):
        return loose
    if manner_of(piece) in ("insult", "threat"):
        return Intent("insult", piece, line)
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
    known = english.vocabulary(view.texts)
    for line in view.events:
        wanted.setdefault(line.who, []).extend(_of_line(line, view, known))
    found = [_asker(view, some) for some in wanted.values()]
    return sorted(found, key=lambda asker: -asker.main.rank)


def _asker(view: RequestView, wanted: list[Intent]) -> Asker:
    line = wanted[0].line
    calm = any(seen.assistant for seen in view.people if seen.handle == line.who)
    introduced = _is_introduced(view, line.name, wanted)
    said = " ".join(intent.said for intent in wanted)
    voice = Voice(view.persona, f"{line.name}: {said}", view.own, calm)
    given = next((intent.what for intent in wanted if intent.kind == "introduce"), line.name)
    who = f", {given}" if introduced else ""
    goods = [item.name for item in view.carried if item.givable]
    voice.slots |= {"who": who, "name": line.name, "place": view.place}
    voice.slots |= {"goods": english.joined(goods[:3], "or")}
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
