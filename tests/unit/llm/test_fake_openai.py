"""FakeOpenAI itself: what it answers unasked, by script, and over its control addresses."""

import json
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from ai_assistant.testing import ScriptedModel, Stage, people
from ai_assistant.testing.fake_openai import FakeOpenAI
from ai_assistant.testing.faults import Asked


@pytest.fixture(scope="module")
def server():
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def fake(server):
    server.reset(reply="", echo=False)
    return server


def http(fake, path, data=None):
    """Return (status, answer) of a GET, or of a POST with JSON."""
    url = fake.url.removesuffix("/v1") + path
    body = None if data is None else json.dumps(data).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body), timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def tool(name, **properties):
    schema = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def complete(fake, says, *tools, system="You are kind."):
    """Ask for a completion; returns its message."""
    question = f"It is evening.\n\nBob waves.\nMira: {says}"
    messages = [
        {"role": "system", "content": system},
        {"role": "user", "content": "Mira: long ago"},
        {"role": "user", "content": question},
    ]
    body = {"model": "m", "messages": messages, "tools": list(tools)}
    status, answer = http(fake, "/v1/chat/completions", body)
    assert status == 200
    assert answer["usage"]["prompt_tokens"] > 0
    return answer["choices"][0]["message"]


def test_unscripted_answer_repeats_what_it_heard(fake):
    """Without a script it shows what it heard, in plain words beside no tool."""
    message = complete(fake, 'Hi: "you"', tool("move"), tool("say"))
    assert message["content"] == 'You said: Hi: "you"'
    assert "tool_calls" not in message


@pytest.mark.parametrize("kind", ["say", "whisper", "page"])
def test_it_hears_what_a_character_hears(kind):
    """It finds the line that is to be answered in a prompt as the game writes it."""
    stage = Stage(model=ScriptedModel().text("Good day.").text("Aye."))
    (mira,) = people("Mira")
    stage.world.enter(mira)
    for line in ("Well met!", "One thing: is the bridge open?"):
        stage.ask(mira, line, kind)
    sent = [{"role": one.role, "content": one.content} for one in stage.model.requests[-1].messages]
    asked = Asked({"messages": sent})
    assert asked.heard == "One thing: is the bridge open?"
    assert "Well met!" not in asked.question


def test_tools_in_text_are_answered_in_text(fake):
    """For a request with its tools in the system message, the call is JSON in text."""
    fake.call("say", text="Hi.")
    message = complete(fake, "Hello", system="## Tools\n- say(text: string): Speak.")
    assert json.loads(message["content"]) == {"tool": "say", "arguments": {"text": "Hi."}}


def test_steps_are_played_in_order(fake):
    """A script is used up step by step, then the rule answers again."""
    fake.say("one")
    fake.call("move", to="x1")
    assert complete(fake, "?", tool("move"))["content"] == "one"
    (call,) = complete(fake, "?", tool("move"))["tool_calls"]
    assert (call["function"]["name"], call["function"]["arguments"]) == ("move", '{"to": "x1"}')
    assert complete(fake, "three", tool("move"))["content"] == "You said: three"


def test_step_waits_for_its_words(fake):
    """A step with a condition is kept for the request that it was written for."""
    fake.when("goodbye").say("Farewell.")
    fake.say("Hello.")
    answers = [complete(fake, says)["content"] for says in ("hi", "goodbye")]
    assert answers == ["Hello.", "Farewell."]


def test_step_waits_for_its_assistant(fake):
    """A step may be meant for one character only."""
    http(fake, "/script", [{"say": "Aye.", "assistant": "Seraphina"}])
    assert "Aye." not in str(complete(fake, "hi", system="You are Marek."))
    assert "Aye." in str(complete(fake, "hi", system="You are Seraphina."))


def test_echo_says_the_whole_prompt(fake):
    """For leak tests it can repeat everything it was sent."""
    http(fake, "/reset", {"echo": True})
    text = complete(fake, "hi", system="canary")["content"]
    assert "canary" in text
    assert "long ago" in text


def test_script_and_history_over_http(fake):
    """Another process can fill the script and read what was asked."""
    assert http(fake, "/script", [{"fault": "500"}, {"say": "x", "times": 2}])[0] == 200
    assert http(fake, "/v1/chat/completions", {"messages": []})[0] == 500
    assert len(http(fake, "/requests")[1]) == 1
    http(fake, "/reset", {})
    assert http(fake, "/requests")[1] == []
    assert len(fake.script) == 0


def test_who_waits_is_released(fake):
    """A test goes on when it has seen enough, not after some time."""
    fake.script.add({"say": "At last.", "latency": 60})
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(complete, fake, "hi")
        while not fake.requests:
            time.sleep(0.01)
        assert http(fake, "/release", {})[0] == 200
        assert asking.result()["content"] == "At last."


@pytest.mark.parametrize("step", [{}, {"say": "a", "call": "b"}, {"fault": "sulk"}])
def test_impossible_step_is_refused(fake, step):
    """A misspelt step fails where it is written, not in the middle of a test."""
    with pytest.raises(ValueError, match=r"step|fault"):
        fake.script.add(step)
    assert http(fake, "/script", [step])[0] == 400


def test_unknown_address_is_not_found(fake):
    """It serves what it says and nothing else; models are listed."""
    assert http(fake, "/v1/nonsense")[0] == 404
    assert http(fake, "/v1/models")[1]["data"][0]["id"] == "fake"


def test_like_texts_get_like_vectors(fake):
    """Embeddings are the same each time, of length one, and nearer for shared words."""
    texts = ["the old lighthouse", "an old lighthouse", "quantum chess"]
    data = http(fake, "/v1/embeddings", {"input": texts, "model": "e"})[1]["data"]
    first, second, third = [entry["embedding"] for entry in data]
    assert http(fake, "/v1/embeddings", {"input": texts[0]})[1]["data"][0]["embedding"] == first
    near, far = (sum(a * b for a, b in zip(first, o, strict=True)) for o in (second, third))
    assert near > far
    assert sum(value * value for value in first) == pytest.approx(1.0)


def test_taken_port_is_reported(fake):
    """Starting on a port in use raises instead of waiting for ever."""
    with pytest.raises(OSError, match="in use"):
        FakeOpenAI(port=fake.port).__enter__()
