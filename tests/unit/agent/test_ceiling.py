"""The ceiling: what was loaded bounds what is said and what is written."""

import pytest

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.readers import NOBODY, OPEN, canonical
from ai_assistant.core.times import DAY
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.memory.talk.working import key_of
from ai_assistant.testing import Stage
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.scenes import (
    ALICE,
    BOB,
    CAROL,
    DOCKS,
    GUILD,
    SECRET,
    before_the_captain,
    stored,
    whispered,
)


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return before_the_captain()


def begun(stage, event):
    """Return a turn that begins with its prompt."""
    turn = begin(stage.mind, [event], "t9")
    run(build_prompt(turn))
    return turn


# -- what may be said


@pytest.mark.parametrize(
    ("kind", "place", "only"),
    [("whisper", "", "whisper"), ("page", "", "page"), ("channel", GUILD, "channel_say")],
)
def test_the_answer_goes_where_the_question_came_from(stage, kind, place, only):
    """A whisper, a page and a line on a channel each leave only one way to speak: plain words."""
    stage.world.channels[GUILD] = {ALICE.id}
    spoken = {"say", "emote", "whisper", "page", "channel_say"}
    for name in sorted(spoken - {only}):
        stage.model.call(name, text="To all of you!", **({"to": "p1"} if name == "whisper" else {}))
    stage.model.text("Very well.")
    stage.ask(ALICE, "Are you there?", kind, place=place)
    assert not spoken & set(stage.model.offered())
    ((speech, end),) = stage.world.deliveries
    assert (speech.text, end.hearers) == ("Very well.", {place or ALICE.id})


def test_recalling_a_secret_lowers_what_may_be_said(stage):
    """As soon as a secret is in the turn, speech that a newcomer would hear is gone."""
    whispered(stage)
    for number in range(70):  # the whisper leaves the window, so that it must be recalled
        stage.overhear(BOB, f"Small talk number {number}.")
        if number % 30 == 29:
            stage.model.say("Hm.")
            stage.ask(ALICE, "Nice weather.")
    hold = stage.model.pause()
    stage.model.call("recall_memories", query="vault midnight")
    stage.model.text("Aye.")
    running = stage.start(stage.hear(ALICE, "Well?"))
    stage.world.enter(BOB)
    assert "emote" in stage.model.offered()
    hold.release()
    report = running.step().result
    assert "midnight" in stage.model.shown()
    assert "emote" not in stage.model.offered()
    assert "whisper" in stage.model.offered()
    assert (report.delivery.outcome, report.delivery.hearers) == ("said", {ALICE.id})


def test_what_is_asked_aloud_and_answered_in_private_is_answered(stage):
    """Whoever asked has heard the answer: their question stays open in no talk with them."""
    whispered(stage)
    stage.model.call("whisper", to="p1", text="In the mill, under the stones.")
    stage.ask(ALICE, "Where is the sword?")
    assert stage.world.deliveries[-1][0].readers == ALICE.id
    talk = stage.store.read("working", key_of(ALICE.id, OPEN))
    assert talk["context"]["unresolved_questions"] == []
    assert "mill" not in str(talk)


def test_a_whisper_to_a_third_carries_no_secret(stage):
    """What one whispered cannot be whispered on to another."""
    stage.world.enter(BOB)
    stage.model.call("whisper", to="p2", text=SECRET).call("wait")
    report = stage.ask(ALICE, SECRET, "whisper")
    assert report.delivery is None
    assert "must not hear" in stage.model.shown()


def test_unusable_items_lower_nothing(stage):
    """What may not be used here is as if it were not: the answer stays open."""
    whispered(stage)
    stage.world.enter(BOB)
    stage.model.say("Good day.")
    stage.ask(BOB, "Hello, Captain.")
    assert stage.world.deliveries[-1][0].readers == OPEN


def test_two_channels_do_not_silence_an_answer(stage):
    """Who listens to two channels may be told of both, and the answer is hers alone."""
    stage.world.channels.update({GUILD: {ALICE.id}, DOCKS: {ALICE.id}})
    for channel in (GUILD, DOCKS):
        stage.model.call("channel_say", text="Noted.")
        stage.ask(ALICE, f"News on {channel}.", "channel", place=channel)
    stage.model.say("News on both.")
    stage.ask(ALICE, "What is the news?")
    speech, end = stage.world.deliveries[-1]
    assert (speech.readers, end.outcome) == (ALICE.id, "said")


