"""What the worst texts cost: CPU of every function that takes text, by its length.

python -m bench.texts [--only NAME] [--quick]

Each public function of `core`, `language`, `memory`, `roleplay` and `llm` that takes text, and some
of `agent`, is fed with one piece repeated, for each of `PIECES`. For 1,000 characters it may take
5 ms, and for twice the text no more than two and a half times as long.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from operator import attrgetter
from random import Random
from string import ascii_lowercase

from bench.report import Goal, conclude, table
from bench.texts_fed import SHORT, Fed, fed
from bench.texts_table import EXEMPT, MAKERS

_PLAIN = (
    "ab ab ab x ", "ab ", "a ", "Ab ", "Ab, ", "a, ", "@a ", "and ", "one ", "is not ", "a. ", "! ",
    "I am Ab. ", "Ab whispers to Ab: ", "a: ", "a-b", "I don't. ", '"Ab," ', "Edric, said ",
    "(", "[", "{", '[{"a": ', '{"a":', '"', "'a' ", "`", "*", "*a ", "|", "/", "\\", "_", "-",
    "<", "<b>", "<think>", "{{char}}", "://", "$", " ", "\t", "\n", "\n- ", "a\n\n",
    "1", "1.", "1,", "1 ", ".", "!", "?", "…", "e\u0301", "\u0301", "aя漢 ", "漢", "ß", "\u202e",
    "<tool_call>", "</think>", "```", "emote: a\n", "Thought:", "> ", "1. ", "[give(", 'give(to="',
    "<give><to>", "give(", "give ", 'give"', "`give(", "give {", "<give ", "tool=",
    "*whispers* ", "(whispers ", "whispers: ", "<whispers", '"a," b ', "[a](", "p1 ", "#",
    "<|im_start|>assistant",
)  # fmt: skip
"""What hostile texts are made of."""
BEGUN = {
    **dict.fromkeys(('"a" ', "{ ]\n", '1"a"', "<'", '-"a"', '.: "a"'), "["),
    **{"Mira ": "Mira: ", "ab_": "@", '\\"': '"'},
}
"""Pieces that are worst behind something else, with what that is."""
TOLD = (
    "at 5 ", "day 5, ", "5 days ago ", "the next day, ", "no, ", "if I ", "monday and ",
    "2026-11-29 ", "Ab and Ab ", "last 5 ",
)  # fmt: skip
"""What languages look for: times, numbers, names, and how somebody begins."""
MADE_UP = "made up "
"""Stands for words that are all new: what is repeated is looked up once, and costs nothing more."""
PIECES = (*_PLAIN, *BEGUN, *TOLD, MADE_UP)
MOST_MS = 5.0
"""For 1,000 characters."""
MOST_GROWTH = 2.5
NOISE = 0.001
"""Seconds below which the clock tells nothing."""
HOPELESS = 0.1
"""Seconds for 1,000 characters after which no longer text is tried."""
SCREENED = 400
"""Characters with which the worst pieces for a function are found."""
SIZES, LONG_SIZES = (2000, 16_000), (25_000, 200_000)
"""Characters between which growth is measured: doubled, doubled again, and once more."""
USUAL = 0.0006
"""Seconds that `pace` takes on a quiet core."""
TRIES = (1, 3, 9, 21)
"""How often something is measured; again where it looks too dear."""
_CHANCE = Random(13)
_NUMBERS = count()
"""No text comes twice: it might be remembered."""
WORST = 2
"""Pieces of each function that are looked at closely: those that took longest."""
SHOWN = 15


@dataclass(frozen=True, slots=True)
class TextCost:
    """What a function takes for the texts that are worst for it."""

    name: str
    piece: str
    ms: float
    """For 1,000 characters."""
    growth: float
    """What twice the text takes, in times: the mean of three doublings."""

    def __str__(self) -> str:
        return f"{self.name} of {self.piece!r}: {self.ms:.2f} ms, {self.growth:.1f} times"


def seconds(function: Fed, piece: str, size: int, times: int = 1) -> float:
    """Return the least CPU time of so many calls, each with a text of its own."""
    spent = []
    for _ in range(times):
        text = BEGUN.get(piece, "") + _filled(piece, size) + f" {next(_NUMBERS)}x"
        given = function.arguments(text)
        began = time.thread_time()
        function.call(given)
        spent.append(time.thread_time() - began)
    return min(spent)


def _filled(piece: str, size: int) -> str:
    if piece != MADE_UP:
        return piece * (size // len(piece))
    begun = "ab " * (SHORT // 3)  # of this the other arguments are made, and stay what they are
    return begun + " ".join(
        "".join(_CHANCE.choices(ascii_lowercase, k=4)) for _ in range((size - SHORT) // 5)
    )


def pace() -> float:
    """Return how many times slower this machine is just now than a quiet core; at least 1."""
    took = []
    for _ in range(5):
        began = time.thread_time()
        sum(number * number for number in range(10_000))
        took.append(time.thread_time() - began)
    return max(1.0, min(took) / USUAL)


def costs(
    functions: Iterable[Fed],
    sizes: tuple[int, int] = SIZES,
    pieces: Sequence[str] = PIECES,
    most_ms: float = MOST_MS,
) -> Iterator[TextCost]:
    """Yield what the worst pieces cost in each function; above `most_ms` it is measured again."""
    gc.disable()
    try:
        for function in functions:
            took = {piece: seconds(function, piece, SCREENED) for piece in pieces}
            for piece in sorted(took, key=lambda piece: -took[piece])[:WORST]:
                yield _closer_look(function, piece, sizes, most_ms)
    finally:
        gc.enable()


def _closer_look(function: Fed, piece: str, sizes: tuple[int, int], most_ms: float) -> TextCost:
    """Measure again what looks too dear: a noisy machine is no fault of the function."""
    ms = growth = 0.0
    for times in TRIES:
        ms = seconds(function, piece, 1000, times) * 1000
        if ms <= most_ms:
            break
        ms /= pace()
    if ms > HOPELESS * 1000:
        return TextCost(f"{function.name}({function.long})", piece, ms, math.inf)
    for times in TRIES:
        growth = _growth(function, piece, sizes, times)
        if growth <= MOST_GROWTH:
            break
    return TextCost(f"{function.name}({function.long})", piece, ms, growth)


def _growth(function: Fed, piece: str, sizes: tuple[int, int], times: int) -> float:
    """Return what a doubling takes between two sizes; what stays below the noise does not grow."""
    shorter, longer = (seconds(function, piece, size, times) for size in sizes)
    doublings = math.log2(sizes[1] / sizes[0])
    return (longer / max(shorter, NOISE)) ** (1 / doublings)


def main() -> int:
    """Measure and print; returns 0, for what is slow here may be fast elsewhere."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", default="", help="functions whose name holds this")
    options.add_argument("--quick", action="store_true", help=f"texts up to {SIZES[1]:,}")
    chosen = options.parse_args()
    functions = [one for one in fed(MAKERS, EXEMPT) if chosen.only in one.name]
    found = list(costs(functions, SIZES if chosen.quick else LONG_SIZES))
    heads = {"ms": "ms per 1,000", "growth": "twice the text, times"}
    for by, head in heads.items():
        worst = sorted(found, key=attrgetter(by), reverse=True)[:SHOWN]
        rows = ((one.name, repr(one.piece), getattr(one, by)) for one in worst)
        print(table(("function", "piece", head), rows), end="\n\n")
    dearest, steepest = (max((getattr(one, by) for one in found), default=0.0) for by in heads)
    goals = [
        Goal("1,000 characters of anything", round(dearest, 2), MOST_MS, "ms"),
        Goal("twice the text", round(steepest, 2), MOST_GROWTH, "times"),
    ]
    figures = {"functions": len(functions), "ms": dearest, "growth": steepest, "errors_logged": 0}
    return conclude("texts", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
