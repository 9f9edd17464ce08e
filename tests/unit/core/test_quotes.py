"""Quotes: what stands in a line word for word, in any script, and which numbers and names do."""

import pytest

from ai_assistant.core.quotes import Tongue, is_same, numbers_in, stands_in, unsupported
from ai_assistant.language import language_of
from ai_assistant.language.words import tongue

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
    words = Tongue({"seven": 7, "one": 1, "drei": 3})
    assert numbers_in("I owe seven crowns and 1,200 pence, one day.", words) == {7, 1200}
    assert numbers_in("Drei Hunde", words) == {3}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("twenty-one bees", {21}),
        ("two hundred sheep", {200}),
        ("two thousand three hundred and five", {2305}),
        ("two hundred twenty thousand", {220_000}),
        ("two hundred and three hundred", {200, 300}),
        ("nineteen hundred", {1900}),
        ("five and twenty", {25}),
        ("two, three or twenty", {2, 3, 20}),
        ("3.5 acres, 1,5 miles", {3.5, 1.5}),
        ("1,200.50 or 1.200", {1200.5, 1200}),
        ("31.12.2030", {31, 12, 2030}),
        ("３ ٤ ⅞ ② Ⅻ", {3, 4, 0.875, 2, 12}),
        ("三十 二百五十三 一个", {30, 253}),
        ("tenfold", set()),
    ],
)
def test_the_parts_of_a_number_are_one(text, numbers):
    """By the words of the language, as decimals, and as the characters of any script."""
    assert numbers_in(text, tongue()) == numbers


@pytest.mark.parametrize(
    ("code", "text", "numbers"),
    [
        ("de", "dreihundertfünfundzwanzig Kühe, einundzwanzig Schafe", {325, 21}),
        ("de", "Achtung, eine Kuh", set()),
        ("es", "treinta y uno, doscientos cinco y veintidós", {31, 205, 22}),
    ],
)
def test_each_language_puts_its_numbers_together(code, text, numbers):
    """As one word, or as several."""
    spoken = language_of(code)
    assert numbers_in(text, Tongue(spoken.numbers, spoken.number_joins)) == numbers


def test_a_number_in_digits_may_stand_for_any_word():
    """Of the lines the word for one counts too: "one cat" is 1 cat."""
    assert not unsupported("Alice has 1 cat", ["I have one cat"], (), tongue())
    assert unsupported("Alice is 20", ["I am twenty-one"], (), tongue()) == "20"
    assert unsupported("Alice asks 9" + "9" * 400 + ".5", ["Well."], (), tongue())


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
        unsupported(text, said, ("Alice", "Bob", "Oakvale", "May", "the inn"), Tongue({"two": 2}))
        == foreign
    )


def test_the_same_words_are_the_same():
    """Whatever stands between them."""
    assert is_same("Alice likes tea.", "alice likes tea")
    assert not is_same("Alice likes tea", "Alice likes coffee")


GERMAN = Tongue(possessives=("'s", "s"))


@pytest.mark.parametrize(
    ("text", "said", "foreign"),
    [
        ("Alice 喜欢小红", "我喜欢一个人", "小红"),
        ("Alice 喜欢小红", "我喜欢小红啊", ""),
        ("Alice liebt BOB", "Ich liebe jemanden", "Bob"),
        ("Alice ist die Schwester von Bob", "Ich bin Bobs Schwester", ""),
        ("Alice kennt Bobs Bruder", "Ich kenne jemandes Bruder", "Bob"),
        ("Alice wohnt in Bobbingen", "Ich wohne in Bobbingen", ""),
    ],
)
def test_names_are_known_in_any_script_and_case_and_as_owners(text, said, foreign):
    """In scripts without spaces between other words, in capitals, and with what shows an owner."""
    assert unsupported(text, [said, "Alice"], ("Alice", "Bob", "小红"), GERMAN) == foreign


def test_a_number_of_any_length_is_read():
    """Python refuses to read five thousand digits; a player may write them."""
    assert len(numbers_in("7" * 5000 + " crowns and 12 pence")) == 2
