"""The turn: it thinks, acts, saves and speaks, in this order, within every limit."""

import pytest

from ai_assistant.contracts import ModelReply, ToolCall, Usage
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")
GUILD = "c-guild"


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain, who carries a rose."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    return stage


# -- how a turn goes on and ends


def test_a_greeting_is_answered(stage):
    """The whole of a plain turn: said once, saved, closed, and reported."""
    with stage.model.say("Well met, Alice."):
        report = stage.ask(ALICE, "Hello, Captain!")
    assert (report.outcome, report.steps, report.tokens) == ("answered", 1, 110)
    assert stage.world.said == ["Well met, Alice."]
    assert stage.store.pending() == []
    assert stage.errors == []


def test_looking_up_goes_on_and_speaking_ends(stage):
    """Chaining tools lead to another step, a speech to none."""
    with stage.model.call("inspect_location").call("recall_memories", query="roses").say("A rose."):
        report = stage.ask(ALICE, "What do you have?")
    assert report.steps == 3


def test_an_act_goes_on(stage):
    """After an act the model is asked again, so that it may speak of what happened."""
    with stage.model.call("give", item="o1", to="p1").say("There."):
        report = stage.ask(ALICE, "May I have the rose?")
    assert "You gave the rose to Alice." in stage.model.shown()
    assert (report.outcome, stage.world.deeds) == ("answered", ["give rose to Alice"])


def test_what_is_said_waits_for_what_is_done(stage):
    """In one step acts come first, whatever order the model wrote them in."""
    stage.model.calls(("say", {"text": "Here!"}), ("give", {"item": "o1", "to": "p1"}))
    stage.ask(ALICE, "The rose, please.")
    kinds = [record.data["tool_name"] for record in stage.store.audit[:2]]
    assert kinds == ["give", "say"]
    assert stage.world.said == ["Here!"]


def test_nothing_is_claimed_that_failed(stage):
    """When an act of the step failed, its line is held back and the model is told."""
    stage.world.carry("sword", givable=False)
    stage.model.calls(("say", {"text": "It is yours!"}), ("give", {"item": "o2", "to": "p1"}))
    with stage.model.say("I cannot part with it."):
        stage.ask(ALICE, "Give me your sword.")
    assert stage.world.said == ["I cannot part with it."]
    assert "not yours to give" in stage.model.shown()
    assert "Not said" in stage.model.shown()


def test_only_the_first_speech_of_a_step_is_made(stage):
    """The turn ends with the first words; what the model wanted to add is not said."""
    stage.model.calls(("say", {"text": "One."}), ("emote", {"text": "nods."}))
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["One."]


def test_four_calls_a_step(stage):
    """A model that floods one reply with calls gets four of them."""
    looks = [("inspect_location", {"handle": f"p{number}"}) for number in range(1, 8)]
    stage.model.calls(*looks).say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert [record.type for record in stage.store.audit].count("ToolExecuted") == 5
    assert stage.store.audit[0].data == {"count": 3}


@pytest.mark.parametrize(
    ("config", "steps"),
    [({}, 4), ({"max_iterations_per_tick": 2}, 2), ({"max_iterations_per_tick": 10}, 5),
     ({"multi_action_enabled": False}, 1)],
)  # fmt: skip
def test_steps_are_limited(config, steps):
    """The narrowest of configuration, context and hard cap ends a model that never speaks."""
    stage = Stage(**config)
    stage.world.enter(ALICE)
    for number in range(10):
        stage.model.call("recall_memories", query=f"thing {number}")
    report = stage.ask(ALICE, "Hello.")
    assert report.steps == steps
    assert report.problem == "Its steps ran out before it spoke."
    assert stage.world.said == ["seems lost in thought for a moment."]


def test_waiting_is_an_answer(stage):
    """A character may choose to say nothing; the event is closed all the same."""
    stage.model.call("wait")
    report = stage.ask(ALICE, "Hmm.")
    assert (report.outcome, report.problem) == ("silent", "")
    assert stage.store.pending() == []
    assert stage.world.deliveries == []


def test_an_empty_reply_ends_quietly(stage):
    """A model with nothing to say and nothing to do is taken at its word."""
    stage.model.text("")
    assert stage.ask(ALICE, "Hmm.").outcome == "silent"


# -- plain words


@pytest.mark.parametrize(
    ("kind", "place", "spoken_as"),
    [("say", "", "say"), ("whisper", "", "whisper"), ("page", "", "page"),
     ("channel", GUILD, "channel"), ("gift", "", "say"), ("pose", "", "say")],
)  # fmt: skip
def test_plain_words_are_spoken_naturally(stage, kind, place, spoken_as):
    """Words outside of any call go back the way the question came."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.text("Well met.")
    report = stage.ask(ALICE, "Hello, Captain.", kind, place=place)
    (speech, end), *_ = stage.world.deliveries
    assert (speech.kind, speech.text, report.outcome) == (spoken_as, "Well met.", "answered")
    if kind in ("whisper", "page"):
        assert end.hearers == {ALICE.id}


def test_words_beside_calls_are_not_spoken(stage):
    """What a model mutters while it uses tools is nobody's business."""
    stage.model.replies.append(
        ModelReply(text="Let me see...", tool_calls=(ToolCall("1", "inspect_location", {}),))
    )
    stage.model.say("A fire.")
    stage.ask(ALICE, "What is here?")
    assert stage.world.said == ["A fire."]


def test_plain_words_of_own_accord_are_said(stage):
    """Unasked, plain words are said aloud to whoever is there."""
    stage.model.text("What a day.")
    report = stage.turn(context_type="tick_autonomous")
    assert report.delivery.hearers == {ALICE.id, BOB.id}


def test_hostile_words_arrive_clean(stage):
    """Braces, dollars, pipes and controls of a model come out as plain characters."""
    stage.model.say("{x} $eval(1) |lcquit|lt\x1b[31m \\ $5")
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["(x) eval(1) /lcquit/lt[31m / $5"]


# -- what stays in mind


def test_the_one_answered_is_engaged(stage):
    """After an answer that was heard, its listener needs no name for a while."""
    stage.model.say("Aye?")
    stage.ask(ALICE, "Captain?")
    bond = stage.mind.engagement
    assert (bond.who, bond.place, bond.since) == (ALICE.id, "room1", stage.clock.now())


def test_what_was_overheard_goes_along(stage):
    """Talk that was not answered is saved with the next turn, once, in order of time."""
    stage.overhear(BOB, "Fresh bread!")
    stage.clock.advance(1)
    stage.model.say("Aye?").say("Aye!")
    stage.ask(ALICE, "Captain?")
    stage.ask(ALICE, "Captain!")
    contents = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    assert contents == ["Fresh bread!", "Captain?", "Aye?", "Captain!", "Aye!"]
    assert len(stage.mind.recall) == 6  # the meeting is in the journal


def test_the_prompt_learns_the_length_of_tokens(stage):
    """A provider's count corrects the estimate that the prompt's budget rests on."""
    before = stage.mind.tokens_per_char
    stage.model.replies.append(ModelReply("Hm.", usage=Usage(10, 1, known=True)))
    stage.ask(ALICE, "Hello.")
    assert 0.1 < stage.mind.tokens_per_char < before
