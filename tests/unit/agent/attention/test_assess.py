"""How much work an event seems to be: by words, by signals, and by a model where that is wanted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.attention.assess import RULES, Signals, by_rules, read_assessment
from ai_assistant.agent.attention.layers import HARD_CAP, Assessment
from ai_assistant.core.contracts import Change, Commit, Entity, Event
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")
CALM = Signals()


def event(text, kind="say"):
    return Event("e1", 0.0, "external", Entity("e-a", "A"), kind, text)


def assessed(text, kind="say", signals=CALM):
    return by_rules([event(text, kind)] if text else [], signals)


# -- the table of docs/layers.md


@pytest.mark.parametrize(
    ("text", "name", "mode", "most", "confirm"),
    [
        ("Good day to you", "communication", "single_action", 1, False),
        ("Reply to Bob", "communication", "single_action", 1, False),
        ("Please build me a tavern", "building", "react_loop", 5, True),
        ("Destroy the old well", "building", "react_loop", 5, True),
        ("Examine this rose", "observation", "single_action", 1, False),
        ("Come, walk to the mill", "movement", "single_action", 1, False),
        ("Who rules this land", "query", "react_loop", 2, False),
        ("You rule this land, yes?", "query", "react_loop", 2, False),
        ("Your goal is peace", "goal_action", "react_loop", 3, False),
        ("", "unknown", None, 5, False),
    ],
)
def test_each_class_of_events_has_its_pattern(text, name, mode, most, confirm):
    """Keywords decide; plain talk is communication by the kind of its event."""
    found = assessed(text)
    assert found.context_signals["event_class"] == name
    assert (found.recommended_mode, found.recommended_iterations) == (mode, most)
    assert found.recommend_confirm_dangerous == confirm


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The rebuilding of Gothenburg", "communication"),
        ("Essays on paragons", "communication"),
        ("We admire the Moveable Feast", "communication"),
        ("I am looking at it", "observation"),
        ("She examines it", "observation"),
    ],
)
def test_words_count_and_not_parts_of_words(text, name):
    """`go` is not in Gothenburg, but looking is a kind of look."""
    assert assessed(text).context_signals["event_class"] == name


def test_several_things_are_more_complex():
    """Two kinds of work, an order of things, or length: each raises the score."""
    simple = assessed("Build a wall")
    double = assessed("Build a wall, then walk to the mill")
    assert simple.complexity_score == 4
    assert double.complexity_score == 5
    assert double.recommended_iterations == HARD_CAP
    assert assessed("Look at it. " + "And it is old " * 20).complexity_score == 2
    walk = assessed("Walk to the mill, then look at the wheel")
    assert (walk.recommended_mode, walk.recommended_iterations) == ("react_loop", 3)


def test_the_kind_of_event_counts_where_words_do_not():
    """A gift or a gesture says nothing about how much work it is."""
    assert assessed("smiles", "pose").context_signals["event_class"] == "unknown"
    assert assessed("smiles", "whisper").context_signals["event_class"] == "communication"


# -- signals


@pytest.mark.parametrize(("used", "most"), [(0.5, 5), (0.7, 3), (0.9, 2), (0.99, 1)])
def test_a_full_prompt_takes_steps(used, most):
    """The levels: warning, danger, critical."""
    assert assessed("Build it", signals=Signals(used)).recommended_iterations == most


def test_failures_make_careful():
    """After turns that failed: fewer steps, and a yes before what cannot be undone."""
    once = assessed("Your goal is peace", signals=Signals(recent_errors=1))
    often = assessed("Build it", signals=Signals(recent_errors=3))
    assert once.recommend_confirm_dangerous
    assert (once.recommended_iterations, often.recommended_iterations) == (3, 2)


def test_an_urgent_goal_gives_steps_to_own_work():
    """Its own work may take longer when it presses; somebody's question does not."""
    urgent = Signals(goal_urgency="critical")
    assert assessed("", signals=urgent).recommended_iterations == HARD_CAP
    assert assessed("Who is it", signals=urgent).recommended_iterations == 2


@given(
    st.text(max_size=80), st.floats(0, 2), st.integers(0, 9),
    st.sampled_from(["", "low", "medium", "high", "critical"]),
)  # fmt: skip
def test_any_event_is_assessed(text, used, errors, urgency):
    """Whatever is said, the assessment fits its schema and is plain JSON."""
    found = assessed(text, signals=Signals(used, errors, urgency))
    assert 1 <= found.complexity_score <= 5
    assert 1 <= found.recommended_iterations <= HARD_CAP
    assert found.recommended_mode in ("single_action", "react_loop", None)
    data = json.loads(json.dumps(found.to_json()))
    assert set(data) == {
        "complexity_score", "recommended_mode", "recommended_iterations",
        "recommend_confirm_dangerous", "reasoning", "context_signals",
    }  # fmt: skip


def test_there_are_six_classes_beside_unknown():
    """Each has words of its own."""
    assert {one.name for one in RULES} == {
        "building", "goal_action", "movement", "observation", "query", "communication",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "name"),
    [
        ("de", "Bitte baue mir eine Taverne", "building"),
        ("de", "Schau dir die Rose an", "observation"),
        ("de", "Wer herrscht hier", "query"),
        ("de", "Guten Tag", "communication"),
        ("es", "Construye una taberna", "building"),
        ("es", "Examina esta rosa", "observation"),
        ("es", "¿Te gusta?", "query"),
    ],
)
def test_each_language_has_its_words_for_work(speaking, code, text, name):
    """Classes and their limits are the same everywhere."""
    speaking(code)
    assert assessed(text).context_signals["event_class"] == name


