"""A long talk in the prompt: whatever passes, each line stands in the window or the summary."""

import re

import pytest

from ai_assistant.agent.prompt.fitting import room_of, tools_size
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.folding import version_of
from ai_assistant.memory.talk.working import key_of
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    on_stage,
    prompted,
    rows,
    section,
    size,
    whole,
)

HOUR, DAY = 3600.0, 86_400.0
KEY = key_of(ALICE.id, OPEN)
CHINESE = (
    "今天晚上村子里来了一位陌生的商人他带着许多奇怪的货物从"
    "北方的山上走下来大家都很好奇想知道他到底卖什么东西"
)


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain."""
    stage = on_stage()
    stage.world.enter(BOB)
    return stage


def talk(stage, count, asked=10, answered=30):
    """Let them exchange so many lines of so many words; returns how each of them begins."""
    begun = []
    for number in range(count):
        begun += [f"q{number}z", f"a{number}z"]
        stage.model.text(f"a{number}z " + "word " * answered)
        stage.ask(ALICE, f"q{number}z " + "word " * asked)
        stage.clock.advance(20)
    return begun


def missing(told, begun):
    """Those lines of which no word is told."""
    return [one for one in begun if not re.search(rf"\b{one}\b", told)]


def closed(stage):
    """Let the night end the talk with Alice."""
    change = Change("working", KEY, "close", {"at": stage.clock.now()})
    stage.mind.save(Commit(at=stage.clock.now(), changes=[change]))


def summed_up(stage, summary):
    """Let a model have put that talk together."""
    expected = version_of(stage.store.read("working", KEY))
    step = {"expected": expected, "summary": summary}
    change = Change("working", KEY, "replace_summary", step)
    stage.mind.save(Commit(at=stage.clock.now(), changes=[change]))


def test_no_silence_empties_the_window(stage):
    """Thirty exchanges stand there before and after the first line that follows hours or a day of
    it, in the window as many as there were.
    """
    begun = talk(stage, 30)
    before = section(prompted(stage), "stream")
    for pause in (2 * HOUR, DAY):
        stage.clock.advance(pause)
        for number in range(2):
            assert missing(whole(prompted(stage, "And now?")), begun) == [], pause
            stage.model.text(f"Fine {number}.")
            stage.ask(ALICE, f"And again {number}?")
        assert stage.store.read("working", KEY)["summary"]
        assert section(prompted(stage), "stream").startswith(before), pause


def test_no_night_empties_the_window(stage):
    """A talk that was closed stands where it stood; a model's record takes the place of what had
    left the window, and of nothing else.
    """
    begun = talk(stage, 30)
    before = section(prompted(stage), "stream")
    closed(stage)
    assert missing(whole(prompted(stage)), begun) == []
    summed_up(stage, "- They: counted, and I did too.")
    stage.clock.advance(DAY)
    turn = prompted(stage)
    assert section(turn, "stream") == before
    assert "counted, and I did too." in section(turn, "summary")
    assert missing(section(turn, "summary"), begun) == begun


@pytest.mark.parametrize(("asked", "answered"), [(10, 30), (100, 100)])
def test_sixty_exchanges_without_a_pause_are_all_there(stage, asked, answered):
    """However long the lines are, the beginning of each is told."""
    begun = talk(stage, 60, asked, answered)
    turn = prompted(stage)
    assert missing(whole(turn), begun) == []
    assert size(turn) + tools_size(turn) <= room_of(turn)


def test_what_a_line_of_the_summary_leaves_out_comes_to_mind(stage):
    """The end of a long line is recalled where it is spoken of; what is whole there is not."""
    stage.model.text("Aye, noted.")
    told = "My brother Oskar is a sailor, a good one and a kind one" + ", far from home" * 9
    told += ", and the ship that he sails on"
    stage.ask(ALICE, f"{told} is called the Grey Gull.")
    talk(stage, 40)
    turn = prompted(stage, "What is the ship called on which my brother Oskar sails?")
    assert "Grey Gull" not in section(turn, "summary")
    first = rows(turn, "summary")[0]
    assert (first["who"], first["own"]) == ("Alice", False)
    assert first["says"].startswith("My brother Oskar")
    assert "Grey Gull" not in first["says"]
    assert "Grey Gull" in section(turn, "memories")
    assert whole(prompted(stage, "Was it noted, aye?")).count("Aye, noted.") == 1


@pytest.mark.parametrize(("exchanges", "whole"), [(40, True), (52, False)])
def test_what_others_said_stands_there_with_its_end(stage, exchanges, whole):
    """A usual line is whole; of the character's own, where there is no room, a hint is enough."""
    for number in range(exchanges):
        stage.model.text(
            "Well, I never heard of such a thing. Not in all my years here, I must say, not I."
        )
        stage.ask(
            ALICE, f"The one with the number {number} lives in a house of stone at Vey{number}."
        )
        stage.clock.advance(20)
    told = section(prompted(stage), "summary")
    assert "at Vey0." in told
    assert "such a thing" in told
    assert ("not I" in told) == whole


