"""The mind between two turns: what it saves can be found, and what it estimates stays sane."""

from dataclasses import replace

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.ask_model import ask_model
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest, TokenUsage
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.search.recall import Recall
from ai_assistant.testing import DictStore, Stage, people
from ai_assistant.testing.scripted_model import run


def found(mind, query, allow=lambda label: True, **options):
    hits = run(mind.recall.search(query, 5, now=0.0, allow=allow, **options))
    return [one.row.content for one in hits]


def test_what_is_saved_is_found():
    """A stored row answers the question for its words, with its label and its kind."""
    mind = Stage().mind
    text = "The dragon sleeps."
    mind.save(Commit(at=0.0, rows=[MemoryRow(text, readers="e-bob", meta={"event": "e1"})]))
    assert found(mind, "dragon") == [text]
    assert found(mind, "dragon", allow=lambda label: label != "e-bob") == []
    assert found(mind, "dragon", where={"kind": "utterance", "event": "e1"}) == [text]
    assert found(mind, "dragon", where={"kind": "journal"}) == []


def journal_entry(content):
    entry = {"content": content, "source_type": "observation", "at": 0.0, "readers": "*"}
    return Change("journal", "", "add_journal_entry", entry)


def test_the_journal_is_found_before_and_after_it_moved_to_rows():
    """An entry is found once, whether it stands in the journal or became a row."""
    mind = Stage().mind
    mind.save(Commit(at=0.0, changes=[journal_entry("The dragon woke.")]))
    assert found(mind, "dragon") == ["The dragon woke."]
    for number in range(120):
        mind.save(Commit(at=0.0, changes=[journal_entry(f"Day {number}: rain.")]))
    assert found(mind, "dragon", where={"kind": "journal"})[:1] == ["The dragon woke."]
    assert len(mind.recall) == 121


def kept(part, op, key="", **step):
    return Change(part, key, op, {"at": 0.0, **step})


def noted(content, **step):
    about = {"entity_id": "e-alice", "source": "direct", **step}
    return kept("profile", "add_entity_observation", "e-alice", content=content, **about)


def trait(value, **step):
    about = {"entity_id": "e-alice", "type": "likes", "source": "game", **step}
    return kept("profile", "add_attribute", "e-alice", value=value, **about)


EVERYTHING = [
    noted("Alice owns a dragon."),
    trait("Fond of dragon eggs."),
    kept("session", "add_session_memory", memory_type="fact", content="The dragon is green."),
    kept("session", "add_session_memory", memory_type="pattern", content="All fear the dragon."),
    kept("notebook", "append", content="Feed the dragon."),
]


def test_whatever_is_kept_is_found():
    """What was noted of people, learned and written down, with the reference that names it."""
    mind = Stage().mind
    mind.save(Commit(at=0.0, changes=EVERYTHING))
    hits = run(mind.recall.search("dragon", 9, now=0.0, allow=lambda label: True))
    refs = {one.row.content: one.ref for one in hits}
    assert refs == {
        "Alice owns a dragon.": "o1@e-alice",
        "Fond of dragon eggs.": "t1@e-alice",
        "The dragon is green.": "f1",
        "All fear the dragon.": "p1",
        "Feed the dragon.": "n1",
    }


def test_whatever_is_kept_is_found_by_those_who_may_read_it():
    """A label filters items as it filters rows."""
    mind = Stage().mind
    secret = noted("Alice stole the dragon.", readers="e-bob")
    mind.save(Commit(at=0.0, changes=[*EVERYTHING[:1], secret]))
    assert found(mind, "dragon", allow=lambda label: label == "*") == ["Alice owns a dragon."]


def test_what_left_a_list_is_found_no_more():
    """What was replaced, redacted or became a row is not found where it was; the others stay."""
    mind = Stage().mind
    mind.save(Commit(at=0.0, changes=EVERYTHING))
    mind.save(Commit(at=0.0, changes=[kept("notebook", "write", content="Sell the dragon.")]))
    (item,) = mind.store.read("profile", "e-alice")["observations"]
    gone = Change("profile", "e-alice", "redact", {"edits": {fingerprint(item): None}})
    mind.save(Commit(at=0.0, changes=[gone]))
    words = found(mind, "dragon")
    assert "Sell the dragon." in words
    assert "Feed the dragon." not in words
    assert "Alice owns a dragon." not in words
    assert len(mind.recall) == 4


def test_an_item_that_moves_up_keeps_its_place_in_the_index():
    """Its reference follows its place in the list; nothing is indexed twice."""
    mind = Stage().mind
    mind.save(Commit(at=0.0, changes=[noted("Alice sings."), noted("Alice owns a dragon.")]))
    item = mind.store.read("profile", "e-alice")["observations"][0]
    gone = Change("profile", "e-alice", "redact", {"edits": {fingerprint(item): None}})
    mind.save(Commit(at=0.0, changes=[gone]))
    (hit,) = run(mind.recall.search("dragon", 9, now=0.0, allow=lambda label: True))
    assert hit.ref == "o1@e-alice"
    assert len(mind.recall) == 1


def test_what_stands_in_the_prompt_is_not_recalled_into_it_again():
    """A fact at hand is shown once; what was noted of somebody absent comes to mind."""
    stage = Stage()
    alice, bob = people("Alice", "Bob")
    stage.world.enter(bob)
    fact = kept("session", "add_session_memory", memory_type="fact", content="A dragon is green.")
    about = noted("Alice owns a dragon.")
    changes = [replace(fact, args={**fact.args, "readers": "*"}), replace(about, key=alice.id)]
    stage.mind.save(Commit(at=0.0, changes=changes))
    stage.model.say("Aye.")
    stage.ask(bob, "Who owns a dragon?")
    assert stage.model.shown().count("A dragon is green.") == 1
    assert stage.model.shown().count("Alice owns a dragon.") == 1


def test_what_is_learned_during_a_search_waits_for_its_end():
    """An index is never changed while another thread reads it."""

    async def thread(call):
        recall.learn([MemoryRow("A dragon!", id=6000)])
        assert len(recall) == 5000
        return call()

    recall = Recall(DictStore(PARTS), thread)
    recall.learn([MemoryRow(f"Sheep {number}", id=number + 1) for number in range(5000)])
    run(recall.search("sheep", 5, now=0.0, allow=bool))
    assert len(recall) == 5001


def test_the_estimate_stays_sane():
    """No answer of a provider makes the estimate of tokens absurd."""
    stage = Stage()
    for letters, tokens in ((1, 0), (1, 10**5), (10**4, 1)) * 20:
        usage = TokenUsage(tokens, 0, known=True)
        stage.model.replies.append(ModelReply("Hm.", usage=usage))
        request = ModelRequest(messages=(Message("user", "x" * letters),))
        run(ask_model(stage.mind, request))
        assert 0.1 <= stage.mind.tokens_per_char <= 1.0
