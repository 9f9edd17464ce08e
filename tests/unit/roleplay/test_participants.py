"""Who took part in a line: by name, by "we", by the talk under way, and never beyond earshot."""

from dataclasses import replace

import pytest

from ai_assistant.roleplay.participants import Utterance
from tests.unit.roleplay.company import ALICE, BOB, CHARLIE, DANA, SPY, TABLE, Room, found


@pytest.fixture
def room():
    """Four people at a table."""
    return Room(*TABLE)


def test_the_addressed_takes_part():
    """A line that calls somebody is for that one, and the others only overhear it."""
    assert found(ALICE, "Bob, where is the sword?") == {
        "alice": (1.0, "speaker"), "bob": (0.95, "addressed"),
    }  # fmt: skip


def test_the_named_takes_part():
    """Who is there and is spoken of takes part, a little less surely."""
    assert found(ALICE, "I told Bob of the Sacred Sword!") == {
        "alice": (1.0, "speaker"), "bob": (0.8, "named"),
    }  # fmt: skip
    aside = found(ALICE, "Dana, have you seen Charlie?")
    assert (aside["dana"][1], aside["charlie"]) == ("addressed", (0.6, "named"))


def test_whoever_is_not_there_is_not_found():
    """A name of somebody out of earshot brings nobody in."""
    assert "bob" not in found(ALICE, "Bob, where are you?", [CHARLIE, DANA])


@pytest.mark.parametrize(
    "text",
    [
        "Everyone, listen!", "Good evening, friends.", "Listen up!", "Hear me, all: it is over.",
        "Who among you has a lamp?", "Who knows the way?", "Is there someone from the mill here?",
        "Will nobody speak?", "Good people, the fair begins.", "A round for the whole house!",
        "Which of you left the gate open?", "Somebody please help me.",
    ],
)  # fmt: skip
def test_all_are_asked(text):
    """What is called out to all is for all who hear it."""
    assert {name for name, (_, rule) in found(ALICE, text).items() if rule == "all"} == {
        "bob", "charlie", "dana",
    }  # fmt: skip


def test_an_answer_may_be_for_all():
    """Who answers one and calls everybody speaks to everybody; to call one is to call no other."""
    ids = frozenset({BOB.id})
    told = found(ALICE, "Listen, everybody! Dana has the sword.", answers=ids)
    assert (told["charlie"], told["dana"][1]) == ((0.9, "all"), "all")
    assert "charlie" not in found(ALICE, "Dana, everybody knows that.", answers=ids)


def test_who_is_spoken_of_is_not_everybody(room):
    """Words like "all", "somebody" and "friends" call nobody by themselves."""
    for text in ("All is lost.", "Somebody told me so.", "My friends know of it.", "Who said so?"):
        room.says(ALICE, "Bob, where is the sword?")
        assert room.took_part(ALICE, text) == {"bob"}, text


@pytest.mark.parametrize("text", ["You two, come.", "Are you both mad?", "Off, both of you!"])
def test_you_two(room, text):
    """They are the two others of the talk, else the only two who are there."""
    room.says(ALICE, "Bob and Dana, are you ready?")
    assert room.took_part(ALICE, text) == {"bob", "dana"}
    assert room.took_part(CHARLIE, text, bound=[ALICE, DANA]) == {"alice", "dana"}
    assert Room(*TABLE).took_part(CHARLIE, text) == {"alice", "bob", "dana"}  # who knows which


@pytest.mark.parametrize("text", ["Bob - come here.", "Bob – come here.", "Where to, Bob …"])
def test_a_dash_after_a_name(text):
    """Whoever is called before a dash is called as before a comma."""
    assert found(ALICE, text)["bob"] == (0.95, "addressed")


def test_who_calls_the_deaf_calls_nobody_else():
    """The line is for whom it calls, reached or not; who only speaks of them speaks to others."""
    bound = [replace(BOB, missed=True), CHARLIE]
    for text, took in (
        ("Bob, where is the sword?", set()),
        ("What a night.", {"charlie"}),
        ("I told Bob of it.", {"charlie"}),
    ):
        assert Room(*TABLE).took_part(ALICE, text, bound=bound) == took


