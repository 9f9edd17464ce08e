"""The night without a model: what the small reader makes of a day's lines."""

import json

import pytest

from ai_assistant.core.model_records import Message, ModelRequest, PromptSection
from ai_assistant.language import use
from ai_assistant.llm.offline import OfflineModel
from tests.unit.llm.offline.stage import complete

PEOPLE = ({"who": "p1", "name": "Alice", "kind": "player"}, {"who": "p2", "name": "Bob"})
WORDINGS = (
    ("en", "Tea is my favourite drink, coffee I can't stand.", "likes tea", "dislikes coffee"),
    ("en", "I'm more of a tea person. I've never liked coffee.", "likes tea", "dislikes coffee"),
    ("en", "I can't stand coffee. I'm fond of tea.", "likes tea", "dislikes coffee"),
    ("de", "Ich mag Tee, aber Kaffee kann ich nicht ausstehen.", "mag Tee", "mag Kaffee nicht"),
    ("es", "Me gusta el té, pero odio el café.", "le gusta el té", "detesta el café"),
)
"""Written down before a single pattern was."""


@pytest.fixture(autouse=True)
def english_again():
    yield
    use("en")


def line(number, says, who="p1", to="me", kind="say", **more):
    return {"id": f"l{number}", "who": who, "to": to, "kind": kind, "says": says, **more}


def note(number, says, about="p1"):
    return line(number, says, who="me", to="", kind="note", about=about)


def night(*lines, known=(), code="en", **more):
    """What the offline model answers to the lines of a day."""
    sections = {"me": [{"name": "Mira"}], "people": PEOPLE, "known": known, "lines": lines, **more}
    request = ModelRequest(
        messages=(Message("user", "{}"),),
        sections=tuple(PromptSection(key, tuple(rows)) for key, rows in sections.items()),
        job="consolidate",
        context_type="sleep_consolidate",
    )
    use(code)
    return json.loads(complete(OfflineModel(), request).text)


def facts(*lines, **more):
    return [one["fact"] for one in night(*lines, **more)["facts"]]


def test_the_cat_is_still_known():
    """What a note reports is a fact about whom it was noted of, on the note's word."""
    (fact,) = night(note(1, "Alice mentioned her cat is named Whiskers"))["facts"]
    assert fact["about"] == "p1"
    assert fact["fact"] == "Alice's cat is called Whiskers"
    assert (fact["lines"], fact["quote"]) == (["l1"], "Alice mentioned her cat is named Whiskers")


def test_six_notes_on_tea_and_coffee_are_two_traits():
    """What says the same is one fact with all its lines; what was only seen counts twice seen."""
    found = night(
        note(1, "Alice mentioned she prefers tea"),
        note(2, "Alice ordered tea at tavern"),
        note(3, "Alice refused the coffee"),
        note(4, "Alice asked for tea again"),
        note(5, "Alice turned down a cup of coffee"),
        note(6, "Alice says she likes tea"),
    )["facts"]
    assert [one["fact"] for one in found] == ["Alice likes tea", "Alice dislikes coffee"]
    assert [one["lines"] for one in found] == [["l1", "l2", "l4", "l6"], ["l3", "l5"]]


def test_once_seen_is_no_taste():
    """Who turned a drink down once may have had enough of it."""
    assert facts(note(1, "Alice refused the coffee")) == []


@pytest.mark.parametrize(("code", "said", "likes", "dislikes"), WORDINGS)
def test_a_taste_is_read_in_any_wording(code, said, likes, dislikes):
    """Tea and coffee, as people of three languages speak of them."""
    found = facts(line(1, said), code=code)
    assert sorted(one.removeprefix("A ").removeprefix("Alice ") for one in found) == sorted(
        [likes, dislikes]
    )


def test_a_plain_note_is_kept_as_it_stands():
    """It needs no pattern: the character wrote it about somebody."""
    assert facts(note(1, "Speaks formally")) == ["Alice speaks formally"]
    assert facts(note(1, 'Alice said: "Trust me"'), note(2, "Alice gave Bob the key")) == []


def test_what_changed_replaces_what_was_known():
    """Of home and trade one thing holds, and of the taste for one thing."""
    known = (
        {"id": "k1", "who": "p1", "fact": "Alice lives in Dunmere"},
        {"id": "k2", "who": "p1", "fact": "Alice likes onions."},
        {"id": "k3", "who": "p2", "fact": "Bob lives in Dunmere"},
    )
    home, taste = night(line(1, "I moved to Thornby, and I hate onions"), known=known)["facts"]
    assert (home["fact"], home["replaces"]) == ("Alice lives in Thornby", ["k1"])
    assert (taste["fact"], taste["replaces"]) == ("Alice dislikes onions", ["k2"])


def test_what_is_known_is_said_in_its_own_words():
    """So it is no second fact, but one more line for the first."""
    known = ({"id": "k1", "who": "p1", "fact": "Alice loves tea."},)
    (fact,) = night(line(7, "Tea is my favourite drink."), known=known)["facts"]
    assert (fact["fact"], fact["lines"], fact["replaces"]) == ("Alice loves tea.", ["l7"], [])


def test_the_last_word_of_a_day_holds():
    """What was taken back before the night is not learned first."""
    assert facts(line(1, "I'm a baker."), line(2, "I'm a weaver now.")) == ["Alice is a weaver"]


