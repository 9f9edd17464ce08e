"""The offline model in real turns: the agent's own prompt and tools, the fakes' world."""

import pytest

from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.prompts.phrase_book import sheets
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import SERA, Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice and Bob stand before a captain with a rose, who thinks offline."""
    stage = Stage(model=OfflineModel())
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    return stage


def test_a_fact_survives_into_the_next_day(stage):
    """Told today, noted as an observation, known tomorrow."""
    stage.ask(ALICE, "My cat is named Whiskers.")
    noted = stage.store.read("profile", ALICE.id)["observations"]
    assert [item["content"] for item in noted] == ["Alice's cat is called Whiskers"]
    stage.clock.advance(86_400)
    report = stage.ask(ALICE, "What is my cat called?")
    assert report.outcome == "answered"
    assert "Whiskers" in stage.world.said[-1]


def test_a_rose_is_given_and_spoken_of(stage):
    """Asked for it, the rose changes hands before any word is said."""
    stage.ask(ALICE, "May I have the rose?")
    assert stage.world.deeds == ["give rose to Alice"]
    assert "rose" in stage.world.said[-1].lower()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What happened yesterday?", "arrested the smith for the theft of the bell."),
        ("What happened on day 4?", "arrested the smith for the theft of the bell."),
        ("What did I tell you about the coin on day 4?", "you found a coin under the bridge"),
        ("What did I tell you about the horse on day 4?", ""),
        ("What happened on day 2?", "nothing of day 2"),
        ("What did I tell you about the dragon on day 4?", ""),
    ],
)
def test_a_day_of_the_story_is_told_by_its_lines(stage, asked, told):
    """By the line that fits or tells most, with who said it; of no other day, and none made up."""
    lines = [
        (ALICE, 3, "I found a horse at the mill."),
        (ALICE, 4, "I found a coin under the bridge."),
        (ALICE, 4, "Is it cold?"),
        (BOB, 4, "The reeve has arrested the smith for the theft of the bell."),
    ]
    stage.mind.save(
        Commit(
            at=0.0,
            rows=[
                MemoryRow(text, kind="utterance", session="s1", game_day=day, author=who.id,
                          author_name=who.name)
                for who, day, text in lines
            ],
        )
    )  # fmt: skip
    stage.mind.plays = lambda session: Play("s1", day=5, fiction=True, facts={"gameDay": 5})
    stage.ask(ALICE, asked)
    said = stage.world.said[-1]
    assert told in said
    assert ("Bob" in said) == ("smith" in said)
    assert told or not any(word in said for word in ("coin", "smith", "mill"))


def test_a_whispered_fact_is_not_told_to_others(stage):
    """Asked by somebody else, it does not know: the prompt does not hold it."""
    stage.ask(BOB, "My sword is called Stinger.", "whisper")
    stage.ask(ALICE, "What is the sword of Bob called?")
    assert "Stinger" not in stage.world.said[-1]
    stage.ask(BOB, "What is my sword called?", "whisper")
    assert "Stinger" in stage.world.said[-1]


def test_nothing_goes_wrong_in_a_long_talk(stage):
    """Two dozen lines later every event is answered, and nothing was reported as an error."""
    lines = ("Hello!", "Who are you?", "Who is here?", "Dance!", "Help me build a boat", "Bye!")
    outcomes = [stage.ask(who, line).outcome for line in lines * 2 for who in (ALICE, BOB)]
    assert set(outcomes) == {"answered"}
    assert stage.errors == []


def test_what_changed_is_answered_with_the_latest(stage):
    """Who moved lives where they moved to, also for a character that thinks offline."""
    stage.ask(ALICE, "I live in Millbrook.")
    stage.ask(ALICE, "I moved to Ashby last week.")
    stage.ask(ALICE, "Where do I live?")
    assert "Ashby" in stage.world.said[-1]


def test_a_note_takes_no_step_of_its_own(stage):
    """What is told is noted and answered at once."""
    assert stage.ask(ALICE, "My cat is named Whiskers.").steps == 1
    assert stage.store.read("profile", ALICE.id)["observations"]
    assert stage.world.said


def test_it_says_that_it_goes_before_it_goes(stage):
    """Whoever asked hears it, and the next room hears nothing."""
    stage.world.place_exit("north")
    stage.ask(ALICE, "Captain, go north!")
    assert stage.world.deeds == ["move north"]
    ((speech, delivery),) = stage.world.deliveries
    assert (speech.place, delivery.outcome) == ("room1", "said")


def test_a_closed_way_is_told(stage):
    """It stays where it is and admits it."""
    stage.world.place_exit("north", closed="The gate is barred.")
    stage.ask(ALICE, "Captain, go north!")
    assert stage.world.deeds == []
    assert len(stage.world.said) == 2
    assert "north" in stage.world.said[-1]


def test_a_thing_is_taken_put_down_and_fetched(stage):
    """What lies here changes hands under the game's rules, a line for each deed."""
    stage.world.lay("lantern")
    stage.world.lay("well", takable=False)
    for line in ("Take the lantern!", "Put the lantern down.", "Bring me the lantern, please."):
        stage.ask(ALICE, line)
    took, put, gave = "take lantern", "put down lantern", "give lantern to Alice"
    assert stage.world.deeds == [took, put, took, gave]
    stage.ask(ALICE, "Take the well!")
    assert len(stage.world.deeds) == 4
    assert any(word in stage.world.said[-1] for word in ("stays", "no use"))


