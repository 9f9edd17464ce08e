"""Sums of two numbers, in digits or words."""

from __future__ import annotations

from ai_assistant.language import current_language
from ai_assistant.language.plain_english import DATA, spelled_out

_OPERATORS = {sign: frozenset(words.split()) for sign, words in DATA["operators"].items()}
LARGEST, DIGITS = 1_000_000, 8
"""Numbers above this are too large to reckon with in one's head, and its digits and one more."""
TWO = 2


def reckoned(text: str, *, before: str = "") -> int | None:
    """Return the result for two whole numbers, or one and the first `before` it; None without."""
    words = spelled_out(text).split()
    numbers = [number for word in words if (number := _number(word)) is not None]
    if len(numbers) == 1:
        told = map(_number, spelled_out(before).split())
        numbers += [number for number in told if number is not None][:1]
    return _worked_out(numbers[0], numbers[1], words) if len(numbers) == TWO else None


def _number(word: str) -> int | None:
    number = int(word[:DIGITS]) if word.isdecimal() else current_language().numbers.get(word)
    return number if number is not None and number <= LARGEST else None


def _worked_out(first: int, second: int, words: list[str]) -> int | None:
    sign = next((sign for sign, some in _OPERATORS.items() if some & set(words)), "times")
    if sign == "minus":
        return first - second if first >= second else None
    if sign == "plus":
        return first + second
    if sign == "over":
        return first // second if second and first % second == 0 else None
    return first * second
