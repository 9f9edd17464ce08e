"""What a conversation is about, told from its words."""

import pytest

from ai_assistant.memory.topics import is_answer, items_in, question_in, topic_of


def test_the_topic_is_what_is_said_most_and_last():
    """Small words and abstract ones are no topic."""
    lines = ["Have you seen the old sword?", "The sword was in the cave.", "What a day."]
    assert topic_of(lines) == "old sword cave"
    assert topic_of(["Well, it is what it is."]) == ""
    assert "tansy" not in topic_of(["Tansy, the sword!", "Tansy?"], ["Tansy Brewell"])


def test_a_topic_reads_as_it_was_said():
    """Its words stand in the order of the line they come from."""
    assert topic_of(["Could you find my old ring?"]) == "find old ring"
    assert items_in("Find the ring please") == ["ring"]


def test_things_in_sight_come_first():
    """What is there by its name, then what a line calls the or my something."""
    found = items_in("Is the copper key for my rusty chest?", ["a copper key", "a lamp"])
    assert found[0] == "a copper key"
    assert "rusty chest" in found
    assert items_in("All the time.") == []
    assert items_in("My sword hidden in the old well") == ["sword", "old well"]


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Good day. Where is Bob?", "Where is Bob?"),
        ("Where is Bob?", "Where is Bob?"),
        ("Where is Bob? Never mind.", ""),
        ("x" * 900 + "?", "x" * 160),
    ],
)
def test_a_question_is_the_last_sentence(line, question):
    """Only what a line ends in waits for an answer; a long one is cut."""
    assert question_in(line) == question


@pytest.mark.parametrize(
    ("reply", "answers"),
    [("In the mill.", True), ("Why do you ask?", False), ("I do not know.", False), ("", False)],
)
def test_asking_back_is_no_answer(reply, answers):
    """Neither is putting it off, nor silence."""
    assert is_answer(reply) is answers
