"""Autonomy: what a heartbeat finds to do, from real parts and a world that changes."""

from dataclasses import replace

import pytest

from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.agent.unasked.autonomy_state import (
    GREET_AGAIN,
    GREET_WITHIN,
    JUST_SPOKEN,
    TRY_AGAIN,
    AutonomyState,
)
from ai_assistant.core.contracts import Change, Commit, Entity
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.working import key_of
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import Stage, people, run

ALICE, BOB = people("Alice", "Bob")
COOK = Entity("e-cook", "The Cook", "npc")


@pytest.fixture
def stage():
    return Stage(autonomy_interval=60, greets="known", small_talk_after=120)


@pytest.fixture
def mind(stage):
    return AutonomyState(stage.mind)


def change(stage, part, op, key="", **args):
    stage.store.commit(Commit(at=stage.clock.now(), changes=[Change(part, key, op, args)]))


def has_goal(stage, kind="", **fields):
    goal = new_goal(f"goal_1_{len(stage.store.read('goals')['goals'])}", "Polish", at=0, kind=kind)
    change(stage, "goals", "add_goal", goal=goal | {"readers": OPEN} | fields, at=0.0)


def knows(stage, who, favorability=0.3):
    profile = stage.store.parts["profile"].empty()
    profile["relationship"] |= {"state": "acquaintance", "favorability": favorability}
    stage.store.state["profile", who.id] = profile


def comes_in(stage, mind, who):
    stage.world.enter(who)
    mind.notice(stage.world.event(who, f"{who.name} arrives.", "move", at=stage.clock.now()))


def after(stage, mind, seconds=0.0):
    stage.clock.advance(seconds)
    return mind.consider()


def test_off_by_default():
    """Without an interval nothing is looked at, and nothing happens."""
    stage = Stage()
    comes_in(stage, mind := AutonomyState(stage.mind), ALICE)
    has_goal(stage)
    assert not after(stage, mind, 10**6).act


def test_the_most_urgent_goal_is_worked_on(stage, mind):
    """Of several goals the one with the higher priority; a walk needs no thought."""
    has_goal(stage)
    has_goal(stage, priority="critical", description="Put out the fire")
    has_goal(stage, kind="follow", priority="critical")
    assert after(stage, mind, 300).goal["description"] == "Put out the fire"


def test_guidelines_are_lived_by(stage, mind):
    """With a guideline that staff accepted it acts without a goal; a mere proposal is none."""
    proposal = {"content": "Keep the lamp lit.", "reason": "Night falls."}
    change(stage, "guidelines", "propose", at=0.0, readers=OPEN, **proposal)
    assert not after(stage, mind, 300).act
    change(stage, "guidelines", "accept", id=1, by="Ada", at=0.0)
    assert after(stage, mind, 300).act


def test_a_turn_is_not_followed_by_another(stage, mind):
    """After an act it waits its time anew."""
    has_goal(stage)
    assert after(stage, mind, 300).act
    mind.begun()
    mind.ended(idle=False)
    assert not after(stage, mind, 200).act
    assert after(stage, mind, 100).act


def test_waiting_in_vain_makes_it_slower(stage, mind):
    """A goal that it only waits on is looked at less and less; a word wakes it up."""
    has_goal(stage)
    for pause in (300, 500, 1000, 2000):
        assert after(stage, mind, pause).act
        mind.begun()
        mind.ended(idle=True)
    assert not after(stage, mind, 1000).act
    mind.notice(stage.world.event(ALICE, "Lovely weather."))
    assert after(stage, mind, 300).act


def test_a_friend_is_greeted_once(stage, mind):
    """Who is known and comes in is greeted, and not again for running in and out."""
    knows(stage, ALICE)
    comes_in(stage, mind, ALICE)
    decision = after(stage, mind, 6)
    assert (decision.occasion.kind, decision.occasion.who) == ("greeting", ALICE)
    mind.begun()
    comes_in(stage, mind, ALICE)
    assert not after(stage, mind, 30).act
    stage.clock.advance(GREET_AGAIN)
    comes_in(stage, mind, ALICE)
    assert after(stage, mind, 6).act


@pytest.mark.parametrize(
    ("greets", "known", "kind"),
    [
        ("known", True, "greeting"),
        ("known", False, None),
        ("everybody", False, "nod"),
        ("everybody", True, "greeting"),
        ("nobody", True, None),
    ],
)
def test_strangers_get_a_nod_at_most(greets, known, kind):
    """Whom it greets is the owner's choice; words are for those it knows."""
    stage = Stage(autonomy_interval=600, greets=greets)
    if known:
        knows(stage, ALICE)
    comes_in(stage, mind := AutonomyState(stage.mind), ALICE)
    occasion = after(stage, mind, 6).occasion
    assert (occasion and occasion.kind) == kind


