"""Quotes: what stands in a line word for word, in any script, and which numbers and names do."""

import pytest

from ai_assistant.core.quotes import is_same, numbers_in, stands_in, unsupported

LINE = "Well, I don\u2019t eat \u201cmeat pies\u201d since my brother\u2019s wedding."


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("I don't eat", LINE),
        ("EAT 'meat pies' since", LINE),
        ("my brother's wedding", LINE),
        ("Ich wohne in Köln", "Ja, ich wohne in  Köln!"),
        ("¿Vives en Toledo?", "vives en Toledo"),
        ("我住在河", "我住在河边的小屋。"),
        ("Yes.", "yes"),
        ("{curly} $(words) here", "(curly) (words) here"),
    ],
)
def test_a_quote_is_found_as_it_was_said(quote, line):
    """Capitals, kinds of quotation marks and what cleaning changes make no difference."""
    assert stands_in(quote, line)


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("", LINE),
        ("eat meat", LINE),
        ("I eat meat pies", LINE),
        ("eat meat pie", LINE),
        ("ich wohne in", "Ich wohnte in Köln."),
        ("我住", "我住在河边的小屋。"),
        ("no", "no, never"),
    ],
)
def test_what_was_not_said_so_is_no_quote(quote, line):
    """Two words, other words, parts of words, or gaps are none."""
    assert not stands_in(quote, line)


def test_a_number_counts_in_digits_and_in_words_of_the_language():
    """Thousands may be grouped; a number word that is an article is none."""
    words = {"seven": 7, "one": 1, "drei": 3}
    assert numbers_in("I owe seven crowns and 1,200 pence, one day.", words) == {7, 1200}
    assert numbers_in("Drei Hunde", words) == {3}


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Alice has 3 cats", "3"),
        ("Alice has two cats", ""),
        ("Alice lives with Bob", "Bob"),
        ("Alice lives in Oakvale", ""),
        ("Alice may go out", ""),
        ("Alice works at the inn", ""),
    ],
)
def test_a_number_or_name_from_nowhere_is_told(text, foreign):
    """A name is one by its capitals; a common word that is written like it is none."""
    said = ["I live in oakvale with 2 cats.", "Alice"]
    assert (
        unsupported(text, said, ("Alice", "Bob", "Oakvale", "May", "the inn"), {"two": 2})
        == foreign
    )


def test_the_same_words_are_the_same():
    """Whatever stands between them."""
    assert is_same("Alice likes tea.", "alice likes tea")
    assert not is_same("Alice likes tea", "Alice likes coffee")
