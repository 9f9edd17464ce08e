"""A director's note: in the prompt of its next turns until it expires, and nowhere else."""

import json

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.testing import people
from tests.unit.agent.prompt.prompting import on_stage, prompted, section

(ALICE,) = people("Alice")
HURRY = "You are in a hurry tonight."


@pytest.fixture
def stage():
    return on_stage()


def given(stage, content=HURRY, turns=None, until=None):
    args = {"content": content, "by": "Ada", "at": stage.clock.now(), "turns": turns}
    step = Change("staff_notes", "", "keep_note", {**args, "until": until})
    stage.store.commit(Commit(at=stage.clock.now(), changes=[step]))


def told(stage):
    """Let Alice ask something that is answered; returns what the model read of notes."""
    stage.model.say("Quickly, then.")
    stage.ask(ALICE, "How are you?")
    return HURRY in stage.model.shown()


def test_it_stands_for_so_many_turns(stage):
    """Two turns long, then no more, and nothing of it stays in the state."""
    given(stage, turns=2)
    assert [told(stage) for _ in range(3)] == [True, True, False]
    assert stage.store.read("staff_notes")["notes"] == []


def test_it_stands_until_a_time(stage):
    """However many turns there are until then."""
    given(stage, until=stage.clock.now() + 600)
    assert [told(stage) for _ in range(3)] == [True, True, True]
    stage.clock.advance(601)
    assert not told(stage)


def test_no_note_no_section(stage):
    """Who was told nothing reads nothing of a director."""
    assert section(prompted(stage), "staff_notes") == ""


def test_it_is_nobodys_word(stage):
    """It is no line of anybody: the system says it, to be acted on and not to be quoted."""
    given(stage, turns=1)
    turn = prompted(stage)
    assert "never quote it" in section(turn, "staff_notes")
    parts = [message for name, message in turn.prompt.parts if HURRY in message.content]
    assert {message.role for message in parts} == {"system"}
    assert turn.ceiling == "*"


def test_it_is_never_remembered(stage):
    """Neither as a row nor in the talk, the stream or what is noted of people."""
    given(stage, turns=1)
    assert told(stage)
    parts = [stage.store.read("stream"), stage.store.read_all("working")]
    parts += [stage.store.read_all("profile"), stage.store.read("journal")]
    rows = [row.content for row in stage.store.rows.newest(99)]
    assert HURRY not in json.dumps([parts, rows], default=str)


def test_old_ones_give_way(stage):
    """Of many the newest five stand."""
    for number in range(7):
        given(stage, f"Note {number}.", turns=9)
    kept = [note["content"] for note in stage.store.read("staff_notes")["notes"]]
    assert kept == [f"Note {number}." for number in range(2, 7)]


def test_looking_at_the_prompt_spends_nothing(stage):
    """Who only looks at what would be sent uses no turn up."""
    given(stage, turns=1)
    assert HURRY in section(prompted(stage), "staff_notes")
    assert stage.store.read("staff_notes")["notes"][0]["turns"] == 1
