"""The live test of a model: what it finds out, and what it says where nobody answers."""

import asyncio
import time
from dataclasses import replace

import pytest

from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.client import Client
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.model_trial import SIZE, trial_lines, try_profile
from ai_assistant.llm.next_steps import NEXT_STEPS, cause_of, next_step
from ai_assistant.testing.fake_openai import FakeOpenAI

KEY = "sk-canary-1234567890"


@pytest.fixture(scope="module")
def server():
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def fake(server):
    server.reset()
    return server


def profile_of(fake, **options):
    return Profile("default", "local", options.pop("url", fake.url), "small", key=KEY, **options)


def tried(profile, seconds=60.0):
    """Test a profile with a client of its own; returns what it showed."""

    async def go():
        client = Client(timeout=seconds)
        try:
            return await try_profile(profile, client.complete, time.monotonic)
        finally:
            await client.close()

    return asyncio.run(go())


def answer_well(fake):
    """Let the server be one that can do all that is asked of it."""
    fake.when("clock").call("read_clock")
    fake.when("Tom").say('{"name": "Tom", "age": 7}')
    fake.when("password").say("It is heliotrope.")


def test_a_good_model_is_seen_as_one(fake):
    """Tool calls, JSON held to a schema, and a full prompt read to its beginning."""
    answer_well(fake)
    trial = tried(profile_of(fake))
    assert (trial.failure, trial.tools, trial.schema, trial.json) == (None, True, True, True)
    assert trial.room > 0.9 * SIZE
    assert trial.calls == 4
    assert trial.tokens > SIZE
    assert trial.fitting == {"native_tools": True, "json_schema": True}
    assert fake.requests[1]["body"]["tools"][0]["function"]["name"] == "read_clock"
    assert fake.requests[2]["body"]["response_format"]["type"] == "json_schema"


def test_a_poor_model_is_seen_as_one(fake):
    """It talks, and that is all: calls as text are no calls, a forgotten beginning no context."""
    fake.when("clock").say('{"tool": "read_clock", "arguments": {}}')
    trial = tried(profile_of(fake))
    told = "\n".join(trial_lines(trial))
    assert (trial.tools, trial.schema, trial.json, trial.room) == (False, False, False, 0)
    assert trial.fitting == {"native_tools": False, "json_schema": False}
    assert "OLLAMA_CONTEXT_LENGTH" in told


def test_a_server_that_refuses_tools_and_schemas_is_used_without(fake):
    """What it refuses is left out of the profile, and the test goes on."""
    fake.when("clock").fault("400")
    fake.when("Tom").fault("400")
    fake.when("Tom").say('```json\n{"name": "Tom", "age": 7}\n```')
    fake.when("password").fault("400")
    trial = tried(profile_of(fake))
    assert (trial.tools, trial.schema, trial.json) == (False, False, True)
    assert "no answer to a prompt of 7,000 tokens" in "\n".join(trial_lines(trial))


def test_what_passes_is_no_verdict(fake):
    """Too many requests say nothing of what a model can do."""
    fake.when("clock").fault("429")
    fake.when("Tom").fault("503")
    trial = tried(profile_of(fake))
    assert (trial.tools, trial.schema) == (None, None)
    assert trial.fitting == {}


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        *((status, status) for status in ("400", "401", "402", "403", "404", "413", "429", "500")),
        *(("503", "500"), ("418", "400"), ("redirect", "redirect"), ("hang", "timeout")),
        *(("html", "answer"), ("malformed", "answer"), ("cut", "answer"), ("empty", "empty")),
    ],
)
def test_each_failure_says_what_to_do_next(fake, fault, cause):
    """One sentence by its cause, which names what it is about and shows no key."""
    fake.fault(fault)
    profile = profile_of(fake)
    trial = tried(profile, **{"seconds": 0.3} if fault == "hang" else {})
    assert cause_of(trial.failure) == cause
    told = trial_lines(trial)
    assert told[-1] == f"  Next: {next_step(trial.failure, profile)}"
    assert KEY not in "\n".join(told)
    assert trial.calls == 1


@pytest.mark.parametrize(
    ("url", "cause"),
    [("http://nowhere.invalid/v1", "dns"), ("http://127.0.0.1:9/v1", "refused")],
)
def test_who_is_not_there_is_told_apart(fake, url, cause):
    """A slip in the host is not a server that was not started."""
    assert cause_of(tried(profile_of(fake, url=url)).failure) == cause


def test_no_certificate_is_told(unused_port):
    """A server without TLS behind an https address is neither absent nor slow."""

    async def go():
        async def plain(reader, writer):
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(plain, "127.0.0.1", unused_port)
        client = Client(timeout=60)
        profile = Profile("default", "local", f"https://127.0.0.1:{unused_port}/v1", "small")
        try:
            return await try_profile(profile, client.complete, time.monotonic)
        finally:
            await client.close()
            server.close()

    assert cause_of(asyncio.run(go()).failure) == "tls"


@pytest.fixture
def unused_port():
    """A port of this machine that nobody listens at."""
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def test_where_a_key_goes_that_no_variable_holds(fake):
    """A server that wants one from a profile without: the place of its key is named."""
    profile = replace(profile_of(fake), key_env="")
    error = Unavailable(CallEnding.AUTH, "It refused the key.", cause="401")
    assert "AI_ASSISTANT_KEYS['default']" in next_step(error, profile)


def test_no_sentence_lacks_its_words(fake):
    """Each one can be said of any profile."""
    profile = profile_of(fake)
    for sentence in NEXT_STEPS.values():
        told = sentence.format(url=profile.base_url, host="h", key="K")
        assert "{" not in told
        assert told[0].isupper() or told.startswith("http")
        assert told.endswith((".", "at once."))


def test_a_server_lists_its_models(fake):
    """The names come back, and a rest after failures ends when it is asked for them."""

    async def go():
        client = Client(timeout=60)
        fake.fault("401")
        for _ in range(2):
            trial = await try_profile(profile_of(fake), client.complete, time.monotonic)
        assert cause_of(trial.failure) == "resting"
        client.ask_again(profile_of(fake))
        listed = await client.models(profile_of(fake))
        await client.close()
        return [model["id"] for model in listed]

    assert asyncio.run(go()) == ["fake"]
