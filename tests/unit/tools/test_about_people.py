"""Tools about people, and about what was lived through: what they tell, and under which label."""

import json
import re

import pytest

from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.times import DAY
from ai_assistant.memory.people.feelings import TALK_A_DAY
from ai_assistant.memory.people.profiles import TRUST
from ai_assistant.memory.talk.folding import version_of
from ai_assistant.memory.talk.working import key_of
from ai_assistant.testing import people

ALICE, BOB = people("Alice", "Bob")


def results(stage, who, *calls, kind="say"):
    """Let a turn make these calls; return the data of each result, in order."""
    for name, arguments in calls:
        stage.model.call(name, **arguments)
    said = {"to": "p1"} if kind == "whisper" else {}
    stage.model.call(kind, text="So be it.", **said)
    seen = len(stage.model.requests)
    stage.ask(who, "Well?", kind)
    last = stage.model.requests[-1].messages
    assert len(stage.model.requests) == seen + len(calls) + 1
    return [json.loads(one.content) for one in last if one.role == "tool"]


def observed(stage, content, readers="*", about=ALICE, author=""):
    step = {
        "entity_id": about.id, "content": content, "source": "direct", "at": 0.0,
        "readers": readers, "author": author,
    }  # fmt: skip
    stage.mind.save(
        Commit(0.0, changes=[Change("profile", about.id, "add_entity_observation", step)])
    )


def test_a_profile_tells_what_this_audience_may_know(stage):
    """Open observations are told; those of others are not, and leave no trace."""
    observed(stage, "Alice has a cat.")
    observed(stage, "Alice cheats.", readers=BOB.id)
    (found,) = results(stage, ALICE, ("recall_entity_profile", {"entity": "p1"}))
    assert [one["content"] for one in found["observations"]] == ["Alice has a cat."]
    assert found["relationship"]["state"] == "stranger"
    assert found["relationship"]["stance"] == "formal and cautious; little trust"


def test_an_old_guest_is_no_mere_stranger(stage):
    """Nobody is dear for talking alone; when the two met, and last spoke, stands beside that."""
    profile = ("recall_entity_profile", {"entity": "p1"})
    results(stage, ALICE, profile)
    stage.clock.advance(2 * DAY)
    results(stage, ALICE, profile)
    stage.clock.advance(DAY)
    told = results(stage, ALICE, profile, ("recall", {"who": "Alice"}))
    bond = told[0]["relationship"]
    assert (bond["state"], bond["first_met"]) == ("stranger", "three days ago")
    assert bond["last_met"].startswith(("yesterday", "last night"))
    assert not [value for value in bond.values() if not isinstance(value, str)]
    assert told[1]["about"]["first_met"] == "three days ago"
    prompt = "\n".join(one.content for one in stage.model.requests[0].messages)
    assert "You met" not in prompt


def test_what_was_just_noted_is_known_when_looked_up_again(stage):
    """A change in the same turn makes the earlier answer stale: it is read anew."""
    look = ("recall_entity_profile", {"entity": "p1"})
    note = ("update_entity_observation", {"entity": "p1", "observation": "Alice has a cat."})
    first, _, second = results(stage, ALICE, look, note, look)
    assert first["observations"] == []
    assert [one["content"] for one in second["observations"]] == ["Alice has a cat."]


def test_what_is_known_stands_once_and_a_long_talk_begins_with_a_whole_line(stage):
    """A note that says no more than a trait is left out; of a summary the last lines are told."""
    observed(stage, "A clock maker.")
    observed(stage, "Alice sold a clock.")
    trait = {"type": "trade", "value": "clock maker", "source": "consolidation", "at": 0.0}
    trait |= {"entity_id": ALICE.id}
    lines = "\n".join(f"Alice: the clock number {n} struck in the hall" for n in range(40))
    fold = {"expected": version_of({"summary": ""}), "summary": lines}
    results(stage, ALICE)
    stage.mind.save(
        Commit(
            0.0,
            changes=[
                Change("profile", ALICE.id, "add_attribute", trait),
                Change("working", ALICE.id, "replace_summary", fold),
            ],
        )
    )
    (found,) = results(stage, ALICE, ("recall", {"query": "Alice", "who": "p1"}))
    about = found["about"]
    assert [about["known"], about["noted"]] == [["clock maker"], ["Alice sold a clock."]]
    told = about["talked"].split("\n")
    assert all(
        re.fullmatch("Alice: the clock number [0-9]+ struck in the hall", line) for line in told
    )


