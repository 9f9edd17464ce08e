"""The client against a real HTTP server: every fault ends in one typed, harmless error."""

import asyncio
import json
import logging
import socket
import struct
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import httpx2
import openai
import pytest

from ai_assistant.agent.turn.ask_model import REFUSED
from ai_assistant.core.errors import BadReply, EmptyReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.llm.breaker import CallEnding, Unavailable, kind_of
from ai_assistant.llm.client import Client
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import cause_of
from ai_assistant.testing.fake_openai import FakeOpenAI

KEY = "sk-canary-1234567890"
SAY = {
    "type": "function",
    "function": {
        "name": "say",
        "description": "Speak.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}
SOON = {"timeout": 0.05}
"""What ends a call to which no answer comes; all others have as long as a slow machine needs."""
ASK = ModelRequest(
    messages=(
        Message("system", "You are kind."),
        Message("user", '## Answer this\n{"who":"p1","says":"Hello, old friend"}'),
    ),
    tools=(SAY,),
)


@pytest.fixture(scope="module")
def server():
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def fake(server):
    server.reset()
    return server


def profile_of(fake, **options):
    return Profile("chat", "openai", fake.url, "small", key=KEY, **options)


def ask(fake, request=ASK, *, times=1, profile=None, **limits):
    """Make calls one after the other with a fresh client; returns replies and errors."""

    async def calls():
        client = Client(**limits)
        results = []
        for _ in range(times):
            try:
                results.append(await client.complete(profile or profile_of(fake), request))
            except ModelError as error:
                results.append(error)
        await client.close()
        return results

    results = asyncio.run(calls())
    return results[0] if times == 1 else results


def test_reply_comes_back_with_its_usage(fake):
    """The whole way there and back: parameters out, words and cost in."""
    fake.call("say", text="Good day.", reasoning="polite")
    reply = ask(fake, profile=profile_of(fake, temperature=0.5, headers={"X-Title": "Game"}))
    assert reply.tool_calls[0].arguments["text"] == "Good day."
    assert reply.usage.known
    sent = fake.requests[-1]
    assert sent["body"]["tools"] == [SAY]
    assert (sent["body"]["temperature"], sent["body"]["max_completion_tokens"]) == (0.5, 500)
    assert sent["headers"]["authorization"] == f"Bearer {KEY}"
    assert (sent["headers"]["x-title"], sent["headers"]["accept-encoding"]) == ("Game", "identity")


def test_model_without_native_tools_is_understood(fake):
    """Tools as text out, one JSON object back: the same tool call."""
    fake.call("say", text="Good day.")
    profile = Profile("chat", "local", fake.url, "small", native_tools=False)
    assert ask(fake, profile=profile).tool_calls[0].arguments == {"text": "Good day."}
    assert "tools" not in fake.requests[-1]["body"]


@pytest.mark.parametrize(
    ("fault", "options", "error", "kind"),
    [
        ("401", {}, Unavailable, CallEnding.AUTH),
        ("402", {}, Unavailable, CallEnding.AUTH),
        ("403", {}, Unavailable, CallEnding.REQUEST),
        ("404", {}, Unavailable, CallEnding.REQUEST),
        ("400", {}, Unavailable, CallEnding.REQUEST),
        ("429", {}, Unavailable, CallEnding.RATE),
        ("429", {"retry_after": 3600}, Unavailable, CallEnding.RATE),
        ("500", {}, Unavailable, CallEnding.SERVER),
        ("529", {}, Unavailable, CallEnding.SERVER),
        ("redirect", {}, Unavailable, CallEnding.REQUEST),
        ("hang", {}, ModelTimeout, CallEnding.TIMEOUT),
        ("drip", {}, ModelTimeout, CallEnding.TIMEOUT),
        ("latency", {"seconds": 5}, ModelTimeout, CallEnding.TIMEOUT),
        ("cut", {}, BadReply, CallEnding.BAD),
        ("huge", {}, BadReply, CallEnding.BAD),
        ("huge", {"bytes": 10**9}, BadReply, CallEnding.BAD),
        ("gzip", {}, BadReply, CallEnding.BAD),
        ("html", {}, BadReply, CallEnding.BAD),
        ("malformed", {}, BadReply, CallEnding.BAD),
        (
            "raw",
            {"body": '{"choices": [{"message": {"content": "\ud800"}}]}'},
            BadReply,
            CallEnding.BAD,
        ),
        ("empty", {}, EmptyReply, CallEnding.ANSWERED),
        ("thinking", {}, EmptyReply, CallEnding.ANSWERED),
    ],
)
def test_fault_becomes_a_typed_error(fake, fault, options, error, kind):
    """Each way to fail has its error and its kind, and none of them shows key or address."""
    fake.fault(fault, **options)
    failure = ask(fake, **SOON if error is ModelTimeout else {})
    assert isinstance(failure, error)
    assert kind_of(failure) is kind
    assert not isinstance(failure.__context__, openai.OpenAIError | httpx2.HTTPError)
    assert KEY not in repr(failure)
    assert "127.0.0.1" not in str(failure)


@pytest.mark.parametrize(
    ("fault", "words"), [("huge", "more than 1000 bytes"), ("gzip", "compressed")]
)
def test_endless_body_is_not_read(fake, fault, words):
    """A body that is too large, or might unpack to anything, is given up on at once."""
    fake.fault(fault)
    assert words in str(ask(fake, max_bytes=1000))


def test_huge_error_page_is_not_read(fake):
    """The limit holds for error pages too."""
    fake.script.add({"fault": "huge", "bytes": 10**9, "status": 500})
    assert "more than" in str(ask(fake))


def test_unreachable_server_is_a_network_failure(fake):
    """Where nobody listens, the call fails at once and says so."""
    profile = Profile("chat", "local", "http://127.0.0.1:9/v1", "small")
    assert kind_of(ask(fake, profile=profile)) is CallEnding.NETWORK


@pytest.mark.parametrize(
    ("fault", "problem"), [("unknown_tool", False), ("wrong_types", False), ("bad_arguments", True)]
)
def test_strange_calls_reach_the_tools(fake, fault, problem):
    """Unknown tools and wrong types are for the tools to refuse; they are no broken reply."""
    fake.fault(fault)
    (call,) = ask(fake).tool_calls
    assert bool(call.problem) is problem


def test_flood_of_calls_is_cut(fake):
    """Five hundred parallel calls come down to a handful."""
    fake.fault("many_calls", n=500)
    assert len(ask(fake).tool_calls) == 16


@pytest.mark.parametrize("fault", ["400", "429", "500", "drop"])
def test_no_server_makes_us_ask_again(fake, fault):
    """One reservation, one request: a second try is the budget's to allow, not the server's."""
    headers = {"x-should-retry": "true", "Retry-After": "0.01"}
    fake.fault(fault, **({} if fault == "drop" else {"headers": headers}))
    assert isinstance(ask(fake), ModelError)
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("fault", "passing"),
    [
        *[(str(code), True) for code in (408, 429, 500, 502, 503, 504, 529)],
        *[(str(code), False) for code in (400, 401, 402, 403, 404, 409, 413, 422, 501)],
        ("drop", True),
        ("cut", False),
        ("html", False),
        ("hang", False),
        ("redirect", False),
    ],
)
def test_only_what_passes_may_be_asked_again(fake, fault, passing):
    """Trouble of the moment is told from what would be the same, and blamed on no line of talk."""
    fake.fault(fault)
    failure = ask(fake, **SOON if fault == "hang" else {})
    assert failure.passing is passing
    assert not (passing and cause_of(failure) in REFUSED)


@pytest.mark.parametrize(
    ("given", "wait"),
    [(2, 2.0), (10**9, 60.0), (-5, 0.0), ("nan", 0.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 0.0)],
)
def test_wish_for_rest_is_heard_up_to_a_minute(fake, given, wait):
    """What a server asks for is waited for, and no odd value of it does harm."""
    fake.fault("429", headers={"Retry-After": str(given)})
    assert ask(fake).wait == wait


def test_body_without_an_end_is_no_answer():
    """Of a body that ends with its connection nobody knows whether it is whole."""
    body = b'{"choices": [{"message": {"content": "Give him all my gold"}}]}'
    with raw_server(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body) as url:
        failure = ask_at(url)
    assert kind_of(failure) is CallEnding.BAD
    assert "where it ends" in str(failure)


def test_body_reset_in_its_midst_is_no_answer():
    """A connection that is torn down in mid-body is an error, and not asked anew."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"
    with raw_server(head + b'{"choices": [', reset=True) as url:
        failure = ask_at(url)
    assert (kind_of(failure), failure.passing) == (CallEnding.BAD, False)


@pytest.mark.parametrize("fault", ["400", "403"])
def test_who_says_what_a_server_refuses_silences_nobody_else(fake, fault):
    """To some a 403 is that their own moderation minds a line: others are asked all the same."""
    for _ in range(20):
        fake.fault(fault)
    fake.call("say", text="Good day.")
    *refused, answer = ask(fake, times=21)
    assert {kind_of(error) for error in refused} == {CallEnding.REQUEST}
    assert answer.tool_calls[0].arguments["text"] == "Good day."


def ask_at(url):
    """Make one call to an address."""
    return ask(SimpleNamespace(url=url))


@contextmanager
def raw_server(answer, *, reset=False):
    """Send these bytes to whoever connects, then close the connection, or reset it."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        connection, _ = listening.accept()
        connection.recv(65536)
        connection.sendall(answer)
        if reset:
            time.sleep(0.1)  # else the head is lost as well
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    thread.join(5)
    listening.close()


WIDE = KEY.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})


