"""Who may read what: nothing reaches anybody, in the room or in the prompt, who may not know it."""

import pytest

from ai_assistant.agent.components import build_prompt
from ai_assistant.agent.turn import begin
from ai_assistant.contracts import Category, Commit, Entity, MemoryRow
from ai_assistant.errors import ToolError
from ai_assistant.memory.working import key_of
from ai_assistant.readers import NOBODY, OPEN
from ai_assistant.testing import Stage, people
from ai_assistant.tools import ToolRegistry, tool

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
GUILD, DOCKS = "c-guild", "c-docks"
SECRET = "The vault opens at midnight."


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    stage = Stage()
    stage.world.enter(ALICE)
    return stage


def whispered(stage, who=ALICE, text=SECRET):
    """Let a whisper be answered, so that it is remembered."""
    stage.model.call("whisper", to="p1", text="I shall keep it.")
    return stage.ask(who, text, "whisper")


def stored(stage, row):
    """Put a row into the character's memory."""
    stage.mind.learn(stage.store.commit(Commit(at=0.0, rows=[row])))


def begun(stage, event):
    """Begin a turn as far as its prompt."""
    turn = begin(stage.mind, [event], "turn0")
    build_prompt(turn)
    return turn


# -- the five that the design names


def test_newcomer_in_mid_thought_hears_no_secret(stage):
    """What was recalled for one listener alone is told to her alone when another walks in."""
    whispered(stage)
    hold = stage.model.say(SECRET).call("whisper", to="p1", text=SECRET).pause()
    running = stage.start(stage.hear(ALICE, "What did I tell you of the vault?"))
    assert SECRET in stage.model.shown()
    assert "say" in stage.model.offered()
    stage.world.enter(BOB)
    hold.release()
    assert running.step().result.delivery.hearers == {ALICE.id}
    assert "say" not in stage.model.offered()
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
    assert stage.model.offered()[0] == "say"


def test_whisper_then_public(stage):
    """A whisper is answered by whisper only, and is not there when the talk is public."""
    stage.world.enter(BOB)
    whispered(stage)
    assert stage.model.offered() == [
        "whisper", "inspect_location", "move", "give", "recall_memories",
        "update_entity_observation", "wait",
    ]  # fmt: skip
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
    assert all(one.attempts == 0 for one in stage.store.pending())


def test_alone_it_speaks_of_open_things_only(stage):
    """With nobody there, an act of its own accord is made of what everybody may know."""
    whispered(stage)
    stage.world.leave(ALICE)
    stage.model.call("recall_memories", query="vault")
    stage.turn(context_type="tick_autonomous")
    entry = stage.store.audit[-2]
    assert (entry.type, entry.readers) == ("ToolExecuted", OPEN)
    assert "midnight" not in stage.model.shown()


def test_own_accord_keeps_secrets_of_the_present(stage):
    """Unasked speech, too, is bound to those who are there."""
    whispered(stage)
    stage.world.enter(BOB)
    stage.model.say("What a day.")
    report = stage.turn(context_type="tick_autonomous")
    assert "midnight" not in stage.model.shown()
    assert report.delivery.hearers == {ALICE.id, BOB.id}


# -- the ceiling


@pytest.mark.parametrize(
    ("kind", "place", "only"),
    [("whisper", "", "whisper"), ("page", "", "page"), ("channel", GUILD, "channel_say")],
)
def test_the_answer_goes_where_the_question_came_from(stage, kind, place, only):
    """A whisper, a page and a line on a channel each leave only one way to speak."""
    stage.world.channels[GUILD] = {ALICE.id}
    arguments = {"to": "p1"} if kind == "whisper" else {}
    stage.model.call(only, text="Very well.", **arguments)
    stage.ask(ALICE, "Are you there?", kind, place=place)
    spoken = {"say", "emote", "whisper", "page", "channel_say"}
    assert spoken & set(stage.model.offered()) == {only}


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
    assert "say" in stage.model.offered()
    hold.release()
    report = running.step().result
    assert "midnight" in stage.model.shown()
    assert "say" not in stage.model.offered()
    assert "whisper" in stage.model.offered()
    assert (report.delivery.outcome, report.delivery.hearers) == ("said", {ALICE.id})


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


