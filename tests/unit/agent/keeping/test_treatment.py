"""How people treat the character: without a model by a few words, by gifts and kept promises."""

import pytest

from ai_assistant.agent.keeping.treatment import KEPT_WITHIN
from ai_assistant.core.times import DAY, iso
from ai_assistant.memory.people.feelings import FIRST_IMPRESSION
from ai_assistant.testing import people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def thinking(stage):
    """The same with a model that judges for itself."""
    stage.model.is_offline = lambda job: False
    return stage


def bond(stage, who=ALICE):
    return stage.store.read("profile", who.id)["relationship"]


def moved(stage, text, kind="say", who=ALICE):
    """Let somebody say or do something; returns by how much that moved feelings."""
    before = bond(stage, who)["favorability"]
    stage.model.say("Aye.")
    stage.ask(who, text, kind)
    return bond(stage, who)["favorability"] - before


def reasons(stage, who=ALICE):
    return [one["reason"] for one in bond(stage, who)["history"]]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Thank you for the warm supper.", 1),
        ("Well done, Captain!", 1),
        ("What a fool you are.", -1),
        ("I will kill you if you tell anybody.", -1),
        ("Which way is the harbour?", 0),
        ("My brother is such a fool.", 0),
        ("You are not stupid.", 0),
    ],
)
def test_plain_words_move_a_little(stage, text, sign):
    """Thanks, praise, insults and threats; all else leaves feelings alone."""
    change = moved(stage, text)
    assert (change > 0) - (change < 0) == sign
    assert abs(change) <= 0.05


def test_a_change_has_its_reason_and_its_line(stage):
    """What was it, and in which line."""
    stage.model.say("Aye.")
    event = stage.hear(ALICE, "You coward!")
    stage.turn(event)
    (change,) = bond(stage)["history"]
    assert (change["reason"], change["event"], change["author"]) == (
        "an insult", event.id, ALICE.id,
    )  # fmt: skip


def test_an_insult_without_an_answer_counts(stage):
    """It was heard all the same."""
    stage.model.call("wait")
    stage.ask(ALICE, "You coward!")
    assert reasons(stage) == ["an insult"]


def test_with_a_model_words_are_its_own_to_judge(thinking):
    """No list of words stands beside it: friends may tease each other."""
    assert moved(thinking, "You old fool!") == 0


@pytest.mark.parametrize("model", [False, True])
def test_a_gift_warms_more_than_thanks(stage, model):
    """The game knows of it, whoever thinks."""
    stage.model.is_offline = lambda job: not model
    gift = moved(stage, "Alice gives you a lantern.", "gift")
    assert gift > moved(stage, "Thank you!", who=BOB) >= 0


def test_gifts_of_a_day_do_less_each_time(stage):
    """A friend is not bought in an afternoon."""
    gains = [moved(stage, "Alice gives you a coin.", "gift") for _ in range(9)]
    assert gains[0] > gains[4] > gains[8] >= 0
    assert sum(gains) < 0.1


def test_what_the_model_felt_about_a_gift_stands(thinking):
    """It knows that the gift was an insult: the line counts once."""
    thinking.model.call("note", about="p1", fact="Alice gave me a dead rat.", feeling=-2)
    thinking.model.say("How dare you.")
    thinking.ask(ALICE, "Alice gives you a dead rat.", "gift")
    (change,) = bond(thinking)["history"]
    assert (change["delta"], change["reason"]) == (-0.05, "Alice gave me a dead rat.")


def test_a_note_may_move_feelings(thinking):
    """With the plain tool for notes, and its fact as the reason; refused values say why."""
    thinking.model.call("note", about="p1", fact="Alice mocked the guard.", feeling=-1)
    thinking.model.say("Enough.")
    thinking.ask(ALICE, "The guard is a joke.")
    assert reasons(thinking) == ["Alice mocked the guard."]
    thinking.model.call("note", about="p1", fact="Alice sings.", feeling=9).say("Aye.")
    thinking.ask(ALICE, "La la.")
    assert len(reasons(thinking)) == 1


def test_a_promise_kept_is_more_than_a_gift(stage):
    """Who said so and brings it has kept their word; it is settled then."""
    plain = moved(stage, "Bob gives you a lamp.", "gift", BOB)
    assert moved(stage, "I will bring you some oil tomorrow.") == 0
    stage.clock.advance(DAY)
    assert moved(stage, "Alice gives you a flask of oil.", "gift") > plain
    stage.clock.advance(KEPT_WITHIN + DAY)
    moved(stage, "Hello.")
    assert reasons(stage) == ["a promise kept"]


def test_a_broken_promise_is_held_against_them_once(stage):
    """After some days, when they meet again, with the line in which it was made."""
    stage.model.say("Aye.")
    event = stage.hear(ALICE, "I'll bring you the rope.")
    stage.turn(event)
    stage.clock.advance(KEPT_WITHIN + 60)
    for _ in range(2):
        moved(stage, "Hello.")
    (change,) = bond(stage)["history"]
    assert (change["reason"], change["event"]) == ("a promise broken", event.id)
    assert bond(stage)["favorability"] < FIRST_IMPRESSION
    assert not bond(stage)["promises"]


def test_whispered_words_keep_their_reason_to_themselves(stage):
    """The feeling is open, the reason is for the two of them."""
    stage.model.call("whisper", to="p1", text="So be it.")
    stage.ask(ALICE, "You are kind.", "whisper")
    (change,) = bond(stage)["history"]
    assert change["readers"] == ALICE.id


def test_a_friendship_of_words_cools_while_one_is_away(stage):
    """The stance follows what is felt by now, before anything is said; the change is noted."""
    warm = {"favorability": 0.3, "state": "acquaintance"}
    profile = stage.store.parts["profile"].empty()
    profile["relationship"] |= warm | {"felt": iso(stage.clock.now())}
    stage.store.state["profile", ALICE.id] = profile
    moved(stage, "Hello.")
    assert "You know each other a little" in stage.model.shown()
    stage.clock.advance(365 * DAY)
    moved(stage, "Hello.")
    assert "You know each other a little" not in stage.model.shown()
    written = [one["content"] for one in stage.store.read("journal")["entries"]]
    assert "Alice, once an acquaintance, is a stranger now." in written


def test_four_days_of_insults_make_no_ally(stage):
    """Each line is answered, and each costs."""
    for _ in range(4):
        for _ in range(6):
            moved(stage, "You are a worthless idiot.")
        stage.clock.advance(DAY)
    assert bond(stage)["favorability"] < 0.05
    assert bond(stage)["state"] == "stranger"
