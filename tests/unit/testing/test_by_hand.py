"""The hand: what lies in the folder, who answers what, and that nothing half written is taken."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ai_assistant.testing.box import SETTLED, Box
from ai_assistant.testing.by_hand import ByHand
from tests.unit.testing.asking import answered, ask, body, message, waiting


@pytest.fixture
def hand(tmp_path):
    with ByHand(tmp_path / "box", timeout=60.0) as endpoint:
        yield endpoint


def test_the_request_lies_there_as_it_came(hand):
    """The folder holds the exact body, and what was answered."""
    given = body("Wer ist da? „Grüße“", temperature=0.7)
    answered(hand, given, "Me.")
    assert hand.box.request("0001") == given
    assert hand.box.record("0001")["body"]["choices"][0]["message"]["content"] == "Me."
    assert hand.box.waiting() == []


def test_the_request_is_readable(hand):
    """Tools come first and in short; every word of every message is there, with its role."""
    call = {"id": "c1", "type": "function", "function": {"name": "give", "arguments": "{}"}}
    given = body("Line one\nLine two")
    given["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
    ]
    answered(hand, given, "Fine.")
    text = hand.box.text("0001")
    assert "give(item: i1, why?: string): Hand something over." in text
    parts = ["give(item", "system", "Be kind.", "user", "Line one\nLine two", "-> give {}", "c1"]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)
    assert '"ok": true' in text


def test_plain_text_is_words(hand):
    """A text file is what the model says, quotes and braces included."""
    reply = '{"text": "not an object, but words"}'
    assert message(answered(hand, body(), reply))["content"] == reply


def test_who_answers_nothing_says_nothing(hand):
    """Silence is an answer; the request does not wait for another."""
    assert message(answered(hand, body(), ""))["content"] == ""


def test_words_and_calls_travel_together(hand):
    """An object holds words and calls; the calls have ids that a repetition has as well."""
    reply = {"text": "Here.", "calls": [{"name": "give", "arguments": {"item": "i1"}}]}
    status, answer = answered(hand, body(), reply)
    said = answer["choices"][0]["message"]
    assert (status, said["content"]) == (200, "Here.")
    call = said["tool_calls"][0]
    assert call["id"] == "call_0001_1"
    assert call["function"] == {"name": "give", "arguments": '{"item": "i1"}'}
    assert answer["choices"][0]["finish_reason"] == "tool_calls"


def test_a_whole_message_is_sent_as_it_stands(hand):
    """Fields of a provider and broken arguments can be played."""
    call = {"id": "x", "type": "function", "function": {"name": "give", "arguments": '{"ite'}}
    raw = {"content": None, "reasoning_content": "Hm.", "tool_calls": [call]}
    assert message(answered(hand, body(), {"raw": raw})) == {"role": "assistant", **raw}


def test_an_error_is_played(hand):
    """A status, or a fault by name."""
    assert answered(hand, body(), {"error": 500})[0] == 500
    assert message(answered(hand, body(), {"error": "empty"}))["content"] == ""
    assert hand.box.record("0001")["error"] == 500


def test_nobody_answers(tmp_path):
    """After its time limit the request fails, and waits no longer."""
    with ByHand(tmp_path, timeout=0.2) as hand:
        assert ask(hand, body())[0] == 504
    assert (hand.box.record("0001"), hand.box.waiting()) == ({"closed": "timeout"}, [])


def test_who_hung_up_is_not_answered(hand):
    """A request whose asker is gone does not wait for anybody's answer."""
    with pytest.raises(TimeoutError):
        ask(hand, body(), timeout=0.3)
    end = time.monotonic() + 60
    while not (record := hand.box.record("0001")) and time.monotonic() < end:
        time.sleep(0.02)
    assert record == {"closed": "gone"}


def test_a_reply_half_written_is_not_taken(hand):
    """Only what stands still is read, and an object only when it is whole."""
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask, hand, body())
        path = hand.box.folder / f"{waiting(hand.box)}.reply.json"
        whole = json.dumps({"text": "The whole of it."})
        for end in range(1, len(whole)):
            path.write_text(whole[:end])
            time.sleep(SETTLED / 15)
            assert not asking.done()
        end = time.monotonic() + 60
        while not (problem := hand.box.folder / "0001.problem.txt").exists():
            assert time.monotonic() < end, "the half was taken for the whole"
            time.sleep(0.02)
        assert not asking.done()
        path.write_text(whole)
        assert message(asking.result())["content"] == "The whole of it."
    assert not problem.exists()


def test_words_are_taken_when_they_stand_still(tmp_path):
    """A text is read only some time after it was written last."""
    box = Box(tmp_path)
    box.lay(body())
    path = tmp_path / "0001.reply.txt"
    path.write_text("Half of")
    os.utime(path, (time.time() + 60, time.time() + 60))  # however slow the machine is
    assert box.take("0001") is None
    os.utime(path, (time.time() - SETTLED, time.time() - SETTLED))
    assert box.take("0001") == "Half of"


def test_a_reply_to_no_request_is_refused(tmp_path):
    """It would wait for ever; zeros before a number may be left out."""
    box = Box(tmp_path)
    box.lay(body())
    with pytest.raises(ValueError, match="0002 does not wait"):
        box.write_reply("2", "Hello.")
    box.write_reply("1", "Hello.")
    assert box.waiting() == []


@pytest.mark.parametrize("reply", [{}, {"txt": "?"}, {"error": "nonsense"}, {"error": 200}])
def test_a_reply_that_says_nothing_is_refused(tmp_path, reply):
    """Whoever writes it is told at once."""
    box = Box(tmp_path)
    box.lay(body())
    with pytest.raises(ValueError, match=r"reply|error"):
        box.write_reply("0001", reply)
    assert box.waiting() == ["0001"]


def test_an_answered_box_answers_again(hand, tmp_path):
    """The same requests get the same bytes, in order; another is laid down for somebody."""
    reply = {"calls": [{"name": "give", "arguments": {"item": "i1"}}]}
    first = answered(hand, body(), reply)
    second = answered(hand, body(), "Again?")
    failed = answered(hand, body("Fail."), {"error": 503})
    with ByHand(tmp_path / "second", timeout=60.0, replay=hand.box.folder) as again:
        assert ask(again, body()) == first
        assert [ask(again, body()) for _ in range(2)] == [second, second]
        assert ask(again, body("Fail."))[0] == failed[0]
        assert message(answered(again, body("New."), "By hand."))["content"] == "By hand."


def test_numbers_go_on(hand):
    """A folder can be used again; what waited in it for nobody is closed."""
    answered(hand, body(), "One.")
    hand.box.lay(body("orphan"))
    with ByHand(hand.box.folder) as second:
        assert second.box.record("0002") == {"closed": "gone"}
        answered(second, body(), "Three.")
    assert second.box.numbers() == ["0001", "0002", "0003"]


def test_two_at_once_are_answered_by_number(hand):
    """Each asker gets its own answer, whichever is written first."""
    with ThreadPoolExecutor() as pool:
        asking = {}
        for words in ("A", "B"):
            asking[words] = pool.submit(ask, hand, body(words))
            while len(hand.box.waiting()) < len(asking):
                time.sleep(0.02)
        for number in reversed(hand.box.waiting()):
            words = hand.box.request(number)["messages"][-1]["content"]
            hand.box.write_reply(number, f"to {words}")
        said = {words: message(one.result())["content"] for words, one in asking.items()}
    assert said == {"A": "to A", "B": "to B"}