def test_of_an_endless_talk_is_told_how_much_is_left_out(stage):
    """What stands in neither is counted, line for line."""
    begun = talk(stage, 105, 40, 100)
    told = whole(prompted(stage))
    (older,) = re.findall(r"- \(… and (\d+) older lines, which recall still finds\)", told)
    assert missing(told, begun) == begun[: int(older)]
    assert 0 < stage.store.read("working", KEY)["older"] < int(older)


def test_a_night_is_told_as_long_as_both_sides_of_it_are(stage):
    """Between summary and window, within either, and on a model's record."""
    talk(stage, 30)
    stage.clock.advance(DAY)
    seen = set()
    for number in range(30):
        stage.model.text("Ah. " + "Well, well. " * 20)
        stage.ask(ALICE, f"New {number}.")
        turn = prompted(stage)
        seen |= {key for key in ("summary", "stream") if "(A day passes.)" in section(turn, key)}
        assert whole(turn).count("(A day passes.)") == 1
        before, _, after = whole(turn).partition("(A day passes.)")
        assert "q29z" in before
        assert "New 0." in after
    assert seen == {"summary", "stream"}
    closed(stage)
    summed_up(stage, "- They: counted.")
    stage.clock.advance(DAY)
    assert "(Until yesterday " in section(prompted(stage), "summary").splitlines()[1]


def test_a_script_without_spaces_fits_a_small_model(stage):
    """A character of it is about a token, in the window, the summary and the whole."""
    for number in range(45):
        stage.model.text(f"a{number} {CHINESE * 2}")
        stage.ask(ALICE, f"q{number} {CHINESE}")
        stage.clock.advance(20)
    turn = prompted(stage)
    dense = len(re.findall("[\u4e00-\u9fff]", whole(turn)))
    plain = len(whole(turn)) - dense + tools_size(turn)
    assert dense + plain / 4 < 8192 - 1000
    inside = len(re.findall("[\u4e00-\u9fff]", section(turn, "stream")))
    assert inside < stage.mind.role.history_tokens
    assert missing(whole(turn), [f"q{number}" for number in range(45)]) == []


def told(stage):
    """The lines as its last prompt told them, each of its own."""
    return {id(line): line for lines in stage.mind.told.values() for line in lines.values()}


def test_lines_that_read_as_before_are_not_made_again(stage):
    """With a further exchange two lines are new; all others are those of the last prompt."""
    talk(stage, 4)
    before = told(stage)
    talk(stage, 1)
    assert len(before) == 6
    assert before.keys() < told(stage).keys()


def test_a_line_that_was_changed_reads_as_it_is_now(stage):
    """What was forgotten of a line, or how its speaker is called, is no line of the last prompt."""
    talk(stage, 4)
    edited = stage.store.read("stream")
    edited["entries"][0]["content"] = "was forgotten"
    stage.mind.save(
        Commit(at=stage.clock.now(), changes=[Change("stream", "", "overwrite", {"value": edited})])
    )
    read = whole(prompted(stage))
    assert "Alice: was forgotten" in read
    assert "Alice: q1z" in read
    assert "q0z" not in section(prompted(stage), "stream")
