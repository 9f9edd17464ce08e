"""What a line wants: each piece of it becomes an intent, by the first pattern that fits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from importlib import resources
from itertools import chain, count
from typing import Any

from ai_assistant.language import current_language, spelling
from ai_assistant.language import plain_english as english
from ai_assistant.language.address import inner_names, opening_name, speaks_to
from ai_assistant.language.plain_english import is_question
from ai_assistant.language.small_reader import Statement, read_line
from ai_assistant.language.talk_signs import is_one, manner_of
from ai_assistant.llm.request_records import Remark, RequestView

Table = tuple[tuple[str, re.Pattern[str]], ...]
_number = count()


def _table(kinds: dict[str, Any]) -> Table:
    found = []
    for kind, patterns in kinds.items():
        named = re.sub("<what>", lambda _: f"(?P<what{next(_number)}>.+)", "|".join(patterns))
        found.append((kind, re.compile(named)))
    return tuple(found)


_FILE = resources.files("ai_assistant") / "llm/offline/patterns.toml"
_TABLES: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text("utf-8"))
KINDS = {name: frozenset(kinds.split()) for name, kinds in _TABLES.pop("KINDS").items()}
"""Kinds of intents that are treated alike."""
NOT_KNOWN: dict[str, str] = _TABLES.pop("NOT_KNOWN")
"""Kind of a question → what is said where nothing is known."""
LINE, FIRST, ASKED, REQUESTED, SOCIAL, LOOSE, _SINGLE = map(_table, _TABLES.values())
SINGLE = dict(_SINGLE)
"""Patterns of their own: polite words around a question or a request, and what is a fact."""
_WORDED = re.sub(r"(?<=[a-z])\?", "", f"{_TABLES} {english.DATA}")
_EVERYDAY = {*re.findall(r"(?<!\\)\b[a-z]{3,}", _WORDED), *current_language().stop_words}
"""The words of the patterns and tables, for which others may be slips."""
_MOST_READ = 400  # letters of a piece in which patterns are looked for
_LONG = 25  # words of a line that somebody means, whatever it is about
_BEFORE = 3  # lines in which is looked for what somebody points to
_A_FEW = 4  # words of a thing that there may be
_JUMBLED = 6  # letters of a word that is neither known nor an exclamation
_SOUGHT = {name: frozenset(words.split()) for name, words in english.DATA["sought"].items()}


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that one speaker wants."""

    kind: str
    """Such as `greeting`, `question` or `fact`; see `patterns.toml`."""
    said: str
    """The part of the line that it was read from."""
    line: Remark
    """The whole line, with who said it."""
    what: str = ""
    """The thing, person or task in question; empty for none."""
    meant: str = ""
    """The sentence with its slips mended."""
    stood_for: str = ""
    """What its pronouns stand for."""

    @property
    def words(self) -> str:
        """Its plain words, as they were meant."""
        return SINGLE["FILLER"].sub("", english.spelled_out(self.meant))

    @property
    def rank(self) -> int:
        """How much it asks for an answer: tricks, questions, requests, news, courtesies."""
        ranks = english.DATA["ranks"].items()
        return next((int(rank) for rank, kinds in ranks if self.kind in kinds.split()), 5)

    @property
    def facts(self) -> tuple[Statement, ...]:
        """What it states of its speaker in plain words."""
        name = self.line.name
        is_new = self.kind == "introduce" and self.what != name
        given = [Statement(name, f"{name} is called {self.what}", self.said)] if is_new else []
        return (*given, *read_line(self.said, who=name))


def without_slips(text: str, known: Set[str]) -> str:
    """Return a text with its slips mended: for each the word, `known` or plain, that was meant."""
    return spelling.mended(text[: english.LONGEST], known, _EVERYDAY)


def is_word(text: str) -> bool:
    """Is a text one word that everybody knows?"""
    return text.lower() in _EVERYDAY or spelling.is_everyday(text.lower())


