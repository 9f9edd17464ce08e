"""Checks: what a model says is held against the lines that it names, in any language."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ai_assistant.core.contracts import Entity
from ai_assistant.core.quotes import Tongue
from ai_assistant.core.times import Calendar
from ai_assistant.memory.people.traits import OWN, SEEN, TOLD
from ai_assistant.prompts import load_prompt
from ai_assistant.sleep.checks import LONGEST, MOST_FACTS, SCHEMA, read_answer
from ai_assistant.sleep.reading_pass import Held, Line, Pass

ME = Entity("e-sera", "Seraphina", "npc")
ALICE, BOB = Entity("e-alice", "Alice", "player"), Entity("e-bob", "Bob", "player")
TODAY = Calendar(now=10.0, game_now=datetime(2030, 1, 7, 18, tzinfo=UTC).timestamp())
TOBY, SWORD = Entity("e-toby", "Toby", "npc"), Entity("o-sword", "the rusty sword", "object")


def said(text, who=ALICE, kind="say", **more):
    return Line(text, kind, who.id, who.name, 10.0, **{"row": 7, **more})


SHOWN = Pass(
    label="*",
    me=ME,
    lines={
        "l1": said("I live in Oakvale with my 2 cats and Toby."),
        "l2": said("Alice hates spiders, she told me.", BOB),
        "l3": said("Do you like it there?", ME, is_own=True, row=8),
        "l4": said("Alice gives Bob a silver ring.", kind="seen"),
        "l5": said("The rusty sword glows at night", BOB, kind="note", about=SWORD.id, basis=SEEN),
        "l6": said("Ich wohne seit drei Jahren in Köln."),
        "l7": said("Yes!"),
        "l8": said("你好，我住在河边的小屋。"),
        "l9": said("You gave the ring to Alice.", ME, kind="seen", is_own=True),
    },
    people={"p1": ALICE, "p2": BOB, "p3": SWORD},
    known={
        "k1": Held(ALICE.id, {"value": "Alice lives in Ashby", "readers": "*"}),
        "k2": Held(BOB.id, {"value": "Bob is a miller", "readers": "*"}),
    },
    names=frozenset({"Alice", "Bob", "Toby", "Oakvale", "Brambleford"}),
    last=8,
    count=8,
)


def answer(*facts, people=()):
    """Read an answer of these facts; what they leave out is about Alice, from the first line."""
    usual = {"about": "p1", "lines": ["l1"], "quote": "I live in Oakvale", "replaces": []}
    usual |= {"fact": "Alice lives in Oakvale", "ended": False, "type": "home"}
    text = json.dumps({"facts": [{**usual, **one} for one in facts], "people": list(people)})
    known = {"Toby": TOBY, "Seraphina": ME}
    return read_answer(text, SHOWN, known.get, TODAY, Tongue({"drei": 3, "two": 2, "seven": 7}))


def kept(**fact):
    """Return the one fact that is left."""
    (one,) = answer(fact).facts
    return one


def why(**fact):
    """Return why a fact is refused."""
    found = answer(fact)
    assert not found.facts
    return found.refused[0]["why"]


def test_what_its_line_shows_is_taken():
    """Whom it is about, its words, its lines and what it replaces come out as said."""
    fact = kept(replaces=["k1"])
    assert (fact.about, fact.text, fact.type) == (ALICE, "Alice lives in Oakvale", "home")
    assert fact.replaces == (SHOWN.known["k1"],)
    assert fact.lines == fact.quoted == (SHOWN.lines["l1"],)


@pytest.mark.parametrize(
    "fact",
    [
        {"fact": "Alice hat in Köln seit 3 Jahren ihr Zuhause", "quote": "seit drei Jahren"},
        {"fact": "Alice lebt in Köln", "quote": "ICH WOHNE SEIT"},
    ],
)
def test_wording_is_nobodys_business(fact):
    """A paraphrase in any language stands, if its quote does."""
    assert kept(lines=["l6"], **fact).text == fact["fact"]


def test_a_script_without_spaces_is_quoted_too():
    """Each of its characters counts as a word."""
    assert kept(lines=["l8"], fact="Alice住在河边", quote="住在河边").quote


def test_a_short_line_is_quoted_whole():
    """A yes to a question is evidence, together with the question."""
    assert kept(lines=["l3", "l7"], fact="Alice likes it in her town", quote="yes").basis == OWN


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ({"lines": []}, "cite the lines"),
        ({"lines": ["l99"]}, "'l99' does not"),
        ({"quote": "I live in Ashby"}, "quote three words"),
        ({"quote": "live in"}, "quote three words"),
        ({"quote": "Alice hates spiders"}, "quote three words"),
        ({"fact": "Alice has seven cats"}, "has '7'"),
        ({"fact": "Alice lives in Brambleford"}, "has 'Brambleford'"),
        ({"fact": "Alice lives with Bob"}, "has 'Bob'"),
        ({"about": "me"}, "leave out what"),
        ({"about": "p1", "fact": "Seraphina is a liar"}, "leave out what"),
        ({"about": "p9"}, "cite the line that has"),
        ({"about": "Brambleford"}, "cite the line that has"),
        ({"replaces": ["k9"]}, "'k9'"),
        ({"replaces": ["k2"]}, "not about Alice"),
        ({"fact": "Alice " + "x" * LONGEST}, "too long"),
        ({"fact": ""}, "empty"),
        ({"lines": ["l3"], "quote": "do you like it there"}, "only Seraphina"),
    ],
)
def test_what_does_not_hold_is_told_with_what_to_do(fact, reason):
    """Code asks where something stands, and says how that is put right, or that it is not."""
    assert reason in why(**fact)


def test_what_is_replaced_may_be_named():
    """The old home stands in no line; it is known."""
    fact = {"fact": "Alice moved away from Ashby", "replaces": ["k1"]}
    assert kept(**fact).text == fact["fact"]


def test_a_line_that_was_never_held_is_not_replaced():
    """The fact stands, and nothing else falls."""
    fact = kept(replaces=["l2", "k1", "l5"])
    assert (fact.replaces, fact.outdated) == ((SHOWN.known["k1"],), ())


@pytest.mark.parametrize(
    ("fact", "basis"),
    [
        ({}, OWN),
        ({"lines": ["l2"], "quote": "alice hates spiders", "fact": "Alice hates spiders"}, TOLD),
        ({"lines": ["l1", "l2"], "quote": "alice hates spiders", "fact": "Alice is afraid"}, TOLD),
        ({"lines": ["l9"], "quote": "gave the ring", "fact": "Alice has a ring"}, SEEN),
        ({"lines": ["l4"], "quote": "a silver ring", "fact": "Alice gave Bob a ring"}, SEEN),
        (
            {"about": "p3", "lines": ["l5"], "quote": "sword glows at", "fact": "The sword glows"},
            SEEN,
        ),
    ],
)
def test_on_whose_word_it_is_follows_from_the_quoted_lines(fact, basis):
    """A line that is only cited beside makes hearsay no firmer."""
    assert kept(**fact).basis == basis


def test_a_name_in_the_lines_that_the_game_knows_is_somebody():
    """Toby never spoke; the game says who he is."""
    assert kept(about="Toby", fact="Toby lives with Alice").about == TOBY
    refused = why(about="Toby", lines=["l7"], quote="yes", fact="Toby is there")
    assert "cite the line that has 'Toby'" in refused


def test_cleaning_leaves_nothing_that_a_parser_acts_on():
    """A fact is inert text, however it was written."""
    assert kept(fact="Alice |rlives|n in ${Oakvale}").text == "Alice /rlives/n in ﹩(Oakvale)"


@pytest.mark.parametrize("text", ["", "I cannot do that.", "[]", '{"facts": "none"}', "{"])
def test_an_answer_of_another_form_is_none(text):
    """It is asked for again, not taken for a day without news."""
    assert not read_answer(text, SHOWN, {}.get, TODAY).is_readable


def test_a_form_close_to_it_is_read():
    """In a fence, with words around, a list alone, or broken off at its end."""
    fact = (
        '{"about": "p1", "fact": "Alice lives there", "lines": "l1", "quote": "I live in Oakvale"'
    )
    for text in (
        f'Here:\n```json\n{{"facts": [{fact}}}], "people": []}}\n```',
        f"[{fact}}}]",
        f'{{"facts": [{fact}',
    ):
        assert [one.text for one in read_answer(text, SHOWN, {}.get, TODAY).facts] == [
            "Alice lives there"
        ]


def test_no_answer_is_endless():
    """What is beyond the limit is refused, each with the reason."""
    found = answer(*[{}] * (MOST_FACTS + 2))
    assert len(found.facts) == MOST_FACTS
    assert len(found.refused) == 2


def test_of_a_second_answer_only_what_mends_counts():
    """Each once, whatever it says again in other words; the rest is told as refused."""
    first = answer({}, {"fact": "Alice has seven cats"}, {"fact": "Alice lives with Bob"})
    assert [item["id"] for item in first.refused] == ["m1", "m2"]
    again = answer(
        {"fact": "Alice's home is Oakvale"},
        {"fact": "Alice has 2 cats", "replaces": ["m1"]},
        {"fact": "Alice keeps 2 cats", "replaces": ["m1"]},
    )
    found = first.mended(again)
    assert [fact.text for fact in found.facts] == ["Alice lives in Oakvale", "Alice has 2 cats"]
    assert [item["fact"] for item in found.refused] == ["Alice lives with Bob"]


@pytest.mark.parametrize(
    ("given", "scores"),
    [
        ({"who": "p1", "treated": 2, "line": "l1"}, [2]),
        ({"who": "p1", "treated": -2, "line": "l7"}, [-2]),
        ({"who": "p1", "treated": 0, "line": "l1"}, []),
        ({"who": "p1", "treated": 3, "line": "l1"}, []),
        ({"who": "p1", "treated": "2", "line": "l1"}, []),
        ({"who": "p1", "treated": 2, "line": "l2"}, []),
        ({"who": "p9", "treated": 2, "line": "l1"}, []),
        ({"who": "p1", "treated": 2}, []),
    ],
)
def test_treatment_counts_by_a_line_of_theirs(given, scores):
    """Out of bounds, without a line, or by somebody else's line it does not."""
    found = answer(people=[{"reason": "so", **given}])
    assert [one.score for one in found.treated] == scores


