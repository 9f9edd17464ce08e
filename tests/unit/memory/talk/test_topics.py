"""What a conversation is about, as it was said."""

import pytest

from ai_assistant.memory.talk.working import TOPIC, talked_about, topic_of


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("Have you seen the old sword? It was here.", "Have you seen the old sword?"),
        ("What a storm", "What a storm"),
        ("Hello there! I lost my cat.", "I lost my cat."),
        ("Good day!", ""),
        ("", ""),
        ("one\ntwo.  Three.", "one two."),
    ],
)
def test_a_topic_is_a_phrase(line, topic):
    """The first sentence of what was said last that is no small talk, in its own words."""
    assert topic_of(line) == topic


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        (
            "If you ever come to the mill at night, look for the red door behind the wheel!",
            "look for the red door behind the wheel!",
        ),
        (
            "Have you not been told of the old stone bridge that they say fell into the river?",
            "old stone bridge, fell, river",
        ),
        (
            "Mira had it with her, and she carries my road pass now, on loan.",
            "Mira, carries, road pass, loan",
        ),
        (
            "Wait for him at the mill, and Bob brings the red door by cart, with his dog.",
            "Bob brings the red door by cart",
        ),
        ("x" * 900, ""),
        ("where " * 30, ""),
    ],
)
def test_a_long_topic_is_never_cut(line, topic):
    """The clause that says most and stands alone, else the words that carry it; or none."""
    assert topic_of(line) == topic
    assert len(topic) <= TOPIC


def test_things_in_sight_are_named():
    """What is there by its name; nothing else that a line calls something."""
    line = "Is the copper key for my rusty chest?"
    named = talked_about([line], (), ["a copper key", "a lamp"])["mentioned_items"]
    assert named == ["a copper key"]
    assert talked_about([line], (), [])["mentioned_items"] == []


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Good day. Where is Bob?", "Where is Bob?"),
        ("Where is Bob?", "Where is Bob?"),
        ("Where is Bob? Never mind.", ""),
        ("x" * 900 + "?", "x" * 159 + "…"),
    ],
)
def test_a_question_is_the_last_sentence(line, question):
    """Only what a line ends in waits for an answer; a long one is cut."""
    assert talked_about([line], (), ())["question"] == question
