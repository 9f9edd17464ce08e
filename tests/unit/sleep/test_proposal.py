"""Proposals of a model count only as far as its evidence goes."""

import json

from ai_assistant.sleep.proposal import looked_again, read_proposal

NOTES = (
    "Alice lives in Oakvale",
    "Alice has two goats",
    "Alice hates onions",
    "Alice moved to Vey",
)
NAMES = ("Alice", "Captain Seraphina Stormborne")


def proposed(*items, notes=NOTES):
    """Return what is left of an answer of (value, evidence) items, and why nothing is."""
    answer = json.dumps([{"type": "x", "value": value, "evidence": ids} for value, ids in items])
    observations = [{"content": note} for note in notes]
    found = read_proposal(f"Here you are: {answer}", observations, NAMES)
    return [(one.value, one.evidence) for one in found.traits], found.refused


ALL = tuple((note, [number]) for number, note in enumerate(NOTES, start=1))


def test_an_answer_in_the_words_of_the_notes_is_taken():
    """Its ids count from one, and come back as places."""
    traits, refused = proposed(*ALL)
    assert traits == [(note, (number,)) for number, note in enumerate(NOTES)]
    assert not refused


def test_other_words_for_the_same_are_taken():
    """A model may say that somebody resides where the note says they live."""
    traits, _ = proposed(("Alice resides in Oakvale", [1]), *ALL[1:])
    assert traits[0] == ("Alice resides in Oakvale", (0,))


def test_an_invention_without_evidence_is_refused():
    """Neither what no note says, nor what is added to one, nor other numbers and names."""
    inventions = (
        ("Alice is the rightful heir of a distant throne", [1]),
        ("Alice hates onions and is very proud of it", [3]),
        ("Alice lives in Oakvale with three children", [1]),
        ("Alice has 12 goats", [2]),
        ("Alice lives in Oakvale with Rowan", [1]),
    )
    traits, _ = proposed(*inventions, *ALL)
    assert {value for value, _ in traits} == set(NOTES)


def test_a_note_that_says_otherwise_is_no_evidence():
    """What a trait contradicts is not used up by it."""
    traits, _ = proposed(("Alice moved to Vey", [1, 4]), *ALL[1:3])
    assert traits[0] == ("Alice moved to Vey", (3,))


def test_two_facts_in_one_are_taken_apart():
    """A trait tells one thing, so that it can change alone."""
    traits, _ = proposed(("Alice hates onions and lives in Oakvale", [1, 3]), ALL[1], ALL[3])
    assert traits[:2] == [("Alice hates onions", (2,)), ("Alice lives in Oakvale", (0,))]


def test_an_answer_that_loses_too_much_is_refused():
    """Less than half of the notes, or no list at all, is no answer."""
    assert proposed(ALL[0])[1] == "only 1 of 4 notes kept"
    assert read_proposal("I am sorry.", [{"content": NOTES[0]}], NAMES).refused


def test_what_two_looks_leave_out_tells_nothing_that_lasts():
    """A slip of the first look is mended by the second; what both leave out is named."""
    notes = [{"content": f"Alice {said}", "source": "direct"} for said in (
        "lives in Oakvale", "keeps bees", "hums a tune")]  # fmt: skip
    first = read_proposal(answer_of(("Alice lives in Oakvale", 1), ("Alice hums a tune", 9)),
                          notes[:1], ["Alice", "Sera"])  # fmt: skip
    both = looked_again(first, answer_of(("Alice keeps bees", 1)), notes, ["Alice", "Sera"])
    assert [one.value for one in both.traits] == ["Alice lives in Oakvale", "Alice keeps bees"]
    assert (both.traits[1].evidence, both.nothing) == ((1,), (2,))


def test_a_second_look_without_an_answer_settles_nothing():
    """Where the model fails the second time, the rules keep what it left out."""
    notes = [{"content": "Alice lives in Oakvale", "source": "direct"},
             {"content": "Alice keeps bees", "source": "direct"}]  # fmt: skip
    first = read_proposal(answer_of(("Alice lives in Oakvale", 1)), notes, ["Alice", "Sera"])
    assert looked_again(first, "", notes, ["Alice", "Sera"]) == first
    assert looked_again(first, "[]", notes, ["Alice", "Sera"]).nothing == (1,)


def answer_of(*items):
    """Return a model's answer of these values, each with the id of its note."""
    made = [{"type": "trait", "value": value, "evidence": [id]} for value, id in items]
    return json.dumps(made)
