"""Thirty-two days of talk whose truth is known: what does a character know afterwards?

python -m bench.replay [--seed 7] [--days 32] [--events 10000] [--wordings FILE] [--quick]
                       [--show] [--alone rules|oracle]

About a third of the events are addressed to the character and answered by whole turns, the rest
are overheard; every night it sleeps. Two lives are led side by side: in one the offline model
reads the day, in the other a model that forgets a tenth, invents a twentieth and throws things
together. ``--show`` prints all that is wrong, ``--alone`` leads one life only.

``--wordings`` takes a JSON object of lists of templates by name; what it leaves out comes from
``bench/wordings_replay_seventh.json``. That one and the eighth were written blind: build nothing on
their lines. The names are

- the kinds of `bench.things.VALUES` and `SECRETS`, such as ``home``: how it is told, the first
  time and again;
- ``home.change``: another value is told of (may use ``{old}``); ``owns.end``: it is over;
- ``home.hearsay``: what others say of ``{who}``; ``home.question``: asked of ``{who}`` in the end;
- ``values.home``: the values;
- ``lead`` and ``tail``: what may stand before and behind any of these;
- ``junk.question``, ``junk.small talk``, ``junk.mood``, ``junk.plan``, ``junk.refusal``,
  ``junk.world`` and ``junk.instruction``: nothing lasting about anybody.

``{v}`` is the value, ``{me}`` the character's given name; junk may use ``{who}`` (another player),
``{place}``, ``{thing}`` and ``{trade}``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench import report
from bench.replay_life import POOL, Life
from bench.truth import Judgement, has_changed, knowledge

LIVES = ("rules", "oracle")


def lead(chosen: argparse.Namespace, kind: str) -> report.Figures:
    """Lead one life and return its figures."""
    began = time.perf_counter()
    life = Life(chosen, kind)
    life.live(chosen.days)
    things = life.truth.things()
    told = life.truth.judge(knowledge(life.stage))
    lost = [one for one in things if one not in told.kept]
    changed = [one for one in things if has_changed(one)]
    undecided = [one for one in changed if one not in told.kept or one in told.stale]
    asked, wrong = life.answers()
    leaks = life.leaks()
    if chosen.show:
        _show(kind, told, (*map(str, lost), *wrong, *leaks))
    nights = [day["night_s"] for day in life.days]
    return {
        "life": kind,
        "events": life.events,
        "facts": len(things),
        "items": told.items,
        "junk": dict(told.reasons),
        "junk_percent": _percent(len(told.junk), told.items),
        "lost_percent": _percent(len(lost), len(things)),
        "changed": len(changed),
        "undecided_percent": _percent(len(undecided), len(changed)),
        "asked": asked,
        "older_first_percent": _percent(len(wrong), asked),
        "most_items_a_fact": round(
            max(day["items"] / max(1, day["facts"]) for day in life.days), 3
        ),
        "bytes_a_fact": [round(day["bytes"] / max(1, day["facts"])) for day in life.days],
        "leaks": len(leaks),
        "calls_awake": sum(
            n for (asleep, job), n in life.voices.asked.items() if _is_memory(asleep, job)
        ),
        "calls_asleep": sum(n for (asleep, _), n in life.voices.asked.items() if asleep),
        "allowed": round(life.allowed),
        "noise": dict(life.voices.noise),
        "night_s": {"median": report.percentile(nights, 0.5), "max": max(nights)},
        "errors": len(life.stage.errors),
        "days": life.days,
        "seconds": round(time.perf_counter() - began, 1),
    }


def _is_memory(asleep: bool, job: str) -> bool:
    return not asleep and job not in ("chat", "assess")


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _show(kind: str, told: Judgement, wrong: Iterable[str]) -> None:
    print(f"\n-- {kind}")
    for reason, item in told.junk:
        print(f"{reason}: {item}")
    for first, again in told.twins:
        print(f"twice: {first!r} and {again!r}")
    print(*wrong, sep="\n")


ROWS = (
    ("things told", "facts"),
    ("items of knowledge", "items"),
    ("of them junk, %", "junk_percent"),
    ("told and not kept, %", "lost_percent"),
    ("things that changed", "changed"),
    ("whose last value does not stand, %", "undecided_percent"),
    ("recall asked of them", "asked"),
    ("an older value first, %", "older_first_percent"),
    ("most items a fact, any day", "most_items_a_fact"),
    ("secrets elsewhere", "leaks"),
    ("model calls for memory, awake", "calls_awake"),
    ("model calls, asleep", "calls_asleep"),
    ("  and so many were allowed", "allowed"),
    ("seconds in all", "seconds"),
)


def goals(one: report.Figures) -> list[report.Goal]:
    """Return what a life is judged by."""
    kind, allowed = one["life"], one["allowed"]
    size = one["bytes_a_fact"]
    grown = round(size[-1] / max(1, size[len(size) // 4]), 2)
    return [
        report.Goal(f"{kind}: junk", one["junk_percent"], 5, "%"),
        report.Goal(f"{kind}: facts lost", one["lost_percent"], 5, "%"),
        report.Goal(
            f"{kind}: changed things without their last value", one["undecided_percent"], 5, "%"
        ),
        report.Goal(
            f"{kind}: recall gives an older value first", one["older_first_percent"], 5, "%"
        ),
        report.Goal(f"{kind}: items a fact, on any day", one["most_items_a_fact"], 1.1),
        report.Goal(f"{kind}: bytes a fact, the last day over the first quarter", grown, 1.25),
        report.Goal(f"{kind}: secrets outside their readers", one["leaks"], 0, must=True),
        report.Goal(f"{kind}: model calls for memory, awake", one["calls_awake"], 0, must=True),
        report.Goal(f"{kind}: model calls asleep", one["calls_asleep"], allowed, must=True),
    ]


def main() -> int:
    """Lead the lives, print them side by side, and return the exit status."""
    options = argparse.ArgumentParser(description="What does a character know after many days?")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--days", type=int, default=32)
    options.add_argument("--events", type=int, default=10_000)
    options.add_argument("--wordings", default="", help="a JSON file of templates by name")
    options.add_argument("--quick", action="store_true", help="8 days, 1600 events")
    options.add_argument("--show", action="store_true", help="print all that is wrong")
    options.add_argument("--alone", default="", choices=("", *LIVES))
    chosen = options.parse_args()
    if chosen.quick:
        chosen.days, chosen.events = 8, 1600
    kinds = [chosen.alone] if chosen.alone else LIVES
    with ProcessPoolExecutor(len(kinds)) as pool:
        lives = list(pool.map(lead, [chosen] * len(kinds), kinds))
    print(f"seed {chosen.seed}, {chosen.days} days, {sum(lives[0]['events'].values())} events\n")
    rows = [(name, *(life[key] for life in lives)) for name, key in ROWS]
    rows.append(("a night, median s", *(life["night_s"]["median"] for life in lives)))
    rows.append(("a night, longest s", *(life["night_s"]["max"] for life in lives)))
    print(report.table(("", *kinds), rows), "\n")
    every = range(0, chosen.days, max(1, chosen.days // 8))
    growth = [(day + 1, *_grown(lives, day)) for day in every]
    head = [f"{what}, {kind}" for kind in kinds for what in ("facts", "items", "bytes", "junk")]
    print(report.table(("day", *head), growth))
    figures = {
        "seed": chosen.seed,
        "wordings": Path(chosen.wordings or POOL).name,
        "lives": lives,
        "errors_logged": sum(life["errors"] for life in lives),
    }
    return report.conclude("replay", figures, [goal for life in lives for goal in goals(life)])


def _grown(lives: Sequence[report.Figures], day: int) -> list[int]:
    return [life["days"][day][key] for life in lives for key in ("facts", "items", "bytes", "junk")]


if __name__ == "__main__":
    raise SystemExit(main())
