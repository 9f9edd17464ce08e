"""What was only played: a night asks for no evidence of it."""

import json

from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.model_records import ModelReply
from ai_assistant.sleep.reflection import reflect_awake
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run
from tests.unit.sleep.nights import journal

(ALICE,) = people("Alice")
TRUE, PLAYED = "The wolves come from the north.", "The wolves are kings of the north."


def kept(stage, content, kind="utterance", **meta):
    """Let the character remember a row; returns its id."""
    row = MemoryRow(
        content, kind, author=ALICE.id, author_name="Alice", learned_at=stage.clock.now(), meta=meta
    )
    return stage.mind.save(Commit(stage.clock.now(), rows=[row]))[0].id


def test_a_look_back_rests_on_nothing_that_was_played():
    """Of lines that answer its question, the model is shown those that are no fiction."""
    stage = Stage()
    stage.model.is_offline = lambda job: False
    kept(stage, TRUE)
    kept(stage, PLAYED, fiction=True)
    kept(stage, f"When we played a scene: Alice: {PLAYED}", "recap", fiction=True)
    kept(stage, PLAYED, "gossip", fiction=True)
    journal(stage, *(f"Wolves were seen, {n}." for n in range(20)))
    shown = []

    def answer(request):
        shown.append(request.messages[-1].content)
        asked = "What of the wolves of the north?" if '"evidence"' not in shown[-1] else "[]"
        return ModelReply(text=asked)

    stage.model.replies.extend([answer] * 6)
    run(reflect_awake(stage.mind))
    stage.model.replies.clear()
    evidence = [json.loads(one)["evidence"] for one in shown if '"evidence"' in one]
    assert [one["text"] for one in evidence[0] if "wolves" in one["text"]] == [f"Alice: {TRUE}"]
