"""What every `Store` promises, shown by the one in the database and by the one for tests."""

import json
from dataclasses import replace

import pytest

from ai_assistant.core.contracts import AuditRecord, Commit, MemoryRow, NewRow
from tests.evennia.storehouse import (
    PARTS,
    a_commit,
    a_note,
    a_put,
    an_event,
    build_store,
    forget_caches,
)


@pytest.fixture(params=["attributes", "dict"])
def store(request, db):
    """A fresh store of each kind."""
    if request.param == "dict":
        from ai_assistant.testing import DictStore

        return DictStore(PARTS)
    forget_caches()
    return build_store()[0]


def test_what_is_not_stored_reads_empty(store):
    """An absent part has its empty shape, and no keys."""
    assert store.read("shelf") == {"texts": [], "label": "a shelf"}
    assert store.read("box", "e7") == {"facts": []}
    assert list(store.keys("box")) == []


def test_changes_apply_in_order(store):
    """Several steps of several parts are applied one after the other."""
    store.commit(
        a_commit(a_put("one"), ("tally", "", "count", {"by": 2}), a_put("two"), a_note("e7", "x"))
    )
    assert store.read("shelf")["texts"] == ["one", "two"]
    assert store.read("tally") == {"count": 2}
    assert store.read("box", "e7") == {"facts": ["x"]}


def test_keys_are_kept_apart(store):
    """Each key of a keyed part is a state of its own, listed in the order of arrival."""
    store.commit(a_commit(a_note("e9", "nine"), a_note("e7", "seven")))
    assert list(store.keys("box")) == ["e9", "e7"]
    assert store.read("box", "e7") == {"facts": ["seven"]}
    assert store.read("box", "e8") == {"facts": []}


def test_a_view_is_what_would_be_read(store):
    """What is only looked at is no copy, yet the same; and a later commit leaves it as it was."""
    assert store.view("shelf") == store.read("shelf")
    store.commit(a_commit(a_put("one")))
    seen = store.view("shelf")
    assert seen == store.read("shelf")
    store.commit(a_commit(a_put("two")))
    assert seen["texts"] == ["one"]
    assert store.view("shelf")["texts"] == ["one", "two"]


def test_in_tests_a_view_that_was_changed_is_found_out():
    """Whoever changes what is only to be looked at fails with the next commit."""
    from ai_assistant.testing import DictStore

    store = DictStore(PARTS)
    store.view("shelf")["texts"].append("three")
    with pytest.raises(AssertionError, match="shelf"):
        store.commit(a_commit(a_put("one")))


def test_copies_are_plain_and_own(store):
    """What was read, or given to a change, can be scribbled on without touching the store."""
    fact = {"about": ["wolves"]}
    store.commit(a_commit(a_note("e7", fact)))
    fact["about"].append("bears")
    store.read("box", "e7")["facts"][0]["about"].append("foxes")
    assert store.read("box", "e7") == {"facts": [{"about": ["wolves"]}]}
    assert json.loads(json.dumps(store.read("box", "e7"))) == store.read("box", "e7")


def test_commit_returns_rows_with_ids(store):
    """Rows of the commit come back first, then what spilled over, each with its id."""
    puts = [a_put(text) for text in "abcd"]
    rows = store.commit(a_commit(*puts, rows=[MemoryRow(content="heard", readers="e7")]))
    assert [(row.content, row.kind) for row in rows] == [("heard", "utterance"), ("a", "spilled")]
    assert all(row.id > 0 for row in rows)
    assert store.rows.by_ids([row.id for row in rows]) == rows


def test_unknown_rows_are_left_out(store):
    """Rows come in the order asked for; an id that is not there is no error."""
    one, two = store.commit(a_commit(rows=[MemoryRow(content=text) for text in ("one", "two")]))
    assert store.rows.by_ids([two.id, 987654, one.id]) == [two, one]


def test_newest_rows_come_first(store):
    """Paging back through the container meets every row once."""
    rows = store.commit(a_commit(rows=[MemoryRow(content=str(number)) for number in range(5)]))
    page = store.rows.newest(2)
    assert [row.content for row in page] == ["4", "3"]
    assert store.rows.newest(9, before=page[-1].id) == rows[2::-1]