def test_a_greeting_comes_in_time_or_not_at_all(stage, mind):
    """Minutes after somebody came in, a greeting would be odd; after a talk as well."""
    knows(stage, ALICE)
    comes_in(stage, mind, ALICE)
    assert after(stage, mind, GREET_WITHIN + 1).occasion is None
    change(stage, "profile", "count_exchange", ALICE.id, at=stage.clock.now())
    comes_in(stage, mind, ALICE)
    assert after(stage, mind, 10).occasion is None
    stage.clock.advance(JUST_SPOKEN)
    comes_in(stage, mind, ALICE)
    assert after(stage, mind, 10).occasion is not None


def test_who_left_again_is_not_greeted(stage, mind):
    """A departure is no arrival, though it is announced alike."""
    knows(stage, ALICE)
    comes_in(stage, mind, ALICE)
    stage.world.leave(ALICE)
    assert not after(stage, mind, 6).act


def test_characters_do_not_greet_each_other(stage, mind):
    """Two assistants in an empty room leave each other in peace."""
    stage.world.enter(COOK, assistant=True)
    mind.notice(stage.world.event(COOK, "The Cook arrives.", "move"))
    assert not after(stage, mind, 600).act


def test_a_long_silence_is_broken_once(stage, mind):
    """One turn for each silence, whatever came of it; the next after somebody spoke."""
    stage.world.enter(ALICE)
    assert not after(stage, mind, 61).act
    assert after(stage, mind, 121).occasion.kind == "small talk"
    mind.begun()
    mind.ended(idle=True)
    assert not after(stage, mind, 10_000).act
    mind.notice(stage.world.event(ALICE, "Hm."))
    assert after(stage, mind, 300).act


def test_arriving_is_an_occasion(stage, mind):
    """Who got where it wanted to go goes on from there at once, though nobody is there."""
    mind.arrive({"about": {"asked": "event1"}})
    assert after(stage, mind, 10).occasion == Occasion("arrival", question="event1")
    mind.begun()
    assert not after(stage, mind, 10).act


def test_an_errand_lasts_as_long_as_its_line_pays():
    """Sent by a line, it acts on arrival without an interval; not once that line is used up."""
    stage = Stage()
    mind, event = AutonomyState(stage.mind), stage.hear(ALICE, "Fetch the lantern.")
    mind.arrive({"about": {"asked": event.id}})
    assert after(stage, mind).occasion == Occasion("arrival", question=event.id)
    while stage.energy.spend((event.id,)):
        pass
    assert not after(stage, mind).act


def test_who_arrived_long_ago_does_not_say_so(stage, mind):
    """Who could not act then is later simply there."""
    mind.arrive({"about": {}})
    stage.clock.advance(GREET_WITHIN + 1)
    stage.world.enter(ALICE)
    assert not after(stage, mind, 10).act


def test_night_falls_by_the_game_s_clock():
    """Active hours are those of the game's day."""
    stage = Stage(autonomy_interval=60, active_from=8, active_until=20)
    stage.world.seconds = 3 * 3600.0
    has_goal(stage)
    mind = AutonomyState(stage.mind)
    assert not after(stage, mind, 300).act
    stage.world.seconds = 9 * 3600.0
    assert after(stage, mind, 30).act


def test_a_spent_budget_keeps_it_quiet(stage, mind):
    """What is left of the day's calls is for those who ask."""
    has_goal(stage)
    stage.caps = (10, 1000)
    for _ in range(8):
        stage.mind.budget.reserve("sera", 1)
    decision = after(stage, mind, 300)
    assert not decision.act
    assert "for those who ask" in decision.reason


def test_patience_survives_a_restart(stage, mind):
    """A reload does not let it burst out anew; an answer before it still counts."""
    stage.world.enter(ALICE)
    stage.model.say("Lovely weather.")
    stage.turn(context_type="tick_autonomous")
    restarted = Stage(autonomy_interval=60)
    restarted.store, restarted.mind.store = stage.store, stage.store
    restarted.world.enter(ALICE)
    again = AutonomyState(restarted.mind)
    assert not restarted.mind.is_welcome()
    again.addressed(restarted.world.event(ALICE, "Indeed, Captain."))
    assert restarted.mind.is_welcome()
    assert restarted.store.read("patience")["spoken"][0]["answered"]


def test_assistants_talking_restore_no_patience(stage, mind):
    """What another assistant says to it is no answer of a player."""
    stage.world.enter(ALICE)
    stage.model.say("Lovely weather.")
    stage.turn(context_type="tick_autonomous")
    mind.addressed(replace(stage.world.event(COOK, "Captain?"), by_assistant=True))
    assert not stage.mind.is_welcome()


def test_it_says_why_it_keeps_quiet(stage, mind):
    """The last decision is there for whoever asks."""
    assert "only just started" in mind.decision.reason
    after(stage, mind, 300)
    assert mind.decision.reason == "nobody is near, and there is nothing to do"
    assert mind.acted is None


# -- promises


