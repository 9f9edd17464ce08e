"""Clauses: of whom a line speaks, and whether it tells how things are."""

import pytest

from ai_assistant.memory.clause_words import NAME, PERSON, SELF, THING, YOU
from ai_assistant.memory.clauses import clauses


@pytest.mark.parametrize(
    ("line", "kind", "noun"),
    [
        ("I live here.", SELF, ""),
        ("Well, my house is small.", SELF, ""),
        ("In spring we moved.", SELF, ""),
        ("Garrick and I are courting.", SELF, ""),
        ("My brother is a smith.", PERSON, "brother"),
        ("The old baker sells bread.", PERSON, "baker"),
        ("Somebody knocked.", PERSON, "somebody"),
        ("You are kind.", YOU, ""),
        ("The barge comes on Monday.", THING, "barge"),
        ("Alice lives here.", NAME, "alice"),
        ("I hear that Alice lives here.", NAME, "alice"),
        ("They say Alice lives here.", NAME, "alice"),
        ("A pair of shoes is dear.", THING, "shoes"),
        ("Alice's house is small.", NAME, "alice"),
        ("Dorin Ashe lives here.", NAME, "dorin"),
        ("Dorin Ashe's house is small.", NAME, "dorin"),
        ("Dorin Ashe's brother is a smith.", PERSON, "brother"),
        ("Apparently Alice lives here.", NAME, "alice"),
        ("So you live here.", YOU, ""),
        ("Alice's brother is a smith.", PERSON, "brother"),
        ("They moved the fair.", THING, ""),
        ("She is a smith.", PERSON, ""),
    ],
)
def test_a_clause_has_a_subject(line, kind, noun):
    """The speaker, somebody named, another person, the listener, or a thing."""
    (found,) = clauses(line)
    assert (found.kind, found.noun) == (kind, noun)


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("I live in Ashby.", True),
        ("I moved to Ashby.", True),
        ("I've bought a mule.", True),
        ("I have been a baker all my life.", True),
        ("I was made captain.", True),
        ("The fair will be on Friday.", True),
        ("I'll move to Ashby.", False),
        ("I lived in Ashby.", False),
        ("I visited Ashby.", False),
        ("I've been to Ashby.", False),
        ("I have seen Ashby.", False),
        ("I was a baker.", False),
        ("I would live in Ashby.", False),
        ("I think Alice lives in Ashby.", False),
        ("When I was a girl, I had a mule.", False),
    ],
)
def test_a_clause_tells_how_things_are_or_does_not(line, tells):
    """What is, or has become so, tells; what is over, planned or wished does not."""
    assert any(one.tells for one in clauses(line)) is tells


def test_a_pronoun_means_whom_the_clause_before_was_about():
    """ "He" is the one just named, and "it" what was just spoken of."""
    assert [one.noun for one in clauses("Joss got the sack. He digs ditches.")] == ["joss", "joss"]
    assert [one.noun for one in clauses("The barge is late, it comes on Monday.")] == [
        "barge",
        "barge",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Did I tell you I've got a cat?",
        "The dog died, and, well, I've got a cat.",
        "Apparently my sister has no cat, but I've got a cat.",
    ],
)
def test_how_something_is_brought_up_changes_nothing(line):
    """Questions that tell, and what is thrown in, leave a clause about the speaker."""
    last = clauses(line)[-1]
    assert (last.kind, last.tells) == (SELF, True)
    assert "cat" in last.stems


def test_an_exclamation_tells_nothing():
    """ "What a day!" says nothing of how things are."""
    assert clauses("What a day!") == ()


def test_a_tag_asks_nothing():
    """What stands before "…, can you believe it?" is told."""
    (found,) = clauses("I'm engaged to Maud, can you believe it?")
    assert found.tells
    assert found.kind == SELF


def test_a_topic_is_taken_up():
    """ "My savings? I put them …" names first what it then tells of, and tells it once."""
    topic, told = clauses("My savings? I put them up the chimney.")
    assert (topic.tells, told.tells) == (False, True)
    assert "save" in topic.stems


def test_questions_tell_nothing():
    """A sentence that asks has no clauses."""
    assert clauses("Do you live here?") == ()
    assert len(clauses("Do you live here? I do.")) == 1
