"""A night as a whole: it ends, it counts what it may ask, and the next one has nothing to do."""

import json

from ai_assistant.testing import Stage, people
from tests.unit.sleep.nights import FILLER, a_stage, journal, night, plain, told

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


def test_a_second_night_writes_nothing():
    """What was made of a day is not made of it again."""
    stage = a_stage(plain(*FACTS))
    told(stage, ALICE, *FACTS)
    night(stage)
    rows, before = dict(stage.store.memories), stage.store.read("profile", ALICE.id)
    assert len(before["attributes"]) == 5
    id = night(stage)
    assert stage.store.memories == rows
    assert stage.store.read("profile", ALICE.id) == before
    assert stage.store.records(id) == []


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
