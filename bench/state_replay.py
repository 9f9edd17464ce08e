"""Whether the past is kept: random histories, rebuilt from the audit log at every moment of them.

    python -m bench.state_replay [--histories 1000] [--seed 7] [--quick]

Each history is lived in a process of its own on a copy of one game's database. After each of its
20 deeds, drawn from every way in which anything is written, all that is there is noted; deeds that
the database refuses, restarts and forgetting are among them. In the end each of these moments is
rebuilt from the audit log, and must be what was noted, without what was forgotten since.

Not drawn is what writes no state of an assistant (silence, profiles of models, tokens, pictures,
sandbox, drafts, jobs, who shares a block and how much it may hold). What the past lets go of cannot
be asked for any more, and all that came later is still told as it was.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from django.db import connections

from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.roleplay.day_summaries import RECAP
from bench import report
from bench.forgetting import Cast, come_alive, come_in, settle, warm_up
from bench.forgotten_lives import Parrot
from bench.kills import done
from bench.mortal import Tell, prepare
from bench.state_life import StateLife
from bench.state_notes import Noted, ToldStates

MOMENTS = 20
OFTEN = 100
"""So often each deed must have been done for a run to count."""
RARE = {"forget own": 0.3, "forget all": 0.3, "forget item": 0.5, "restart": 0.5, "night": 0.6}
RARE |= {"past let go": 0.3}
"""How much rarer some deeds are drawn: they take long, or leave little."""
SHOWN = 3
"""Differences of a history that are printed."""
SAID_AFTER = 100
"""Histories after which it is said how many were lived."""


def led(life: StateLife, names: Sequence[str]) -> list[str]:
    """Lead a life by the names of its deeds; returns what of its moments is told otherwise."""
    for name in names:
        life.does(name)
        life.notes.append(Noted(life.minds))
    log = ToldStates()
    return [
        f"after {number} ({names[number]}): {difference}"
        for number, note in enumerate(life.notes)
        for difference in note.differences(log)
    ]


class Dreamer(Parrot):
    """A parrot awake; asleep it does the jobs of a night as the offline model does."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer."""
        if request.job in ("chat", "assess") or request.context_type == RECAP:
            return await super().complete(request)
        return await OfflineModel().complete(request)


def drawn(life: StateLife) -> list[str]:
    """Return the names of deeds, drawn at random."""
    names = [*life.deeds()]
    weights = [RARE.get(name, 1.0) for name in names]
    return life.chance.choices(names, weights, k=MOMENTS)


def lived(tell: Tell, seed: int, cast: Cast) -> report.Figures:
    """Live a history; returns what was done, and what is told otherwise."""
    from django.conf import settings

    if seed % 3 == 0:
        settings.AI_ASSISTANT_MEMORY_STORE = "bench.state_life.shelf"
    life = come_alive(seed, "own", StateLife, Dreamer(), cast)
    names = drawn(life)
    wrong = led(life, names)
    elsewhere = {"talk kept elsewhere": MOMENTS * (seed % 3 == 0)}
    tally = dict.fromkeys(life.deeds(), 0) | life.done | elsewhere
    return {"done": tally, "wrong": wrong}


def let_in(database: Path) -> Cast:
    """Let the players in once for all histories, each of which is a fork of this process."""
    connections["default"].settings_dict["NAME"] = str(database)
    cast = come_in()
    connections.close_all()
    gc.freeze()  # a fork then neither walks nor copies what is there already
    return cast


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was told otherwise, and how often each deed was done; returns the exit status.

    Whoever interrupts it is told of those that were lived until then.
    """
    parser = argparse.ArgumentParser(description="Random histories, rebuilt at every moment.")
    parser.add_argument("--histories", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="a fiftieth of them")
    options = parser.parse_args(arguments)
    count = options.histories // (50 if options.quick else 1)
    start, tally, ends = time.perf_counter(), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="bench") as name, suppress(KeyboardInterrupt):
        folder = Path(name)
        prepared = prepare(folder, model="")
        done(prepared, settle)
        warm_up()
        cast = let_in(prepared)
        for number in range(count):
            live_one(folder, prepared, cast, options.seed * 100_000 + number, tally, ends)
            if (number + 1) % SAID_AFTER == 0:
                print(f"{number + 1} of {count}: {ends['wrong']} told otherwise", flush=True)
    return report.conclude(
        "state_replay", *shown(tally, ends, time.perf_counter() - start, options)
    )


def live_one(
    folder: Path, prepared: Path, cast: Cast, seed: int, tally: Counter[str], ends: Counter[str]
) -> None:
    """Live one history on a copy of the prepared game, count its deeds and how it ended."""
    database = folder / "life.db3"
    for old in folder.glob("life.db3*"):
        old.unlink()
    shutil.copy(prepared, database)
    try:
        told = done(database, lived, seed, cast)
    except RuntimeError as error:
        ends["failed"] += 1
        print(f"seed {seed}: {error}")
    else:
        tally.update(told["done"])
        ends["wrong"] += bool(told["wrong"])
        for line in told["wrong"][:SHOWN]:
            print(f"seed {seed}: {line}")
    ends["lived"] += 1


def shown(
    tally: Counter[str], ends: Counter[str], seconds: float, options: argparse.Namespace
) -> tuple[report.Figures, list[report.Goal]]:
    """Print how often each deed was done; returns the figures, and the goals."""
    count = ends["lived"]
    print(report.table(("deed", "times"), sorted(tally.items())), "", sep="\n")
    print(f"{seconds / max(1, count):.2f} s a history of {MOMENTS} moments\n")
    figures = {"histories": count, "moments": count * MOMENTS, "deeds": dict(tally)}
    figures |= {"seed": options.seed, "seconds": round(seconds, 1)}
    figures |= {"errors_logged": ends["failed"]}
    rare = sum(n < OFTEN for n in tally.values())
    return figures, [
        report.Goal("histories told otherwise", ends["wrong"], 0, must=True),
        report.Goal("histories that broke off", ends["failed"], 0, must=True),
        report.Goal(f"deeds done less than {OFTEN} times", rare, 0, must=not options.quick),
    ]


if __name__ == "__main__":
    sys.exit(main())