@pytest.mark.parametrize(
    ("code", "first", "corrected", "kept"),
    [
        ("en", "My brother is called Edwin.", "I said that wrong: my brother is called Edmund.",
         "Alice's brother is called Edmund"),
        ("de", "Mein Bruder heißt Edwin.", "Ich habe mich geirrt: Mein Bruder heißt Edmund.",
         "Alices Bruder heißt Edmund"),
        ("es", "Mi hermano se llama Edwin.", "Me he equivocado: mi hermano se llama Edmund.",
         "Edmund es hermano de Alice"),
    ],
)  # fmt: skip
def test_what_was_taken_back_is_not_kept(code, first, corrected, kept):
    """Of what is corrected the new word counts; without a correction there may be two brothers."""
    assert facts(line(1, first), line(2, corrected), code=code) == [kept]
    second = corrected.partition(": ")[2]
    assert len(facts(line(1, first), line(2, second), code=code)) == 2


def test_what_is_over_ends_what_was_known():
    """Nothing new holds in its place."""
    known = ({"id": "k1", "who": "p1", "fact": "Alice is a baker"},)
    (fact,) = night(line(1, "I'm not a baker any more."), known=known)["facts"]
    assert (fact["ended"], fact["replaces"]) == (True, ["k1"])
    assert facts(line(1, "I'm not a smith any more."), known=known) == []


def test_one_may_tell_of_another_but_not_of_the_character():
    """Bob is known, the stranger is not, and Mira knows herself."""
    found = night(line(1, "Bob hates onions. Tom hates tea. Mira is a baker."))["facts"]
    assert [(one["about"], one["fact"]) for one in found] == [("p2", "Bob dislikes onions")]


def test_two_of_one_name_are_not_confused():
    """Who tells of themselves is known by their handle; of whom else is told, nobody knows."""
    twins = ({"who": "p1", "name": "Alice"}, {"who": "p2", "name": "Alice"})
    found = night(line(1, "I'm a baker.", who="p1"), people=twins)["facts"]
    assert [one["about"] for one in found] == ["p1"]
    assert facts(line(1, "Alice is a baker.", who="p3"), people=twins) == []


def test_what_was_done_is_not_read():
    """A pose is a deed, whatever it says."""
    assert facts(line(1, "I am a baker", kind="pose")) == []


@pytest.mark.parametrize(
    ("said", "treated"),
    [
        ("Thank you, that was quick.", 1),
        ("You're so slow, you idiot!", -1),
        ("I will kill you.", -2),
        ("You are not stupid.", None),
    ],
)
def test_plain_manners_are_told_apart(said, treated):
    """Few words, each with its line."""
    people = night(line(1, said))["people"]
    assert [one["treated"] for one in people] == ([] if treated is None else [treated])
    assert all(one["line"] == "l1" and one["who"] == "p1" for one in people)


def test_a_day_of_insults_has_a_floor():
    """They add up to the worst there is, and what was said to others counts nothing."""
    lines = [line(number, "You fool.") for number in range(5)]
    (one,) = night(*lines, line(9, "Thanks."), line(10, "You fool.", to="p2"))["people"]
    assert (one["treated"], one["reason"]) == (-2, "insult")


def test_asked_to_mend_it_has_nothing_to_add():
    """It read the lines once, and reads them no otherwise now."""
    again = night(line(1, "I'm a baker."), mend=[{"fact": "Alice is a baker", "why": "unknown"}])
    assert again == {"facts": [], "people": []}


def test_what_others_say_does_not_stand_against_ones_own_word():
    """Bob's word on where Alice lives, heard after hers, replaces nothing."""
    own, others = line(1, "I live in Hollin Ford."), line(2, "Alice lives in Vey.", who="p2")
    assert facts(own, others) == ["Alice lives in Hollin Ford"]
    assert facts(others, {**own, "id": "l3"}) == ["Alice lives in Hollin Ford"]


def test_what_others_say_does_not_stand_against_what_is_known():
    """Nor does a lie by day end what is known of Alice."""
    known = ({"id": "k1", "who": "p1", "fact": "Alice lives in Hollin Ford"},)
    for lie in ("Alice lives in Vey.", "Alice no longer lives in Hollin Ford."):
        assert facts(line(1, lie, who="p2"), known=known) == []


@pytest.mark.parametrize(
    ("known", "said", "fact"),
    [
        ("Alice lives in Vey", "I moved from Vey to Ashby.", "Alice lives in Ashby"),
        ("Alice lives in Vey", "My new home is in Ashby.", "Alice lives in Ashby"),
        ("Alice is a baker", "I'm employed as a falconer now.", "Alice is a falconer"),
        ("Alice is a baker", "I quit my job as a baker.", "Alice is no longer a baker"),
        ("Alice owns a mare", "My mare was stolen.", "Alice no longer has the mare"),
        ("Alice likes chess", "I've stopped liking chess.", "Alice no longer likes chess"),
        ("Alice is married to Tom", "My husband is called Odo.", "Alice is married to Odo"),
        (
            "Alice's favourite song is Red Rowan",
            "My favourite song is now The Lark.",
            "Alice's favourite song is The Lark",
        ),
    ],
)
def test_a_plain_change_retires_the_old_value(known, said, fact):
    """Whatever the reader can read of both, the last word replaces what was known."""
    (found,) = night(line(1, said), known=[{"id": "k1", "who": "p1", "fact": known}])["facts"]
    assert (found["fact"], found["replaces"]) == (fact, ["k1"])
