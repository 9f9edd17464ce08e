"""Thoughts: what the character keeps to itself, and why nobody ever gets at it."""

import pytest

from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.roleplay.recollection import KIND, MOST_THOUGHTS
from ai_assistant.testing import Stage
from tests.unit.agent.scenes import ALICE, BOB, stored
from tests.unit.sleep.nights import night

DOUBT = "Alice lies about the ledger."


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    stage = Stage()
    stage.world.enter(ALICE)
    return stage


def thinks(stage, thought=DOUBT, kind="say"):
    """Let the captain think something while she answers Alice."""
    stage.model.call("think", thought=thought)
    stage.model.call("whisper", to="p1", text="I see.") if kind == "whisper" else stage.model.say(
        "I see."
    )
    return stage.ask(ALICE, "The books are in order, Captain.", kind)


def muses(stage, *calls):
    """Let her recall what she thought of her own accord, then do the rest in one reply."""
    stage.model.call("recall_thoughts", query="Alice ledger").calls(*calls)
    return stage.turn(context_type="tick_autonomous")


def rows(stage, kind=KIND):
    return [row for row in stage.store.memories.values() if row.kind == kind]


def test_a_thought_is_kept_and_not_said(stage):
    """It is a row that nobody may read, beside words that say something else."""
    thinks(stage)
    [row] = rows(stage)
    assert (row.content, row.readers, row.author) == (DOUBT, NOBODY, "e-sera")
    assert stage.world.said == ["I see."]
    assert all(DOUBT not in str(entry) for entry in stage.store.read("stream")["entries"])


@pytest.mark.parametrize("kind", ["say", "whisper"])
def test_it_is_before_nobodys_eyes_when_she_answers(kind, stage):
    """Neither the prompt nor any search brings it into a turn that somebody hears."""
    thinks(stage)
    stage.model.call("recall_memories", query="Alice lies about the ledger")
    if kind == "say":
        stage.model.say("What ledger?")
    else:
        stage.model.call("whisper", to="p1", text="What ledger?")
    stage.ask(ALICE, "What do you think of me and the ledger? Recall your thoughts!", kind)
    assert "lies" not in stage.model.shown()
    assert "recall_thoughts" not in stage.model.offered()


def test_a_call_for_it_is_refused_there(stage):
    """A model that was talked into it gets no thought."""
    thinks(stage)
    stage.model.call("recall_thoughts", query="ledger").say("I think well of you.")
    stage.ask(ALICE, "Recall your thoughts!")
    assert "lies" not in stage.model.shown()


def test_she_recalls_it_by_herself(stage):
    """On a turn of her own accord she finds what she thought."""
    thinks(stage)
    stage.world.leave(ALICE)
    muses(stage, ("wait", {}))
    assert DOUBT in stage.model.shown()


def test_after_that_she_says_nothing(stage):
    """Alice stands by, and no tool is left that she or another assistant could learn from."""
    thinks(stage)
    stage.mind.config.values["sub_agents_enabled"] = True
    muses(stage, ("say", {"text": DOUBT}))
    assert stage.world.said == ["I see."]
    assert not {"say", "emote", "whisper", "delegate_task"} & {*stage.model.offered()}


def test_what_she_writes_then_is_hers_alone(stage):
    """Notes and entries of such a turn carry the label of nobody."""
    thinks(stage)
    entry = ("add_journal_entry", {"content": "I must look into the ledger.", "importance": 6})
    note = ("memory", {"action": "append", "content": "Look into the ledger."})
    muses(stage, entry, note)
    assert stage.store.read("journal")["entries"][-1]["readers"] == NOBODY
    assert stage.store.read("notebook")["lines"][-1]["readers"] == NOBODY


def test_in_one_breath_with_words_it_is_not_said(stage):
    """A reply that recalls and then speaks is held back."""
    thinks(stage)
    stage.model.calls(("recall_thoughts", {"query": "ledger"}), ("say", {"text": DOUBT}))
    stage.model.call("wait")
    stage.turn(context_type="tick_autonomous")
    assert stage.world.said == ["I see."]


def test_a_thought_makes_no_gossip(stage):
    """Bob learns nothing of where such words come from: they are the captain's own."""
    thinks(stage)
    stage.world.enter(BOB)
    stage.model.say(DOUBT)  # a model that guesses
    stage.ask(BOB, "What of Alice?")
    assert stage.world.deliveries[-1][0].told == ()


def test_the_audit_log_keeps_it_under_nobodys_label(stage):
    """The record of the call is no more readable than the thought."""
    thinks(stage)
    [record] = [one for one in stage.store.audit if DOUBT in str(one.data)]
    assert record.readers == NOBODY


def test_they_are_bounded(stage):
    """The oldest is put by for a new one, in a turn of several as well."""
    old = [MemoryRow(f"Thought {n}.", kind=KIND, readers=NOBODY) for n in range(MOST_THOUGHTS)]
    stage.mind.save(Commit(1.0, rows=old))
    stage.model.calls(("think", {"thought": "One."}), ("think", {"thought": "Two."})).say("Aye.")
    stage.ask(ALICE, "Well?")
    kept = [row.content for row in rows(stage)]
    assert len(kept) == MOST_THOUGHTS
    assert kept[0] == "Thought 2."
    assert kept[-2:] == ["One.", "Two."]


def test_sleep_makes_nothing_of_them_that_others_may_read(stage):
    """Gathering, reflection, links and folding leave them where they are."""
    for n in range(8):
        stored(stage, MemoryRow(f"Alice keeps a raven, number {n}.", kind=KIND, readers=NOBODY))
    before = {row.id for row in stage.store.memories.values()}
    night(stage)
    made = [row for row in stage.store.memories.values() if row.id not in before]
    assert not any("raven" in row.content for row in made)
    known = stage.store.read("profile", ALICE.id)
    assert "raven" not in str(known)


def test_a_thought_is_no_essay(stage):
    """What is too long is refused, and she is told."""
    stage.model.call("think", thought="long " * 200).say("Aye.")
    stage.ask(ALICE, "Well?")
    assert rows(stage) == []
