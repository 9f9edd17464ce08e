"""Working memory: one conversation for each pair of somebody and those who may know of it."""

from ai_assistant.memory.working import (
    WINDOW,
    add_conversation_message,
    add_pending_action,
    empty_conversation,
    key_of,
    start_conversation,
)
from ai_assistant.readers import OPEN


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
    talk = empty_conversation()
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=0.0, topic="ships")
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=9.0)
    assert (talk["started"], talk["topic"]) == ("1970-01-01T00:00:00Z", "ships")
    start_conversation(talk, entity_id="e-alice", readers=OPEN, at=9.0, topic="rum")
    assert talk["topic"] == "rum"


def test_the_window_keeps_the_newest():
    """The last twenty messages stay, in order."""
    talk = empty_conversation()
    for number in range(WINDOW + 5):
        add_conversation_message(talk, role="user", content=str(number), at=float(number))
    assert [line["content"] for line in talk["messages"]] == [str(n) for n in range(5, 25)]
    assert talk["last_message"] == "1970-01-01T00:00:24Z"


def test_the_most_urgent_comes_first():
    """Pending actions are in order of urgency, equals in order of time."""
    talk = empty_conversation()
    for action, priority in (("c", 3), ("a", 1), ("d", 3), ("b", 2)):
        add_pending_action(talk, action=action, priority=priority, at=0.0)
    assert [item["action"] for item in talk["pending_actions"]] == ["a", "b", "c", "d"]
