"""Wits: sums are reckoned, and what somebody takes back is taken as they mean it."""

from __future__ import annotations

import re

from ai_assistant.language import current_language, spoken_times, turning
from ai_assistant.language import plain_english as english
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import Intent

_OPERATORS = {sign: frozenset(words.split()) for sign, words in english.DATA["operators"].items()}
MOST_WORDS = 3
"""Words of what somebody really is."""
LARGEST = 1_000_000
"""Numbers above this are too large to reckon with in one's head."""


def sum_told(asker: Asker, intent: Intent) -> str:
    """Answer a sum of two numbers; one of them may be the last that was told."""
    words = intent.words.split()
    numbers = [number for word in words if (number := _number(word)) is not None]
    if len(numbers) == 1:
        before = english.spelled_out(" ".join(asker.view.own[-1:])).split()
        numbers += [number for word in before if (number := _number(word)) is not None][:1]
    result = _reckoned(numbers, words) if len(numbers) == 2 else None
    if result is None:
        return asker.voice.say("sum_not")
    return asker.voice.say("sum", result=spoken_times.number(result))


def _number(word: str) -> int | None:
    number = int(word) if word.isdecimal() else current_language().numbers.get(word)
    return number if number is not None and number <= LARGEST else None


def _reckoned(numbers: list[int], words: list[str]) -> int | None:
    first, second = numbers
    sign = next((sign for sign, some in _OPERATORS.items() if some & set(words)), "times")
    if sign == "minus":
        return first - second if first >= second else None
    if sign == "plus":
        return first + second
    if sign == "over":
        return first // second if second and first % second == 0 else None
    return first * second


def corrected(asker: Asker, intent: Intent) -> str:
    """Take somebody at their new word: "Corvin, then." """
    given = turning.clause(re.sub(r"^(?:an?|the) ", "", intent.what)).strip()
    said = re.search(rf"\b{re.escape(given)}\b", intent.said, re.I) if given else None
    given = said[0] if said else given
    return asker.voice.say("correction", given=given if given.count(" ") < MOST_WORDS else "")
