"""Prompt economy: tokens of each turn in a long conversation, all of them and those not cached.

python -m bench.prompt_economy [--turns 200] [--seed 7] [--quick]

A character with the offline model talks for two hundred turns, with one person, with two in turn,
and aloud and in whispers in turn; no server, no database. A provider that caches prompts charges
less for the beginning that equals that of the request before, tools included; the rest is uncached.
Beside it stands the same conversation with its whole history pasted into every prompt.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from statistics import mean

from ai_assistant.agent.prompt.draft import dump
from ai_assistant.agent.prompt.tokens import count_tokens
from ai_assistant.contracts import Entity, Message, ModelReply, ModelRequest, Scene
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.memory.parts import iso
from ai_assistant.testing import Stage, people
from ai_assistant.testing.world import FakeWorld
from bench.report import Figures, Goal, conclude, table

ALICE, BOB = people("Alice", "Bob")
PACE = 40.0
"""Seconds between two lines."""
CACHED_PRICE = 0.1
"""What a cached token costs beside one that is not."""
TALKS = {
    "one speaker": ((ALICE, "say"),),
    "two speakers": ((ALICE, "say"), (BOB, "say")),
    "say and whisper": ((ALICE, "say"), (ALICE, "whisper")),
}
KIN = "mother father sister brother aunt uncle cousin neighbour teacher friend".split()
NAMES = "Mira Tobin Elsa Garrick Lina Oswin Petra Rurik Sela Wymar".split()
PLACES = "Northhold Hollin-Ford Grey-Mill Saltmarsh Eastgate Birchwood".split()
GOODS = "apples candles rope saddles honey lanterns barrels wool".split()
LINES = (
    "My {kin} is named {name} and lives in {place}.",
    "I sold {number} {goods} in {place} last week, and my {kin} helped me.",
    "What is my {kin} called?",
    "Did you hear that {name} of {place} bought {number} {goods}?",
    "Where does my {kin} live, do you remember?",
    "I am thinking of moving to {place}, where {name} has a house with {number} rooms.",
    "Thank you, that was kind of you.",
)


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as text in the order in which a provider reads it, and what it followed."""

    text: str
    before: str = ""

    @property
    def tokens(self) -> int:
        """All tokens, by estimate."""
        return count_tokens(self.text)

    @property
    def cached(self) -> int:
        """Tokens of the beginning that is the same as in the request before."""
        return count_tokens(self.text[: _common(self.text, self.before)])

    @property
    def uncached(self) -> int:
        """The other tokens."""
        return self.tokens - self.cached


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def as_read(tools: Sequence[object], messages: Sequence[Message]) -> str:
    """Return a request as one text: the tools, then the messages."""
    calls = [[call.arguments for call in message.tool_calls] for message in messages]
    parts = zip(messages, calls, strict=True)
    said = [
        f"<{one.role}>{one.content}{json.dumps(given) if given else ''}" for one, given in parts
    ]
    return "\n".join([json.dumps(tools), *said])


