"""The director: who answers a line of a scene, in which order, and who lets it pass."""

from dataclasses import replace
from itertools import count

import pytest

from ai_assistant.core.contracts import Entity, Event
from ai_assistant.roleplay.director import Bounds, Company, Director
from ai_assistant.roleplay.participants import Present
from ai_assistant.roleplay.scene import Member, SceneState
from ai_assistant.roleplay.scene_values import set_value

NAMES = {"ada": "Ada", "ben": "Ben", "mira": "Mira", "rolf": "Rolf", "sunna": "Sunna"}
MINDS = ("mira", "rolf", "sunna")
MEMBERS = tuple(Member(who, name, who in MINDS) for who, name in NAMES.items())
IDS = count(1)


class Stage:
    """A scene of two players and three assistants, whose lines are put before the director."""

    def __init__(self, policy="addressed", lines=2):
        scene = SceneState("s1", status="running", members=MEMBERS)
        self.scene = set_value(scene, "policy", policy, day=1, at=1.0).scene
        self.director, self.bounds, self.able = Director(), Bounds(lines, 60.0), [*MINDS]
        self.root, self.at = "", 0.0

    def says(self, who, text, *, kind="say", root=""):
        """Return who has the floor after a line: an assistant's belongs to the newest exchange."""
        self.at += 1.0
        name = f"line{next(IDS)}"
        if who not in MINDS:
            self.root = name
        source = Entity(who, NAMES[who], "npc" if who in MINDS else "player")
        event = Event(
            name, self.at, "external", source, kind, text,
            root=root or self.root, by_assistant=who in MINDS,
        )  # fmt: skip
        there = [
            Present(one, name, has_mind=one in MINDS) for one, name in NAMES.items() if one != who
        ]
        company = Company(there, self.able)
        cued = sorted(self.director.cue(self.scene, event, lambda: company, self.bounds))
        return [*cued, "perhaps"] if self.director.is_unsure(event) else cued

    def follows(self, who, text):
        """Return all who speak after a player's line, in order, until nobody does."""
        spoke, cued = [], self.says(who, text)
        while cued:
            one = cued.pop(0)
            spoke.append(one)
            cued += self.says(one, "Indeed.")
        return spoke


@pytest.mark.parametrize("policy", ["addressed", "round robin", "free", "director"])
def test_whoever_is_called_answers_and_nobody_before(policy):
    """A name wins over every policy, also in a round; of two who are called, both answer."""
    stage = Stage(policy)
    assert stage.says("ada", "Rolf, what is that?") == ["rolf"]
    assert stage.says("ada", "Mira and Sunna, come here!") == ["mira", "sunna"]
    assert stage.says("mira", "Coming.") == []  # Sunna has not answered yet
    assert stage.says("ada", "Ben, what is that?") == (["rolf"] if policy == "free" else [])


@pytest.mark.parametrize("policy", ["addressed", "round robin", "free", "director"])
@pytest.mark.parametrize("pose", ["nods to Rolf, turns to Mira.", "winks at Mira, then at Rolf."])
def test_all_whom_a_pose_names_answer_once(policy, pose):
    """At once, as those whom a line calls: none of them again to the other's answer."""
    stage = Stage(policy, lines=0)
    assert stage.says("ada", f"Ada {pose}", kind="pose") == ["mira", "rolf"]
    assert stage.says("rolf", "Mira, good evening.") == []
    assert stage.says("mira", "Good evening, Rolf.") == []


def test_all_who_are_called_answer_once():
    """A line to everybody is for every assistant there, and nobody goes on after it."""
    stage = Stage("free", lines=2)
    for words in ("Good evening, friends!", "Listen, everybody!"):
        assert stage.says("ada", words) == ["mira", "rolf", "sunna"]
    stage.able.remove("rolf")
    assert stage.follows("ada", "Good evening, friends!") == ["mira", "sunna"]


@pytest.mark.parametrize(
    ("policy", "first", "second"),
    [
        ("addressed", [], []),
        ("round robin", ["mira", "rolf"], ["sunna", "mira"]),
        ("free", ["mira", "rolf"], ["mira", "sunna"]),
        ("director", ["mira"], ["mira"]),
    ],
)
def test_so_many_speak_unasked_as_the_policy_and_the_game_allow(policy, first, second):
    """A round goes on where it ended; with the others the one who answered is spoken with."""
    stage = Stage(policy)
    assert stage.follows("ada", "The night is young.") == first
    assert stage.follows("ada", "And the wine is old.") == second