def test_several_are_answered():
    """An answer to two who asked is for both."""
    ids = frozenset({BOB.id, DANA.id, "character-nobody"})
    assert set(found(ALICE, "In the cave.", answers=ids)) == {"alice", "bob", "dana"}


def test_in_the_dark_a_name_finds_its_bearer():
    """Where a speaker sees nobody at all, whoever is called by name takes part alone."""
    dark = [replace(one, hidden=True) for one in TABLE]
    assert set(found(ALICE, "Bob, are you there?", dark)) == {"alice", "bob"}
    assert set(found(ALICE, "Hello?", dark)) == {"alice", "bob", "charlie", "dana"}


def test_unsure_means_everybody_in_earshot():
    """Where no rule knows, all hearers took part, and the decision says that it is unsure."""
    assert {rule for _, rule in found(ALICE, "It will rain.").values()} == {"speaker", "could_hear"}
    assert found(ALICE, "It will rain.")["bob"][0] < 0.5


def test_a_reply_needs_no_name(room):
    """Whoever was asked answers those who asked, also with other talk between."""
    room.says(ALICE, "Bob, where is the sword?")
    room.says(CHARLIE, "Dana, your move.")
    assert room.took_part(BOB, "In the cave.") == {"alice"}
    assert room.took_part(DANA, "I pass.") == {"charlie"}
    assert room.took_part(ALICE, "Then let us go.") == {"bob"}


def test_we_are_those_who_talk(room):
    """ "We" means the talk that the speaker is in; outside of one, everybody."""
    assert room.took_part(ALICE, "We should go.") == {"bob", "charlie", "dana"}
    room.says(ALICE, "Bob, are you ready?")
    assert room.took_part(BOB, "We leave at dawn.") == {"alice"}


def test_between_ourselves_is_for_whom_it_is_said_to(room):
    """ "We" beside a name means the talk as well; "between us" means nobody else."""
    room.says(ALICE, "Bob, are you ready?")
    assert room.took_part(ALICE, "Dana, we leave at dawn.") == {"bob", "dana"}
    room.says(ALICE, "Bob, are you ready?")
    assert room.took_part(ALICE, "Between ourselves, Dana, he never is.") == {"dana"}


def test_a_talk_grows_cold(room):
    """After a while without a word, a line without a name is for everybody again."""
    room.says(ALICE, "Bob, where is the sword?")
    room.at += 300
    assert room.took_part(BOB, "In the cave.") == {"alice", "charlie", "dana"}


def test_who_left_takes_no_part(room):
    """The talk goes on with those of it who are still there."""
    room.says(ALICE, "Bob and Dana, come with me.")
    assert room.took_part(BOB, "Aye.", bound=[ALICE, CHARLIE]) == {"alice"}
    assert room.took_part(BOB, "Anyone?", bound=[CHARLIE]) == {"charlie"}


def test_the_hidden_hear_what_is_said_to_all():
    """Nobody addresses whom they do not see; what all hear the hidden hear too."""
    bound = (BOB, SPY)
    assert "spy" not in found(ALICE, "Bob, the password is marmalade.", bound)
    assert "spy" not in found(ALICE, "Sly is a thief, Bob.", bound)
    assert "spy" in found(ALICE, "What a night.", bound)


@pytest.mark.parametrize("kind", ["whisper", "page", "gift"])
def test_private_talk_is_for_whom_it_reached(kind):
    """Whoever a whisper reached took part, whatever it says."""
    assert found(ALICE, "Dana must not know.", [BOB], kind=kind) == {
        "alice": (1.0, "speaker"), "bob": (1.0, "direct"),
    }  # fmt: skip


