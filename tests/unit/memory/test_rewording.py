"""Rewording: what a correction changes in a text depends on how close that text is to it."""

import pytest

from ai_assistant.memory.rewording import Reach, Rewording

SHIP = Rewording("My brother's ship is the Gull.", "My brother's ship is the Albatross.")
CAT = Rewording("I own a cat with grey fur.", "I own a dog with grey fur.")
GONE = Rewording("My brother's ship is the Gull.", "I never had a brother.")


@pytest.mark.parametrize("reach", [*Reach])
def test_a_quote_is_put_right_wherever_it_stands(reach):
    """Whatever stands around it, and however it begins."""
    quote = "She told me: my brother's ship is the Gull! And she laughed."
    right = "She told me: my brother's ship is the Albatross! And she laughed."
    assert SHIP.applied(quote, reach) == right
    assert GONE.applied(quote, reach) == "She told me: I never had a brother! And she laughed."


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("Her brother sails; his ship's name is Gull.", Reach.FAR),
        ("The Gull. A fine name.", Reach.NEAR),
        ("The gull. A fine name.", Reach.NEAR),
    ],
)
def test_a_name_is_put_right(text, least):
    """Alone where the text is of the same people, beside another word of it elsewhere."""
    for reach in Reach:
        assert ("lbatross" in SHIP.applied(text, reach)) == (reach >= least), reach


def test_a_plain_word_needs_another_beside_it():
    """A word that was changed is not changed wherever the same person said it."""
    for text, least in (("Her cat has grey fur.", Reach.NEAR), ("She hates every cat.", Reach.OWN)):
        for reach in Reach:
            assert ("dog" in CAT.applied(text, reach)) == (reach >= least), (text, reach)


def test_sentences_are_read_one_by_one():
    """What stands in another sentence, or another line, is no hint."""
    text = "Grey fur sells well. She hates every cat.\n- They: My grey cat is old."
    assert CAT.applied(text, Reach.NEAR) == (
        "Grey fur sells well. She hates every cat.\n- They: My grey dog is old."
    )


def test_a_short_text_is_no_quote():
    """One word alone is put right only in what rests on it."""
    rewording = Rewording("Gull", "Albatross")
    assert rewording.applied("The Gull sails.", Reach.NEAR) == "The Gull sails."
    assert rewording.applied("The Gull sails.", Reach.OWN) == "The Albatross sails."


def test_words_taken_out_leave_no_gap():
    """A word that is not so any more just goes."""
    rewording = Rewording("I have a red wooden boat at home.", "I have a red boat at home.")
    assert rewording.applied("A red wooden boat lies there.", Reach.OWN) == "A red boat lies there."


def test_what_was_only_added_takes_nothing_back():
    """All that rested on the old words is still true."""
    assert not Rewording("I have a boat.", "I have a boat at home.").takes_back
    assert SHIP.takes_back
    assert GONE.takes_back
    assert GONE.is_new