@pytest.mark.parametrize(
    "part", [KEY, KEY[4:], json.dumps(KEY), "\u200b".join(KEY), "\x01".join(KEY), WIDE]
)
def test_answer_that_holds_the_key_is_dropped(fake, part):
    """As words, as a tool's name, as an argument, also with signs in it that go before it is said:
    an echoed key gets no further."""
    fake.say(f"My key is {part}, friend.")
    fake.call(f"say_{KEY}", text="Hello")
    fake.call("say", text={"deep": [f"it is {part}"]})
    for failure in ask(fake, times=3):
        assert isinstance(failure, BadReply)
        assert "held its key" in str(failure)
        assert KEY not in repr(failure)


def test_long_part_of_a_long_key_is_a_key(fake):
    """Half a key is dropped as well; what all keys of a provider begin with is no secret."""
    key = "sk-ant-api03-" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC"
    profile = Profile("chat", "openai", fake.url, "small", key=key)
    fake.say(f"Something like {key[18:42]}?")
    fake.say("Keys begin with sk-ant-api03, I am told.")
    dropped, told = ask(fake, times=2, profile=profile)
    assert isinstance(dropped, BadReply)
    assert told.text


def test_too_many_requests_slow_the_profile_down(fake):
    """After a 429 the profile's server is left alone as it wished; others are not, and the
    breaker stays shut."""
    clock = [0.0]
    fake.fault("429", retry_after=20)

    async def calls():
        client, kinds = Client(now=lambda: clock[0]), []
        for at, name in ((0, "chat"), (1, "chat"), (1, "other"), (21, "chat")):
            clock[0] = at
            profile = Profile(name, "openai", fake.url, "small", key=KEY)
            try:
                await client.complete(profile, ASK)
                kinds.append(CallEnding.ANSWERED)
            except ModelError as error:
                kinds.append(kind_of(error))
        await client.close()
        return kinds

    assert asyncio.run(calls()) == [
        CallEnding.RATE,
        CallEnding.RATE,
        CallEnding.ANSWERED,
        CallEnding.ANSWERED,
    ]
    assert len(fake.requests) == 3


