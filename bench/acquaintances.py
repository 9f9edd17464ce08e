"""Acquaintances: where feelings stand after ten days of forty people, and why.

python -m bench.acquaintances [--seed 7] [--show] [--quick]

The real core, turn by turn, on a clock that is wound by hand. Three listeners: one without a model,
by a few words, gifts and promises; one whose model judges each line sensibly; and a fool's model,
which proposes the most for whatever is said. What a game master expects of each manner is a goal.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import mean

from ai_assistant.core.contracts import Entity, Json
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.times import DAY
from ai_assistant.language.talk_signs import manner_of
from ai_assistant.memory.people.feelings import FIRST_IMPRESSION, drift
from ai_assistant.testing import Stage, people
from bench.acquaintances_script import DAYS, MANNERS, Act, scripts
from bench.report import Figures, Goal, conclude, table

LISTENERS = ("words alone", "a sensible model", "a fool's model")
MOST = 2
"""What the fool always proposes."""
REASONS = 3
"""Reasons told of each manner, those that moved most."""
EXPECTED: dict[str, dict[str, tuple[float, float]]] = {
    "kind": {"words alone": (0.2, 0.5), "a sensible model": (0.25, 0.5)},
    "rude": {"words alone": (0.0, 0.1), "a sensible model": (0.0, 0.1)},
    "begging": {"words alone": (0.1, 0.25), "a sensible model": (0.04, 0.15)},
    "silent": dict.fromkeys(LISTENERS[:2], (FIRST_IMPRESSION, FIRST_IMPRESSION)),
    "generous": {"words alone": (0.4, 0.75), "a sensible model": (0.45, 0.75)},
    "liar": {"words alone": (0.0, 0.2), "a sensible model": (0.0, 0.2)},
    "mixed": {"words alone": (0.0, 0.35), "a sensible model": (0.0, 0.35)},
}
"""The least and the most that a game master would find right for everybody of that manner.

The fool may be nobody's ally, and a friend only of those who give.
"""
FRIEND, ALLY = 0.5, 0.75


class Listener(Model):
    """A model that says a word, and notes how the line made it feel."""

    def __init__(self, listener: str) -> None:
        self.listener = listener
        self.act = Act(0, "")

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer; by words alone it proposes nothing."""
        feeling = dict(zip(LISTENERS, (0, self.act.felt, MOST), strict=True))[self.listener]
        note = {"about": "p1", "fact": f"They said: {self.act.text}", "feeling": feeling}
        calls = [("note", note)] if feeling else []
        calls += [("say", {"text": "Aye, so it goes."})]
        made = tuple(ToolCall(f"call{n}", *one) for n, one in enumerate(calls))
        return ModelReply(tool_calls=made, usage=TokenUsage(100, 10, known=True))


def live(listener: str, seed: int) -> dict[str, list[Json]]:
    """Return the profiles of all acquaintances after ten days, by their manner."""
    found = defaultdict(list)
    for name, manner, acts in scripts(seed):
        found[manner].append(_know(listener, _person(name), acts))
    return found


def _know(listener: str, who: Entity, acts: Sequence[Act]) -> Json:
    """Return the profile that a listener of its own has of somebody after ten days."""
    model = Listener(listener)
    stage = Stage(model=model)
    stage.model.is_offline = lambda job: listener == LISTENERS[0]
    stage.world.enter(who)
    begun = stage.clock.now()
    for act in acts:
        stage.clock.advance(max(60.0, begun + act.day * DAY - stage.clock.now()))
        model.act = act
        stage.ask(who, act.text, act.kind)
    stage.clock.advance(begun + DAYS * DAY - stage.clock.now())
    return drift(stage.store.read("profile", who.id), stage.clock.now())


def _person(name: str) -> Entity:
    (who,) = people(name)
    return who


def _values(profiles: Sequence[Json]) -> list[float]:
    return [one["relationship"]["favorability"] for one in profiles]


