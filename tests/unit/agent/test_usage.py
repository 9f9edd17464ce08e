"""Usage: every model call of a turn is on record with the tokens it took."""

from dataclasses import replace

import pytest

from ai_assistant.agent.turn.ask_model import JITTER
from ai_assistant.core.errors import BadReply, EmptyReply, ModelTimeout
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.llm.breaker import CallEnding, Unavailable
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


# -- what a provider reports is believed within the reservation only


@pytest.mark.parametrize("tokens", [20_000_000, 0, -5])
def test_absurd_usage_is_booked_at_the_worst_case(tokens):
    """Millions, nothing, less than nothing: the reservation stands, and that is on record."""
    stage = Stage()
    stage.world.enter(ALICE)
    said = reply("say", tokens, text="Hm.")
    stage.model.replies.append(replace(said, usage=TokenUsage(tokens, 0, known=True)))
    report = stage.ask(ALICE, "Sera?")
    booked = stage.mind.budget.spent("sera")[1]
    assert 500 < booked < 100_000
    assert report.tokens == 0
    assert stage.mind.budget.doubted["sera"] == 1
    (turn,) = [one.data for one in stage.store.audit if one.type == "TurnCompleted"]
    assert turn["model_calls"][0]["absurd"]
    assert [where for where, _ in stage.errors] == ["usage"]
    assert stage.mind.tokens_per_char == 0.25


@pytest.mark.parametrize("spent", [20_000_000, 0, -5])
def test_absurd_usage_of_an_empty_answer_keeps_the_reservation(spent):
    """Of an answer without words as well: it is booked like one that took all its time."""
    booked = []
    for failure in (EmptyReply(spent=spent), ModelTimeout()):
        stage = Stage()
        stage.world.enter(ALICE)
        stage.model.fail(failure)
        stage.mind.energy.mint("event1", 1)  # or an empty answer would be asked for again
        stage.ask(ALICE, "Sera?")
        booked.append(stage.mind.budget.spent("sera"))
    assert booked[0] == booked[1]
    assert booked[0][1] > 500


# -- a second try


FLEETING = Unavailable(
    CallEnding.SERVER, "The model's server failed.", charge="prompt", passing=True
)
LASTING = Unavailable(CallEnding.AUTH, "The model's server refused the key.")


def test_what_passes_is_asked_once_more_with_its_own_reservation():
    """After a server's error the same is asked again, a moment later, and both are booked."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.fail(FLEETING).say("Yes?")
    report = stage.ask(ALICE, "Sera?")
    assert report.outcome == "answered"
    calls, tokens = stage.mind.budget.spent("sera")
    assert calls == 2
    assert tokens > 110
    assert [0 <= pause <= JITTER for pause in stage.pauses] == [True]


def test_a_second_failure_is_the_last():
    """There is one second try, not a third."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.fail(FLEETING).fail(FLEETING).say("Too late.")
    assert stage.ask(ALICE, "Sera?").problem
    assert len(stage.model.requests) == 2


@pytest.mark.parametrize(
    "failure",
    [
        LASTING,
        BadReply("cut"),
        ModelTimeout(),
        Unavailable(CallEnding.RATE, "Too many.", passing=True, wait=60.0),
    ],
)
def test_what_lasts_is_not_asked_again(failure):
    """A refused key, a broken answer, a call that took all its time, a rest too long."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.fail(failure).say("Never said.")
    assert stage.ask(ALICE, "Sera?").problem
    assert len(stage.model.requests) == 1


def test_the_servers_wish_for_rest_is_kept():
    """A second try comes after the time that the server named, plus a moment by lot."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.fail(Unavailable(CallEnding.RATE, "Too many.", passing=True, wait=7.0)).say("Yes?")
    stage.ask(ALICE, "Sera?")
    assert 7.0 <= stage.pauses[0] <= 7.0 + JITTER


def test_second_tries_are_a_tenth_of_the_calls():
    """In a server's bad hour calls do not double: a tenth is tried again, beside the first."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.replies.extend([FLEETING] * 200)
    for _ in range(50):
        stage.ask(ALICE, "Sera?")
        stage.clock.advance(100)
    tries = len(stage.pauses)
    assert 1 <= tries <= 1 + len(stage.model.requests) / 10
