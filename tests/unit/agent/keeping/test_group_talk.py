"""Talks of several: they are noted for the shared social block, once while they go on."""

import pytest

from ai_assistant.testing import people

ALICE, BOB = people("Alice", "Bob")


def hear(stage, who, text, kind="say"):
    stage.model.call("wait")
    stage.ask(who, text, kind)


def groups(stage):
    found = stage.store.read("shared_social")["group_interactions"]
    return [(one["participants"], one["topic"]) for one in found]


def test_a_talk_of_several_is_noted_once(stage):
    """Who took part and of what; while it goes on, its topic follows."""
    hear(stage, ALICE, "The market burns!")
    assert groups(stage) == []
    hear(stage, BOB, "The market fire spreads to the mill.")
    hear(stage, ALICE, "Then let us fetch water for the market fire.")
    ((names, topic),) = groups(stage)
    assert names == ["Alice", "Bob"]
    assert "market" in topic


def test_a_later_talk_is_another(stage):
    """After a pause the same people begin a new entry."""
    for text in ("The market burns!", "The wedding is on Friday."):
        hear(stage, ALICE, text)
        hear(stage, BOB, text)
        stage.clock.advance(3600)
    assert len(groups(stage)) == 2


@pytest.mark.parametrize("kind", ["whisper", "page"])
def test_private_talk_is_no_talk_of_several(stage, kind):
    """What was whispered by two is nobody's group."""
    stage.world.online.update({ALICE.id, BOB.id})
    hear(stage, ALICE, "The crown is in the well.", kind)
    hear(stage, BOB, "I hid the crown.", kind)
    assert groups(stage) == []


def test_who_left_is_not_of_the_talk(stage):
    """What is said after somebody went is not said to have been before them."""
    hear(stage, BOB, "Good night, all.")
    stage.world.leave(BOB)
    hear(stage, ALICE, "What do you think of Bob?")
    assert groups(stage) == []


def test_small_talk_is_no_topic(stage):
    """What was said last, in a phrase; names and courtesies are passed over."""
    hear(stage, BOB, "Good night.")
    hear(stage, ALICE, "Bob? The gate is closed by now.")
    hear(stage, BOB, "Thank you!")
    assert groups(stage) == [(["Alice", "Bob"], "The gate is closed by now.")]


def test_the_model_names_the_topic(stage):
    """Where a turn says in its own words what the talk is about, that stands."""
    hear(stage, BOB, "The stables burn as well.")
    stage.model.call("start_entity_conversation", entity="Alice", topic="the market fire")
    hear(stage, ALICE, "They say it began with a lantern.")
    assert groups(stage) == [(["Alice", "Bob"], "the market fire")]
