"""A model that loops: the same sentence over and over is not said over and over."""

import pytest

from ai_assistant.agent.turn.spoken_text import spoken
from ai_assistant.testing import Stage, people

(ALICE,) = people("Alice")
LOOP = "The gate stays shut at night. "


def words(text):
    """Return what is said of a text."""
    return spoken(text, name="Sera", handles={}).words


@pytest.mark.parametrize("between", ["", "Aye, and so does the tower door. ", "*nods* "])
def test_a_sentence_is_said_twice_at_most(between):
    """Whatever stands between, marked or plain; the rest is said as it is."""
    said = words(f"Well met. {(LOOP + between) * 20}Good night.")
    assert said.count("gate stays shut") == 2
    assert said.count("tower door") <= 2
    assert said.startswith("Well met. ")
    assert said.endswith("Good night.")


@pytest.mark.parametrize(
    "text",
    [
        "No. No. No! No, I tell you, no. No. No. No. And once more: no. No. No. No. No.",
        "Row the boat home. " * 2 + "The river is wide. " * 2 + "Row the boat home now.",
        "... The gate stays shut? The gate stays open. The gate stays as it is, my friend!",
    ],
)
def test_what_people_say_stays(text):
    """Short words may come as often as one likes, and a refrain twice."""
    assert words(text.strip()) == text.strip()


def test_the_room_hears_it_twice():
    """In a turn, from a model that never stops."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.text(LOOP * 25)
    stage.ask(ALICE, "Is the gate open?")
    assert stage.world.said == [(LOOP * 2).strip()]
