"""While the model thinks, others act: what they did counts, and nobody is confused."""

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.errors import ModelUnavailable, StoreError, TurnSuperseded
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.testing import Stage, people

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain, who carries a rose."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    return stage


@pytest.mark.parametrize(
    "reply",
    [("say", {"text": "Hello."}), ("give", {"item": "o1", "to": "p1"}), ("wait", {}), None],
)
def test_a_superseded_turn_does_nothing(stage, reply):
    """Stopped in mid-thought: nothing is said, done or written, and the event still waits."""
    model = stage.model.calls(reply) if reply else stage.model.text("")
    hold = model.pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    state = dict(stage.store.state)
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert stage.world.deliveries == stage.world.deeds == []
    assert (stage.store.state, stage.store.memories, stage.store.audit) == (state, {}, [])
    assert [(one.attempts, one.claims) for one in stage.store.triggers.waiting()] == [(1, ())]


def test_a_superseded_failure_is_no_excuse(stage):
    """Also a turn whose model failed keeps silent once it lost its right to act."""
    hold = stage.model.fail(ModelUnavailable()).pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert stage.world.deliveries == []


def test_what_others_changed_meanwhile_survives(stage):
    """A turn writes steps, not states: the work of staff during a thought is still there."""
    stage.model.say("Well met.")
    stage.ask(ALICE, "Hello.")
    hold = stage.model.call("wait").pause()
    running = stage.start(stage.hear(ALICE, "Hello again."))
    profile = stage.store.state["profile", ALICE.id] = stage.store.read("profile", ALICE.id)
    profile["relationship"]["favorability"] = 0.9
    noted = {"entity_id": ALICE.id, "content": "Staff knows.", "source": "direct", "at": 0.0}
    PROFILE.apply(profile, "add_entity_observation", noted)
    stage.store.state["journal", ""] = PARTS["journal"].empty()
    hold.release()
    running.step()
    profile = stage.store.read("profile", ALICE.id)
    assert profile["relationship"]["favorability"] == 0.9
    assert profile["relationship"]["interaction_count"] == 2
    assert profile["observations"][0]["content"] == "Staff knows."
    assert stage.store.read("journal")["entries"] == []


def test_a_refused_commit_says_nothing(stage):
    """When the database refuses, nothing is said, and nothing that was heard is lost."""
    stage.overhear(BOB, "Fresh bread!")
    stage.store.refuse = True
    stage.model.say("Hello.")
    event = stage.hear(ALICE, "Hello.")
    with pytest.raises(StoreError):
        stage.start(event)
    assert stage.world.deliveries == []
    assert [one.event for one in stage.store.triggers.waiting()] == [event]
    assert [one.content for one in stage.mind.heard] == ["Fresh bread!"]
    assert not stage.mind.engagement.who
    stage.model.say("Hello.")
    stage.turn(event)
    contents = [row.content for row in stage.store.memories.values()]
    assert sorted(contents) == ["Fresh bread!", "Hello.", "Hello."]


def test_a_listener_who_left_hears_nothing(stage):
    """A reply whose listeners are gone is dropped, and not remembered as said."""
    hold = stage.model.say("The vault is below.").pause()
    running = stage.start(stage.hear(ALICE, "Where is the vault?"))
    stage.world.leave(ALICE, BOB)
    stage.world.enter(CAROL)
    hold.release()
    report = running.step().result
    assert report.outcome == "dropped: those it was meant for have left"
    assert stage.world.said == []
    known = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    talk = stage.store.read("working", ALICE.id)["messages"]
    rows = [row.content for row in stage.store.memories.values()]
    assert rows == ["Where is the vault?"] == [line["content"] for line in talk] == known
    assert not stage.mind.engagement.who
    assert stage.store.triggers.waiting() == []


def test_a_whisperer_who_left_hears_nothing(stage):
    """The same for a whisper: who is gone is not whispered to."""
    hold = stage.model.call("whisper", to="p1", text="Below.").pause()
    running = stage.start(stage.hear(ALICE, "Where is the vault?", "whisper"))
    stage.world.leave(ALICE)
    hold.release()
    assert running.step().result.delivery.outcome == "dropped"
    assert stage.store.read("working", ALICE.id)["messages"] == []


def test_two_players_at_once_are_not_confused(stage):
    """Both questions of one turn are answered; what is noted of one stands on the word of both."""
    one, two = stage.hear(ALICE, "Captain, I am Alice."), stage.hear(BOB, "Captain, I like rum.")
    stage.model.calls(
        ("update_entity_observation", {"entity": "p2", "observation": "Bob likes rum."}),
        ("say", {"text": "Well met, both."}),
    )
    report = stage.turn(one, two)
    assert report.answered == (one.id, two.id)
    note = stage.store.read("profile", BOB.id)["observations"][0]
    assert (note["author"], note["source"]) == (f"{ALICE.id},{BOB.id}", "told")
    rows = {row.content: row.author for row in stage.store.memories.values()}
    assert rows["Captain, I am Alice."] == ALICE.id
    assert rows["Captain, I like rum."] == BOB.id
    for who, line in ((ALICE, "Captain, I am Alice."), (BOB, "Captain, I like rum.")):
        talk = stage.store.read("working", who.id)["messages"]
        assert [entry["content"] for entry in talk] == [line, "Well met, both."]


def test_two_whisperers_get_their_own_answers(stage):
    """Two private questions make two turns, and neither shows in the other."""
    for who, handle, secret in ((ALICE, "p1", "I stole it."), (BOB, "p2", "I saw it.")):
        stage.model.call("whisper", to=handle, text=f"So: {secret}")
        stage.ask(who, secret, "whisper")
    assert "stole" not in stage.model.shown()
    assert [end.hearers for _, end in stage.world.deliveries] == [{ALICE.id}, {BOB.id}]


def test_plain_words_to_nobody_are_not_said(stage):
    """When it was led away from all who heard it, its words are let go."""
    hold = stage.model.text("Farewell.").pause()
    running = stage.start(stage.hear(ALICE, "Goodbye.", "pose"))
    stage.world.place = "room2"
    hold.release()
    report = running.step().result
    assert stage.world.said == []
    assert stage.store.triggers.waiting() == []
    assert report.outcome != "answered"
