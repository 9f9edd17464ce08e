"""Answers from memory: what somebody said, what was noted, what the persona has always known."""

from __future__ import annotations

import re

from ai_assistant.llm.offline import grammar, memory
from ai_assistant.llm.offline.answers import carried, shared_interest
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.memory import Question
from ai_assistant.llm.offline.reading import recalled
from ai_assistant.llm.offline.turn import Turn, pick
from ai_assistant.llm.offline.view import Known, Seen
from ai_assistant.llm.offline.words import meanings, plain, query

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
    found = memory.find(turn.view, _question(turn, intent), more)
    return spoken(turn, found) if found else ""


def spoken(turn: Turn, item: Known) -> str:
    """Return a remembered thing in words to the one who asked."""
    clause = memory.told(item, turn.name)
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
    known = memory.find(turn.view, Question.of(about, turn.name, turn.view.persona.name))
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
    if others and not memory.is_question(others[0].text):
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
