"""The turn: it thinks, acts, saves and speaks, in this order, within every limit."""

from dataclasses import replace

import pytest

from ai_assistant.agent.keeping.remember import fitting_excuses
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.testing import Stage, people
from ai_assistant.tools import tool

ALICE, BOB = people("Alice", "Bob")
GUILD = "c-guild"
MOVE = ("move", {"to": "x1"})
FAILED = "failed: Its steps ran out before it spoke."


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain, who carries a rose."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    stage.world.carry("rose")
    return stage


# -- how a turn goes on and ends


def test_a_greeting_is_answered(stage):
    """The whole of a plain turn: said once, saved, closed, and reported."""
    with stage.model.say("Well met, Alice."):
        report = stage.ask(ALICE, "Hello, Captain!")
    assert (report.outcome, report.steps, report.tokens) == ("answered", 1, 110)
    assert stage.world.said == ["Well met, Alice."]
    assert stage.store.triggers.waiting() == []
    assert stage.errors == []


def test_looking_up_goes_on_and_speaking_ends(stage):
    """Chaining tools lead to another step, a speech to none."""
    with stage.model.call("inspect_location").call("recall_memories", query="roses").say("A rose."):
        report = stage.ask(ALICE, "What do you have?")
    assert report.steps == 3


def test_an_act_goes_on(stage):
    """After an act the model is asked again, so that it may speak of what happened."""
    with stage.model.call("give", item="o1", to="p1").say("There."):
        report = stage.ask(ALICE, "May I have the rose?")
    assert "You gave the rose to Alice." in stage.model.shown()
    assert (report.outcome, stage.world.deeds) == ("answered", ["give rose to Alice"])


def test_words_that_stand_before_an_act_are_said_before_it(stage):
    """Pieces of an answer are performed in the order in which the model wrote them."""
    stage.model.calls(("say", {"text": "Here!"}), ("give", {"item": "o1", "to": "p1"}))
    stage.ask(ALICE, "The rose, please.")
    kinds = [one.data["tool_name"] for one in stage.store.audit if one.type == "ToolExecuted"]
    assert kinds == ["say", "give"]
    assert stage.world.said == ["Here!"]


def test_nothing_is_claimed_that_failed(stage):
    """Words after an act of the answer that failed are held back, and the model is told."""
    stage.world.carry("sword", givable=False)
    stage.model.calls(("give", {"item": "o2", "to": "p1"}), ("say", {"text": "It is yours!"}))
    with stage.model.say("I cannot part with it."):
        stage.ask(ALICE, "Give me your sword.")
    assert stage.world.said == ["I cannot part with it."]
    assert "not yours to give" in stage.model.shown()
    assert "Not said" in stage.model.shown()


NOTE = {"about": "p9", "fact": "Alice has a cat."}


def a_note_beside_words(stage, note=NOTE):
    """Let the model answer with a note that is refused, and a line."""
    note = ToolCall("c1", "note", note)
    stage.model.replies.append(ModelReply(text="A cat! How nice.", tool_calls=(note,)))


def test_a_refused_note_is_mended_after_the_words(stage):
    """The line is said at once; the model is told what was refused, and may put it right."""
    a_note_beside_words(stage)
    stage.model.call("note", **NOTE | {"about": "Alice"})
    report = stage.ask(ALICE, "I have a cat.")
    assert (stage.world.said, report.steps) == (["A cat! How nice."], 2)
    told = stage.model.requests[-1].messages
    assert "There is no" in told[-2].content
    assert "may put right" in told[-1].content
    profile = stage.store.read("profile", ALICE.id)
    assert [one["content"] for one in profile["observations"]] == ["Alice has a cat."]


def test_nothing_is_said_again_while_a_note_is_mended(stage):
    """Words beside the note that is put right are on record only: it has answered."""
    a_note_beside_words(stage)
    again = ToolCall("c2", "note", NOTE | {"about": "Alice"})
    stage.model.replies.append(ModelReply(text="How nice, a cat!", tool_calls=(again,)))
    report = stage.ask(ALICE, "I have a cat.")
    assert (stage.world.said, report.outcome) == (["A cat! How nice."], "answered")
    assert [one.data["text"] for one in stage.store.audit if one.type == "SpeechHeld"]


def test_what_stays_refused_is_known_next_time():
    """Where no step is left to mend it, the next turn's history says that it was refused."""
    stage = Stage(max_iterations_per_tick=1)
    stage.world.enter(ALICE)
    a_note_beside_words(stage)
    stage.ask(ALICE, "I have a cat.")
    stage.model.text("Yes.")
    stage.ask(ALICE, "Will you remember it?")
    assert "You tried in vain to note" in stage.model.shown()


