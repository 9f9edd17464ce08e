"""What the character knows about a question: the one remembered thing that answers it, if any."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from ai_assistant.llm.offline import grammar
from ai_assistant.llm.offline.patterns import SINGLE
from ai_assistant.llm.offline.view import Known, View
from ai_assistant.llm.offline.words import DATA, meanings, names_in, plain, sentences, weight

ENOUGH = 0.6
"""The share of a question's meaning that an answer must cover."""
A_TIE = 0.02
"""Answers that differ by less are as good as each other, but for their length."""
_ABOUT_IS_ENOUGH = 0.7
_ASKING, _OPEN = frozenset(DATA["asking"].split()), frozenset(DATA["open"].split())
_ABOUT_ME = frozenset("i me my mine myself we our us".split())
_ABOUT_YOU = frozenset("your yours yourself".split())
_OF_MINE = re.compile(
    r"\b(?:did|have) you (?:say|said|tell|told|promise)|\byou (?:said|promised)\b"
)
_SAID_BY = re.compile(r"\b(?:did|has) (?!i\b|you\b|we\b)(\w+) (?:say|said|tell|told|mention)\b")
REMEMBER = re.compile(
    r"\A(?:please )?(?:remember|(?:do not|don't|never) forget|(?:(?:make|take) a )?note"
    r"|keep in mind)(?: of| this| that)*:? ",
    re.I,
)
_NOT_WORDS = frozenset({"pose", "emote", "move", "gift", "deed"})
_FACTS = frozenset({"observation", "note", "fact", "lore"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question by its meaning: the stems it asks for, and whom its answer must be about.

    An `open` one wants more than a yes; one `of_mine` asks what the character itself said, and
    `said_by` names another whose words are asked for.
    """

    stems: set[str]
    about: set[str]
    open: bool
    of_mine: bool
    said_by: set[str]

    @classmethod
    def of(cls, text: str, speaker: str, me: str) -> Question:
        """Take apart what `speaker` asked `me`."""
        asked = SINGLE["FRAME"].sub("", plain(text))
        words, by = asked.split(), _SAID_BY.search(asked)
        said_by = meanings(by[1]) if by else set()
        named = said_by | meanings(" ".join(names_in(text)))
        named |= meanings(speaker) if _ABOUT_ME & set(words) else set()
        named |= meanings(me) if _ABOUT_YOU & set(words) else set()
        is_open = not words or words[0] in _OPEN
        return cls(meanings(text) - named, named, is_open, bool(_OF_MINE.search(asked)), said_by)


def is_question(text: str) -> bool:
    """Is this asked rather than told?"""
    return text.rstrip().endswith("?") or plain(text[:40]).split(" ", 1)[0] in _ASKING


def find(view: View, question: Question, more: Iterable[Known] = ()) -> Known | None:
    """Return what answers the question best among all that is remembered and `more`."""
    best, best_score = None, 0.0
    for item in _everything(view, more):
        score = _score(question, item, view)
        if score > best_score + A_TIE:  # what came first is the later word
            best, best_score = item, score
    return _telling_part(question, best, view) if best else None


def _telling_part(question: Question, item: Known, view: View) -> Known:
    """Return what was said without what else was said in the same breath."""
    if item.kind in {"lore", "place", "observation"}:
        return item
    parts = [REMEMBER.sub("", one) for one in sentences(item.text, view.persona.name)]
    best = max(parts, key=lambda part: len(question.stems & meanings(part)), default=item.text)
    return replace(item, text=best)


def _everything(view: View, more: Iterable[Known]) -> Iterable[Known]:
    """Newest first where it matters, so that of equals the latest word counts."""
    yield from (Known(line.text, line.name, line.kind) for line in reversed(view.stream))
    yield from (*view.observations, *view.notes, *view.memories, *more)
    yield from (Known(text, topic, "lore") for topic, text in view.persona.lore)
    yield Known(view.description, kind="place")


def _score(question: Question, item: Known, view: View) -> float:
    """Return how much of the question an item answers; 0.0 where it is no answer at all."""
    by_me = item.who == view.persona.name
    if not item.text or item.kind in _NOT_WORDS or (item.who and by_me != question.of_mine):
        return 0.0
    who, heard = _of_name(item.who), item.text.lower()
    unnamed = question.about - who - _subject(item, view)
    if not question.said_by <= who or any(one.removesuffix("y") not in heard for one in unnamed):
        return 0.0
    has = meanings(item.text)
    if not unnamed <= has or (question.open and not has - question.stems - question.about):
        return 0.0
    total = sum(map(weight, question.stems))
    found = sum(weight(one) for one in question.stems & has)
    share = found / total if total else _about(item) if question.about else 0.0
    return 0.0 if share < ENOUGH or is_question(item.text) else share - 0.001 * len(has)


def _about(item: Known) -> float:
    """Return how well it tells of somebody of whom nothing special is asked: facts before talk."""
    return _ABOUT_IS_ENOUGH if item.kind in _FACTS else _ABOUT_IS_ENOUGH - 2 * A_TIE


def _subject(item: Known, view: View) -> frozenset[str]:
    """Return whom a remembered thing is about without naming them."""
    names = {"observation": view.partner.name, "lore": view.persona.name}
    return _of_name(names.get(item.kind, ""))


@lru_cache(maxsize=512)
def _of_name(name: str) -> frozenset[str]:
    return frozenset(meanings(name))


def told(item: Known, speaker: str) -> str:
    """Return a remembered thing as a clause for the speaker it came from; else empty."""
    if item.kind == "observation" or (speaker and item.text.startswith(speaker)):
        return grammar.shorten(grammar.fact_to_you(item.text, speaker))
    return grammar.shorten(grammar.said_to_you(item.text)) if item.who == speaker != "" else ""
