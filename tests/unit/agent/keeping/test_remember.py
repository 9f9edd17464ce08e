"""Remembering: what a turn leaves behind, and in which words it ends."""

from dataclasses import replace

from ai_assistant.agent.attention.classify import PERHAPS
from ai_assistant.core.contracts import Entity
from ai_assistant.core.readers import OPEN
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


def bond(stage, who=ALICE):
    return stage.store.read("profile", who.id)["relationship"]


def test_a_first_meeting_is_remembered(stage):
    """Whom it met, when and where: in the profile, and once in the journal."""
    for _ in range(2):
        stage.model.say("Well met.")
        stage.ask(ALICE, "Hello, Captain.")
    profile = stage.store.read("profile", ALICE.id)
    assert (profile["name"], profile["entity_type"]) == ("Alice", "player")
    assert profile["created"] == profile["last_interaction"] == "2026-05-28T20:26:40Z"
    assert profile["relationship"]["interaction_count"] == 2
    (entry,) = stage.store.read("journal")["entries"]
    assert entry["content"] == "Met Alice at the inn."


def test_an_answered_line_warms_nobody(stage):
    """Talk is counted, not befriended, whether it got an answer or not."""
    before = bond(stage)["favorability"]
    for answer in ("Aye.", ""):
        stage.model.say(answer) if answer else stage.model.call("wait")
        stage.ask(ALICE, "Which way is north?")
    assert bond(stage)["favorability"] == before
    assert bond(stage)["interaction_count"] == 2


def test_both_sides_of_a_talk_are_kept(stage):
    """Working memory, stream and rows each hold the question and the answer."""
    stage.model.say("North.")
    stage.ask(ALICE, "Which way?")
    talk = stage.store.read("working", ALICE.id)
    assert [(line["role"], line["content"]) for line in talk["messages"]] == [
        ("user", "Which way?"), ("assistant", "North."),
    ]  # fmt: skip
    kinds = [
        (entry["event_type"], entry["kind"]) for entry in stage.store.read("stream")["entries"]
    ]
    assert kinds == [("external", "say"), ("self_speech", "say")]
    rows = [(row.kind, row.author, row.content) for row in stage.store.memories.values()]
    assert rows == [
        ("utterance", ALICE.id, "Which way?"), ("own_words", "e-sera", "North."),
    ]  # fmt: skip


def test_what_it_lets_pass_is_no_part_of_a_talk(stage):
    """What players say to each other it has heard; neither talk nor acquaintance comes of it."""
    lines = "And you, Bob, play under my window.", "Which you do badly."
    stage.turn(replace(stage.hear(ALICE, lines[0]), addressing=PERHAPS))
    stage.model.meddles = True
    stage.model.say("Badly?")
    stage.turn(replace(stage.hear(ALICE, lines[1]), addressing=PERHAPS))
    talk = stage.store.read("working", ALICE.id)
    assert [line["content"] for line in talk["messages"]] == ["Which you do badly.", "Badly?"]
    assert bond(stage)["interaction_count"] == 1
    heard = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    assert heard == [*lines, "Badly?"]


def test_own_words_are_of_when_they_were_said(stage):
    """What happened while it thought about them was before them."""
    hold = stage.model.say("There, take it.").pause()
    running = stage.start(stage.hear(ALICE, "The key!"))
    stage.clock.advance(30)
    hold.release()
    running.step()
    rows = {row.kind: row.learned_at for row in stage.store.memories.values()}
    assert rows["own_words"] == rows["utterance"] + 30


def test_what_it_hands_over_is_remembered(stage):
    """Longer than the talk: what it was, to whom, in the eyes of those who were told of it."""
    stage.world.carry("rose")
    stage.model.call("give", item="rose", to="Alice").say("Here.")
    stage.ask(ALICE, "A rose, please.")
    (row,) = [row for row in stage.store.memories.values() if row.kind == "deed"]
    assert (row.subject, row.author, row.readers) == (ALICE.id, stage.world.me().id, OPEN)
    assert "rose" in row.content
    stage.model.call("give", item="rose", to="Alice").say("It is gone.")
    stage.ask(ALICE, "Another one!")
    assert len([row for row in stage.store.memories.values() if row.kind == "deed"]) == 1


def test_a_word_to_a_third_is_no_answer_to_the_first(stage):
    """What was whispered to Bob is not in the conversation with Alice, who asked for it."""
    stage.model.call("whisper", to="p2", text="Alice greets you.")
    stage.ask(ALICE, "Tell Bob that I greet him.")
    talk = stage.store.read("working", ALICE.id)["messages"]
    assert [line["role"] for line in talk] == ["user"]


def test_arrivals_are_perceived_not_recorded(stage):
    """Who comes and goes is in the stream, and makes no memory row."""
    stage.overhear(BOB, "Bob arrives.", "move")
    stage.overhear(BOB, "waves.", "pose")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    kinds = [entry["kind"] for entry in stage.store.read("stream")["entries"]]
    assert kinds == ["move", "pose", "say"]
    assert [row.kind for row in stage.store.memories.values()] == ["deed", "utterance"]


def test_a_turn_is_on_record(stage):
    """One entry tells which events it answered, how, in how many steps and for what cost."""
    stage.model.call("inspect_location").say("Aye.")
    event = stage.hear(ALICE, "Captain?")
    report = stage.turn(event)
    record = stage.store.audit[-1]
    assert (record.type, record.turn_id) == ("TurnCompleted", report.turn_id)
    told = {key: value for key, value in record.data.items() if key not in ("model_calls", "why")}
    assert told == {
        "tick": 0, "duration_ms": 0,
        "context_type": "tick_event", "events": [event.id], "outcome": "answered", "steps": 2,
        "tokens": 220, "problem": "", "speech": "Aye.", "kind": "say",
    }  # fmt: skip


def test_outcomes_are_counted(stage):
    """The metrics tell how many turns ended how, whatever the details."""
    stage.model.say("Aye.").call("wait")
    stage.ask(ALICE, "Captain?")
    stage.ask(ALICE, "Captain?")
    stage.caps = (0, 0)
    stage.ask(ALICE, "Captain?")
    counts = stage.store.read("metrics")["counts"]
    assert counts == {"answered": 1, "silent": 1, "failed": 1}


def test_an_act_of_its_own_accord_meets_nobody(stage):
    """Unasked speech makes no acquaintance."""
    stage.model.say("What a day.")
    stage.turn(context_type="tick_autonomous")
    assert stage.store.keys("profile") == stage.store.keys("working") == []


def test_other_characters_are_met_too():
    """An assistant that talked with another knows it afterwards."""
    stage = Stage()
    cook = Entity("e-cook", "The Cook", "npc")
    stage.world.enter(cook, assistant=True)
    stage.model.say("Soup, please.")
    stage.ask(cook, "Captain, what will it be?")
    assert stage.store.read("profile", cook.id)["entity_type"] == "npc"


def test_a_tick_that_began_a_turn_is_on_record(stage):
    """With its number, how long it took and what came of it; a turn that answers is no tick."""
    stage.model.say("Aye.").say("What a day.")
    stage.ask(ALICE, "Captain?")
    assert "TickCompleted" not in [one.type for one in stage.store.audit]
    stage.turn(context_type="tick_autonomous")
    (tick,) = [one.data for one in stage.store.audit if one.type == "TickCompleted"]
    assert (tick["tick_number"], tick["action_taken"]) == (1, "answered")
