"""Asides: what a model tells one person, in whatever frame, is heard by nobody else."""

from functools import partial

import pytest

from ai_assistant.agent.turn.asides import named
from ai_assistant.agent.turn.pieces import TO_WHOM, WHISPERED
from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.llm.wire import parse_reply
from ai_assistant.testing import Stage, people
from tests.unit.llm.replies import completion

ALICE, BOB, CORA = people("Alice", "Bob", "Cora")
KEY = "The key is under the mat."


def answered(content, kind="say"):
    """Return a stage on which Alice asks before Bob, and a model answers that, then nothing."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    for one in (content, ""):
        reply = (
            one
            if isinstance(one, ModelReply)
            else partial(parse_reply, completion(content=one), native=True)
        )
        stage.model.replies.append(reply)
    stage.model.text("").text("")
    stage.ask(ALICE, "Where is the key?", kind)
    return stage


def heard(stage):
    """Return what was heard or seen, and by whom."""
    return [(one.kind, one.text, set(end.hearers)) for one, end in stage.world.deliveries]


def refusals(stage):
    """Return why calls and words were refused."""
    done = [one.data for one in stage.store.audit if one.type == "ToolExecuted"]
    return [one["error"] for one in done if not one["success"]]


@pytest.mark.parametrize(
    "content",
    [
        f"*whispers to Alice* {KEY}",
        f"*leans close to Alice and whispers* {KEY}",
        f"*glances at Bob, then whispers to Alice* {KEY}",
        f"*whispers to Alice: {KEY}*",
        f'Seraphina leans in and whispers to Alice, "{KEY}"',
        f'Seraphina quietly whispers to Alice, "{KEY}"',
        f'Seraphina whispers softly to Alice: "{KEY}"',
        f'"{KEY}" Seraphina whispers to Alice.',
        f'Seraphina leans in, whispering to Alice.\n"{KEY}"',
        f"(whispers to Alice) {KEY}",
        f"[whisper to p1] {KEY}",
        f'<whisper to="Alice">{KEY}</whisper>',
        f"I lean in and whisper to Alice: {KEY}",
        f"You whispered back to Alice: {KEY}",
        f"Seraphina pages Alice: {KEY}",
        f"You page p1: {KEY}",
        f'"{KEY}" she pages to Alice.',
        f"*flüstert zu Alice* {KEY}",
        f"{KEY} *whispers to Alice*",
        '"The key\nis under the mat," Seraphina whispers to Alice.',
    ],
)
def test_what_is_framed_as_a_whisper_is_whispered(content):
    """Only the one who is named hears it, and nobody sees the frame."""
    assert heard(answered(content)) == [("whisper", KEY, {ALICE.id})]


def test_a_frame_over_two_lines_is_one():
    """A gesture that the model wrapped keeps its words from the others."""
    stage = answered(f"*leans in close\nand whispers to Alice* {KEY}")
    assert heard(stage)[-1] == ("whisper", KEY, {ALICE.id})


@pytest.mark.parametrize(
    "content",
    [
        f"*whispers* {KEY}",
        f'Seraphina whispered, "{KEY}"',
        f"*whispers to Zed* {KEY}",
        f"*whispers to Alice and Bob* {KEY}",
        ModelReply(tool_calls=(ToolCall("c", "emote", {"text": f"whispers to Alice: {KEY}"}),)),
    ],
)
def test_a_whisper_to_nobody_in_particular_is_not_said(content):
    """Where it is not clear to whom, nobody hears it, and the model is told."""
    stage = answered(content)
    assert KEY not in [text for _, text, _ in heard(stage)]
    assert refusals(stage) == [TO_WHOM]
    assert TO_WHOM in stage.model.shown(1)


def test_what_is_said_before_and_after_is_heard_by_all():
    """A whisper ends with its tag, or where a part of the character's own begins."""
    both = {ALICE.id, BOB.id}
    found = heard(answered(f"Hello.\n*whispers to Alice* {KEY}\nSeraphina: Come in!"))
    assert found == [
        ("say", "Hello.", both),
        ("whisper", KEY, {ALICE.id}),
        ("say", "Come in!", both),
    ]
    found = heard(answered(f'Hello.\n<whisper to="Alice">{KEY}</whisper> Come in!'))
    assert found == [("whisper", KEY, {ALICE.id}), ("say", "Hello. Come in!", both)]


def test_each_whisper_has_its_own_ear():
    """What is whispered next to somebody unnamed does not go to whoever was named before."""
    stage = answered(f"*whispers to Alice* Wait here. *whispers to the guard* {KEY}")
    assert heard(stage) == [("whisper", "Wait here.", {ALICE.id})]
    assert refusals(stage) == [TO_WHOM]


def test_words_beside_a_whisper_do_not_repeat_it_aloud():
    """The same words beside the call are told to nobody else, nor twice."""
    whisper = ToolCall("c1", "whisper", {"to": "Alice", "text": KEY})
    for words in (KEY, f"*whispers to Alice* {KEY}", "the key is under the mat, dear"):
        stage = answered(ModelReply(text=words, tool_calls=(whisper,)))
        assert heard(stage) == [("whisper", KEY, {ALICE.id})]
    aloud = ToolCall("c2", "say", {"text": f"Come in! {KEY}"})
    stage = answered(ModelReply(tool_calls=(aloud, whisper)))
    assert [text for _, text, _ in heard(stage)] == ["Come in!", KEY]
    again = ToolCall("c2", "say", {"text": KEY})
    assert refusals(answered(ModelReply(tool_calls=(whisper, again)))) == [WHISPERED]


def test_what_is_whispered_to_another_in_private_stays_with_the_one_who_asked():
    """What may be known to Alice alone is not whispered to Bob."""
    assert KEY not in [
        text for _, text, _ in heard(answered(f"*whispers to Bob* {KEY}", "whisper"))
    ]
    assert heard(answered(f"*whispers* {KEY}", "whisper")) == [("whisper", KEY, {ALICE.id})]


@pytest.mark.parametrize(
    "words",
    [
        "The wind whispers in the trees.",
        "She whispers to horses, I hear.",
        "Alice, see page 12: the key.",
    ],
)
def test_words_about_whispering_are_words(words):
    """What frames nothing is said."""
    assert [text for _, text, _ in heard(answered(words))] == [words]


def test_who_is_named():
    """Somebody behind the word for whispering before others; by name, part of a name or handle."""
    known = {"p1": "Alice Moss", "p2": "Bob", "p3": "Alice Reed"}
    assert named("leans to bob and whispers", known) == "p2"
    assert named("looks at Bob, whispers to Alice Moss", known) == "p1"
    assert named("whispers to p3", known) == "p3"
    assert named("whispers to Alice", known) == named("whispers", known) == ""
