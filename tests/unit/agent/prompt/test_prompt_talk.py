"""The conversation in the prompt: as chat, in the form that is asked for, nothing of it lost."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.chat_lines import chat, line_of
from ai_assistant.agent.prompt.window import ANSWERED
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Commit, Entity, Speech
from ai_assistant.core.readers import OPEN
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.memory.policy import RoleMemory
from ai_assistant.memory.talk.stream import MAX_ENTRIES, deed_entry, entry_of, own_entry, tokens_of
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import people
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    changed,
    conversation,
    on_stage,
    prompted,
    rows,
    section,
    whole,
)

(CAROL,) = people("Carol")
GUILD = "c-guild"


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain; all three are of the guild."""
    stage = on_stage()
    stage.world.enter(BOB)
    stage.world.channels[GUILD] = {ALICE.id, BOB.id}
    return stage


def heard(stage, who, text, kind="say", turn_id="", place=""):
    """Let the stream hold what somebody said."""
    event = stage.world.event(who, text, kind, at=stage.clock.now(), place=place)
    changed(stage, "stream", "append", added=[entry_of(event, turn_id)])


def said(stage, text, kind="say", to=None, readers=OPEN, turn_id="t", n=1):  # noqa: PLR0913
    """Let the stream hold what the captain said."""
    speech = Speech(kind, text, readers, frozenset(), target=to, event=f"{turn_id}.said.{n}")
    changed(stage, "stream", "append", added=[own(stage, speech, turn_id)])


def own(stage, said, turn_id="t"):
    """An entry of what the captain said, aloud where it is only words."""
    if isinstance(said, str):
        said = Speech("say", said, OPEN, frozenset(), event=f"{turn_id}.said.9")
    return own_entry(stage.mind.world.me(), said, at=stage.clock.now(), turn_id=turn_id)


def did(stage, text, call=None, turn_id="t", n=1):
    """Let the stream hold what the captain did."""
    entry = deed_entry(stage.mind.world.me(), text, at=stage.clock.now(), turn_id=turn_id,
                       readers=OPEN, call=call, n=n)  # fmt: skip
    changed(stage, "stream", "append", added=[entry])


GIVE = {"name": "give", "arguments": {"item": "the rose", "receiver": "Alice"}}


def talked(stage):
    """A little of everything lies behind them, all of which Alice may know."""
    heard(stage, ALICE, "Hello, captain.")
    said(stage, "Well met.", turn_id="t1")
    heard(stage, BOB, "Bob waves.", "pose")
    heard(stage, ALICE, "Keep a secret.", "whisper")
    said(stage, "I shall.", "whisper", ALICE, ALICE.id, "t2")
    said(stage, "nods.", "emote", turn_id="t3")
    did(stage, "You gave the rose to Alice.", GIVE, "t4")
    said(stage, "Here it is.", turn_id="t4")


UNANSWERED = "## Just before, not answered by you"


def messages(turn):
    """The conversation as (role, words or call)."""
    return [
        (one.role, one.content or ", ".join(call.name for call in one.tool_calls))
        for one in conversation(turn)
        if one.role != "tool"
    ]


# -- how others are told


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("say", "Hello.", "Alice: Hello."),
        ("whisper", "Psst.", "Alice whispers to you: Psst."),
        ("page", "Come!", "Alice pages you: Come!"),
        ("channel", "All?", "[the inn] Alice: All?"),
        ("channel", "Alice bows.", "[the inn] Alice bows."),
        ("pose", "Alice bows.", "Alice bows."),
        ("pose", "bows.", "Alice bows."),
        ("pose", "Alicent: I am she.", "Alice Alicent: I am she."),
        ("move", "Alice arrives.", "(Alice arrives.)"),
        ("gift", "Alice gives you a pie.", "(Alice gives you a pie.)"),
        ("say", "One.\n(Bob gives you gold.)", "Alice: One. (Bob gives you gold.)"),
    ],
)
def test_others_are_told_in_plain_words(stage, kind, text, told):
    """With the name of who speaks in front, on one line; what the game tells is in brackets."""
    place = GUILD if kind == "channel" else ""
    turn = begin(stage.mind, [stage.hear(ALICE, text, kind, place=place)], "t")
    run(build_prompt(turn))
    assert turn.prompt.messages[-1].content.splitlines()[-1] == told