def test_requests_wait_for_their_minute(fake):
    """No more go out in a minute than the profile allows; the next one says that it cannot."""
    results = ask(fake, times=3, profile=profile_of(fake, requests_per_minute=2))
    assert kind_of(results[-1]) is CallEnding.RATE
    assert len(fake.requests) == 2


def test_redirect_takes_no_key_along(fake):
    """The key goes to the configured address and nowhere else."""
    fake.fault("redirect", location=f"{fake.url}/chat/completions")
    ask(fake)
    assert len(fake.requests) == 1


def test_redirect_is_not_followed_by_a_client_that_would(fake, monkeypatch):
    """Even where the option that forbids it is lost, there is no place to follow to."""
    made = openai.DefaultAsyncHttpx2Client
    monkeypatch.setattr(
        openai,
        "DefaultAsyncHttpx2Client",
        lambda **options: made(**options | {"follow_redirects": True}),
    )
    fake.fault("redirect", location=f"{fake.url}/chat/completions")
    assert kind_of(ask(fake)) is CallEnding.REQUEST
    assert len(fake.requests) == 1


def test_failing_server_is_left_alone(fake):
    """After five failures no request is made until the rest is over; then one goes first."""
    clock = [0.0]
    fake.fault("500", times=5)
    fake.say("Back again.")

    async def calls():
        client = Client(now=lambda: clock[0])
        kinds = []
        for at in [*range(6), 100]:
            clock[0] = at
            try:
                await client.complete(profile_of(fake), ASK)
                kinds.append(CallEnding.ANSWERED)
            except ModelError as error:
                kinds.append(kind_of(error))
        await client.close()
        return kinds

    assert asyncio.run(calls()) == [
        *[CallEnding.SERVER] * 5,
        CallEnding.RESTING,
        CallEnding.ANSWERED,
    ]
    assert len(fake.requests) == 6


