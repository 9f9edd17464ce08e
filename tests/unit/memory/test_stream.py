"""The stream: in order of time, and when it is full the least important gives way."""

from ai_assistant.contracts import Entity, Speech
from ai_assistant.memory.stream import (
    ALWAYS_KEPT,
    MAX_ENTRIES,
    append,
    deed_entry,
    empty_stream,
    entry_of,
    own_entry,
)
from ai_assistant.testing import FakeWorld, people

ME = Entity("e-sera", "Sera", "npc")
(ALICE,) = people("Alice")


def filled(importances):
    stream = empty_stream()
    for number, importance in enumerate(importances):
        append(stream, entry={"id": str(number), "importance": importance})
    return [int(entry["id"]) for entry in stream["entries"]]


def test_the_least_important_gives_way():
    """Of the older entries the least important goes first, of equals the oldest."""
    assert filled([5] * 10 + [3] + [5] * 50) == [n for n in range(61) if n != 10]
    assert filled([5] * 61) == list(range(1, 61))


def test_the_newest_twenty_always_stay():
    """However unimportant the newest are, they stay; however important the old, they may go."""
    kept = filled([10] * 200 + [1] * ALWAYS_KEPT)
    assert len(kept) == MAX_ENTRIES
    assert kept[-ALWAYS_KEPT:] == list(range(200, 220))
    assert filled([10] * 60 + [1] * 21)[-20:] == list(range(61, 81))


def test_all_entries_have_one_shape():
    """Heard, said or done: each entry has the same fields, so every reader may rely on them."""
    event = FakeWorld(ME).event(ALICE, "Hello.")
    speech = Speech("emote", "nods.", "*", frozenset(), place="room1")
    heard = entry_of(event, "t1")
    said = own_entry(ME, speech, at=0.0, turn_id="t1")
    done = deed_entry(ME, "gave", at=0.0, turn_id="t1", readers="*")
    assert heard.keys() == said.keys() == done.keys()
    assert (said["event_type"], said["kind"], said["id"]) == ("self_speech", "pose", "t1.said.1")
    assert (done["event_type"], done["id"]) == ("self_action", "t1.did.1")
    assert (heard["who"], heard["content"], heard["turn_id"]) == ("Alice", "Hello.", "t1")
