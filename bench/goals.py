"""Goals: what twenty characters reach of their own accord in a day, and what each goal costs.

python -m bench.goals [--hours 26] [--quick]

The real core on a clock that is wound by hand, as in bench.autonomy. Everybody has three goals: to
fetch a thing from three rooms off; the same behind a way that opens after some hours; and to tell
somebody who comes later still. The model has no memory of its own: it reads goal, place and things
from each request, as a mind would, takes the next step, and says so where it cannot go on.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from itertools import count
from statistics import median
from typing import ClassVar

from ai_assistant.core.contracts import (
    Change,
    Commit,
    Json,
)
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import OPEN
from ai_assistant.planning.goal_tree import COMPLETED, is_open
from ai_assistant.planning.goals import current_goals, new_goal
from ai_assistant.testing import Stage, people
from bench.report import Figures, Goal, conclude, table
from bench.town import CHARACTERS, HEARTBEAT, ROOMS, Life, Town

HOUR = 3600.0
NOON = 12 * HOUR
OPENS, COMES = 2.0, 4.0
"""Hours after which the closed way opens, and after which somebody comes."""
FETCH = "Bring the lantern from the harbour to the inn"
BEHIND = "Bring the rope from the cellar to the inn"
TELL = "Tell Mira that the ferry is in"
KINDS = {"goal_0_0": "fetch", "goal_0_1": "fetch, closed at first", "goal_0_2": "tell who comes"}
CALLS_A_DAY = 480
CALLS = 6
"""Calls that a goal may cost on average."""
(MIRA,) = people("Mira")


class Worker(Model):
    """A model that takes the next step of the goal it is shown, by what the request says."""

    _FETCHES = re.compile(r"Bring the (?P<thing>\w+) from the (?P<place>\w+) to the (?P<home>\w+)")
    _GOAL: ClassVar = re.compile(r'Work on (?P<id>goal_\w+): "(?P<words>[^"]+)"')

    def __init__(self) -> None:
        self._ids = count(1)
        self.calls = self.tokens = 0
        self.spent: Counter[str] = Counter()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the acts of the next step, or silence."""
        page = "\n".join(message.content for message in request.messages)
        self.calls += 1
        found = self._GOAL.search(page)
        last = request.messages[-1]
        is_done = last.role == "tool" and '"ok": true' in last.content
        acts = self._acts(page, found["id"], found["words"]) if found and not is_done else []
        self.spent[found["id"] if found else ""] += 1
        made = tuple(ToolCall(f"c{next(self._ids)}", name, given) for name, given in acts)
        return ModelReply(tool_calls=made, usage=TokenUsage(len(page) // 4, 20, known=True))

    def _acts(self, page: str, goal: str, words: str) -> list[tuple[str, Json]]:
        done = ("update_goal", {"goal_id": goal, "status": "completed", "outcome": "Done."})
        asked = self._FETCHES.search(words)
        if not asked:
            if MIRA.name in page.partition("## Here with you")[2].partition("##")[0]:
                return [("say", {"text": f"{MIRA.name}, the ferry is in."}), done]
            later = {"goal_id": goal, "status": "waiting", "waits_for": MIRA.name}
            return [("update_goal", later | {"outcome": "She is not here."})]
        thing, place, home = asked["thing"], asked["place"], asked["home"]
        here = re.search(r"You are at the (\w+)", page)
        at = here[1] if here else ""
        carries = re.search(rf"[Yy]ou carry:?[^\n]*\b{thing}\b", page)
        if carries and at == home:
            return [("put_down", {"item": thing}), done]
        if carries:
            return [("move", {"to": f"the {home}"})]
        if at == place:
            return [("take", {"item": thing}), ("move", {"to": f"the {home}"})]
        if '"ok": false' in page:
            hindered = {"goal_id": goal, "status": "blocked", "outcome": "There is no way there."}
            return [("update_goal", hindered)]
        return [("move", {"to": f"the {place}"})]


def settle(stage: Stage, number: int) -> None:
    """Let a character be at the inn with its goals, and its things where they are to be fetched."""
    at, world = stage.clock.now(), stage.world
    world.place, world.place_name = ROOMS[0], f"the {ROOMS[0]}"
    world.lay("lantern", place="harbour")
    world.lay("rope", place="cellar")
    world.put(MIRA, "far away")
    goals = [
        new_goal(id, words, at=at, readers=OPEN, priority=priority)
        for (id, words), priority in zip(
            zip(KINDS, (FETCH, BEHIND, TELL), strict=True),
            ("medium", "medium", "high"),
            strict=True,
        )
    ]
    steps = [Change("goals", "", "add_goal", {"goal": goal, "at": at}) for goal in goals]
    stage.store.commit(Commit(at, changes=steps))


def live(hours: float, characters: int) -> Figures:
    """Return what was reached of each kind of goal, when, and how many calls each took."""
    worker = Worker()
    town = Town(model=worker, settle=settle, calls_a_day=CALLS_A_DAY)
    town.people(characters)
    begun, reached = town.clock.now(), {}
    for _ in range(int(hours * HOUR / HEARTBEAT)):
        town.clock.advance(HEARTBEAT)
        passed = (town.clock.now() - begun) / HOUR
        for life in town.lives:
            happen(life, passed)
        town.beat()
        for number, life in enumerate(town.lives):
            for goal in current_goals(life.stage.store.read("goals")):
                if goal["status"] == COMPLETED and goal["id"] in KINDS:
                    reached.setdefault((number, goal["id"]), passed)
    return {
        "characters": characters,
        "calls": worker.calls,
        "kinds": {
            name: {
                "reached": sum(id == key for _, id in reached),
                "hours": round(
                    median([at for (_, id), at in reached.items() if id == key] or [0]), 2
                ),
                "calls": round(worker.spent[key] / characters, 1),
            }
            for key, name in KINDS.items()
        },
        "left_open": sum(
            is_open(goal)
            for life in town.lives
            for goal in current_goals(life.stage.store.read("goals"))
        ),
    }


def happen(life: Life, passed: float) -> None:
    """Let the way open, and let somebody come, when it is time."""
    world = life.stage.world
    world.seconds = NOON + passed * HOUR
    if passed >= OPENS and "cellar" not in world.rooms[ROOMS[1]]:
        world.rooms[ROOMS[1]]["cellar"] = "the cellar"
        world.rooms["cellar"] = {ROOMS[1]: f"the {ROOMS[1]}"}
    if passed >= COMES and world.whereabouts(MIRA.id) != ROOMS[0]:
        world.put(MIRA, ROOMS[0])
        if world.place == ROOMS[0]:
            life.autonomy.notice(world.event(MIRA, f"{MIRA.name} arrives.", "move"))


def main() -> int:
    """Live the day and tell; returns the exit status."""
    options = argparse.ArgumentParser(description="What characters reach of their own accord.")
    options.add_argument("--hours", type=float, default=26.0)
    options.add_argument("--quick", action="store_true", help="five characters")
    chosen = options.parse_args()
    figures = live(chosen.hours, 5 if chosen.quick else CHARACTERS)
    rows = [(name, *kind.values()) for name, kind in figures["kinds"].items()]
    print(
        table(["goal", f"reached, of {figures['characters']}", "after hours", "calls each"], rows)
    )
    total = sum(kind["reached"] for kind in figures["kinds"].values())
    each = figures["calls"] / max(1, total)
    figures["errors_logged"] = 0
    goals = [
        Goal("goals not reached", len(KINDS) * figures["characters"] - total, 0),
        Goal("calls for each that was", round(each, 1), CALLS),
    ]
    return conclude("goals", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
