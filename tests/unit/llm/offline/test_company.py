"""The offline model among others: on channels, with friends, and in the middle of a talk."""

import pytest

from ai_assistant.prompts.phrase_book import sheets
from tests.unit.llm.offline.stage import (
    CAPTAIN,
    INNKEEPER,
    Stage,
    complete,
    observation,
    row,
    spoken,
)

SMITH = "Orrin the smith mends whatever is brought to him."
RECAP = (
    "When we played the scene The Night Market: Bob: My horse is lame. / Alice: Captain, I found a"
    " silver key under the old barrel. / Alice: Who took my hat? / Alice hides the key"
)
TOLL = (
    "When we played the scene The Toll: Alice: I gave a ring to the miller. / Bob: Hello Captain!"
)


def felt(state):
    """The beginnings of the lines in which a relationship is felt."""
    book = [*sheets("lines"), *sheets("tempers")]
    lines = (line for sheet in book for line in sheet.lines.get(f"felt_{state}", ()))
    return [line.partition("{")[0] for line in lines]


@pytest.mark.parametrize("line", ["Orrin, are you there?", "Wulfric! Come to the gate!"])
def test_on_a_channel_nobody_answers_for_another(line):
    """In a room it is said that they are not here; on a channel they may be anywhere."""
    persona = {**CAPTAIN, "lore": [SMITH]}
    assert Stage(persona=persona).hears(line, kind="channel").is_silent
    assert Stage(persona=persona).hears(line).text


def test_what_was_said_in_a_room_is_not_repeated_on_a_channel():
    """Neither the line nor what was noted of it; what was said on the channel is."""
    stage = Stage(
        observations=(observation("Alice's cat is called Whiskers"),),
        memories=(row("Bob", "The tower fell in the night."),),
    )
    stage.hears("I hid the silver under the lime tree.")
    for asked in ("What is my cat called?", "What happened to the tower?", "What did I hide?"):
        played = stage.hears(asked, kind="channel")
        assert played.text
        assert not played.called("recall")
        assert not any(word in played.text for word in ("Whiskers", "night", "lime tree"))
    stage.hears("I saw a red kite over the mill.", kind="channel")
    assert "kite" in stage.hears("What did I see over the mill?", kind="channel").text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What did I find under the barrel?", "you found a silver key under the old barrel."),
        ("Where was the silver key?", "you found a silver key under the old barrel."),
        ("What did I hide?", "you hide the key."),
    ],
)
def test_after_a_scene_it_answers_with_the_line_that_was_played(asked, told):
    """And says that it was played; of many lines it tells the one that was asked for."""
    answer = Stage(memories=(row("", RECAP, "recap"),)).hears(asked).text
    assert answer.endswith(f"When we played the scene The Night Market: {told}")


@pytest.mark.parametrize("asked", ["What happened in the scene?", "What did we play?"])
def test_asked_for_a_scene_it_tells_what_happened_in_it(asked):
    """All that others did and said there, without what they asked; no news, and nobody's home."""
    stage = Stage(memories=(row("", RECAP, "recap"),))
    answer = stage.hears(asked).text
    assert "lame; you found" in answer
    assert answer.endswith("you hide the key.")
    assert "hat" not in answer
    for other in ("Any news?", "Who lives here?"):
        assert "played" not in stage.hears(other).text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What did I find in the story?", "The Night Market: you found a silver key"),
        ("What did I give to the miller in The Toll?", "The Toll: you gave a ring to the miller."),
        ("What happened in the toll?", "The Toll: you gave a ring to the miller"),
        ("What did Bob say in The Night Market?", "The Night Market: Bob: My horse is lame."),
        ("What burned at the toll house?", "A cart burned at the toll house."),
        ("What did I lose in the story?", ""),
    ],
)
def test_a_question_of_a_scene_is_asked_of_what_was_taken_home_from_it(asked, told):
    """By its title or as "the story"; a place of such a name is known as before."""
    persona = {**CAPTAIN, "lore": ["A cart burned at the toll house."]}
    played = (row("", TOLL, "recap"), row("", RECAP, "recap"))
    answer = Stage(persona=persona, memories=played).hears(asked).text
    assert told in answer
    assert told or "played" not in answer