def test_a_whispered_question_is_answered_in_a_whisper(stage):
    """Plain words go the way in which it was asked, also after a search."""
    stage.ask(BOB, "What is my horse called?", "whisper")
    ((speech, _),) = stage.world.deliveries
    assert (speech.kind, speech.target.id) == ("whisper", BOB.id)


def test_who_introduced_themselves_is_known_at_once_and_the_day_after(stage):
    """What was told in one plain line answers a minute later, and when the talk is long over."""
    stage.ask(ALICE, "I'm Alice, a baker from Brambleford.")
    for wait in (60, 2 * 86_400):
        stage.clock.advance(wait)
        stage.ask(ALICE, "What do you know about me?")
        assert "you are a baker" in stage.world.said[-1]
        assert "Brambleford" in stage.world.said[-1]


def test_a_lie_about_another_leaves_their_profile_alone(stage):
    """Nor does any remark become a note, though it begins with the first person."""
    for line in ("Bob is a thief.", "I feel wonderful this morning.", "I thought you should know."):
        stage.ask(ALICE, line)
    for who in (ALICE, BOB):
        assert stage.store.read("profile", who.id)["observations"] == []


def test_what_bob_stole_is_known_when_asked_what_he_steals(stage):
    """Simple verbs are known in all their forms."""
    stage.ask(BOB, "The magpie stole the silver spoon.")
    stage.ask(ALICE, "What did the magpie steal?")
    assert "spoon" in stage.world.said[-1]


def test_the_first_greeting_of_a_second_guest_is_a_first_one(stage):
    """Whatever was talked of with others, who comes new is not met again."""
    stage.ask(ALICE, "My cat is named Whiskers.")
    stage.ask(BOB, "Hello Marrek!")
    again = [line for sheet in sheets("tempers") for line in sheet.lines.get("greet_again", ())]
    beginnings = [
        line.partition("{")[0] for line in (*again, *sheets("lines")[0].lines["greet_again"])
    ]
    assert not any(stage.world.said[-1].startswith(begins) for begins in beginnings)


def test_in_a_scene_it_knows_how_that_stands(stage):
    """Who is where and has what, the quest, and the day of the story."""
    facts = {
        "gameDay": 6, "timeOfDay": "evening", "activeQuest": "find the sword",
        "things": f"Alice has a lantern; {SERA.name} has the cellar key; at the inn: a rope",
        "apart": "Bob is at the mill",
    }  # fmt: skip
    played = Play("s1", day=6, fiction=True, facts=facts, apart={BOB.id: "the mill"})
    stage.mind.plays = lambda session: played
    for asked, told in (
        ("Where is Bob?", "at the mill"), ("Who has the lantern?", "have a lantern"),
        ("What is the quest?", "find the sword"), ("What day is it?", "day 6 of the story"),
        ("Who has the cellar key?", "I have the cellar key."),
    ):  # fmt: skip
        stage.ask(ALICE, asked)
        assert told in stage.world.said[-1]
