"""A question goes to a worker as text and comes back as what it was, and so does its answer."""

from dataclasses import replace

import pytest

from ai_assistant.core.errors import BadReply, EmptyReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import (
    CallOrigin,
    Message,
    ModelReply,
    ModelRequest,
    PromptSection,
    TokenUsage,
    ToolCall,
)
from ai_assistant.llm.breaker import CallEnding, Unavailable, kind_of
from ai_assistant.llm.embeddings import Embedded, EmbeddingBatch
from ai_assistant.workers.questions import (
    answer_text,
    question_from,
    question_key,
    question_text,
    reply_in,
)

CALL = ToolCall("1", "note", {"about": "Mira"}, extra={"thought_signature": "x"})
REQUEST = ModelRequest(
    messages=(
        Message("system", "Read the day."),
        Message("assistant", "", tool_calls=(CALL,)),
        Message("tool", "done\x00\ud800", tool_call_id="1"),
    ),
    tools=({"name": "note"},),
    sections=(PromptSection("lines", ({"id": "l1", "says": "Ein Krug, bitte."},)),),
    job="consolidate",
    context_type="sleep_consolidate",
    assistant="e1",
    schema={"type": "object"},
)


def test_a_request_arrives_as_it_was_asked():
    assert question_from(question_text("night", REQUEST)) == ("night", REQUEST)


def test_a_batch_arrives_as_it_was_asked_and_its_vectors_as_they_were_made():
    batch = EmbeddingBatch(("Ein Krug, bitte.", "\ud800"), "small@256", 256, "e1")
    assert question_from(question_text("vectors", batch)) == ("vectors", batch)
    made = Embedded([b"\x00\xff" * 512, b"\x01" * 1024], TokenUsage(prompt_tokens=9, known=True))
    assert reply_in(answer_text(made)) == made


def test_where_a_question_comes_from_stays_at_home():
    told = replace(REQUEST, payer="e7", origin=CallOrigin("t1", "e7,e8", frozenset({"e7"})))
    assert question_text("night", told) == question_text("night", REQUEST)
    assert "e7" not in question_text("night", told)


def test_the_same_question_has_the_same_key_and_another_has_not():
    asked = question_text("night", REQUEST)
    assert question_key(asked) == question_key(question_text("night", REQUEST))
    assert question_key(asked) != question_key(question_text("day", REQUEST))
    assert question_key(asked) != question_key(
        question_text("night", replace(REQUEST, assistant="e2"))
    )


def test_a_reply_arrives_whole():
    usage = TokenUsage(10, 4, known=True, cached_tokens=3)
    reply = ModelReply("{}", (CALL,), usage, "tiny", {"reasoning": "hm"})
    assert reply_in(answer_text(reply)) == reply


@pytest.mark.parametrize(
    "error",
    [
        ModelTimeout(),
        BadReply("Cut short."),
        EmptyReply(spent=12),
        Unavailable(CallEnding.RATE, "Slow down.", passing=True, wait=3.0, cause="429"),
        Unavailable(CallEnding.AUTH, "No.", charge="prompt", cause="401"),
    ],
)
def test_a_failure_is_the_same_failure_in_the_game(error):
    with pytest.raises(ModelError) as found:
        reply_in(answer_text(error))
    same = ("charge", "spent", "passing", "wait", "cause")
    assert str(found.value) == str(error)
    assert kind_of(found.value) is kind_of(error)
    assert [getattr(found.value, name) for name in same] == [getattr(error, name) for name in same]
