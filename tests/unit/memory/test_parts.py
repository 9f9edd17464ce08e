"""Every part of memory keeps the same promises: plain data, bounded, and nothing lost unseen."""

import json

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.unasked.patience import MAX_SPOKEN
from ai_assistant.core.contracts import Entity, Speech
from ai_assistant.core.times import epoch, iso
from ai_assistant.memory.blocks.shared_social import MAX_GROUPS
from ai_assistant.memory.blocks.status_block import MAX_MORE
from ai_assistant.memory.inner.guidelines import MAX_ACCEPTED, MAX_PROPOSED
from ai_assistant.memory.inner.journal import MAX_ENTRIES as MOST_JOURNAL
from ai_assistant.memory.inner.owner_additions import MAX_COMPONENTS, MAX_TEMPLATES
from ai_assistant.memory.inner.session import MAX_COMPLETED
from ai_assistant.memory.inner.session import MAX_ITEMS as MOST_FACTS
from ai_assistant.memory.inner.sleep_state import MOST_AGAIN, MOST_SKIPPED
from ai_assistant.memory.inner.staff_notes import MAX_NOTES
from ai_assistant.memory.inner.tallies import MAX_WAITING
from ai_assistant.memory.inner.verdicts import MOST_VERDICTS
from ai_assistant.memory.parts import copied, digest
from ai_assistant.memory.people.feelings import MAX_HISTORY, MAX_PROMISES
from ai_assistant.memory.people.profiles import MAX_OBSERVATIONS
from ai_assistant.memory.people.traits import MAX_ATTRIBUTES
from ai_assistant.memory.talk.folding import MOST_FOLDED
from ai_assistant.memory.talk.stream import MAX_ENTRIES as MOST_STREAM
from ai_assistant.memory.talk.stream import own_entry
from ai_assistant.memory.talk.working import MAX_ITEMS, MAX_PENDING
from ai_assistant.planning.goals import MAX_OPEN, new_goal
from ai_assistant.planning.projects import MAX_OPEN as MAX_OPEN_PROJECTS
from ai_assistant.roleplay.lorebook.lore_marks import MAX_LABELS

MANY = 300
DAY = 86_400.0
GAME = {"writer": "game"}
ME = Entity("e-me", "Me", "npc")


def entry(number):
    speech = Speech("say", f"word {number}", "*", frozenset(), event=f"t{number}.said.1")
    return own_entry(ME, speech, at=number, turn_id=f"t{number}")


