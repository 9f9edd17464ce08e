"""Full lists settle at night: the older part becomes rows, item by item, and nothing is lost."""

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.sleep.tidying import keep_up, next_piece
from ai_assistant.testing import Stage, TableReader, people
from tests.unit.sleep.nights import night

ALICE, BOB = people("Alice", "Bob")


def fill(stage, part, op, readers, number, **more):
    """Write so many items under one label."""
    changes = [
        Change(
            part,
            "",
            op,
            {
                "content": f"Item {n} of the winter stores, {readers}." + "x" * 60,
                "at": float(n),
                "readers": readers,
                "author": ALICE.id,
                **more,
            },
        )
        for n in range(number)
    ]
    stage.mind.save(Commit(1.0, changes=changes))


def test_a_full_session_memory_keeps_the_newest_and_loses_nothing():
    """Each fact that leaves keeps its own author, time and label."""
    stage = Stage(model=TableReader())
    fill(stage, "session", "add_session_memory", ALICE.id, 41, memory_type="fact")
    assert stage.store.read("session")["needs_compaction"]
    night(stage)
    kept = [one["content"] for one in stage.store.read("session")["key_facts"]]
    rows = [row for row in stage.store.memories.values() if row.kind == "session_fact"]
    assert len(kept) == 24
    assert len(kept) + len(rows) == 40
    assert {(row.readers, row.author) for row in rows} == {(ALICE.id, ALICE.id)}
    assert not stage.store.read("session")["needs_compaction"]


def test_a_full_notebook_has_room_again():
    """The lines of other labels stay as they are."""
    stage = Stage(model=TableReader())
    fill(stage, "notebook", "append", "*", 45)
    fill(stage, "notebook", "append", BOB.id, 2)
    assert stage.store.read("notebook")["needs_compaction"]
    night(stage)
    notebook = stage.store.read("notebook")
    assert not notebook["needs_compaction"]
    assert sum(one["readers"] == BOB.id for one in notebook["lines"]) == 2
    fill(stage, "notebook", "append", "*", 1)
    assert not stage.store.read("notebook")["needs_compaction"]


def test_without_need_nothing_moves():
    """A list with room is left alone."""
    stage = Stage(model=TableReader())
    fill(stage, "session", "add_session_memory", "*", 5, memory_type="pattern")
    night(stage)
    assert len(stage.store.read("session")["learned_patterns"]) == 5


def test_nobody_must_sleep_to_have_room_again():
    """Awake the same is done by rule: the notebook takes a line again, and no word is lost."""
    stage = Stage(model=TableReader())
    fill(stage, "notebook", "append", ALICE.id, 45)
    fill(stage, "session", "add_session_memory", "*", 41, memory_type="fact")
    done = []
    while work := next_piece(stage.mind, done):
        keep_up(stage.mind, work)
        done.append(work.skip)
    assert len(done) == 2
    for part in ("notebook", "session"):
        assert not stage.store.read(part)["needs_compaction"]
    kept = stage.store.read("notebook")["lines"]
    rows = [row for row in stage.store.memories.values() if row.kind == "note"]
    assert 0 < len(rows) < len(rows) + len(kept) == 40
    assert {row.readers for row in rows} == {ALICE.id}
    assert {(one.type, one.readers) for one in stage.store.audit} == {
        ("Upkeep", ALICE.id),
        ("Upkeep", "*"),
    }
    assert not stage.model.asked