def intents_of(line: Remark, view: RequestView, known: frozenset[str]) -> list[Intent]:
    """Return what a line wants, its slips mended to the words that are `known`."""
    if line.kind == "gift":
        return [Intent("gift", line.text, line)]
    if line.kind == "move":
        gone = SINGLE["GONE"].search(line.text.lower())
        return [Intent("gone" if gone else "arrival", line.text, line)]
    if line.kind in {"pose", "emote"}:
        return [_of_pose(line, view, known)]
    if name := _calls_absent(line.text, view, known):
        return [Intent("gone" if view.on_channel else "absent", line.text, line, name)]
    me, asked = f"{view.persona.name} {view.persona.role}", SINGLE["TAIL"].sub("", line.text)
    pieces = [SINGLE["OPINE"].sub(r"\1", piece) for piece in english.clauses(asked, me)]
    found = [
        _pointed(intent_of(piece, line, known), pieces[:place], view, known)
        for place, piece in enumerate(pieces)
    ]
    meant = without_slips(" ".join(pieces) or line.text, known)
    words = english.spelled_out(meant)
    if not any(intent.kind in KINDS["alone"] for intent in found):
        told = {"correction"} if any(intent.kind == "fact" for intent in found) else frozenset()
        if whole := _hit(LINE, words, meant, line, told):
            return [replace(whole, meant=meant)]
        if len(words.split()) >= _LONG:
            last = [it for it in found[-1:] if is_question(it.said) and it.kind != "question"]
            return [*last, Intent("confided", line.text, line)]
    return found or [Intent("empty", line.text, line)]


def _sought(intent: Intent) -> Intent:
    """Return an intent that seeks something with what it is called, also where a bed is sought."""
    if intent.kind not in {"whereis", "whois", "leads", "any_here"}:
        return intent
    what = SINGLE["HERE"].sub("", intent.what)
    if intent.kind == "any_here" and what.count(" ") >= _A_FEW:
        return replace(intent, kind="question", what="")
    if intent.kind in {"whereis", "any_here"}:
        what = next((name for name, wants in _SOUGHT.items() if wants & set(what.split())), what)
    return replace(intent, what=what)


def _pointed(
    intent: Intent, before: Sequence[str], view: RequestView, known: frozenset[str]
) -> Intent:
    """Return an intent read anew with what its pronouns stand for in the talk, or `before` it."""
    said = meant = SINGLE["FILLER"].sub("", intent.said.rstrip(" .!?"))
    texts = [*reversed(before), *_before(view)]
    near = (way.name for text in texts if (way := english.pick(text, view.exits)))
    whom = _whom(intent, texts, view)
    stands = {"HE": whom, "IT": topics(view), "THERE": chain(near, topics(view))}
    stood: list[str] = []
    for word, found in stands.items():
        if SINGLE[word].search(meant) and (name := next(found, "")):
            meant = SINGLE[word].sub(name, meant)
            stood.append(name)
    if meant == said or intent.kind not in KINDS["pointing"] | {"statement"}:
        return intent
    again = intent_of(meant + "?" * intent.said.rstrip().endswith("?"), intent.line, known)
    may_be = KINDS["ordered" if intent.kind == "statement" else "pointing"]
    return replace(again, stood_for=" ".join(stood)) if again.kind in may_be else intent


def _before(view: RequestView) -> Iterator[str]:
    """Yield what was said before, the latest first: our last line, theirs, our earlier ones."""
    yield from view.own[-1:]
    yield from (line.text for line in reversed(view.stream[-_BEFORE:]))
    yield from reversed(view.own[-_BEFORE:-1])


def _whom(intent: Intent, texts: Sequence[str], view: RequestView) -> Iterator[str]:
    known, us = titles(view), (view.persona.name, intent.line.name)
    for text in texts:
        yield from (name for name, title in known.items() if title & english.meanings(text))
        kin = SINGLE["KIN"].findall(text) if text not in view.own else ()
        yield from (f"my {relative}" for relative in kin)
        named = [*text.split()[:1], *inner_names(text)]
        yield from (it for it in named if it[:1].isupper() and not (is_word(it) or it in us))


