"""Days of people on a quay, for assistants that sleep unsafely: what is said, noted and written."""

from __future__ import annotations

import random
from itertools import product

from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.memory.talk.working import key_of

NAMES = ("Alda", "Bran", "Cyra", "Dorn", "Edda", "Falk")
SYLLABLES = "bram tol kes vin dor lap mig sor".split()
ENDINGS = "ak ol um ek".split()
SMALL_TALK = ("What a day.", "Who goes there?", "The ferry is late, they say.", "Mind the step!")
CHATTER = 120
"""Lines of a day that tell nothing lasting."""
FACTS, NOTED, ENTRIES, SESSION = 8, 6, 40, 30
"""What each person tells in a day, what is noted of one, journal entries, facts kept at hand."""
SECRET = 4
"""One fact in so many is whispered."""
TRIFLE = 5
"""One journal entry in so many is of no importance."""
BEGIN, STEP = 1_780_000_000.0, 11 * 86_400.0
"""When it all begins, and the seconds from one day that is told of to the next."""

Fact = tuple[str, str]
"""Whose it is, and words that tell it from every other."""


def id_of(name: str) -> str:
    """Return the id of somebody."""
    return f"e-{name.lower()}"


def bedtime(day: int) -> float:
    """Return when a day ends."""
    return BEGIN + day * STEP


def a_day(day: int, seed: int) -> tuple[Commit, list[Fact]]:
    """Return all that a day brings, and the facts among it."""
    luck, at = random.Random(f"{seed} {day}"), bedtime(day) - 6 * 3600
    told, rows = _talk(day, luck, at)
    noted, changes = _notes(day, at)
    changes += _journal(day, luck, at)
    for name in NAMES:
        changes += _conversation(name, at)
    for number in range(SESSION):
        content = f"Barrel {number} of day {day} holds ale."
        item = {"memory_type": "fact", "content": content, "at": at, "readers": "*"}
        changes.append(Change("session", "", "add_session_memory", item))
    return Commit(at, changes=changes, rows=rows), told + noted


def _talk(day: int, luck: random.Random, at: float) -> tuple[list[Fact], list[MemoryRow]]:
    """Return what people tell of themselves among chatter, each day of other things."""
    told: list[Fact] = []
    lines: list[tuple[str, str, str]] = []
    for name in NAMES:
        for thing in _things(name)[FACTS * (day - 1) : FACTS * day]:
            told.append((name, thing))
            readers = "*" if luck.randrange(SECRET) else id_of(name)
            lines.append((name, f"I own a {thing}.", readers))
    for number in range(CHATTER):
        lines.append((luck.choice(NAMES), f"{luck.choice(SMALL_TALK)} ({number})", "*"))
    luck.shuffle(lines)
    rows = [
        MemoryRow(
            content=text,
            author=id_of(name),
            author_name=name,
            readers=readers,
            learned_at=at + 60 * number,
            meta={"event": f"d{day}e{number}", "type": "say", "turn": ""},
        )
        for number, (name, text, readers) in enumerate(lines)
    ]
    return told, rows


def _things(name: str) -> list[str]:
    """Return all that somebody will ever tell of: things that no rule takes for one another."""
    syllables = product(SYLLABLES, SYLLABLES, ENDINGS)
    things = ["".join(one) for one in syllables]
    random.Random(name).shuffle(things)
    return things


def _notes(day: int, at: float) -> tuple[list[Fact], list[Change]]:
    """Return what the character itself noted of one of them."""
    name = NAMES[day % len(NAMES)]
    identity = {"name": name, "entity_type": "player", "at": at}
    changes = [Change("profile", id_of(name), "create_entity_profile", identity)]
    noted = [(name, one) for one in _things(name)[::-1][NOTED * (day - 1) : NOTED * day]]
    for number, (_, thing) in enumerate(noted):
        item = {"entity_id": id_of(name), "content": f"{name} owns a {thing}", "source": "direct"}
        item |= {"at": at + 30 * number, "author": "", "readers": "*"}
        changes.append(Change("profile", id_of(name), "add_entity_observation", item))
    return noted, changes


def _journal(day: int, luck: random.Random, at: float) -> list[Change]:
    """Return entries enough for a look back."""
    changes = []
    for number in range(ENTRIES):
        entry = {
            "content": f"Day {day}, watch {number}: the quay was full.",
            "source_type": "observation",
            "readers": "*" if number % 3 else id_of(luck.choice(NAMES)),
            "importance": 0 if number % TRIFLE else 2,
            "at": at + number,
        }
        changes.append(Change("journal", "", "add_journal_entry", entry))
    return changes


def _conversation(name: str, at: float) -> list[Change]:
    key = key_of(id_of(name), "*")
    begin = {"entity_id": id_of(name), "readers": "*", "at": at}
    lines = [
        {"role": "user", "content": f"Line {number} of {name}.", "at": at, "id": f"{name}{number}"}
        for number in range(8)
    ]
    changes = [Change("working", key, "start_conversation", begin)]
    return changes + [Change("working", key, "add_conversation_message", one) for one in lines]
