"""The offline model meets people: by relationship, by name, by when they last spoke."""

from itertools import pairwise

import pytest

from tests.unit.llm.offline.stage import CAPTAIN, INNKEEPER, Stage, observation


def test_stranger_is_greeted_without_a_name():
    """Somebody who never gave a name is not called by it."""
    assert "Alice" not in Stage().hears("Hello!").text


@pytest.mark.parametrize("state", ["acquaintance", "friend", "ally"])
def test_known_person_is_greeted_by_name(state):
    """Whoever is more than a stranger hears their name sooner or later."""
    stage = Stage().meets(state)
    heard = [stage.hears(text).text for text in ("Hello!", "Hi.", "Good day", "Greetings", "Hey")]
    assert any("Alice" in line for line in heard)


def test_greetings_differ_by_relationship():
    """A stranger and an ally do not get the same welcome."""
    welcomes = {Stage().meets(state).hears("Hello!").text for state in ("stranger", "ally")}
    assert len(welcomes) == 2


def test_last_meeting_is_recalled():
    """Somebody who was here yesterday hears of it."""
    assert "yesterday" in Stage().meets("acquaintance").hears("Hello!").text


def test_a_friend_hears_what_was_remembered():
    """A friend is greeted, on some days, with something they once told."""
    cat = (observation("Alice's cat is named Whiskers"),)
    days = [f"2026-11-{day} 18:04" for day in range(21, 30)]
    heard = [
        Stage(observations=cat, time=day).meets("friend").hears(f"Hello! {day}") for day in days
    ]
    assert any("your cat is named Whiskers" in played.text for played in heard)


def test_name_once_given_is_used():
    """After an introduction the name is spoken, and known when asked."""
    stage = Stage()
    played = stage.hears("I'm Alice.")
    assert "Captain Seraphina Stormborne" in played.text
    assert "Alice" in stage.hears("What is my name?").text


def test_name_other_than_ones_own_is_kept():
    """A guest who gives a name is known by it when they ask."""
    noted = Stage().hears("I'm Robin.").called("note")[0]["fact"]
    known = Stage(observations=(observation(noted),))
    assert "Robin" in known.hears("Do you remember my name?").text


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("I'm Jonas, I just arrived.", ["Alice is called Jonas"]),
        ("My name is Jonas, nice to meet you.", ["Alice is called Jonas"]),
        ("I'm Jonas by the way.", ["Alice is called Jonas"]),
        ("I'm Jonas, a baker.", ["Alice is called Jonas", "Alice is a baker"]),
    ],
)
def test_a_name_is_heard_though_more_follows(said, noted):
    """A newcomer who says at once what brings them here has introduced themselves."""
    played = Stage().hears(said)
    assert "Jonas" in played.text
    assert [call["fact"] for call in played.called("note")] == noted


def test_name_not_given_is_not_claimed_to_be_known():
    """The name in the prompt is no excuse: a stranger has not introduced themselves."""
    assert "Alice" not in Stage().hears("Goodbye!").text


def test_persona_greets_in_its_own_words():
    """A greeting that the owner wrote is the first thing a stranger hears."""
    greeting = "Come in, you look like a story!"
    assert greeting in Stage(persona={**INNKEEPER, "greeting": greeting}).hears("Hello").text


def test_tempers_sound_different():
    """A stern captain and a gossiping innkeeper never answer alike."""
    lines = ["Hello", "Thank you", "How are you?", "Goodbye", "You are an idiot", "I am tired"]
    captain, innkeeper = Stage(), Stage(persona=dict(INNKEEPER))
    for line in lines:
        assert captain.hears(line).text != innkeeper.hears(line).text


def test_a_role_is_told_in_good_english():
    """Owners write it as a title, without an article: nobody says "I am Innkeeper"."""
    stage = Stage(persona={**INNKEEPER, "role": "Innkeeper"})
    heard = [stage.hears(line).text for line in ["Who are you?", "What do you do?"] * 6]
    assert any("Innkeeper" in line for line in heard)
    assert not any("I am Innkeeper" in line for line in heard), heard


@pytest.mark.parametrize(
    "line",
    [
        "Hello",
        "Thank you",
        "What is my cat called?",
        "Who are you?",
        "hmm",
        "Are you an AI?",
        "No.",
    ],
)
def test_same_line_never_twice_in_a_row(line):
    """Whoever repeats themselves hears something else each time."""
    stage = Stage(observations=(observation("Alice's cat is named Whiskers"),))
    heard = [stage.hears(line).text for _ in range(12)]
    assert all(heard)
    assert all(one != other for one, other in pairwise(heard))


def test_wording_varies():
    """Different words of thanks get different answers, though nothing else differs."""
    thanks = ("Thanks!", "Thank you.", "Many thanks", "thank you very much", "Cheers!", "thx")
    assert len({Stage().hears(line).text for line in thanks}) > 1


def test_same_prompt_gives_same_reply():
    """Nothing but the prompt decides."""
    assert Stage().hears("Tell me a joke").text == Stage().hears("Tell me a joke").text


@pytest.mark.parametrize(
    "line", ["bye", "see you tomorrow", "thanks", "good evening", "any news", "where is the well"]
)
def test_whoever_is_called_without_a_comma_answers_as_with_one(line):
    """A name or a title before a line is cut off, typed as fast as guests type."""
    for called, persona in (("captain", CAPTAIN), ("tansy", INNKEEPER)):
        answers = {Stage(persona=persona).hears(f"{called}{sep} {line}").text for sep in ("", ",")}
        assert len(answers) == 1