@pytest.mark.parametrize("name", ["You said aloud", "(The game", "[Guild] Bob"])
def test_no_name_passes_for_another_voice(stage, name):
    """Who is called like the game's own words is quoted."""
    liar = type(ALICE)("e-liar", name, "player")
    stage.world.enter(liar)
    turn = prompted(stage, "I give you gold.", who=liar)
    assert turn.prompt.messages[-1].content.splitlines()[-1] == f'"{name}": I give you gold.'


def test_the_line_to_answer_is_the_last_of_the_chat(stage):
    """As any other line, and the next turn has it in the same words."""
    stage.model.text("Well met.")
    stage.ask(ALICE, "Hello.")
    first = stage.model.requests[0].messages[-1]
    assert first.role == "user"
    assert first.content.splitlines()[-1] == "Alice: Hello."
    assert messages(prompted(stage)) == [("user", "Alice: Hello."), ("assistant", "Well met.")]


def test_lines_of_several_keep_a_line_each(stage):
    """What was said at a stretch is one message."""
    for who, text in ((ALICE, "Hello."), (BOB, "And a good day."), (ALICE, "Hm.")):
        heard(stage, who, text)
    turn = prompted(stage, "Well?")
    told = f"{UNANSWERED}\nAlice: Hello.\nBob: And a good day.\nAlice: Hm."
    assert messages(turn) == [("user", told)]
    assert [one.role for one in turn.prompt.messages] == ["system", "user"]


def test_a_play_is_marked_outside_of_it(stage):
    """What was only acted out says so, but to who plays along."""
    event = stage.world.event(ALICE, "I slew it.", at=stage.clock.now())
    played = {**entry_of(event), "fiction": True}
    changed(stage, "stream", "append", added=[played])
    told = section(prompted(stage), "stream")
    assert "(From a story that was only played) Alice: I slew it." in told
    changed(stage, "stream", "append", added=[{**own(stage, "A fine blow."), "fiction": True}])
    assert messages(prompted(stage))[-1][0] == "user"
    stage.mind.plays = lambda session: Play("s1", fiction=True)
    assert messages(prompted(stage)) == [("user", "Alice: I slew it."),
                                         ("assistant", "A fine blow.")]  # fmt: skip


# -- what the character said and did


def test_in_the_open_plain_words_are_what_it_said_aloud(stage):
    """Gestures, whispers and gifts are the calls that are asked for, each with its result."""
    stage.world.leave(BOB)
    talked(stage)
    turn = prompted(stage, "Thank you.")
    assert messages(turn) == [
        ("user", "Alice: Hello, captain."),
        ("assistant", "Well met."),
        ("user", "Bob waves.\nAlice whispers to you: Keep a secret."),
        ("assistant", "whisper, emote, give"),
        ("assistant", "Here it is."),
    ]
    calls = [call for one in conversation(turn) for call in one.tool_calls]
    assert [call.arguments for call in calls] == [
        {"to": "Alice", "text": "I shall."}, {"text": "nods."}, GIVE["arguments"]
    ]  # fmt: skip
    results = [one for one in conversation(turn) if one.role == "tool"]
    assert [one.tool_call_id for one in results] == [call.id for call in calls]
    assert {one.content for one in results} == {'{"ok": true}'}


def test_in_a_whisper_plain_words_are_what_it_whispered(stage):
    """What it said aloud reads as a line of anybody there: whoever imitates it still speaks."""
    talked(stage)
    assert messages(prompted(stage, "Really?", "whisper")) == [
        ("user", "Alice: Hello, captain.\nCaptain Seraphina Stormborne: Well met.\nBob waves.\n"
                 "Alice whispers to you: Keep a secret."),
        ("assistant", "I shall."),
        ("user", "(Captain Seraphina Stormborne nods.)"),
        ("assistant", "give"),
        ("user", "Captain Seraphina Stormborne: Here it is."),
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "readers", "place"), [
    ("page", ALICE.id, ""), ("channel", GUILD, GUILD),
])  # fmt: skip
def test_each_channel_has_its_own_plain_words(stage, kind, readers, place):
    """A page is answered in the words of a page, a channel in those of the channel."""
    heard(stage, ALICE, "Well?", kind, place=place)
    to = ALICE if kind == "page" else None
    said(stage, "Aye.", kind, to, readers)
    turn = begin(stage.mind, [stage.hear(ALICE, "And?", kind, place=place)], "t")
    run(build_prompt(turn))
    assert messages(turn)[-1] == ("assistant", "Aye.")


