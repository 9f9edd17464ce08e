"""Pieces of speech: said in order, each once, each to those who hear it where it is said."""

from contextlib import suppress
from dataclasses import replace

import pytest

from ai_assistant.agent.config import Config
from ai_assistant.agent.keeping.closing import close_events, close_interrupted
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.pieces import TOO_LONG, TOO_MANY
from ai_assistant.core.errors import TurnSuperseded
from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.testing import DictStore, Stage, people
from ai_assistant.testing.fake_store import DictTriggers

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    """Alice stands before the captain, who carries a rose; a door leads north."""
    return furnished(Stage())


def furnished(stage):
    """Put Alice, a rose and a door before the captain."""
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.world.place_exit("north")
    return stage


def answer(text, *calls):
    """Return a reply of words beside calls."""
    made = (ToolCall(f"c{at}", name, given) for at, (name, given) in enumerate(calls))
    return ModelReply(text=text, tool_calls=tuple(made))


def bob_stands_beyond(stage):
    """Let Bob be behind every door."""
    move = stage.world.move

    async def moved(exit_id):
        told = await move(exit_id)
        stage.world.enter(BOB)
        return told

    stage.world.move = moved


GIVE = ("give", {"item": "o1", "to": "p1"})
MOVE = ("move", {"to": "x1"})


# -- words and moves


def test_words_beside_a_move_are_said_before_leaving(stage):
    """Who says "Follow me!" is heard by those who stay."""
    stage.model.replies.append(answer("Follow me!", MOVE))
    stage.model.text("")
    stage.ask(ALICE, "Show me the way.")
    ((speech, end),) = stage.world.deliveries
    assert (speech.place, end.hearers) == ("room1", {ALICE.id})
    assert stage.world.deeds == ["move north"]


def test_after_a_move_the_new_place_is_seen(stage):
    """The model is told where it is now, with handles that were never used before."""
    stage.model.call("move", to="x1").call("wait")
    stage.ask(ALICE, "Go north.")
    told = stage.model.requests[-1].messages[-1].content
    assert '"place": "beyond-exit-north"' in told
    assert '"you_see"' in told


def test_what_is_said_elsewhere_is_heard_there_only(stage):
    """Bob, beyond the door, hears what is said there; Alice, left behind, does not."""
    bob_stands_beyond(stage)
    stage.model.calls(("say", {"text": "Wait here."}), MOVE).text("Hello, Bob.")
    stage.ask(ALICE, "Go and greet Bob.")
    heard = [(speech.text, set(end.hearers)) for speech, end in stage.world.deliveries]
    assert heard == [("Wait here.", {ALICE.id}), ("Hello, Bob.", {BOB.id})]


def test_a_whisper_turn_stays_private_after_a_move(stage):
    """Words of a turn that began in a whisper are for that one alone; out of reach they are not
    said, which is on record and ends the turn."""
    bob_stands_beyond(stage)
    stage.model.calls(MOVE).text("The vault opens at midnight.")
    report = stage.ask(ALICE, "Come along, I have a secret.", "whisper")
    assert stage.world.deliveries == []
    assert report.outcome == "acted"
    assert refusals(stage) == ["It reached nobody: nobody is there to hear it."]


def test_what_may_be_known_before_is_not_said_before_others_after_a_move(stage):
    """The ceiling stays: what only Alice may know is not said to Bob next door."""
    bob_stands_beyond(stage)
    event = stage.hear(ALICE, "The vault opens at midnight.", readers=ALICE.id)
    stage.model.calls(MOVE).call("say", text="Midnight!").call("wait")
    stage.turn(event)
    assert stage.world.said == []
    assert "must not hear it" in stage.model.shown()


def test_the_same_step_elsewhere_is_another_step(stage):
    """To look around again in a new place is no repetition."""
    stage.model.call("inspect_location").calls(MOVE).call("inspect_location").call("wait")
    stage.ask(ALICE, "Explore.")
    looked = [one for one in stage.store.audit if one.data.get("tool_name") == "inspect_location"]
    assert [one.data["success"] for one in looked] == [True, True]


def test_who_walked_off_is_lost_in_thought_before_nobody(stage):
    """Steps that ran out elsewhere are a failure on record, and no sight for others."""
    bob_stands_beyond(stage)
    stage.mind.config = Config({"max_iterations_per_tick": 1})
    stage.model.calls(MOVE)
    report = stage.ask(ALICE, "Where is Bob?")
    assert report.problem == "Its steps ran out before it spoke."
    assert stage.world.deliveries == []


# -- a thing of the past is never done again


