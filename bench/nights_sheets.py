"""Sheets of `bench.nights`: JSON lists that people fill in, and what they come to.

A sheet that is there is read, never written again.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

from ai_assistant.core.contracts import Json
from bench.dialogues import Question
from bench.nights_life import Life

ARMS = ("ten memories alone", "traits and ten memories")
_YES, _NO = ("y", "yes", "right", "true", "1"), ("n", "no", "wrong", "false", "0")
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})


def write_json(path: Path, value: object) -> None:
    """Write a file of JSON that people can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


def read_json(path: Path) -> list[Json]:
    """Return the rows of a sheet."""
    rows: list[Json] = json.loads(path.read_text("utf-8"))
    return rows


def verdict(row: Json) -> bool | None:
    """Return whether a row was called right; None where nobody marked it.

    Raises ValueError for a mark that is neither yes nor no.
    """
    mark = str(row["right"]).strip().lower()
    if mark and mark not in _YES + _NO:
        raise ValueError(f"{row['id']}: {row['right']!r} is neither yes nor no")
    return mark in _YES if mark else None


# -- facts


def facts_sheet(path: Path, facts: Sequence[Json]) -> Json:
    """Write the sheet of the second reader, or read it: facts, each with its lines alone."""
    if not path.exists():
        write_json(path, [_fact(number, one) for number, one in enumerate(facts, 1)])
        print(f"{path}: {len(facts)} facts for the second reader")
        return {}
    rows = read_json(path)
    marks = [verdict(one) for one in rows]
    for one, mark in zip(rows, marks, strict=True):
        if mark is False:
            print(f"  wrong, {one['id']}: {one['fact']} ({one['why']})")
    marked = [one for one in marks if one is not None]
    print(f"{path}: {len(marked)} of {len(rows)} facts marked, {sum(marked)} right")
    return {
        "facts_marked": len(marked),
        "facts_wrong_percent": percent(len(marked) - sum(marked), len(marked)),
    }


def _fact(number: int, fact: Json) -> Json:
    lines = [f"{one['who']}: {one['says']}" for one in fact["lines"]]
    shown = {"fact": fact["fact"], "over": True} if fact["ended"] else {"fact": fact["fact"]}
    return {"id": f"f{number:03}", **shown, "lines": lines, "right": "", "why": ""}


def percent(part: int, whole: int) -> float | None:
    """Return a share in percent; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


# -- questions


def sample(questions: Iterable[Question], count: int, seed: int) -> list[Question]:
    """Return so many of the questions that have an answer, always the same of one seed."""
    answerable = [one for one in questions if one.answer]
    return random.Random(seed).sample(answerable, min(count, len(answerable)))


async def question_sheets(stem: Path, life: Life, questions: Sequence[Question], seed: int) -> None:
    """Write two sheets, each with every question once and one pack of evidence, and their key.

    Which pack stands in which sheet is drawn by lot; nobody should answer from both.
    """
    luck = random.Random(seed)
    sheets: tuple[list[Json], list[Json]] = ([], [])
    key: list[Json] = []
    for number, one in enumerate(questions, 1):
        traits, memories = await life.evidence(one.text)
        packs = [(ARMS[0], memories), (ARMS[1], traits + memories)]
        luck.shuffle(packs)
        for letter, sheet, (arm, evidence) in zip("AB", sheets, packs, strict=True):
            id = f"{letter}{number:03}"
            sheet.append({"id": id, "question": one.text, "evidence": evidence, "answer": ""})
            about = {"number": number, "question": one.text, "category": one.category}
            key.append({"id": id, "arm": arm, **about, "gold": one.answer})
    for path, rows in zip(sheet_paths(stem), sheets, strict=True):
        luck.shuffle(rows)
        write_json(path, rows)
        print(f"{path}: {len(rows)} questions for a reader")
    write_json(_key(stem), key)


def sheet_paths(stem: Path) -> tuple[Path, Path]:
    """Return the two sheets that readers fill in."""
    return stem.with_name(f"{stem.name}.A.json"), stem.with_name(f"{stem.name}.B.json")


def _key(stem: Path) -> Path:
    return stem.with_name(f"{stem.name}.key.json")


def score(stem: Path, seed: int) -> Json:
    """Score the answers of both sheets: by words they share with the gold, and by a judge's sheet.

    That is written once all are answered, in an order that tells nothing of the packs.
    """
    answers = {one["id"]: one["answer"] for path in sheet_paths(stem) for one in read_json(path)}
    key = read_json(_key(stem))
    empty = sum(not str(answer).strip() for answer in answers.values())
    if empty:
        print(f"{stem}: {empty} of {len(answers)} answers are missing")
        return {}
    shared = {arm: [f1(answers[one["id"]], one["gold"]) for one in key if one["arm"] == arm]
              for arm in ARMS}  # fmt: skip
    figures: Json = {f"f1 of {arm}": round(mean(values), 3) for arm, values in shared.items()}
    judged = stem.with_name(f"{stem.name}.judge.json")
    if not judged.exists():
        rows = [
            {"id": one["id"], "question": one["question"], "gold": one["gold"],
             "answer": answers[one["id"]], "right": "", "why": ""}
            for one in key
        ]  # fmt: skip
        random.Random(seed + 1).shuffle(rows)
        write_json(judged, rows)
        print(f"{judged}: {len(rows)} answers for the judge")
        return figures
    return figures | _judged(key, {one["id"]: verdict(one) for one in read_json(judged)})


def _judged(key: Sequence[Json], marks: dict[str, bool | None]) -> Json:
    """Return the share of right answers by arm, where both of a question were judged."""
    pairs: dict[int, dict[str, bool]] = {}
    for one in key:
        mark = marks[one["id"]]
        if mark is not None:
            pairs.setdefault(one["number"], {})[one["arm"]] = mark
    whole = [pair for pair in pairs.values() if len(pair) == len(ARMS)]
    found = Counter((pair[ARMS[0]], pair[ARMS[1]]) for pair in whole)
    return {
        "questions_judged": len(whole),
        **{f"right, % of {arm}": percent(sum(one[arm] for one in whole), len(whole))
           for arm in ARMS},
        "right_by_memories_only": found[True, False],
        "right_with_traits_only": found[False, True],
    }  # fmt: skip


def f1(answer: object, gold: object) -> float:
    """Return how far two answers share their words, from 0 to 1."""
    one, other = (Counter(_words(text)) for text in (answer, gold))
    same = (one & other).total()
    return 2 * same / (one.total() + other.total()) if same else 0.0


def _words(text: object) -> list[str]:
    return [word for word in _WORD.findall(str(text).lower()) if word not in _ARTICLES]
