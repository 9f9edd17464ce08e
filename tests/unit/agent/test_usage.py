"""Usage: every model call of a turn is on record with the tokens it took."""

from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.testing import Stage, people

(ALICE,) = people("Alice")


def reply(name, tokens, **arguments):
    call = ToolCall(f"c-{name}", name, {"reasoning": "", **arguments})
    usage = TokenUsage(tokens, 1, known=True)
    return ModelReply(tool_calls=(call,), usage=usage, model="small")


def test_each_call_is_recorded_with_its_usage():
    """The audit entry of a turn lists its model calls in order, with model and tokens."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.replies.append(reply("recall_memories", 100, query="cat"))
    stage.model.replies.append(reply("say", 120, text="No idea."))
    stage.ask(ALICE, "Sera?")
    (turn,) = [one.data for one in stage.store.audit if one.type == "TurnCompleted"]
    assert [call["prompt_tokens"] for call in turn["model_calls"]] == [100, 120]
    assert {call["model"] for call in turn["model_calls"]} == {"small"}
