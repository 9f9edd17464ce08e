"""Walking: a standing goal is walked step by step, by rule, and ends with a word on how it went."""

from dataclasses import replace

import pytest

from ai_assistant.agent.unasked.walking import (
    ANSWER_SECONDS,
    BESIDE_SECONDS,
    FORGOTTEN_AFTER,
    LOST_AFTER,
    MOST_PLACES,
    Search,
    Walker,
)
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.core.readers import OPEN
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import Stage, people, run

ALICE, BOB = people("Alice", "Bob")
TOWN = {
    "room1": ["street"],
    "street": ["room1", "square"],
    "square": ["street", "tower"],
    "tower": ["square"],
}


@pytest.fixture
def stage():
    made = Stage()
    made.world.lay_out(**TOWN)
    return made


def has_goal(stage, kind, *, priority="medium", number=0, body="", **about):
    at = stage.clock.now()
    about = {"name": "the tower", **about}
    goal = new_goal(f"goal_1_{number}", f"{kind} it", at=at, kind=kind, about=about)
    goal |= {"readers": OPEN, "priority": priority, "body": body}
    step = Change("goals", "", "add_goal", {"goal": goal, "at": at})
    stage.store.commit(Commit(at=at, changes=[step]))


def goal_of(stage, number=0):
    return stage.store.read("goals")["goals"][number]


def walked(walker, stage, steps=30, seconds=5):
    """Let so many heartbeats pass; returns what came of them, searching left out."""
    found = []
    for _ in range(steps):
        end = "searching"
        while end == "searching":
            end = run(walker.step())
        found.append(end)
        stage.clock.advance(seconds)
    return found


def test_nobody_walks_without_a_goal(stage):
    """Goals that are thought about move nobody."""
    has_goal(stage, "")
    assert walked(Walker(stage.mind), stage, 3) == ["none"] * 3


def test_a_visit_takes_a_step_at_a_time(stage):
    """Three rooms away is three heartbeats away; once there, the goal is complete, with a word."""
    has_goal(stage, "visit", place="tower")
    assert walked(Walker(stage.mind), stage, 5) == ["moved", "moved", "moved", "arrived", "none"]
    assert stage.world.deeds == ["walk street", "walk square", "walk tower"]
    assert (goal_of(stage)["status"], goal_of(stage)["progress"]) == ("completed", 100)
    assert goal_of(stage)["outcome"] == "Reached the tower."
    assert "Reached the tower." in stage.store.read("journal")["entries"][-1]["content"]
    assert not stage.model.requests


def test_what_cannot_be_reached_is_given_up(stage):
    """No way leads there: the goal is dropped, and says why."""
    stage.world.rooms["square"].pop("tower")
    has_goal(stage, "visit", place="tower")
    assert walked(Walker(stage.mind), stage, 1) == ["gave up"]
    assert (goal_of(stage)["status"], goal_of(stage)["outcome"]) == (
        "dropped",
        "There was no way to the tower.",
    )


def test_a_door_that_refuses_is_gone_around(stage):
    """A way that looks open and is not is tried once; then another one is taken, or none."""
    refused = []
    walk = stage.world.walk

    async def stubborn(place):
        if place == "square":
            refused.append(place)
            place = "nowhere"
        return await walk(place)

    stage.world.walk = stubborn
    stage.world.rooms["street"]["alley"] = "the alley"
    stage.world.rooms["alley"] = {"tower": "the tower"}
    has_goal(stage, "visit", place="tower")
    assert walked(Walker(stage.mind), stage, 5)[-1] == "arrived"
    assert refused == ["square"]


def test_to_follow_is_to_go_where_they_go(stage):
    """It comes after, stays as long as they stay, and is never done."""
    stage.world.put(ALICE, "square")
    has_goal(stage, "follow", who=ALICE.id)
    walker = Walker(stage.mind)
    assert walked(walker, stage, 4) == ["moved", "moved", "stayed", "stayed"]
    assert walker.follows == ALICE.id
    stage.world.put(ALICE, "tower")
    assert walked(walker, stage, 2) == ["moved", "stayed"]
    assert goal_of(stage)["status"] == "active"


@pytest.mark.parametrize(("body", "ends"), [("e-sera", "gave up"), ("", "stayed")])
def test_following_lapses_where_nobody_says_a_word(stage, body, ends):
    """A word between them lets it go on; what game code wants goes on without."""
    stage.world.put(ALICE, "room1")
    has_goal(stage, "follow", who=ALICE.id, name="Alice", body=body)
    walker = Walker(stage.mind)
    stage.clock.advance(FORGOTTEN_AFTER - 60)
    stage.model.say("Right behind you.")
    stage.ask(ALICE, "Are you there?")
    assert walked(walker, stage, 1, seconds=120) == ["stayed"]
    assert walked(walker, stage, 1, seconds=FORGOTTEN_AFTER) == ["stayed"]
    assert walked(walker, stage, 1) == [ends]