def test_what_was_said_on_a_channel_is_known_to_whoever_heard_it(stage):
    """A promise, a goal and an answer made there are in mind where all who are there listen to it.

    Before somebody who does not, they are not.
    """
    stage.world.channels[GUILD] = {ALICE.id, BOB.id}
    stage.model.calls(
        ("promise", {"to": "p1", "what": "mend the bell"}),
        ("add_goal", {"description": "Have the bell mended"}),
    ).text("I shall see to the bell.")
    stage.ask(ALICE, "The bell is cracked!", "channel", place=GUILD)
    for kind in ("say", "whisper", "page"):
        shown = str(begun(stage, stage.hear(ALICE, "Well?", kind)).prompt.messages)
        assert 'You promised: "mend the bell' in shown
        assert "Have the bell mended" in shown
        assert "I shall see to the bell." in shown
    stage.world.enter(BOB)
    stage.world.enter(CAROL)
    assert " bell" not in str(begun(stage, stage.hear(ALICE, "Well?")).prompt.messages)
    stage.world.leave(CAROL)
    assert "mend the bell" in str(begun(stage, stage.hear(ALICE, "Well?")).prompt.messages)
    assert "mend the bell" in str(begun(stage, stage.hear(BOB, "What of Alice?")).prompt.messages)


def test_a_word_given_on_a_channel_is_struck_off_in_private(stage):
    """It is one list of promises for whoever heard them."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.call("promise", to="p1", what="mend the bell").text("I shall.")
    stage.ask(ALICE, "The bell is cracked!", "channel", place=GUILD)
    stage.model.call("promise", to="p1", what="the bell", done=True).text("It rings again.")
    stage.ask(ALICE, "And the bell?", "whisper")
    assert not stage.store.read("working", key_of(ALICE.id, GUILD))["pending_actions"]


def test_a_private_room_keeps_its_hearers(stage):
    """Talk that belongs to those who heard it is not told to somebody who came later."""
    hearers = f"{ALICE.id},{BOB.id}"
    stage.world.enter(BOB)
    stage.model.say("Agreed: at dawn.")
    stage.ask(ALICE, "We sail at dawn.", readers=hearers)
    assert stage.world.deliveries[-1][0].readers == hearers
    stage.world.leave(BOB)
    stage.world.enter(CAROL)
    stage.model.say("No plans.")
    stage.ask(CAROL, "Any plans?")
    assert "dawn" not in stage.model.shown()


def test_who_walks_into_a_private_talk_hears_nothing_of_it(stage):
    """When the turn begins with a stranger in a private room, only a whisper is possible."""
    event = stage.hear(ALICE, "We sail at dawn.", readers=ALICE.id)
    stage.world.enter(BOB)
    stage.model.call("whisper", to="p1", text="At dawn, then.")
    assert stage.turn(event).delivery.hearers == {ALICE.id}
    assert not {"say", "emote"} & set(stage.model.offered())


# -- what is written


def test_everything_written_gets_the_ceiling(stage):
    """Words, deeds, observations, reasons and records of a private turn stay private."""
    stage.world.carry("rose")
    stage.model.calls(
        ("update_entity_observation", {"entity": "p1", "observation": "Alice fears rats."}),
        ("give", {"item": "o1", "to": "p1"}),
        ("whisper", {"to": "p1", "text": "Take this."}),
    )
    stage.ask(ALICE, "I fear rats.", "whisper")
    profile = stage.store.read("profile", ALICE.id)
    written = [
        *stage.store.read("stream")["entries"],
        *stage.store.read("journal")["entries"],
        *profile["observations"],
        *profile["relationship"]["history"],
    ]
    labels = {item["readers"] for item in written}
    labels |= {row.readers for row in stage.store.memories.values()}
    labels |= {record.readers for record in stage.store.audit}
    assert labels == {ALICE.id}
    assert stage.store.keys("working") == [key_of(ALICE.id, ALICE.id)]


def test_what_was_heard_keeps_its_own_label(stage):
    """A secret in the turn does not hide what was said aloud in it."""
    whispered(stage)
    stage.overhear(BOB, "Fresh bread!")
    stage.model.say("At midnight.")
    stage.ask(ALICE, "When does the vault open?")
    labels = {row.content: row.readers for row in stage.store.memories.values()}
    assert labels["Fresh bread!"] == OPEN
    assert labels["When does the vault open?"] == OPEN
    assert labels["At midnight."] == ALICE.id


OTHERS = ("whisper", ""), ("channel", GUILD)


@pytest.mark.parametrize(("kind", "place"), OTHERS)
def test_what_an_open_line_says_is_kept_openly(stage, kind, place):
    """Also with a whisper or a channel before its eyes: the line alone says all that is kept."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.text("I see.")
    stage.ask(ALICE, SECRET, kind, place=place)
    stage.model.calls(
        ("note", {"about": "p1", "fact": "Alice is afraid of rats."}),
        ("note", {"fact": "The old bridge is closed."}),
        ("add_session_memory", {"memory_type": "fact", "content": "The old bridge is closed."}),
    ).say("I shall see to both.")
    stage.ask(ALICE, "I fear rats. The old bridge is closed.")
    (noted,) = stage.store.read("profile", ALICE.id)["observations"]
    (fact,) = [row for row in stage.store.memories.values() if row.kind == "fact"]
    (kept,) = stage.store.read("session")["key_facts"]
    assert [noted["readers"], fact.readers, kept["readers"]] == [OPEN] * 3
    assert stage.world.deliveries[-1][0].readers != OPEN  # of its own words nobody knows that


