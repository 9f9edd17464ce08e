"""Consolidation: observations become traits, with a model or without, under one label at a time."""

import json

from ai_assistant.contracts import Change, Commit, ModelReply
from ai_assistant.testing import Stage, people
from tests.unit.sleep.nights import night, told, traits

ALICE, BOB = people("Alice", "Bob")
FIVE = (
    "I live in Oakvale.",
    "I keep bees.",
    "I hate onions.",
    "I fear spiders.",
    "I play the lute.",
)


def note(stage, who, content, *, readers="*", source="direct"):
    """Let the character note something awake, as a tool does."""
    at = stage.clock.now()
    identity = {"name": who.name, "entity_type": "player", "at": at}
    item = {
        "entity_id": who.id,
        "content": content,
        "source": source,
        "at": at,
        "author": who.id,
        "readers": readers,
    }
    changes = [
        Change("profile", who.id, "create_entity_profile", identity),
        Change("profile", who.id, "add_entity_observation", item),
    ]
    stage.mind.save(Commit(at, changes=changes))


def noted(stage, who):
    """Return the observations that are left."""
    return [one["content"] for one in stage.store.read("profile", who.id)["observations"]]


def answers(stage, keep):
    """Let a model answer with the first `keep` notes that it is shown, word for word."""

    def reply(request):
        notes = json.loads(request.messages[1].content)["observations"][:keep]
        items = [{"type": "x", "value": one["text"], "evidence": [one["id"]]} for one in notes]
        return ModelReply(text=json.dumps(items))

    stage.mind.is_offline = lambda job: False
    stage.model.replies.append(reply)


def test_five_observations_become_traits():
    """They are used up, and every trait names its evidence."""
    stage = Stage()
    told(stage, ALICE, *FIVE[:4])
    night(stage)
    assert traits(stage, ALICE) == []
    told(stage, ALICE, FIVE[4])
    night(stage)
    assert len(traits(stage, ALICE)) == 5
    assert noted(stage, ALICE) == []


def test_what_the_model_drops_the_rules_keep():
    """Three of five notes come back from the model; nothing is lost."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    answers(stage, 3)
    night(stage)
    assert len(stage.model.requests) == 1
    assert sorted(traits(stage, ALICE)) == [
        "Alice fears spiders",
        "Alice hates onions",
        "Alice keeps bees",
        "Alice lives in Oakvale",
        "Alice plays the lute",
    ]


def test_a_change_does_not_wait_for_others():
    """What no longer holds is replaced in the same night, and goes on as the past."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    night(stage)
    told(stage, ALICE, "I moved to Riverton.", "I have a mule.")
    night(stage)
    assert "Alice moved to Riverton" in traits(stage, ALICE)
    assert "Alice lives in Oakvale" not in traits(stage, ALICE)
    assert noted(stage, ALICE) == ["Alice has a mule"]


def test_hearsay_never_overrides_what_was_seen():
    """However many say otherwise, somebody's own word stands."""
    stage = Stage()
    told(stage, ALICE, *FIVE)
    night(stage)
    told(
        stage,
        BOB,
        *(f"Alice lives in {one}." for one in "Vey Ashby Oakham Dunmoor Larkhill".split()),
    )
    night(stage)
    assert "Alice lives in Oakvale" in traits(stage, ALICE)
    assert len(traits(stage, ALICE)) == 5


def test_a_secret_stays_under_its_own_readers():
    """Open and whispered talk make traits of their own, and no secret is known to others."""
    stage = Stage()
    secrets = (*FIVE[1:], "I stole the silver key.")
    told(stage, ALICE, *secrets, kind="whisper")
    night(stage)
    assert len(traits(stage, ALICE, ALICE.id)) == 5
    told(stage, ALICE, *FIVE)
    night(stage)
    assert len(traits(stage, ALICE)) == 5
    assert "Alice stole the silver key" not in traits(stage, ALICE)
    assert traits(stage, ALICE, ALICE.id) == ["Alice stole the silver key"]


def test_what_was_noted_awake_is_sifted():
    """Reports, moods and repetitions leave the profile; what is no report is found still."""
    stage = Stage()
    told(stage, ALICE, "I keep bees.")
    for content in (
        "Alice says the bridge is out",
        "Alice is hungry",
        "Alice is keeping bees",
        "Alice keeps bees in the garden",
        "Alice collects old keys",
    ):
        note(stage, ALICE, content)
    night(stage)
    assert sorted(noted(stage, ALICE)) == ["Alice collects old keys", "Alice keeps bees"]
    rows = {row.content for row in stage.store.memories.values() if row.kind == "observation"}
    assert "Alice is hungry" in rows


def test_notes_made_awake_become_traits_too():
    """Five lasting ones are enough, and each gets a row to rest on."""
    stage = Stage()
    for content in (
        "Alice lives in Oakvale",
        "Alice keeps bees",
        "Alice hates onions",
        "Alice fears spiders",
        "Alice plays the lute",
    ):
        note(stage, ALICE, content)
    night(stage)
    profile = stage.store.read("profile", ALICE.id)
    assert len(profile["attributes"]) == 5
    assert all(stage.store.rows(one["evidence"]) for one in profile["attributes"])