def _reasons(profiles: Sequence[Json]) -> str:
    """Return what moved feelings most, each with its sum over all of a manner."""
    moved: Counter[str] = Counter()
    for profile in profiles:
        for one in profile["relationship"]["history"]:
            said = one["reason"].startswith("They said")
            reason = "gifts" if one["reason"].startswith("a gift") else one["reason"]
            moved["what was said" if said else reason] += one["delta"]
    most = sorted(moved.items(), key=lambda item: -abs(item[1]))[:REASONS]
    return ", ".join(f"{reason} {total / len(profiles):+.2f}" for reason, total in most)


def _row(manner: str, profiles: Sequence[Json]) -> tuple[object, ...]:
    values = _values(profiles)
    states = Counter(one["relationship"]["state"] for one in profiles)
    told = ", ".join(f"{count} {state}" for state, count in states.most_common())
    return (manner, f"{min(values):.2f}", f"{mean(values):.2f}", f"{max(values):.2f}", told,
            _reasons(profiles))  # fmt: skip


def caught(seed: int) -> tuple[int, int, int]:
    """Return of the lines that were meant well or ill: how many, read so, and read wrongly."""
    lines: dict[str, int] = {}
    for *_, acts in scripts(seed):
        for act in acts:
            lines.setdefault(act.text, act.felt)
    signs = {"threat": -1, "insult": -1, "thanks": 1, "praise": 1, "": 0}
    heard = [(signs[manner_of(text)], felt) for text, felt in lines.items()]
    meant = [(sign, felt) for sign, felt in heard if felt]
    read = sum(sign * felt > 0 for sign, felt in meant)
    wrong = sum(sign != 0 and sign * felt <= 0 for sign, felt in heard)
    return len(meant), read, wrong


def goals_of(found: dict[str, dict[str, list[Json]]]) -> list[Goal]:
    """Return what a game master expects, as the number of people for whom it does not hold."""
    goals = []
    for manner, expected in EXPECTED.items():
        for listener, (least, most) in expected.items():
            values = _values(found[listener][manner])
            odd = sum(not least <= one <= most for one in values)
            name = f"{manner}, {listener}: outside {least:g} to {most:g}"
            goals.append(Goal(name, odd, 0, must=True))
    fool = found[LISTENERS[2]]
    friends = sum(
        one >= FRIEND for name in fool if name != "generous" for one in _values(fool[name])
    )
    allies = sum(one >= ALLY for profiles in fool.values() for one in _values(profiles))
    return [*goals, Goal("a fool's friends who gave nothing", friends, 0, must=True),
            Goal("a fool's allies", allies, 0, must=True)]  # fmt: skip


def main() -> int:
    """Live the ten days with each listener and tell; returns the exit status."""
    options = argparse.ArgumentParser(description="Forty acquaintances, ten days.")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--show", action="store_true", help="everybody by name")
    options.add_argument("--quick", action="store_true", help="the same: it is quick")
    chosen = options.parse_args()
    found = {listener: live(listener, chosen.seed) for listener in LISTENERS}
    for listener, by_manner in found.items():
        rows = [_row(manner, by_manner[manner]) for manner in MANNERS]
        print(table([listener, "least", "mean", "most", "states", "moved by, each"], rows))
        print()
        if chosen.show:
            _show(by_manner)
    meant, read, wrong = caught(chosen.seed)
    print(
        f"Of {meant} different lines with a feeling the words read {read}, and {wrong} wrongly.\n"
    )
    figures: Figures = {
        listener: {manner: round(mean(_values(one[manner])), 3) for manner in MANNERS}
        for listener, one in found.items()
    }
    figures["errors_logged"] = 0
    return conclude("acquaintances", figures, goals_of(found))


def _show(by_manner: dict[str, list[Json]]) -> None:
    rows = [
        (one["name"], manner, f"{one['relationship']['favorability']:.2f}", _reasons([one]))
        for manner, profiles in by_manner.items()
        for one in profiles
    ]
    print(table(["who", "manner", "favor", "moved by"], rows), end="\n\n")


if __name__ == "__main__":
    sys.exit(main())