@pytest.mark.parametrize(
    "fact",
    [
        "Alice fears rats at midnight.",
        "The vault opens at midnight.",
        "Alice fears the vault.",
        "Alice does not fear rats.",
        "Rats frighten Alice.",
    ],
)
def test_a_note_that_says_anything_else_stays_private(stage, fact):
    """A word more than the open line, other words, or one of the secret: the ceiling holds."""
    whispered(stage)
    stage.model.call("note", about="p1", fact=fact).call("note", fact=fact).say("I see.")
    stage.ask(ALICE, "I fear rats.")
    written = [one["readers"] for one in stage.store.read("profile", ALICE.id)["observations"]]
    written += [row.readers for row in stage.store.memories.values() if row.kind == "fact"]
    assert set(written) == {ALICE.id}


BETWEEN_US = "I am Nellwyn, but that stays between us."
AS_NOTED = ("note", {"about": "p1", "fact": "Alice is Nellwyn by birth.", "private": True})
IN_ANSWER = ("say", {"text": "Nellwyn! Nobody shall hear it of me."})


@pytest.mark.parametrize("answer", [(AS_NOTED, IN_ANSWER), (IN_ANSWER, AS_NOTED)])
def test_what_one_asks_to_keep_between_two_is_shown_to_nobody_else(stage, answer):
    """Said aloud while nobody else heard it: the line, the answer, what was noted and promised."""
    stage.model.calls(*answer, ("promise", {"to": "p1", "what": "never call her Nellwyn"}))
    report = stage.ask(ALICE, BETWEEN_US)
    assert (report.delivery.outcome, report.delivery.hearers) == ("said", {ALICE.id})
    told = stage.hear(ALICE, "Do you remember?")
    assert str(begun(stage, told).prompt.messages).count("Nellwyn") >= 3
    stage.world.enter(BOB)
    stage.model.call("recall", who="Alice", words="her birth name").say("Ask her.")
    stage.ask(BOB, "What is the real name of Alice?")
    assert "Nellwyn" not in stage.model.shown()


def test_what_others_heard_is_kept_between_nobody(stage):
    """It cannot be unheard, and the model is told so; nor does a whole turn fall silent for it."""
    stage.world.enter(BOB)
    stage.model.calls(AS_NOTED).say("As you wish.")
    stage.ask(ALICE, BETWEEN_US)
    assert '"private": false' in stage.model.shown()
    (noted,) = stage.store.read("profile", ALICE.id)["observations"]
    assert noted["readers"] == OPEN
    assert stage.world.deliveries[-1][1].hearers == {ALICE.id, BOB.id}


def test_it_is_kept_so_where_something_private_was_before_its_eyes(stage):
    """The line itself was as open as any, and the sentence of it that was noted."""
    whispered(stage)
    birth = "My mother was Lady Nellwyn."
    stage.model.call("note", about="p1", fact=birth, private=True).say("So it stays.")
    stage.ask(ALICE, f"{birth} That stays between us.")
    stage.world.enter(BOB)
    stage.model.call("recall", who="Alice", words="her mother").say("Ask her.")
    stage.ask(BOB, "Who was the mother of Alice?")
    assert "Nellwyn" not in stage.model.shown()


def test_who_comes_in_meanwhile_hears_nothing_of_what_is_between_two(stage):
    """The answer finds another way to whom it is for."""
    hold = stage.model.pause()
    stage.model.calls(AS_NOTED, IN_ANSWER).text("Nobody shall hear it of me.")
    running = stage.start(stage.hear(ALICE, BETWEEN_US))
    stage.world.enter(BOB)
    hold.release()
    assert running.step().result.delivery.hearers == {ALICE.id}


