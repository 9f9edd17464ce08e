"""How much of the evidence is found: recall on long dialogues whose questions name their evidence.

python -m bench.recall <file in the format of LoCoMo> [--language de] [--fit]

Figures are shares of the evidence turns among the first 5, 10 and 20 that a search gives, and the
like. No model and no network is used, but for MiniLM where an encoder is found on this machine.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean

from ai_assistant.language import use
from ai_assistant.memory.search.ranking import Tuning
from bench.dialogues import Dialogue, Question, load
from bench.rankers import Ranker, bm25, dense, encoder, ours, overlap, tf_idf

KS = (5, 10, 20)
BUDGETS = (500, 1500)
TOKENS_PER_CHAR = 0.25
CHANNELS = {
    "neighbours": {"window": 0.0},
    "coverage": {"coverage": 0.0},
    "replies": {"reply": 0.0, "after": 1.0},
    "speaker": {"speaker": 0.0},
    "named first": {"others": 1.0},
    "date": {"date": 0.0},
    "time words": {"time_words": 0.0},
    "questions": {"question": 0.0},
    "session": {"session": 0.0},
    "related words": {"related": 0.0},
    "recency": {"recency": 0.0},
    "repeats": {"collapse": False},
}
GRID = {
    "window": (3.0, 4.0),
    "speaker": (0.5, 1.0),
    "others": (0.3, 1.0),
    "reply": (0.0, 0.5, 1.0),
    "related": (0.2, 0.5),
}


def figures(dialogue: Dialogue, rank: Ranker) -> dict[str, float]:
    """Return the mean of every figure over the questions of a dialogue."""
    rows = [_of_question(dialogue, one, rank(one.text)) for one in dialogue.questions]
    return {name: mean(row[name] for row in rows) for name in rows[0]}


def _of_question(dialogue: Dialogue, question: Question, found: list[int]) -> dict[str, float]:
    wanted = question.evidence
    row = {f"R@{k}": len(wanted.intersection(found[:k])) / len(wanted) for k in KS}
    gain = sum(1 / math.log2(place + 2) for place, one in enumerate(found[:10]) if one in wanted)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    row["NDCG@10"] = gain / ideal
    sessions = {dialogue.turns[one].session for one in wanted}
    seen = {dialogue.turns[one].session for one in found[:10]}
    row["sessions@10"] = len(sessions & seen) / len(sessions)
    for budget in BUDGETS:
        within = wanted.intersection(_within(dialogue, found, budget))
        row[f"{budget} tokens"] = len(within) / len(wanted)
    return row


def _within(dialogue: Dialogue, found: list[int], budget: int) -> list[int]:
    kept, spent = [], 0.0
    for one in found:
        spent += len(dialogue.turns[one].text) * TOKENS_PER_CHAR
        if spent > budget:
            break
        kept.append(one)
    return kept


def measure(dialogues: Sequence[Dialogue], make: Callable[[Dialogue], Ranker]) -> list[dict]:
    """Return the figures of each dialogue."""
    return [figures(one, make(one)) for one in dialogues]


def averaged(rows: Sequence[dict]) -> dict[str, float]:
    """Return the mean over the dialogues."""
    return {name: mean(row[name] for row in rows) for name in rows[0]}


def _told(name: str, row: dict[str, float]) -> str:
    return f"{name:<28}" + "".join(f"{value:>12.3f}" for value in row.values())


def with_talk(dialogue: Dialogue, rank: Ranker, lines: int) -> Ranker:
    """Ask as in a game: behind the last lines of the talk, none of which is about the question."""
    said = [turn.text for turn in dialogue.turns[-lines:]]
    return lambda query: rank(" ".join([*said, query]))


def fitted(dialogues: Sequence[Dialogue]) -> list[float]:
    """Return R@10 of each dialogue with the weights that suit the others best."""
    names = list(GRID)
    settings = [dict(zip(names, one, strict=True)) for one in product(*GRID.values())]
    scores = [
        [row["R@10"] for row in measure(dialogues, lambda one, s=s: ours(one, Tuning(**s)))]
        for s in settings
    ]
    found = []
    for place in range(len(dialogues)):
        others = [sum(row) - row[place] for row in scores]
        found.append(scores[others.index(max(others))][place])
    return found


def compare(dialogues: Sequence[Dialogue], rows: Sequence[dict]) -> None:
    """Print our figures, `rows`, beside those of others."""
    print(f"{'':<28}" + "".join(f"{name:>12}" for name in rows[0]))
    for name, make in (("word overlap", overlap), ("TF-IDF", tf_idf), ("BM25", bm25)):
        print(_told(name, averaged(measure(dialogues, make))))
    print(_told("ours, no embedder", averaged(rows)))
    if encode := encoder():
        only = replace(Tuning(), dense=1000.0)
        print(_told("MiniLM", averaged(measure(dialogues, lambda one: dense(one, encode, only)))))
        mixed = measure(dialogues, lambda one: dense(one, encode, Tuning()))
        print(_told("ours with MiniLM", averaged(mixed)))
    else:
        print("MiniLM: no encoder was found on this machine")
    print(
        "\nR@10 by dialogue: "
        + ", ".join(f"{d.name} {r['R@10']:.3f}" for d, r in zip(dialogues, rows, strict=True))
    )


def take_apart(dialogues: Sequence[Dialogue], whole: float) -> None:
    """Print what is left of R@10, `whole`, without each channel, and within a talk."""
    print("\nWhat each channel is worth: R@10 without it")
    for name, off in CHANNELS.items():
        without = averaged(measure(dialogues, lambda one, o=off: ours(one, Tuning(**o))))["R@10"]
        print(f"  {name:<16} {without:.3f} ({without - whole:+.3f})")
    print("\nWith the last lines of the talk in the query: R@10")
    for lines in (1, 2, 3):
        found = measure(dialogues, lambda one, n=lines: with_talk(one, ours(one), n))
        print(f"  {lines} lines: {averaged(found)['R@10']:.3f}")


def main() -> int:
    """Measure everything and print it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--language", default="en", help="what is spoken in the file")
    options.add_argument("--fit", action="store_true", help="fit the weights as well (minutes)")
    chosen = options.parse_args()
    if not chosen.path.exists():
        print(f"skipped: there is no {chosen.path}")
        return 0
    use(chosen.language)
    dialogues = load(chosen.path)
    asked = sum(len(one.questions) for one in dialogues)
    print(f"{len(dialogues)} dialogues, {asked} questions with evidence\n")
    rows = measure(dialogues, ours)
    compare(dialogues, rows)
    take_apart(dialogues, averaged(rows)["R@10"])
    if chosen.fit:
        found = fitted(dialogues)
        print(f"\nFitted on the others: R@10 mean {mean(found):.3f}, worst {min(found):.3f}")
    result = {
        "bench": "recall",
        "language": chosen.language,
        **{k: round(v, 4) for k, v in averaged(rows).items()},
    }
    print("\n" + json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