def test_rows_keep_every_field(store):
    """A row comes back as it was given."""
    given = MemoryRow(
        content="The bridge is out.",
        kind="told",
        session="s1",
        subject="e3",
        author="e7",
        author_name="Alice",
        readers="e7,e8",
        game_day=4,
        location="Inn",
        learned_at=12.5,
        importance=8,
        trust=0.5,
        parents=(1, 2),
        meta={"loreKey": "bridge"},
    )
    [kept] = store.commit(a_commit(rows=[given]))
    [read] = store.rows.by_ids([kept.id])
    assert (read.parents, read.meta, read.learned_at) == ((1, 2), {"loreKey": "bridge"}, 12.5)
    assert (read.readers, read.session, read.trust) == ("e7,e8", "s1", 0.5)


def test_failing_step_changes_nothing(store):
    """A commit with a step that fails leaves parts, rows and triggers as they were."""
    store.triggers.add(an_event("ev1"))
    store.commit(a_commit(a_put("before")))
    with pytest.raises(KeyError):
        store.commit(
            a_commit(
                a_put("after"),
                ("box", "e7", "no such step", {}),
                rows=[MemoryRow(content="row")],
                audit=[AuditRecord("turn", {})],
                closed=["ev1"],
            )
        )
    assert store.read("shelf")["texts"] == ["before"]
    assert list(store.keys("box")) == []
    assert store.rows.newest(5) == []
    assert [waiting.event.id for waiting in store.triggers.waiting()] == ["ev1"]


def test_trigger_is_kept_once(store):
    """A trigger that is on disk already is not put there again; the oldest is handed out first."""
    event = an_event("ev1", readers="e7", place="e5", root="ev0", metadata={"hearers": ["e7"]})
    assert store.triggers.add(event)
    assert store.triggers.add(an_event("ev2"))
    assert not store.triggers.add(an_event("ev1"))
    first, second = store.triggers.waiting()
    assert (first.event, first.attempts, first.claims) == (event, 0, ())
    assert second.event.id == "ev2"


def test_attempt_is_counted_and_given_back(store):
    """A turn counts an attempt for its events; a reload takes it back."""
    store.triggers.add(an_event("ev1"))
    store.triggers.begin("t1", ["ev1"])
    assert (store.triggers.waiting()[0].attempts, store.triggers.waiting()[0].turn_id) == (1, "t1")
    store.triggers.give_back("t1")
    assert (store.triggers.waiting()[0].attempts, store.triggers.waiting()[0].turn_id) == (0, "")


def test_claimed_turn_is_not_given_back(store):
    """Once an act was begun, every event of the turn knows, and the attempt stands."""
    for event_id in ("ev1", "ev2"):
        store.triggers.add(an_event(event_id))
    store.triggers.begin("t1", ["ev1", "ev2"])
    store.triggers.claim("t1", {"id": "c1", "name": "give"})
    store.triggers.claim("t1", {"id": "c2", "name": "move"})
    store.triggers.settle("t1", "c1", {"ok": True})
    store.triggers.give_back("t1")
    for waiting in store.triggers.waiting():
        given, moved = waiting.claims
        assert given == {"id": "c1", "name": "give", "result": {"ok": True}}
        assert moved == {"id": "c2", "name": "move"}
        assert waiting.attempts == 1


def test_a_commit_claims_with_all_else_or_not_at_all(store):
    """What was said is on record in the step that saves it; a refused commit claims nothing."""
    store.triggers.add(an_event("ev1"))
    store.triggers.begin("t1", ["ev1"])
    said = {"id": "t1.said.1", "tool": "say", "result": {"said": "Hello."}}
    with pytest.raises(KeyError):
        store.commit(a_commit(("shelf", "", "no_such_step", {}), claims=[said]))
    assert store.triggers.waiting()[0].claims == ()
    store.commit(a_commit(claims=[said]))
    assert store.triggers.waiting()[0].claims == (said,)


def test_commit_closes_triggers(store):
    """The commit of the answer is also the end of the event."""
    for event_id in ("ev1", "ev2"):
        store.triggers.add(an_event(event_id))
    store.commit(a_commit(closed=["ev1", "unknown"]))
    assert [waiting.event.id for waiting in store.triggers.waiting()] == ["ev2"]


def test_a_change_can_speak_of_a_row_of_its_own_commit(store):
    """`NewRow` becomes the id that the row got, wherever it stands in the arguments."""
    fact = {"evidence": [NewRow(1), NewRow(0)]}
    rows = [MemoryRow("first"), MemoryRow("second")]
    stored = store.commit(a_commit(a_note("e7", fact), rows=rows))
    assert store.read("box", "e7")["facts"] == [{"evidence": [stored[1].id, stored[0].id]}]


