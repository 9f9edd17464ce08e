"""What wider labels hold: known to whoever may read it, and never the other way round."""

from ai_assistant.sleep.undo import undo_night
from ai_assistant.testing import Stage, people
from tests.unit.sleep.nights import night, told, traits
from tests.unit.sleep.test_consolidation import FIVE, note, noted

ALICE, BOB = people("Alice", "Bob")
PRIVATE = (
    "I stole the silver key.",
    "I collect old coins.",
    "I owe Bob two crowns.",
    "I am allergic to nuts.",
)
"""With one more they are enough for a pass of their own."""


def whispered_too(stage):
    """Let Alice whisper where she lives, and then tell everybody, as an early twin came about."""
    told(stage, ALICE, *PRIVATE, FIVE[0], kind="whisper")
    night(stage)


def test_what_is_known_openly_is_not_learned_again_in_private():
    """Whispered again, or noted in a private turn, it makes no copy."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    night(stage)
    told(stage, ALICE, *FIVE, kind="whisper")
    note(stage, ALICE, "Alice keeps bees", readers=ALICE.id)
    night(stage)
    assert len(traits(stage, ALICE)) == 5
    assert traits(stage, ALICE, ALICE.id) == []
    assert noted(stage, ALICE) == []


def test_a_copy_goes_once_it_is_known_openly():
    """What was whispered first and told to everybody since is one trait, the open one."""
    stage = Stage()
    whispered_too(stage)
    assert "Alice lives in Oakvale" in traits(stage, ALICE, ALICE.id)
    told(stage, ALICE, *FIVE)
    night(stage)
    assert "Alice lives in Oakvale" in traits(stage, ALICE)
    assert len(traits(stage, ALICE, ALICE.id)) == 4


def test_a_copy_does_not_outlive_open_news():
    """The open trait and its private copy give way to the same news, in the same night."""
    stage = Stage()
    whispered_too(stage)
    told(stage, ALICE, *FIVE, "I moved to Brambleford.")
    night(stage)
    assert "Alice moved to Brambleford" in traits(stage, ALICE)
    assert "Oakvale" not in str(traits(stage, ALICE) + traits(stage, ALICE, ALICE.id))


def test_what_only_few_were_told_stays_whatever_is_said_openly():
    """A secret home is no copy: it is not given up for what everybody may think."""
    stage = Stage()
    whispered_too(stage)
    told(stage, ALICE, "I live in Ashby.", *FIVE[1:])
    night(stage)
    assert "Alice lives in Ashby" in traits(stage, ALICE)
    assert "Alice lives in Oakvale" in traits(stage, ALICE, ALICE.id)


def test_private_news_changes_what_is_known_in_private_only():
    """A whispered correction is learned beside the open trait, which stands."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    night(stage)
    told(stage, ALICE, *PRIVATE, "I moved to Brambleford.", kind="whisper")
    night(stage)
    assert "Alice lives in Oakvale" in traits(stage, ALICE)
    assert "Brambleford" not in str(traits(stage, ALICE))
    assert "Alice moved to Brambleford" in traits(stage, ALICE, ALICE.id)


def test_a_private_correction_can_be_taken_back():
    """Who whispers that the open word holds after all leaves no private trait."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    told(stage, ALICE, *PRIVATE, "I moved to Brambleford.", kind="whisper")
    night(stage)
    told(stage, ALICE, "I live in Oakvale.", kind="whisper")
    night(stage)
    assert "Alice lives in Oakvale" in traits(stage, ALICE)
    assert len(traits(stage, ALICE, ALICE.id)) == 4


def test_a_detail_told_to_few_is_kept_for_them():
    """It is known openly where she lives; under which mill, only to whom she whispered it."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    told(stage, ALICE, *PRIVATE, "I live under the old mill in Oakvale.", kind="whisper")
    night(stage)
    assert "mill" in str(traits(stage, ALICE, ALICE.id))
    assert "mill" not in str(traits(stage, ALICE))


def test_what_few_know_is_news_to_everybody():
    """A private trait never keeps an open one from being learned, nor does it replace it."""
    stage = Stage()
    told(stage, ALICE, *FIVE, kind="whisper")
    told(stage, BOB, "Alice lives in Ashby.")
    told(stage, ALICE, *FIVE)
    night(stage)
    assert len(traits(stage, ALICE)) == 5
    assert "Alice lives in Oakvale" in traits(stage, ALICE)


def test_undo_brings_a_copy_back():
    """The night that put it away is taken back as a whole."""
    stage = Stage()
    whispered_too(stage)
    told(stage, ALICE, *FIVE)
    id = night(stage)
    undo_night(stage.mind, id)
    assert "Alice lives in Oakvale" in traits(stage, ALICE, ALICE.id)
