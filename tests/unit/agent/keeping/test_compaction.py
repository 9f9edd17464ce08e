"""Summaries by a model: what it gets to read, what of its answer is taken, and what never is."""

import pytest

from ai_assistant.agent.keeping.compaction import candidates, shorten_talk
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import ModelError
from ai_assistant.core.model_records import ModelReply
from ai_assistant.memory.talk.working import key_of
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import Run, run

(ALICE,) = people("Alice")
KEY = key_of(ALICE.id, "*")
ANSWER = "- They: asked for a sword\n- I: promised one by Friday"


@pytest.fixture
def stage():
    """Alice has talked so long that eight lines were folded; what she whispered is apart."""
    stage = Stage()
    stage.world.enter(ALICE)
    for label, secret in (("*", ""), (ALICE.id, "the vault")):
        key = key_of(ALICE.id, label)
        start = {"entity_id": ALICE.id, "readers": label, "at": 0.0}
        changes = [Change("working", key, "start_conversation", start)]
        for number in range(8 if label == "*" else 2):
            line = {"role": "user", "content": f"Line {number} {secret}.", "at": 0.0}
            changes.append(Change("working", key, "add_conversation_message", line))
        changes.append(Change("working", key, "fold", {"at": 0.0, "keep": 0}))
        stage.mind.save(Commit(0.0, changes=changes))
    return stage


def shortened(stage):
    """Let a model rescue nothing, then answer as it was told; says whether that was taken."""
    stage.model.replies.insert(0, ModelReply(text="[]"))
    return run(shorten_talk(stage.mind, KEY))


def summary(stage):
    return stage.store.read("working", KEY)["summary"]


def test_a_model_puts_folded_lines_together(stage):
    """Its answer takes their place, once, and the change is on record under the talk's label."""
    stage.model.text(ANSWER)
    assert candidates(stage.mind) == [KEY]
    assert shortened(stage)
    assert summary(stage) == ANSWER
    assert candidates(stage.mind) == []
    (record,) = [one for one in stage.store.audit if one.type == "Compacted"]
    assert (record.readers, record.data["after"]) == ("*", len(ANSWER))


def test_it_reads_the_lines_and_nothing_else(stage):
    """Neither persona nor instructions nor what was whispered reaches it."""
    stage.model.text(ANSWER)
    shortened(stage)
    shown = stage.model.shown()
    assert "Line 3" in shown
    for words in ("vault", "Captain of the Guard", "Who you are", "recall_memories"):
        assert words not in shown
    assert stage.model.requests[0].tools == ()
    assert stage.model.requests[0].job == "summarise"


def test_each_line_has_the_name_of_who_said_it(stage):
    """And the record so far, however it was written."""
    name = Change("profile", ALICE.id, "create_entity_profile",
                  {"name": "Alice", "entity_type": "player", "at": 0.0})  # fmt: skip
    said = {"role": "assistant", "content": "Aye. " + "So it is. " * 50 + "Friday.", "at": 0.0}
    changes = [name, Change("working", KEY, "add_conversation_message", said)]
    stage.mind.save(Commit(0.0, changes=[*changes, Change("working", KEY, "fold", {"at": 0.0})]))
    stage.model.text(ANSWER)
    assert shortened(stage)
    for request in stage.model.requests[:2]:
        data = request.messages[-1].content
        assert "Alice: Line 3" in data
        assert "Captain Seraphina Stormborne: Aye." in data
        assert "Friday." in data


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ("They asked for a sword.", "- They asked for a sword."),
        (
            "```\n* A sword was asked for.\n\n2. By Friday.\n```",
            "- A sword was asked for.\n- By Friday.",
        ),
        ("## Record\n– Un épée, vendredi | {hp}", "- Record\n- Un épée, vendredi / (hp)"),
        ("- He asked.\n- He asked.", "- He asked."),
    ],
)
def test_a_summary_is_any_short_plain_text(stage, answer, taken):
    """However a model writes it, in whatever language; it is kept as clean lines."""
    stage.model.text(answer)
    assert shortened(stage)
    assert summary(stage) == taken


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n```\n```",
        "They asked for a sword. As an AI language model, I must add this.",
        '{"record": ["They asked for a sword."]}',
        "<tool_call>say</tool_call>",
        "- They: x\n" * 50,
        "- I: " + "x" * 9000,
    ],
)
def test_what_is_no_summary_is_refused(stage, answer):
    """Empty, over-long or other answers leave the lines as they stand."""
    before = summary(stage)
    stage.model.text(answer)
    assert not shortened(stage)
    assert summary(stage) == before


@pytest.mark.parametrize("error", [ModelError("down"), TimeoutError()])
def test_a_model_that_fails_costs_nothing(stage, error):
    """The deterministic summary stands, and the failure is on record."""
    before = summary(stage)
    stage.model.fail(error)
    assert not shortened(stage)
    assert summary(stage) == before
    assert any("failed" in str(one.data) for one in stage.store.audit)


def test_talk_that_goes_on_meanwhile_is_never_lost(stage):
    """A summary of what has changed since is dropped."""
    stage.model.text("[]").text(ANSWER)
    hold = stage.model.pause()
    running = Run(shorten_talk(stage.mind, KEY))
    line = {"role": "user", "content": "One more thing.", "at": 1.0}
    changes = [
        Change("working", KEY, "add_conversation_message", line),
        Change("working", KEY, "fold", {"at": 1.0, "keep": 0}),
    ]
    stage.mind.save(Commit(1.0, changes=changes))
    hold.release()
    running.step()
    assert running.done
    assert "One more thing." in summary(stage)


def test_a_mind_that_was_stopped_meanwhile_takes_no_answer(stage):
    """What comes for a mind that must not go on is dropped, and nothing is written."""
    before = summary(stage)
    stage.model.text("[]").text(ANSWER)
    hold = stage.model.pause()
    running = Run(shorten_talk(stage.mind, KEY))
    stage.mind.epoch += 1
    hold.release()
    running.step()
    assert running.done
    assert summary(stage) == before
    assert not any(one.type == "Compacted" for one in stage.store.audit)


def test_a_full_prompt_folds_the_talk(stage):
    """Above the threshold the older lines are put by for a model, and stay in the prompt."""
    small = Stage(compact_emergency_threshold=0.1, compact_preserve_window=2)
    small.world.enter(ALICE)
    for number in range(3):
        small.model.say("Aye.")
        small.ask(ALICE, f"Line {number}.")
    talk = small.store.read("working", KEY)
    assert len(talk["messages"]) == 2
    assert "- user: Line 0." in talk["summary"]
    small.model.say("Aye.")
    small.ask(ALICE, "And now?")
    shown = small.model.shown()
    assert [shown.count(f"Line {number}.") for number in range(3)] == [1, 1, 1]


def test_without_compaction_nothing_is_folded():
    """Switched off, a full prompt only gives way as the table says."""
    stage = Stage(compact_emergency_threshold=0.1, compact_enabled=False)
    stage.world.enter(ALICE)
    for number in range(3):
        stage.model.say("Aye.")
        stage.ask(ALICE, f"Line {number}.")
    assert len(stage.store.read("working", KEY)["messages"]) == 6