def test_a_piece_before_the_last_is_on_disk_before_it_is_heard(stage):
    """What was said stands in the memory already while the model thinks on."""
    hold = []
    stage.model.replies.append(answer("Let me see.", ("inspect_location", {})))

    def look(request):
        hold.append([one["content"] for one in stage.store.read("stream")["entries"]])
        return ModelReply(text="A fire.")

    stage.model.replies.append(look)
    stage.ask(ALICE, "What is here?")
    assert hold == [["What is here?", "Let me see."]]
    contents = [one["content"] for one in stage.store.read("stream")["entries"]]
    assert contents == ["What is here?", "Let me see.", "A fire."]


def test_a_turn_that_spoke_is_closed_not_run_again(stage):
    """Stopped after its first words, it leaves a claim, and those words in memory once."""
    stage.model.replies.append(answer("Let me see.", ("inspect_location", {})))
    pause = stage.model.pause()
    event = stage.hear(ALICE, "What is here?")
    running = stage.start(event)
    hold = stage.model.pause()
    stage.model.text("A fire.")
    pause.release()
    running.step()
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    (pending,) = stage.store.triggers.waiting()
    assert [claim["result"] for claim in pending.claims] == [{"said": "Let me see."}]
    close_interrupted(stage.mind, pending)
    contents = [one["content"] for one in stage.store.read("stream")["entries"]]
    assert contents == ["What is here?", "Let me see."]
    assert stage.world.said == ["Let me see."]


def test_own_accord_is_claimed_as_well(stage):
    """An act that nobody asked for is on disk before it happens, and gone once it is saved."""
    seen = []

    async def limit(awaitable, seconds):
        seen.append(
            [claim["tool"] for one in stage.store.triggers.waiting() for claim in one.claims]
        )
        return await awaitable

    stage.mind.limit = limit
    stage.model.call("move", to="x1")
    stage.turn(context_type="tick_autonomous")
    assert seen[-1] == ["move"]
    assert stage.store.triggers.waiting() == []


def test_a_whisper_stays_private_when_the_turn_is_interrupted(stage):
    """What is remembered of a turn that was cut short does not tell what was whispered in it."""
    stage.world.enter(BOB)
    stage.model.calls(("whisper", {"to": "Alice", "text": "The key is under the mat."}), GIVE)

    def stopped(request):
        stage.mind.epoch += 1
        return ModelReply(text="Done.")

    whispered = stage.model.replies[0]
    look = ToolCall("look", "inspect_location", {})
    stage.model.replies[0] = replace(whispered, tool_calls=(*whispered.tool_calls, look))
    stage.model.replies.append(stopped)
    with pytest.raises(TurnSuperseded):
        stage.turn(stage.hear(ALICE, "The rose?"))
    for pending in stage.store.triggers.waiting():
        close_interrupted(stage.mind, pending)
    journal = stage.store.read("journal")["entries"]
    told = [one for one in journal if "interrupted" in one["content"]]
    assert told
    assert "under the mat" not in str(told)


def test_a_gesture_within_a_whisper_is_seen_by_nobody_else(stage):
    """What is done while whispering goes with the whisper."""
    stage.world.enter(BOB)
    stage.model.call("whisper", to="Alice", text="*slips you the ring* Hide it.")
    stage.ask(ALICE, "What is it?")
    ((speech, end),) = stage.world.deliveries
    assert (speech.kind, speech.text, end.hearers) == ("whisper", "Hide it.", {ALICE.id})


def test_a_piece_that_nobody_could_hear_is_claimed_as_well(stage):
    """Saved with what was heard, a turn never runs again, said or not."""
    stage.model.replies.append(answer("Let me see.", ("inspect_location", {})))
    pause = stage.model.pause()
    running = stage.start(stage.hear(ALICE, "What is here?"))
    stage.world.leave(ALICE)
    hold = stage.model.pause()
    stage.model.text("A fire.")
    pause.release()
    running.step()
    (pending,) = stage.store.triggers.waiting()
    assert [claim["result"] for claim in pending.claims] == [
        {"error": "nobody is there to hear it"}
    ]
    hold.release()
    assert running.step().result.outcome == "dropped: nobody is there to hear it"


# -- what the model is told


def test_results_follow_their_calls_at_once(stage):
    """Providers refuse whatever stands between a call and its result."""
    crown = stage.world.carry("crown", givable=False)
    stage.model.replies.append(
        answer("It is yours.", ("give", {"item": "crown", "to": "p1"}), MOVE)
    )
    stage.model.call("wait")
    stage.ask(ALICE, "The crown, and then go!")
    roles = [one.role for one in stage.model.requests[-1].messages]
    assert roles[-4:] == ["assistant", "tool", "tool", "user"]
    assert crown in stage.world.present or stage.world.deeds


