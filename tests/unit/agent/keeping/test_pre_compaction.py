"""Rescue: what a model saves of a talk before it is shortened, and what it may not make up."""

import json

import pytest

from ai_assistant.agent.keeping.compaction import shorten_talk
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import ModelError
from ai_assistant.memory.talk.working import key_of
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run

(ALICE,) = people("Alice")
KEY = key_of(ALICE.id, ALICE.id)
LINES = (
    "I need a sword by Friday.",
    "My brother Tom keeps the mill.",
    "The bridge is guarded by six men.",
    "I shall pay you forty silver.",
    "Good weather today.",
)
SUMMARY = "- They: asked for a sword"


@pytest.fixture
def stage():
    """Alice has whispered so much that five lines were folded."""
    stage = Stage()
    stage.world.enter(ALICE)
    identity = {"name": "Alice", "entity_type": "player", "at": 0.0}
    start = {"entity_id": ALICE.id, "readers": ALICE.id, "at": 0.0}
    changes = [
        Change("profile", ALICE.id, "create_entity_profile", identity),
        Change("working", KEY, "start_conversation", start),
    ]
    for line in LINES:
        said = {"role": "user", "content": line, "at": 0.0}
        changes.append(Change("working", KEY, "add_conversation_message", said))
    changes.append(Change("working", KEY, "fold", {"at": 0.0, "keep": 0}))
    stage.mind.save(Commit(0.0, changes=changes))
    return stage


def rescued(stage, *facts):
    """Let the model name these facts, then summarise; returns what the journal holds."""
    names = ("fact", "line", "quote")
    answer = [dict(zip(names, (*fact, "pay you forty"), strict=False)) for fact in facts]
    stage.model.text(json.dumps(answer)).text(SUMMARY)
    assert run(shorten_talk(stage.mind, KEY))
    return stage.store.read("journal")["entries"]


def test_facts_are_in_the_journal_before_the_talk_is_shortened(stage):
    """What the lines say is kept, under the label of the talk and with its author."""
    (entry,) = rescued(stage, ("Alice will pay forty silver.", 4))
    assert entry["content"] == "Alice will pay forty silver."
    assert (entry["readers"], entry["author"], entry["tags"][0]) == (ALICE.id, ALICE.id, "rescued")


@pytest.mark.parametrize(
    "fact",
    [
        ("Alice will pay.", 4, "I shall pay you fifty"),
        ("Alice will pay.", 3, "pay you forty"),
        ("Alice will pay.", 4, ""),
        ("Captain Seraphina will be paid.", 4),
        ("Alice will pay ninety silver.", 9),
        ("Alice will pay forty silver.", "4"),
        ("Alice will pay you 400 silver.", 4),
        ("I shall be paid forty silver.", 4),
        ("", 1),
    ],
)
def test_what_the_line_does_not_say_is_not_written(stage, fact):
    """Without a quote of its line, with other numbers, or about itself, it is left out."""
    assert rescued(stage, fact) == []


def test_a_model_that_fails_does_not_keep_the_talk_from_being_shortened(stage):
    """Without an answer nothing is rescued; the summary is made all the same."""
    stage.model.fail(ModelError("down")).text(SUMMARY)
    assert run(shorten_talk(stage.mind, KEY))
    assert stage.store.read("journal")["entries"] == []


def test_the_rescue_reads_the_lines_and_nothing_else(stage):
    """No tools, no persona; the context is that of pre_compaction."""
    rescued(stage)
    request = stage.model.requests[0]
    assert (request.context_type, request.tools) == ("pre_compaction", ())
    assert "brother Tom" in stage.model.shown(0)
    assert "Captain of the Guard" not in stage.model.shown(0)
