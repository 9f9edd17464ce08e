"""The words of retrieval: stems, stop words, and what kind of line it is."""

import pytest

from ai_assistant.language.words import asks, names_a_time, sentences, stems, whole_sentences


@pytest.mark.parametrize(
    ("one", "other"),
    [("walks", "walked"), ("ladies", "lady"), ("loves", "loving"), ("Ships", "ship"),
     ("dog's", "dog"), ("dog’s", "dog"), ("bought", "buys"), ("children", "kid")],
)  # fmt: skip
def test_forms_of_a_word_are_one(one, other):
    """Endings, apostrophes, capitals and irregular forms do not matter."""
    assert stems(one) == stems(other)


def test_to_live_is_not_a_life():
    """Where somebody lives, lived or is living is one word."""
    assert {stems(form)[0] for form in ("live", "lives", "lived", "living")} == {"live"}


def test_small_words_do_not_count():
    """Words that say nothing find nothing, however their apostrophe is written."""
    assert stems("It's what I did, it’s what i’m") == []


@pytest.mark.parametrize(
    ("text", "question"),
    [("Is it?", True), ('He asked "is it?"', True), ("What a day!", False), ("", False)],
)
def test_questions(text, question):
    """A line is a question by its end."""
    assert asks(text) is question


@pytest.mark.parametrize(("text", "told"), [("I went last week.", True), ("I went.", False)])
def test_times(text, told):
    """Whether a line says when something was."""
    assert names_a_time(text) is told


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Hello! It is 3.5 miles... Go?", ["Hello!", "It is 3.5 miles...", "Go?"]),
        ('She said "Go." Then left', ['She said "Go."', "Then left"]),
        ("你好。剣はどこ？", ["你好。", "剣はどこ？"]),
        ("  one\ntwo. ", ["one\ntwo."]),
        ("", []),
    ],
)
def test_a_text_has_sentences(text, parts):
    """They end at their marks, with the quotation marks behind, in every script."""
    assert sentences(text) == parts


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two. Three.", "One. Two."),
        ("One! Two? Three.", "One! Two?"),
        ("Onetwothreefourfive", "Onetwothre…"),
        ("One two three four five", "One two…"),
        ("One.", "One."),
    ],
)
def test_sentences_stay_whole(text, kept):
    """As many as fit; else it ends at a word."""
    assert whole_sentences(text, 11) == kept
