"""Answers from memory: what somebody said, what was noted, what the persona has always known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from ai_assistant.llm.offline import grammar
from ai_assistant.llm.offline.intents import REMEMBER, SINGLE, Intent, Turn, is_question
from ai_assistant.llm.offline.persona_answers import carried, shared_interest
from ai_assistant.llm.offline.plain_english import (
    DATA,
    meanings,
    names_in,
    plain,
    query,
    sentences,
    weight,
)
from ai_assistant.llm.offline.request_reader import recalled
from ai_assistant.llm.offline.request_view import Known, Seen, View, pick

ENOUGH = 0.6
"""The share of a question's meaning that an answer must cover."""
A_TIE = 0.02
"""Answers that differ by less are as good as each other, but for their length."""
_ABOUT_IS_ENOUGH = 0.7
_OPEN = frozenset(DATA["open"].split())
_ABOUT_ME = frozenset("i me my mine myself we our us".split())
_ABOUT_YOU = frozenset("your yours yourself".split())
_OF_MINE = re.compile(
    r"\b(?:did|have) you (?:say|said|tell|told|promise)|\byou (?:said|promised)\b"
)
_SAID_BY = re.compile(r"\b(?:did|has) (?!i\b|you\b|we\b)(\w+) (?:say|said|tell|told|mention)\b")
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
    if not question.said_by <= who or any(one.removesuffix("i") not in heard for one in unnamed):
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


_OF_SPEAKER = re.compile(r"\bmy\b|\b(?:do|did|am|was|have) i\b")
_OF_ME = re.compile(
    r"\byour\b|^(?:(?:\w+ ){0,2}(?:are|do|did|were)|can|have) you (?!seen|heard|know|met)"
)
KINDS = frozenset("question whois whereis topic likes have story".split())


def needs_search(turn: Turn, intent: Intent) -> str:
    """Return the words to search all memories for; empty where the answer is at hand already."""
    asked = intent.kind in KINDS and intent.kind != "story" and turn.view.may("recall")
    if not asked or _known(turn, intent, []):
        return ""
    words = query(intent.said)
    about = _question(turn, intent).about
    return f"{words} {turn.name}".strip() if about and about <= meanings(turn.name) else words


def answer(turn: Turn, intent: Intent) -> str:
    """Answer from what is remembered, or admit not to know."""
    if intent.kind == "story":
        return _story(turn)
    found = recalled(turn.view.result("recall"))
    return _known(turn, intent, found) or _unknown(turn, intent)


def _known(turn: Turn, intent: Intent, found: list[Known]) -> str:
    """Return the answer that is at hand, or among what was found; empty where there is none."""
    answer = _in_sight(turn, intent) or _carried(turn, intent) or _liked(turn, intent)
    return answer or _remembered(turn, intent, found)


def _question(turn: Turn, intent: Intent) -> Question:
    return Question.of(intent.said, turn.name, turn.view.persona.name)


def _remembered(turn: Turn, intent: Intent, more: list[Known]) -> str:
    found = find(turn.view, _question(turn, intent), more)
    return spoken(turn, found) if found else ""


def spoken(turn: Turn, item: Known) -> str:
    """Return a remembered thing in words to the one who asked."""
    clause = told(item, turn.name)
    if clause:
        return turn.voice.say("recall_told", fact=clause)
    text = grammar.shorten(item.text)
    if item.kind == "lore":
        sentence = " " in item.text.strip()
        return turn.voice.say(
            "recall_lore" if sentence else "recall_field", topic=item.who, text=text
        )
    if item.kind == "place" or not item.who or item.kind == "observation":
        return turn.voice.say("recall_text", text=text)
    if item.who in ("you", turn.view.persona.name):
        return turn.voice.say("said_what", text=text)
    return turn.voice.say("recall_quote", other=item.who, text=text)


def _in_sight(turn: Turn, intent: Intent) -> str:
    """Answer who somebody is, or where something is, by looking around."""
    if intent.kind not in {"whois", "whereis"}:
        return ""
    if intent.kind == "whereis":
        way = pick(intent.what, turn.view.of_kind("exit"))
        if way:
            return turn.voice.say("that_way", exit=way.name)
    seen = pick(intent.what, [*turn.view.of_kind(), *turn.view.of_kind("item")])
    if not seen or (intent.kind == "whois" and not seen.is_person):
        return ""
    return _pointed_out(turn, seen, intent.kind)


def _pointed_out(turn: Turn, seen: Seen, kind: str) -> str:
    if kind == "whereis":
        return turn.voice.say(
            "in_hand" if seen.carried else "in_sight", thing=grammar.the(seen.name)
        )
    about = f"What of {seen.name}"
    known = find(turn.view, Question.of(about, turn.name, turn.view.persona.name))
    more = spoken(turn, known) if known else ""
    text = turn.voice.say("whois", other=seen.name, description=grammar.shorten(seen.description))
    return f"{text} {more}".rstrip()


def _carried(turn: Turn, intent: Intent) -> str:
    if intent.kind != "have":
        return ""
    item = pick(intent.what, carried(turn))
    return turn.voice.say("have", item=item.name) if item else ""


def _liked(turn: Turn, intent: Intent) -> str:
    personal = intent.kind == "likes" or _OF_ME.search(plain(intent.said))
    shared = shared_interest(turn, intent.what or intent.said) if personal else ""
    return turn.voice.say("likes", topic=shared) if shared else ""


def _story(turn: Turn) -> str:
    told = [text for _, text in turn.view.persona.lore if " " in text]
    others = [
        one for one in turn.view.memories if one.who not in {"", turn.name, turn.view.persona.name}
    ]
    if told:
        return turn.voice.say("story", text=turn.voice.pick("lore", told))
    if others and not is_question(others[0].text):
        return spoken(turn, others[0])
    return turn.voice.say("no_story")


def _unknown(turn: Turn, intent: Intent) -> str:
    if intent.kind in {"have", "likes"}:
        return turn.voice.say(f"{intent.kind}_not", topic=intent.what)
    words = plain(intent.said)
    if _OF_SPEAKER.search(words):
        return turn.voice.say("unknown_of_you")
    if _OF_ME.search(words):
        return turn.voice.say("unknown_of_me")
    return turn.voice.say("unknown")