def test_one_judgement_a_person():
    """The first counts."""
    both = [{"who": "p1", "treated": one, "line": "l1", "reason": ""} for one in (1, 2)]
    assert [one.score for one in answer(people=both).treated] == [1]


def test_the_prompt_says_what_the_checks_ask_for():
    """The line with the name behind a pronoun; of a second answer only what mends."""
    prompt = load_prompt("consolidate")
    assert 'the line that has the name where another says only "she"' in prompt
    assert 'with the "id" of what it mends in "replaces"' in prompt


def test_the_example_of_the_prompt_has_the_form_that_is_asked_for():
    """What a model is shown, it may answer with."""
    (line,) = [one for one in load_prompt("consolidate").splitlines() if one.startswith("{")]
    example = json.loads(line)
    for part, (given,) in example.items():
        assert list(given) == SCHEMA["properties"][part]["items"]["required"]


@pytest.mark.parametrize("day", ["2030-01-06", "2029-12", "2030-09", "the year before 2030-01"])
def test_a_day_may_be_worked_out(day):
    """The lines have dates; what was "yesterday" or "last winter" is told as one."""
    assert kept(fact=f"Alice moved to Oakvale in {day}").text.endswith(day)


@pytest.mark.parametrize(
    "day", ["2031-06-01", "2030-06-11", "1999", "2030-13-01", "2030-01-07-12", "20300107", "2029"]
)
def test_a_day_far_from_its_line_is_a_number_like_others(day):
    assert "no cited line has" in why(fact=f"Alice moved to Oakvale in {day}")


