"""What the prompt recalls, and what it keeps at hand: each only where it may be read."""

import pytest

from ai_assistant.agent import contexts
from ai_assistant.contracts import MemoryRow
from tests.unit.agent.prompting import ALICE, BOB, on_stage, part, prompted, remembered, shown


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return on_stage()


# -- memories


def test_what_the_window_shows_is_not_repeated(stage):
    """A line that stands in the conversation is not recalled as well."""
    stage.model.say("I saw the dragon.")
    stage.ask(ALICE, "Did you see the dragon?")
    turn = prompted(stage)
    assert "dragon" in part(turn, contexts.CONVERSATION)
    assert "What you remember" not in shown(turn)


def test_what_left_the_window_is_recalled(stage):
    """As soon as a line is no longer shown it can be remembered."""
    stage.overhear(BOB, "The dragon is called Smoke.")
    for number in range(35):
        stage.overhear(BOB, f"Small talk {number}.")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    turn = prompted(stage, "What is the dragon called?")
    assert "Smoke" not in part(turn, contexts.CONVERSATION)
    assert "Smoke" in shown(turn)


def test_a_full_window_hides_no_memory(stage):
    """However much of the window fits the question, what lies beyond it is still found."""
    remembered(stage, MemoryRow("The dragon is called Smoke."))
    for number in range(30):
        stage.overhear(BOB, f"dragon {number}")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    assert "Smoke" in shown(prompted(stage, "dragon?"))


def test_what_is_hardly_believed_is_not_recalled(stage):
    """Rows of little trust stay out of the prompt, at the limit they are in."""
    remembered(stage, MemoryRow("The dragon is blue.", trust=0.49))
    remembered(stage, MemoryRow("The dragon is red.", trust=0.5))
    recalled = shown(prompted(stage))
    assert "red" in recalled
    assert "blue" not in recalled


def test_recall_knows_source_and_day(stage):
    """A memory says who said it and when."""
    remembered(stage, MemoryRow("The dragon is red.", author_name="Bob", learned_at=86_400.0 * 365))
    assert (
        '{"on": "1971-01-01", "who": "Bob", "kind": "utterance", "text": "The dragon is red."}'
        in shown(prompted(stage))
    )