def test_what_was_confided_becomes_no_open_past(stage):
    """What replaces a whispered word is as private as that, whatever line says so."""
    stage.model.call("note", about="p1", fact="Alice lives in Oxmoor.").text("I see.")
    stage.ask(ALICE, "I live in Oxmoor.", "whisper")
    moved = {"fact": "Alice lives in Millbrook.", "replaces": "Alice lives in Oxmoor"}
    stage.model.call("note", about="p1", **moved).say("I see.")
    stage.ask(ALICE, "I live in Millbrook.")
    (trait,) = stage.store.read("profile", ALICE.id)["attributes"]
    assert (trait["value"], trait["readers"]) == (moved["fact"], ALICE.id)
    assert [was["value"] for was in trait["was"]] == ["Alice lives in Oxmoor."]


def test_what_an_open_line_moves_has_an_open_reason():
    """Thanks said aloud after a whisper are no secret; thanks that were whispered are one."""
    stage = Stage(model=OfflineModel())
    stage.world.enter(ALICE)
    stage.ask(ALICE, "Thank you for your silence.", "whisper")
    stage.ask(ALICE, "You are very kind, thank you!")
    stage.ask(ALICE, "I promise to bring you a rose.")
    bond = stage.store.read("profile", ALICE.id)["relationship"]
    assert [entry["readers"] for entry in bond["history"]] == [ALICE.id, OPEN]
    assert [promise["readers"] for promise in bond["promises"]] == [OPEN]


def test_friendship_shows_its_reasons_do_not(stage):
    """A friendship made in whispers warms a public greeting; why stays between the two."""
    whispered(stage)
    for _ in range(4):
        stage.clock.advance(DAY)
        deed = {"delta": 0.05, "reason": "kept my secret", "author": ALICE.id, "kind": "deed"}
        step = deed | {"at": stage.clock.now(), "readers": ALICE.id}
        change = Change("profile", ALICE.id, "update_relationship", step)
        stage.mind.save(Commit(stage.clock.now(), changes=[change]))
    stage.world.enter(BOB)
    stage.model.say("My friend!")
    stage.ask(ALICE, "Hello, Captain.")
    bond = stage.store.read("profile", ALICE.id)["relationship"]
    assert bond["state"] == "acquaintance"
    assert "You know each other a little" in stage.model.shown()
    assert {entry["readers"] for entry in bond["history"]} == {ALICE.id}
    assert "kept my secret" not in stage.model.shown()


def test_a_private_turn_knows_both_conversations(stage):
    """In private the public talk with somebody counts too; in public only the public one."""
    open_key, own_key = key_of(BOB.id, OPEN), key_of(BOB.id, BOB.id)
    for key, topic in ((open_key, "bread"), (own_key, "treasure")):
        talk = stage.store.read("working", key)
        talk.update(topic=topic, topic_given=True, readers=OPEN if key == open_key else BOB.id)
        talk["messages"].append({"role": "user", "content": "…", "timestamp": ""})
        stage.store.state["working", key] = talk
    stage.world.enter(BOB)
    stage.model.call("whisper", to="p2", text="Yes.")
    stage.ask(BOB, "You recall?", "whisper")
    assert 'You talk about "treasure".' in stage.model.shown()
    stage.model.say("Yes.")
    stage.ask(BOB, "You recall?")
    assert 'You talk about "bread".' in stage.model.shown()
    assert "treasure" not in stage.model.shown()


def test_own_thoughts_reach_no_audience(stage):
    """What nobody but the character may read is in nobody's prompt."""
    stored(stage, MemoryRow("I fear the vault", readers=NOBODY))
    stage.model.call("recall_memories", query="fear vault").say("Nothing.")
    stage.ask(ALICE, "Well?")
    assert "I fear" not in stage.model.shown()


def test_an_unasked_deed_in_a_private_room_is_known_to_those_there(stage):
    """What it does before them is told to nobody else; of what it did alone it may tell."""
    stage.world.private = True
    stage.world.carry("rose")
    stage.model.call("give", item="o1", to="p1").say("For you.")
    stage.turn(context_type="tick_autonomous")
    [deed] = [one for one in stage.store.read("stream")["entries"] if one["kind"] == "deed"]
    assert deed["readers"] == canonical([ALICE.id, stage.world.me().id])
