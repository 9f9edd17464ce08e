"""The stream: in order of time, each entry once, and when it is full the oldest gives way."""

from ai_assistant.core.contracts import Entity, Speech
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import epoch, iso
from ai_assistant.memory.talk.stream import (
    MAX_ENTRIES,
    STREAM,
    add_entries,
    deed_entry,
    entry_of,
    own_entry,
    tokens_of,
)
from ai_assistant.testing import FakeWorld, people

ME = Entity("e-sera", "Sera", "npc")
(ALICE,) = people("Alice")


def filled(count, readers=OPEN):
    stream = STREAM.empty()
    for number in range(count):
        add_entries(stream, added=[entry(number, readers)])
    return stream


def entry(number, readers=OPEN):
    event = FakeWorld(ME).event(ALICE, f"Line {number}.", readers=readers)
    return {**entry_of(event), "id": str(number)}


def test_the_oldest_gives_way():
    """However much weightier it was than what follows it."""
    kept = [int(one["id"]) for one in filled(MAX_ENTRIES + 7)["entries"]]
    assert kept == list(range(7, MAX_ENTRIES + 7))


def test_an_entry_is_there_once():
    """Whatever is saved twice, as after a crash, was heard once."""
    stream = filled(3)
    add_entries(stream, added=[entry(1)])
    assert [one["id"] for one in stream["entries"]] == ["0", "1", "2"]


def test_a_question_stands_before_what_was_said_to_it_meanwhile():
    """It waited for its turn while another answered it; what was answered before stays before."""
    stream = STREAM.empty()
    answer = {**entry(2), "timestamp": "2026-11-21T18:00:02Z", "event_type": "self_speech"}
    meanwhile = {**entry(4), "timestamp": "2026-11-21T18:00:04Z"}
    question = {**entry(3), "timestamp": "2026-11-21T18:00:03Z"}
    earlier = {**entry(1), "timestamp": "2026-11-21T18:00:01Z"}
    for one in (answer, meanwhile, question, earlier):
        add_entries(stream, added=[one])
    assert [one["id"] for one in stream["entries"]] == ["2", "1", "3", "4"]


def test_a_deed_stands_where_it_happened():
    """It is saved with the end of its turn, and who came in after it may be there already."""
    stream, start = filled(1), epoch(entry(0)["timestamp"])
    came = {**entry(1), "timestamp": iso(start + 9)}
    deed = deed_entry(ME, "Went home.", at=start + 5, turn_id="t1", readers=OPEN)
    add_entries(stream, added=[came])
    add_entries(stream, added=[deed])
    assert [one["id"] for one in stream["entries"]] == ["0", deed["id"], "1"]


def test_what_left_is_counted():
    """By its label, as long as any is there: so a line's place in all that was ever said stays."""
    stream = filled(MAX_ENTRIES + 2)
    gone = sum(tokens_of(entry(number)) for number in range(2))
    assert stream["left"] == {"": {OPEN: gone}}
    for number in range(MAX_ENTRIES):
        add_entries(stream, added=[entry(1000 + number, ALICE.id)])
    assert stream["left"] == {}


def test_all_entries_have_one_shape():
    """Heard, said or done: each entry has the same fields, so every reader may rely on them."""
    event = FakeWorld(ME).event(ALICE, "Hello.")
    speech = Speech("emote", "nods.", "*", frozenset(), place="room1", event="t1.said.1")
    heard = entry_of(event, "t1")
    said = own_entry(ME, speech, at=0.0, turn_id="t1")
    done = deed_entry(ME, "gave", at=0.0, turn_id="t1", readers="*")
    assert (
        heard.keys() - {"rule", "cause"} == said.keys() == done.keys()
    )  # by which it was classified
    assert (said["event_type"], said["kind"], said["id"]) == ("self_speech", "pose", "t1.said.1")
    assert (done["event_type"], done["id"]) == ("self_action", "t1.did.1")
    assert (heard["who"], heard["content"], heard["turn_id"]) == ("Alice", "Hello.", "t1")
