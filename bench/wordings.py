"""What `bench.latest_state` is told in: its cast, its small talk, and what a topic is."""

from __future__ import annotations

from dataclasses import dataclass

PEOPLE = "Alice Bob Carol Dorin Edda Fenn Greta Hal Ivo Jorun".split()
KIN = ("brother", "sister", "neighbour", "cousin")


@dataclass(frozen=True)
class Topic:
    """One thing that changes: its values, how it is said first, how a change is told, and asked.

    What names `{who}` is said of them by somebody else, all other lines by themselves; `{old}` is
    the value before. `aside` speaks of the same things and changes nothing.
    """

    values: tuple[str, ...]
    first: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    kin: str = ""
    aside: tuple[str, ...] = ()


TOWNS = tuple("Millbrook Thornfield Oakham Greyford Ashby Wexcombe Larkhill Dunmoor".split())
NOISE = (
    "The weather has turned, has it not?",
    "I slept badly last night.",
    "Did you hear the bells this morning?",
    "The road to {v} is muddy again.",
    "I would love to live in {v} some day.",
    "Somebody said that {other} was in {v}.",
    "Good day to you all!",
    "I think {other} works too much.",
    "Thanks, I needed that.",
    "We had a drink with {other} at the fair.",
    "What a day, I could eat a horse.",
    "Are you coming to the market with us?",
)