class Watched(OfflineModel):
    """The offline model, with the first request of each turn noted."""

    def __init__(self) -> None:
        super().__init__()
        self.first: ModelRequest | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply; a request without any result of a tool begins a turn."""
        if request.messages[-1].role == "user":
            self.first = request
        return await super().complete(request)


class Inn(FakeWorld):
    """A place where time passes."""

    clock: object = None

    def scene(self) -> Scene:
        """What there is to see, and how late it is."""
        now = iso(self.clock.now())[:16].replace("T", " ")
        return replace(super().scene(), time=now)


def lines(seed: int) -> Iterator[str]:
    """Yield what is said: facts, questions and courtesies, for ever."""
    draw = random.Random(seed)
    while True:
        yield draw.choice(LINES).format(
            kin=draw.choice(KIN),
            name=draw.choice(NAMES),
            place=draw.choice(PLACES),
            goods=draw.choice(GOODS),
            number=draw.randint(2, 90),
        )


def talk(parts: Sequence[tuple[Entity, str]], turns: int, seed: int) -> tuple[list, list, Stage]:
    """Return the requests of our turns, those with everything pasted, and the stage."""
    model = Watched()
    stage = Stage(model=model)
    world = Inn(stage.world.self)
    world.clock = stage.clock
    stage.world = stage.mind.world = world
    world.enter(ALICE, BOB)
    ours: list[Sent] = []
    pasted: list[Sent] = []
    history: list[Message] = []
    for (who, kind), text in islice(zip(cycle(parts), lines(seed), strict=False), turns):
        said_before = len(world.said)
        stage.ask(who, text, kind)
        stage.clock.advance(PACE)
        request = model.first
        ours.append(Sent(as_read(request.tools, request.messages), ours[-1].text if ours else ""))
        history.append(Message("user", dump({"who": who.name, "kind": kind, "says": text})))
        everything = as_read(request.tools, [*request.messages[:2], *history])
        pasted.append(Sent(everything, pasted[-1].text if pasted else ""))
        own = ({"you": "say", "says": reply} for reply in world.said[said_before:])
        history.extend(Message("assistant", dump(row)) for row in own)
    return ours, pasted, stage


def measured(sent: Sequence[Sent]) -> Figures:
    """Return the figures of a conversation: of its last quarter where nothing else is said."""
    last = sent[-max(1, len(sent) // 4) :]
    middle = sent[len(sent) // 4 : len(sent) // 2]
    return {
        "total": round(mean(one.tokens for one in last)),
        "uncached": round(mean(one.uncached for one in last)),
        "prefix": round(mean(one.cached for one in last)),
        "most": max(one.tokens for one in sent),
        "growth": round(mean(one.tokens for one in last) / mean(one.tokens for one in middle), 3),
        "all_turns": sum(one.tokens for one in sent),
        "all_uncached": sum(one.uncached for one in sent),
        "all_weighed": round(sum(one.uncached + CACHED_PRICE * one.cached for one in sent)),
    }


def shown(ours: Sequence[Sent], pasted: Sequence[Sent]) -> str:
    """Return a table of single turns: ours beside pasting."""
    count = len(ours)
    turns = sorted({1, 2, 10, count // 4, count // 2, 3 * count // 4, count} - {0})
    rows = [
        (f"turn {at}", ours[at - 1].tokens, ours[at - 1].uncached, ours[at - 1].cached,
         pasted[at - 1].tokens, pasted[at - 1].uncached)
        for at in turns
        if at <= count
    ]  # fmt: skip
    return table(("", "tokens", "uncached", "prefix", "pasted", "uncached"), rows)


def main() -> int:
    """Hold the three conversations and print what they cost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="a third of the turns")
    chosen = parser.parse_args()
    turns = max(8, chosen.turns // 3 if chosen.quick else chosen.turns)
    print(f"{turns} turns, one every {PACE:g} s, seed {chosen.seed}; four characters are a token")
    figures: Figures = {"turns": turns, "seed": chosen.seed, "errors_logged": 0}
    goals = []
    for name, parts in TALKS.items():
        ours, pasted, stage = talk(parts, turns, chosen.seed)
        figures[name] = {"ours": measured(ours), "pasted": measured(pasted)}
        figures["errors_logged"] += len(stage.errors)
        print(f"\n{name}\n{shown(ours, pasted)}")
        mine = figures[name]["ours"]
        limit = stage.mind.config["max_context_tokens"]
        goals += [
            Goal(f"{name}: growth, last quarter over second", mine["growth"], 1.1, must=True),
            Goal(f"{name}: largest prompt", mine["most"], limit, "tokens", must=True),
        ]
    sums = [
        (name, *(figures[name][side][key] for side in ("ours", "pasted") for key in SUMS))
        for name in TALKS
    ]
    head = [f"{side} {key.removeprefix('all_')}" for side in ("our", "pasted") for key in SUMS]
    print("\nin all\n" + table(("", *head), sums))
    return conclude("prompt_economy", figures, goals)


SUMS = ("all_turns", "all_uncached", "all_weighed")

if __name__ == "__main__":
    sys.exit(main())