def test_what_came_to_mind_twice_is_told_once():
    """An account that stands in the prompt is often found by the search again."""
    found = {"recall": {"ok": True, "memories": [{"when": "now", "played": True, "text": RECAP}]}}
    stage = Stage(memories=(row("", RECAP, "recap"),), results=found)
    for asked in ("Do you play chess?", "What happened in the scene?"):
        assert stage.hears(asked).text.count("silver key") == asked.count("scene")


def test_a_scene_of_questions_alone_is_told_as_it_was():
    """Nobody hears a title with nothing behind it."""
    account = "When we played the scene The Gate: Alice: Captain, will you open the gate?"
    answer = Stage(memories=(row("", account, "recap"),)).hears("What happened in the scene?").text
    assert answer.endswith("The Gate: Alice: will you open the gate?")


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Where is Mira?", "heading for the Green"), ("Where is Bob?", "Bob"), ("Where is Ulf?", "")],
)
def test_asked_where_somebody_is_it_says_where_they_went(asked, told):
    """Who is here is pointed out, who left was last seen leaving."""
    left = {"own": False, "who": "Mira", "kind": "move", "says": "Mira left, heading for the Green"}
    answer = Stage(stream=[left]).hears(asked).text
    assert told in answer
    assert ("Green" in answer) == ("Mira" in asked)


def test_a_question_to_it_by_name_is_no_knowledge():
    """What somebody asked is not told as what they said."""
    stage = Stage(memories=(row("Bob", "Captain Seraphina, what did I hide in the mill?"),))
    assert "Bob" not in stage.hears("What did I hide in the mill?").text


def test_one_line_of_lore_is_told_once_in_a_talk():
    """Asked further, it says that this is all; asked for it in other words, it says it again."""
    stage = Stage(persona={**CAPTAIN, "lore": [SMITH]})
    assert "mends" in stage.hears("Who is Orrin?").text
    assert "mends" not in stage.hears("Is Orrin any good?").text
    assert "mends" in stage.hears("What do you know about Orrin?").text


def test_there_is_the_place_that_was_named_last():
    """The way is told to what both know that they speak of."""
    stage = Stage(results={"find_way": {"ok": False}})
    stage.hears("Is the North Road safe?")
    assert "north" in stage.hears("How do I get there?").text


def test_they_are_meant_who_were_spoken_of_a_moment_ago():
    """Also where only an answer named them, and another came in between."""
    stage = Stage(persona={**CAPTAIN, "lore": ["Orrin the smith lives behind the mill."]})
    stage.hears("Who is the smith?")
    stage.hears("What time is it?")
    assert "behind the mill" in stage.hears("Where can I find him?").text


def test_what_tells_nothing_new_is_no_answer():
    """A line in which nothing but everyday words is new does not tell what was asked."""
    stage = Stage(memories=(row("Alice", "I am looking for my brother."),))
    assert "looking" not in stage.hears("What is my brother's name?").text
    told = Stage(memories=(row("Alice", "My brother is called Rolf."),))
    assert "Rolf" in told.hears("What is my brother's name?").text


@pytest.mark.parametrize("asked", ["Tell me something about Orrin.", "Tell me about Orrin."])
def test_something_about_somebody_is_what_is_known_of_them(asked):
    """How much is asked for is no part of it."""
    assert "mends" in Stage(persona={**CAPTAIN, "lore": [SMITH]}).hears(asked).text


