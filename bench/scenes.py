"""Who remembers what: generated scenes, played by telnet clients in a running game.

    python -m bench.scenes [--scenes 500] [--seed 7] [--show] [--quick]

Eight stages play at the same time, each with four players and three assistants. What the screens
and the minds really got is held against what was decided and stored, and whom a line was found to
be for against whom the generator meant.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench import report
from bench.scene_judge import Tally, judge
from bench.scene_model import Actors, Register
from bench.scene_stage import Stage, cast_of
from tests.e2e.harness import ROOT, Game

STAGES = 8
LEAST = 0.95
CLOSED_LOG = "[!!] NoneType: None"
"""Said where Evennia closes the log of a channel while a thread of its own still writes to it."""
SETTINGS = {
    "BASE_CHARACTER_TYPECLASS": "bench.scene_world.StagePlayer",
    "CMDSET_CHARACTER": "bench.scene_world.StageCmdSet",
    "AI_ASSISTANT_TYPECLASS": "bench.scene_world.StageNpc",
    "AI_ASSISTANT_SCENES_A_DAY": 1000,
    "AI_ASSISTANT_DAILY_CALLS": 1_000_000,
    "AI_ASSISTANT_GAME_DAILY_CALLS": 10_000_000,
    "AI_ASSISTANT_DAILY_TOKENS": 1_000_000_000,
    "AI_ASSISTANT_GAME_DAILY_TOKENS": 10_000_000_000,
}


def play(options: argparse.Namespace) -> tuple[report.Figures, Tally]:
    """Play the scenes in a game of their own, and judge them."""
    register = Register()
    with (
        tempfile.TemporaryDirectory(prefix="scenes") as folder,
        Actors(register, _fellows().__getitem__) as model,
        _game(Path(folder), model.url) as game,
    ):
        game.open()
        stages = [Stage(game, at, register, listening=at % 4 != 3) for at in range(STAGES)]
        began = time.perf_counter()
        _together(stages, options, Path(folder))
        seconds = time.perf_counter() - began
        figures, tally = judge(game, stages, register)
        return {**figures, "seconds": seconds, "errors_logged": _errors(game)}, tally


def _fellows() -> dict[str, list[str]]:
    """Return for each assistant the others of its cast."""
    minds = ([one.name for one in cast_of(at) if one.mind] for at in range(STAGES))
    return {me: [one for one in cast if one != me] for cast in minds for me in cast}


def _game(folder: Path, model: str) -> Game:
    """Return a copy of the demo game that can import the benches, not started yet."""
    for name in ("library", "game"):
        (folder / name).mkdir()
    for name in ("bench", "tests"):
        (folder / "library" / name).symlink_to(ROOT / name)
    llm = {"default": {"base_url": model, "model": "bench", "native_tools": True}}
    return Game.village(
        folder / "game",
        settings={**SETTINGS, "AI_ASSISTANT_LLM": llm},
        python_path=f"{folder}:{folder}/library",  # Evennia's launcher drops the first
    )


def _errors(game: Game) -> int:
    """Show the end of the log if there are errors in it, and return how many."""
    lines = game.logs(1_000_000).splitlines()
    wrong = [line for line in lines if "Traceback" in line or "[!!]" in line]
    wrong = [line for line in wrong if not line.endswith(CLOSED_LOG)]
    if wrong:
        print("\n".join(lines[-60:]))
    return len(wrong)


def _together(stages: list[Stage], options: argparse.Namespace, folder: Path) -> None:
    """Let all stages play at the same time; raises what the first of them raised."""
    numbers = iter(range(options.scenes))
    lock, failures = threading.Lock(), []

    def run(stage: Stage) -> None:
        try:
            stage.open()
            while not failures:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    break
                luck = random.Random(f"{options.seed} {number}")
                stage.play(number, luck)
            stage.close(folder / f"stage{stage.number}.json")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(stage,), daemon=True) for stage in stages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def show(figures: report.Figures, tally: Tally) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    rows = [(name, *counts) for name, counts in sorted(tally.kinds.items())]
    print(report.table(("participants", "right", "wrong", "missed"), rows) + "\n")
    exact = {name: f"{figures[name]:.4f}" for name in ("precision", "recall")}
    print(report.table(("scenes", ""), {**figures, **exact}.items()) + "\n")
    zero = (
        "reached others than it should",
        "kept without having got it",
        "kept without having taken part",
        "recipients not exact",
        "rows not those of participants",
        "forgotten by its speaker",
        "not recorded",
        "unheard in a mind or prompt",
    )
    return [
        report.Goal("wrong among participants", 1 - figures["precision"], 1 - LEAST, must=True),
        report.Goal("participants missed", 1 - figures["recall"], 1 - LEAST, must=True),
        *(report.Goal(name, figures.get(name, 0), 0, must=True) for name in zero),
    ]


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", action="store_true", help="print every line that went wrong")
    parser.add_argument("--quick", action="store_true", help="fifty scenes")
    options = parser.parse_args()
    if options.quick:
        options.scenes = 50
    figures, tally = play(options)
    if options.show:
        print("\n".join(tally.faults) + "\n")
    return report.conclude("scenes", {"scenes": options.scenes, **figures}, show(figures, tally))


if __name__ == "__main__":
    sys.exit(main())
