"""Walks and unasked words of the offline model, through the whole of a turn."""

import pytest

from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.testing import Stage, people, run

(ALICE,) = people("Alice")


@pytest.fixture
def stage():
    made = Stage(model=OfflineModel())
    made.world.lay_out(room1=["street"], street=["room1", "square"], square=["street"])
    made.world.put(ALICE, "room1")
    return made


def goals(stage):
    return [(one["kind"], one["status"]) for one in stage.store.read("goals")["goals"]]


def befriend(stage):
    profile = stage.store.parts["profile"].empty()
    profile["relationship"] |= {"state": "friend", "favorability": 0.6}
    stage.store.state["profile", ALICE.id] = profile | {"name": "Alice"}


@pytest.mark.parametrize("asked", ["Captain, follow me!", "Please come along.", "Come with me!"])
def test_it_follows_when_asked(stage, asked):
    """Whoever asks it to come along is followed to the next room."""
    stage.ask(ALICE, asked)
    assert goals(stage) == [("follow", "active")]
    assert stage.world.said
    stage.world.put(ALICE, "street")
    run(Walker(stage.mind).step())
    assert stage.world.place == "street"


@pytest.mark.parametrize("asked", ["Stop following me!", "Please stay here.", "Wait here."])
def test_it_stays_when_asked(stage, asked):
    """The walk ends with the wish that it should."""
    stage.ask(ALICE, "Follow me!")
    stage.ask(ALICE, asked)
    assert goals(stage) == [("follow", "dropped")]


def test_it_goes_where_no_exit_leads(stage):
    """A place further off, by its name: it sets out, and says so."""
    stage.ask(ALICE, "Captain, go to the square!")
    assert goals(stage) == [("visit", "active")]


def test_an_unknown_place_is_no_promise(stage):
    """What it does not know it does not set out for."""
    stage.ask(ALICE, "Captain, go to the moon!")
    assert goals(stage) == []
    assert stage.world.said


def test_come_here_is_no_walk(stage):
    """Whoever is here already need not be followed."""
    stage.ask(ALICE, "Come here!")
    assert goals(stage) == []


def test_a_friend_is_greeted_by_name(stage):
    """On its own it greets who came in, in the words for a friend."""
    befriend(stage)
    stage.turn(context_type="tick_autonomous", occasion=Occasion("greeting", ALICE))
    (said,) = stage.world.said
    assert "Alice" in said or "friend" in said.lower()


def test_a_stranger_gets_a_nod(stage):
    """A nod has no words."""
    stage.turn(context_type="tick_autonomous", occasion=Occasion("nod", ALICE))
    assert [speech.kind for speech, _ in stage.world.deliveries] == ["emote"]


@pytest.mark.parametrize("kind", ["small talk", "arrival"])
def test_occasions_have_their_words(stage, kind):
    """A silence is broken, an arrival announced, in one line."""
    stage.turn(context_type="tick_autonomous", occasion=Occasion(kind))
    assert [speech.kind for speech, _ in stage.world.deliveries] == ["say"]


def test_without_company_it_has_no_words(stage):
    """Nobody there, nothing said, whatever the occasion."""
    stage.world.leave(ALICE)
    stage.turn(context_type="tick_autonomous", occasion=Occasion("small talk"))
    assert stage.world.deliveries == []