def test_a_refused_act_is_told_later_once():
    """By what it was, with names; a person who was not there has none."""
    stage = Stage(max_iterations_per_tick=1)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.model.call("give", item="o1", to="p9")
    stage.ask(ALICE, "A rose for me?")
    stage.model.text("Yes.")
    stage.ask(ALICE, "Well?")
    told = [line for line in stage.model.shown().splitlines() if "in vain" in line]
    assert told == ["(You tried in vain to give rose: There is no person here.)"]


def test_what_was_refused_is_told_later_in_short_and_plain_words():
    """No handle of that turn, and nothing of what was to be done instead."""
    stage = Stage(max_iterations_per_tick=1)
    stage.world.enter(ALICE)
    a_note_beside_words(stage)
    stage.ask(ALICE, "I have a cat.")
    stage.model.text("Yes.")
    stage.ask(ALICE, "Well?")
    told = [line for line in stage.model.shown().splitlines() if "in vain" in line]
    assert told == ["(You tried in vain to note: There is no thing here.)"]


def test_a_model_that_fails_after_its_words_has_answered(stage):
    """The step for mending may fail: the line was said, and nothing else is."""
    a_note_beside_words(stage)
    stage.model.fail(ModelUnavailable())
    report = stage.ask(ALICE, "I have a cat.")
    assert (stage.world.said, report.outcome) == (["A cat! How nice."], "answered")


def test_steps_that_run_out_after_a_note_leave_nobody_without_an_answer():
    """An act that whoever asked could see is an answer; walking away is none."""
    for act, outcome in ((("give", {"item": "o1", "to": "p1"}), "acted"), (MOVE, FAILED)):
        stage = Stage(max_iterations_per_tick=1)
        stage.world.enter(ALICE)
        stage.world.carry("rose")
        stage.world.place_exit("north")
        stage.model.calls(act)
        assert stage.ask(ALICE, "Please.").outcome == outcome


def test_all_pieces_of_speech_are_performed(stage):
    """A gesture and two sentences of one answer are three pieces, each with an id of its own."""
    stage.model.calls(
        ("emote", {"text": "nods."}), ("say", {"text": "One."}), ("say", {"text": "Two."})
    )
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["nods.", "One.", "Two."]
    ids = [speech.event for speech, _ in stage.world.deliveries]
    assert ids == ["turn1.said.1", "turn1.said.2", "turn1.said.3"]


def test_eight_calls_a_step(stage):
    """A model that floods one reply with calls gets eight of them."""
    looks = [("inspect_location", {"handle": f"p{number}"}) for number in range(1, 12)]
    stage.model.calls(*looks).say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert [one.type for one in stage.store.audit].count("ToolExecuted") == 9
    assert [one.data for one in stage.store.audit if one.type == "CallsDropped"] == [{"count": 3}]
    assert "3 more calls were not made" in stage.model.requests[-1].messages[-1].content


@pytest.mark.parametrize(
    ("config", "steps"),
    [({}, 6), ({"max_iterations_per_tick": 2}, 2), ({"max_iterations_per_tick": 10}, 6),
     ({"multi_action_enabled": False}, 1)],
)  # fmt: skip
def test_steps_are_limited(config, steps):
    """The narrowest of configuration, context and hard cap ends a model that never speaks."""
    stage = Stage(**config)
    stage.world.enter(ALICE)
    for number in range(10):
        stage.model.call("recall_memories", query=f"thing {number}")
    report = stage.ask(ALICE, "Hello.")
    assert report.steps == steps
    assert report.problem == "Its steps ran out before it spoke."
    (gesture,) = stage.world.said
    assert gesture in fitting_excuses({"role": "captain"}, "gestures")


def test_waiting_is_an_answer(stage):
    """A character may choose to say nothing; the event is closed all the same."""
    stage.model.call("wait")
    report = stage.ask(ALICE, "Hmm.")
    assert (report.outcome, report.problem) == ("silent", "")
    assert stage.store.triggers.waiting() == []
    assert stage.world.deliveries == []


def test_an_empty_answer_is_asked_for_once_more(stage):
    """Nobody is left without an answer because the model forgot its words once."""
    with stage.model.text("").text("Aye?"):
        report = stage.ask(ALICE, "Hmm.")
    assert (stage.world.said, report.outcome, report.steps) == (["Aye?"], "answered", 1)
    assert len(stage.model.requests) == 2


def test_an_empty_answer_is_asked_for_again_within_one_step():
    """To ask again is no step: who may take one step only is asked again as well."""
    stage = Stage(multi_action_enabled=False)
    stage.world.enter(ALICE)
    stage.model.text("").text("Aye?")
    stage.ask(ALICE, "Hmm.")
    assert stage.world.said == ["Aye?"]