def test_who_is_out_of_reach_is_waited_for(stage):
    """Whom it lost from sight it waits for some minutes; then it gives up."""
    has_goal(stage, "follow", who=ALICE.id, name="Alice")
    walker = Walker(stage.mind)
    assert walked(walker, stage, 3) == ["stayed"] * 3
    stage.world.put(ALICE, "room1")
    assert walked(walker, stage, 1) == ["stayed"]
    stage.world.leave(ALICE)
    assert walked(walker, stage, 2, seconds=LOST_AFTER) == ["stayed", "gave up"]
    assert goal_of(stage)["outcome"] == "Alice was out of reach."


def test_who_is_lost_is_left_for_home(stage):
    """Away from home it goes back there, a step at a time, and follows nobody any more."""
    stage.world.home_id, stage.world.place = "room1", "tower"
    has_goal(stage, "follow", who=ALICE.id, name="Alice")
    walker = Walker(stage.mind)
    walked(walker, stage, 3, seconds=LOST_AFTER)
    assert walked(walker, stage, 4)[-2:] == ["gave up", "none"]
    assert (stage.world.place, goal_of(stage)["outcome"]) == ("room1", "Alice was out of reach.")


def test_a_walk_waits_for_its_time(stage):
    """Where it is to begin later, it stays until then."""
    has_goal(stage, "visit", place="street", after=stage.clock.now() + 60)
    walker = Walker(stage.mind)
    assert walked(walker, stage, 2, seconds=30) == ["stayed"] * 2
    assert walked(walker, stage, 2) == ["moved", "arrived"]


def test_rounds_go_on_for_ever(stage):
    """A patrol rests at each stop, takes the next, and begins anew."""
    stops = [{"place": "room1"}, {"place": "square"}]
    has_goal(stage, "patrol", stops=stops, pause=20)
    found = walked(Walker(stage.mind), stage, 40)
    assert stage.world.deeds[:6] == [
        *("walk street", "walk square", "walk street", "walk room1", "walk street", "walk square"),
    ]
    assert found.count("stayed") > 20
    assert goal_of(stage)["status"] == "active"


def test_rounds_leave_out_what_is_closed(stage):
    """A stop that cannot be reached is skipped; when all of them are, the round is given up."""
    has_goal(stage, "patrol", stops=[{"place": "vault"}, {"place": "street"}], pause=0)
    walker = Walker(stage.mind)
    assert "moved" in walked(walker, stage, 4)
    stage.world.rooms.clear()
    stage.world.place = "room1"
    assert "gave up" in walked(walker, stage, 4)


def test_nobody_walks_off_in_mid_conversation(stage):
    """It stays with whom it has just talked to; only who is followed is not kept waiting."""
    stage.world.put(ALICE, "room1")
    stage.mind.engagement.who, stage.mind.engagement.since = ALICE.id, stage.clock.now()
    has_goal(stage, "visit", place="tower")
    walker = Walker(stage.mind)
    assert walked(walker, stage, 2) == ["stayed", "stayed"]
    stage.clock.advance(BESIDE_SECONDS)
    assert walked(walker, stage, 1) == ["moved"]


def test_what_is_said_beside_a_talk_sends_nobody_off(stage):
    """Bob's words to somebody else end the talk with Alice; it does not walk off at them."""
    for who in (ALICE, BOB):
        stage.world.put(who, "room1")
    stage.mind.engagement.turn_to(ALICE.id, stage.clock.now(), "room1")
    stage.mind.engagement.overhear(replace(stage.hear(BOB, "A beer, Tansy!"), place="room1"))
    has_goal(stage, "patrol", stops=[{"place": "street"}, {"place": "tower"}], pause=0)
    walker = Walker(stage.mind)
    assert walked(walker, stage, 2) == ["stayed", "stayed"]
    stage.clock.advance(BESIDE_SECONDS)
    assert walked(walker, stage, 1) == ["moved"]


def sent_with_a_word(stage):
    """Let Alice, who stays, send it on its rounds' way to say something in the street."""
    stage.world.place_exit("door", "street")
    stage.world.put(ALICE, "room1")
    stage.world.put(BOB, "street")
    has_goal(stage, "patrol", stops=[{"place": "street"}, {"place": "tower"}], pause=0)
    move = ToolCall("1", "move", {"to": "door"})
    stage.model.replies.append(ModelReply(text="I shall tell him.", tool_calls=(move,)))
    with stage.model.text("Alice greets you."):
        stage.ask(ALICE, "Captain, tell Bob that I greet him.")
    assert stage.world.place == "street"


