"""Recalls from a thousand containers whose ids are made to confuse."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.memory.search.recall import Recall
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.play import Play
from ai_assistant.runtime.assembly import build_assistant
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import AttributeStore, Container
from ai_assistant.tools import recalling as tools
from bench import people
from bench.report import Figures

HOSTILE = ("'", '"', "%", "*", ":", "_", "world", "-", "\\", "e1", "e1-", "; DROP TABLE x", "é", "")
CHARACTERS, SESSIONS, ROWS = 25, 40, 5
WORDS = ("own", "line", "of", "the", "well", "world", "%", "*", "' OR 1=1 --", "container:")


@dataclass(slots=True)
class Owner:
    """A character and its containers: what each session's rows begin with."""

    id: str
    mind: Mind
    marks: dict[str, str]


def people_of(luck: random.Random) -> list[Owner]:
    """Return characters with rows in every session, beside those that the sessions' worlds have."""
    sessions = _hostile(SESSIONS, luck)
    room = people.a_room("Archive")
    owners = []
    for number, who in enumerate(_hostile(CHARACTERS, luck)):
        mind = _mind(who, people.an_assistant(f"Clerk{number}", room))
        marks = {}
        for session in sessions:
            marks[session] = f"own {len(owners)}.{len(marks)} "
            _fill(session, who, marks[session])
        owners.append(Owner(who, mind, marks))
    for number, session in enumerate(sessions):
        _fill(session, WORLD, f"world {number} ")
    for one in owners:
        one.mind.recall.learn_stored(one.mind.store.rows.newest(SESSIONS * ROWS + 1))
    return owners


def _hostile(count: int, luck: random.Random) -> list[str]:
    """Return ids of which some are beginnings of others, or look like patterns and queries."""
    found = dict.fromkeys(HOSTILE[:-1])
    while len(found) < count:
        found["".join(luck.choice(HOSTILE) for _ in range(3))[:30]] = None
    found.pop(WORLD)
    found.pop("", None)
    while len(found) < count:
        found[f"{luck.choice([*found])}{luck.choice(HOSTILE)}"[:40]] = None
    return list(found)[:count]


def _mind(who: str, character: object) -> Mind:
    """Return the mind of an assistant, as if it had another id."""
    script = character.assistant_script
    mind = build_assistant(character, script, SERVICE.shared, SERVICE.watch)
    store = AttributeStore(character, script, who, PARTS, who)
    return replace(mind, key=who, store=store, recall=Recall(store))


def _fill(session: str, who: str, mark: str) -> None:
    rows = [
        MemoryRow(f"{mark}line {one} of the well", readers="*", learned_at=1.0)
        for one in range(ROWS)
    ]
    Container(session, who).add(rows, at=1.0)


async def by_tool(owners: Sequence[Owner], recalls: int, luck: random.Random) -> Figures:
    """Let characters search, each in a turn of one of their scenes; returns what was foreign."""
    foreign = empty = 0
    pairs = [(one, session) for one in owners for session in one.marks]
    began = time.perf_counter()
    turns: dict[int, Turn] = {}
    for _ in range(recalls):
        at = luck.randrange(len(pairs))
        owner, session = pairs[at]
        turn = turns.get(at) or turns.setdefault(at, _turn(owner.mind, session))
        found = await tools.search_episodic_memory.run(turn, query=_question(luck))
        texts = [one["text"] for one in found["memories"]]
        foreign += sum(not text.startswith(owner.marks[session]) for text in texts)
        empty += not texts
        turn.source_rows.clear()
    seconds = time.perf_counter() - began
    return _figures(len(pairs), recalls, foreign, empty, seconds)


def _turn(mind: Mind, session: str) -> Turn:
    mind.plays = lambda _: Play(session, inherits=False)
    return begin(mind, [], "bench", "tick_autonomous")


def _question(luck: random.Random) -> str:
    """Return a search that would fit all rows, and names what is not one's own."""
    other = f"own {luck.randrange(CHARACTERS)}.{luck.randrange(SESSIONS)}"
    return f"well line {other} {luck.choice(WORDS)} {luck.choice(HOSTILE)}"


def by_handle(owners: Sequence[Owner], recalls: int, luck: random.Random) -> Figures:
    """Ask containers for all that they hold; returns what was foreign."""
    foreign = empty = 0
    pairs = [(one, session) for one in owners for session in one.marks]
    began = time.perf_counter()
    for _ in range(recalls):
        owner, session = luck.choice(pairs)
        found = Container(session, owner.id).find(limit=2 * ROWS)
        foreign += sum(not row.content.startswith(owner.marks[session]) for row in found)
        empty += len(found) != ROWS
    seconds = time.perf_counter() - began
    return _figures(len(pairs), recalls, foreign, empty, seconds)


def _figures(containers: int, recalls: int, foreign: int, empty: int, seconds: float) -> Figures:
    return {
        "containers": containers,
        "recalls": recalls,
        "foreign_items": foreign,
        "empty": empty,
        "recall_us": seconds / max(1, recalls) * 1e6,
    }