def test_an_empty_answer_after_words_ends_the_turn(stage):
    """Who has spoken and has nothing to add is done."""
    stage.model.replies.append(
        ModelReply(text="Let me see...", tool_calls=(ToolCall("1", "inspect_location", {}),))
    )
    with stage.model.text(""):
        report = stage.ask(ALICE, "What is here?")
    assert (stage.world.said, report.outcome) == (["Let me see..."], "answered")
    assert [request.may_be_empty for request in stage.model.requests] == [False, True]


def test_who_has_spoken_and_gone_need_say_no_more(stage):
    """It is told so, once, after a way; what it looked up it has yet to tell."""
    stage.world.lay_out(room1=["cellar"], cellar=["room1"])
    stage.world.place_exit("stairs", "cellar")
    called = ToolCall("1", "move", {"to": "stairs"}), ToolCall("2", "look", {})
    stage.model.replies.append(ModelReply(text="I shall see.", tool_calls=called[:1]))
    stage.model.replies.append(ModelReply(tool_calls=called[1:]))
    with stage.model.text(""):
        stage.ask(ALICE, "Look for the cat, please.")
    assert stage.model.shown().count("answer with nothing to end") == 1
    assert '"not_here": ["Alice"]' in stage.model.shown()
    stage.model.replies.append(ModelReply(text="Let me see...", tool_calls=called[1:]))
    stage.model.text("No cat.")
    stage.ask(ALICE, "And here?", "page")
    assert "answer with nothing" not in stage.model.shown()
    assert stage.world.said[-1] == "No cat."


def test_where_a_confidence_bars_its_words_it_arrives_anew(stage):
    """Nothing is said there in this turn, and nobody tells it to; a turn of its own follows."""
    told = stage.hear(ALICE, "I found a cart lamp.", "page")
    with stage.model.text("Bring it to me."):
        stage.turn(told)
    stage.world.lay_out(room1=["inn"], inn=["room1"])
    stage.world.place_exit("door", "inn")
    stage.world.leave(BOB)
    stage.world.put(BOB, "inn")
    move = ToolCall("1", "move", {"to": "door"})
    stage.model.replies.append(ModelReply(text="Wait here.", tool_calls=(move,)))
    with stage.model:
        event = stage.hear(ALICE, "Ask Bob whether he has a bed for me.")
        report = stage.turn(event)
    assert "cart lamp" in stage.model.shown()
    assert (report.outcome, report.steps, report.arrives_for) == ("answered", 1, event.id)
    with stage.model.text("Bob, have you a bed for Alice?"):
        stage.turn(context_type="tick_autonomous", occasion=Occasion("arrival", question=event.id))
    assert "Ask Bob whether he has a bed" in stage.model.shown()
    assert "cart lamp" not in stage.model.shown()
    assert stage.world.said[-1] == "Bob, have you a bed for Alice?"


def test_going_home_to_nobody_with_a_word_is_one_request(stage):
    """By the name of the place as by 'home': there is nobody to whom more is to be said."""
    stage.world.lay_out(room1=["green"], green=["room1"])
    stage.world.place_exit("out", "green")
    stage.world.home = lambda: "green"
    move = ToolCall("1", "move", {"to": "out"})
    stage.model.replies.append(ModelReply(text="As you wish.", tool_calls=(move,)))
    with stage.model:
        report = stage.ask(ALICE, "You can go back now.")
    assert (report.outcome, report.steps) == ("answered", 1)


def test_to_follow_with_a_word_is_one_request(stage):
    """It sets out once the turn is over: there is nothing to be asked about."""
    follow = ToolCall("1", "move", {"to": "Alice"})
    stage.model.replies.append(ModelReply(text="Right behind you.", tool_calls=(follow,)))
    with stage.model:
        report = stage.ask(ALICE, "Follow me!")
    assert (report.outcome, report.steps) == ("answered", 1)
    (goal,) = stage.store.read("goals")["goals"]
    assert goal["kind"] == "follow"


def test_nothing_is_said_to_an_assistant_s_words_without_need(stage):
    """Nobody waits there: an empty answer is silence, and is not asked for once more."""
    with stage.model.text(""):
        report = stage.turn(replace(stage.hear(BOB, "One tea."), by_assistant=True))
    assert (report.outcome, len(stage.model.requests)) == ("silent", 1)


