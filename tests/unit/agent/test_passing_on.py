"""Passing on: what a turn says is held against all that it had before its eyes."""

import pytest

from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.testing import Stage
from tests.unit.agent.scenes import ALICE, BOB, CAROL, SECRET, stored, whispered

TOWER = "The northern tower fell last night."
WORDS = "Bob says that the northern tower fell."


@pytest.fixture
def stage():
    """Alice and Carol stand before the captain."""
    stage = Stage()
    stage.world.enter(ALICE, CAROL)
    return stage


def told(stage):
    """Return whose word the last speech passed on, each with who told it."""
    speech, _ = stage.world.deliveries[-1]
    return [(one["author"], one["chain"]) for one in speech.told]


def bobs_word(**values):
    """Return the row of what Bob said."""
    return MemoryRow(TOWER, author=BOB.id, author_name=BOB.name, meta={"event": "b1"}, **values)


FROM_BOB = [(BOB.id, ["e-sera"])]


def test_what_the_prompt_recalled_is_passed_on(stage):
    """A memory that stands in the prompt, and words drawn from it."""
    stored(stage, bobs_word())
    stage.model.say(WORDS)
    stage.ask(ALICE, "What of the tower?")
    assert told(stage) == FROM_BOB


def test_what_a_tool_found_is_passed_on(stage):
    """A memory that the model looked up itself."""
    stored(stage, bobs_word())
    stage.model.call("recall_memories", query="northern tower").say(WORDS)
    stage.ask(ALICE, "Any news, Captain?")
    assert told(stage) == FROM_BOB


def test_what_was_heard_a_moment_ago_is_passed_on(stage):
    """A line of the conversation that those who are here now did not hear."""
    stage.overhear(BOB, TOWER)
    stage.model.say(WORDS)
    stage.ask(ALICE, "Any news, Captain?")
    assert told(stage) == FROM_BOB


def test_what_is_kept_at_hand_is_passed_on(stage):
    """A fact of session memory, by the one on whose word it was noted."""
    stage.model.call("add_session_memory", memory_type="fact", content=TOWER).say("Alas!")
    stage.world.enter(BOB)
    stage.ask(BOB, "You must know something.")
    stage.model.say(WORDS)
    stage.ask(ALICE, "Any news, Captain?")
    assert told(stage) == FROM_BOB


def test_what_was_looked_up_of_somebody_is_passed_on(stage):
    """What Bob told of Carol, read from her profile."""
    noted = {
        "entity_id": CAROL.id,
        "content": "Carol hides a lantern in the boathouse.",
        "source": "told",
        "told_by": BOB.name,
        "at": 1.0,
        "author": BOB.id,
        "readers": "*",
    }
    identity = {"name": CAROL.name, "entity_type": "player", "at": 1.0}
    changes = [
        Change("profile", CAROL.id, "create_entity_profile", identity),
        Change("profile", CAROL.id, "add_entity_observation", noted),
    ]
    stage.mind.save(Commit(1.0, changes=changes))
    stage.model.call("recall_entity_profile", entity="p2")
    stage.model.say("She keeps a lantern hidden in the boathouse.")
    stage.ask(ALICE, "What do you know of her?")
    assert told(stage) == FROM_BOB


def test_a_guess_passes_nothing_on(stage):
    """A model that says what Bob knows without having it before its eyes has it from nobody."""
    stage.model.say(WORDS)
    stage.ask(ALICE, "What of the tower?")
    assert told(stage) == []


def test_a_private_memory_is_never_the_source_of_public_words(stage):
    """What Alice whispered was not loaded for the room, so nothing said there comes from it."""
    whispered(stage)
    stage.model.say(SECRET)
    stage.ask(CAROL, "When does the vault open?")
    assert told(stage) == []


def test_a_gesture_passes_nothing_on(stage):
    """Only words do."""
    stored(stage, bobs_word())
    stage.model.call("emote", text="draws the fallen northern tower in the dust.")
    stage.ask(ALICE, "What of the northern tower?")
    assert told(stage) == []


def test_the_label_of_the_speech_is_as_narrow_as_its_source(stage):
    """What only Alice may know of Bob's words goes to Alice alone, and stays hers."""
    stored(stage, bobs_word(readers=ALICE.id))
    stage.model.call("whisper", to="p1", text=WORDS)
    stage.ask(ALICE, "What of the tower?", "whisper")
    speech, _ = stage.world.deliveries[-1]
    assert (speech.readers, speech.audience) == (ALICE.id, {ALICE.id})
    assert told(stage) == FROM_BOB


def test_she_remembers_what_she_passed_on(stage):
    """Her own words keep their source, and she believes them as before."""
    stored(stage, bobs_word())
    stage.model.say(WORDS)
    stage.ask(ALICE, "What of the tower?")
    own = [row for row in stage.store.memories.values() if row.kind == "own_words"][-1]
    assert own.meta["told"][0]["author"] == BOB.id
    assert own.trust == 0.9
