"""Reconciling: the same adds evidence, another value replaces, and hearsay gives way."""

from ai_assistant.contracts import NewRow
from ai_assistant.memory.parts import iso
from ai_assistant.sleep.reconcile import reconcile
from ai_assistant.sleep.wider import SEEN, TOLD, Candidate


def seen(value, at=1.0, row=1):
    """Something that the person said themselves."""
    return Candidate(value, at, SEEN, (row,), "ea")


def told(value, at=1.0, row=1):
    """Something that somebody else said."""
    return Candidate(value, at, TOLD, (row,), "eb")


def known(*candidates):
    """Return the traits that these make."""
    return reconcile("Alice", [], candidates, "*").add


def test_the_same_again_only_adds_evidence():
    """A trait keeps its words, and rests on one row more."""
    before = known(seen("Alice lives in Oakvale"))
    outcome = reconcile("Alice", before, [seen("Alice's home is in Oakvale", 2.0, 2)], "*")
    (trait,) = outcome.add
    assert (trait["value"], trait["evidence"]) == ("Alice lives in Oakvale", [1, 2])
    assert len(outcome.drop) == 1
    assert (outcome.merged, outcome.learned) == (["Alice's home is in Oakvale"], [])


def test_the_latest_value_stands_and_the_older_is_its_past():
    """Whatever order they come in, what was said last holds."""
    later, earlier = seen("Alice moved to Vey", 9.0, 2), seen("Alice lives in Oakvale", 1.0)
    (trait,) = known(later, earlier)
    assert trait["value"] == "Alice moved to Vey"
    assert [one["value"] for one in trait["was"]] == ["Alice lives in Oakvale"]


def test_hearsay_never_overrides_what_was_seen():
    """What others say against somebody's own word is doubted; of what is new they are believed."""
    before = known(seen("Alice lives in Oakvale"))
    claims = [told("Alice lives in Ashby", 5.0), told("Alice has a mule", 5.0)]
    outcome = reconcile("Alice", before, claims, "*")
    assert outcome.doubted == ["Alice lives in Ashby"]
    assert [(one["value"], one["basis"]) for one in outcome.add] == [("Alice has a mule", TOLD)]
    assert outcome.drop == []


def test_one_s_own_word_replaces_hearsay():
    """As soon as somebody speaks of it themselves, that is what holds."""
    before = known(told("Alice lives in Ashby"))
    outcome = reconcile("Alice", before, [seen("Alice lives in Oakvale", 2.0)], "*")
    assert [one["value"] for one in outcome.add] == ["Alice lives in Oakvale"]


def test_evidence_may_be_a_row_of_the_same_commit():
    """What was noted awake gets its row together with the trait that rests on it."""
    fresh = Candidate("Alice keeps bees", 2.0, SEEN, (NewRow(0),), "ea")
    outcome = reconcile("Alice", known(seen("Alice lives in Oakvale")), [fresh], "*")
    assert [one["evidence"] for one in outcome.add] == [[NewRow(0)]]


def test_what_is_known_changes_nothing():
    """Where nothing is new, nothing is dropped and nothing added."""
    before = known(seen("Alice lives in Oakvale"), seen("Alice keeps bees"))
    outcome = reconcile("Alice", before, [], "*")
    assert (outcome.drop, outcome.add) == ([], [])


def test_what_staff_set_since_is_not_overridden_by_older_talk():
    """Talk of yesterday becomes the past of what was set today; talk of tomorrow replaces it."""
    set_by_staff = {
        "type": "home", "value": "Alice lives in Vey", "source": "staff", "created": iso(100.0),
        "evidence": [], "author": "", "readers": "*",
    }  # fmt: skip
    (trait,) = reconcile("Alice", [set_by_staff], [seen("Alice lives in Oakvale", 50.0)], "*").add
    assert trait["value"] == "Alice lives in Vey"
    assert [one["value"] for one in trait["was"]] == ["Alice lives in Oakvale"]
    (trait,) = reconcile("Alice", [set_by_staff], [seen("Alice lives in Oakvale", 150.0)], "*").add
    assert trait["value"] == "Alice lives in Oakvale"


def test_a_fact_keeps_its_kind_whatever_a_model_calls_it():
    """A model's word for the kind counts where the rules know none."""
    named = [
        Candidate("Alice works as a mason", 1.0, SEEN, (1,), type="fact"),
        Candidate("Alice talks to crows", 2.0, SEEN, (2,), type="habit"),
    ]
    assert [one["type"] for one in known(*named)] == ["work", "habit"]
