"""Who may read what: five scenes, and who counts as the audience."""

import pytest

from ai_assistant.core.contracts import Entity, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.working import key_of
from tests.unit.agent.scenes import (
    ALICE,
    BOB,
    CAROL,
    GUILD,
    SECRET,
    before_the_captain,
    begun,
    stored,
    whispered,
)


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return before_the_captain()


# -- the five scenes


def test_newcomer_in_mid_thought_hears_no_secret(stage):
    """What was recalled for one listener alone is told to her alone when another walks in."""
    whispered(stage)
    hold = stage.model.say(SECRET).call("whisper", to="p1", text=SECRET).pause()
    running = stage.start(stage.hear(ALICE, "What did I tell you of the vault?"))
    assert SECRET in stage.model.shown()
    assert "emote" in stage.model.offered()
    stage.world.enter(BOB)
    hold.release()
    assert running.step().result.delivery.hearers == {ALICE.id}
    assert "emote" not in stage.model.offered()
    assert stage.world.said == ["I shall keep it.", SECRET]


def test_newcomer_simply_hears_open_talk(stage):
    """Where nothing private was loaded, somebody who walks in hears like everybody."""
    hold = stage.model.say("Good day to all.").pause()
    running = stage.start(stage.hear(ALICE, "Hello, Captain!"))
    stage.world.enter(BOB)
    hold.release()
    assert running.step().result.delivery.hearers == {ALICE.id, BOB.id}


def test_one_to_one_then_a_crowd(stage):
    """What was said with a secret in mind stays between the two when others have come."""
    whispered(stage)
    stage.model.say("As you whispered: at midnight.")
    stage.ask(ALICE, "When does the vault open?")
    stage.world.enter(BOB)
    stage.model.say("I could not say.")
    stage.ask(BOB, "When does the vault open?")
    assert "midnight" not in stage.model.shown()
    assert "emote" in stage.model.offered()


def test_whisper_then_public(stage):
    """A whisper is answered by whisper only, and is not there when the talk is public."""
    stage.world.enter(BOB)
    whispered(stage)
    assert not {"say", "emote", "whisper", "page"} & set(stage.model.offered())
    assert [speech.kind for speech, _ in stage.world.deliveries] == ["whisper"]
    stage.model.call("recall_memories", query="vault midnight").say("What vault?")
    stage.ask(ALICE, "Captain, when does the vault open?")
    assert "midnight" not in stage.model.shown().replace("vault midnight", "")
    speech, end = stage.world.deliveries[-1]
    assert (speech.readers, end.outcome) == (OPEN, "said")


def test_bob_about_alice_is_not_for_alice(stage):
    """The one a fact is about is not by that its reader."""
    stage.world.enter(BOB)
    stage.model.calls(
        ("update_entity_observation", {"entity": "p1", "observation": "Alice snores."}),
        ("whisper", {"to": "p2", "text": "Indeed."}),
    )
    stage.ask(BOB, "Alice snores.", "whisper")
    stage.world.leave(BOB)
    assert stage.store.read("profile", ALICE.id)["observations"][0]["readers"] == BOB.id
    stage.model.call("recall_memories", query="Alice snores").say("Nothing comes to mind.")
    stage.ask(ALICE, "What do they say of me?")
    assert "snores." not in stage.model.shown()
    stage.model.call("whisper", to="p1", text="Nothing.")
    stage.ask(ALICE, "What do they say of me?", "whisper")
    assert "snores." not in stage.model.shown()


def test_private_correction_of_a_public_fact(stage):
    """A correction that was whispered corrects the whisperer's picture and nobody else's."""
    stage.world.enter(BOB)
    stage.model.say("A fine ship.")
    stage.ask(ALICE, "My ship is the Gull.")
    whispered(stage, text="My ship is really the Raven.")
    stage.model.say("The Gull, I was told.")
    stage.ask(BOB, "What is the name of Alice's ship?")
    assert "Gull" in stage.model.shown()
    assert "Raven" not in stage.model.shown()
    stage.model.call("whisper", to="p1", text="The Raven.")
    stage.ask(ALICE, "What is the name of my ship?", "whisper")
    assert "Gull" in stage.model.shown()
    assert "Raven" in stage.model.shown()


