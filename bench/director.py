"""Who answers in scenes of two players and three assistants, and what a line of a player costs.

    python -m bench.director [--scenes 200] [--seed 7] [--quick]

Each scene has a policy by lot and six lines. Whom a line is for is known from how it was made; the
turns that follow from it are held against that until all are silent. The model turns to another
assistant in one answer of three, and to a player in one of five. With the policy `director` half
of the scenes ask a model who answers, which names somebody by lot, or nobody, and in one answer of
ten says nothing that can be used.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from django.test import override_settings

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_json import answer_object
from ai_assistant.testing.fake_openai import FakeOpenAI
from ai_assistant.testing.faults import Asked
from bench import report
from bench.game import pause, play_with

MINDS, PLAYERS = ("Mira", "Rolf", "Sunna"), ("Ada", "Ben")
POLICIES = ("addressed", "round robin", "free", "director", "director by model")
BY_MODEL = POLICIES[-1]
LINES = 6
UNUSABLE = 0.1
MOST_UNASKED = 2
QUIET = 3
"""So many looks in a row at which nobody thinks are the end of a line; each after 20 ms."""
CAPS = {
    f"AI_ASSISTANT_{whose}DAILY_{what}": 1_000_000_000
    for whose in ("", "GAME_")
    for what in ("CALLS", "TOKENS")
}
TO_ONE = (
    "say {n}, what do you make of this?",
    "say Good evening, {n}.",
    "say Tell me, {n}, is it late?",
    "pose nods to {n}.",
)
TO_TWO = (
    "say {n} and {m}, come here!",
    "say {n}, {m}, have you seen that?",
    "pose nods to {n} and turns to {m}.",
    "pose winks at {n}, then at {m}.",
)
TO_ALL = ("say Good evening, friends!", "say Listen, everybody!")
TO_A_PLAYER = (
    "say {p}, what do you make of this?",
    "whisper {p} = I trust nobody here.",
    "pose hugs {p}.",
)
TO_NOBODY = ("say The night is young.", "say Does anyone know the way?", "pose draws a sword.")
_ME = re.compile(r"^You are (\w+)")


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What a player types, and which assistants it is for."""

    typed: str
    meant: frozenset[str]


@dataclass(slots=True)
class Tally:
    """What came of the lines."""

    counts: Counter[str] = field(default_factory=Counter)
    unasked: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Lines of assistants for whom a player's line was not, by policy."""

    calls: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Calls of a model for one line, by policy."""

    failed: Counter[str] = field(default_factory=Counter)
    """Failed turns, by policy."""

    faults: list[str] = field(default_factory=list)

    def take(self, policy: str, line: PlayerLine, turns: list[tuple[str, str]], calls: int) -> None:
        """Take in the turns, (who, outcome) in their order, and calls that followed from a line."""
        meant = line.meant
        self.calls[policy].append(calls)
        self.failed[policy] += sum(outcome.startswith("failed") for _, outcome in turns)
        self.counts["passed turns"] += sum(outcome == "passed" for _, outcome in turns)
        spoke = [who for who, outcome in turns if outcome == "answered"]
        self.counts["player lines"] += 1
        self.counts["answers"] += len(spoke)
        self.counts["addressed and silent"] += len(meant - {*spoke})
        self.counts["not first, though addressed"] += {*spoke[: len(meant)]} != meant
        if {*spoke[: len(meant)]} != meant:
            self.faults.append(f"{policy}: {line.typed} -> {turns}")
        self.counts["answered more than once"] += len(spoke) - len({*spoke})
        self.unasked[policy].append(len({*spoke} - meant))


class Speakers(FakeOpenAI):
    """Speaks for all assistants."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.calls = 0
        self._luck = luck

    def _rule(self, asked: Asked) -> Json:
        self.calls += 1
        if "may_speak" in asked.prompt:
            named = answer_object(asked.messages[-1]["content"]).get("may_speak", [])
            chosen = self._luck.choice((*named, ""))
            unusable = self._luck.random() < UNUSABLE
            return {"say": "Let me think." if unusable else json.dumps({"speaker": chosen})}
        found = _ME.search(asked.system)
        others = [name for name in MINDS if found is None or name != found[1]]
        name = self._luck.choice((*(self._luck.choice(others),) * 5, *PLAYERS, *PLAYERS[:1]))
        words = f"{name}, is it so?" if self._luck.random() < 0.53 else "So it is."
        return {"say": words}


