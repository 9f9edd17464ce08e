"""When the model fails or costs too much: an excuse, a reason, and never more than was allowed."""

from dataclasses import replace
from itertools import pairwise

import pytest

from ai_assistant.agent.attention.budget import OWN_MET
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.keeping.remember import fitting_excuses
from ai_assistant.core.errors import BadReply, EmptyReply, ModelTimeout, ModelUnavailable
from ai_assistant.llm.breaker import CallEnding, Unavailable
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


def assert_excused(stage):
    """It made one gesture that stands for an answer."""
    (gesture,) = stage.world.said
    assert gesture in fitting_excuses({"role": "captain"}, "gestures")


# -- the model fails


@pytest.mark.parametrize("role", ["innkeeper", "ferryman"])
def test_excuses_suit_the_persona(role):
    """An innkeeper looks after her pots, a ferryman after the weather; never twice running."""
    stage = Stage()
    stage.mind.persona = {"name": "Hilda", "role": role, "personality": "gruff"}
    stage.world.enter(ALICE, BOB)
    for who in (ALICE, BOB, ALICE, ALICE, BOB) * 6:
        stage.model.fail(ModelUnavailable())
        stage.ask(who, "Hello?")
    fitting, said = fitting_excuses(stage.mind.persona, "gestures"), stage.world.said
    assert {*said} == {*fitting} > {*fitting_excuses({}, "gestures")}
    assert {*fitting} != {*fitting_excuses({"role": "smith"}, "gestures")}
    assert all(line != after for line, after in pairwise(said))


@pytest.mark.parametrize("error", [ModelTimeout, ModelUnavailable, BadReply, EmptyReply])
def test_a_failing_model_gives_a_stock_line(stage, error):
    """Nobody talks to a wall: a constant gesture, and the event is closed with the reason.

    An empty answer is asked for twice.
    """
    for _ in range(2 if error is EmptyReply else 1):
        stage.model.fail(error())
    report = stage.ask(ALICE, "Hello.")
    assert_excused(stage)
    assert report.outcome == f"failed: {error.__doc__}"
    (told,) = [one.data for one in stage.store.audit if one.type == "TurnCompleted"]
    assert (told["speech"], [told["excuse"]]) == ("", stage.world.said)
    assert stage.store.triggers.waiting() == []


def test_a_slow_model_has_its_own_time(stage):
    """An answer is waited for as long as a call to that model may take."""
    waited = []

    async def noted(awaitable, seconds):
        waited.append(seconds)
        return await awaitable

    stage.mind.limit, stage.model.most = noted, lambda request: (615.0, 100)
    stage.model.say("Well met.")
    stage.ask(ALICE, "Hello.")
    assert waited == [615.0]


def test_assistants_among_themselves_need_no_stock_line(stage):
    """Their talk ends where a model fails or their energy does."""
    stage.model.fail(ModelUnavailable())
    stage.turn(replace(stage.hear(ALICE, "Hello."), by_assistant=True))
    assert stage.world.said == []


@pytest.mark.parametrize("calls", [0, 1])
def test_a_line_that_pays_for_no_more_is_passed_politely(stage, calls):
    """No turn fails for want of energy: it is not even begun, or ends where it is."""
    event = stage.hear(ALICE, "Hello.")
    while stage.energy.left(event.root) > calls:
        stage.energy.spend((event.root,))
    if calls:
        stage.model.call("recall_memories", query="Alice")
    report = stage.turn(event)
    assert (report.outcome, report.problem) == ("passed", "")
    assert len(stage.world.said) == 1


@pytest.mark.parametrize("kind", ["say", "whisper"])
def test_every_question_of_an_outage_gets_a_line(stage, kind):
    """However long it lasts, nobody talks to a wall, and never hears the same twice running."""
    for _ in range(20):
        stage.model.fail(ModelUnavailable())
        stage.ask(ALICE, "Hello.", kind)
    said = stage.world.said
    assert len(said) == 20
    assert all(line != after for line, after in pairwise(said))


def test_an_excuse_is_not_remembered(stage):
    """What stands for an answer is no memory: the model would take it for the character's way."""
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    entries = stage.store.read("stream")["entries"]
    assert [entry["content"] for entry in entries] == ["Hello."]
    assert [row.content for row in stage.store.rows.newest(9)] == ["Hello."]


