"""Notes weighed: on whose word they are, what they replace by day, and when they move feelings."""

import json

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.memory.people.traits import SEEN, basis_of
from ai_assistant.testing import ScriptedModel, people
from tests.unit.sleep.nights import FILLER, a_stage, held, night, note, noted, told, traits

ALICE, BOB = people("Alice", "Bob")
NOWHERE = "nothing: you have that from a better source, so the new is doubtful beside it"


@pytest.fixture
def stage():
    """Alice, who told yesterday where she lives and gave her ring away, and Bob."""
    gift = {"fact": "Alice gave her ring to Bob", "about": "Alice"}
    table = {"I live in Oakvale.": "{who} lives in Oakvale", "gives Bob the silver ring.": gift}
    stage = a_stage(table)
    stage.model.others = ScriptedModel()
    stage.world.enter(ALICE, BOB)
    told(stage, ALICE, "gives Bob the silver ring.", kind="gift")
    told(stage, ALICE, "I live in Oakvale.", *FILLER)
    night(stage)
    stage.clock.advance(4000)
    return stage


def notes(stage, *said, **arguments):
    """Let the character note this in a turn of these events; returns what the tool tells.

    Unasked it has one call, and reads no result.
    """
    stage.model.others.call("note", about="Alice", **arguments).call("wait")
    events = [stage.hear(*line) for line in said]
    stage.turn(*events, **({} if events else {"context_type": "tick_autonomous"}))
    messages = stage.model.others.requests[-1].messages
    results = [one.content for one in messages if one.role == "tool"]
    return json.loads(results[-1]) if events else {"replaced": NOWHERE}


def basis(stage, content):
    """Return on whose word a note stands."""
    known = stage.store.read("profile", ALICE.id)["observations"]
    (found,) = [item for item in known if item["content"] == content]
    return basis_of(found, ALICE.id)


SAYS = (BOB, "Captain, Alice lives in Vey.")
GREETS = (ALICE, "Captain, good evening.")
GIVES = (ALICE, "Alice gives you a ring.", "gift")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([GREETS], "own"),
        ([SAYS], "told"),
        ([SAYS, GREETS], "told"),
        ([GREETS, SAYS], "told"),
        ([GIVES], "seen"),
        ([GIVES, GREETS], "own"),
        ([(BOB, "Bob gives you a ring.", "gift")], "inferred"),
        ([], "inferred"),
    ],
    ids=["hers", "his", "both", "both in turn", "gift", "gift and word", "his gift", "unasked"],
)
def test_a_note_is_on_the_weakest_word_that_fits(stage, said, expected):
    """Her own where she alone spoke; seen what the game shows of her; hearsay, or a thought."""
    notes(stage, *said, fact="Alice lives in Vey.")
    assert basis(stage, "Alice lives in Vey.") == expected


def test_what_a_note_may_not_be_is_said_beforehand(stage):
    """How a fact must not begin, and that what still holds of the old belongs into the new."""
    found = notes(stage, GREETS, fact="I lent Alice my road pass.")
    assert found["ok"] is False
    shown = {tool["function"]["name"]: tool for tool in stage.model.others.requests[-1].tools}
    told = shown["note"]["function"]["parameters"]["properties"]
    assert "not begin with yourself" in told["fact"]["description"]
    assert "still holds" in told["replaces"]["description"]


def test_who_only_asks_has_told_nothing(stage):
    """Her own earlier words are hers, whoever asks; what he says himself of her is hearsay."""
    stage.overhear(ALICE, "My brother is called Thomas, he lives in Vey.")
    asked = (BOB, "Captain, what is Alice's brother called?")
    notes(stage, asked, fact="Alice's brother is called Thomas and lives in Vey.")
    assert basis(stage, "Alice's brother is called Thomas and lives in Vey.") == "own"
    said = (BOB, "Captain, Alice's brother is a thief.")
    notes(stage, said, fact="Alice's brother Thomas is a thief.")
    assert basis(stage, "Alice's brother Thomas is a thief.") == "told"


def test_who_answers_for_herself_needs_nobodys_words(stage):
    """Her yes to a question of his is her own word."""
    stage.overhear(BOB, "Alice, do you own a cat?")
    notes(stage, (ALICE, "Yes, Captain."), fact="Alice owns a cat.")
    assert basis(stage, "Alice owns a cat.") == "own"


