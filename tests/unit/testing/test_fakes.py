"""The fakes: they keep the promises of the ports, and fail a test that is not what it seems."""

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import StoreError, ToolError
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.testing import (
    SERA,
    DictBook,
    DictStore,
    FakeWorld,
    ManualClock,
    Run,
    ScriptedModel,
    Stage,
    people,
    run,
)

ALICE, BOB = people("Alice", "Bob")


# -- the model


def test_replies_come_in_order():
    """What a test wrote down is answered, and what was asked is kept."""
    model = ScriptedModel(ModelReply("one")).text("two")
    request = ModelRequest(())
    assert [run(model.complete(request)).text for _ in range(2)] == ["one", "two"]
    assert model.requests == [request, request]


def test_a_question_too_many_is_an_error():
    """A turn that asks more often than expected fails its test."""
    with pytest.raises(AssertionError, match="more often"):
        run(ScriptedModel().complete(ModelRequest(())))


def test_a_reply_left_over_is_an_error():
    """So does one that asks less often."""
    with (
        pytest.raises(AssertionError, match="2 scripted replies"),
        ScriptedModel().say("1").say("2"),
    ):
        pass


def test_the_first_error_is_the_one_shown():
    """An error inside the block is not hidden by replies that were left."""
    with pytest.raises(ZeroDivisionError), ScriptedModel().say("one"):
        raise ZeroDivisionError


def test_a_paused_model_waits():
    """A run stands still at a hold until it is released."""
    model = ScriptedModel().text("late")
    hold = model.pause()
    running = Run(model.complete(ModelRequest(())))
    assert not running.done
    assert not running.step().done
    hold.release()
    assert running.step().result.text == "late"


def test_waiting_for_nothing_is_an_error():
    """What must not wait is not waited for, and a turn that stands still says why."""
    model = ScriptedModel()
    model.pause()
    with pytest.raises(AssertionError, match="never comes"):
        run(model.complete(ModelRequest(())))
    stage = Stage()
    stage.model.pause()
    with pytest.raises(AssertionError, match="was paused"):
        stage.ask(ALICE, "Hello.")


# -- the store


@pytest.fixture
def store():
    """An empty store."""
    return DictStore(PARTS)


def counted(**options):
    return Commit(0.0, changes=[Change("metrics", "", "count", {"name": "x"})], **options)


def test_a_commit_is_all_or_nothing(store):
    """A refused commit, or one with a step that fails, leaves everything as it was."""
    store.commit(counted())
    store.refuse = True
    with pytest.raises(StoreError):
        store.commit(counted(rows=[MemoryRow("x")]))
    broken = counted(rows=[MemoryRow("x")])
    broken.changes.append(Change("metrics", "", "nonsense", {}))
    with pytest.raises(KeyError):
        store.commit(broken)
    assert store.read("metrics")["counts"] == {"x": 1}
    assert store.memories == {}


def test_what_is_read_is_a_copy(store):
    """Nobody changes the state by changing what was read or what was written."""
    entry = {"id": "1", "event_type": "external", "importance": 5}
    store.commit(Commit(0.0, changes=[Change("stream", "", "append", {"added": [entry]})]))
    entry["importance"] = 1
    store.read("stream")["entries"].clear()
    assert store.read("stream")["entries"][0]["importance"] == 5


def test_only_plain_data_is_stored(store):
    """What no database takes is an error here as well."""
    wrong = Change("stream", "", "append", {"added": [{"who": ALICE}]})
    with pytest.raises(TypeError):
        store.commit(Commit(0.0, changes=[wrong]))


def test_rows_get_lasting_ids(store):
    """Rows are numbered upwards, found in the order asked for, newest first when leafed through."""
    rows = store.commit(Commit(0.0, rows=[MemoryRow(text) for text in "abc"]))
    assert [row.id for row in rows] == [1, 2, 3]
    assert [row.content for row in store.rows.by_ids([3, 9, 1])] == ["c", "a"]
    assert [row.id for row in store.rows.newest(2)] == [3, 2]
    assert [row.id for row in store.rows.newest(2, before=2)] == [1]


