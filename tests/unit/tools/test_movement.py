"""Follow, visit, patrol: a wish becomes a standing goal, for people and places that are known."""

import pytest

from ai_assistant.agent.config import Config
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.core.contracts import Entity
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import Stage, people, run
from ai_assistant.tools import tool
from ai_assistant.tools.movement import HOME_AFTER

ALICE, BOB = people("Alice", "Bob")
LAMP = Entity("item-lamp", "lamp")


@pytest.fixture
def stage():
    made = Stage()
    made.world.lay_out(
        room1=["street"], street=["room1", "square"], square=["street", "tower"], tower=["square"]
    )
    made.world.put(ALICE, "room1")
    return made


def asked(stage, tool, who=ALICE, kind="say", **arguments):
    """Let the model use a tool; returns what it was told, and the goal that came of it, if any."""
    stage.model.call(tool, **arguments).call("wait")
    stage.ask(who, "Captain, a word!", kind)
    told = stage.model.requests[-1].messages[-1].content
    goals = stage.store.read("goals")["goals"]
    return told, goals[-1] if goals else None


def test_follow_is_a_goal_that_is_walked(stage):
    """From the tool to the next room: nothing but the tool call cost a model call."""
    _, goal = asked(stage, "follow", person="p1")
    assert (goal["kind"], goal["about"]) == ("follow", {"who": ALICE.id, "name": "Alice"})
    assert (goal["requester"], goal["status"], goal["readers"]) == (ALICE.id, "active", "*")
    stage.world.put(ALICE, "square")
    calls = len(stage.model.requests)
    walker = Walker(stage.mind)
    assert [run(walker.step()) for _ in range(3)] == ["moved", "moved", "stayed"]
    assert stage.world.place == "square"
    assert len(stage.model.requests) == calls


def test_a_place_goes_by_its_name(stage):
    """A place several rooms away is known by its name, or a telling part of it."""
    _, goal = asked(stage, "visit", where="Tower")
    assert goal["about"] == {"place": "tower", "name": "the tower", "asked": "event1", "payer": ""}


def test_a_person_goes_by_the_handle(stage):
    """Whom it sees it may go to, wherever they are by then."""
    _, goal = asked(stage, "visit", where="p1")
    assert goal["about"] == {"who": ALICE.id, "name": "Alice", "asked": "event1", "payer": ""}


def test_an_unknown_place_is_asked_back(stage):
    """What it does not know it cannot go to; the model is told what it does know."""
    told, goal = asked(stage, "visit", where="the moon")
    assert goal is None
    assert "You know: the street, the square, the tower." in told


def test_a_thing_is_no_aim(stage):
    """Whoever sees a lamp need not go there."""
    stage.world.carry("lamp")
    told, goal = asked(stage, "visit", where="o1")
    assert goal is None
    assert "lamp" in told


def test_rounds_need_two_places(stage):
    """A round of one stop is none; here counts as a place."""
    _, goal = asked(stage, "patrol", stops=["here", "here"])
    assert goal is None
    _, goal = asked(stage, "patrol", stops=["here", "street", "square"], pause_seconds=30)
    assert [stop["place"] for stop in goal["about"]["stops"]] == ["room1", "street", "square"]
    assert (goal["about"]["pause"], goal["priority"]) == (30, "low")


@pytest.mark.parametrize("given", [{"pause_seconds": -1}, {"stops": ["here"] * 9}])
def test_rounds_have_limits(stage, given):
    """Neither endless stops nor endless rests."""
    _, goal = asked(stage, "patrol", **{"stops": ["here", "street"], **given})
    assert goal is None


def test_the_same_walk_is_not_begun_twice(stage):
    """Who follows already is told so."""
    asked(stage, "follow", person="p1")
    told, _ = asked(stage, "follow", person="p1")
    assert "doing that already" in told
    assert len(stage.store.read("goals")["goals"]) == 1


