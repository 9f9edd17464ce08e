"""The offline model acts: it does what it may, and speaks of what truly came of it."""

import pytest

from ai_assistant import testing
from ai_assistant.llm.offline import OfflineModel
from tests.unit.llm.offline.stage import CAPTAIN, OFFERED, Stage

MOVED = {"move": {"ok": True, "moved": "You went to the Square."}}


@pytest.mark.parametrize("asked", ["Go north!", "Captain, please follow the north road.", "go n"])
def test_move_takes_the_named_exit(asked):
    """A named way is walked."""
    assert Stage(results=MOVED).hears(asked).called("move") == [{"to": "x1"}]


def test_move_understands_where_an_exit_leads():
    """A way is found by the place behind it as well."""
    assert Stage(results=MOVED).hears("Go to the Kettle!").called("move") == [{"to": "x2"}]


def test_unknown_way_is_asked_for():
    """A way that does not exist is not taken; those that do are named."""
    failed = {"move": {"ok": False, "error": "You know no such place near here."}}
    assert "north" in Stage(results=failed).hears("Go west!").text


def test_it_speaks_before_it_leaves():
    """Whoever asked hears that it goes, with its first answer; then it is gone and silent."""
    played = Stage(results=MOVED).hears("Go north!")
    assert played.first.text
    assert [call.name for call in played.calls] == ["move", "wait"]
    assert played.text == played.first.text


def test_failed_move_is_admitted():
    """A closed way is said to be closed, after the word that it would go."""
    failed = {"move": {"ok": False, "error": "That way is closed to you."}}
    played = Stage(results=failed).hears("Go north!")
    admitted = played.reply.text
    assert admitted not in ("", played.first.text)
    assert any(word in admitted for word in ("could not", "closed", "not"))


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
    assert played.calls == []
    assert played.text


@pytest.mark.parametrize("asked", ["Take the sign!", "Pick up the painted sign.", "Get the sign"])
def test_what_lies_here_is_taken(asked):
    """A thing in sight is taken, and that is told."""
    played = Stage().hears(asked)
    assert played.called("take") == [{"item": "o3"}]
    assert "sign" in played.text


def test_what_cannot_be_taken_stays():
    """It never claims to hold what it could not take."""
    failed = {"take": {"ok": False, "error": "It is nailed to the wall."}}
    text = Stage(results=failed).hears("Take the sign!").text
    assert any(word in text for word in ("stays", "no use"))


def test_what_is_not_here_is_not_taken():
    """No lantern, no act, and an honest word."""
    played = Stage().hears("Take the lantern!")
    assert played.calls == []
    assert played.text


@pytest.mark.parametrize("asked", ["Take care!", "Take it easy.", "Get lost!"])
def test_not_all_that_is_taken_is_a_thing(asked):
    """Turns of phrase are no requests."""
    assert Stage().hears(asked).calls == []


def test_what_is_fetched_is_taken_and_handed_over():
    """Asked to bring something that lies here, it takes it and gives it, in this order."""
    played = Stage().hears("Fetch the sign and bring it to me!")
    assert [call.name for call in played.calls] == ["take", "give"]
    assert played.called("give") == [{"item": "o3", "to": "p1"}]


def test_fetching_what_cannot_be_taken_is_admitted():
    """What it could not take it did not give either."""
    failed = {one: {"ok": False, "error": "It is nailed to the wall."} for one in ("take", "give")}
    text = Stage(results=failed).hears("Bring me the sign!").text
    assert any(word in text for word in ("stays", "no use"))


def test_what_it_carries_is_put_down():
    """Only what it carries, and it says so afterwards."""
    played = Stage().hears("Put the key down, please.")
    assert played.called("put_down") == [{"item": "o1"}]
    assert "key" in played.text
    assert not Stage().hears("Drop the anvil!").calls


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
    seen = {"look": {"ok": True, "description": "a painted sign\nMind the step."}}
    played = Stage(results=seen).hears(asked)
    assert played.called("look") == [{"at": "o3"}]
    assert "Mind the step." in played.text
    assert "painted" not in played.text


@pytest.mark.parametrize("asked", ["Wave to me!", "Could you dance?", "smile"])
def test_gesture_is_made(asked):
    """Asked for a gesture, it makes one instead of talking about it."""
    played = Stage().hears(asked)
    assert played.called("emote")
    assert not played.text


def test_gesture_without_emote_is_declined_in_words():
    """In private there are no gestures, so it answers."""
    played = Stage(tools=OFFERED[:-2]).hears("Dance!", kind="whisper")
    assert not played.calls
    assert played.text


def test_help_is_no_more_than_promised_without_goals():
    """No note of a task stands for a goal, and none is claimed."""
    played = Stage().hears("Can you help me build a boat?")
    assert played.calls == []
    assert "note" not in played.text


def test_a_task_becomes_a_goal_where_there_are_goals():
    """A tool for goals that asks for one text is preferred to a mere note."""
    played = Stage(tools=("add_goal", "note")).hears("Can you help me build a boat?")
    (goal,) = played.called("add_goal")
    assert goal["description"] == "Help Alice build a boat"
    assert not played.called("note")


def test_gift_received_is_thanked_for():
    """Being given something, it names the thing."""
    assert (
        "silver spoon" in Stage().hears("Alice gives you a silver spoon.", kind="gift").text.lower()
    )


def test_autonomous_turn_never_talks():
    """On its own time it makes small gestures or waits."""
    stage = Stage()
    replies = [stage.tick(f"2026-11-21 18:{minute:02}") for minute in range(30)]
    assert {call.name for reply in replies for call in reply.tool_calls} == {"emote", "wait"}
    assert not any(reply.text for reply in replies)


def test_autonomous_turn_waits_when_alone():
    """Nobody to see it, no gesture."""
    stage = Stage(sight=())
    replies = [stage.tick(f"2026-11-21 18:{minute:02}") for minute in range(30)]
    assert {call.name for reply in replies for call in reply.tool_calls} == {"wait"}
    assert not stage.tick("2026-11-21 18:40", occasion="small talk").text


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