def test_what_they_just_said_is_no_answer_to_them():
    """A question without a word of its own is not answered with the asker's own line."""
    stage = Stage(persona=INNKEEPER)
    stage.hears("He has a scar on his chin.")
    assert "scar" not in stage.hears("Have you seen him?").text


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("Who is the mayor?", "unknown_whom"),
        ("When does the fair begin?", "unknown_time"),
        ("How much is the toll?", "unknown_price"),
        ("Where is the temple?", "unknown_place"),
    ],
)
def test_not_knowing_fits_the_question(asked, key):
    """Not knowing a name, a time, a price or a way are different things to say."""
    text = Stage(persona={"name": "Ada"}).hears(asked).text
    book = sheets("lines")[0]
    lines = [*book.lines[key], *book.last.get(key, ())]
    assert any(max(line.split("{"), key=len).rpartition("}")[2] in text for line in lines)


def test_what_there_is_not_is_named():
    """Asked whether there is such a thing here, it says of what there is none."""
    stage = Stage(persona={"name": "Ada"})
    heard = [stage.hears(f"Is there a {thing} around here?").text for thing in ("temple", "bank")]
    assert "emple" in heard[0]
    assert "ank" in heard[1]


def test_the_inn_is_the_place_by_its_name():
    """What a way out is called, and what it leads to, mean the same."""
    persona = {**CAPTAIN, "lore": ["Tansy runs the Gull and Lantern, and hears everything."]}
    sight = ({"handle": "x2", "exit": "inn", "to": "The Gull and Lantern"},)
    assert "Tansy" in Stage(persona=persona, sight=sight).hears("Who runs the inn?").text


def test_what_somebody_tells_of_themselves_is_taken_up():
    """In their words, turned; where a slip is in it, nobody says it after them."""
    assert "ou came down the north road" in Stage().hears("I came down the north road.").text
    assert "nroth" not in Stage().hears("I came doun the nroth raod.").text


@pytest.mark.parametrize("state", ["friend", "ally"])
def test_friends_feel_that_they_are(state):
    """Not only in the greeting; strangers never hear it."""
    asked = [f"What do you know of the {word}?" for word in ("bridge", "flood", "mill", "gate")]
    near, far = Stage().meets(state), Stage()
    assert any(part in near.hears(line).text for line in asked * 2 for part in felt(state))
    assert not any(part in far.hears(line).text for line in asked * 2 for part in felt(state))


def test_who_was_rude_feels_that_too():
    """Below a stranger's standing the answers end colder."""
    stage = Stage().meets("stranger", favorability=0.05)
    asked = [f"What do you know of the {word}?" for word in ("bridge", "flood", "mill", "gate")]
    assert any(part in stage.hears(line).text for line in asked * 2 for part in felt("wary"))


def test_its_own_words_are_not_told_as_those_of_who_asks():
    """What recall gives as said by itself is neither knowledge nor somebody's word."""
    own = {"who": "you", "text": "The cellar is safe in the night."}
    stage = Stage(results={"recall": {"ok": True, "memories": [own]}})
    played = stage.hears("Is the cellar safe in the night?")
    assert played.called("recall")
    assert "you said" not in played.text.lower()
    assert "safe in the night" not in played.text


def test_what_was_said_on_an_earlier_day_is_told_while_it_stands_in_the_talk():
    """Also where nothing of it is recalled: a line of the talk has its day."""
    line = {"own": False, "who": "Alice", "kind": "say", "day": 1}
    stage = Stage(
        stream=[line | {"says": "I found a red thread in the cellar."}],
        kept={"now": [{"game_day": 2}]},
    )
    assert "red thread" in stage.hears("What did I find yesterday?").text


def test_what_happened_in_the_story_is_no_call_for_gossip():
    """It asks of what was played."""
    stage = Stage(memories=(row("", RECAP, "recap"),))
    assert "played" in stage.hears("What happened in the story?").text


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("I bring it back tomorrow.", False),
        ("Well, well.", False),
        ("Good evening. I am Maud. A bowl of something hot, please.", True),
        ("hello", True),
    ],
)
def test_what_may_be_for_another_is_answered_where_it_wants_something(said, answers):
    """A remark among several is let pass; a greeting or an order is not."""
    stage = Stage(persona=INNKEEPER)
    line = spoken("Alice", said, "say") | {"perhaps": True}
    assert bool(complete(stage.model, stage.request(asked=[line])).text) is answers
