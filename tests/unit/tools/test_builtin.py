"""The tools that come with the package, each in a turn."""

import pytest

from ai_assistant.core.contracts import Commit, Entity, MemoryRow
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain, who carries a rose beside a way north."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    stage.world.place_exit("north")
    return stage


def told(stage, name, kind="say", **arguments):
    """Return what the model reads after one call of a tool."""
    stage.model.call(name, **arguments).call("wait")
    stage.ask(ALICE, "Well?", kind)
    return stage.model.requests[1].messages[-1].content


# -- action


def test_looking_around(stage):
    """Without a handle the place is described, with all that is there."""
    seen = told(stage, "inspect_location")
    assert '"place": "the inn"' in seen
    assert '"you_see": ["p1 Alice", "p2 Bob", "o1 rose (you carry it)", "x1 north"]' in seen


@pytest.mark.parametrize("handle", ["", None])
def test_looking_at_nothing_is_looking_around(stage, handle):
    """Models fill in what they could leave out."""
    assert '"place": "the inn"' in told(stage, "inspect_location", handle=handle)


def test_looking_closely(stage):
    """With a handle it is that thing or person."""
    assert '"description": "You see Bob."' in told(stage, "inspect_location", handle="p2")


def test_looking_at_what_is_gone(stage):
    """What left since the turn began is not there any more."""
    hold = stage.model.call("inspect_location", handle="p2").call("wait").pause()
    running = stage.start(stage.hear(ALICE, "Look at Bob!"))
    stage.world.leave(BOB)
    hold.release()
    running.step()
    assert "not here any more" in stage.model.shown()


def test_moving(stage):
    """Through an exit that is seen, and through nothing else."""
    assert "You went north." in told(stage, "move", to="x1")
    assert stage.world.deeds == ["move north"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("move", {"to": "x2"}, "There is no way 'x2' here. You see: x1 north."),
        ("move", {"to": "o1"}, "There is no way 'o1' here"),
        ("give", {"item": "o2", "to": "p1"}, "There is no item 'o2' here. You see: o1 rose."),
        ("give", {"item": "o1", "to": "p3"}, "There is no person 'p3' here"),
        ("give", {"item": "o1", "to": "x1"}, "There is no person 'x1' here"),
        ("give", {"item": "p1", "to": "p2"}, "There is no item 'p1' here"),
        ("inspect_location", {"handle": "p3"}, "There is no thing 'p3' here"),
        ("whisper", {"to": "x1", "text": "Hm."}, "There is no person 'x1' here"),
        ("update_entity_observation", {"entity": "o7", "observation": "x"}, "no thing 'o7'"),
    ],
)
def test_acts_need_what_is_there(stage, name, arguments, why):
    """A handle of the wrong kind, or of nothing, is refused in words that help."""
    assert why in told(stage, name, **arguments)
    assert stage.world.deeds == stage.world.deliveries == []


def test_giving(stage):
    """What it carries and may give goes to the one named."""
    assert "You gave the rose to Bob." in told(stage, "give", item="o1", to="p2")


# -- speech


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "hearers"),
    [
        ("say", {"text": "Aye."}, "say", {ALICE.id, BOB.id}),
        ("emote", {"text": "nods."}, "emote", {ALICE.id, BOB.id}),
        ("whisper", {"to": "p2", "text": "Aye."}, "whisper", {BOB.id}),
    ],
)
def test_speaking(stage, name, arguments, kind, hearers):
    """Each way to speak reaches those it is meant for."""
    stage.model.call(name, **arguments)
    stage.ask(ALICE, "Well?")
    ((speech, end),) = stage.world.deliveries
    assert (speech.kind, speech.text, end.hearers) == (kind, arguments["text"], hearers)


@pytest.mark.parametrize("text", ["\u200b", " \n ", "$"])
def test_no_words_are_no_speech(stage, text):
    """What is nothing once it is cleaned is not said."""
    stage.model.call("say", text=text).call("wait")
    stage.ask(ALICE, "Well?")
    assert stage.world.deliveries == []


def test_long_speech_is_cut(stage):
    """Twenty thousand characters become one line of eight hundred."""
    stage.model.say("blah\n" * 4000)
    stage.ask(ALICE, "Well?")
    assert len(stage.world.said[0]) <= 800
    assert "\n" not in stage.world.said[0]


# -- recall and notes


def test_recalling(stage):
    """What shares the words comes back with who said it and when; the rest does not."""
    before = stage.clock.now() - 2 * 86_400
    rows = [
        MemoryRow("The dragon sleeps.", author_name="Bob", learned_at=before),
        MemoryRow("Bread is dear.", session="market"),
    ]
    stage.mind.save(Commit(at=0.0, rows=rows))
    found = told(stage, "recall_memories", query="dragon")
    assert '{"when": "two days ago", "who": "Bob", "text": "The dragon sleeps."}' in found
    assert "Bread" not in found


def test_recalling_nothing(stage):
    """An empty answer is an answer."""
    assert told(stage, "recall_memories", query="unicorns") == (
        '{"ok": true, "memories": [], "message": "Nothing comes to mind: say so, or ask somebody."}'
    )


@pytest.mark.parametrize(
    ("entity", "called", "kept"),
    [("p1", "direct", "direct"), ("p1", "inferred", "inferred"), ("p2", "direct", "told"),
     ("p2", "inferred", "inferred")],
)  # fmt: skip
def test_what_one_says_of_another_is_hearsay(stage, entity, called, kept):
    """Whatever the model calls it, only one's own word about oneself is direct."""
    told(stage, "update_entity_observation", entity=entity, observation="A fact.", source=called)
    who = {"p1": ALICE, "p2": BOB}[entity]
    (note,) = stage.store.read("profile", who.id)["observations"]
    assert (note["content"], note["source"], note["author"]) == ("A fact.", kept, ALICE.id)


def test_a_note_is_short_and_clean(stage):
    """A note is one cleaned line of at most 280 characters."""
    told(stage, "update_entity_observation", entity="p1", observation="{x}\n" + "y" * 900)
    (note,) = stage.store.read("profile", ALICE.id)["observations"]
    assert len(note["content"]) == 280
    assert note["content"].startswith("(x) yyy")


def test_a_note_of_its_own_accord_is_its_own(stage):
    """Unasked, what it notes comes from itself, and is what it thinks."""
    stage.model.calls(
        ("update_entity_observation", {"entity": "p1", "observation": "Alice hums."}),
        ("wait", {}),
    )
    stage.turn(context_type="tick_autonomous")
    (note,) = stage.store.read("profile", ALICE.id)["observations"]
    assert (note["source"], note["author"]) == ("inferred", "e-sera")


def test_somebody_noted_before_a_meeting_has_a_name(stage):
    """A fact about a third person makes a profile that says who it is."""
    cook = Entity("e-cook", "The Cook", "npc")
    stage.world.enter(cook)
    told(stage, "update_entity_observation", entity="p3", observation="The Cook snores.")
    profile = stage.store.read("profile", cook.id)
    assert (profile["name"], profile["entity_type"]) == ("The Cook", "npc")
    assert profile["relationship"]["interaction_count"] == 0
