"""A long dialogue of two people as its days to a character of ours, with a night after each.

python -m bench.nights FILE [--dialogue conv-26] [--box DIR [--endpoint URL | --drafts]]
                       [--facts FILE] [--sheet FILE] [--questions STEM [--count 60] [--seed 7]]

FILE is in the format of LoCoMo. Without a box the offline model reads the days. A box keeps every
answer: what it holds is not asked again, what it lacks is asked at the endpoint, and where there is
none the run ends. So a run that was cut short goes on where it was. ``--drafts`` lays all requests
into the box as they are while nothing is known, for whoever wants to prepare answers.
`bench/README.md` says what the sheets are for, and who fills them in.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ai_assistant.core.contracts import Json
from ai_assistant.llm.model_profiles import Profile
from bench import nights_sheets as sheets
from bench import report
from bench.dialogues import Dialogue, load
from bench.nights_life import Life, Night
from bench.nights_voice import Unanswered, voice_of

HEAD = ("night", "lines", "kept", "again", "doubted", "refused", "calls", "tokens", "answered")


def cells(night: Night) -> tuple[int, ...]:
    """Return the figures of a night, as its row of the table has them."""
    lists = (night.facts, night.merged, night.doubted, night.refused)
    return (night.lines, *map(len, lists), night.calls, night.sent, night.got)


def tell(nights: Sequence[Night]) -> report.Figures:
    """Print what became of the days; return the sums."""
    rows = [(f"{one.number}, {one.day}", *cells(one)) for one in nights]
    whole = tuple(map(sum, zip(*(cells(one) for one in nights), strict=True)))
    print(report.table(HEAD, [*rows, ("all", *whole)]))
    refused = [one for night in nights for one in night.refused]
    print(f"\nRefused: {len(refused)}")
    for one in refused:
        print(f"  {one['fact']!r}: {one['why']}")
    bases = Counter(one["basis"] for night in nights for one in night.facts)
    figures = dict(zip(HEAD[1:], whole, strict=True))
    return {"nights": len(nights), **figures, "basis": dict(bases)}


def write_facts(path: Path, facts: Sequence[Json]) -> None:
    """Write one fact a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in facts)
    path.write_text("".join(lines), "utf-8")


async def play(dialogue: Dialogue, chosen: argparse.Namespace) -> int:
    """Live through a dialogue, and write or read what was asked for; returns the exit status."""
    profile = Profile(
        "reader",
        provider="local",
        base_url=chosen.endpoint,
        model=chosen.model,
        key=os.environ.get(chosen.key_env, ""),
        timeout=chosen.patience,
    )
    voice = voice_of(chosen.box, profile, drafts=chosen.drafts)
    life, nights, cut = Life(dialogue, voice), list[Night](), ""
    try:
        async for night in life.live():
            nights.append(night)
            print(f"night {night.number}: {len(night.facts)} facts", file=sys.stderr, flush=True)
    except Unanswered as why:
        cut = str(why)
    finally:
        await voice.close()
    figures: report.Figures = {"dialogue": dialogue.name, **(tell(nights) if nights else {})}
    facts = [one for night in nights for one in night.facts]
    if chosen.facts:
        write_facts(chosen.facts, facts)
    if cut:
        print(f"\nEnded in night {len(nights) + 1}: {cut}")
    elif not chosen.drafts:
        figures |= await judged(life, facts, chosen)
    return report.conclude("nights", {**figures, "errors_logged": len(life.stage.errors)},
                           goals(figures))  # fmt: skip


async def judged(life: Life, facts: Sequence[Json], chosen: argparse.Namespace) -> report.Figures:
    """Write the sheets that are not there yet, and read those that are."""
    figures: report.Figures = {}
    print()
    if chosen.sheet:
        figures |= sheets.facts_sheet(chosen.sheet, facts)
    if chosen.questions and not sheets.sheet_paths(chosen.questions)[0].exists():
        asked = sheets.sample(life.dialogue.questions, chosen.count, chosen.seed)
        await sheets.question_sheets(chosen.questions, life, asked, chosen.seed)
    elif chosen.questions:
        figures |= sheets.score(chosen.questions, chosen.seed)
    for name, figure in figures.items():
        print(f"  {name}: {figure}")
    return figures


def goals(figures: report.Figures) -> list[report.Goal]:
    """Return what was asked of the facts and of the answers, as far as they were judged."""
    found = []
    if figures.get("facts_marked"):
        found.append(report.Goal("facts wrong", figures["facts_wrong_percent"], 5, "%"))
        found.append(report.Goal("facts short of a hundred", 100 - figures["facts_marked"], 0))
    if figures.get("questions_judged"):
        alone, both = (figures[f"right, % of {arm}"] for arm in sheets.ARMS)
        found.append(report.Goal("memories alone, ahead of both", round(alone - both, 1), -0.1))
    return found


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--dialogue", default="", help="its name; the first of the file")
    parser.add_argument("--box", type=Path, help="the folder of requests and answers")
    parser.add_argument("--endpoint", default="", help="with --box: base URL of a model, …/v1")
    parser.add_argument("--model", default="default", help="the model's name there")
    parser.add_argument("--key-env", default="", help="the environment variable of its key")
    parser.add_argument("--patience", type=float, default=600.0, help="seconds for an answer")
    parser.add_argument("--drafts", action="store_true", help="only lay the requests into the box")
    parser.add_argument("--facts", type=Path, help="write the kept facts here, one JSON a line")
    parser.add_argument("--sheet", type=Path, help="the second reader's sheet")
    parser.add_argument(
        "--questions", type=Path, help="the beginning of the readers' sheets' names"
    )
    parser.add_argument("--count", type=int, default=60, help="questions of the sample")
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    if not chosen.box and (chosen.endpoint or chosen.drafts):
        parser.error("an endpoint, and drafts, need a --box")
    if chosen.drafts and chosen.box.exists():
        parser.error("drafts go into a folder of their own")
    if not chosen.path.exists():
        print(f"skipped: there is no {chosen.path}")
        return 0
    dialogues = {one.name: one for one in load(chosen.path)}
    name = chosen.dialogue or next(iter(dialogues))
    if name not in dialogues:
        parser.error(f"no dialogue {name!r}; there are {', '.join(dialogues)}")
    return asyncio.run(play(dialogues[name], chosen))


if __name__ == "__main__":
    sys.exit(main())