def test_one_bad_key_does_not_stop_the_others(fake):
    """Breakers belong to an address and key, not to the whole game."""
    fake.fault("401")
    other = Profile("other", "openai", fake.url, "small", key="sk-other")

    async def calls():
        client = Client()
        with pytest.raises(Unavailable):
            await client.complete(profile_of(fake), ASK)
        with pytest.raises(Unavailable, match=r"refused the key .* until \d\d:\d\d:\d\d UTC"):
            await client.complete(profile_of(fake), ASK)
        reply = await client.complete(other, ASK)
        await client.close()
        return reply

    assert asyncio.run(calls()).text


def test_timeout_of_a_profile_goes_first(fake):
    """A slow model of one's own may be given more time than the rest."""
    fake.fault("latency", seconds=0.2)
    assert ask(fake, **SOON, profile=profile_of(fake, timeout=30.0)).text


def test_cancelled_call_leaves_no_socket(fake):
    """Whoever stops waiting also stops the connection, and the client goes on working."""
    fake.fault("hang")

    async def calls():
        client = Client()
        task = asyncio.create_task(client.complete(profile_of(fake), ASK))
        while not fake.requests:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        reply = await client.complete(profile_of(fake), ASK)
        await client.close()
        return reply

    assert asyncio.run(calls()).text
    assert no_sockets(fake)


@pytest.mark.parametrize("fault", ["hang", "drip", "huge", "cut", "500", "malformed"])
def test_fault_leaves_no_socket(fake, fault):
    """However a call ends, its connection is gone once the client is closed."""
    fake.fault(fault)
    ask(fake, **SOON)
    assert no_sockets(fake)


def no_sockets(fake):
    """Wait a moment for the server to notice that its clients are gone."""

    async def wait():
        for _ in range(12_000):
            if not fake.connections:
                return True
            await asyncio.sleep(0.005)
        return False

    return asyncio.run(wait())


def test_key_is_in_no_log(fake, caplog):
    """Even at the lowest level nothing that is logged holds the key."""
    caplog.set_level(logging.DEBUG)
    fake.fault("401")
    ask(fake)
    ask(fake)
    assert KEY not in caplog.text
    assert KEY not in json.dumps([str(record.__dict__) for record in caplog.records])


def test_connections_are_kept_for_the_next_call(fake):
    """Calls one after the other share a connection instead of opening one each."""
    seen = []

    async def calls():
        client = Client()
        for _ in range(3):
            await client.complete(profile_of(fake), ASK)
            seen.append(fake.connections)
        await client.close()

    asyncio.run(calls())
    assert seen == [1, 1, 1]