def test_who_was_sent_waits_for_the_answer(stage):
    """It stays for a short while after its words; whoever it turned to finds it still there."""
    sent_with_a_word(stage)
    walker = Walker(stage.mind)
    assert set(walked(walker, stage, 4)) == {"stayed"}
    stage.clock.advance(ANSWER_SECONDS)
    assert "moved" in walked(walker, stage, 4)


def test_who_was_sent_ahead_is_still_there(stage):
    """Whoever sent it finds it there, though it said nothing where it came."""
    stage.world.place_exit("door", "street")
    stage.world.put(ALICE, "room1")
    has_goal(stage, "patrol", stops=[{"place": "tower"}, {"place": "room1"}], pause=0)
    with stage.model.calls(("say", {"text": "To the street."}), ("move", {"to": "door"})).call(
        "wait"
    ):
        stage.ask(ALICE, "Captain, go to the street!")
    assert stage.world.place == "street"
    walker = Walker(stage.mind)
    assert set(walked(walker, stage, 4)) == {"stayed"}
    stage.clock.advance(ANSWER_SECONDS)
    assert "moved" in walked(walker, stage, 4)


def test_who_was_sent_and_answered_goes_on(stage):
    """An assistant's answer ends the wait."""
    sent_with_a_word(stage)
    answer = replace(stage.hear(BOB, "Tell her the same."), by_assistant=True, place="street")
    stage.mind.engagement.overhear(answer)
    assert "moved" in walked(Walker(stage.mind), stage, 4)


def test_it_knows_that_it_went_on(stage):
    """That it left the place of its last talk stands in the next prompt, once for all its steps."""
    sent_with_a_word(stage)
    stage.clock.advance(BESIDE_SECONDS)
    walked(Walker(stage.mind), stage, 4)
    with stage.model.text("I told him."):
        stage.ask(ALICE, "What did he say?", "page")
    assert stage.model.shown().count("You went on from") == 1
    assert "(You went on from the street to the square.)" in stage.model.shown()


def test_the_last_wish_counts(stage):
    """Of two walks it goes on with the weightier, else with the newer; then with the other."""
    has_goal(stage, "patrol", stops=[{"place": "street"}], priority="low")
    has_goal(stage, "visit", number=1, place="tower", priority="high")
    walker = Walker(stage.mind)
    assert walked(walker, stage, 4)[-1] == "arrived"
    walked(walker, stage, 2)
    assert stage.world.place == "street"


def test_a_stopped_character_stays_where_it_got_to(stage):
    """What was begun before a stop does not go on after it."""
    has_goal(stage, "visit", place="tower")
    walker = Walker(stage.mind)
    walked(walker, stage, 1)
    stage.world.place = "room1"
    assert walked(walker, stage, 4)[-1] == "arrived"


# -- the search


def test_the_shortest_way_is_found():
    """Breadth first: no way round where there is one straight on."""
    search = Search("room1", "tower")
    search.look(lambda place: TOWN[place], 10)
    assert search.way == ["street", "square", "tower"]


def test_a_search_may_pause():
    """It goes on where it stopped, and never looks at more places than it was told."""
    looked = []

    def neighbours(place):
        looked.append(place)
        return TOWN[place]

    search = Search("room1", "tower")
    while not search.over:
        before = len(looked)
        search.look(neighbours, 1)
        assert len(looked) - before <= 1
    assert search.way[-1] == "tower"


def test_a_search_has_an_end():
    """In an endless world it gives up after some hundred places."""
    search = Search("0", "nowhere")
    search.look(lambda place: [str(int(place) + 1)], 10**6)
    assert search.over
    assert not search.way
    assert len(search._before) <= MOST_PLACES + 1


def test_who_is_there_needs_no_way():
    """From a place to itself there is nothing to look for."""
    assert Search("room1", "room1").over


def test_a_visit_ends_with_the_meeting(stage):
    """Who finds somebody and talks with them has arrived, and does not go after them later."""
    stage.world.enter(ALICE)
    has_goal(stage, "visit", who=ALICE.id)
    stage.mind.engagement.who, stage.mind.engagement.since = ALICE.id, stage.clock.now()
    walker = Walker(stage.mind)
    assert walked(walker, stage, 1) == ["arrived"]
    stage.world.put(ALICE, "tower")
    assert walked(walker, stage, 2) == ["none", "none"]