def test_words_beside_a_call_that_nobody_knows_are_said(stage):
    """Only what is known to act holds back words: a misspelt note does not."""
    stage.model.replies.append(answer("Good evening.", ("rememberr", {"fact": "She came."})))
    with stage.model.text(""):
        stage.ask(ALICE, "Good evening.")
    assert stage.world.said == ["Good evening."]
    assert [one for one in stage.store.audit if one.type == "SpeechHeld"] == []


def test_words_out_of_character_are_not_spoken_beside_calls(stage):
    """The call is made, the rest is nothing that the character would say."""
    stage.model.replies.append(answer("As an AI language model I have no roses.", GIVE))
    stage.model.text("There you are.")
    stage.ask(ALICE, "The rose?")
    assert stage.world.said == ["There you are."]
    assert stage.world.deeds == ["give rose to Alice"]


class Killed(BaseException):
    """The server dies."""


class Mortal:
    """Counts moments at which something is written or done, and dies at the one it is told."""

    left = 0

    def __call__(self):
        self.left -= 1
        if self.left == 0:
            raise Killed

    def around(self, function):
        """Return a function that may die before and after it does its work."""

        def mortal(*args):
            self()
            done = function(*args)
            self()
            return done

        return mortal


def dramatic(store, death):
    """Return a stage on which the captain speaks, gives and speaks again, if she lives."""
    stage = furnished(Stage(store=store))
    store.commit = death.around(DictStore.commit.__get__(store))
    for name in ("claim", "settle", "add", "begin"):
        whole = getattr(DictTriggers, name).__get__(store.triggers)
        setattr(store.triggers, name, death.around(whole))
    stage.world.deliver = death.around(stage.world.deliver)
    give = stage.world.give

    async def mortal_give(item, to):
        death()
        done = await give(item, to)
        death()
        return done

    stage.world.give = mortal_give
    stage.model.replies.append(answer("Take care.", ("say", {"text": "Here."}), GIVE))
    stage.model.calls(("say", {"text": "Mind the thorns."}))
    return stage


@pytest.mark.parametrize("own_accord", [False, True])
@pytest.mark.parametrize("moment", range(1, 19))
def test_killed_at_any_moment_nothing_happens_twice(moment, own_accord):
    """Words and deeds happen at most once, and what was heard is remembered exactly once."""
    store, death = DictStore(PARTS), Mortal()
    first = dramatic(store, death)
    asked = () if own_accord else (first.hear(ALICE, "The rose?"),)
    death.left = moment
    with suppress(Killed):
        first.turn(*asked, context_type="tick_autonomous" if own_accord else "tick_event")
    second = dramatic(store, Mortal())
    for pending in store.triggers.waiting():
        if pending.claims:
            close_interrupted(second.mind, pending)
        elif pending.event.event_type == "tick":
            close_events(second.mind, [pending.event], "interrupted")
        else:
            second.turn(pending.event)
    said = [*first.world.said, *second.world.said]
    assert len(said) == len(set(said))
    assert len([*first.world.deeds, *second.world.deeds]) <= 1
    assert store.triggers.waiting() == []
    heard = [one["content"] for one in store.read("stream")["entries"]]
    rows = [row.content for row in store.memories.values() if row.author == ALICE.id]
    assert heard.count("The rose?") == rows.count("The rose?") == len(asked)


# -- words, gestures and long lines in order


def refusals(stage):
    """Return what stands in the audit of calls that were refused."""
    executed = [one.data for one in stage.store.audit if one.type == "ToolExecuted"]
    return [one["error"] for one in executed if not one["success"]]


def test_words_and_gestures_come_in_their_order(stage):
    """A gesture between two sentences is made between them, one within a sentence before it."""
    stage.model.text("*nods* Welcome. *wipes the bar* Well, *sighs* I like it. *sits down*")
    stage.ask(ALICE, "Hello.")
    expected = ["nods", "Welcome.", "wipes the bar", "sighs", "Well, I like it.", "sits down"]
    assert stage.world.said == expected


def test_too_many_gestures_are_refused_and_told(stage):
    """What is over is on record with its reason, the words are said, and the next turn knows."""
    stage.model.text("".join(f"*nods {n} times* " for n in range(6)) + "Welcome!")
    stage.ask(ALICE, "Hello.")
    assert stage.world.said[-1] == "Welcome!"
    assert len(stage.world.said) == 5
    assert refusals(stage) == [TOO_MANY]
    stage.model.text("Hm.")
    stage.ask(ALICE, "What was that?")
    assert TOO_MANY in stage.model.shown()


def test_a_long_speech_is_said_in_several_lines(stage):
    """Split between sentences; nothing of it is lost."""
    words = " ".join(f"This is sentence number {n} of the captain's tale." for n in range(40))
    stage.model.text(words)
    stage.ask(ALICE, "Tell me a tale.")
    assert len(stage.world.said) == 3
    assert " ".join(stage.world.said) == words
    assert all(one.endswith("tale.") for one in stage.world.said)