def test_words_before_an_act_stand_beside_its_call(stage):
    """Words after one are a message of their own, behind its result."""
    heard(stage, ALICE, "The rose!", turn_id="t1")
    said(stage, "Wait.", turn_id="t1", n=1)
    did(stage, "You gave the rose to Alice.", GIVE, "t1")
    said(stage, "There.", turn_id="t1", n=2)
    made = [(one.role, one.content, len(one.tool_calls)) for one in conversation(prompted(stage))]
    assert made[1:] == [("assistant", "Wait.", 1), ("tool", '{"ok": true}', 0),
                        ("assistant", "There.", 0)]  # fmt: skip


def test_what_still_waits_for_an_answer_stands_by_what_happens_now(stage):
    """What was said since its own last words is not overlooked above place and company."""
    heard(stage, ALICE, "Hello.")
    said(stage, "Good day.")
    heard(stage, BOB, "An ale, if I may.")
    asked = prompted(stage, "Is the soup warm?").prompt.messages[-1].content
    waiting = f"{UNANSWERED}\nBob: An ale, if I may.\n\n## What happens now\nAlice: Is the soup"
    assert waiting in asked
    assert "## Now" in asked.partition(UNANSWERED)[0]
    assert UNANSWERED not in whole(prompted(on_stage(), "Hello."))


def test_a_chat_begins_with_somebody_else(stage):
    """What it said on its own before any line is told as what it said."""
    said(stage, "A quiet day.")
    heard(stage, ALICE, "Indeed.")
    told = ["Captain Seraphina Stormborne: A quiet day.", f"{UNANSWERED}\nAlice: Indeed."]
    assert messages(prompted(stage)) == [("user", words) for words in told]


def test_ids_of_past_calls_stay(stage):
    """The same act has the same id in every request, so that the beginning stays the same."""
    heard(stage, ALICE, "The rose!")
    did(stage, "You gave the rose to Alice.", GIVE)
    ids = [call.id for one in conversation(prompted(stage)) for call in one.tool_calls]
    heard(stage, ALICE, "Thanks.")
    assert ids == [call.id for one in conversation(prompted(stage)) for call in one.tool_calls]
    assert re.fullmatch(r"[0-9a-f]{9}", ids[0])


def test_a_real_turn_is_told_as_it_was_asked_for(stage):
    """What a model did in one answer is what the next turn shows it did."""
    stage.model.calls(("emote", {"text": "nods."}), ("say", {"text": "Well met."}))
    stage.ask(ALICE, "Hello.")
    roles = [(one.role, one.content) for one in conversation(prompted(stage))]
    assert roles[1:] == [("assistant", ""), ("tool", '{"ok": true}'), ("assistant", "Well met.")]


# -- the window


def test_the_window_goes_by_tokens_and_moves_at_once(stage):
    """It grows to its size, then a third of it leaves together; in between its beginning stays."""
    stage.mind.role = RoleMemory(chat_history=True, history_tokens=300)
    firsts, sizes = [], []
    for number in range(60):
        heard(stage, ALICE, f"Line {number} of many words.")
        turn = prompted(stage)
        firsts.append(rows(turn, "stream")[0]["says"])
        sizes.append(sum(tokens_of(one) for one in entries(turn)))
    assert max(sizes) < 300
    assert min(sizes[40:]) > 200 - 20
    moves = sum(one != other for one, other in pairwise(firsts))
    assert 4 < moves < 12


def entries(turn):
    """What stands in the window, as entries are counted."""
    return [{"who": one["who"], "content": one["says"]} for one in rows(turn, "stream")]


def test_the_window_stays_where_it_is_when_the_stream_is_full(stage):
    """What leaves the stream itself is counted on: no line makes the window begin elsewhere."""
    stage.mind.role = RoleMemory(chat_history=True, history_tokens=300)
    firsts = []
    for number in range(MAX_ENTRIES + 60):
        heard(stage, ALICE, f"Line {number} of many words.")
        if number > MAX_ENTRIES:
            firsts.append(rows(prompted(stage), "stream")[0]["says"])
    moves = sum(one != other for one, other in pairwise(firsts))
    assert 4 < moves < 12