def test_archived_rows_are_out_of_use_until_they_are_revived(store):
    """Archiving and reviving are part of the commit."""
    first, second = store.commit(a_commit(rows=[MemoryRow("first"), MemoryRow("second")]))
    store.commit(a_commit(archived=[first.id]))
    assert store.rows.after(0, 10) == [second]
    assert store.rows.find({"kind": "utterance"}, 10) == [second]
    store.commit(a_commit(revived=[first.id]))
    assert store.rows.after(0, 10) == [first, second]


def test_metadata_is_added_to(store):
    """A note on a row leaves what was known of it before."""
    (row,) = store.commit(a_commit(rows=[MemoryRow("first", meta={"event": "ev1"})]))
    store.commit(a_commit(annotated={row.id: {"links": [7]}}))
    assert store.rows.by_ids([row.id])[0].meta == {"event": "ev1", "links": [7]}


def test_a_note_on_a_row_may_name_a_new_one(store):
    """Its id is there once the commit is."""
    (old,) = store.commit(a_commit(rows=[MemoryRow("old")]))
    notes = {old.id: {"replaced_by": NewRow(0)}}
    (new,) = store.commit(a_commit(rows=[MemoryRow("new")], annotated=notes))
    assert store.rows.by_ids([old.id])[0].meta == {"replaced_by": new.id}


def test_rows_of_one_label_are_read_on_alone(store):
    """Of one exact label, whoever else may read them."""
    rows = [MemoryRow(str(n), readers="e7" if n % 2 else "*") for n in range(6)]
    stored = store.commit(a_commit(rows=rows))
    assert [row.content for row in store.rows.after(0, 9, readers="e7")] == ["1", "3", "5"]
    assert [row.content for row in store.rows.after(stored[0].id, 1, readers="*")] == ["2"]


def test_rows_are_read_on_from_an_id(store):
    """A reader goes on where it stopped."""
    ids = [row.id for row in store.commit(a_commit(rows=[MemoryRow(str(n)) for n in range(5)]))]
    assert [row.id for row in store.rows.after(ids[1], 2)] == ids[2:4]


def test_rows_of_one_session_are_read_on_alone(store):
    """Those of the game, or of a scene, past what else there is."""
    rows = [MemoryRow(str(n), session="s1" if n % 2 else "") for n in range(6)]
    stored = store.commit(a_commit(rows=rows))
    assert [row.content for row in store.rows.after(0, 9, "s1")] == ["1", "3", "5"]
    assert [row.content for row in store.rows.after(stored[0].id, 1, "")] == ["2"]


def test_an_empty_state_of_a_keyed_part_can_be_removed(store):
    """What holds anything stays."""
    store.commit(a_commit(a_note("e7", "seven"), a_note("e9", "nine")))
    store.commit(a_commit(("box", "e7", "redact", {"edits": {}, "whole": True})))
    for key in ("e7", "e9", "unknown"):
        store.drop("box", key)
    assert list(store.keys("box")) == ["e9"]
    store.commit(a_commit(a_note("e7", "again")))
    assert store.read("box", "e7")["facts"] == ["again"]


def test_all_states_of_a_keyed_part_are_read_at_once(store):
    """Key by key, oldest first."""
    store.commit(a_commit(a_note("e9", "nine"), a_note("e7", "seven")))
    assert store.read_all("box") == {"e9": {"facts": ["nine"]}, "e7": {"facts": ["seven"]}}


def test_records_of_a_turn_are_found_again(store):
    """The audit log answers by turn, in order."""
    first = AuditRecord("Slept", {"n": 1}, "*")
    store.commit(Commit(at=5.0, turn_id="night1", audit=[first]))
    store.commit(Commit(at=6.0, turn_id="night2", audit=[AuditRecord("Slept", {"n": 2})]))
    assert [one.data for one in store.records("night1")] == [{"n": 1}]
    assert store.records("night1")[0].at == 5.0


def test_vectors_are_kept_by_model_and_words(store):
    """A row has one model's vector at a time; one made of other words than the row's is refused."""
    first, second = store.commit(a_commit(rows=[MemoryRow("Rain."), MemoryRow("Snow.")]))
    changed = replace(second, content="Sleet.")
    assert store.rows.set_vectors([first, changed], [b"1234", b"5678"], "small") == [first.id]
    assert store.rows.vectors([first.id, second.id, 999]) == {first.id: ("small", b"1234")}
    store.rows.set_vectors([first], [b"90ab"], "large")
    assert store.rows.vectors([first.id]) == {first.id: ("large", b"90ab")}