def test_what_is_too_long_is_refused_and_told(stage):
    """After three lines it is enough: the rest is on record, and the next turn knows."""
    stage.model.text(" ".join(map(str, range(10_000, 11_000))))
    stage.ask(ALICE, "Tell me a tale.")
    assert len(stage.world.said) == 3
    assert refusals(stage) == [TOO_LONG]
    stage.model.text("Hm.")
    stage.ask(ALICE, "Go on.")
    assert TOO_LONG in stage.model.shown()


# -- words that come again, and words that nobody hears


@pytest.mark.parametrize(
    "words",
    [
        "No. *shakes her head.* No. *sighs.* Very well, take it.",
        "*nods.* Yes. *nods.* Indeed. *smiles.* Come in.",
    ],
)
def test_the_same_word_twice_loses_none(stage, words):
    """Pieces of one answer are no calls that were made already: all of it is heard."""
    stage.model.text(words)
    stage.ask(ALICE, "Please.")
    assert stage.world.said == [one.strip() for one in words.split("*") if one.strip()]
    assert refusals(stage) == []


def test_who_went_where_nobody_is_has_done_it(stage):
    """Words that can reach nobody end the turn: it is no failure, nor asked to the last step."""
    stage.model.calls(MOVE).text("Here I am.")
    report = stage.ask(ALICE, "Go north, please.")
    assert (report.outcome, report.problem) == ("acted", "")
    assert len(stage.model.requests) == 2
    assert refusals(stage) == ["It reached nobody: nobody is there to hear it."]


def test_who_spoke_after_the_last_step_is_done(stage):
    """A fetch in one answer, closed by words, is not asked for more."""
    stage.world._go = lambda place: None
    stage.model.calls(MOVE, ("say", {"text": "There you are."}))
    stage.ask(ALICE, "Fetch it!")
    assert stage.world.said == ["There you are."]
    assert len(stage.model.requests) == 1


def test_what_reached_nobody_is_not_told_as_done(stage):
    """Alice left while it was thinking: the whisper is no success, in result and record."""

    def thinking(request):
        stage.world.leave(ALICE, online=True)
        whisper = ("whisper", {"to": "Alice", "text": "The code is 7741."})
        return answer("", whisper, ("inspect_location", {}))

    stage.model.replies.append(thinking)
    stage.model.text("She is gone.")
    stage.ask(ALICE, "What is the code?", "whisper")
    result = next(one for one in stage.model.requests[1].messages if one.role == "tool")
    assert '"ok": false' in result.content
    assert "It reached nobody" in result.content
    assert stage.world.said == []


def test_a_flood_of_gestures_is_one_refusal(stage):
    """What a model repeats without end fills no log."""
    stage.model.text("*a* " * 2000)
    stage.ask(ALICE, "Hello.")
    assert len(stage.world.said) == 4
    assert refusals(stage) == [TOO_MANY]


@pytest.mark.parametrize(
    ("kind", "words", "held"),
    [
        ("say", "*I wipe the bar.* Evening.", "I wipe the bar."),
        ("whisper", "*wipes the bar* Evening.", "wipes the bar"),
        ("say", "Evening.\nAlice: To you too!", "Alice: To you too!"),
    ],
)
def test_what_is_not_shown_is_on_record(stage, kind, words, held):
    """Nothing that a model wrote is gone without a trace."""
    stage.model.text(words)
    stage.ask(ALICE, "Evening!", kind)
    assert stage.world.said == ["Evening."]
    kept = [one.data["text"] for one in stage.store.audit if one.type == "SpeechHeld"]
    assert kept == [held]


def test_a_list_of_those_who_are_there_is_said(stage):
    """A label behind a colon is an item, and nobody's part in a play."""
    stage.model.text("Who owes what:\nAlice: three coins")
    stage.ask(ALICE, "Who owes what?")
    assert "three coins" in stage.world.said[0]


def test_a_gesture_of_a_model_is_not_shown(stage):
    """What no character says, none does."""
    stage.model.call("emote", text="as an AI language model cannot smile").text("Hm.")
    stage.ask(ALICE, "Smile!")
    assert stage.world.said == ["Hm."]


@pytest.mark.parametrize("heading", ["## Now", "## Here with you"])
def test_any_heading_of_the_prompt_is_an_echo(stage, heading):
    """Not only the first part of the prompt is ours."""
    stage.model.text(f"{heading}\nYou are at the inn.").text("Fine.")
    stage.ask(ALICE, "Hello.")
    assert stage.world.said == ["Fine."]
