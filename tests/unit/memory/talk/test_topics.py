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
        ("x" * 900, "x" * (TOPIC - 1) + "…"),
    ],
)
def test_a_topic_is_a_phrase(line, topic):
    """The first sentence of what was said last that is no small talk, in its own words."""
    assert topic_of(line) == topic


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
