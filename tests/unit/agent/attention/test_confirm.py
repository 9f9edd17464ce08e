"""A yes before what changes the world, where that is wanted."""

import pytest

from ai_assistant.agent.attention.confirm import WAITS_SECONDS
from ai_assistant.language.talk_signs import says_yes
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice and Bob before a captain who carries a rose and asks before she gives."""
    stage = Stage(confirm_dangerous=True)
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    stage.world.carry("crown")
    return stage


def wants(stage, item="o1", who=ALICE, text="The rose, please.", kind="say"):
    """Let somebody ask for a thing; the captain tries, and then asks back."""
    speech = {"whisper": {"to": "p1"}}.get(kind, {})
    stage.model.call("give", item=item, to="p1").call(kind, text="Shall I?", **speech)
    stage.ask(who, text, kind)


def answers(stage, text, item="o1", who=ALICE, kind="say"):
    """Let somebody answer; the captain tries again."""
    speech = {"whisper": {"to": "p1"}}.get(kind, {})
    stage.model.call("give", item=item, to="p1").call(kind, text="So be it.", **speech)
    stage.ask(who, text, kind)


def test_nothing_is_done_before_a_yes(stage):
    """The first call is only noted, and the model is told to ask."""
    wants(stage)
    assert stage.world.deeds == []
    assert "Not done yet: tell Alice what you would do" in stage.model.shown()


def test_a_yes_lets_exactly_that_act_pass(stage):
    """The next word of the one who asked is a yes, and the call is the same."""
    wants(stage)
    answers(stage, "Yes, please!")
    assert stage.world.deeds == ["give rose to Alice"]


@pytest.mark.parametrize(
    ("text", "item", "who", "kind"),
    [
        ("Hm, let me think.", "o1", ALICE, "say"),
        ("Yes, please!", "o2", ALICE, "say"),
        ("Yes, please!", "o1", BOB, "say"),
        ("Yes, please!", "o1", ALICE, "whisper"),
        ("No, yes, no.", "o1", ALICE, "say"),
        ("Yes?", "o1", ALICE, "say"),
    ],
)
def test_anything_else_is_no_yes(stage, text, item, who, kind):
    """Another act, another person, another manner, or no clear yes."""
    wants(stage)
    answers(stage, text, item, who, kind)
    assert stage.world.deeds == []


def test_the_yes_must_be_the_next_word(stage):
    """Whoever spoke of something else in between is asked again."""
    wants(stage)
    stage.model.say("It is.")
    stage.ask(ALICE, "Fine weather.")
    answers(stage, "Yes.")
    assert stage.world.deeds == []


def test_a_yes_counts_once(stage):
    """What was confirmed is done once, and asked for anew after that."""
    wants(stage)
    answers(stage, "Yes.")
    stage.world.carry("rose")
    answers(stage, "Yes.", "o2")
    assert stage.world.deeds == ["give rose to Alice"]


def test_what_is_proposed_in_a_turn_waits_for_the_next(stage):
    """A yes to something else, in the very line that asks for it, is none to it."""
    wants(stage, who=BOB)
    for item in ("o2", "o1", "o2"):
        stage.model.call("give", item=item, to="p1")
    stage.model.say("So be it.")
    lines = (stage.hear(ALICE, "Yes, give it, and the crown!"), stage.hear(BOB, "Yes."))
    stage.turn(*lines)
    assert stage.world.deeds == ["give rose to Alice"]


def test_a_yes_comes_in_time(stage):
    """After two minutes nobody knows what it was about."""
    wants(stage)
    stage.clock.advance(WAITS_SECONDS)
    answers(stage, "Yes.")
    assert stage.world.deeds == []


def test_handles_may_change_in_between(stage):
    """What counts is the thing and the person, not what they were called in that turn."""
    wants(stage, "o2")
    stage.world.leave(BOB)
    rose = next(id for id in stage.world.present if id == "item-rose")
    del stage.world.present[rose]
    answers(stage, "Aye.", "o1")
    assert stage.world.deeds == ["give crown to Alice"]


def test_staff_need_no_second_word(stage):
    """A builder who asks for it means it."""
    stage.world.permissions["Builder"] = {ALICE.id}
    stage.model.call("give", item="o1", to="p1").say("Here.")
    stage.ask(ALICE, "The rose, please.")
    assert stage.world.deeds == ["give rose to Alice"]


def test_on_its_own_it_does_nothing_dangerous(stage):
    """Nobody is there to say yes."""
    stage.mind.energy.mint("turn1", 3)
    stage.model.call("give", item="o1", to="p1").call("wait")
    stage.turn(context_type="tick_autonomous")
    assert stage.world.deeds == []


def test_it_is_off_by_default():
    """Who does not want questions is not asked any."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.model.call("give", item="o1", to="p1").say("Here.")
    stage.ask(ALICE, "The rose, please.")
    assert stage.world.deeds == ["give rose to Alice"]


@pytest.mark.parametrize(
    ("text", "yes"),
    [("Yes", True), ("aye, captain!", True), ("Go ahead.", True), ("Marrek, do it", True),
     ("ok", True), ("", False), ("yesterday", False), ("No", False), ("Yes, but wait", False),
     ("Yes " * 9, False), ("don't do it", False), ("Is that a yes?", False)],
)  # fmt: skip
def test_a_yes_is_a_plain_one(text, yes):
    """Short, without a no, and no question."""
    assert says_yes(text) == yes
