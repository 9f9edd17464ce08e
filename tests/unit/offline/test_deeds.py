"""The offline model acts: it does what it may, and speaks of what truly came of it."""

from dataclasses import replace

import pytest

from ai_assistant import testing
from ai_assistant.llm.offline import OfflineModel
from tests.unit.offline.stage import CAPTAIN, Stage, complete

MOVED = {"move": {"ok": True, "moved": "You went to the Square."}}


@pytest.mark.parametrize("asked", ["Go north!", "Captain, please follow the north road.", "go n"])
def test_move_takes_the_named_exit(asked):
    """A named way is walked."""
    assert Stage(results=MOVED).hears(asked).called("move") == [{"exit": "x1"}]


def test_move_understands_where_an_exit_leads():
    """A way is found by the place behind it as well."""
    assert Stage(results=MOVED).hears("Go to the Kettle!").called("move") == [{"exit": "x2"}]


def test_unknown_way_is_asked_for():
    """A way that does not exist is not walked; those that do are named."""
    played = Stage().hears("Go west!")
    assert not played.called("move")
    assert "north" in played.text


def test_failed_move_is_admitted():
    """A closed way is said to be closed."""
    failed = {"move": {"ok": False, "error": "That way is closed to you."}}
    good, bad = (Stage(results=one).hears("Go north!").text for one in (MOVED, failed))
    assert good != bad
    assert any(word in bad for word in ("could not", "closed", "not"))


def test_nothing_is_called_after_leaving():
    """Whoever walked away with no `say` left in the new place stays silent."""
    stage = Stage(results=MOVED, tools=("move", "whisper", "wait"))
    assert stage.hears("Go north!").end.name == "wait"


@pytest.mark.parametrize("asked", ["Give me the key", "Can I have the copper key, please?"])
def test_givable_thing_is_given(asked):
    """What it carries and may give is given to whoever asks."""
    assert Stage().hears(asked).called("give") == [{"item": "o1", "to": "p1"}]


def test_gift_goes_to_whom_it_is_meant_for():
    """A named receiver gets it."""
    assert Stage().hears("Give the key to Bob").called("give") == [{"item": "o1", "to": "p2"}]


@pytest.mark.parametrize("asked", ["Give me the badge", "Give me the sign", "Give me a dragon"])
def test_what_may_not_be_given_is_refused(asked):
    """What it needs, does not hold or does not have is refused in words."""
    played = Stage().hears(asked)
    assert not played.called("give")
    assert played.text


def test_failed_gift_is_admitted():
    """It never claims a gift that did not happen."""
    failed = {"give": {"ok": False, "error": "It could not be given."}}
    text = Stage(results=failed).hears("Give me the key").text
    assert any(word in text for word in ("did not work", "was not"))


@pytest.mark.parametrize(
    "asked", ["Look at the sign", "What does the sign say?", "What is this sign?", "Read the sign!"]
)
def test_look_tells_what_is_seen(asked):
    """A thing is looked at before it is spoken of."""
    seen = {"inspect_location": {"ok": True, "description": "a painted sign\nMind the step."}}
    played = Stage(results=seen).hears(asked)
    assert played.called("inspect_location") == [{"handle": "o3"}]
    assert "Mind the step." in played.text
    assert "painted" not in played.text


@pytest.mark.parametrize("asked", ["Wave to me!", "Could you dance?", "smile"])
def test_gesture_is_made(asked):
    """Asked for a gesture, it makes one instead of talking about it."""
    assert Stage().hears(asked).end.name == "emote"


def test_gesture_without_emote_is_declined_in_words():
    """In a whisper there are no gestures, so it answers."""
    assert Stage().hears("Dance!", kind="whisper").end.name == "whisper"


def test_help_is_promised_and_noted():
    """A task is promised, and noted for whoever asked."""
    played = Stage().hears("Can you help me build a boat?")
    (call,) = played.called("update_entity_observation")
    assert call["observation"] == "Alice asked for help to build a boat"
    assert "build a boat" in played.text


def test_a_task_becomes_a_goal_where_there_are_goals():
    """A tool for goals that asks for one text is preferred to a mere note."""
    stage = Stage()
    goal = {"required": ["reasoning", "description"]}
    schema = {"type": "function", "function": {"name": "add_goal", "parameters": goal}}
    asked = stage._events([("Alice", "Can you help me build a boat?")], "say")
    request = stage.request(asked, [], ("say", "update_entity_observation"))
    (call,) = complete(stage.model, replace(request, tools=(*request.tools, schema))).tool_calls
    assert call.name == "add_goal"
    assert call.arguments["description"] == "Help Alice build a boat"


def test_gift_received_is_thanked_for():
    """Being given something, it names the thing."""
    assert (
        "silver spoon" in Stage().hears("Alice gives you a silver spoon.", kind="gift").text.lower()
    )


def test_autonomous_turn_never_talks():
    """On its own time it makes small gestures or waits."""
    stage = Stage()
    ends = {stage.tick(f"2026-11-21 18:{minute:02}").name for minute in range(30)}
    assert ends == {"emote", "wait"}


def test_autonomous_turn_waits_when_alone():
    """Nobody to see it, no gesture."""
    stage = Stage(sight=())
    assert {stage.tick(f"2026-11-21 18:{minute:02}").name for minute in range(30)} == {"wait"}


def test_saying_of_the_persona_is_its_advice():
    """Asked for wisdom, it says what its owner wrote."""
    assert Stage().hears("Have you any advice?").text in CAPTAIN["sayings"]


def test_told_to_sleep_it_lies_down():
    """It falls asleep without a word, unless something is left to do."""
    (alice,) = testing.people("Alice")
    stage = testing.Stage(model=OfflineModel())
    stage.world.enter(alice)
    assert stage.ask(alice, "Captain, go to sleep.").outcome == "silent"
    assert stage.mind.phase == "compacting"


def test_asked_what_it_knows_it_tells_of_what_it_only_heard():
    """What was told in its hearing and not noted yet is not denied."""
    (alice,) = testing.people("Alice")
    stage = testing.Stage(model=OfflineModel())
    stage.world.enter(alice)
    stage.overhear(alice, "My brother is called Odo.")
    stage.ask(alice, "Captain, what do you know about me?")
    assert "your brother is called Odo" in stage.world.said[-1]