@pytest.mark.parametrize(("kind", "place"), [("whisper", ""), ("page", ""), ("channel", GUILD)])
def test_a_stock_line_keeps_to_its_audience(stage, kind, place):
    """Also an excuse is made where the question was asked."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.", kind, place=place)
    ((speech, end),) = stage.world.deliveries
    assert speech.kind == kind
    assert end.hearers == {place or ALICE.id}


def test_a_failed_turn_warms_nobody(stage):
    """An excuse is no conversation: favorability stays."""
    before = stage.store.read("profile", ALICE.id)["relationship"]["favorability"]
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    assert stage.store.read("profile", ALICE.id)["relationship"]["favorability"] == before


def test_a_lost_answer_is_given_up(stage):
    """A model that does not answer in time is a failure like another."""

    async def impatient(awaitable, seconds):
        awaitable.close()
        raise TimeoutError

    stage.mind.limit = impatient
    report = stage.ask(ALICE, "Hello.")
    assert report.problem == ModelTimeout.__doc__


def test_failure_after_an_act_keeps_the_act(stage):
    """What was done before the model failed is remembered as done."""
    stage.model.call("give", item="o1", to="p1").fail(ModelUnavailable())
    stage.ask(ALICE, "The rose?")
    contents = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    assert "You gave the rose to Alice." in contents


# -- energy and money


def test_one_utterance_pays_for_twelve_calls(stage):
    """Whatever follows from a line, it is paid from that line's energy, and then no more."""
    event = stage.hear(ALICE, "Go on for ever.")
    for _ in range(20):
        for number in range(6):
            stage.model.call("recall_memories", query=f"{number}")
        stage.turn(event)
    assert len(stage.model.requests) == HUMAN_ENERGY
    assert stage.energy.left(event.root) == 0


def test_a_tick_pays_for_one_call(stage):
    """An act on its own ends after one call, and that is no failure."""
    stage.model.call("inspect_location")
    report = stage.turn(context_type="tick_autonomous")
    assert (report.steps, report.outcome, report.problem) == (1, "silent", "")


def test_money_is_reserved_before_and_settled_after(stage):
    """While the model thinks the worst case is booked; afterwards what it was."""
    hold = stage.model.say("Hello.").pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    (calls, reserved) = stage.mind.budget.spent("sera")
    assert calls == 1
    assert reserved > 1000
    hold.release()
    running.step()
    assert stage.mind.budget.spent("sera") == (1, 110)
    assert stage.mind.budget.spent("") == (1, 110)


def test_an_unknown_cost_keeps_its_reservation(stage):
    """Where nobody said what a call cost, or it failed, the worst case stands."""
    stage.model.text("Hello.")
    stage.ask(ALICE, "Hello.")
    _, unknown = stage.mind.budget.spent("sera")
    assert unknown > 1000
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    assert stage.mind.budget.spent("sera")[1] > unknown + 1000


def test_a_call_that_was_never_made_costs_nothing(stage):
    """While the breaker is open a day's tokens do not melt away."""
    before = stage.mind.budget.spent("sera")[1]
    stage.model.fail(Unavailable(CallEnding.RESTING, "It rests."))
    stage.ask(ALICE, "Hello.")
    assert stage.mind.budget.spent("sera")[1] == before


def test_a_call_is_reserved_with_all_it_carries(stage):
    """Long arguments travel with the next request, so they are part of its worst case."""
    spent = []
    for text in ("short", "long " * 400):
        stage.model.call("recall_memories", query=text).text("Hm.")
        before = stage.mind.budget.spent("sera")[1]
        stage.ask(ALICE, "Hello.")
        spent.append(stage.mind.budget.spent("sera")[1] - before)
    assert spent[1] - spent[0] >= 1900


def test_beyond_the_cap_no_call_is_made(stage):
    """When the day's money is spent the model is not asked, and the speaker gets an excuse."""
    stage.caps = (1000, 50)
    report = stage.ask(ALICE, "Hello.")
    assert stage.model.requests == []
    assert report.problem == OWN_MET
    assert_excused(stage)
