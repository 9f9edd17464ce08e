"""Cleaning: whatever comes in, what comes out is inert, short, and stays as it is."""

import json
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ai_assistant.core.text import (
    clean,
    clean_json,
    clean_name,
    counted,
    did_you_mean,
    spelled_like,
)
from ai_assistant.core.times import lasting

SHARP = "|{}\\$:/19 \n\r\t\x1b\x00\u200b\u202e\u0301\u0338\uff5c\uff5b\u3000\u0e49\u180baé"
ADDRESSES = ["www.", "Ftp.", "http:", "//", "a.bc", ".", " ", "\u200b", "ｗｗｗ．", "é", "W", "\n"]
HOSTILE = st.one_of(
    st.text(alphabet=SHARP, max_size=60),
    st.lists(st.sampled_from(ADDRESSES), max_size=8).map("".join),
    st.text(max_size=60),
    st.text(alphabet=st.characters(categories=["Mn", "Me", "Cf", "Cs", "Co", "Cn", "Cc"])),
)


@given(HOSTILE, st.integers(1, 40), st.integers(1, 3))
@example("$1", 1, 1)
@example("a$$1$", 3, 1)
@example("www.a.bc", 5, 1)
@example("=\u200b\u0338=", 40, 1)
def test_cleaning_again_changes_nothing(text, limit, lines):
    """What was cleaned is clean."""
    once = clean(text, limit, lines)
    assert clean(once, limit, lines) == once


@given(HOSTILE, st.integers(1, 3))
def test_nothing_that_acts_is_left(text, lines):
    """No control or invisible character, no pipe, brace or backslash, no function call."""
    shown = clean(text, lines=lines)
    assert not set("|{}\\$") & set(shown)
    categories = {unicodedata.category(char) for char in shown if char != "\n"}
    assert not categories & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert "://" not in shown
    assert not re.search(r"\b(www|ftp)\.\S", shown, re.IGNORECASE)


def test_no_more_of_a_text_is_looked_at_than_may_be_kept():
    """However long it is: what stands behind four times the limit is not even read."""
    assert clean("\u200b" * 39 + "ab", limit=10) == "a"


@given(HOSTILE, st.integers(1, 40), st.integers(1, 3))
def test_limits_hold(text, limit, lines):
    """Never more characters or lines than asked for, and none that is empty."""
    shown = clean(text, limit, lines)
    assert len(shown) <= limit
    assert shown.count("\n") < lines
    assert all(row == row.strip() and row for row in shown.split("\n") if shown)


@given(HOSTILE)
def test_cleaned_text_arrives_exactly(text):
    """As a value of a mapping it passes a template unchanged, and may itself be one."""
    shown = clean(text, lines=3)
    assert "{who}: {speech}".format_map({"who": "Al", "speech": shown}) == f"Al: {shown}"
    assert shown.format() == shown
    assert shown.encode().decode() == shown


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("Hello, friend!", "Hello, friend!"),
        ("  many   spaces\there ", "many spaces here"),
        ("|rred|n {x}", "/rred/n (x)"),
        ("a $pad(x) for $5", "a \ufe69pad(x) for \ufe695"),
        ("one\r\ntwo\rthree", "one two three"),
        ("see http://x.y", "see http: //x.y"),
        ("www.x.yz, FTP.x.yz", "www. x.yz, FTP. x.yz"),
        ("x.yz/path, www. and awww.", "x.yz/path, www. and awww."),
        ("｜lc ｛x｝ ＄a", "/lc (x) \ufe69a"),
        ("na\u00efve na\u0069\u0308ve", "na\u00efve na\u00efve"),
        ("e\u200bvil\u202e", "evil"),
        ("a\u180bb\u180fc\ufe0fd\U000e0100e\u3164f", "abcdef"),
        ("\ud800lone", "lone"),
        (None, "None"),
        (7, "7"),
    ],
)
def test_text_is_shown_as_a_reader_expects(given_text, shown):
    """Ordinary text stays; what acts becomes a look-alike; what is invisible goes."""
    assert clean(given_text) == shown


@pytest.mark.parametrize("mark", ["\u0301", "\u0e49", "\u0651", "\u20dd"])
def test_marks_do_not_pile_up(mark):
    """A letter keeps at most three accents, in whatever script."""
    assert clean("o" + mark * 50).count(mark) <= 3


def test_further_lines_are_joined():
    """The last line that is allowed takes what is left, so nothing is lost."""
    assert clean("a\n\nb\nc\nd", lines=3) == "a\nb\nc d"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "|||"])
def test_everybody_has_a_name(name):
    """A name of nothing visible still says that somebody is there."""
    assert clean_name(name)


def test_records_hold_only_what_a_database_takes():
    """A model's arguments are stored cleaned, finite and short."""
    wild = {"a\x00": "x\x00\ud800{", "n": [float("nan"), 1, True, None], "deep": {"l": list("ab")}}
    kept = clean_json(wild)
    assert kept == {"a": "x(", "n": ["nan", 1, True, None], "deep": {"l": ["a", "b"]}}
    assert len(clean_json({str(n): "y" * 5000 for n in range(500)})) == 20
    assert json.dumps(kept, allow_nan=False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("marek", ["Old Marrek"]),
        ("OLD MAREK", ["Old Marrek"]),
        ("role", ["memory_role"]),
        ("autonmy_interval", ["autonomy_interval"]),
        ("dragon", []),
        ("", []),
    ],
)
def test_a_misspelt_name_is_found(typed, meant):
    """By the whole of it, or by one of its words; nothing is guessed where nothing is like it."""
    names = ["Old Marrek", "Tansy", "memory_role", "autonomy_interval", "llm_profile"]
    assert spelled_like(typed, names) == meant
    assert did_you_mean(typed, names) == (f"Did you mean {meant[0]}?" if meant else "")


def test_one_thing_and_several():
    """A plural is of several or none; large numbers are readable, hours may be half."""
    assert counted(1, "line") == "1 line"
    assert counted(0, "line") == "0 lines"
    assert counted(1.0, "hour") == "1 hour"
    assert counted(6.5, "hour") == "6.5 hours"
    assert counted(5_000_000, "memory", "memories") == "5,000,000 memories"


def test_a_span_is_told_by_its_largest_unit():
    """To the nearest: what is due on Friday is not due on Thursday one minute later."""
    spans = {
        -3: "0 seconds",
        1: "1 second",
        119: "119 seconds",
        120: "2 minutes",
        86_400: "24 hours",
        4 * 86_400 - 60: "4 days",
        3.4 * 86_400: "3 days",
    }
    assert {seconds: lasting(seconds) for seconds in spans} == spans