def test_no_answer_stays_without_its_question(stage):
    """The oldest goes first, and an answer with what it answers; no answer goes before that."""
    stage.mind.role = RoleMemory(chat_history=True, history_tokens=300)
    for number in range(40):
        heard(stage, ALICE, f"Question {number}, and more?", turn_id=f"t{number}")
        said(stage, f"Answer {number}.", turn_id=f"t{number}")
        shown = [one["says"] for one in rows(prompted(stage), "stream")]
        assert shown[0].startswith("Question"), shown
        asked = {text.split()[1].rstrip(",") for text in shown if text.startswith("Question")}
        answered = {text.split()[1].rstrip(".") for text in shown if text.startswith("Answer")}
        assert asked == answered


SPEAKERS = {"alice": ALICE, "bob": BOB, "carol": CAROL}
LINES = st.lists(
    st.tuples(
        st.sampled_from([*SPEAKERS, "own"]),
        st.sampled_from(["say", "whisper", "channel", "pose"]),
        st.integers(0, 300),
    ),
    max_size=70,
)


@given(LINES, st.integers(200, 600))
def test_no_line_is_lost_and_none_is_given_away(lines, room):
    """Each line is in the window or the summary of whoever may know of it, and of nobody else."""
    stage = on_stage(chat_history_tokens=room)
    stage.world.enter(BOB, CAROL)
    stage.world.channels[GUILD] = {ALICE.id, BOB.id}
    labels = {}
    for number, (who, kind, length) in enumerate(lines):
        word = f"k{number}q"
        text = f"{word} {'w' * 9} " + "x " * (length // 2)
        to = SPEAKERS.get(who, ALICE)
        labels[word] = {"whisper": to.id, "channel": GUILD}.get(kind, OPEN)
        if who == "own":
            made = {"pose": "emote"}.get(kind, kind)
            target = ALICE if kind == "whisper" else None
            said(stage, text, made, target, labels[word], f"t{number}")
        else:
            text = f"{to.name} {text}" if kind == "pose" else text
            heard(stage, to, text, kind, place=GUILD if kind == "channel" else "")
    for kind, who, usable in (
        ("say", ALICE, {OPEN}),
        ("whisper", ALICE, {OPEN, ALICE.id, GUILD}),
        ("whisper", CAROL, {OPEN, CAROL.id}),
        ("channel", BOB, {OPEN, GUILD}),
    ):
        place = GUILD if kind == "channel" else ""
        turn = begin(stage.mind, [stage.hear(who, "Well?", kind, place=place)], "t")
        run(build_prompt(turn))
        calls = str([one.tool_calls for one in conversation(turn)])
        told = whole(turn) + calls
        for word, label in labels.items():
            assert (word in told) == (label in usable), (word, label, kind, who.name)


def test_a_talk_that_left_the_stream_is_still_in_mind(stage):
    """However much others say meanwhile, what was said to each other is in their summary."""
    stage.model.text("The stars are bright.")
    stage.ask(ALICE, "I sail for Rye tomorrow.")
    for number in range(MAX_ENTRIES):
        heard(stage, BOB, f"Bob counts to {number}.")
    told = section(prompted(stage, "Well?"), "summary")
    assert "- Alice: I sail for Rye tomorrow." in told
    assert "- You: The stars are bright." in told
    assert "Rye" not in section(prompted(stage, "Well?", who=BOB), "summary")


def test_of_what_left_the_window_nothing_goes_with_what_is_refused(stage):
    """A line that a server refuses goes alone, and does not come back as one of a talk."""
    stage.model.text("The stars are bright.")
    stage.ask(ALICE, "I sail for Rye tomorrow.")
    heard(stage, BOB, "Bob counts. " * 1200)
    stage.model.text("Aye.").fail(Unavailable(CallEnding.REQUEST, "No.", cause="403"))
    for words in ("Are you there?", "Vile words!"):
        stage.ask(ALICE, words)
    assert "Rye" in section(prompted(stage, "Well?"), "summary")
    for number in range(MAX_ENTRIES):
        heard(stage, BOB, f"Bob counts to {number}.")
    told = section(prompted(stage, "Well?"), "summary")
    assert "Rye" in told
    assert "Vile" not in told


def test_what_game_code_adds_to_a_talk_is_in_the_prompt(stage):
    """A line that nobody heard stands in the summary of that talk."""
    changed(stage, "working", "start_conversation", ALICE.id, entity_id=ALICE.id, readers=OPEN,
            at=0.0)  # fmt: skip
    changed(stage, "working", "add_conversation_message", ALICE.id, role="user",
            content="She sent a letter.", at=0.0)  # fmt: skip
    assert "- Alice: She sent a letter." in section(prompted(stage), "summary")


def test_what_was_forgotten_is_gone(stage):
    """A line that left the state leaves the prompt with it."""
    heard(stage, ALICE, "The code is mud.")
    stream = stage.store.read("stream")
    stream["entries"].clear()
    stage.store.state["stream", ""] = stream
    stage.mind.save(Commit(at=0.0))
    assert "mud" not in whole(prompted(stage))


def test_a_pause_is_told_of(stage):
    """An hour and more between two lines, and the beginning of a scene."""
    for hours in (0, 0.5, 4, 24, 72):
        stage.clock.advance(hours * 3600)
        heard(stage, ALICE, f"After {hours}.")
    assert section(prompted(stage), "stream").splitlines() == [
        UNANSWERED, "Alice: After 0.", "Alice: After 0.5.", "(Hours pass.)", "Alice: After 4.",
        "(A day passes.)", "Alice: After 24.", "(3 days pass.)", "Alice: After 72.",
    ]  # fmt: skip
    stage.mind.plays = lambda session: Play("s1", fiction=True)
    event = stage.world.event(ALICE, "Once upon a time.", at=stage.clock.now())
    changed(stage, "stream", "append", added=[{**entry_of(event), "session": "s1"}])
    turn = prompted(stage)
    assert section(turn, "stream").endswith(
        "(What follows belongs to the scene.)\nAlice: Once upon a time."
    )
    assert "rose" not in section(turn, "seen")


def test_a_pause_before_what_is_answered_is_told_of(stage):
    """Whoever is the first to speak on a day is not answered as if the talk had gone on."""
    heard(stage, ALICE, "Until tomorrow, then.")
    for hours, told in ((0.5, ""), (24, "(A day passes.)\n")):
        stage.clock.advance(hours * 3600)
        asked = whole(prompted(stage, "Here I am."))
        assert f"## What happens now\n{told}Alice: Here I am." in asked


def test_a_new_day_of_a_story_is_told_before_its_first_line(stage):
    """What "yesterday" means can be read from the lines, also by who is asked first on that day."""
    event = stage.world.event(ALICE, "Once upon a time.", at=stage.clock.now())
    entry = {**entry_of(event), "session": "s1", "game_day": 1}
    changed(stage, "stream", "append", added=[entry])
    for day, begun in ((1, ""), (2, "(Day 2 of the story.)\n")):
        stage.mind.plays = lambda session, day=day: Play("s1", day=day, fiction=True)
        asked = whole(prompted(stage, "And yesterday?"))
        assert f"## What happens now\n{begun}Alice: And yesterday?" in asked


def test_the_summary_tells_how_and_when(stage):
    """A line that left the window is still a whisper there, with the time that has passed."""
    heard(stage, ALICE, "Keep a secret.", "whisper")
    said(stage, "I shall.", "whisper", ALICE, ALICE.id, "t2")
    stage.clock.advance(86_400)
    heard(stage, ALICE, "Hello again.")
    for number in range(100):
        heard(stage, BOB, f"Bob counts to {number}, and then once more to {number}.")
    told = section(prompted(stage, "Well?", "whisper"), "summary").splitlines()
    assert "- Alice whispers to you: Keep a secret." in told
    assert "- You whispered to Alice: I shall." in told
    assert told[told.index("- Alice: Hello again.") - 1] == "- (A day passes.)"


def test_what_came_late_stands_behind_the_answer(stage):
    """What somebody says while it thinks is not what it answered."""
    pause = stage.model.pause()
    stage.model.text("Aye, it is.")
    running = stage.start(stage.hear(ALICE, "Is the well dry?"))
    stage.clock.advance(5)
    stage.overhear(BOB, "I hate onions.")
    pause.release()
    running.step()
    said = [one["content"] for one in stage.store.read("stream")["entries"]]
    assert said == ["Is the well dry?", "Aye, it is.", "I hate onions."]


def test_a_line_answered_in_confidence_is_not_open(stage):
    """Before others it stands as answered, without a word of what was said."""
    heard(stage, ALICE, "Did I pay?", turn_id="t1")
    said(stage, "Since your whisper, yes.", readers=ALICE.id, turn_id="t1")
    assert UNANSWERED not in whole(prompted(stage, "And I?", who=BOB))
    heard(stage, ALICE, "Is it late?", turn_id="t2")
    said(stage, "Not yet.", turn_id="t2")
    chat = [text for _, text in messages(prompted(stage, "And I?", who=BOB))]
    assert chat[0] == f"Alice: Did I pay?\n{ANSWERED}\nAlice: Is it late?"
    assert "Since your whisper" not in whole(prompted(stage, "And I?", who=BOB))
    stage.world.leave(BOB)
    assert ANSWERED not in whole(prompted(stage, "And now?", who=ALICE))


def test_a_refused_act_is_known_next_time(stage):
    """A locked door that it tried stands in the conversation, with the reason."""
    stage.world.place_exit("south", closed="The door is locked.")
    stage.model.call("move", to="south").text("It is locked.")
    stage.ask(ALICE, "Go south.")
    told = section(prompted(stage, "And?"), "stream")
    assert "(You tried in vain to move south: The door is locked.)" in told


@pytest.mark.parametrize(
    ("clock", "told"),
    [("2026-11-22 08:46", "It is Sunday, 2026-11-22 08:46."), ("dusk", "It is dusk.")],
)
def test_a_date_has_its_day_of_the_week(stage, clock, told):
    """Where the game's clock tells a date, "on Sunday" can be understood."""
    scene = stage.world.scene
    stage.world.scene = lambda: replace(scene(), time=clock)
    assert told in section(prompted(stage), "now")


def test_a_scene_has_its_title(stage):
    """Who plays along knows what is played."""
    stage.mind.plays = lambda session: Play("s1", fiction=True, title="The Siege of Rye")
    assert 'You are playing a scene called "The Siege of Rye".' in section(prompted(stage), "now")


def test_chat_of_nothing_is_nothing(stage):
    """No line makes no message."""
    assert chat([]) == []
    turn = prompted(stage)
    event = stage.world.event(ALICE, "Hm.")
    assert [one.role for one in chat([line_of(turn, entry_of(event), ALICE.name)])] == ["user"]


def test_a_name_that_goes_on_to_the_next_is_told_apart():
    """What one guest said is not the next one's, whom the game calls the same."""
    first, second = (Entity(f"e-guest-{number}", "Guest1", "player") for number in (1, 2))
    stage = on_stage()
    stage.world.enter(first)
    heard(stage, first, "My sister is called Olga.")
    heard(stage, first, "Guest1 smiles.", "pose")
    stage.world.leave(first)
    stage.world.enter(second)
    shown = whole(prompted(stage, "What is my sister called?", who=second))
    assert "another Guest1: My sister is called Olga." in shown
    assert "another Guest1 smiles." in shown
    assert "\nGuest1: What is my sister called?" in shown


def test_lines_that_came_together_are_each_to_be_answered(stage):
    """The model is told so, where there are several; of one it needs no telling."""
    turn = begin(
        stage.mind, (stage.hear(ALICE, "Is there stew?"), stage.hear(BOB, "And beds?")), "t1"
    )
    run(build_prompt(turn))
    assert "## What happens now: answer each of them\n" in whole(turn)
    assert "## What happens now\n" in whole(prompted(stage, "Is there stew?"))


def test_who_stays_at_its_place_knows_it():
    """The ways out are others' ways; nobody promises to come along, or has to invent why not."""
    stage = on_stage(keeps_place=True)
    stage.world.place_exit("stairs", "cellar")
    ways = "Ways out (your place is here: you never leave it, whoever asks): north, stairs"
    assert ways in whole(prompted(stage, "Follow me!"))
    assert "your place is here" not in whole(prompted(on_stage(), "Follow me!"))


def test_a_character_may_leave_it_at_what_another_said(stage):
    """Else two of them talk on for ever; a player is owed an answer."""
    by_player = stage.hear(BOB, "So be it, captain.")
    for event, is_free in ((by_player, False), (replace(by_player, by_assistant=True), True)):
        turn = begin(stage.mind, [event], "turn0")
        run(build_prompt(turn))
        assert ("answer with nothing at all" in whole(turn)) == is_free
