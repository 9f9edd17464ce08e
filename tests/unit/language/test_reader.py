"""The small reader: what it reads is right, and what it does not understand it leaves alone."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.language import use
from ai_assistant.language.small_reader import held, read_line, read_note

POOL = tomllib.loads((Path(__file__).parent / "first_sight.toml").read_text("utf-8"))
LANGUAGES = ("en", "de", "es")


@pytest.fixture(autouse=True)
def english_again():
    yield
    use("en")


def facts(line, code="en"):
    use(code)
    return [one.fact for one in read_line(line, who="Alice", people=("Alice", "Tom"), me="Mira")]


@pytest.mark.parametrize("code", LANGUAGES)
def test_plain_statements_are_read(code):
    """Names, trades, homes, tastes, families and the rest, in the words that people use."""
    unread = [
        (line, word)
        for line, word in POOL[code]["told"].items()
        if not any(word.casefold() in fact.casefold() for fact in facts(line, code))
    ]
    assert unread == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_else_is_left_alone(code):
    """Questions, wishes, hearsay, jokes, orders and figures of speech state nothing."""
    lines = POOL[code]["left"]["lines"]
    read = {line: found for line in lines if (found := facts(line, code))}
    assert read == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_fact_is_known_again(code):
    """What was read of a home, a trade or a taste is understood when it is what is known."""
    use(code)
    for line in POOL[code]["told"]:
        for one in read_line(line, who="Alice", me="Mira"):
            again = held(one.fact, about="Alice")
            if one.slot in {"home", "trade", "origin", "work"} or one.slot.startswith("taste"):
                assert (one.slot, one.value) in [(it.slot, it.value) for it in again], one.fact


def test_the_quote_stands_in_the_line():
    """It is the words that say it, three at least, or all there are."""
    (trade, home) = read_line("Well met! I'm a baker, and I live in Thornby.", who="Alice")
    assert (trade.quote, home.quote) == ("I'm a baker", "I live in Thornby")
    (name,) = read_line("Well! Call me Red!", who="Alice")
    assert name.quote == "Call me Red"


def test_what_everybody_sees_is_no_news():
    """Whoever says the name they bear tells nothing."""
    assert facts("My name is Alice.") == []
    assert facts("I'm Alice, a baker from Thornby.") == [
        "Alice is a baker",
        "Alice is from Thornby",
    ]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("I can speak Elvish.", "Alice speaks Elvish"),
        ("I play the fiddle.", "Alice plays the fiddle"),
        ("I collect old coins.", "Alice collects old coins"),
        ("I speak freely.", ""),
        ("I play the fool.", ""),
        ("I grow restless.", ""),
        ("I work as hard as I can.", ""),
        ("My wife is tired.", ""),
        ("We work as a team.", ""),
        ("I moved to the window.", ""),
        ("I have settled in a chair.", ""),
        ("I'm living in the past.", ""),
    ],
)
def test_what_somebody_does_is_read(line, fact):
    """A tongue by its name, an instrument, and goods; no figure of speech."""
    assert facts(line) == [fact] * bool(fact)


def test_a_quotation_is_somebody_else_s():
    """Whatever stands between quotation marks, in whole sentences too, is left alone."""
    assert facts('He wrote "I am a baker. I live in Thornby. I hate tea."') == []


def test_others_are_read_by_name_alone():
    """Of whom the game knows; a pronoun may be anybody's."""
    told = read_line("Tom hates onions. She hates tea.", who="Alice", people=("Tom",))
    assert [(one.about, one.fact) for one in told] == [("Tom", "Tom dislikes onions")]


def test_a_note_may_leave_its_subject_out():
    """It is about whom it was made of."""
    assert [one.fact for one in read_note("Hates coffee", about="Tom")] == ["Tom dislikes coffee"]
    (kept,) = read_note("She never sits with her back to a door.", about="Tom")
    assert (kept.fact, kept.quote) == (
        "Tom never sits with her back to a door",
        "She never sits with her back to a door.",
    )


def test_a_language_without_a_table_reads_nothing(tmp_path):
    """Nothing is read by the rules of another one."""
    path = tmp_path / "xx.toml"
    path.write_text("name = 'Some other'")
    use(str(path))
    assert read_line("I am a baker.", who="Alice") == ()
    assert read_note("Is a baker.", about="Alice") == ()


@given(st.text(max_size=80) | st.text("I am aelikest,.'\"§<{ ", max_size=60))
def test_no_line_is_too_odd(line):
    """Whatever is said, there is an answer, and what it cites stands in the line."""
    for one in (*read_line(line, who="Alice", people=("Tom",)), *read_note(line, about="Tom")):
        assert one.quote in " ".join(line.split())


def test_a_long_line_takes_no_time():
    """Neither commas nor repeated words keep the night waiting."""
    for part in ("I like tea and ", "I, ", "my my ", "I am a a ", "I live in the old "):
        read_line(part * 80, who="Alice", people=("Tom",))