def test_a_promise_too_many_is_refused(stage):
    """The model is told that there is no room, and what to do; nothing is dropped."""
    key = key_of(ALICE.id, "*")
    steps = [
        Change("working", key, "add_pending_action", {"action": f"a{n}", "priority": 9, "at": 0.0})
        for n in range(20)
    ]
    stage.mind.save(Commit(0.0, changes=steps))
    promise = {"entity": "p1", "action": "find the ring", "priority": 1}
    (refused,) = results(stage, ALICE, ("add_pending_action", promise))
    assert not refused["ok"]
    assert "say that one is done" in refused["error"]
    assert len(stage.store.read("working", key)["pending_actions"]) == 20


def test_a_profile_is_found_twice_for_the_price_of_one(stage):
    """The second call in a turn is answered from the first."""
    call = ("recall_entity_profile", {"entity": "p1"})
    first, second = results(stage, ALICE, call, call)
    assert first == second


def test_feelings_move_in_small_steps(stage):
    """What the model proposes is clamped, and the result says what became of it."""
    (moved,) = results(
        stage, ALICE, ("update_relationship", {"entity": "p1", "delta": 0.9, "reason": "a song"})
    )
    assert moved["changed_by"] == pytest.approx(TALK_A_DAY / 2, abs=0.006)
    assert (moved["old_state"], moved["new_state"]) == ("stranger", "stranger")
    assert moved["state_changed"] is False


def test_a_feeling_has_two_decimals(stage):
    """What a model reads of a feeling is too coarse to carry words out of a whisper in digits."""
    step = {"delta": 0.0216, "reason": "game", "author": "game", "at": 0.0, "kind": "game"}
    step["limit"] = 1.0
    stage.mind.save(Commit(0.0, changes=[Change("profile", ALICE.id, "update_relationship", step)]))
    call = ("update_relationship", {"entity": "p1", "delta": 0.05, "reason": "a song"})
    results(stage, ALICE, call, ("recall_entity_profile", {"entity": "p1"}))
    read = str([(request.messages, request.sections) for request in stage.model.requests])
    assert "favorability" in read
    assert stage.store.read("profile", ALICE.id)["relationship"]["favorability"] % 0.01 > 0.001
    assert not re.search(r"\b0\.\d{3}", read)


def test_a_new_state_is_written_down(stage):
    """Who becomes an acquaintance is so in the result, the history, the journal and the audit."""
    step = {"delta": 0.09, "reason": "game", "author": "game", "at": 0.0, "kind": "game"}
    step["limit"] = 1.0
    stage.mind.save(Commit(0.0, changes=[Change("profile", ALICE.id, "update_relationship", step)]))
    call = {"entity": "p1", "delta": 0.05, "reason": "a song"}
    (moved,) = results(stage, ALICE, ("update_relationship", call))
    assert moved["state_changed"] is True
    history = stage.store.read("profile", ALICE.id)["relationship"]["history"]
    assert any(one.get("new_state") == "acquaintance" for one in history)
    entries = [one["content"] for one in stage.store.read("journal")["entries"]]
    assert "Alice, once a stranger, is an acquaintance now." in entries
    assert "RelationshipChanged" in [one.type for one in stage.store.audit]


def test_a_reason_given_in_a_whisper_stays_there(stage):
    """The feeling itself is open, why it moved is not."""
    call = {"entity": "p1", "delta": 0.05, "reason": "told me of the vault"}
    results(stage, ALICE, ("update_relationship", call), kind="whisper")
    history = stage.store.read("profile", ALICE.id)["relationship"]["history"]
    assert {one["readers"] for one in history} == {ALICE.id}


def test_a_conversation_has_a_topic_and_promises(stage):
    """They are noted, told again, and struck off when they are done."""
    found = results(
        stage,
        ALICE,
        ("start_entity_conversation", {"entity": "p1", "topic": "the lost sword"}),
        ("add_pending_action", {"entity": "p1", "action": "Draw a map.", "priority": 1}),
        ("recall_conversation_context", {"entity": "p1"}),
    )
    assert found[0]["topic"] == "the lost sword"
    assert found[1]["pending_actions"] == ["Draw a map."]
    (talk,) = found[2]["conversations"]
    assert talk["topic"] == "the lost sword"
    assert [one["action"] for one in talk["pending_actions"]] == ["Draw a map."]
    stage.clock.advance(5)
    done = ("complete_pending_action", {"entity": "p1", "action": "Draw a map."})
    assert results(stage, ALICE, done)[0]["pending_actions"] == []
    assert stage.store.read("working", key_of(ALICE.id, "*"))["pending_actions"] == []