def test_what_was_to_be_done_behind_a_locked_door_is_not_tried(stage):
    """One locked door is one error, whatever was to follow."""
    stage.world.place_exit("door", closed="The door is locked.")
    give = ("give", {"item": "rose", "to": "Alice"})
    stage.model.calls(("move", {"to": "door"}), give, ("put_down", {"item": "rose"}))
    with stage.model.say("It is locked."):
        stage.ask(ALICE, "Go there, and give me the rose.")
    results = [one.content for one in stage.model.requests[-1].messages if one.role == "tool"]
    assert ["locked" in one for one in results] == [True, False, False]
    assert ["Skipped" in one for one in results] == [False, True, True]
    assert (stage.world.deeds, stage.world.said) == ([], ["It is locked."])


# -- plain words


@pytest.mark.parametrize(
    ("kind", "place", "spoken_as"),
    [("say", "", "say"), ("whisper", "", "whisper"), ("page", "", "page"),
     ("channel", GUILD, "channel"), ("gift", "", "say"), ("pose", "", "say")],
)  # fmt: skip
def test_plain_words_are_spoken_naturally(stage, kind, place, spoken_as):
    """Words outside of any call go back the way the question came."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.text("Well met.")
    report = stage.ask(ALICE, "Hello, Captain.", kind, place=place)
    (speech, end), *_ = stage.world.deliveries
    assert (speech.kind, speech.text, report.outcome) == (spoken_as, "Well met.", "answered")
    if kind in ("whisper", "page"):
        assert end.hearers == {ALICE.id}


def test_words_beside_a_look_are_said_and_the_turn_goes_on(stage):
    """Who looks something up may say so, and answers when it has seen it."""
    stage.model.replies.append(
        ModelReply(text="Let me see...", tool_calls=(ToolCall("1", "inspect_location", {}),))
    )
    stage.model.say("A fire.")
    stage.ask(ALICE, "What is here?")
    assert stage.world.said == ["Let me see...", "A fire."]


def test_words_beside_a_gift_are_said_after_it(stage):
    """A gift and the words that go with it are one answer."""
    give = ToolCall("1", "give", {"item": "o1", "to": "p1"})
    stage.model.replies.append(ModelReply(text="Here you are.", tool_calls=(give,)))
    report = stage.ask(ALICE, "The rose, please.")
    assert (stage.world.deeds, stage.world.said) == (["give rose to Alice"], ["Here you are."])
    assert report.steps == 1


def test_plain_words_of_own_accord_are_said(stage):
    """Unasked, plain words are said aloud to whoever is there."""
    stage.model.text("What a day.")
    report = stage.turn(context_type="tick_autonomous")
    assert report.delivery.hearers == {ALICE.id, BOB.id}


def test_hostile_words_arrive_clean(stage):
    """Braces, dollars, pipes and controls of a model come out as plain characters."""
    stage.model.say("{x} $eval(1) |lcquit|lt\x1b[31m \\ $5")
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["(x) ﹩eval(1) /lcquit/lt[31m / ﹩5"]


# -- what stays in mind


def test_the_one_answered_is_engaged(stage):
    """After an answer that was heard, its listener needs no name for a while."""
    stage.model.say("Aye?")
    stage.ask(ALICE, "Captain?")
    bond = stage.mind.engagement
    assert (bond.who, bond.place, bond.since) == (ALICE.id, "room1", stage.clock.now())


def test_what_was_overheard_goes_along(stage):
    """Talk that was not answered is saved with the next turn, once, in order of time."""
    stage.overhear(BOB, "Fresh bread!")
    stage.clock.advance(1)
    stage.model.say("Aye?").say("Aye!")
    stage.ask(ALICE, "Captain?")
    stage.ask(ALICE, "Captain!")
    contents = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    assert contents == ["Fresh bread!", "Captain?", "Aye?", "Captain!", "Aye!"]
    assert len(stage.mind.recall) == 6  # the meeting is in the journal


def test_the_prompt_learns_the_length_of_tokens(stage):
    """A provider's count corrects the estimate that the prompt's budget rests on."""
    before = stage.mind.tokens_per_char
    stage.model.replies.append(ModelReply("Hm.", usage=TokenUsage(10, 1, known=True)))
    stage.ask(ALICE, "Hello.")
    assert 0.1 < stage.mind.tokens_per_char < before


def test_a_game_s_tool_may_refuse_without_a_reason(stage):
    """It is refused all the same, and nothing breaks."""

    @tool()
    def juggle(turn):
        """Juggle."""
        return {"success": False}

    stage.mind.registry.add(juggle)
    juggling = ToolCall("c1", "juggle", {})
    stage.model.replies.append(ModelReply(text="Watch!", tool_calls=(juggling,)))
    stage.model.text("")
    stage.ask(ALICE, "Juggle!")
    assert (stage.world.said, stage.errors) == (["Watch!"], [])
