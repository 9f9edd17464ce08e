"""Records that outlive a version."""

from __future__ import annotations

from ai_assistant.core.contracts import Entity, Event


def test_event_of_an_older_version_is_read():
    """A field that it had then, and no more, keeps nobody from being answered."""
    event = Event("u1", 5.0, "external", Entity("e1", "Ada"), "say", "Hello")
    assert Event.from_json(event.to_json() | {"narrative_text": "Ada says, Hello"}) == event
