"""Answers from memory: what somebody said, what was noted, what the persona has always known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ai_assistant.language import keeps_texts
from ai_assistant.language.words import clipped
from ai_assistant.llm.offline import english
from ai_assistant.llm.offline.intents import REMEMBER, SINGLE, Asker, Intent, is_question
from ai_assistant.llm.offline.persona_answers import shared_interest
from ai_assistant.llm.offline.request_view import Remark, RequestView, remarks

ENOUGH = 0.6
"""The share of a question's meaning that an answer must cover."""
A_TIE = 0.02
"""Answers that differ by less are as good as each other, but for their length."""
_ABOUT_IS_ENOUGH = 0.7
_OPEN = frozenset(english.DATA["open"].split())
_ABOUT_ME = frozenset("i me my mine myself we our us".split())
_ABOUT_YOU = frozenset("your yours yourself".split())
_OF_MINE = re.compile(
    r"\b(?:did|have) you (?:say|said|tell|told|promise)|\byou (?:said|promised)\b"
)
_SAID_BY = re.compile(r"\b(?:did|has) (?!i\b|you\b|we\b)(\w+) (?:say|said|tell|told|mention)\b")
_NOT_WORDS = frozenset({"pose", "emote", "move", "gift", "deed"})
_LONGEST = 200
"""Characters of what is remembered that are spoken."""
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
        asked = SINGLE["FRAME"].sub("", english.spelled_out(text))
        words, by = asked.split(), _SAID_BY.search(asked)
        said_by = english.meanings(by[1]) if by else set()
        named = said_by | english.meanings(" ".join(english.capitalised(text)))
        named |= english.meanings(speaker) if _ABOUT_ME & set(words) else set()
        named |= english.meanings(me) if _ABOUT_YOU & set(words) else set()
        is_open = not words or words[0] in _OPEN
        return cls(
            english.meanings(text) - named, named, is_open, bool(_OF_MINE.search(asked)), said_by
        )


def _best(view: RequestView, question: Question, more: Iterable[Remark] = ()) -> Remark | None:
    """Return what answers best of all that is remembered and `more`, the latest first."""
    best, best_score = None, 0.0
    for item in (
        *(*reversed(view.stream), *view.observations, *view.memories, *more, *view.persona.lore),
        Remark(text=view.description, kind="place"),
    ):
        score = _score(question, item, view)
        if score > best_score + A_TIE:  # what came first is the later word
            best, best_score = item, score
    if best is None or best.kind in {"lore", "place", "observation"}:
        return best
    parts = [REMEMBER.sub("", part) for part in english.clauses(best.text, view.persona.name)]
    telling = max(
        parts, key=lambda part: len(question.stems & english.meanings(part)), default=best.text
    )
    return replace(best, text=telling)


def _score(question: Question, item: Remark, view: RequestView) -> float:
    by_me = item.name == view.persona.name
    if not item.text or item.kind in _NOT_WORDS or (item.name and by_me != question.of_mine):
        return 0.0
    who, heard = _of_name(item.name), item.text.lower()
    subjects = {"observation": view.partner.name, "lore": view.persona.name}
    unnamed = question.about - who - _of_name(subjects.get(item.kind, ""))
    if not question.said_by <= who or any(stem.removesuffix("i") not in heard for stem in unnamed):
        return 0.0
    has = english.meanings(item.text)
    if not unnamed <= has or (question.open and not has - question.stems - question.about):
        return 0.0
    total = sum(map(english.how_telling, question.stems))
    found = sum(english.how_telling(stem) for stem in question.stems & has)
    facts_first = _ABOUT_IS_ENOUGH - (0 if item.kind in _FACTS else 2 * A_TIE)
    share = found / total if total else facts_first if question.about else 0.0
    return 0.0 if share < ENOUGH or is_question(item.text) else share - 0.001 * len(has)


@keeps_texts(512)
def _of_name(name: str) -> frozenset[str]:
    return frozenset(english.meanings(name))


_OF_SPEAKER = re.compile(r"\bmy\b|\b(?:do|did|am|was|have) i\b")
_OF_ME = re.compile(
    r"\byour\b|^(?:(?:\w+ ){0,2}(?:are|do|did|were)|can|have) you (?!seen|heard|know|met)"
)
KINDS = frozenset("question whois whereis topic likes have story".split())