def a_line(luck: random.Random, speaker: str) -> PlayerLine:
    """Return a line by lot."""
    one, two = luck.sample(MINDS, 2)
    forms = (
        (TO_ONE, {one}),
        (TO_TWO, {one, two}),
        (TO_ALL, {*MINDS}),
        (TO_A_PLAYER, ()),
        (TO_NOBODY, ()),
    )
    texts, meant = luck.choices(forms, (4, 2, 1, 2, 4))[0]
    other = next(player for player in PLAYERS if player != speaker)
    return PlayerLine(luck.choice(texts).format(n=one, m=two, p=other), frozenset(meant))


class Table:
    """The five at one table, and the turns that they take."""

    def __init__(self) -> None:
        from ai_assistant.game.identity import entity_id
        from bench import people

        room = people.a_room("table")
        self.minds = [people.an_assistant(name, room) for name in MINDS]
        self.players = {name: people.a_player(name, room) for name in PLAYERS}
        self.names = {entity_id(mind): mind.key for mind in self.minds}
        self._seen = 0

    def a_scene(self, title: str, policy: str) -> str:
        """Begin a scene of all five; returns its id."""
        from ai_assistant.api import staging
        from ai_assistant.runtime.service import SERVICE

        owner, *others = self.players.values()
        session: str = staging.create_scene(title, owner).id
        for one in (*others, *self.minds):
            staging.join_scene(session, one)
        staging.set_scene(session, "policy", "director" if policy == BY_MODEL else policy)
        for mind in self.names:
            values = SERVICE.residents[mind].mind.config.values
            values["director_model"] = policy == BY_MODEL
        staging.start_scene(session)
        return session

    async def turns(self) -> list[tuple[str, str]]:
        """Wait until all are silent; return who took a turn since, and how each ended."""
        from ai_assistant.models import AssistantEvent
        from ai_assistant.runtime.service import SERVICE

        quiet = 0
        while quiet < QUIET:
            await pause(0.02)
            quiet = quiet + 1 if all(map(SERVICE.is_idle, self.names)) else 0
        rows = AssistantEvent.objects.filter(type="TurnCompleted", pk__gt=self._seen).order_by("pk")
        found = [(row.pk, self.names[row.assistant], row.data["outcome"]) for row in rows]
        self._seen = found[-1][0] if found else self._seen
        return [(who, outcome) for _, who, outcome in found]


async def bench(options: argparse.Namespace, model: Speakers) -> report.Figures:
    """Play the scenes."""
    from ai_assistant.api import staging
    from bench import people

    table, tally, luck = Table(), Tally(), random.Random(options.seed)
    await people.restart(table.minds)
    with override_settings(**CAPS):
        for number in range(options.scenes):
            policy = POLICIES[number % len(POLICIES)]
            session = table.a_scene(f"Scene {number}", policy)
            for _ in range(LINES):
                name = luck.choice(PLAYERS)
                line, player = a_line(luck, name), table.players[name]
                before = model.calls
                player.execute_cmd(line.typed)
                turns = await table.turns()
                tally.take(policy, line, turns, model.calls - before)
            staging.stop_scene(session)
    unasked = {policy: max(found) for policy, found in tally.unasked.items()}
    mean = {policy: sum(found) / len(found) for policy, found in tally.unasked.items()}
    calls = {policy: sum(found) / len(found) for policy, found in tally.calls.items()}
    print("\n".join(tally.faults))
    return {
        **tally.counts,
        "failed turns": tally.failed.total(),
        "failed": {policy: tally.failed[policy] for policy in calls},
        "unasked_most": unasked,
        "unasked_mean": mean,
        "calls": model.calls / tally.counts["player lines"],
        "calls_by_policy": calls,
    }


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    plain = {name: figure for name, figure in figures.items() if not isinstance(figure, dict)}
    print(report.table(("scenes", ""), plain.items()) + "\n")
    rows = [
        (
            policy,
            most,
            f"{figures['unasked_mean'][policy]:.2f}",
            f"{figures['calls_by_policy'][policy]:.2f}",
            figures["failed"][policy],
        )
        for policy, most in figures["unasked_most"].items()
    ]
    head = ("unaddressed lines of assistants", "most", "mean", "calls a line", "failed turns")
    print(report.table(head, rows) + "\n")
    most = max(figures["unasked_most"].values())
    wrong = (
        "not first, though addressed",
        "addressed and silent",
        "answered more than once",
        "failed turns",
    )
    return [
        report.Goal("unaddressed lines after a player's line", most, MOST_UNASKED, must=True),
        *(report.Goal(name, figures[name], 0, must=True) for name in wrong),
    ]


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="twenty scenes")
    options = parser.parse_args()
    if options.quick:
        options.scenes = 20
    with Speakers(random.Random(options.seed)) as model:
        figures = play_with(
            model.url.removesuffix("/v1"), lambda: bench(options, model), limit=3600
        )
    return report.conclude("director", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