@pytest.mark.parametrize("debt", ["2029 coins", "2030 coins", "coins: 2031"])
def test_a_number_near_the_year_is_no_year(debt):
    """Alone it may count anything: it stands in a line, or is not kept."""
    assert "no cited line has" in why(fact=f"Alice owes {debt}")


def test_years_ago_may_be_worked_out_by_what_the_line_counts():
    """Three years before the line was said, and no other year."""
    line = {"lines": ["l6"], "quote": "seit drei Jahren in Köln"}
    assert kept(fact="Alice lives in Köln since 2027", **line)
    assert "'2026'" in why(fact="Alice lives in Köln since 2026", **line)


def test_a_name_within_another_word_is_no_name():
    """ "Bob" does not stand in "bobbin"."""
    line = said("My 2 bobbins are full, and my mother is here.")
    shown = replace(SHOWN, lines={"l1": line})
    fact = {"about": "p1", "fact": "Alice is married to Bob", "lines": ["l1"]}
    fact |= {"quote": "my mother is here", "replaces": [], "ended": False, "type": ""}
    read = read_answer(json.dumps({"facts": [fact], "people": []}), shown, {}.get, TODAY)
    assert "'Bob'" in read.refused[0]["why"]


@pytest.mark.parametrize(
    ("line", "others", "is_taken"),
    [
        ("The captain pulled my cart out of the river.", (), True),
        ("Iven and I pulled my cart out of the river.", (), True),
        ("I pulled my cart out of the river of the hills.", (), False),
        ("The captain pulled my cart out of the river.", (Entity("e-bo", "Captain Bo"),), False),
    ],
)
def test_a_part_of_a_name_is_enough_where_it_means_one_person(line, others, is_taken):
    """A title as well, but for one that another bears; not a word such as "of" in it."""
    people = (ALICE, Entity("e-iven", "Captain Iven of the Hall", "npc"), *others)
    shown = replace(SHOWN, lines={"l1": said(line)}, people={who.id: who for who in people},
                    names=frozenset(who.name for who in people))  # fmt: skip
    item = {"about": "e-alice", "lines": ["l1"], "quote": "pulled my cart out"}
    item |= {"fact": "Alice knows how Captain Iven of the Hall saved her cart"}
    read = read_answer(json.dumps({"facts": [item]}), shown, {}.get, TODAY)
    assert bool(read.facts) is is_taken


