"""The offline model remembers: what it is told, what it was told, and what it does not know."""

import pytest

from tests.unit.llm.offline.stage import CAPTAIN, Stage, observation, row

CAT = observation("Alice's cat is named Whiskers")


def note(text):
    """What is noted of one line by Alice."""
    return [call["fact"] for call in Stage().hears(text).called("note")]


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("My cat is named Whiskers.", ["Alice's cat is called Whiskers"]),
        ("I'm Alice, a baker from Vey", ["Alice is a baker", "Alice is from Vey"]),
        ("I like chess", ["Alice likes chess"]),
        ("Hello Captain, my cat is named Whiskers!", ["Alice's cat is called Whiskers"]),
        ("Remember that I hate onions.", ["Alice dislikes onions"]),
        ("Remember that my feast is on Friday.", ["Alice says their feast is on Friday"]),
    ],
)
def test_fact_is_noted_in_third_person(said, noted):
    """What somebody plainly tells about themselves is noted with their name, or when asked to."""
    assert note(said) == noted


@pytest.mark.parametrize(
    "said",
    [
        *("Hello!", "I think so.", "Nice weather.", "I am fine", "Who am I?", "I zorp frogs"),
        *("I feel wonderful this morning.", "I thought you should know.", "I went home."),
        *("I am considering a move to Vey.", "I'm supposed to bring Bob a goat.", "I'm Alice."),
        "I no longer live in Vey.",
    ],
)
def test_what_is_no_plain_statement_is_not_noted(said):
    """A first person is not yet a fact about anybody: the line itself is remembered."""
    assert note(said) == []


@pytest.mark.parametrize("said", ["Bob stole the bread.", "Bob is a baker.", "Bob hates onions."])
def test_hearsay_is_no_note(said):
    """What Alice says of Bob is heard and acknowledged; it is not held as true of anybody."""
    played = Stage().hears(said)
    assert played.calls == []
    assert "Bob" in played.text


def test_two_facts_are_both_noted():
    """One sentence with two facts makes two observations."""
    assert note("I am a baker and my sister is called Mira") == [
        "Alice is a baker",
        "Alice's sister is called Mira",
    ]


def test_what_is_noted_is_acknowledged_in_the_same_breath():
    """Note and words are one answer: the speaker hears what was understood."""
    played = Stage().hears("My cat is named Whiskers.")
    assert len(played.replies) == 1
    assert "our cat is called Whiskers" in played.text
    assert played.called("note")


def test_what_cannot_be_noted_is_not_called_remembered():
    """Without a tool for notes no promise is made, nor that it is lost: every line is kept."""
    text = Stage(tools=("give",)).hears("My cat is named Whiskers.").text
    assert text
    assert "Whiskers" not in text


def test_news_of_the_world_is_hearsay():
    """What somebody says of neither themselves nor anybody present is kept as their word."""
    played = Stage().hears("Remember that the bridge is out")
    assert played.called("note") == [{"fact": "Alice says the bridge is out"}]
    assert "bridge is out" in played.text


def test_known_fact_is_not_noted_again():
    """Telling the same twice does not fill the profile, in whatever words."""
    for said in ("My cat is named Whiskers.", "I have a cat called Whiskers."):
        assert not Stage(observations=(CAT,)).hears(said).called("note")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("observations", CAT),
        ("observations", observation("Alice mentioned her cat is named Whiskers")),
        ("memories", row("Alice", "My cat is named Whiskers.")),
        ("memories", row("Alice", "Hello Captain! My cat is named Whiskers. Lovely day.")),
    ],
)
def test_told_fact_is_recalled_in_second_person(source, value):
    """The question and the fact share no grammar, only their meaning."""
    text = Stage(**{source: (value,)}).hears("What is my cat called?").text
    assert "our cat is named Whiskers" in text


def test_fact_told_in_this_conversation_is_recalled():
    """What was said two lines ago answers too, without any search."""
    stage = Stage()
    stage.hears("My cat is named Whiskers.")
    played = stage.hears("Do you remember what my cat is called?")
    assert "our cat is named Whiskers" in played.text
    assert not played.called("recall")


def test_newest_word_counts():
    """Of two contradicting lines the later one answers."""
    stage = Stage()
    stage.hears("My cat is named Whiskers.")
    stage.hears("My cat is named Tom.")
    assert "Tom" in stage.hears("What is my cat called?").text


@pytest.mark.parametrize(
    ("told", "corrected", "asked", "answer", "withdrawn"),
    [
        ("My brother is called Edwin.", "No, wait, I said that wrong: my brother is called Edmund.",
         "What is my brother called?", "our brother is called Edmund", "Edwin"),
        ("I live in Vey.", "I have to correct myself: I live in Ashby now.",
         "Where do I live?", "ou live in Ashby", "Vey"),
        ("My dog is called Tuck.", "I was wrong. My dog is called Tick.",
         "whats my dogs name", "our dog is called Tick", "Tuck"),
    ],
)  # fmt: skip
def test_a_correction_is_what_counts(told, corrected, asked, answer, withdrawn):
    """Who takes something back is told the new word alone, without how it was taken back."""
    stage = Stage()
    stage.hears(told)
    assert stage.hears(corrected).called("note")
    for text in (stage.hears(asked).text, stage.hears("What do you know about me?").text):
        assert answer in text
        assert withdrawn not in text
        assert not any(word in text for word in ("wrong", "correct"))


