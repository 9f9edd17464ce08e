"""The views that blocks are: what the private one says of the last meeting."""

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import iso
from ai_assistant.memory.people.feelings import update_relationship
from ai_assistant.memory.people.profiles import PROFILE, add_entity_observation
from ai_assistant.memory.talk.working import WORKING, add_conversation_message
from ai_assistant.planning.block_views import private_block


def talk_with_alice(*lines, readers=OPEN, **fields):
    talk = WORKING.empty() | {"entity_id": "e-al", "readers": readers} | fields
    for line in lines:
        add_conversation_message(talk, role="user", content=line, at=1.0)
    return talk


@pytest.mark.parametrize(
    ("talk", "phrase"),
    [
        (talk_with_alice("Where is the ferry?", "Thanks!"), 'talk of "Where is the ferry?"'),
        (talk_with_alice("Hi!", topic="the fire", topic_given=True), "talk of the fire"),
        (talk_with_alice(summary="- She came from Oldwell.", last_message=iso(1.0)),
         "She came from Oldwell."),
        (talk_with_alice("Hello!"), ""),
        (talk_with_alice("The crown is in the well.", readers="e-bo"), ""),
    ],
)  # fmt: skip
def test_the_last_interaction_is_what_happened(talk, phrase):
    """What the talk was about: by the model's word, by its summary, or in the words said."""
    met = PROFILE.empty() | {"name": "Alice", "last_interaction": iso(2.0)}
    seen = private_block(met, "e-al", [talk], now=3.0, allow=lambda who, _: who in (OPEN, "e-al"))
    assert seen["last_interaction"] == (f"today: {phrase}" if phrase else "today")


def test_what_was_done_goes_before_what_was_said():
    """What was noted of the meeting says more than a gift, and that more than words."""
    met = PROFILE.empty() | {"name": "Alice", "last_interaction": iso(5.0)}
    everything = {"now": 90_000.0, "allow": lambda readers, author: True}
    talks = [talk_with_alice("Where is the ferry?")]
    update_relationship(met, delta=0.03, reason="a gift: rose", author="e-al", at=4.0, kind="deed")
    seen = private_block(met, "e-al", talks, **everything)
    assert seen["last_interaction"] == "yesterday: a gift: rose"
    add_entity_observation(met, entity_id="e-al", content="Helped to defend the gate.",
                           source="direct", at=4.0)  # fmt: skip
    seen = private_block(met, "e-al", talks, **everything)
    assert seen["last_interaction"] == "yesterday: Helped to defend the gate."