def promised(stage, who, readers=OPEN, deadline=0.0):
    """Note something that was promised to somebody."""
    key = key_of(who.id, readers)
    change(
        stage,
        "profile",
        "create_entity_profile",
        who.id,
        name=who.name,
        entity_type="player",
        at=0.0,
    )
    change(stage, "working", "start_conversation", key, entity_id=who.id, readers=readers, at=0.0)
    step = {"action": "find a ring", "priority": 3, "at": 0.0, "deadline": deadline}
    change(stage, "working", "add_pending_action", key, **step)


def test_a_promise_is_kept_before_a_goal(stage, mind):
    """To somebody who is there, and only then."""
    stage.world.enter(ALICE)
    promised(stage, ALICE)
    has_goal(stage)
    first = after(stage, mind, 70)
    assert (first.reason, first.occasion.who) == ("keeps a promise", ALICE)
    stage.world.leave(ALICE)
    assert after(stage, mind, 400).reason == "works on a goal"


def test_a_whispered_promise_is_kept_alone_with_them(stage, mind):
    """While others are there it is not even thought of."""
    stage.world.enter(ALICE, BOB)
    promised(stage, ALICE, ALICE.id)
    assert after(stage, mind, 70).reason != "keeps a promise"
    stage.world.leave(BOB)
    assert after(stage, mind, 70).reason == "keeps a promise"


def test_a_promise_for_later_comes_up_when_it_is_due(stage, mind):
    """Not a game day before, and before one that has no time."""
    stage.world.enter(ALICE, BOB)
    promised(stage, BOB, deadline=stage.world.game_time() + 24 * 3600)
    assert after(stage, mind, 70).reason != "keeps a promise"
    promised(stage, ALICE)
    assert after(stage, mind, 70).occasion.who == ALICE
    stage.world.seconds += 23.5 * 3600
    assert after(stage, mind, 70).occasion.who == BOB


def test_a_promise_is_turned_to_once_an_hour(stage, mind):
    """What the model does not do is not asked for on every heartbeat."""
    stage.world.enter(ALICE)
    promised(stage, ALICE)
    assert after(stage, mind, 70).reason == "keeps a promise"
    mind.begun()
    assert after(stage, mind, TRY_AGAIN - 100).reason != "keeps a promise"
    assert after(stage, mind, 200).reason == "keeps a promise"


# -- goals that wait


def waits_for(stage, who):
    """Let its one goal wait for somebody since now."""
    awaits = {"who": who.id, "name": who.name, "since": stage.clock.now()}
    step = {"goal_id": "goal_1_0", "status": "waiting", "awaits": awaits, "at": stage.clock.now()}
    change(stage, "goals", "update_goal", **step)


def test_whom_it_comes_upon_it_waits_for_no_longer(stage, mind):
    """A goal that waits for somebody goes on where it walks into the room that they are in."""
    has_goal(stage)
    stage.world.lay_out(room1=["yard"], yard=["room1"])
    stage.world.put(ALICE, "yard")
    after(stage, mind, 300)
    waits_for(stage, ALICE)
    assert not after(stage, mind, 300).act
    run(stage.world.walk("yard"))
    assert after(stage, mind, 300).reason == "works on a goal"


def test_who_was_only_heard_of_wakes_a_goal_by_their_name(stage, mind):
    """Whoever speaks under the name that it waits for is who was meant."""
    has_goal(stage)
    after(stage, mind, 300)
    waits_for(stage, Entity("bjorn", "Bjorn"))
    assert not after(stage, mind, 300).act
    mind.notice(stage.hear(Entity("e-bjorn", "Bjorn", "player"), "Good evening!"))
    assert after(stage, mind, 300).reason == "works on a goal"


def test_who_stays_where_it_is_wakes_no_goal(stage, mind):
    """What it waits for from somebody beside it is theirs to say; their being there is no news."""
    has_goal(stage)
    stage.world.enter(ALICE)
    after(stage, mind, 300)
    waits_for(stage, ALICE)
    assert after(stage, mind, 300).goal is None


def test_its_own_errand_goes_on_where_it_leads(stage, mind):
    """Who went somewhere for a goal works on it there; who was sent has the line for it."""
    has_goal(stage)
    after(stage, mind, 300)
    mind.begun()
    mind.arrive({"about": {}})
    decision = after(stage, mind, 10)
    assert (decision.reason, decision.goal["id"]) == ("arrival", "goal_1_0")
    mind.arrive({"about": {"asked": "event1"}})
    assert after(stage, mind, 10).goal is None


def test_who_stands_there_after_a_restart_wakes_a_goal_once(stage, mind):
    """They may have come or spoken in between; set to wait again, it waits."""
    has_goal(stage)
    stage.world.enter(ALICE)
    after(stage, mind, 300)
    waits_for(stage, ALICE)
    stage.clock.advance(5)
    again = AutonomyState(stage.mind)
    assert after(stage, again, 300).goal is not None
    waits_for(stage, ALICE)
    assert after(stage, again, 300).goal is None