def test_what_was_never_told_is_denied_without_another_fact():
    """Nobody hears that something was never told, and something else in the same breath."""
    text = Stage(observations=(CAT,)).hears("How old is my horse?").text
    assert text
    assert "Whiskers" not in text


def test_somebody_elses_cat_is_not_yours():
    """Bob's cat never answers a question about Alice's."""
    played = Stage(memories=(row("Bob", "My cat is named Tom."),)).hears("What is my cat called?")
    assert "Tom" not in played.text


def test_words_of_others_are_quoted_with_their_name():
    """What Bob said is told as Bob's word."""
    stage = Stage(memories=(row("Bob", "The tower fell in the night."),))
    text = stage.hears("What happened to the tower?").text
    assert "Bob" in text
    assert "The tower fell in the night" in text


def test_search_before_admitting_ignorance():
    """Where the prompt has no answer, all memories are searched first, then it is admitted."""
    played = Stage().hears("What is my cat called?")
    (call,) = played.called("recall")
    assert {"cat", "Alice"} <= set(call["words"].split())
    assert "Whiskers" not in played.text


def test_search_result_answers():
    """What the search finds is said."""
    found = {"recall": {"ok": True, "memories": [row("Alice", "My cat is Whiskers.")]}}
    assert "our cat is Whiskers" in Stage(results=found).hears("What is my cat called?").text


def test_question_is_no_answer():
    """That Alice asked before does not tell what her cat is called."""
    stage = Stage(memories=(row("Alice", "What is my cat called?"),))
    assert stage.hears("What is my cat called?").called("recall")


def test_lore_is_told():
    """The persona's own knowledge answers."""
    assert "fourth arch" in Stage().hears("What happened to the bridge?").text


def test_what_was_told_a_minute_ago_is_known():
    """Who tells of themselves is known for it at once, and for the last word of each thing."""
    stage = Stage()
    for said in ("I'm Alice, a baker from Vey.", "I live in Ashby.", "I moved to Dunmoor."):
        stage.hears(said)
    text = stage.hears("What do you know about me?").text
    assert all(one in text for one in ("you are a baker", "you are from Vey", "Dunmoor"))
    assert "Ashby" not in text


def test_what_is_known_of_me_is_listed():
    """Asked for it, several facts are told in one sentence."""
    stage = Stage(observations=(CAT, observation("Alice likes chess"))).meets("acquaintance")
    text = stage.hears("What do you know about me?").text
    assert "your cat is named Whiskers" in text
    assert "you like chess" in text


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Who are you?", "Seraphina"),
        ("What do you do?", "aptain of the Guard"),
        ("Where are you from?", "East Barracks"),
        ("Do you play chess?", "hess"),
        ("What are you like?", "stern"),
        ("Where are we?", "Gull and Lantern"),
        ("Who is here?", "Bob"),
        ("Which exits are there?", "north"),
        ("Where is the inn?", "inn"),
        ("What time is it?", "a little past six in the evening"),
        ("What are you carrying?", "copper key"),
        ("Who is Bob?", "Bob"),
        ("Captain, could you tell me where we are?", "Gull and Lantern"),
    ],
)
def test_scene_and_persona_answer(asked, answer):
    """What the prompt says of the character and its surroundings is told when asked."""
    assert answer.lower() in Stage().hears(asked).text.lower()


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("notebook", {"note": "Alice's cat is named Whiskers"}),
        ("learned", {"fact": "Alice's cat is named Whiskers"}),
        ("summary", {"with": "Alice", "summary": "Alice's cat is named Whiskers."}),
    ],
)
def test_what_is_at_hand_is_known(section, line):
    """Notebook, session memory and summary answer like anything remembered, without a search."""
    played = Stage(kept={section: [line]}).hears("What is my cat named?")
    assert "our cat is named Whiskers" in played.text
    assert not played.called("recall")


@pytest.mark.parametrize(
    ("own", "says", "asked", "answer"),
    [
        (False, "My cat is named Tom.", "What is my cat named?", "our cat is named Tom"),
        (True, "The tower fell in spring.", "What did you say of the tower?", "fell in spring"),
    ],
)
def test_what_left_the_window_is_known_by_who_said_it(own, says, asked, answer):
    """A line of the summary is told as what it was: the speaker's word, or the character's own."""
    line = {"own": own, "who": CAPTAIN["name"] if own else "Alice", "kind": "say", "says": says}
    assert answer in Stage(kept={"summary": [line]}).hears(asked).text


def test_facts_come_before_talk():
    """Asked what it knows of somebody, it tells what was noted rather than any line of theirs."""
    talk = {"own": False, "who": "Bob", "kind": "say", "says": "Nice weather we are having."}
    stage = Stage(stream=[talk], memories=(row("Bob", "Bob's horse is lame", "observation"),))
    assert "horse is lame" in stage.hears("What do you know about Bob?").text


def test_traits_are_known():
    """What was concluded about somebody is known like what was observed."""
    trait = {"trait": "Alice likes chess", "type": "preference", "on": "2026-11-20"}
    stage = Stage(observations=(trait,)).meets("friend")
    assert "ou like chess" in stage.hears("Do I like chess?").text
