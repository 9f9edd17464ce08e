"""Guidelines: proposed, read by staff, then kept."""

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.memory.inner import guidelines
from ai_assistant.memory.inner.guidelines import MAX_PROPOSED, MAX_REJECTED, MAX_UNDER_ONE_LABEL


@pytest.fixture
def kept():
    """Two proposals, one of them private to Alice."""
    state = guidelines.GUIDELINES.empty()
    propose(state, "Ask before leaving.")
    propose(state, "Call Alice by her first name.", "e-alice")
    return state


def propose(state, content, readers=OPEN):
    guidelines.propose(state, content=content, reason="so", at=0.0, readers=readers)


def contents(state, which="accepted"):
    return [one["content"] for one in state[which]]


def everyone(readers, author):
    return readers == OPEN


def test_a_proposal_changes_nothing(kept):
    """Before somebody accepts it, nothing is shown."""
    assert guidelines.usable_guidelines(kept, lambda readers, author: True) == []


def test_accepted_ones_are_shown_to_whom_they_may_be(kept):
    """Accepting does not widen: what was proposed in private stays private."""
    for id in (1, 2):
        guidelines.accept(kept, id=id, by="Ada", at=1.0)
    assert [one["content"] for one in guidelines.usable_guidelines(kept, everyone)] == [
        "Ask before leaving."
    ]
    assert kept["accepted"][1]["readers"] == "e-alice"


def test_a_rejected_one_does_not_come_again(kept):
    """The same words under the same label are refused, with or without a full stop."""
    guidelines.reject(kept, id=1, by="Ada", at=1.0)
    assert guidelines.refusal(kept, "ask before leaving", OPEN) == "That is rejected already."
    propose(kept, "ask before leaving")
    assert contents(kept, "proposed") == ["Call Alice by her first name."]


def test_refusals_tell_nothing_across_labels(kept):
    """Whether Alice proposed it in private is not to be learnt by proposing it aloud."""
    assert guidelines.refusal(kept, "Call Alice by her first name.", OPEN) == ""


def test_nobody_fills_the_list():
    """A few proposals under one label, and some more in all."""
    state = guidelines.GUIDELINES.empty()
    for number in range(9):
        propose(state, f"rule {number}")
    assert len(state["proposed"]) == MAX_UNDER_ONE_LABEL
    for number in range(40):
        propose(state, f"rule {number}", f"e-{number}")
    assert len(state["proposed"]) == MAX_PROPOSED


def test_ids_never_repeat(kept):
    """A number names one guideline, also after others went."""
    guidelines.reject(kept, id=2, by="Ada", at=1.0)
    guidelines.add(kept, content="Bow.", at=2.0, readers=OPEN, by="Ada")
    assert kept["accepted"][0]["id"] == 3


def test_rejected_ones_are_kept_for_a_while():
    """So many, and no more."""
    state = guidelines.GUIDELINES.empty()
    for number in range(30):
        guidelines.add(state, content=f"rule {number}", at=0.0, readers=OPEN, by="Ada")
        guidelines.reject(state, id=state["last_id"], by="Ada", at=1.0)
    assert len(state["rejected"]) == MAX_REJECTED
