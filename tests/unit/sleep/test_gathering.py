"""Gathering: what was heard becomes observations, and only what is news."""

from ai_assistant.testing import Stage, people
from tests.unit.sleep.nights import night, told

ALICE, BOB = people("Alice", "Bob")


def observed(stage, who):
    """Return what is noted of somebody, with where it is from."""
    profile = stage.store.read("profile", who.id)
    return [(one["content"], one["source"], one["told_by"]) for one in profile["observations"]]


def test_what_was_heard_is_noted_with_its_evidence():
    """An observation names the rows in which it was said."""
    stage = Stage()
    told(stage, ALICE, "Lovely evening!", "I keep bees.")
    night(stage)
    (noted,) = stage.store.read("profile", ALICE.id)["observations"]
    (row,) = stage.store.rows(noted["evidence"])
    assert (noted["content"], row.content) == ("Alice keeps bees", "I keep bees.")


def test_an_echo_of_its_own_words_is_no_observation():
    """What the character said itself, and what others only repeat of it, is nothing to learn."""
    stage = Stage()
    told(stage, ALICE, "Good day.")
    stage.model.say("I carry a silver sword with a red handle.")
    stage.world.enter(ALICE)
    stage.ask(ALICE, "What do you carry?")
    told(stage, BOB, "I carry a silver sword with a red handle!")
    night(stage)
    assert observed(stage, BOB) == []


def test_what_is_said_again_is_noted_once():
    """Repeats add nothing, in the same words or in others, in one night or in two."""
    stage = Stage()
    told(stage, ALICE, "I'm afraid of spiders.", "I'm afraid of spiders!", "Spiders frighten me.")
    night(stage)
    told(stage, ALICE, "I have a terrible fear of spiders.")
    night(stage)
    assert observed(stage, ALICE) == [("Alice is afraid of spiders", "direct", "")]


def test_the_end_of_what_nobody_knew_of_is_no_news():
    """Who lost a spoon that was never spoken of has told little; a mule that was known is gone."""
    stage = Stage()
    told(stage, ALICE, "I lost my spoon.", "I have a mule.")
    night(stage)
    told(stage, ALICE, "I sold the mule.")
    night(stage)
    assert "spoon" not in str(stage.store.read("profile", ALICE.id))
    assert "sold the mule" in str(stage.store.read("profile", ALICE.id))


def test_hearsay_keeps_its_teller_and_yields_to_what_was_seen():
    """What others say is noted as theirs, unless it speaks against somebody's own word."""
    stage = Stage()
    told(stage, ALICE, "I live in Oakvale.")
    told(stage, BOB, "Alice lives in Ashby.", "Alice has a mule.")
    night(stage)
    assert observed(stage, ALICE) == [
        ("Alice lives in Oakvale", "direct", ""),
        ("Alice has a mule", "told", "Bob"),
    ]


def test_a_secret_stays_under_its_own_readers():
    """What is whispered is noted for its readers, and does not count as known to others."""
    stage = Stage()
    told(stage, ALICE, "I stole the silver key.", kind="whisper")
    told(stage, ALICE, "I live in Oakvale.")
    night(stage)
    profile = stage.store.read("profile", ALICE.id)
    labels = {one["content"]: one["readers"] for one in profile["observations"]}
    assert labels == {"Alice stole the silver key": ALICE.id, "Alice lives in Oakvale": "*"}