# part → step → (arguments of its nth call, where its items are, how many it keeps, spills rows)
CASES = {
    ("profile", "create_entity_profile"): (
        lambda n: {"name": f"Name {n}", "entity_type": "player", "at": n}, None, 0, False),
    ("profile", "count_exchange"): (lambda n: {"at": n}, None, 0, False),
    ("profile", "add_entity_observation"): (
        lambda n: {"entity_id": "e-x", "content": f"fact {n}", "source": "told", "at": n,
                   "author": "e-y", "readers": "e-y"},
        lambda state: state["observations"], MAX_OBSERVATIONS, True),
    ("profile", "update_relationship"): (
        lambda n: {"delta": (-1) ** n * 0.05, "reason": f"fact {n}", "author": "e-y",
                   "at": n * DAY, "readers": "e-y"},
        lambda state: state["relationship"]["history"], MAX_HISTORY, False),
    ("profile", "take_back"): (
        lambda n: {"events": [f"event{n}"], "at": n * DAY}, None, 0, False),
    ("profile", "set_aside"): (
        lambda n: {"events": [f"event{n}"], "at": n * DAY}, None, 0, False),
    ("profile", "take_up"): (
        lambda n: {"lines": {f"event{n}": f"event{n}"}, "at": n * DAY}, None, 0, False),
    ("profile", "note_promise"): (
        lambda n: {"event": f"event{n}", "author": "e-y", "at": n, "readers": "e-y"},
        lambda state: state["relationship"]["promises"], MAX_PROMISES, False),
    ("profile", "end_promise"): (lambda n: {"event": f"event{n}"}, None, 0, False),
    ("profile", "add_attribute"): (
        lambda n: {"entity_id": "e-x", "type": "trait", "value": f"fact {n}", "source": "staff",
                   "at": n, "author": "e-y", "readers": "e-y"},
        lambda state: state["attributes"], MAX_ATTRIBUTES, True),
    ("profile", "consolidate"): (
        lambda n: {"entity_id": "e-x", "drop": [], "consumed": [],
                   "add": [{"type": "trait", "value": f"fact {n}", "readers": "e-y",
                            "created": iso(n)}]},
        lambda state: state["attributes"], MAX_ATTRIBUTES, True),
    ("profile", "restore"): (
        lambda n: {"drop": [], "attributes": [], "observations": []}, None, 0, False),
    ("working", "fold"): (lambda n: {"at": n}, None, 0, False),
    ("working", "close"): (lambda n: {"at": n}, None, 0, False),
    ("working", "replace_summary"): (
        lambda n: {"expected": "", "summary": f"s {n}"}, None, 0, False),
    ("working", "take_back"): (lambda n: {"ids": [f"e{n}"]}, None, 0, False),
    ("working", "complete_pending_action"): (lambda n: {"action": f"do {n}"}, None, 0, False),
    ("working", "note_context"): (
        lambda n: {"mentioned_items": [f"item {n}"], "question": f"What of {n}?"},
        lambda state: state["context"]["mentioned_items"], MAX_ITEMS, False),
    ("working", "start_conversation"): (
        lambda n: {"entity_id": "e-x", "readers": "*", "at": n, "topic": f"t{n}"}, None, 0, False),
    ("working", "add_conversation_message"): (
        lambda n: {"role": "user", "content": f"word {n} " + "x" * 400, "at": n, "id": f"e{n}"},
        lambda state: state["summed"], MOST_FOLDED, False),
    ("working", "add_pending_action"): (
        lambda n: {"action": f"do {n}", "priority": n % 5, "at": n},
        lambda state: state["pending_actions"], MAX_PENDING, False),
    ("journal", "add_journal_entry"): (
        lambda n: {"content": f"fact {n}", "source_type": "direct", "at": n, "readers": "e-y"},
        lambda state: state["entries"], MOST_JOURNAL, True),
    ("journal", "file_entries"): (lambda n: {"keep": 20}, None, 0, False),
    ("journal", "rescore"): (lambda n: {"scores": {"1": n}}, None, 0, False),
    ("journal", "note_reflection"): (lambda n: {"at": n}, None, 0, False),
    ("safety", "count_error"): (lambda n: {}, None, 0, False),
    ("safety", "stop"): (lambda n: {"reason": f"fault {n}", "at": n}, None, 0, False),
    ("safety", "go_on"): (lambda n: {}, None, 0, False),
    ("reflection", "count"): (
        lambda n: {"entries": [n, n + 1000], "importance": 5},
        lambda state: state["entries_since_reflection"], MAX_WAITING, False),
    ("reflection", "looked_back"): (lambda n: {"entries": [n]}, None, 0, False),
    ("reflection", "reflected"): (lambda n: {"at": n}, None, 0, False),
    ("sleep", "fall_asleep"): (
        lambda n: {"night": f"n{n}", "why": "command", "at": n}, None, 0, False),
    ("sleep", "call"): (lambda n: {"by": "command", "at": n}, None, 0, False),
    ("sleep", "advance"): (
        lambda n: {"at": n, "skip": f"s{n}", "marks": {"gathered": n}},
        lambda state: state["skipped"], MOST_SKIPPED, False),
    ("sleep", "read_again"): (
        lambda n: {"rows": {"*": [n]}},
        lambda state: state["waiting"]["*"]["again"], MOST_AGAIN, False),
    ("sleep", "note_undone"): (lambda n: {"night": f"n{n}", "at": n}, None, 0, False),
    ("stream", "append"): (
        lambda n: {"added": [entry(n)] * 2},
        lambda state: state["entries"], MOST_STREAM, False),
    ("stream", "take_back"): (lambda n: {"ids": [n]}, None, 0, False),
    ("session", "add_session_memory"): (
        lambda n: {"memory_type": "fact", "content": f"fact {n}", "at": n, "readers": "e-y"},
        lambda state: state["key_facts"], MOST_FACTS, False),
    ("session", "compact_session_memory"): (
        lambda n: {"new_facts": [f"fact {n}"], "new_patterns": [], "at": n, "readers": "e-y"},
        lambda state: state["key_facts"], 1, True),
    ("session", "settle"): (lambda n: {"readers": "e-y", "share": 0.6}, None, 0, False),
    ("notebook", "settle"): (lambda n: {"readers": "e-y", "share": 0.6}, None, 0, False),
    ("session", "request_compaction"): (lambda n: {}, None, 0, False),
    ("notebook", "request_compaction"): (lambda n: {}, None, 0, False),
    ("session", "add_completed_task"): (
        lambda n: {"content": f"fact {n}", "at": n, "readers": "e-y"},
        lambda state: state["completed_tasks"], MAX_COMPLETED, True),
    ("notebook", "write"): (
        lambda n: {"content": f"fact {n}", "at": n, "readers": "e-y"},
        lambda state: state["lines"], 1, False),
    ("notebook", "append"): (
        lambda n: {"content": f"fact {n:03d}" + "." * 71, "at": n, "readers": "e-y"},
        lambda state: state["lines"], 50, False),
    ("notebook", "clear"): (lambda n: {"readers": "e-y"}, None, 0, False),
    ("guidelines", "propose"): (
        lambda n: {"content": f"rule {n}", "reason": "x", "at": n, "readers": f"e-{n}"},
        lambda state: state["proposed"], MAX_PROPOSED, False),
    ("guidelines", "add"): (
        lambda n: {"content": f"rule {n}", "at": n, "readers": "*", "by": "Ada"},
        lambda state: state["accepted"], MAX_ACCEPTED, False),
    ("guidelines", "accept"): (lambda n: {"id": n, "by": "Ada", "at": n}, None, 0, False),
    ("guidelines", "reject"): (lambda n: {"id": n, "by": "Ada", "at": n}, None, 0, False),
    ("verdicts", "keep_verdict"): (
        lambda n: {"verdict": {"turn_id": f"t{n}", "id": f"e{n}", "event_type": "verdict"}},
        lambda state: state["verdicts"], MOST_VERDICTS, False),
    ("verdicts", "take_back"): (lambda n: {"turn_id": f"t{n}"}, None, 0, False),
    ("staff_notes", "keep_note"): (
        lambda n: {"content": f"n{n}", "by": "Ada", "at": n, "turns": 3, "until": None},
        lambda state: state["notes"], MAX_NOTES, False),
    ("staff_notes", "withdraw"): (lambda n: {"id": n}, None, 0, False),
    ("staff_notes", "spend_turn"): (lambda n: {"ids": [n], "at": n}, None, 0, False),
    ("prompt", "put_component"): (
        lambda n: {"component": {"id": 1001 + n, "key": f"k{n}", "content": "word"}},
        lambda state: state["components"], MAX_COMPONENTS, False),
    ("prompt", "drop_component"): (lambda n: {"key": f"k{n}"}, None, 0, False),
    ("prompt", "put_template"): (
        lambda n: {"name": f"t{n}", "text": "{name}"},
        lambda state: state["templates"], MAX_TEMPLATES, False),
    ("prompt", "drop_template"): (lambda n: {"name": f"t{n}"}, None, 0, False),
    ("prompt", "apply_template"): (lambda n: {"name": "default"}, None, 0, False),
    ("prompt", "as_earlier"): (
        lambda n: {"earlier": PARTS["prompt"].empty()}, None, 0, False),
    ("patience", "spoke"): (
        lambda n: {"place": "room1", "heard": ["e-y"], "at": n},
        lambda state: state["spoken"], MAX_SPOKEN, False),
    ("patience", "answered"): (lambda n: {"place": "room1", "who": "e-y"}, None, 0, False),
    ("lore", "mark"): (
        lambda n: {"readers": f"e-{n}", "messages": 2, "entries": [f"x{n}", f"y{n}"]},
        lambda state: state["talks"], MAX_LABELS, False),
    ("metrics", "count"): (lambda n: {"name": f"c{n % 3}"}, None, 0, False),
    ("metrics", "count_tool"): (lambda n: {"name": "say", "ok": n % 2 == 0}, None, 0, False),
    ("goals", "add_goal"): (
        lambda n: {"goal": new_goal(f"goal_1_{n}", f"fact {n}", at=n, readers="e-y"), "at": n},
        lambda state: state["goals"], MAX_OPEN, False),
    ("goals", "update_goal"): (
        lambda n: {"goal_id": f"goal_1_{n}", "progress": 50, "at": n}, None, 0, False),
    ("goals", "wake_goals"): (lambda n: {"who": "e-x", "at": n}, None, 0, False),
    ("goals", "update_parent_progress"): (
        lambda n: {"goal_id": f"goal_1_{n}", "at": n}, None, 0, False),
    ("goals", "file_finished"): (lambda n: {"before": iso(n)}, None, 0, False),
    ("counters", "count"): (lambda n: {"name": "ticks"}, None, 0, False),
    ("projects", "create_project"): (
        lambda n: {"key": f"p{n}", "summary": f"fact {n}", "at": n, "readers": "e-y"},
        lambda state: state["slots"], MAX_OPEN_PROJECTS, False),
    ("projects", "swap_project"): (
        lambda n: {"key": f"p{n}", "at": n, "readers": "e-y"}, None, 0, False),
    ("projects", "update_project"): (
        lambda n: {"key": f"p{n}", "context_update": "word", "at": n}, None, 0, False),
    ("projects", "complete_project"): (lambda n: {"key": f"p{n}", "at": n}, None, 0, False),
    ("projects", "archive_project"): (lambda n: {"key": f"p{n}"}, None, 0, False),
    ("shared_social", "add_line"): (
        lambda n: GAME | {"content": f"fact {n:03d}" + "." * 310, "at": n, "readers": "e-y"},
        lambda state: state["recent_facts"], 14, False),
    ("shared_social", "insert_line"): (
        lambda n: GAME | {"content": f"fact {n:03d}" + "." * 310, "after": "", "at": n,
                          "readers": "e-y"},
        lambda state: state["recent_facts"], 14, False),
    ("shared_social", "edit_line"): (
        lambda n: GAME | {"old": f"fact {n}", "new": "fact", "at": n}, None, 0, False),
    ("shared_social", "record_group_interaction"): (
        lambda n: GAME | {"participants": [f"fact {n}"], "topic": "", "at": n, "readers": "e-y"},
        lambda state: state["group_interactions"], MAX_GROUPS, True),
    ("shared_social", "edit_group_interaction"): (
        lambda n: GAME | {"old": f"fact {n}", "new": "fact: word"}, None, 0, False),
    ("shared_social", "settle"): (
        lambda n: GAME | {"gone": [f"fact {n}"], "summary": "facts", "at": n}, None, 0, False),
    ("shared_social", "request_compaction"): (lambda n: GAME, None, 0, False),
    ("global_knowledge", "set_lore"): (lambda n: GAME | {"text": f"fact {n}"}, None, 0, False),
    ("global_knowledge", "add_line"): (
        lambda n: GAME | {"content": f"fact {n:03d}" + "." * 310, "at": n},
        lambda state: state["recent_events"], 19, False),
    ("global_knowledge", "edit_line"): (
        lambda n: GAME | {"old": f"fact {n}", "new": "fact", "at": n}, None, 0, False),
    ("global_knowledge", "set_location"): (
        lambda n: GAME | {"name": f"place {n}", "description": "." * 310, "at": n},
        lambda state: state["locations"], 19, False),
    ("global_knowledge", "remove_location"): (
        lambda n: GAME | {"name": f"place {n}"}, None, 0, False),
    ("global_knowledge", "settle"): (
        lambda n: GAME | {"gone": [f"fact {n}"], "summary": "facts", "at": n}, None, 0, False),
    ("global_knowledge", "request_compaction"): (lambda n: GAME, None, 0, False),
    ("status", "set_status"): (
        lambda n: GAME | {"fields": {f"field{n}": "x" * 99}, "at": n},
        lambda state: state["more"], MAX_MORE, False),
    ("status", "feel"): (lambda n: GAME | {"emotion": "calm", "at": n}, None, 0, False),
    ("old_layout", "keep"): (
        lambda n: {"persona": {"role": f"fact {n}"}, "human": {"e-y": [f"fact {n}"]},
                   "locations": [], "at": n}, None, 0, False),
    ("custom_block", "add_line"): (
        lambda n: GAME | {"content": f"fact {n:03d}" + "." * 310, "at": n, "readers": "e-y"},
        lambda state: state["lines"], 12, False),
    ("custom_block", "insert_line"): (
        lambda n: GAME | {"content": f"fact {n:03d}" + "." * 310, "after": "", "at": n,
                          "readers": "e-y"},
        lambda state: state["lines"], 12, False),
    ("custom_block", "edit_line"): (
        lambda n: GAME | {"old": f"fact {n}", "new": "fact", "at": n}, None, 0, False),
    ("custom_block", "settle"): (
        lambda n: GAME | {"gone": [f"fact {n}"], "summary": "facts", "at": n}, None, 0, False),
    ("working", "promised_on"): (
        lambda n: {"entity_id": "e-x", "label": f"c-{n}"}, lambda state: state["promised_on"],
        4, False),
    ("working", "open_kits"): (
        lambda n: {"kits": ["people"]}, lambda state: state["kits"], 1, False),
    ("custom_block", "request_compaction"): (lambda n: GAME, None, 0, False),
    ("global_knowledge", "settle_places"): (
        lambda n: GAME | {"gone": [f"place {n}"], "summary": "places", "at": n}, None, 0, False),
    ("global_knowledge", "settle_lore"): (
        lambda n: GAME | {"gone": [f"fact {n}"], "summary": "lore", "at": n}, None, 0, False),
}  # fmt: skip


