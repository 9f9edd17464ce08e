"""The turn: it thinks, acts, saves and speaks, in this order, within every limit."""

import pytest

from ai_assistant.agent.energy import HUMAN_ENERGY
from ai_assistant.contracts import ModelReply, ToolCall, Usage
from ai_assistant.errors import (
    BadReply,
    EmptyReply,
    ModelTimeout,
    ModelUnavailable,
    StoreError,
    TurnSuperseded,
)
from ai_assistant.readers import OPEN
from ai_assistant.testing import Stage, people

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
GUILD = "c-guild"


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
    assert stage.store.pending() == []
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


def test_what_is_said_waits_for_what_is_done(stage):
    """In one step acts come first, whatever order the model wrote them in."""
    stage.model.calls(("say", {"text": "Here!"}), ("give", {"item": "o1", "to": "p1"}))
    stage.ask(ALICE, "The rose, please.")
    kinds = [record.data["tool_name"] for record in stage.store.audit[:2]]
    assert kinds == ["give", "say"]
    assert stage.world.said == ["Here!"]


def test_nothing_is_claimed_that_failed(stage):
    """When an act of the step failed, its line is held back and the model is told."""
    stage.world.carry("sword", givable=False)
    stage.model.calls(("say", {"text": "It is yours!"}), ("give", {"item": "o2", "to": "p1"}))
    with stage.model.say("I cannot part with it."):
        stage.ask(ALICE, "Give me your sword.")
    assert stage.world.said == ["I cannot part with it."]
    assert "not yours to give" in stage.model.shown()
    assert "Not said" in stage.model.shown()


def test_only_the_first_speech_of_a_step_is_made(stage):
    """The turn ends with the first words; what the model wanted to add is not said."""
    stage.model.calls(("say", {"text": "One."}), ("emote", {"text": "nods."}))
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["One."]


def test_four_calls_a_step(stage):
    """A model that floods one reply with calls gets four of them."""
    looks = [("inspect_location", {"handle": f"p{number}"}) for number in range(1, 8)]
    stage.model.calls(*looks).say("Hm.")
    stage.ask(ALICE, "Hello.")
    assert [record.type for record in stage.store.audit].count("ToolExecuted") == 5
    assert stage.store.audit[0].data == {"count": 3}