def test_a_whispered_wish_stays_between_the_two(stage):
    """The goal has the whisper's readers; the walk itself shows nothing of it."""
    _, goal = asked(stage, "visit", kind="whisper", where="tower")
    assert goal["readers"] == ALICE.id
    walker = Walker(stage.mind)
    stage.mind.engagement.who = ""
    for _ in range(4):
        run(walker.step())
    assert stage.world.place == "tower"
    entry = stage.store.read("journal")["entries"][-1]
    assert ("Reached the tower" in entry["content"], entry["readers"]) == (True, ALICE.id)


def test_nobody_follows_themselves(stage):
    """A mirror is no company."""
    stage.world.enter(stage.world.self)
    told, goal = asked(stage, "follow", person="p2")
    assert goal is None
    assert "yourself" in told


def test_home_is_a_place_to_go(stage):
    """Who followed somebody goes home when told so; at home there is no way to go."""
    stage.world.home_id = "tower"
    asked(stage, "follow", person="p1")
    told, goal = asked(stage, "move", to="home")
    assert (goal["kind"], goal["about"]["place"]) == ("visit", "tower")
    assert "Given up: Follow Alice" in told
    stage.world.home_id = "room1"
    assert "already there" in asked(stage, "move", to="home")[0]


def test_who_only_goes_home_has_nothing_to_do_there(stage):
    """A way home ends without a turn; a place to which it was sent is worth one."""
    stage.world.home_id = "street"
    walker = Walker(stage.mind)
    for to, errand in (("square", True), ("home", False)):
        asked(stage, "move", to=to)
        stage.mind.engagement.who = ""
        while run(walker.step()) != "arrived":
            pass
        assert bool(walker.reached) == errand


def test_told_to_stay_it_goes_home_later(stage):
    """Left standing away from home, it goes back by itself after a while, not at once."""
    stage.world.home_id = "tower"
    asked(stage, "follow", person="p1")
    _, goal = asked(stage, "move", to="here")
    assert goal["about"] == {
        "place": "tower", "name": "the tower", "home": True, "after": stage.clock.now() + HOME_AFTER
    }  # fmt: skip
    assert run(Walker(stage.mind).step()) == "stayed"


def test_who_keeps_its_place_follows_nobody(stage):
    """By its setting no wish of a guest leads it away."""
    stage.mind.config = Config({"keeps_place": True})
    for name, arguments in (("follow", {"person": "p1"}), ("move", {"to": "street"})):
        told, goal = asked(stage, name, **arguments)
        assert goal is None
        assert '"ok": false' in told


def test_a_tool_of_the_game_that_walks_is_not_for_who_keeps_its_place(stage):
    """It says so of itself; no list has to know its name."""

    @tool(walks=True)
    def ride(turn):
        """Ride away."""
        return {"rode": "away"}

    stage.mind.registry.add(ride)
    for keeps in (False, True):
        stage.mind.config = Config({"keeps_place": keeps})
        told, _ = asked(stage, "ride")
        assert ('"ok": true' in told) is not keeps


def test_a_way_is_told_place_by_place(stage):
    """Which way out, and through what: also where the place is written wrongly."""
    stage.world.place_exit("door", "street")
    told, _ = asked(stage, "find_way", place="the twoer")
    assert '"exit": "door", "way": ["the street", "the square", "the tower"]' in told
    assert "You know no way" in asked(stage, "find_way", place="the moon")[0]


def test_who_recalls_a_place_knows_the_way(stage):
    """The search that comes before "I do not know" finds it, whatever else is remembered of it."""
    stage.world.place_exit("door", "street")
    told, _ = asked(stage, "recall", words="how to get to the tower")
    assert '"exit": "door", "way": ["the street", "the square", "the tower"]' in told
    assert "Nothing that may be told" not in told
    assert "way_there" not in asked(stage, "recall", words="my cat")[0]


def test_in_a_story_no_way_of_the_game_is_told(stage):
    """What is played lies elsewhere."""
    stage.world.place_exit("door", "street")
    stage.mind.plays = lambda session: Play("s1", fiction=True)
    assert "way_there" not in asked(stage, "recall", words="how to get to the tower")[0]
