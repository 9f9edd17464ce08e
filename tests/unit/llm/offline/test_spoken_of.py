"""The offline model follows a talk: whom "he" means and what "it", and of whom a fact is."""

import pytest

from tests.unit.llm.offline.stage import CAPTAIN, INNKEEPER, SIGHT, Stage

TOLD = [
    "Orrin the smith goes fishing whenever there is work.",
    "Captain Stormborne plays chess against Orrin on the green.",
    "Captain Stormborne, the officer in the grey cloak, guards this village.",
    "Orrin the smith is forging the irons to mend the bridge.",
    "The carts cannot leave until the bridge is mended.",
    "Guests sleep in beds above the inn; a room costs two coppers.",
    "The stew has barley and leeks; a bowl costs a copper.",
    "To drink there is cider and small beer.",
    "The stuffed crow is called Admiral, and his hat was a tax collector's.",
    "I was born in this inn and have run it for twenty years.",
    "My grandmother won this inn in a riddle contest against a bishop.",
    "I live in the East Barracks of Capital City.",
    "It is nine leagues to Capital City by the north road.",
]
CROW = {"handle": "o9", "item": "a stuffed crow", "description": "It has one glass eye."}


@pytest.fixture
def inn():
    """Tansy, with all that she tells of, and the crow before her."""
    return Stage(persona=INNKEEPER | {"lore": TOLD}, sight=(*SIGHT, CROW))


@pytest.mark.parametrize(
    ("before", "asked", "told"),
    [
        ("Tell me about the captain.", "Does she play chess?", "plays chess"),
        ("Who is Orrin?", "What is he forging?", "the irons"),
        ("My brother lives in Dunwick.", "Where does he live?", "Dunwick"),
        ("What is that crow?", "What is its name?", "Admiral"),
        ("What happened to the bridge?", "Who is going to fix it?", "Orrin"),
        ("Do you have rooms?", "How much is one?", "two coppers"),
        ("Do you have stew?", "How much does it cost?", "a copper"),
        ("What's for dinner?", "I'll have that", "inner"),
        ("What do you serve to drink?", "I'll have one, please", "rink"),
        ("Do you have cider?", "I'll take two", "ider"),
    ],
)
def test_pronouns_stand_for_what_was_spoken_of(inn, before, asked, told):
    """In questions and in orders, whether the question before or its answer named it."""
    inn.hears(before)
    assert told in inn.hears(asked).text


@pytest.mark.parametrize("asked", ["Is Orrin married?", "Is the captain rich?", "Is he married?"])
def test_a_fact_of_somebody_is_no_answer_to_another_question_of_them(inn, asked):
    """That their name stands in it is not enough: what is not known is not known."""
    inn.hears("Who is Orrin?")
    text = inn.hears(asked).text
    assert text
    assert not any(fact.rstrip(".") in text for fact in TOLD)


def test_who_is_elsewhere_is_told_of_with_the_way():
    """Where a known one keeps to, and which way out leads there, by name or by trade."""
    runs = "Tansy the innkeeper runs the Kettle and Crow, and hears everything."
    for asked in ("Where is Tansy?", "Where's the innkeeper right now?"):
        text = Stage(persona=CAPTAIN | {"lore": [runs]}).hears(asked).text
        assert "runs the Kettle and Crow" in text
        assert "inn." in text


def test_whom_somebody_plays_with_is_not_where_they_are():
    """A sentence that only mentions somebody does not say where that one is."""
    lore = ["I have a game of chess against Orrin, and white is in trouble.",
            "Orrin the smith is forging the irons, when the fish do not bite."]  # fmt: skip
    text = Stage(persona=CAPTAIN | {"lore": lore}).hears("Where is Orrin?").text
    assert "forging" in text
    assert "in trouble" not in text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("How long have you worked here?", "twenty years"),
        ("Who is going to fix the bridge?", "Orrin"),
        ("Who is the captain?", "guards this village"),
        ("Who won the riddle contest?", "My grandmother"),
        ("How do I get to Capital City?", "north road"),
        ("What's the gossip about the captain?", "Captain Stormborne"),
    ],
)
def test_the_answer_is_of_the_kind_that_was_asked_for(inn, asked, told):
    """A person, a reason, a span of time, a way; a word that sounds like a wish is none."""
    assert told in inn.hears(asked).text


@pytest.mark.parametrize("asked", ["What did I just say?", "what have I said"])
def test_it_can_say_again_what_was_said_to_it(inn, asked):
    """It is the last line before the question."""
    inn.hears("The moon is made of cheese.")
    assert "he moon is made of cheese." in inn.hears(asked).text


def test_a_word_of_either_spelling_is_none_that_slipped(inn):
    """The letters that a pattern leaves open are no slips: rumours are asked for, and told."""
    news = inn.hears("Heard any good rumours lately?").text
    assert any(fact in news for fact in TOLD)


def test_who_is_cursed_is_not_asked_for_the_way(inn):
    """To be sent to hell is no wish to walk."""
    assert "north" not in inn.hears("Go to hell!").text


def test_what_it_likes_is_no_answer_to_who_taught_it():
    """An interest answers what is asked of it, not whatever names it."""
    taught = Stage(persona=CAPTAIN).hears("Who taught you chess?").text
    assert taught != Stage(persona=CAPTAIN).hears("Do you like chess?").text
    assert "chess" not in taught.lower()
