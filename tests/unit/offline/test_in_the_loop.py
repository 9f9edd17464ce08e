"""The offline model in real turns: the agent's own prompt and tools, the fakes' world."""

import pytest

from ai_assistant.llm.offline import OfflineModel
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice and Bob stand before a captain with a rose, who thinks offline."""
    stage = Stage(model=OfflineModel())
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    return stage


def test_a_fact_survives_into_the_next_day(stage):
    """Told today, noted as an observation, known tomorrow."""
    stage.ask(ALICE, "My cat is named Whiskers.")
    noted = stage.store.read("profile", ALICE.id)["observations"]
    assert [item["content"] for item in noted] == ["Alice's cat is named Whiskers"]
    stage.clock.advance(86_400)
    report = stage.ask(ALICE, "What is my cat called?")
    assert report.outcome == "answered"
    assert "our cat is named Whiskers" in stage.world.said[-1]


def test_a_rose_is_given_and_spoken_of(stage):
    """Asked for it, the rose changes hands before any word is said."""
    stage.ask(ALICE, "May I have the rose?")
    assert stage.world.deeds == ["give rose to Alice"]
    assert "rose" in stage.world.said[-1].lower()


def test_a_whispered_fact_is_not_told_to_others(stage):
    """Asked by somebody else, it does not know: the prompt does not hold it."""
    stage.ask(BOB, "My sword is called Stinger.", "whisper")
    stage.ask(ALICE, "What is the sword of Bob called?")
    assert "Stinger" not in stage.world.said[-1]
    stage.ask(BOB, "What is my sword called?", "whisper")
    assert "Stinger" in stage.world.said[-1]


def test_nothing_goes_wrong_in_a_long_talk(stage):
    """Thirty lines later every event is answered, and nothing was reported as an error."""
    lines = ("Hello!", "Who are you?", "Who is here?", "Dance!", "Help me build a boat", "Bye!")
    outcomes = [stage.ask(who, line).outcome for line in lines * 3 for who in (ALICE, BOB)]
    assert set(outcomes) == {"answered"}
    assert stage.errors == []


def test_what_changed_is_answered_with_the_latest(stage):
    """Who moved lives where they moved to, also for a character that thinks offline."""
    stage.ask(ALICE, "I live in Millbrook.")
    stage.ask(ALICE, "I moved to Ashby last week.")
    stage.ask(ALICE, "Where do I live?")
    assert "Ashby" in stage.world.said[-1]
