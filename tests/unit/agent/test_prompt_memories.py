"""What the prompt recalls, and what it keeps at hand: each only where it may be read."""

import pytest

from ai_assistant.agent import contexts
from ai_assistant.contracts import MemoryRow
from ai_assistant.memory.policy import RoleMemory
from ai_assistant.readers import OPEN
from tests.unit.agent.prompting import (
    ALICE,
    BOB,
    changed,
    conversation,
    on_stage,
    part,
    prompted,
    remembered,
    shown,
    whole,
)


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return on_stage()


# -- memories


def test_what_the_window_shows_is_not_repeated(stage):
    """A line that stands in the conversation is not recalled as well."""
    stage.model.say("I saw the dragon.")
    stage.ask(ALICE, "Did you see the dragon?")
    turn = prompted(stage)
    assert "dragon" in part(turn, contexts.CONVERSATION)
    assert "dragon" not in part(turn, contexts.MEMORIES)


def test_what_left_the_window_is_recalled(stage):
    """As soon as a line is no longer shown it can be remembered."""
    stage.overhear(BOB, "The dragon is called Smoke.")
    for number in range(35):
        stage.overhear(BOB, f"Small talk {number}.")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    turn = prompted(stage, "What is the dragon called?")
    assert "Smoke" not in part(turn, contexts.CONVERSATION)
    assert "Smoke" in shown(turn)


def test_a_full_window_hides_no_memory(stage):
    """However much of the window fits the question, what lies beyond it is still found."""
    remembered(stage, MemoryRow("The dragon is called Smoke."))
    for number in range(30):
        stage.overhear(BOB, f"dragon {number}")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    assert "Smoke" in shown(prompted(stage, "dragon?"))


def test_what_is_hardly_believed_is_not_recalled(stage):
    """Rows of little trust stay out of the prompt, at the limit they are in."""
    remembered(stage, MemoryRow("The dragon is blue.", trust=0.49))
    remembered(stage, MemoryRow("The dragon is red.", trust=0.5))
    recalled = shown(prompted(stage))
    assert "red" in recalled
    assert "blue" not in recalled


def test_recall_knows_source_and_day(stage):
    """A memory says who said it and when."""
    remembered(stage, MemoryRow("The dragon is red.", author_name="Bob", learned_at=86_400.0 * 365))
    assert (
        '{"on": "1971-01-01", "who": "Bob", "kind": "utterance", "text": "The dragon is red."}'
        in shown(prompted(stage))
    )


def test_how_far_it_trusts_is_configured(stage):
    """The limit is an option of the assistant."""
    remembered(stage, MemoryRow("The dragon is blue.", trust=0.4))
    assert "blue" not in shown(prompted(stage))
    stage.mind.config.values["min_source_trust"] = 0.3
    assert "blue" in shown(prompted(stage))


# -- what is kept at hand


def kept(stage, readers=OPEN):
    """Write into the notebook and learn a fact, under a label."""
    common = {"at": 0.0, "readers": readers, "author": ALICE.id}
    changed(stage, "notebook", "append", content=f"note for {readers}", **common)
    for kind in ("fact", "pattern"):
        content = f"{kind} for {readers}"
        changed(stage, "session", "add_session_memory", memory_type=kind, content=content, **common)


def test_notebook_and_session_are_at_hand(stage):
    """Each stands under its own heading, a line for each, before what changes with every turn."""
    kept(stage)
    lines = shown(prompted(stage)).splitlines()
    facts = ['{"fact": "fact for *"}', '{"pattern": "pattern for *"}']
    assert lines[:3] == ["## What you learned", *facts]
    assert lines[4:6] == ["## Memory", '{"note": "note for *"}']
    assert lines.index("## Memory") < lines.index("## Now")


def test_what_is_kept_is_shown_to_its_readers(stage):
    """A private line is there for its reader alone, and makes the turn as private."""
    stage.world.enter(BOB)
    kept(stage, ALICE.id)
    public, private = prompted(stage), prompted(stage, "Psst.", "whisper")
    assert "for e-alice" not in shown(public)
    assert public.ceiling == OPEN
    assert shown(private).count("for e-alice") == 3
    assert private.ceiling == ALICE.id
    assert "for e-alice" not in shown(prompted(stage, "Psst.", "whisper", BOB))


def test_a_role_without_notebook_sees_none(stage):
    """What is switched off for a role is not in its prompt either."""
    kept(stage)
    stage.mind.role = RoleMemory(memory_tool=False, chat_history=True)
    assert "note for" not in shown(prompted(stage))


# -- the one talked to


def test_traits_come_before_observations(stage):
    """What was concluded is shown where it may be read; without a label nobody may."""
    changed(
        stage,
        "profile",
        "create_entity_profile",
        ALICE.id,
        name="Alice",
        entity_type="player",
        at=0.0,
    )
    profile = stage.store.state["profile", ALICE.id]
    common = {"type": "trait", "source": "consolidation", "created": "2026-01-01T00:00:00Z"}
    profile["attributes"] += [
        {**common, "value": "brave", "readers": OPEN},
        {**common, "value": "afraid of spiders", "readers": BOB.id},
        {**common, "value": "of no label"},
    ]
    about = part(prompted(stage), contexts.ENTITY)
    assert '{"trait": "brave", "type": "trait", "on": "2026-01-01"}' in about
    assert "spiders" not in about
    assert "of no label" not in about


def talk_with(stage, who, **values):
    """A conversation as it is stored."""
    talk = stage.store.read("working", who.id)
    stage.store.state["working", who.id] = {**talk, "entity_id": who.id, **values}


def test_open_ends_are_known(stage):
    """Topic, promises, open questions and what was mentioned are there when they speak again."""
    context = {"mentioned_items": ["a map"], "unresolved_questions": ["Where is it?"]}
    promised = [{"action": "fetch the map", "priority": 1}]
    talk_with(stage, ALICE, topic="the map", pending_actions=promised, context=context)
    about = part(prompted(stage), contexts.ENTITY)
    assert '"topic": "the map", "promised": ["fetch the map"]' in about
    assert '"asked": ["Where is it?"], "mentioned": ["a map"]' in about


def test_the_summary_stands_where_the_turns_were(stage):
    """Folded lines are shown no more; their summary is, right before the conversation."""
    stage.model.say("Aye.")
    stage.ask(ALICE, "Hello there.")
    event_id = stage.store.read("stream")["entries"][0]["id"]
    talk_with(stage, ALICE, summary="They\ngreeted.", folded=[event_id])
    turn = prompted(stage)
    summary, reply = (m for m in turn.prompt if m.component == contexts.CONVERSATION)
    told = '{"with": "Alice", "summary": "They greeted."}'
    assert summary.content == f"## Conversation Summary\n{told}"
    assert "Aye." in reply.content
    assert "Hello there." not in whole(turn)


def test_others_do_not_see_the_summary(stage):
    """It belongs to the conversation with one person."""
    stage.world.enter(BOB)
    talk_with(stage, ALICE, summary="They greeted.")
    assert "They greeted." in whole(prompted(stage))
    assert "They greeted." not in whole(prompted(stage, who=BOB))


def test_history_may_be_off(stage):
    """A role without chat history sees no earlier turns and no summary; memory stays."""
    stage.model.say("Aye.")
    stage.ask(ALICE, "The dragon is red.")
    talk_with(stage, ALICE, summary="They greeted.")
    stage.mind.role = RoleMemory(chat_history=False)
    turn = prompted(stage)
    assert conversation(turn) == []
    assert "They greeted." not in whole(turn)
    assert "The dragon is red." in part(turn, contexts.MEMORIES)