def test_a_private_talk_is_not_told_in_public(stage):
    """What was promised in a whisper is not in the context of an open talk."""
    promise = ("add_pending_action", {"entity": "p1", "action": "Open the vault."})
    results(stage, ALICE, promise, kind="whisper")
    (found,) = results(stage, ALICE, ("recall_conversation_context", {"entity": "p1"}))
    assert "vault" not in str(found)


def test_talk_fills_its_own_context(stage):
    """What was said last, things in sight and what stays unanswered are noted without a model."""
    stage.world.carry("a silver sword")
    stage.model.call("wait")
    stage.ask(ALICE, "Have you seen the silver sword? It was in the old cave. Where is it?")
    talk = stage.store.read("working", key_of(ALICE.id, "*"))
    assert talk["topic"] == "Have you seen the silver sword?"
    assert talk["context"]["mentioned_items"] == ["a silver sword"]
    assert talk["context"]["unresolved_questions"] == ["Where is it?"]
    stage.model.say("In the mill, under the stones.")
    stage.ask(ALICE, "So where is the sword?")
    talk = stage.store.read("working", key_of(ALICE.id, "*"))
    assert talk["context"]["unresolved_questions"] == []


def test_episodes_come_with_their_reasons(stage):
    """Each tells its score, its age, and what made it come."""
    row = MemoryRow("The dragon burned the mill.", author_name="Bob", learned_at=stage.clock.now())
    stage.mind.save(Commit(0.0, rows=[row]))
    stage.clock.advance(3 * DAY)
    (found,) = results(stage, ALICE, ("search_episodic_memory", {"query": "dragon"}))
    (hit,) = found["memories"]
    assert hit["text"] == "The dragon burned the mill."
    assert hit["age_days"] == 3.0
    assert hit["why"]["words"] > 0
    (nothing,) = results(
        stage, ALICE, ("search_episodic_memory", {"query": "dragon", "days_back": 1})
    )
    assert all("dragon burned" not in one["text"] for one in nothing["memories"])


def test_what_is_stored_is_found_under_the_turns_label(stage):
    """A fact told in a whisper is kept for those ears, and found by them."""
    stored = ("store_memory", {"content": "The old bridge is closed.", "importance": 8})
    (kept,) = results(stage, ALICE, stored, kind="whisper")
    assert kept["noted"] == "The old bridge is closed."
    row = next(one for one in stage.store.memories.values() if one.kind == "fact")
    assert (row.readers, row.importance, row.author) == (ALICE.id, 8, ALICE.id)
    assert row.trust == TRUST["told"]
    (found,) = results(stage, BOB, ("recall_memories", {"query": "old bridge"}))
    assert "closed" not in str(found)


def test_the_journal_is_written_with_weight_and_tags(stage):
    """An entry gets its importance from its words, its tags and its label from the turn."""
    call = {"content": "Alice swore an oath to the guard.", "tags": ["Guard"]}
    (written,) = results(stage, ALICE, ("add_journal_entry", call))
    entry = stage.store.read("journal")["entries"][0]
    assert entry["importance"] == written["importance"] == 9
    assert entry["tags"] == ["guard", "promise"]
    assert entry["readers"] == "*"


