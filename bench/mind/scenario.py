"""Plays a cast on a stage, step by step, and keeps what was seen at each."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ai_assistant.testing.box import Box
from bench.mind.cast import END, Cast, Step
from bench.mind.stage import Stage

Json = dict[str, Any]
HOUSE: tuple[Json, ...] = (
    {
        "room": "cellar",
        "name": "The Cellar",
        "desc": "Barrels, a smell of apples, and a hook by the stairs. The way |wup|n leads back.",
        "from": "inn",
        "exit": "cellar",
        "back": "up",
    },
    {
        "room": "pantry",
        "name": "The Pantry",
        "desc": "Shelves to the ceiling.",
        "from": "inn",
        "exit": "pantry",
        "back": "inn",
        "locked": "The pantry is locked.",
    },
    {
        "thing": "an iron lantern",
        "in": "cellar",
        "desc": "Heavy and black; it would light a barn.",
    },
    {"thing": "a honey jar", "in": "pantry", "desc": "Heather honey."},
    {
        "thing": "a brass lantern",
        "in": "smithy",
        "desc": "Polished, and well hidden.",
        "locks": ["view:perm(Builder)", "search:perm(Builder)"],
    },
)
"""What the bench builds beside the village: a cellar, a locked pantry, a hidden lantern."""
NIGHT, PAUSE = 22.0, 2.0
"""Hours from one evening to the next, and of a pause, where the cast does not say."""
BETWEEN = 20.0
"""Seconds of the game from one step to the next, however long it took."""


@dataclass(slots=True)
class Played:
    """`states` by the step after which they were taken; `requests`: the step of each."""

    states: dict[str, Json] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)


def play(cast: Cast, stage: Stage, box: Box | None, *, loud: bool) -> Played:
    """Play all steps; every one is over before the next begins."""
    played, moments, told = Played(), cast.moments(), 0
    for stage.step, step in enumerate(cast.steps, 1):
        if loud:
            print(f"\n[{stage.step}] {_title(step)}", flush=True)
        stage.later(BETWEEN)
        perform(step, stage)
        stage.settle()
        if box:
            _note_requests(box, played, stage.step)
        if loud:
            print(
                *(f"  {one.player}: {one.text}" for one in stage.shown[told:]), sep="\n", flush=True
            )
        told = len(stage.shown)
        if step.id in moments:
            played.states[step.id] = stage.state()
    played.states[END] = stage.state()
    return played


def perform(step: Step, stage: Stage) -> None:
    """Begin one step."""
    options = step.options
    match step.verb:
        case "join":
            stage.join(options["who"])
        case "leave":
            stage.leave(options["who"])
        case "night":
            stage.night(float(options.get("hours", NIGHT)))
        case "pause":
            stage.later(float(options.get("hours", PAUSE)) * 3600)
        case "wait":
            stage.listen(float(options.get("seconds", 10.0)))
        case "staff":
            stage.staff(str(options["type"]))
        case _:
            stage.type(step.typed)


def keep(path: Path, stage: Stage, played: Played) -> None:
    """Write down what was seen, to be looked at afterwards."""
    seen = {"screens": [asdict(one) for one in stage.shown], "requests": played.requests}
    path.write_text(json.dumps(seen | {"states": played.states}, ensure_ascii=False, indent=1))


def _note_requests(box: Box, played: Played, step: int) -> None:
    for number in box.numbers():
        played.requests.setdefault(number, step)


def _title(step: Step) -> str:
    if step.verb:
        return f"{step.verb} {dict(step.options) or ''}"
    return " + ".join(f"{player}> {line}" for player, line in step.typed)
