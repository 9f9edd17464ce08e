"""On its own: when a character acts unasked, about what, and when it had better not."""

from dataclasses import replace

import pytest

from ai_assistant.agent.unasked.autonomy import Occasion, Situation, decide, pace
from ai_assistant.core.contracts import Entity
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")
GOAL = new_goal("goal_1_0", "Polish the lamp", at=0.0, priority="low", readers=OPEN)
READY = Situation(
    interval=60, idle=10_000, company=True, welcome=True, silence=400, small_talk_after=300
)
"""Everything speaks for acting; the tests take one thing away."""


def decided(**changes):
    return decide(replace(READY, **changes))


# -- the decision


def test_zero_means_never():
    """Without an interval nothing moves it, not even a goal or a guest."""
    now = {"goal": GOAL, "guided": True, "occasion": Occasion("greeting", ALICE)}
    assert not decided(interval=0, **now).act


def test_a_goal_comes_first():
    """What it works on is the goal that it was given, before small talk."""
    assert decided(goal=GOAL).goal == GOAL
    assert decided(goal=GOAL).occasion is None


def test_nothing_to_do_and_nobody_there_costs_nothing():
    """No goal, no guideline, no company: no model call at all, however long it lasts."""
    assert not decided(company=False, welcome=False, idle=10**9).act


def test_guidelines_are_something_to_do():
    """Who was told how to live does so alone as well."""
    assert decided(company=False, welcome=False, guided=True).act


def test_work_goes_on_alone_but_slower():
    """With nobody near it still works on its goal, at a quarter of the pace."""
    alone = replace(READY, company=False, welcome=False, goal=GOAL)
    assert decide(alone).act
    assert pace(alone) == 4 * pace(READY)


def test_a_greeting_does_not_wait():
    """Who comes in is greeted at once, not when the next act is due."""
    greeting = Occasion("greeting", ALICE)
    assert decided(idle=10, occasion=greeting).occasion == greeting
    assert not decided(idle=1, occasion=greeting).act


@pytest.mark.parametrize("spoiled", [{"welcome": False}, {"hour": 3.0, "active_from": 6}])
def test_a_greeting_needs_patience_and_daylight(spoiled):
    """No greeting where players had enough, and none in the middle of its night."""
    assert not decided(idle=10, occasion=Occasion("greeting", ALICE), **spoiled).act


def test_small_talk_after_long_silence_only():
    """While people talk, or have just stopped, there is no need for small talk."""
    assert decided().occasion == Occasion("small talk")
    assert not decided(silence=299).act
    assert not decided(small_talk_after=0).act
    assert not decided(welcome=False).act


@pytest.mark.parametrize(
    ("begin", "end", "hour", "active"),
    [
        (0, 24, 3, True),
        (7, 22, 6.9, False),
        (7, 22, 7, True),
        (7, 22, 22, False),
        (20, 5, 23, True),
        (20, 5, 4.5, True),
        (20, 5, 12, False),
    ],
)
def test_hours_may_lie_around_midnight(begin, end, hour, active):
    """A night watch is active from evening to morning."""
    assert replace(READY, active_from=begin, active_until=end, hour=hour).active is active


def test_outside_its_hours_it_idles_more():
    """At night work goes on slowly, and there is no small talk."""
    night = replace(READY, active_from=7, active_until=22, hour=3)
    assert pace(night) == 4 * pace(READY)
    assert not decide(night).act
    assert decide(replace(night, goal=GOAL)).act


def test_a_shrinking_budget_makes_it_slower():
    """Ahead of the day it slows down by as much; behind it, nothing changes."""
    assert pace(replace(READY, spent=0.3, elapsed=0.6)) == 60
    assert pace(replace(READY, spent=0.6, elapsed=0.3)) == 120


def test_the_last_of_the_budget_is_for_people():
    """A character that worked all day can still answer."""
    assert not decided(goal=GOAL, spent=0.8).act
    assert decided(goal=GOAL, spent=0.79).act


def test_it_waits_for_the_day_to_catch_up():
    """Whoever spent half of it by ten in the morning keeps quiet until the afternoon."""
    assert not decided(goal=GOAL, spent=0.5, elapsed=10 / 24).act
    assert decided(goal=GOAL, spent=0.5, elapsed=16 / 24).act


def test_what_comes_to_nothing_is_tried_less():
    """Each turn in which it only waited doubles the pause, up to eight times."""
    assert [pace(replace(READY, fruitless=n)) for n in (0, 1, 2, 3, 9)] == [60, 120, 240, 480, 480]


def test_who_was_sent_acts_on_arrival():
    """Alone, at night, and never on its own: what a line sent it for, that line pays for."""
    errand = {"occasion": Occasion("arrival", question="line1"), "company": False, "welcome": False}
    night = {"active_from": 6, "hour": 3.0, "idle": 0}
    assert decided(interval=0, paid=True, **errand, **night).occasion == errand["occasion"]
    assert decided(**errand, **night).act
    assert not decided(interval=0, **errand).act
    assert not decided(paid=True, spent=1.0, **errand).act


# -- the turn


@pytest.fixture
def stage():
    made = Stage()
    made.world.enter(ALICE)
    return made


def own_accord(stage, **about):
    return stage.turn(context_type="tick_autonomous", **about)