def test_every_step_of_every_part_is_tried():
    """A new part or step joins the contract by one row of the table."""
    assert {(part.name, op) for part in PARTS.values() for op in part.steps} == set(CASES)
    assert all(name == part.name for name, part in PARTS.items())


def test_empty_is_plain_and_fresh():
    """The empty shape is JSON, and nobody shares it with anybody."""
    for part in PARTS.values():
        empty = part.empty()
        assert json.loads(json.dumps(empty)) == empty
        part.empty().clear()
        assert part.empty() == empty, part.name


def test_state_survives_json():
    """After any step the state is JSON, and goes on from its copy as from itself."""
    for (part, op), (arguments, *_) in CASES.items():
        kept, copied = PARTS[part].empty(), PARTS[part].empty()
        for number in range(5):
            PARTS[part].apply(kept, op, arguments(number))
            PARTS[part].apply(copied, op, json.loads(json.dumps(arguments(number))))
            copied = json.loads(json.dumps(copied))
        assert kept == copied, (part, op)
        assert kept.keys() == PARTS[part].empty().keys()


@pytest.mark.parametrize(("part", "op"), CASES)
def test_state_stays_bounded(part, op):
    """However often a step is taken, its list keeps its length, and spills are whole rows."""
    arguments, items, most, spills = CASES[part, op]
    state, rows, sizes = PARTS[part].empty(), [], []
    for number in range(MANY if items else 20):
        rows += PARTS[part].apply(state, op, arguments(number))
        sizes += [len(json.dumps(state))] if items else []
    if items:
        assert len(items(state)) == most
        assert sizes[-1] < 1.2 * max(sizes[:most]) + 500
    assert len(rows) == (MANY - most if spills else 0)
    assert [row.content for row in rows] == [f"fact {number}" for number in range(len(rows))]
    assert all((row.readers, row.learned_at) == ("e-y", n) for n, row in enumerate(rows))