def test_an_entry_belongs_to_projects_that_may_be_spoken_of(stage):
    """It names projects that there are, none that are not for these ears, and sinks with theirs."""
    for key, readers in (("tavern", "*"), ("heist", BOB.id), ("gift", ALICE.id)):
        made = {"key": key, "summary": "x", "at": 0.0, "readers": readers}
        stage.mind.save(Commit(0.0, changes=[Change("projects", "", "create_project", made)]))
    entry = {"content": "Bought planks.", "related_projects": ["Tavern", "gift"]}
    (written,) = results(stage, ALICE, ("add_journal_entry", entry), kind="whisper")
    assert written["ok"]
    kept = stage.store.read("journal")["entries"][0]
    assert (kept["related_projects"], kept["readers"]) == (["tavern", "gift"], ALICE.id)
    entry["related_projects"] = ["heist"]
    (refused,) = results(stage, ALICE, ("add_journal_entry", entry))
    assert "no project" in refused["error"]


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("update_relationship", {"entity": "p1", "delta": 0.0, "reason": "x"}, "not 0"),
        ("update_relationship", {"entity": "p9", "delta": 0.1, "reason": "x"}, "no person 'p9'"),
        ("add_pending_action", {"entity": "p1", "action": "x", "priority": 0}, "from 1 to 9"),
        ("complete_pending_action", {"entity": "p1", "action": "x"}, "no such promise"),
        ("search_episodic_memory", {"query": "x", "days_back": -1}, "'days_back'"),
        ("search_episodic_memory", {"query": "x", "alpha_recency": 9.0}, "'alpha_recency'"),
        ("search_episodic_memory", {"query": "x", "min_importance": 11}, "'min_importance'"),
        ("store_memory", {"content": "x", "importance": 11}, "'importance'"),
        ("add_journal_entry", {"content": "x", "importance": -1}, "'importance'"),
        ("start_entity_conversation", {"entity": "x1", "topic": "x"}, "person"),
        (
            "recall_entity_profile",
            {"entity": "Nobody"},
            "no thing 'Nobody' here. You see: p1 Alice",
        ),
        ("recall_conversation_context", {"entity": ""}, "must not be empty"),
    ],
)
def test_bad_arguments_are_told(stage, name, arguments, problem):
    """The model learns what is wrong, and nothing is written."""
    (result,) = results(stage, ALICE, (name, arguments))
    assert problem in result["error"]


@pytest.mark.parametrize("name", ["store_memory", "update_entity_observation"])
def test_the_character_is_no_fact(stage, name):
    """What the character says of itself is refused, with what would do."""
    text = "I helped Alice find the cave."
    key = "content" if name == "store_memory" else "observation"
    extra = {"entity": "p1"} if name != "store_memory" else {}
    (refused,) = results(stage, ALICE, (name, {key: text, **extra}))
    assert refused["success"] is False
    assert refused["rejected_content"] == text
    assert refused["suggestion"]


def test_claims_are_counted(stage):
    """Twenty an hour on one speaker's word are enough."""
    call = "update_entity_observation"
    for number in range(20):
        noted = {"entity": "p1", "observation": f"Alice owns {number} boats."}
        assert "noted" in results(stage, ALICE, (call, noted))[0]
        stage.clock.advance(60)
    more = (call, {"entity": "p1", "observation": "Alice owns a fleet."})
    assert "enough" in results(stage, ALICE, more)[0]["error"]
    stage.clock.advance(3600)
    assert "noted" in results(stage, ALICE, more)[0]


def test_hearsay_names_its_source(stage):
    """What Bob tells of Alice is kept as told by Bob."""
    noted = {"entity": "p1", "observation": "Alice stole a purse.", "source": "direct"}
    results(stage, BOB, ("update_entity_observation", noted))
    item = stage.store.read("profile", ALICE.id)["observations"][0]
    assert (item["source"], item["told_by"], item["trust"]) == ("told", "Bob", 0.5)


def test_a_note_of_what_was_said_before_is_not_the_word_of_whoever_spoke_last(stage):
    """It is that of whoever said so; where that is not clear, nobody's in particular."""
    stage.model.say("Aye.")
    stage.ask(ALICE, "Captain, I keep a grey mare, and the bridge at Vey is closed.")
    both = f"{ALICE.id},{BOB.id}"
    for fact, authors, source in (
        ("Alice keeps a grey mare.", ALICE.id, "direct"),
        ("Alice rides a grey horse.", both, "told"),
    ):
        results(stage, BOB, ("note", {"fact": fact, "about": "Alice"}))
        item = stage.store.read("profile", ALICE.id)["observations"][-1]
        kept = (item["content"], item["author"], item["source"], item["told_by"])
        assert kept == (fact, authors, source, "")
    for fact, authors, name in (
        ("The bridge at Vey is closed.", ALICE.id, "Alice"),
        ("Nobody goes to market today.", both, ""),
    ):
        results(stage, BOB, ("note", {"fact": fact}))
        row = [one for one in stage.store.memories.values() if one.kind == "fact"][-1]
        assert (row.content, row.author, row.author_name) == (fact, authors, name)