@pytest.mark.parametrize(
    ("config", "steps"),
    [({}, 4), ({"max_iterations_per_tick": 2}, 2), ({"max_iterations_per_tick": 10}, 5),
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
    assert stage.world.said == ["seems lost in thought for a moment."]


def test_waiting_is_an_answer(stage):
    """A character may choose to say nothing; the event is closed all the same."""
    stage.model.call("wait")
    report = stage.ask(ALICE, "Hmm.")
    assert (report.outcome, report.problem) == ("silent", "")
    assert stage.store.pending() == []
    assert stage.world.deliveries == []


def test_an_empty_reply_ends_quietly(stage):
    """A model with nothing to say and nothing to do is taken at its word."""
    stage.model.text("")
    assert stage.ask(ALICE, "Hmm.").outcome == "silent"


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


def test_words_beside_calls_are_not_spoken(stage):
    """What a model mutters while it uses tools is nobody's business."""
    stage.model.replies.append(
        ModelReply(text="Let me see...", tool_calls=(ToolCall("1", "inspect_location", {}),))
    )
    stage.model.say("A fire.")
    stage.ask(ALICE, "What is here?")
    assert stage.world.said == ["A fire."]


def test_plain_words_of_own_accord_are_said(stage):
    """Unasked, plain words are said aloud to whoever is there."""
    stage.model.text("What a day.")
    report = stage.turn(context_type="tick_autonomous")
    assert report.delivery.hearers == {ALICE.id, BOB.id}


def test_hostile_words_arrive_clean(stage):
    """Braces, dollars, pipes and controls of a model come out as plain characters."""
    stage.model.say("{x} $eval(1) |lcquit|lt\x1b[31m \\ $5")
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["(x) eval(1) /lcquit/lt[31m / $5"]


# -- the model fails


@pytest.mark.parametrize("error", [ModelTimeout, ModelUnavailable, BadReply, EmptyReply])
def test_a_failing_model_gives_a_stock_line(stage, error):
    """Nobody talks to a wall: a constant gesture, and the event is closed with the reason."""
    stage.model.fail(error())
    report = stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["seems lost in thought for a moment."]
    assert report.outcome == f"failed: {error.__name__}: {error.__doc__}"
    assert stage.store.pending() == []


def test_stock_lines_are_rare(stage):
    """A broken model does not make a chorus: one stock line in thirty seconds."""
    for _ in range(3):
        stage.model.fail(ModelUnavailable())
        stage.ask(ALICE, "Hello.")
    assert len(stage.world.said) == 1
    stage.clock.advance(30)
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    assert len(stage.world.said) == 2


@pytest.mark.parametrize(("kind", "place"), [("whisper", ""), ("page", ""), ("channel", GUILD)])
def test_a_stock_line_keeps_to_its_audience(stage, kind, place):
    """Also an excuse is made where the question was asked."""
    stage.world.channels[GUILD] = {ALICE.id}
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.", kind, place=place)
    ((speech, end),) = stage.world.deliveries
    assert speech.kind == kind
    assert end.hearers == {place or ALICE.id}


def test_a_failed_turn_warms_nobody(stage):
    """An excuse is no conversation: favorability stays."""
    before = stage.store.read("profile", ALICE.id)["relationship"]["favorability"]
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    assert stage.store.read("profile", ALICE.id)["relationship"]["favorability"] == before


def test_a_lost_answer_is_given_up(stage):
    """A model that does not answer in time is a failure like another."""

    async def impatient(awaitable, seconds):
        awaitable.close()
        raise TimeoutError

    stage.mind.limit = impatient
    report = stage.ask(ALICE, "Hello.")
    assert report.problem.startswith("ModelTimeout")


def test_failure_after_an_act_keeps_the_act(stage):
    """What was done before the model failed is remembered as done."""
    stage.model.call("give", item="o1", to="p1").fail(ModelUnavailable())
    stage.ask(ALICE, "The rose?")
    contents = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    assert "You gave the rose to Alice." in contents


# -- energy and money


def test_one_utterance_pays_for_twelve_calls(stage):
    """Whatever follows from a line, it is paid from that line's energy, and then no more."""
    event = stage.hear(ALICE, "Go on for ever.")
    for _ in range(20):
        for number in range(4):
            stage.model.call("recall_memories", query=f"{number}")
        stage.turn(event)
    assert len(stage.model.requests) == HUMAN_ENERGY
    assert stage.energy.left(event.root) == 0


def test_a_tick_pays_for_one_call(stage):
    """An act of its own accord ends after one call, and that is no failure."""
    stage.model.call("inspect_location")
    report = stage.turn(context_type="tick_autonomous")
    assert (report.steps, report.outcome, report.problem) == (1, "silent", "")


def test_money_is_reserved_before_and_settled_after(stage):
    """While the model thinks the worst case is booked; afterwards what it was."""
    hold = stage.model.say("Hello.").pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    (calls, reserved) = stage.mind.budget.spent("sera")
    assert calls == 1
    assert reserved > 1000
    hold.release()
    running.step()
    assert stage.mind.budget.spent("sera") == (1, 110)
    assert stage.mind.budget.spent("") == (1, 110)


def test_an_unknown_cost_keeps_its_reservation(stage):
    """Where nobody said what a call cost, or it failed, the worst case stands."""
    stage.model.text("Hello.")
    stage.ask(ALICE, "Hello.")
    _, unknown = stage.mind.budget.spent("sera")
    assert unknown > 1000
    stage.model.fail(ModelUnavailable())
    stage.ask(ALICE, "Hello.")
    assert stage.mind.budget.spent("sera")[1] > unknown + 1000


def test_a_call_is_reserved_with_all_it_carries(stage):
    """Long arguments travel with the next request, so they are part of its worst case."""
    spent = []
    for text in ("short", "long " * 400):
        stage.model.call("recall_memories", query=text).text("Hm.")
        before = stage.mind.budget.spent("sera")[1]
        stage.ask(ALICE, "Hello.")
        spent.append(stage.mind.budget.spent("sera")[1] - before)
    assert spent[1] - spent[0] >= 1900


def test_beyond_the_cap_no_call_is_made(stage):
    """When the day's money is spent the model is not asked, and the speaker gets an excuse."""
    stage.caps = (1000, 50)
    report = stage.ask(ALICE, "Hello.")
    assert stage.model.requests == []
    assert report.problem.startswith("BudgetExhausted")
    assert stage.world.said == ["seems lost in thought for a moment."]


# -- others act while the model thinks


def test_a_superseded_turn_does_nothing(stage):
    """Stopped in mid-thought: nothing is said or written, and the event still waits."""
    hold = stage.model.say("Hello.").pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    state = dict(stage.store.state)
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert stage.world.deliveries == []
    assert (stage.store.state, stage.store.memories, stage.store.audit) == (state, {}, [])
    assert [one.attempts for one in stage.store.pending()] == [1]


def test_a_superseded_failure_is_no_excuse(stage):
    """Also a turn whose model failed keeps silent once it lost its right to act."""
    hold = stage.model.fail(ModelUnavailable()).pause()
    running = stage.start(stage.hear(ALICE, "Hello."))
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert stage.world.deliveries == []


def test_what_others_changed_meanwhile_survives(stage):
    """A turn writes steps, not states: the work of staff during a thought is still there."""
    stage.model.say("Well met.")
    stage.ask(ALICE, "Hello.")
    hold = stage.model.call("wait").pause()
    running = stage.start(stage.hear(ALICE, "Hello again."))
    profile = stage.store.state["profile", ALICE.id]
    profile["relationship"]["favorability"] = 0.9
    profile["observations"].append({"content": "Staff knows.", "readers": OPEN})
    stage.store.state["journal", ""]["entries"].clear()
    hold.release()
    running.step()
    profile = stage.store.read("profile", ALICE.id)
    assert profile["relationship"]["favorability"] == 0.9
    assert profile["relationship"]["interaction_count"] == 2
    assert profile["observations"][0]["content"] == "Staff knows."
    assert stage.store.read("journal")["entries"] == []


def test_a_refused_commit_says_nothing(stage):
    """When the database refuses, nothing is said, and nothing that was heard is lost."""
    stage.overhear(BOB, "Fresh bread!")
    stage.store.refuse = True
    stage.model.say("Hello.")
    event = stage.hear(ALICE, "Hello.")
    with pytest.raises(StoreError):
        stage.start(event)
    assert stage.world.deliveries == []
    assert [one.event for one in stage.store.pending()] == [event]
    assert [one.content for one in stage.mind.heard] == ["Fresh bread!"]
    assert not stage.mind.engagement.who
    stage.model.say("Hello.")
    stage.turn(event)
    contents = [row.content for row in stage.store.memories.values()]
    assert sorted(contents) == ["Fresh bread!", "Hello.", "Hello."]


def test_a_listener_who_left_hears_nothing(stage):
    """A reply whose listeners are gone is dropped, and not remembered as said."""
    hold = stage.model.say("The vault is below.").pause()
    running = stage.start(stage.hear(ALICE, "Where is the vault?"))
    stage.world.leave(ALICE, BOB)
    stage.world.enter(CAROL)
    hold.release()
    report = running.step().result
    assert report.outcome == "dropped: those it was meant for have left"
    assert stage.world.said == []
    known = [entry["content"] for entry in stage.store.read("stream")["entries"]]
    talk = stage.store.read("working", ALICE.id)["messages"]
    rows = [row.content for row in stage.store.memories.values()]
    assert known == rows == ["Where is the vault?"] == [line["content"] for line in talk]
    assert not stage.mind.engagement.who
    assert stage.store.pending() == []


def test_a_whisperer_who_left_hears_nothing(stage):
    """The same for a whisper: who is gone is not whispered to."""
    hold = stage.model.call("whisper", to="p1", text="Below.").pause()
    running = stage.start(stage.hear(ALICE, "Where is the vault?", "whisper"))
    stage.world.leave(ALICE)
    hold.release()
    assert running.step().result.delivery.outcome == "dropped"
    assert stage.store.read("working", ALICE.id)["messages"] == []


def test_two_players_at_once_are_not_confused(stage):
    """Both questions of one turn are answered, and each is remembered with who asked it."""
    one, two = stage.hear(ALICE, "Captain, I am Alice."), stage.hear(BOB, "Captain, I like rum.")
    stage.model.calls(
        ("update_entity_observation", {"entity": "p2", "observation": "Bob likes rum."}),
        ("say", {"text": "Well met, both."}),
    )
    report = stage.turn(one, two)
    assert report.answered == (one.id, two.id)
    note = stage.store.read("profile", BOB.id)["observations"][0]
    assert (note["author"], note["source"]) == (BOB.id, "direct")
    rows = {row.content: row.author for row in stage.store.memories.values()}
    assert rows["Captain, I am Alice."] == ALICE.id
    assert rows["Captain, I like rum."] == BOB.id
    for who, line in ((ALICE, "Captain, I am Alice."), (BOB, "Captain, I like rum.")):
        talk = stage.store.read("working", who.id)["messages"]
        assert [entry["content"] for entry in talk] == [line, "Well met, both."]


def test_two_whisperers_get_their_own_answers(stage):
    """Two private questions make two turns, and neither shows in the other."""
    for who, handle, secret in ((ALICE, "p1", "I stole it."), (BOB, "p2", "I saw it.")):
        stage.model.call("whisper", to=handle, text=f"So: {secret}")
        stage.ask(who, secret, "whisper")
    assert "stole" not in stage.model.shown()
    assert [end.hearers for _, end in stage.world.deliveries] == [{ALICE.id}, {BOB.id}]


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
    assert len(stage.mind.index) == 5


def test_the_prompt_learns_the_length_of_tokens(stage):
    """A provider's count corrects the estimate that the prompt's budget rests on."""
    before = stage.mind.tokens_per_char
    stage.model.replies.append(ModelReply("Hm.", usage=Usage(10, 1, known=True)))
    stage.ask(ALICE, "Hello.")
    assert 0.1 < stage.mind.tokens_per_char < before
