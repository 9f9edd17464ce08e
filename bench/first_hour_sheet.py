"""The sheet of `bench.first_hour`: a row for each answer, and two readers' verdicts on them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ai_assistant.core.contracts import Json
from bench import report

VERDICTS = ("fitting", "dull", "wrong", "breaks the illusion")
SILENCE = "(silence)"
COLUMNS = ("number", "question", "to", "before", "wording", "answer", "verdict")
FITTING, BAD = 70.0, 5.0
"""Goals, in percent: of what fits at least, of what is wrong or breaks the illusion at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One wording of a question, with what was said before it, and what came back."""

    id: str
    to: str
    wording: str
    answer: str
    before: str = ""
    again: bool = False
    """Is it word for word what was answered before in this visit?"""

    @classmethod
    def of(cls, row: Json, wording: str | Json, answer: str, said: Sequence[str]) -> Asked:
        """Make it of a question, the wording chosen, its answer, and the answers before."""
        lines = zip(map(_typed, row.get("before", ())), said, strict=True)
        before = "\n".join(f"> {line}\n{heard or SILENCE}" for line, heard in lines)
        again = bool(answer) and answer in said
        return cls(str(row["id"]), row["to"], _typed(wording), answer, before, again)

    @property
    def shown(self) -> str:
        """The answer as readers see it; silence is told."""
        return self.answer or SILENCE


def _typed(deed: str | Json) -> str:
    return deed if isinstance(deed, str) else ", ".join(f"{key}: {deed[key]}" for key in deed)


def written(path: Path, asked: Sequence[Asked]) -> None:
    """Write the sheet that a reader fills in: the verdict is one of `VERDICTS`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for number, one in enumerate(asked, 1):
            sheet.writerow([number, one.id, one.to, one.before, one.wording, one.shown, ""])


def verdicts(path: Path) -> dict[str, str]:
    """Return one reader's verdicts by number. Raises `ValueError` for a row without a known one."""
    with path.open(encoding="utf-8", newline="") as file:
        found = {row["number"]: row["verdict"].strip().lower() for row in csv.DictReader(file)}
    for number, verdict in found.items():
        if verdict not in VERDICTS:
            raise ValueError(f"{path}, row {number}: {verdict!r} is none of {', '.join(VERDICTS)}")
    return found


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Return Cohen's kappa of two readers: 1 where they agree, 0 where only chance does."""
    count = len(pairs)
    seen = sum(one == other for one, other in pairs) / count
    firsts, seconds = (Counter(side) for side in zip(*pairs, strict=True))
    chance = sum(firsts[verdict] * seconds[verdict] for verdict in VERDICTS) / count**2
    return 1.0 if chance == 1.0 else (seen - chance) / (1.0 - chance)


def judged(first: Path, second: Path) -> int:
    """Print what two readers found and how far they agree; returns the exit status.

    Raises `ValueError` where the sheets are not of the same answers.
    """
    readers = [verdicts(first), verdicts(second)]
    if readers[0].keys() != readers[1].keys() or not readers[0]:
        raise ValueError("The two sheets are not of the same answers.")
    shares = [_shares([*reader.values()]) for reader in readers]
    both = [sum(pair) / 2 for pair in zip(*shares, strict=True)]
    rows = [(name, *row) for name, *row in zip(VERDICTS, *shares, both, strict=True)]
    print(report.table(["percent", "first reader", "second reader", "both"], rows))
    pairs = [(readers[0][number], readers[1][number]) for number in readers[0]]
    bad, fitting = both[2] + both[3], both[0]
    agreement = kappa(pairs)
    goals = [
        report.Goal("wrong, or breaking the illusion", bad, BAD, "percent"),
        report.Goal("not fitting", 100.0 - fitting, 100.0 - FITTING, "percent"),
    ]
    print(f"\nCohen's kappa: {agreement:.2f}\n", *goals, sep="\n")
    figures = {"fitting": fitting, "bad": bad, "kappa": agreement, "answers": len(pairs)}
    print(json.dumps({"bench": "first_hour judged", **figures}))
    return int(not all(goal.met for goal in goals))


def _shares(verdicts: Sequence[str]) -> list[float]:
    counts = Counter(verdicts)
    return [100.0 * counts[verdict] / len(verdicts) for verdict in VERDICTS]
