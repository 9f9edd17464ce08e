"""What a model says of a line that was saved is believed within the bound, or not at all."""

import json
from dataclasses import replace

import pytest

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.refinement import Case, is_supported, read_refinement

FELL = MemoryRow("The northern tower fell", id=7, meta={"what": "The northern tower fell"})
HEIR = MemoryRow("Alice is the heir", id=8, readers="bob")


@pytest.fixture
def case():
    """Alice said something before Bob and Charlie; the rules were unsure whom it was for."""
    return Case(
        session="s1", event="ev1", speaker="alice", line="Message: Alice: It will rain. GameDay: 6",
        readers="*", names={"alice": "Alice"}, bound=("bob", "charlie"), sure=False,
        learnt={"bob": [FELL, HEIR]},
    )  # fmt: skip


def read(case, participants=("bob",), knowledge=()):
    """Return what is made of an answer."""
    told = {"participants": list(participants), "knowledge": list(knowledge)}
    return read_refinement(json.dumps(told), case)


def learns(text, who="bob", sources=(7,)):
    """Return a piece of knowledge as a model answers it."""
    return {"who": who, "text": text, "from": list(sources)}


def test_a_model_narrows_the_default(case):
    """Whom it leaves out took no part; the speaker always did."""
    assert [(one.id, one.rule) for one in read(case).participants] == [
        ("alice", "speaker"), ("bob", "model"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "no", "[]", "{}", '{"participants": []}', '{"participants": "bob"}',
     '{"participants": [1]}', '{"participants": ["dana"]}', '{"participants": ["bob", "dana"]}',
     '{"participants": ["alice"]}', '{"participants": ["bob"], "knowledge": {}}',
     '{"participants": ["bob"], "knowledge": ["x"]}'],
)  # fmt: skip
def test_unknown_or_malformed_is_refused(case, text):
    """One id outside of the bound, or anything malformed, and the rules stand."""
    assert read_refinement(text, case) is None


def test_what_rules_are_sure_of_stays():
    """A model takes nobody out of what the rules know."""
    sure = Case("s1", "ev1", "alice", "x", "*", {}, ("bob", "charlie"), sure=True)
    assert [one.id for one in read(sure).participants] == ["alice", "bob", "charlie"]


def test_who_answered_stays(case):
    """Whoever spoke since took part, whatever a model says."""
    answered = replace(case, keep=frozenset({"charlie"}))
    assert [one.id for one in read(answered).participants] == ["alice", "bob", "charlie"]


def test_knowledge_is_phrased_from_rows_of_its_owner(case):
    """A sentence of their words is taken, for the one who has learnt those rows."""
    assert read(case, knowledge=[learns("The tower fell")]).knowledge == {"bob": ["The tower fell"]}


@pytest.mark.parametrize(
    "told",
    [learns("The southern tower fell"), learns("The tower did not fall"),
     learns("The tower fell", sources=[9]),
     learns("Alice is the heir", sources=[8]), learns("The tower fell", who="charlie"),
     learns("The tower fell", who="dana"), learns("", sources=[7]), learns("The", sources=[7]),
     learns("The tower fell", sources=[]), learns("The tower fell", sources=["7"])],
)  # fmt: skip
def test_unsupported_knowledge_is_refused(case, told):
    """Other words, other rows, other people's rows, narrower labels: refused as a whole."""
    assert read(case, knowledge=[told]) is None


def test_a_denial_is_not_left_out():
    """What is denied cannot be told as a fact."""
    assert not is_supported("The gate is open", ["The gate is not open"])
    assert is_supported("The gate is not open", ["The gate is not open"])


def test_a_model_reads_nothing_of_narrower_labels(case):
    """What only one may know is not in the request."""
    assert "heir" not in case.text()
    assert "tower" in case.text()
