"""The wording is data: complete, fillable, and in good English."""

import re
from pathlib import Path

import pytest

import ai_assistant.llm.offline
from ai_assistant.language import turning
from ai_assistant.language.spoken_times import days_since, spoken_time
from ai_assistant.llm.offline.askers import voice_of
from ai_assistant.llm.request_records import Persona
from ai_assistant.prompts.phrase_book import read_sheets, sheets

CODE = Path(ai_assistant.llm.offline.__file__).parent
ALL = [sheet for name in ("lines", "tempers", "trades") for sheet in sheets(name)]


def used_keys():
    code = "".join(path.read_text() for path in CODE.glob("*.py"))
    return set(re.findall(r'(?:say|_say)\(\s*"(\w+)"', code))


def test_every_occasion_has_lines():
    """Whatever the code asks for, everybody has at least two ways to say it."""
    common = sheets("lines")[0]
    for key in used_keys():
        assert len(common.lines.get(key, [])) + len(common.last.get(key, [])) >= 2, key


def test_tempers_know_no_other_occasions():
    """A misspelt occasion in a temper's sheet would never be heard."""
    common = set(sheets("lines")[0].lines)
    for sheet in ALL:
        assert set(sheet.lines) <= common, sheet.name


def test_sheets_do_not_claim_the_same_word():
    """Each personality word and each trade leads to one sheet."""
    for name in ("tempers", "trades"):
        words = [word for sheet in sheets(name) for word in sheet.suits]
        assert len(words) == len(set(words))


def test_line_with_an_empty_slot_is_left_out():
    """Without a role nobody says "I am Zed, ."."""
    voice = voice_of(Persona(name="Zed"), "", ())
    voice.slots["me"] = "Zed"
    for said in range(30):
        assert ", ." not in voice_of(Persona(name="Zed"), str(said), ()).say("who_self", me="Zed")


@pytest.mark.parametrize("key", ["recall_quote", "said_what"])
@pytest.mark.parametrize("traits", [(), ("cheerful",)])
def test_what_is_a_quotation_already_is_not_quoted_again(key, traits):
    """Told once it stands in quotation marks; told on, it has these and no second ones."""
    for seed in map(str, range(30)):
        voice = voice_of(Persona(name="Zed", traits=traits), seed, ())
        once = voice.say(key, other="Ada", text="The bridge is out.")
        again = voice.say(key, other="Rolf", text=once)
        assert once.count('"') == again.count('"') == 2
        assert "Rolf" in again or key == "said_what"


def test_what_was_told_is_told_anew_with_another_lead():
    """While one of its leads was not said before this text, none is put before another lead."""
    leads = [line for line in sheets("lines")[0].lines["recall_text"] if "{text}" in line]
    fact, *others = ["It rained.", *(f"Day {day} was dry." for day in range(1, len(leads)))]
    own = [lead.replace("{text}", text) for lead, text in zip(leads, (fact, *others), strict=True)]
    for seed in map(str, range(30)):
        assert voice_of(Persona(name="Zed"), seed, own).say("recall_text", text=fact) not in own


def test_last_lines_wait_for_better_ones():
    """A line for want of a better one is used only when no other can be filled."""
    (sheet,) = read_sheets("# x\n## where\n- This is {place}.\n* Here.")
    assert (sheet.lines["where"], sheet.last["where"]) == (["This is {place}."], ["Here."])


@pytest.mark.parametrize(
    ("fact", "back"),
    [
        ("Alice's cat is old", "your cat is old"),
        ("Alice is a baker", "you are a baker"),
        ('Alice said: "I carry my father\'s sword"', "you carry your father's sword"),
        ('Alice said: "I often go fishing"', "you often go fishing"),
        ("Alice can't swim", "you can't swim"),
        ("Alice says the bridge is out", "the bridge is out"),
        ('Alice said: "I trust you"', "you trust me"),
    ],
)
def test_facts_are_told_back(fact, back):
    """The third person of a note becomes the second."""
    assert turning.fact_to_you(fact, "Alice") == back


def test_a_word_to_be_remembered_is_theirs():
    """It is kept as what they say, not as what is so."""
    said = turning.as_their_word("Bob took my hat.", "Alice", "Zed")
    assert said == "Alice says Bob took their hat"


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I love you.", "you love me"),
        ("You are my friend", "I am your friend"),
        ("We won", "you won"),
    ],
)
def test_words_turn_to_the_speaker(said, back):
    """What they said in their own words is told to them in ours."""
    assert turning.said_to_you(said) == back


@pytest.mark.parametrize(
    ("stamp", "spoken"),
    [
        ("2026-11-21 18:00", "six in the evening"),
        ("2026-11-21 11:50", "close to noon"),
        ("2026-11-21 00:30", "half past midnight"),
        ("2026-11-21 23:10", "a little past eleven at night"),
        ("the hour of the owl", "the hour of the owl"),
        ("2026-99-99 99:99", "2026-99-99 99:99"),
    ],
)
def test_time_is_spoken(stamp, spoken):
    """Clock times become words; a game's own way to tell time is left as it is."""
    assert spoken_time(stamp) == spoken


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        ("2026-11-21", "earlier today"),
        ("2026-11-20 23:59", "yesterday"),
        ("2026-11-17", "four days ago"),
        ("2026-11-01", "two weeks ago"),
        ("2025-01-01", "a long while ago"),
        ("2026-12-01", ""),
        ("", ""),
    ],
)
def test_days_are_counted_as_people_do(earlier, words):
    """Yesterday is the day before, not twenty-four hours."""
    assert days_since(earlier, "2026-11-21 00:05") == words
