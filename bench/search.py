"""What a search costs: milliseconds of the processor for one question among so many memories.

python -m bench.search [file in the format of LoCoMo] [--baseline DIRECTORY] [--quick]

Memories are the lines of the file's dialogues, or generated ones, in talks of some thirty lines by
many. ``--baseline`` measures another checkout of this repository beside, in turns, so that both see
the same machine: each is a process of its own, and the best of its rounds counts. What comparing
vectors adds is told apart: among all of one character, exactly.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.times import DAY
from ai_assistant.memory.search.retrieval import Index
from ai_assistant.memory.search.vectors import Vectors

SIZES = (600, 10_000)
GOALS_MS = {600: 1.0, 10_000: 6.0}
VECTORS, WIDTH = (10_000, 50_000, 200_000), 384
QUESTIONS, ROUNDS = 100, 5
LINES_OF_A_TALK = 30
WORDS = (
    "ferry river bridge mill lantern quay rope ledger storm cargo toll captain anchor barrel net "
    "harbour fish salt knot sail market bread chest key map tower wall gate guard sword shield "
    "horse cart wheel road inn ale song fiddle bell church candle well garden apple honey bee"
).split()


def lines(path: Path | None) -> Iterator[tuple[str, str]]:
    """Yield (speaker, text) without end."""
    luck = random.Random(7)
    if path is None:
        while True:
            text = f"The {' '.join(luck.choices(WORDS, k=9))} of {luck.randrange(10**6)}."
            yield f"Player{luck.randrange(40)}", text
    from bench.dialogues import load

    dialogues = load(path)
    while True:
        for dialogue in dialogues:
            yield from ((turn.speaker, turn.text) for turn in dialogue.turns)


def questions(path: Path | None) -> list[str]:
    """Return what is asked."""
    luck = random.Random(8)
    if path is None:
        return [
            f"What did Player{luck.randrange(40)} say of the {luck.choice(WORDS)} and the "
            f"{luck.choice(WORDS)}?"
            for _ in range(QUESTIONS)
        ]
    from bench.dialogues import load

    asked = [question.text for one in load(path) for question in one.questions]
    return luck.sample(asked, QUESTIONS)


def _row(id: int, text: str, who: str, talk: str, at: float) -> MemoryRow:
    """Return a line of talk as a row of memory."""
    return MemoryRow(text, id=id, author_name=who, session=talk, learned_at=at)


def measure(size: int, path: Path | None) -> float:
    """Return milliseconds of the processor for one search: the first since a memory was added.

    The words were met before: what a new one costs is paid once.
    """
    index, told = Index(), lines(path)
    for number in range(size):
        who, text = next(told)
        talk = f"talk {number // LINES_OF_A_TALK}"
        index.add(_row(number, text, who, talk, number * DAY / 100))
    asked, now = questions(path), size * DAY / 100
    best = float("inf")
    for _ in range(ROUNDS):
        spent = 0.0
        for question in asked:
            index.add(_row(0, "Good day.", "Somebody", "talk 0", 0.0))
            start = time.process_time()
            index.search(question, 10, now=now)
            spent += time.process_time() - start
        best = min(best, spent)
    return best / len(asked) * 1000


def measure_vectors() -> dict[int, float]:
    """Return milliseconds of the processor for comparing a question's vector, by how many."""
    luck, vectors, found = np.random.default_rng(7), Vectors(), {}
    slots = np.arange(max(VECTORS))
    for slot in slots:
        vectors.set(int(slot), luck.standard_normal(WIDTH).astype(np.float32), "model")
        if (size := int(slot) + 1) in VECTORS:
            spent = []
            for _ in range(ROUNDS):
                start = time.process_time()
                vectors.likeness(slots[:size], luck.standard_normal(WIDTH), "model")
                spent.append(time.process_time() - start)
            found[size] = min(spent) * 1000
    return found


def of_checkout(directory: Path, chosen: argparse.Namespace) -> dict[int, float]:
    """Return the figures of a checkout, measured there by this file."""
    call = [sys.executable, __file__, "--json", *([str(chosen.path)] if chosen.path else [])]
    env = {**os.environ, "PYTHONPATH": str(directory)}
    done = subprocess.run(call, cwd=directory, env=env, capture_output=True, text=True, check=True)
    return {int(size): ms for size, ms in json.loads(done.stdout).items()}


def main() -> int:
    """Measure and print; returns 1 where a goal is missed."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("path", type=Path, nargs="?")
    options.add_argument("--baseline", type=Path, help="another checkout to measure beside")
    options.add_argument("--json", action="store_true", help="this checkout's figures alone")
    options.add_argument("--quick", action="store_true", help="one turn in place of three")
    chosen = options.parse_args()
    if chosen.json:
        print(json.dumps({size: measure(size, chosen.path) for size in SIZES}))
        return 0
    places = {"here": Path.cwd()} | ({"baseline": chosen.baseline} if chosen.baseline else {})
    found: dict[str, list[dict[int, float]]] = {name: [] for name in places}
    for _ in range(1 if chosen.quick else 3):
        for name, place in places.items():
            found[name].append(of_checkout(place, chosen))
    best = {name: {n: min(one[n] for one in runs) for n in SIZES} for name, runs in found.items()}
    for name, figures in best.items():
        for size, ms in figures.items():
            print(f"{name:<9} {size:>7,} memories: {ms:.2f} ms of CPU a search")
    vectors = measure_vectors()
    for size, ms in vectors.items():
        print(f"vectors   {size:>7,} of {WIDTH} numbers: {ms:.2f} ms of CPU a comparison")
    met = all(best["here"][size] <= goal for size, goal in GOALS_MS.items())
    print("met" if met else "MISSED", "goals:", GOALS_MS)
    print(json.dumps({"bench": "search", **best, "vectors": vectors}))
    return not met


if __name__ == "__main__":
    sys.exit(main())