def test_it_never_speaks_into_an_empty_room(stage):
    """Nobody there, or only another assistant: no way to speak is offered, and none works."""
    stage.world.leave(ALICE)
    stage.world.enter(Entity("e-cook", "The Cook", "npc"), assistant=True)
    stage.model.calls(("say", {"text": "Hello?"}), ("emote", {"text": "sighs."}))
    report = own_accord(stage, goal=GOAL)
    assert not {"say", "emote", "whisper"} & set(stage.model.offered())
    assert stage.world.deliveries == []
    assert report.delivery is None


def test_who_leaves_meanwhile_is_not_called_after(stage):
    """The room became empty while it thought: its line is not said."""
    hold = stage.model.say("Lovely weather.").pause()
    turn = stage.start(context_type="tick_autonomous")
    stage.world.leave(ALICE)
    hold.release()
    assert turn.step().result.outcome == "silent"
    assert stage.world.deliveries == []


def test_it_stops_when_nobody_answers(stage):
    """Once it spoke unasked, it has no way to speak until somebody turns to it."""
    stage.model.say("Lovely weather.").call("wait").call("wait")
    own_accord(stage)
    own_accord(stage, goal=GOAL)
    assert "emote" not in stage.model.offered()
    own_accord(stage, occasion=Occasion("greeting", ALICE))
    assert "emote" not in stage.model.offered()


def test_two_minds_in_one_room_share_the_patience(stage):
    """Where one assistant spoke, another one does not go on."""
    other = Stage(me=Entity("e-cook", "The Cook", "npc"))
    other.mind.patience = stage.mind.patience
    other.mind.key = "cook"
    other.world.enter(ALICE)
    stage.model.say("Lovely weather.")
    own_accord(stage)
    other.model.call("wait")
    own_accord(other)
    assert "emote" not in other.model.offered()


def test_what_was_said_unasked_is_on_disk(stage):
    """A restart finds whom it spoke to, and that nobody answered."""
    stage.model.say("Lovely weather.")
    own_accord(stage)
    (said,) = stage.store.read("patience")["spoken"]
    assert (said["place"], said["heard"], said["answered"]) == ("room1", [ALICE.id], False)


def test_who_was_spoken_to_needs_no_name(stage):
    """The one player who heard it may answer just so."""
    stage.model.say("Lovely weather.")
    own_accord(stage)
    assert stage.mind.engagement.who == ALICE.id


def test_a_private_goal_stays_private(stage):
    """Its readers are the first ceiling: with others there it may work, but not speak of it."""
    goal = {**GOAL, "readers": ALICE.id, "author": ALICE.id}
    stage.model.call("wait")
    own_accord(stage, goal=goal)
    assert "emote" in stage.model.offered()
    stage.world.enter(BOB)
    stage.model.call("store_memory", content="The lamp is half done")
    own_accord(stage, goal=goal)
    assert "emote" not in stage.model.offered()
    assert [row.readers for row in stage.store.memories.values()] == [ALICE.id]


def test_an_own_thought_is_worked_on_in_silence(stage):
    """A goal that only the character knows of is never spoken about."""
    stage.model.call("wait")
    own_accord(stage, goal={**GOAL, "readers": NOBODY})
    assert "emote" not in stage.model.offered()
    assert "Polish the lamp" in stage.model.shown()


def test_acts_without_words_carry_no_label(stage):
    """With a secret goal it may still walk through a door."""
    door = stage.world.place_exit("door")
    stage.model.call("move", to="x1")
    own_accord(stage, goal={**GOAL, "readers": NOBODY})
    assert stage.world.place == f"beyond-{door}"


def test_a_nod_is_no_word(stage):
    """A stranger is nodded to: only a gesture is offered."""
    stage.model.call("emote", text="nods.")
    own_accord(stage, occasion=Occasion("nod", ALICE))
    assert {"say", "emote", "whisper"} & set(stage.model.offered()) == {"emote"}


@pytest.mark.parametrize(("kind", "knows"), [("say", True), ("whisper", False)])
def test_who_arrives_knows_what_for(stage, kind, knows):
    """The line for which it set out is told where those who are there may know of it."""
    stage.model.text("At once.")
    event = stage.hear(ALICE, "Fetch me Bob, please.", kind)
    stage.turn(event)
    stage.world.leave(ALICE)
    stage.world.enter(BOB)
    stage.model.call("wait")
    own_accord(stage, occasion=Occasion("arrival", question=event.id))
    assert ("(What you set out for: Alice: Fetch me Bob, please.)" in stage.model.shown()) is knows
    assert ("Fetch me Bob" in stage.model.shown()) is knows


def test_a_greeting_knows_whom_it_is_for(stage):
    """Who came in is in the prompt, with all that is known of them."""
    stage.model.say("Good day.")
    stage.ask(ALICE, "Hello, Captain.")
    stage.model.say("Welcome back!")
    own_accord(stage, occasion=Occasion("greeting", ALICE))
    assert "(Alice has just come in.)" in stage.model.shown()
    sections = {one.key: one.rows for one in stage.model.requests[-1].sections}
    assert {"occasion": "greeting", "who": "p1", "name": "Alice"} in sections["event"]
    assert sections["entity"][0]["times"] == 1