def test_an_unknown_step_is_an_error():
    """A change that names no step of the part is a bug, and shows as one."""
    with pytest.raises(KeyError):
        PARTS["stream"].apply(PARTS["stream"].empty(), "forget", {})


def test_times_survive_their_text():
    """Seconds become the seeds' stamps and come back."""
    assert iso(1_764_093_840.9) == "2025-11-25T18:04:00Z"
    assert epoch("2025-11-25T18:04:00Z") == 1_764_093_840.0
    assert epoch("") == 0.0


def test_a_fingerprint_lasts():
    """The same text has the same fingerprint in every process."""
    assert digest("e-alice") == "c4752bd6a87e31a9"
    assert digest("e-alice") != digest("e-bob")


def containers(value):
    """Yield a value of JSON and all within it that can be changed."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


@pytest.mark.parametrize(
    "value",
    [
        {"entries": [{"id": "a", "n": 1}, {"told": [{"by": "b"}]}], "left": {"": {"*": 2}}},
        [["a"], [], {}, 1.5, None, True, ("pair", [1])],
        "words",
        ({"in": ["a tuple"]},),
    ],
)
def test_a_copy_shares_nothing_that_can_be_changed(value):
    """Whatever is done to a copy of a state, the state stays as it is."""
    copy = copied(value)
    assert copy == value
    held = {id(one) for one in containers(value)}
    assert all(id(one) not in held for one in containers(copy))
