"""Changed values: what was said last stands first, and history stays findable."""

import pytest

from ai_assistant.memory.retrieval import DAY, Index


def answer(question, *lines, explain=False):
    """Return the texts found, best first, for lines of (speaker, text), a day apart each."""
    index = Index()
    for number, (who, text) in enumerate(lines, 1):
        index.add(number, text, speaker=who, session=f"s{number}", at=number * DAY)
    hits = index.search(question, 10, now=30 * DAY, explain=explain)
    return [(lines[hit.id - 1][1], hit.why) for hit in hits if hit.relevance]


OLD, NEW = "I live in Millbrook.", "I moved to Ashby last week."


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Where does Alice live?", [("Alice", OLD), ("Alice", NEW)]),
        ("Where does Alice live now?", [("Alice", OLD), ("Bob", OLD), ("Alice", NEW)]),
        (
            "Where does Alice live?",
            [("Alice", OLD), ("Alice", NEW), ("Alice", "Where do you live?")],
        ),
        (
            "Where does Alice live?",
            [("Alice", OLD), ("Alice", NEW), ("Alice", "My brother lives in Oakham.")],
        ),
        (
            "Where does Alice live?",
            [("Alice", OLD), ("Alice", NEW), ("Alice", "I would love to live in Oakham.")],
        ),
        (
            "Where does Alice live?",
            [("Alice", OLD), ("Alice", NEW), ("Bob", "I think Alice lives in Oakham.")],
        ),
    ],
)
def test_the_latest_word_comes_first(question, lines):
    """Neither the old value, nor questions, wishes, hearsay and others' homes come before it."""
    assert answer(question, *lines)[0][0] == NEW


def test_history_is_kept():
    """The older statement is found too, and says by what it was superseded."""
    found = answer("Where does Alice live?", ("Alice", OLD), ("Alice", NEW), explain=True)
    assert found[1][0] == OLD
    assert found[1][1]["superseded_by"] == 2


def test_a_question_about_the_past_is_left_alone():
    """Who asks how it was before is not told how it is."""
    for _, why in answer(
        "Where did Alice live before?", ("Alice", OLD), ("Alice", NEW), explain=True
    ):
        assert "superseded_by" not in why


def test_a_correction_speaks_of_what_it_corrects():
    """ "No, it was Tuesday" outdates the line before it, though it shares no word with it."""
    index = Index()
    index.add(1, "The market is on Monday.", speaker="Alice", session="s", at=0.0)
    index.add(2, "No, sorry, it is on Tuesday.", speaker="Alice", session="s", at=5.0)
    assert index.search("On what day is the market?", 1, now=DAY)[0].id == 2


def test_people_keep_their_own_values():
    """What Bob changed changes nothing for Alice."""
    found = answer("Where does Alice live?", ("Alice", OLD), ("Bob", NEW), explain=True)
    assert found[0][0] == OLD
    assert "superseded_by" not in found[0][1]


def test_whom_a_line_is_said_to_is_not_whom_it_is_about():
    """A line that begins with the listener's name still tells of the speaker."""
    lines = [
        ("Alice", "Tansy, I live in Millbrook."),
        ("Tansy", "How nice."),
        ("Alice", f"Tansy, {NEW}"),
    ]
    assert answer("Where does Alice live?", *lines)[0][0] == f"Tansy, {NEW}"
