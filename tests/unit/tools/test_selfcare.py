"""Tools of self-care: how the character is, and how it means to behave."""

import json

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.inner.guidelines import MAX_CONTENT
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice before the captain."""
    stage = Stage()
    stage.world.enter(ALICE)
    return stage


def result(stage, step=-1):
    """Return what the tool call before a step brought."""
    return json.loads(stage.model.requests[step].messages[-1].content)


def change(stage, op, **args):
    """Let staff change the guidelines."""
    stage.mind.save(Commit(at=0.0, changes=[Change("guidelines", "", op, args)]))


def test_status_tells_numbers(stage):
    """Tokens and calls against the caps, errors, goals, and what the game adds."""
    stage.mind.condition = lambda: {"mode": "awake", "waiting": 2}
    stage.caps = (50, 90_000)
    stage.model.call("check_status").say("I am well.")
    stage.ask(ALICE, "How are you?")
    told = result(stage)
    assert (told["mode"], told["waiting"]) == ("awake", 2)
    assert (told["calls_today"], told["most_calls_a_day"]) == (1, 50)
    assert (told["tokens_today"], told["most_tokens_a_day"]) == (110, 90_000)
    assert (told["failed_turns_in_a_row"], told["tool_errors"], told["open_goals"]) == (0, 0, 0)
    assert told["token_pressure"] in ("ok", "warning", "danger", "critical")


def test_status_counts_only_what_may_be_known(stage):
    """A goal that Bob whispered is not even counted before Alice."""
    for number, readers in enumerate([OPEN, BOB.id]):
        goal = new_goal(f"goal_{number}", "secret", at=0.0, readers=readers)
        step = Change("goals", "", "add_goal", {"goal": goal, "at": 0.0})
        stage.mind.save(Commit(at=0.0, changes=[step]))
    stage.model.call("check_status").say("I am well.")
    stage.ask(ALICE, "How are you?")
    assert result(stage)["open_goals"] == 1


def test_a_proposal_waits_for_staff(stage):
    """It is stored with its readers and reason, and changes nothing yet."""
    stage.model.call("propose_guideline", guideline="Ask first.", reason="She was upset.")
    stage.model.say("I shall ask.")
    stage.ask(ALICE, "Ask me first!")
    (proposal,) = stage.store.read("guidelines")["proposed"]
    assert (proposal["content"], proposal["readers"]) == ("Ask first.", OPEN)
    assert (proposal["reason"], proposal["author"]) == ("She was upset.", ALICE.id)
    assert "How you mean to behave" not in stage.model.shown()


def test_an_accepted_guideline_is_in_the_prompt(stage):
    """From then on, after what is the same in every turn."""
    change(stage, "add", content="Ask first.", at=0.0, readers=OPEN, by="Ada")
    stage.model.say("Hm.")
    stage.ask(ALICE, "Hello.")
    shown = stage.model.shown()
    assert "## How you mean to behave\n- Ask first." in shown
    assert shown.index("Who you are") < shown.index("Ask first.")


def test_a_private_guideline_is_shown_in_private(stage):
    """Accepted as what it is: for turns that may read it."""
    stage.world.enter(BOB)
    stage.model.call("propose_guideline", guideline="Call her Al.", reason="She said so.")
    stage.model.call("whisper", to="p1", text="Al it is.")
    stage.ask(ALICE, "Call me Al.", "whisper")
    change(stage, "accept", id=1, by="Ada", at=0.0)
    stage.model.say("Hm.").call("whisper", to="p1", text="Yes?")
    stage.ask(ALICE, "Hello.")
    assert "Call her Al." not in stage.model.shown()
    stage.ask(ALICE, "Hello.", "whisper")
    assert "- Call her Al." in stage.model.shown()


def test_guidelines_do_not_touch_the_cached_beginning(stage):
    """Instructions and persona are byte for byte the same before and after."""
    stage.model.say("Hm.").say("Hm.")
    stage.ask(ALICE, "Hello.")
    change(stage, "add", content="Ask first.", at=0.0, readers=OPEN, by="Ada")
    stage.ask(ALICE, "Hello.")
    first, second = (one.messages[0].content for one in stage.model.requests)
    assert second.startswith(first)
    assert "Ask first." in second.removeprefix(first)


def test_a_proposal_is_short_and_new(stage):
    """Too long, or there already: the model is told, and nothing is written."""
    stage.model.call("propose_guideline", guideline="x" * (MAX_CONTENT + 1), reason="y")
    stage.model.call("propose_guideline", guideline="Ask first.", reason="y")
    stage.model.call("propose_guideline", guideline="ask first", reason="z").say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert "at most 200 are kept" in stage.model.shown(1)
    assert result(stage, 3) == {"ok": False, "success": False, "error": "That is proposed already."}
    assert len(stage.store.read("guidelines")["proposed"]) == 1


def test_the_words_are_cleaned(stage):
    """No markup survives in what a model proposes."""
    stage.model.call("propose_guideline", guideline="Say |rred|n {x}.", reason="$eval(1)").say(
        "Hm."
    )
    stage.ask(ALICE, "Hello.")
    (proposal,) = stage.store.read("guidelines")["proposed"]
    assert not set("|{}$") & set(proposal["content"] + proposal["reason"])