# -- the audience


def test_a_hidden_listener_counts(stage):
    """Somebody who hears without being seen is part of the audience like everybody."""
    whispered(stage)
    stage.world.enter(BOB, hidden=True)
    stage.model.say("Of what?")
    report = stage.ask(ALICE, "Remind me of the vault.")
    assert "midnight" not in stage.model.shown()
    assert report.delivery.hearers == {ALICE.id, BOB.id}


def test_another_assistant_counts(stage):
    """What another character overhears it may tell on: it is part of the audience."""
    whispered(stage)
    stage.world.enter(Entity("e-cook", "The Cook", "npc"), assistant=True)
    stage.model.say("Of what?")
    stage.ask(ALICE, "Remind me of the vault.")
    assert "midnight" not in stage.model.shown()


@pytest.mark.parametrize(("readers", "place"), [("e-bob", ""), (OPEN, "room2")])
def test_different_audiences_never_share_a_turn(stage, readers, place):
    """Events join one turn only with equal readers and place; otherwise nothing begins."""
    mixed = [stage.hear(ALICE, "Hello."), stage.hear(BOB, "Hush.", readers=readers, place=place)]
    with pytest.raises(ValueError, match="must not join"):
        stage.start(*mixed)
    assert all(one.attempts == 0 for one in stage.store.triggers.waiting())


def test_alone_it_speaks_of_open_things_only(stage):
    """With nobody there, an act on its own is made of what everybody may know."""
    whispered(stage)
    stage.world.leave(ALICE)
    stage.model.call("recall_memories", query="vault")
    stage.turn(context_type="tick_autonomous")
    *_, entry = (one for one in stage.store.audit if one.type == "ToolExecuted")
    assert entry.readers == OPEN
    assert "midnight" not in stage.model.shown()


def test_own_accord_keeps_secrets_of_the_present(stage):
    """Unasked speech, too, is bound to those who are there."""
    whispered(stage)
    stage.world.enter(BOB)
    stage.model.say("What a day.")
    report = stage.turn(context_type="tick_autonomous")
    assert "midnight" not in stage.model.shown()
    assert report.delivery.hearers == {ALICE.id, BOB.id}


def test_secrets_crowd_out_nothing(stage):
    """However many secrets fit the question, what may be used is found as if they were not."""
    stored(stage, MemoryRow("The dragon is called Smoke."))
    for number in range(40):
        stored(stage, MemoryRow(f"dragon {number}", readers=BOB.id, learned_at=stage.clock.now()))
    assert "Smoke" in "".join(message.content for message in begun(
        stage, stage.hear(ALICE, "dragon?")
    ).prompt.messages)  # fmt: skip


def test_a_private_talk_is_not_resumed_before_a_stranger(stage):
    """The conversation of those who were there is closed to somebody who came since."""
    label = f"{ALICE.id},{BOB.id}"
    talk = stage.store.read("working", key_of(ALICE.id, label))
    talk.update(
        topic="treasure",
        topic_given=True,
        readers=label,
        messages=[{"role": "user", "content": "…"}],
    )
    stage.store.state["working", key_of(ALICE.id, label)] = talk
    event = stage.hear(ALICE, "As we said.", readers=label)
    shown = "".join(message.content for message in begun(stage, event).prompt.messages)
    assert "treasure" in shown
    stage.world.enter(CAROL)
    shown = "".join(message.content for message in begun(stage, event).prompt.messages)
    assert "treasure" not in shown


def test_what_was_just_overheard_is_known_to_its_readers(stage):
    """Lines that wait to be saved are in the prompt already, for those who may know them."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.overhear(ALICE, "The dragon is called Smoke.", "channel", place=GUILD)
    stage.model.text("Smoke.")
    report = stage.ask(ALICE, "What is it called?")
    assert "Smoke" in stage.model.shown()
    stage.world.enter(BOB)
    stage.overhear(ALICE, "It sleeps in the cave.", "channel", place=GUILD)
    stage.model.text("Who knows?")
    stage.ask(BOB, "Where does it sleep?")
    assert "Smoke" not in stage.model.shown()
    assert "cave" not in stage.model.shown()
    assert report.delivery.hearers == {ALICE.id}
