"""Working memory: one conversation for each pair of somebody and those who may know of it."""

from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.folding import MOST_TOKENS
from ai_assistant.memory.talk.working import (
    MAX_PENDING,
    WORKING,
    add_conversation_message,
    add_pending_action,
    has_room_for,
    key_of,
    start_conversation,
)


def test_labels_make_different_conversations():
    """What is whispered is another conversation than what is said aloud, with everybody."""
    keys = {
        key_of(who, readers)
        for who in ("e-alice", "e-bob")
        for readers in (OPEN, "e-alice", "e-alice,e-bob", "c-guild")
    }
    assert len(keys) == 8
    assert key_of("e-alice", OPEN) == "e-alice"


def test_a_key_fits_an_attribute():
    """However many readers there are, the key stays short."""
    crowd = ",".join(f"e-{number:036}" for number in range(200))
    assert len(key_of("e-" + "x" * 36, crowd)) < 60


def test_a_conversation_is_resumed():
    """Starting again keeps the beginning and the topic, unless there is a new one."""
    talk = WORKING.empty()
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=0.0, topic="ships")
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=9.0)
    assert (talk["started"], talk["topic"]) == ("1970-01-01T00:00:00Z", "ships")
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=9.0, topic="rum")
    assert talk["topic"] == "rum"


def test_a_long_talk_is_folded_and_nothing_is_dropped():
    """From so many tokens on the newest stay, far more than a prompt shows of them; the older ones
    are lines of the summary.
    """
    talk = WORKING.empty()
    for number in range(41):
        words = f"word {number} " + "x" * (4 * MOST_TOKENS // 40)
        add_conversation_message(
            talk, at=float(number), role="user", content=words, id=f"e{number}"
        )
    left = [line["id"] for line in talk["messages"]]
    assert [one["id"] for one in talk["summed"]] + left == [f"e{n}" for n in range(41)]
    assert 0 < len(talk["summed"]) < 20
    told = talk["summary"].split("\n")
    assert [line[: len("- user: word 0")] for line in told[:1]] == ["- user: word 0"]
    assert len(told) == len(talk["summed"])


def test_an_hour_of_silence_ends_a_talk():
    """Another begins; what was said is in the summary, what was promised still stands."""
    talk = WORKING.empty()
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=0.0, topic="ships")
    add_conversation_message(talk, role="user", content="Ahoy!", at=0.0)
    add_pending_action(talk, action="hoist the sail", priority=1, at=0.0)
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=3601.0)
    assert (talk["topic"], talk["messages"]) == ("", [])
    assert talk["summary"] == "- user: Ahoy!"
    assert [one["action"] for one in talk["pending_actions"]] == ["hoist the sail"]


def test_the_most_urgent_comes_first():
    """Pending actions are in order of urgency, equals in order of time."""
    talk = WORKING.empty()
    for action, priority in (("c", 3), ("a", 1), ("d", 3), ("b", 2)):
        add_pending_action(talk, action=action, priority=priority, at=0.0)
    assert [item["action"] for item in talk["pending_actions"]] == ["a", "b", "c", "d"]


def test_no_promise_is_dropped_for_another():
    """Where twenty wait there is no room, however urgent; what waits already takes a new place."""
    talk = WORKING.empty()
    for number in range(MAX_PENDING):
        add_pending_action(talk, action=f"row {number} miles", priority=5, at=0.0)
    before = list(talk["pending_actions"])
    assert not has_room_for(talk, "bail")
    add_pending_action(talk, action="bail", priority=1, at=0.0)
    assert talk["pending_actions"] == before
    add_pending_action(talk, action="row 7 miles", priority=1, at=0.0)
    assert talk["pending_actions"][0]["action"] == "row 7 miles"
    assert len(talk["pending_actions"]) == MAX_PENDING