def test_an_event_lives_as_on_disk(store):
    """Written once, counted per attempt, given back unless it has claims, closed by a commit."""
    event = FakeWorld(SERA).event(ALICE, "Hello.")
    assert store.triggers.add(event)
    assert not store.triggers.add(event)
    store.triggers.begin("t1", [event.id, "unknown"])
    store.triggers.give_back("t1")
    assert (store.triggers.waiting()[0].attempts, store.triggers.waiting()[0].turn_id) == (0, "")
    store.triggers.begin("t2", [event.id])
    store.triggers.claim("t2", {"id": "c", "tool": "give"})
    store.triggers.settle("t2", "c", {"gave": "x"})
    store.triggers.give_back("t2")
    (one,) = store.triggers.waiting()
    assert (one.attempts, one.claims) == (
        1,
        ({"id": "c", "tool": "give", "result": {"gave": "x"}},),
    )
    store.commit(Commit(0.0, closed=[event.id]))
    assert store.triggers.waiting() == []


def test_the_book_adds_up():
    """Spending is kept per day and owner."""
    book = DictBook()
    book.spend("2026-01-01", ("sera", ""), 1, 100)
    book.spend("2026-01-01", ("sera",), 0, -40)
    assert book.spent("2026-01-01", "sera", "") == [(1, 60), (1, 100)]
    assert book.spent("2026-01-02", "") == [(0, 0)]


# -- the world and the clock


@pytest.fixture
def world():
    """Alice stands there, Bob hides, and a rat is nobody who hears."""
    world = FakeWorld(SERA)
    world.enter(ALICE)
    world.enter(BOB, hidden=True)
    world.channels["c-guild"] = {BOB.id}
    return world


def test_who_hears_what(world):
    """Say reaches all who are there, a whisper one, a page whoever is online, a channel itself."""
    assert world.hearers("say", "room1") == {ALICE.id, BOB.id}
    assert world.hearers("say", "room2") == set()
    assert world.hearers("whisper", "room1", ALICE.id) == {ALICE.id}
    assert world.hearers("channel", "c-guild") == {"c-guild"}
    assert world.hearers("channel", "c-none") == set()
    world.leave(ALICE, online=True)
    world.leave(BOB)
    assert world.hearers("page", "", ALICE.id) == {ALICE.id}
    assert world.hearers("page", "", BOB.id) == world.hearers("say", "room1") == set()


def test_who_is_in_reach(world):
    """An answer reaches who is there, online, or on the channel."""
    line, page = world.event(ALICE, "Hi."), world.event(ALICE, "Hi.", "page")
    shout = world.event(ALICE, "Hi.", "channel", place="c-guild")
    assert world.in_reach(line)
    assert world.in_reach(world.event(BOB, "Psst.", "whisper"))
    world.leave(ALICE, online=True)
    assert [world.in_reach(one) for one in (line, page, shout)] == [False, True, True]


def test_labels_are_as_perception_makes_them(world):
    """A whisper belongs to its speaker, a channel's line to the channel, talk to everybody."""
    labels = [world.event(ALICE, "x", kind, place=place).readers for kind, place in (
        ("say", ""), ("pose", ""), ("gift", ""), ("whisper", ""), ("page", ""),
        ("channel", "c-guild"),
    )]  # fmt: skip
    assert labels == ["*", "*", "*", ALICE.id, ALICE.id, "c-guild"]


def test_acts_change_the_world(world):
    """What is given is gone, and who moved sees another place."""
    rose, north = world.carry("rose"), world.place_exit("north")
    assert run(world.give(rose, ALICE.id)) == "You gave the rose to Alice."
    with pytest.raises(ToolError):
        run(world.give(rose, ALICE.id))
    assert run(world.move(north)) == "You went north."
    assert world.scene().things == ()
    with pytest.raises(ToolError):
        world.look(ALICE.id)


def test_time_passes_only_when_told():
    """A clock that goes by itself makes no test sure."""
    clock = ManualClock(10.0)
    assert clock.now() == clock.now() == clock.monotonic() == 10.0
    clock.advance(5)
    assert clock.now() == 15.0
