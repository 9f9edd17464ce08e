"""The persona guard on sentences about the assistant itself and about everybody else.

    python -m bench.persona_guard [--seed 7] [--count 2000]

Sentences are drawn from two pools of templates that nobody built the guard on. Whom a sentence is
about, which the guard is told wherever it stands, it is not told here: it has the text alone. What
it lets through of the assistant is a false accept; what it refuses of others is a false reject. The
seed is printed, so a run can be repeated.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ai_assistant.memory.inner.persona_guard import self_reference
from bench import report

OWN = ("Captain Seraphina Stormborne",)
POOLS = ("fresh", "held_out")
PROMISED = POOLS[:1]
"""The other one also holds what the structure of a call tells the guard, not a text: a subject that
is left out, and the character as a mere object. How much of it passes is shown, and no promise."""
MOST_FALSE_ACCEPTS = 10.0
MOST_FALSE_REJECTS = 10.0
"""Percent. That a few cunning sentences pass is accepted; what is refused without need is lost."""
FILLERS = {
    "name": "Alice Bob Carol Dmitri Elspeth Farid Gwen Hamish Ines Jasper".split(),
    "other": "Kofi Lena Moira Nils Oona Pavel Quentin Rhea Sven Tamsin".split(),
    "item": "key;ring;lantern;map;sword;letter;rope;compass;shield;book".split(";"),
    "place": "mill;harbour;chapel;market;tavern;lighthouse;forge;library;bridge".split(";"),
    "quest": "intro quest;rat quest;bridge repair;lost caravan;goblin hunt".split(";"),
    "trade": "baker;smith;weaver;miller;fletcher;ferryman".split(";"),
}


@dataclass(frozen=True, slots=True)
class Pool:
    """Templates of sentences that must be refused, and of sentences that must pass."""

    name: str
    own: tuple[str, ...]
    others: tuple[str, ...]

    def draw(self, count: int, chance: random.Random) -> Iterator[tuple[str, bool]]:
        """Yield (template, must it be refused?), half of each, every template about equally."""
        for templates, refused in ((self.own, True), (self.others, False)):
            order = list(templates)
            for number in range(count // 2):
                if number % len(order) == 0:
                    chance.shuffle(order)
                yield order[number % len(order)], refused


def fill(template: str, chance: random.Random) -> str:
    """Return a template with its blanks filled."""
    chosen = {name: chance.choice(words) for name, words in FILLERS.items()}
    return template.format(**chosen)


def pool(name: str) -> Pool:
    """Return a pool of templates, by its name."""
    path = Path(__file__).with_name("persona_guard_pools") / f"{name}.txt"
    own, _, others = path.read_text(encoding="utf-8").partition("== about others\n")
    return Pool(name, _lines(own), _lines(others))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line and not line.startswith(("#", "==")))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the guard made of the sentences of one pool."""

    pool: str
    accepted: list[str]
    """The template of each sentence that was falsely accepted, and so on."""
    rejected: list[str]
    own: int
    others: int

    @property
    def accept_percent(self) -> float:
        """How many percent of what is about itself passed."""
        return round(100 * len(self.accepted) / self.own, 2)

    @property
    def reject_percent(self) -> float:
        """How many percent of what is about others was refused."""
        return round(100 * len(self.rejected) / self.others, 2)


def judge(templates: Pool, count: int, seed: int) -> Outcome:
    """Run the guard over `count` sentences of a pool."""
    accepted, rejected, own, others = [], [], 0, 0
    chance = random.Random(seed)
    for template, refused in templates.draw(count, chance):
        sentence = fill(template, chance)
        own += refused
        others += not refused
        found = self_reference(sentence, OWN)
        if refused and not found:
            accepted.append(template)
        elif found and not refused:
            rejected.append(template)
    return Outcome(templates.name, accepted, rejected, own, others)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print false accepts and rejects of both pools; returns 1 where the bar is missed."""
    parser = argparse.ArgumentParser(description="The persona guard on two pools of sentences.")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="a quarter of them")
    options = parser.parse_args(arguments)
    options.count //= 4 if options.quick else 1
    print(f"seed {options.seed}, {options.count} sentences from each pool\n")
    goals: list[report.Goal] = []
    for name in POOLS:
        found = judge(pool(name), options.count, options.seed)
        for title, lines in (("accepted", found.accepted), ("rejected", found.rejected)):
            for line in sorted(set(lines)):
                print(f"  falsely {title}: {line}")
        most = MOST_FALSE_ACCEPTS if name in PROMISED else 100.0
        goals += [
            report.Goal(f"{name}: false accepts", found.accept_percent, most, "%"),
            report.Goal(f"{name}: false rejects", found.reject_percent, MOST_FALSE_REJECTS, "%"),
        ]
    print(*goals, "", sep="\n")
    figures = {goal.name: goal.figure for goal in goals}
    told = {"bench": "persona_guard", "seed": options.seed, **figures}
    print(json.dumps({**told, "on": report.versions()}))
    return int(not all(goal.met for goal in goals))


if __name__ == "__main__":
    sys.exit(main())