@pytest.mark.parametrize(
    "fact",
    [
        "Captain Seraphina Stormborne is a drunkard",
        "Captain Stormborne drinks all day",
        "Seraphina is a drunkard",
        "I am a drunkard",
    ],
)
def test_a_fact_about_the_character_is_refused_by_each_of_its_names(fact):
    """Under whomever it is put: by its whole name, a part of it, or in the first person."""
    shown = replace(SHOWN, me=Entity("e-sera", "Captain Seraphina Stormborne", "npc"))
    item = {"about": "p1", "fact": fact, "lines": ["l1"], "quote": "I live in Oakvale"}
    (refused,) = read_answer(json.dumps({"facts": [item]}), shown, {}.get, TODAY).refused
    assert "leave out what is about Captain Seraphina Stormborne" in refused["why"]


@pytest.mark.parametrize("name", ["Alice Stormborne", "Al"])
def test_who_shares_a_part_of_its_name_has_facts(name):
    """A fact that begins with the name of the one it is about is theirs."""
    shown = replace(SHOWN, me=Entity("e-sera", name, "npc"))
    item = {"about": "p1", "fact": "Alice lives in Oakvale", "lines": ["l1"]}
    item |= {"quote": "I live in Oakvale"}
    assert read_answer(json.dumps({"facts": [item]}), shown, {}.get, TODAY).facts


def test_the_cited_lines_stand_by_time_whatever_the_order_they_are_named_in():
    """The newest of them is the last: by it the narrower labels are read anew."""
    later = replace(SHOWN.lines["l1"], at=20.0, row=9)
    shown = replace(SHOWN, lines={**SHOWN.lines, "l9": later})
    fact = {"about": "p1", "fact": "Alice lives in Oakvale", "lines": ["l9", "l1"]}
    fact |= {"quote": "I live in Oakvale", "replaces": [], "ended": False, "type": ""}
    text = json.dumps({"facts": [fact], "people": []})
    (kept,) = read_answer(text, shown, {}.get, TODAY).facts
    assert [line.row for line in kept.lines] == [7, 9]


def test_the_characters_own_words_prove_nothing_beside_those_of_others():
    """The quote must stand in a line of somebody else."""
    assert "only Seraphina says so" in why(
        fact="Alice likes it there", lines=["l1", "l3"], quote="Do you like it there?"
    )


def test_a_deed_that_was_seen_is_not_weighed_again():
    """A gift warmed when it was given; the night reads it, and counts it no second time."""
    gift = {"who": "p1", "treated": 2, "line": "l4", "reason": "a ring"}
    kind_word = {"who": "p1", "treated": 2, "line": "l1", "reason": "a kind word"}
    assert not answer({}, people=[gift]).treated
    assert answer({}, people=[kind_word]).treated
