"""A talk with a real mind: a cast types its lines in a real game, any model answers, and what must
be true afterwards is checked.

python -m bench.mind [--cast FILE] [--box DIR [--replay DIR] | --endpoint URL --model NAME]

Without an endpoint the offline model answers. With --box somebody does, by hand.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ai_assistant.testing.by_hand import ByHand
from bench import report
from bench.mind import scenario
from bench.mind.answers import Answers
from bench.mind.cast import Cast, CastError, load
from bench.mind.checker import Checker
from bench.mind.recorder import Recorder
from bench.mind.stage import Stage

CASTS = Path(__file__).parent / "casts"
QUICK, SLOW = 60.0, 900.0
"""Seconds that a model, and a person, may take for a step."""


@contextlib.contextmanager
def endpoint(options: argparse.Namespace, folder: Path) -> Iterator[Any]:
    """Serve what the game asks; yields nothing where the offline model answers."""
    if options.box:
        with ByHand(options.box, timeout=options.patience, replay=options.replay) as hand:
            yield hand
    elif options.endpoint:
        with Recorder(options.keep or folder / "box", options.endpoint) as recorder:
            yield recorder
    else:
        yield None


def settings(options: argparse.Namespace, served: Any) -> report.Figures:
    """Return the game's settings: who answers, and a clock that moves with the bench's."""
    base: report.Figures = {"TIME_FACTOR": 1.0, "TIME_IGNORE_DOWNTIMES": True}
    if served is None:
        return base
    profile = {
        "provider": "local",
        "base_url": served.url,
        "model": options.model,
        "native_tools": True,
        "timeout": min(options.patience, 600.0),
    }
    if options.key_env:
        profile["key_env"] = options.key_env
    extra = json.loads(options.profile)
    profiles = {"AI_ASSISTANT_LLM": {"default": profile | extra}}
    return base | profiles | {"AI_ASSISTANT_MODEL_TIMEOUT": profile["timeout"]}


def run(cast: Cast, options: argparse.Namespace) -> int:
    """Play and judge; returns the exit status."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mind") as name:
        folder = Path(name)
        with endpoint(options, folder) as served:
            if served:
                print(
                    f"{served.name} listens on {served.url}; its box: {served.box.folder}",
                    flush=True,
                )
            box = served.box if served else None
            stage = Stage(folder, settings(options, served), box, options.patience)
            try:
                stage.open((*scenario.HOUSE, *cast.build))
                played = scenario.play(cast, stage, box, loud=not options.quiet)
            finally:
                stage.close()
            errors = stage.game.logs(100_000).count("Traceback")
        answers = Answers(box, played.requests) if box else None
        checker = Checker(cast, stage.shown, played.states, answers)
        if options.record:
            scenario.keep(options.record, stage, played)
        figures = {"seconds": round(time.monotonic() - began), "errors_logged": errors}
        return conclude(cast, stage, checker, answers, played, figures)


def by_tag(findings: Sequence[Any]) -> str:
    """Return a table of how many expectations there are, and how many do not hold."""
    wrong = [one for one in findings if one.wrong]
    tags = sorted({tag for one in findings for tag in one.tags})
    rows = [
        (tag, sum(tag in one.tags for one in findings), sum(tag in one.tags for one in wrong))
        for tag in tags
    ]
    return report.table(
        ("expectations", "all", "wrong"), [*rows, ("all", len(findings), len(wrong))]
    )


def conclude(
    cast: Cast,
    stage: Stage,
    checker: Checker,
    answers: Answers | None,
    played: scenario.Played,
    figures: report.Figures,
) -> int:
    """Print what was found, and return the exit status."""
    findings, leaks, raw = checker.findings(), checker.leaks(), checker.raw()
    end = played.states["end"]
    lost = answers.lost(stage.shown, tuple(end["minds"]), end["audit"]) if answers else []
    wrong = [one for one in findings if one.wrong]
    print("\n" + by_tag(findings))
    for title, texts in (
        ("Wrong", [f"{one.name}: {why}" for one in wrong for why in one.wrong]),
        ("Leaks", leaks),
        ("Raw formats spoken", raw),
        ("Lost without a reason", [_lost(one) for one in lost if not one.reason]),
        ("Not spoken, with a reason", [_lost(one) for one in lost if one.reason]),
        ("Steps not over in time", [f"step {number}" for number in stage.late]),
    ):
        print(f"\n{title}: {len(texts)}", *(f"  {text}" for text in texts), sep="\n")
    figures |= {
        "cast": cast.title,
        "lines": cast.lines,
        "expectations": len(findings),
        "not_spoken_with_reason": sum(bool(one.reason) for one in lost),
        **(answers.figures() if answers else {}),
    }
    goals = [
        report.Goal("expectations that do not hold", len(wrong), 0, must=True),
        report.Goal("leaks", len(leaks), 0, must=True),
        report.Goal("raw formats spoken", len(raw), 0, must=True),
        report.Goal(
            "lines lost without a reason", sum(not one.reason for one in lost), 0, must=True
        ),
        report.Goal("steps not over in time", len(stage.late), 0, must=True),
    ]
    return report.conclude("mind", figures, goals)


def _lost(one: Any) -> str:
    piece = one.piece
    return f"request {piece.number}, step {piece.step}: {piece.text!r} {one.reason}"


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cast", type=Path, default=CASTS / "smoke.json")
    parser.add_argument("--box", type=Path, help="the folder of the hand that answers")
    parser.add_argument("--replay", type=Path, help="with --box: a box that was answered before")
    parser.add_argument("--endpoint", help="the base URL of a model, such as http://…/v1")
    parser.add_argument("--model", default="default", help="the model's name there")
    parser.add_argument("--key-env", help="the environment variable of its key")
    parser.add_argument("--profile", default="{}", help="more options of the profile, as JSON")
    parser.add_argument("--keep", type=Path, help="with --endpoint: keep the box here")
    parser.add_argument("--record", type=Path, help="keep screens and state in this file, as JSON")
    parser.add_argument("--patience", type=float, help="seconds that a step may take")
    parser.add_argument("--check", action="store_true", help="only read the cast")
    parser.add_argument("--quick", action="store_true", help=argparse.SUPPRESS)  # as all benches
    parser.add_argument("--quiet", action="store_true", help="do not print the screens")
    options = parser.parse_args()
    options.patience = options.patience or (SLOW if options.box else QUICK)
    try:
        cast = load(options.cast)
    except CastError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{cast.title}: {cast.lines} lines, {len(cast.expect)} expectations", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and close the game on the way out
    return 0 if options.check else run(cast, options)


if __name__ == "__main__":
    sys.exit(main())
