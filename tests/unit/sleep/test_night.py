"""A night as a whole: it ends, it counts what it may ask, and the next one has nothing to do."""

import json

import pytest

from ai_assistant.core.times import HOUR
from ai_assistant.memory.talk.working import key_of
from ai_assistant.sleep.night import STAGES, skip_stage, sleep_on, work_is_done
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run
from tests.unit.sleep.days import talk
from tests.unit.sleep.nights import FILLER, a_stage, fall_asleep, journal, night, told

(ALICE,) = people("Alice")
FACTS = (
    "I live in Oakvale.",
    "I work as a smith.",
    "I have a dog named Rex.",
    "I hate spiders.",
    "I seek my sister Mara.",
)


def test_own_thoughts_do_not_keep_it_from_waking():
    """A look back at entries that nobody else may read comes to an end as well."""
    stage = a_stage()
    journal(stage, *(f"The lamp on the pier burned blue, {n}." for n in range(45)), readers="")
    night(stage)
    assert stage.store.read("reflection")["entries_since_reflection"] == []
    assert stage.store.read("sleep")["pieces"] < 10


def test_what_was_read_pays_for_later_questions():
    """The journal is scored by the model too, once lines enough were read for that."""
    stage = Stage()
    told(stage, ALICE, *FILLER, *FILLER)
    stage.model.text('{"facts": [], "people": []}')
    night(stage)
    stage.model.is_offline = lambda job: False
    journal(stage, "The bell rang.", "It rang again.", importance=0)
    number = stage.store.read("journal")["entries"][-1]["id"]
    stage.model.text(json.dumps([{"id": number, "importance": 10}]))
    night(stage)
    entry = stage.store.read("journal")["entries"][-1]
    assert (entry["importance"], entry["importance_method"]) == (10, "llm")
    journal(stage, "And again.", importance=0)
    night(stage)  # nothing was read since: it is not asked once more


def sleep_on_to_the_end(stage):
    """Do piece by piece until nothing is left, or one fails."""
    while run(sleep_on(stage.mind)):
        pass


def written(stage):
    """Sleep on to the end; returns the stage that each commit left the night in, by its name."""
    fall_asleep(stage)
    commits, commit, names = [], stage.store.commit, [*(name for name, _ in STAGES), "end"]

    def noted(one):
        rows = commit(one)
        commits.append(names[stage.store.read("sleep")["stage"]])
        return rows

    stage.store.commit = noted
    sleep_on_to_the_end(stage)
    return commits


def test_a_night_with_nothing_to_do_is_two_commits():
    """It leaves the scores, then the reading; no other stage is written down."""
    assert written(a_stage()) == ["read", "end"]


def test_a_night_with_little_to_do_writes_down_no_other_stage():
    """A talk that is over is closed: begun with the commit before, done, left."""
    stage = a_stage()
    talk(stage, ALICE, 3)
    stage.clock.advance(2 * HOUR)
    assert written(stage) == ["read", "talks", "talks", "end"]


def test_a_stage_that_fails_is_written_down_before_it_is_tried():
    """So that its failures count as its own; left, it costs the night nothing else."""
    stage = a_stage()
    talk(stage, ALICE, 3)
    stage.store.state["working", key_of(ALICE.id, "*")]["messages"] = 7
    fall_asleep(stage)
    for _ in range(3):
        with pytest.raises(TypeError):
            sleep_on_to_the_end(stage)
        assert STAGES[stage.store.read("sleep")["stage"]][0] == "talks"
    skip_stage(stage.mind)
    sleep_on_to_the_end(stage)
    assert work_is_done(stage.store.read("sleep"))
