"""Notes that a model makes in its text: they become calls, and are never spoken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS
from ai_assistant.llm.textreply import PLAIN_WORDS, outside_thoughts, read_text
from ai_assistant.testing import Stage, people
from tests.unit.llm.replies import read, request

(ALICE,) = people("Alice")
NOTE = '{"tool": "memory", "action": "append", "content": "Alice has a cat."}'
WANTED = {"action": "append", "content": "Alice has a cat."}


@pytest.mark.parametrize(
    "content",
    [
        f"Well met!{NOTE}",
        f"Well met!\n{NOTE}",
        f"{NOTE}\nWell met!",
        f"{NOTE} <think>Done? {NOTE}</think> Well met!",
        f"<think>Shall I note that? {NOTE}</think>Well met! {NOTE}",
        f"Well met!\n```json\n{NOTE}\n```",
        f"Well met! ``` {NOTE} ```",
        'Well met! {"name": "memory", "arguments": ' + json.dumps(WANTED) + "}",
        'Well met! {"tool": "memory", "arguments": ' + json.dumps(WANTED) + "}",
        'Well met! {"name": "memory", "action": "append", "content": "Alice has a cat."}',
        'Well met! {"function": {"name": "memory", "arguments": ' + json.dumps(WANTED) + "}}",
        'Well met! {"tool": "memory", "arguments": ' + json.dumps(json.dumps(WANTED)) + "}",
    ],
)
def test_a_note_beside_words(content):
    """Wherever and however it is written, the note is a call, and only the words are spoken."""
    for native in (False, True):
        reply = read(content, native)
        (call,) = reply.tool_calls
        assert (call.name, call.arguments, call.problem) == ("memory", WANTED, "")
        assert reply.text == "Well met!"


def test_several_notes_are_all_made():
    """Each keeps its place, and the words between them are joined."""
    reply = read(f'Well {NOTE}met {{"tool": "memory", "action": "clear"}}again!')
    assert [call.arguments["action"] for call in reply.tool_calls] == ["append", "clear"]
    assert reply.text == "Well met again!"


def test_a_note_before_a_call():
    """A model that may only write one object often writes two: both are read."""
    reply = read(f'{NOTE}\n{{"tool": "say", "text": "Well met!"}}')
    assert [call.name for call in reply.tool_calls] == ["memory", "say"]
    assert reply.text == ""


def test_only_a_note():
    """Where nothing else is said, there are no words."""
    reply = read(NOTE)
    assert (reply.text, len(reply.tool_calls)) == ("", 1)


@pytest.mark.parametrize(
    "content",
    ["a {nested} brace", 'she said \\"{hi}\\"', 'look: {\\"tool\\": \\"give\\"}', "``` {x} ```"],
)
def test_braces_inside_a_note(content):
    """What is noted may hold braces, quotes and fences, and none of it is taken for a call."""
    reply = read(f'Aye. {{"tool": "memory", "action": "write", "content": "{content}"}}')
    (call,) = reply.tool_calls
    assert call.arguments["content"] == content.replace('\\"', '"')
    assert reply.text == "Aye."


@pytest.mark.parametrize(
    "broken", [NOTE[:-1], NOTE[:-2], NOTE.replace('"append"', "append"), NOTE.replace(",", "")]
)
def test_a_broken_note_is_not_spoken(broken):
    """The model is told that it could not be read; nothing of it is heard."""
    for native in (False, True):
        reply = read(f"Aye. {broken}", native)
        assert reply.tool_calls[-1].name == "memory"
        assert reply.tool_calls[-1].problem
        assert "{" not in reply.text


def test_a_flood_of_notes_is_cut():
    """Of many notes some are made, none is spoken."""
    reply = read("Aye. " + NOTE * 2000)
    assert (reply.text, len(reply.tool_calls)) == ("Aye.", MAX_CALLS)
    assert not read('{"tool":"memory","content":{"a":' * 5000 + "1").text


def test_words_beside_a_note_are_heard():
    """In a turn the note is written and the rest is said, with one call of the model."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.model.replies.append(read(f"Well met! {NOTE}"))
    stage.ask(ALICE, "I have a cat.")
    assert stage.world.said == ["Well met!"]
    assert [one["content"] for one in stage.store.read("notebook")["lines"]] == ["Alice has a cat."]


PIECES = [*"say emote Emote look memory give whispers pages Tansy I You to Mira Result of".split()]
PIECES += [
    *"Thought Action assistant Observation good_day Well, day. 12 ’t's — … ! ?".split(),
    "  ",
]


@given(st.lists(st.sampled_from(PIECES)).map(" ".join).map(str.strip))
def test_plain_words_need_no_reading(text):
    """What is taken for plain words is what reading it would find: those words, no call."""
    if PLAIN_WORDS.fullmatch(text):
        asked = ReplyContext.of(request())
        assert read_text(outside_thoughts(text), asked, native=True) == ((), text)