def needs_search(asker: Asker, intent: Intent) -> str:
    """Return the words to search all memories for; empty where the answer is at hand already."""
    asked = intent.kind in KINDS and intent.kind != "story" and asker.view.may("recall")
    if not asked or _known(asker, intent, []):
        return ""
    words = " ".join(
        word for word in english.spelled_out(intent.said).split() if english.meanings(word)
    )
    about = Question.of(intent.said, asker.name, asker.view.persona.name).about
    return (
        f"{words} {asker.name}".strip()
        if about and about <= english.meanings(asker.name)
        else words
    )


def answer(asker: Asker, intent: Intent) -> str:
    """Answer from what is remembered, or admit not to know."""
    if intent.kind == "story":
        lore = [told.text for told in asker.view.persona.lore if " " in told.text]
        return asker.voice.say("story" if lore else "no_story", text=asker.voice.pick("lore", lore))
    search = asker.view.result("recall")
    lists = [rows for rows in (search.data if search else {}).values() if isinstance(rows, list)]
    if text := _known(asker, intent, [item for rows in lists for item in remarks(rows)]):
        return text
    if intent.kind in {"have", "likes"}:
        return asker.voice.say(f"{intent.kind}_not", topic=intent.what)
    words = english.spelled_out(intent.said)
    whose = "_of_you" if _OF_SPEAKER.search(words) else "_of_me" if _OF_ME.search(words) else ""
    return asker.voice.say(f"unknown{whose}")


def _known(asker: Asker, intent: Intent, found: list[Remark]) -> str:
    return _at_hand(asker, intent) or _remembered(asker, intent.said, found)


def _remembered(asker: Asker, asked: str, more: Iterable[Remark] = ()) -> str:
    found = _best(asker.view, Question.of(asked, asker.name, asker.view.persona.name), more)
    return _spoken(asker, found) if found else ""


def _spoken(asker: Asker, item: Remark) -> str:
    text, clause = clipped(item.text, _LONGEST), ""
    if item.kind == "observation" or (asker.name and item.text.startswith(asker.name)):
        clause = clipped(english.fact_to_you(item.text, asker.name), _LONGEST)
    elif item.name == asker.name != "":
        clause = clipped(english.said_to_you(item.text), _LONGEST)
    if clause:
        return asker.voice.say("recall_told", fact=clause)
    if item.kind == "lore":
        key = "recall_lore" if " " in item.text.strip() else "recall_field"
        return asker.voice.say(key, topic=item.name, text=text)
    if not item.name or item.kind == "observation":
        return asker.voice.say("recall_text", text=text)
    key = "said_what" if item.name == asker.view.persona.name else "recall_quote"
    return asker.voice.say(key, other=item.name, text=text)


def _at_hand(asker: Asker, intent: Intent) -> str:
    if intent.kind in {"whois", "whereis"}:
        return _pointed_out(asker, intent)
    if intent.kind == "have":
        item = english.pick(intent.what, asker.view.carried)
        return asker.voice.say("have", item=item.name) if item else ""
    personal = intent.kind == "likes" or _OF_ME.search(english.spelled_out(intent.said))
    shared = shared_interest(asker, intent.what or intent.said) if personal else ""
    return asker.voice.say("likes", topic=shared) if shared else ""


def _pointed_out(asker: Asker, intent: Intent) -> str:
    way = english.pick(intent.what, asker.view.exits) if intent.kind == "whereis" else None
    if way:
        return asker.voice.say("that_way", exit=way.name)
    seen = english.pick(intent.what, [*asker.view.people, *asker.view.items])
    if seen and intent.kind == "whereis":
        key = "in_hand" if seen.carried else "in_sight"
        return asker.voice.say(key, thing=english.the(seen.name))
    if not seen or seen.kind == "item":
        return ""
    description = clipped(seen.description, _LONGEST)
    text = asker.voice.say("whois", other=seen.name, description=description)
    return f"{text} {_remembered(asker, f'What of {seen.name}')}".rstrip()
