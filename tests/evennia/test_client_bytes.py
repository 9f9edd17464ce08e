"""What clients get: no text makes a terminal, a browser or a parser of Evennia's act."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.bytes import PIECES, faults, texts


@pytest.mark.parametrize("seed", range(3))
def test_hostile_texts_arrive_as_mere_words(seed):
    """A hundred each, as names too: over telnet, GMCP, the web client and the function parser."""
    assert [found for text in texts(100, seed) for found in faults(text, text[::-1])] == []


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12), st.text())
def test_any_text_arrives_as_mere_words(pieces, name):
    """Whatever hypothesis thinks of."""
    assert faults("".join(pieces), name) == []


@pytest.mark.parametrize(
    "text", ["$pad(a, 9)", "www.example.com", "ftp.example.com/x", "|lcquit|ltlook|le"]
)
def test_the_search_sees_what_acts(text):
    """Said as it stands, each of these is a call or a link somewhere."""
    assert faults(text, clean=lambda said, **_: said)
    assert faults(text) == []


def test_a_price_is_no_call():
    """Evennia 5 takes a dollar sign before a digit for one where a parenthesis follows."""
    assert faults('$1,000"),("name"') == []