def topics(view: RequestView) -> Iterator[str]:
    """Yield the telling words of their lines before, the latest first."""
    for line in reversed(view.stream[-_BEFORE:]):
        for word in reversed(english.spelled_out(line.text).split()):
            if any(english.how_telling(stem) == 1 for stem in english.meanings(word)):
                yield word


def _of_pose(line: Remark, view: RequestView, known: frozenset[str]) -> Intent:
    """Read a gesture: as a greeting where nothing was said yet, or by what it is about."""
    text = without_slips(line.text.removeprefix(line.name).strip(), known)
    words = english.spelled_out(text)
    said = _hit(SOCIAL, words, text, line) or _hit(LOOSE, words, text, line)
    if said and said.kind in KINDS["posed"]:
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
    meant = without_slips(text, known)
    for name in () if speaks_to(meant, (view.persona.name,)) else titles(view):
        telling = set(english.spelled_out(name).split())
        if not telling & near and speaks_to(meant, (name,)):
            return name
    called = opening[1] if (opening := SINGLE["CALLED"].match(text)) else ""
    if called.lower() in near or is_word(called):
        return ""
    is_thing = called.lower() in known and called not in " ".join(names_known(view)).split()
    is_thing |= any(is_one([called], kind) for kind in ("hello", "well", "called_all"))
    return "" if is_thing else called


def titles(view: RequestView) -> dict[str, frozenset[str]]:
    """Return whom what is known tells of by name, each with the meanings of name and trade."""
    found: dict[str, frozenset[str]] = {}
    for item in view.knowledge:
        if name := opening_name(item.text):
            trade = "".join(re.findall(r"\A,? the (\w+)", item.text[len(name) :]))
            found[name] = found.get(name, frozenset()) | english.meanings(f"{name} {trade}")
    return found


def names_known(view: RequestView) -> list[str]:
    """Return all names in what is known, of people first."""
    inner = (name for item in view.knowledge for name in inner_names(item.text))
    return list(dict.fromkeys([*titles(view), *inner]))


def _hit(
    table: Table, text: str, piece: str, line: Remark, without: Set[str] = frozenset()
) -> Intent | None:
    for kind, pattern in table:
        if kind not in without and (hit := pattern.search(text, 0, _MOST_READ)):
            what = next((group.strip() for group in hit.groupdict().values() if group), "")
            said = SINGLE["REMEMBER"].sub("", piece) if kind == "remember" else piece
            return Intent(kind, said, line, what)
    return None


def intent_of(piece: str, line: Remark, known: frozenset[str] = frozenset()) -> Intent:
    """Return what a piece of a line is, by the first pattern that fits its words."""
    meant = without_slips(piece, known)
    words = SINGLE["FILLER"].sub("", english.spelled_out(meant))
    without = frozenset() if is_question(meant) else KINDS["only_asked"]
    for table, text in (
        (FIRST, words),
        (ASKED, SINGLE["FRAME"].sub("", words)),
        (REQUESTED, SINGLE["REQUEST"].sub("", words)),
        (SOCIAL, words),
    ):
        if found := _hit(table, text, piece, line, without):
            return _sought(replace(found, meant=meant))
    if name := _introduced_as(piece.partition(",")[0], line.name):
        return Intent("introduce", piece, line, name, meant)
    if "?" not in piece and _is_jumble(piece, words, known):
        return Intent("nonsense", piece, line, meant=meant)
    return replace(_told(piece, words, line, asks=is_question(meant)), meant=meant)


def _is_jumble(piece: str, words: str, known: Set[str]) -> bool:
    """Do these make no word, or one over and over?"""
    all_words = words.split()
    if len(all_words) > 2 * len(set(all_words)) or SINGLE["JUMBLE"].search(words):
        return True
    are_words = piece[:1].isupper() or any(word in known or is_word(word) for word in all_words)
    return not are_words and any(len(word) >= _JUMBLED for word in all_words)


def _introduced_as(piece: str, speaker: str) -> str:
    """Recognise "I am Alice": a name, capitalised, or the speaker's own in any spelling."""
    given = SINGLE["NAMED"].match(SINGLE["FILLER"].sub("", english.spelled_out(piece)))
    names = english.capitalised(piece)
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