# -- in a turn


@pytest.fixture
def stage():
    """Alice before a captain whose events are weighed."""
    stage = Stage(task_assessment_enabled=True)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    return stage


def on_record(stage):
    return [one.data for one in stage.store.audit if one.type == "Assessed"]


def test_it_is_off_by_default():
    """Nobody's events are weighed who did not ask for it."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.say("Hello.")
    stage.ask(ALICE, "Hello.")
    assert on_record(stage) == []


def test_a_simple_event_gets_one_action_and_words(stage):
    """A captain asked to look looks once, and then can only speak."""
    stage.model.call("inspect_location", handle="o1").say("A rose.")
    report = stage.ask(ALICE, "Look at the rose.")
    assert report.steps == 2
    assert set(stage.model.offered(1)) == {"emote", "whisper"}
    assert on_record(stage)[0]["context_signals"]["event_class"] == "observation"


def test_an_assessment_never_widens(stage):
    """A complex event gets no more steps than configuration allows."""
    stage.mind.config.values["max_iterations_per_tick"] = 2
    stage.model.call("inspect_location").call("recall_memories", query="x")
    assert stage.ask(ALICE, "Build a wall, then a mill, then a goal.").steps == 2


def test_only_usable_goals_count(stage):
    """Bob's private hurry does not show in a turn with Alice."""
    goal = new_goal("goal_1", "flee", at=0.0, priority="critical", readers=BOB.id)
    change = Change("goals", "", "add_goal", {"goal": goal, "at": 0.0})
    stage.mind.save(Commit(at=0.0, changes=[change]))
    stage.model.say("Hm.")
    stage.ask(ALICE, "Good day")
    assert on_record(stage)[0]["context_signals"]["goal_urgency"] == "none"


def test_failed_turns_are_counted_and_forgotten(stage):
    """One after the other; a turn that goes well ends the count."""
    for failed in (1, 2):
        stage.model.fail(ModelUnavailable())
        stage.ask(ALICE, "Good day")
        assert stage.mind.failed_turns == failed
    stage.model.say("Hm.")
    stage.ask(ALICE, "Good day")
    assert on_record(stage)[-1]["context_signals"]["recent_errors"] == 2
    assert stage.mind.failed_turns == 0


# -- by a model

GOOD = {
    "complexity_score": 2, "recommended_mode": "single_action", "recommended_iterations": 1,
    "recommend_confirm_dangerous": False, "reasoning": "One small thing.",
}  # fmt: skip


def test_a_model_may_assess(stage):
    """One call of the job `assess`, paid by the same utterance, before the first step."""
    stage.mind.config.values["task_assessment_model"] = True
    stage.model.text(f"Well: {json.dumps(GOOD)}").say("Hm.")
    report = stage.ask(ALICE, "Build a wall")
    assert [one.job for one in stage.model.requests] == ["assess", "chat"]
    assert stage.model.requests[0].tools == ()
    assert on_record(stage) == [{**GOOD, "context_signals": {}}]
    assert report.steps == 1


@pytest.mark.parametrize(
    "answer",
    ["", "I think it is hard.", "{}", json.dumps({**GOOD, "recommended_iterations": 99}),
     json.dumps({**GOOD, "recommended_mode": "everything"}),
     json.dumps({**GOOD, "complexity_score": True})],
)  # fmt: skip
def test_what_does_not_fit_falls_back_to_the_rules(stage, answer):
    """A model that cannot be used costs one call, and nothing else."""
    stage.mind.config.values["task_assessment_model"] = True
    stage.model.text(answer).say("Hm.")
    stage.ask(ALICE, "Who are you")
    assert on_record(stage)[0]["context_signals"]["event_class"] == "query"


def test_a_failing_or_slow_assessor_is_not_waited_for(stage):
    """Neither an error nor the time limit harms the turn; both are on record."""
    stage.mind.config.values["task_assessment_model"] = True
    stage.model.fail(ModelUnavailable()).say("Hm.")
    stage.ask(ALICE, "Who are you")
    assert stage.world.said == ["Hm."]
    limits = []

    async def impatient(awaitable, seconds):
        limits.append(seconds)
        if len(limits) == 1:
            awaitable.close()
            raise TimeoutError
        return await awaitable

    stage.mind.limit = impatient
    stage.model.say("Hm, hm.")
    stage.ask(ALICE, "Who are you")
    assert limits[0] == 5.0
    assert stage.world.said == ["Hm.", "Hm, hm."]
    failed = [record.data for record in stage.store.audit if record.type == "AsideFailed"]
    assert failed == [
        {"job": "assess", "problem": problem} for problem in ("ModelUnavailable", "TimeoutError")
    ]


@given(st.text(max_size=60) | st.just(json.dumps(GOOD)))
def test_any_answer_is_read_or_refused(text):
    """Nothing that a model writes makes an assessment that does not fit."""
    found = read_assessment(text)
    assert found is None or isinstance(found, Assessment)