def test_a_pose_is_read_without_the_name_before_it():
    """The name with which a pose begins is the actor's."""
    assert set(found(ALICE, "Alice bows to Bob.", kind="pose")) == {"alice", "bob"}


def test_a_gesture_is_for_whom_it_is(room):
    """Who waves at somebody does not wave at the others in the talk; who speaks of them does."""
    room.says(ALICE, "Bob, are you ready?")
    assert room.took_part(BOB, "Bob waves at Dana.", kind="pose") == {"dana"}
    assert room.took_part(BOB, "I told Charlie of it.") == {"charlie", "dana"}


def test_nothing_widens_the_bound(room):
    """Over many lines, nobody is ever found who could not hear."""
    lines = ("Bob?", "We go.", "Everyone, up!", "Dana, Charlie and Bob, come.", "Hm.", "Us too.")
    for number, text in enumerate(lines * 8):
        bound = [one for place, one in enumerate(TABLE) if (number >> place) % 2]
        here = {one.id.removeprefix("character-") for one in bound}
        assert room.took_part(ALICE, text, bound=bound) <= here


def test_an_utterance_is_judged_once(room):
    """All who hear a line read the same decision, and the game is asked once."""
    asked = []

    def bound():
        asked.append(1)
        return TABLE

    said = Utterance("same", ALICE, "Bob?", at=1.0)
    first = room.agent.judge("s1", "room", said, bound)
    assert room.agent.judge("s1", "room", said, bound) is first
    assert len(asked) == 1


def test_a_line_is_for_the_same_people_in_every_scene():
    """What bystanders hear of a talk in a scene is for those in it, and for nobody else."""
    table = Room(*TABLE)
    answer = Utterance("ev", ALICE, "In the cave.", at=1.0, answers=frozenset({BOB.id}))
    others = [BOB, CHARLIE, replace(DANA, apart=True)]
    here = [replace(BOB, apart=True), replace(CHARLIE, apart=True), DANA]
    in_scene = table.agent.judge("s1", "room", answer, lambda: others)
    in_game = table.agent.judge("", "room", replace(answer, answers=frozenset()), lambda: here)
    assert [one["id"] for one in in_scene["participants"]] == [ALICE.id, BOB.id]
    assert [one["id"] for one in in_game["participants"]] == [ALICE.id]
    assert in_game["hearers"] == [DANA.id]


def test_talk_crosses_the_border_of_a_scene():
    """Whoever is in a scene talks with a bystander as with anybody: the talk goes on without names.

    Alice and Bob play; Dana, who does not, asks and is asked.
    """
    scene, game = Room(*TABLE), Room(*TABLE, session="")
    game.agent = scene.agent
    scene.says(ALICE, "Dana, where is the sword?", bound=[BOB, replace(DANA, apart=True)])
    game.at = scene.at
    assert game.took_part(DANA, "In the cave.", bound=[ALICE, BOB]) == {"alice"}
    scene.at = game.at
    scene.says(ALICE, "Are you sure?", bound=[BOB, replace(DANA, apart=True)])
    game.at = scene.at
    assert game.took_part(DANA, "Quite sure.", bound=[ALICE, BOB]) == {"alice"}


def test_scenes_do_not_hear_each_other():
    """The talk of one scene explains nothing in another one in the same room."""
    one, other = Room(*TABLE, session="s1"), Room(*TABLE, session="s2")
    other.agent = one.agent
    one.says(ALICE, "Bob, where is the sword?")
    assert other.took_part(BOB, "In the cave.") == {"alice", "charlie", "dana"}


def test_whoever_plays_apart_is_called_and_takes_part_there():
    """A line to somebody of another scene is for that one, and for no bystander by default."""
    room = Room(replace(BOB, apart=True), CHARLIE)
    decision = room.says(ALICE, "Bob, the well is dry.")
    assert [one["id"] for one in decision["participants"]] == [ALICE.id]
    assert decision["hearers"] == [CHARLIE.id]
    assert room.took_part(ALICE, "It rains.") == set()