def test_friendship_shows_its_reasons_do_not(stage):
    """A friendship made in whispers warms a public greeting; why stays between the two."""
    for _ in range(6):
        whispered(stage)
    stage.world.enter(BOB)
    stage.model.say("My friend!")
    stage.ask(ALICE, "Hello, Captain.")
    bond = stage.store.read("profile", ALICE.id)["relationship"]
    assert bond["state"] == "acquaintance"
    assert '"state": "acquaintance"' in stage.model.shown()
    assert {entry["readers"] for entry in bond["history"][:-1]} == {ALICE.id}


def test_a_private_turn_knows_both_conversations(stage):
    """In private the public talk with somebody counts too; in public only the public one."""
    open_key, own_key = key_of(BOB.id, OPEN), key_of(BOB.id, BOB.id)
    for key, topic in ((open_key, "bread"), (own_key, "treasure")):
        talk = stage.store.read("working", key)
        talk.update(topic=topic, readers=OPEN if key == open_key else BOB.id)
        talk["messages"].append({"role": "user", "content": "…", "timestamp": ""})
        stage.store.state["working", key] = talk
    stage.world.enter(BOB)
    stage.model.call("whisper", to="p2", text="Yes.")
    stage.ask(BOB, "You recall?", "whisper")
    assert '"topic": "treasure"' in stage.model.shown()
    stage.model.say("Yes.")
    stage.ask(BOB, "You recall?")
    assert '"topic": "bread"' in stage.model.shown()
    assert "treasure" not in stage.model.shown()


def test_own_thoughts_reach_no_audience(stage):
    """What nobody but the character may read is in nobody's prompt."""
    stored(stage, MemoryRow("I fear the vault", readers=NOBODY))
    stage.model.call("recall_memories", query="fear vault").say("Nothing.")
    stage.ask(ALICE, "Well?")
    assert "I fear" not in stage.model.shown()


# -- authority


def test_recalled_words_permit_no_more_than_their_author(stage):
    """Once somebody's words are in the context, their rank bounds what may be done."""

    @tool(Category.DANGEROUS, permission="Builder")
    def build(turn):
        """Build something."""
        return {"built": "a wall"}

    stage.mind.registry = ToolRegistry([*stage.mind.registry, build])
    stage.world.permissions["Builder"] = {ALICE.id, stage.world.self.id}
    stored(stage, MemoryRow("Build me a wall", author=BOB.id, author_name=BOB.name))
    stage.model.call("recall_memories", query="wall").call("build").say("No.")
    stage.ask(ALICE, "Hm?")
    assert "build" in stage.model.offered(0)
    assert "build" not in stage.model.offered(1)
    assert "There is no tool of that name here" in stage.model.shown()


def test_noted_words_permit_no_more_than_their_author(stage):
    """An observation that came from somebody carries that one's rank into the turn."""
    stage.world.permissions["Builder"] = {ALICE.id, stage.world.self.id}
    stage.world.enter(BOB)
    stage.model.calls(
        ("update_entity_observation", {"entity": "p1", "observation": "Alice wants a wall."}),
        ("say", {"text": "Noted."}),
    )
    stage.ask(BOB, "Alice wants a wall.")
    stage.store.state.pop(("stream", ""))
    stage.mind.index.remove(1)
    turn = begun(stage, stage.hear(ALICE, "Hello."))
    assert turn.authors == {ALICE.id, BOB.id}


def test_a_handle_of_another_turn_means_nothing(stage):
    """Handles are minted for one turn; one that was not shown is refused."""
    turn = begun(stage, stage.hear(ALICE, "Hello."))
    with pytest.raises(ToolError, match="you see: p1"):
        turn.thing("p7", "person")
    with pytest.raises(ToolError, match="There is no item 'p1'"):
        turn.thing("p1", "item")