def test_no_more_than_the_setting_follow_a_line():
    for lines in (0, 1, 5):
        stage = Stage("round robin", lines)
        assert len(stage.follows("ada", "The night is young.")) == min(lines, 3)


def test_two_assistants_who_call_each_other_come_to_an_end():
    """Each speaks once to a player's line, whoever else calls it; the next line is new."""
    stage = Stage(lines=5)
    for _ in range(2):
        assert stage.says("ada", "Rolf, ask Mira.") == ["rolf"]
        assert stage.says("rolf", "Mira, where is the sword?") == ["mira"]
        assert stage.says("mira", "Rolf, I sold it.") == []


def test_a_whisper_among_assistants_counts_too():
    """Who is whispered to answers once as well, and no more of them than the game allows."""
    stage = Stage()
    source = Entity("rolf", "Rolf", "npc")

    def may_answer(name, who):
        whisper = Event(
            name, 1.0, "external", source, "whisper", "Psst.", root="r", by_assistant=True
        )
        return stage.director.may_whisper(whisper, who, stage.bounds)

    assert may_answer("w1", "mira")
    assert may_answer("w1", "mira")  # asked twice, told twice
    assert not may_answer("w2", "mira")
    assert may_answer("w3", "sunna")
    assert not may_answer("w4", "otto")


def test_only_the_newest_line_is_talked_about():
    """As soon as a player speaks again, nobody goes on unasked with what was said before."""
    stage = Stage("free")
    assert stage.says("ada", "The night is young.") == ["mira"]
    old = stage.root
    assert stage.says("ben", "Rolf, look!") == ["rolf"]
    assert stage.says("mira", "So it is.", root=old) == []


def test_who_was_answered_needs_no_name():
    """Until another player speaks, or a minute has passed; in a round it is the next one's turn."""
    stage = Stage()
    assert stage.says("ada", "Rolf, good evening.") == ["rolf"]
    assert stage.says("ada", "How are you?") == ["rolf"]
    stage.at += 90.0
    assert stage.says("ada", "Do you hear me?") == []
    assert stage.says("ada", "Rolf, good evening.") == ["rolf"]
    assert stage.says("ben", "What a night.") == []
    assert stage.says("ada", "How are you?") == []


def test_whoever_is_spoken_of_has_the_first_word():
    """One who is named alone is meant; of several each has a reason to speak, one after another."""
    stage = Stage("director")
    assert stage.says("ada", "What would Sunna say to that?") == ["sunna"]
    assert stage.follows("ada", "I met both Rolf and Sunna at the well.") == ["rolf", "sunna"]


def test_the_only_assistant_is_meant_by_an_act_without_a_name():
    """Words are for it where no other player is there, and else perhaps, each time anew."""
    stage = Stage()
    stage.able = ["rolf"]
    assert stage.says("ada", "Ada draws her sword.", kind="pose") == ["rolf"]
    assert stage.says("ada", "Ada hugs Ben.", kind="pose") == []
    assert stage.says("ben", "What now?") == ["rolf", "perhaps"]
    assert stage.says("ben", "I mean it.") == ["rolf", "perhaps"]
    assert stage.says("ben", "Rolf, what now?") == ["rolf"]
    assert stage.says("ben", "I mean it.") == ["rolf"]
    stage.scene = replace(stage.scene, members=[one for one in MEMBERS if one.id != "ben"])
    assert stage.says("ada", "What now?") == ["rolf"]


@pytest.mark.parametrize("policy", ["addressed", "director"])
def test_more_than_one_may_answer_what_is_asked_of_all(policy):
    stage = Stage(policy)
    assert stage.follows("ada", "Does anyone know the way?") == ["mira", "rolf"]


def test_each_hearer_is_told_the_same():
    """The company is asked once for a line, whoever hears it."""
    director, asked = Director(), []

    def company():
        asked.append(1)
        return Company([Present("rolf", "Rolf", has_mind=True)], ["rolf"])

    event = Event("e1", 1.0, "external", Entity("ada", "Ada"), "say", "Rolf!", root="e1")
    scene = SceneState("s1", members=MEMBERS)
    for _ in range(3):
        assert director.cue(scene, event, company, Bounds(2, 60.0)) == {"rolf"}
    assert asked == [1]