@pytest.mark.parametrize("said", [[SAYS, GREETS], []], ids=["hearsay", "a thought"])
def test_hearsay_and_thoughts_replace_nobodys_own_word(stage, said):
    """Also where she says something else in the same turn: the note stands beside it, doubtful."""
    found = notes(stage, *said, fact="Alice lives in Vey.", replaces="Alice lives in Oakvale")
    assert found["replaced"] == NOWHERE
    assert "Alice lives in Oakvale" in traits(stage, ALICE)
    assert noted(stage, ALICE) == ["Alice lives in Vey."]


def test_nobodys_word_replaces_what_was_seen(stage):
    """By day as at night: the game showed it, she only says so."""
    assert held(stage, ALICE, "Alice gave her ring to Bob")["basis"] == SEEN
    words = {"fact": "Alice has her ring.", "replaces": "Alice gave her ring to Bob"}
    assert notes(stage, GREETS, **words)["replaced"] == NOWHERE
    assert "Alice gave her ring to Bob" in traits(stage, ALICE)


def test_a_thought_is_the_weakest_at_night_too():
    """It may become what is held; any word takes its place."""
    moved = {"fact": "{who} lives in Oakvale", "replaces": ["Alice lives in Ashby"]}
    table = {"Alice lives in Ashby": "Alice lives in Ashby", "I moved to Oakvale.": moved}
    stage = a_stage(table)
    note(stage, ALICE, "Alice lives in Ashby", source="inferred", author="e-sera")
    told(stage, ALICE, *FILLER)
    night(stage)
    assert held(stage, ALICE, "Alice lives in Ashby")["basis"] == "inferred"
    stage.clock.advance(80_000)
    told(stage, ALICE, "I moved to Oakvale.", *FILLER)
    night(stage)
    assert traits(stage, ALICE) == ["Alice lives in Oakvale"]


def test_a_note_replaces_every_copy(stage):
    """A trait and notes in the same words, on two words: none of them stands on."""
    note(stage, ALICE, "Alice lives in Oakvale.")
    note(stage, ALICE, "Alice lives in Oakvale.", source="told", author=BOB.id)
    words = {"fact": "Alice lives in Vey.", "replaces": "Alice lives in Oakvale"}
    assert notes(stage, GREETS, **words)["replaced"]
    assert noted(stage, ALICE) == []
    assert traits(stage, ALICE) == ["Alice gave her ring to Bob", "Alice lives in Vey."]
    past = held(stage, ALICE, "Alice lives in Vey.", OPEN)["was"]
    assert [former["basis"] for former in past if "Oakvale" in former["value"]].count("told") == 1


def test_what_was_hearsay_becomes_her_own_word(stage):
    """Where she confirms it, what stands in its place is no weaker than what it replaced."""
    notes(stage, SAYS, fact="Alice has a cat.")
    notes(stage, SAYS, fact="Alice has a dog.", replaces="Alice has a cat")
    words = {"fact": "Alice has a dog.", "replaces": "Alice lives in Oakvale"}
    notes(stage, GREETS, **words)
    assert held(stage, ALICE, "Alice has a dog.")["basis"] == "own"
    stage.clock.advance(60)
    found = notes(stage, SAYS, fact="Alice has an owl.", replaces="Alice has a dog")
    assert found["replaced"] == NOWHERE


def test_secrets_leave_room_for_notes(stage):
    """Fifty of them, and what is noted still stands, and may replace a trait."""
    note(stage, ALICE, *(f"Alice hid {n} crowns." for n in range(50)), kind="secret")
    stage.clock.advance(4000)
    words = {"fact": "Alice lives in Vey.", "replaces": "Alice lives in Oakvale"}
    assert notes(stage, GREETS, **words)["replaced"] == ["Alice lives in Oakvale"]
    assert "Alice lives in Vey." in traits(stage, ALICE)


def test_what_is_a_secret_already_replaces_nothing(stage):
    """In the same words it stays confided; the turn goes on."""
    note(stage, ALICE, "Alice lives in Vey.", kind="secret")
    words = {"fact": "Alice lives in Vey.", "replaces": "Alice lives in Oakvale"}
    assert notes(stage, GREETS, **words)["replaced"].endswith("in confidence")


@pytest.mark.parametrize("said", [[SAYS], []], ids=["slander", "unasked"])
def test_without_a_line_of_hers_nothing_is_felt(stage, said):
    """One line counts once, and none not at all; the result says so."""
    before = stage.store.read("profile", ALICE.id)["relationship"]["favorability"]
    found = notes(stage, *said, fact="Alice is vile.", feeling=-2)
    assert stage.store.read("profile", ALICE.id)["relationship"]["favorability"] == before
    assert not said or found["feeling"].startswith("unmoved")
