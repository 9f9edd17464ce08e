"""The bridge between the reactor and the model's thread, and the fake server as a process."""

import gc
import json
import queue
import re
import subprocess
import threading
import time
import urllib.request

import pytest
from twisted.internet.defer import CancelledError

from ai_assistant.core.errors import ModelTimeout, ModelUnavailable
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.llm.bridge import Bridge
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.testing.fake_openai import FakeOpenAI

ASK = ModelRequest((Message("user", "Hello"),))


class Reactor:
    """Stands in for the reactor's thread: runs what other threads hand over, when told to."""

    def __init__(self):
        self.calls = queue.Queue()

    def call_from_thread(self, function, *args):
        self.calls.put((function, args))

    def run(self, deferred, seconds=60.0):
        """Run calls until the Deferred has fired; returns its result or its error."""
        results = []
        deferred.addBoth(results.append)
        until = time.monotonic() + seconds
        while not results:
            function, args = self.calls.get(timeout=max(0.0, until - time.monotonic()))
            function(*args)
        return getattr(results[0], "value", results[0])


@pytest.fixture
def reactor():
    return Reactor()


@pytest.fixture
def fake():
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def bridge(reactor):
    bridge = Bridge(reactor.call_from_thread, in_flight=4)
    bridge.start()
    yield bridge
    bridge.stop()


def profile_of(fake, **options):
    return Profile("chat", "local", fake.url, "small", **options)


def eventually(condition, seconds=60.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


def model_threads():
    return [thread for thread in threading.enumerate() if thread.name == "ai-assistant-model"]


def test_reply_arrives_in_the_reactor(reactor, bridge, fake):
    """A reply is handed over only when the reactor gets to it, with what it cost."""
    fake.say("Good day.")
    deferred = bridge.complete(profile_of(fake), ASK)
    assert eventually(lambda: not reactor.calls.empty())
    assert not deferred.called
    reply = reactor.run(deferred)
    assert (reply.text, reply.usage.known) == ("Good day.", True)
    assert bridge.pending == 0


def test_error_arrives_as_itself(reactor, bridge, fake):
    """A failed call fails its Deferred with an error of our own tree."""
    fake.fault("hang")
    error = reactor.run(bridge.complete(profile_of(fake, timeout=0.1), ASK))
    assert isinstance(error, ModelTimeout)


def test_calls_beyond_the_limit_wait(reactor, bridge, fake):
    """No more calls than slots are under way, and those that waited are answered."""
    fake.script.add({"fault": "latency", "seconds": 0.1, "times": 12})
    calls = [bridge.complete(profile_of(fake), ASK) for _ in range(12)]
    assert eventually(lambda: len(fake.requests) >= 4)
    assert fake.connections <= 4
    for deferred in calls:
        assert reactor.run(deferred).text == "At last."
    assert fake.connections <= 4


def test_cancelled_call_closes_its_connection(reactor, bridge, fake):
    """Cancelling fires the Deferred at once and gives the slot and the socket back."""
    fake.fault("hang", times=4)
    calls = [bridge.complete(profile_of(fake), ASK) for _ in range(4)]
    assert eventually(lambda: len(fake.requests) == 4)
    for deferred in calls:
        deferred.cancel()
        assert isinstance(reactor.run(deferred), CancelledError)
    assert eventually(lambda: fake.connections == 0)
    fake.say("Still here.")
    assert reactor.run(bridge.complete(profile_of(fake), ASK)).text == "Still here."


def test_late_reply_is_ignored(reactor, bridge, fake):
    """A reply that was on its way when the call was cancelled does no harm."""
    deferred = bridge.complete(profile_of(fake), ASK)
    assert eventually(lambda: not reactor.calls.empty())
    results = []
    deferred.addBoth(lambda result: results.append(result.type))
    deferred.cancel()
    late, args = reactor.calls.get()
    late(*args)
    late(*args)
    assert results == [CancelledError]


def test_stop_leaves_nothing_behind(reactor, bridge, fake):
    """Stopping cancels what runs and waits, ends the thread and closes every socket, at once."""
    fake.fault("hang", times=9)
    calls = [bridge.complete(profile_of(fake), ASK) for _ in range(9)]
    assert eventually(lambda: len(fake.requests) == 4)
    started = time.monotonic()
    bridge.stop()
    assert time.monotonic() - started < 20, "it waited for the answers"
    assert all(deferred.called for deferred in calls)
    assert [type(reactor.run(deferred)) for deferred in calls] == [CancelledError] * 9
    assert not model_threads()
    assert eventually(lambda: fake.connections == 0)


def test_stop_closes_what_was_kept_open(reactor, bridge, fake):
    """Connections that wait for a next call are closed, without the garbage collector's help."""
    gc.disable()
    try:
        reactor.run(bridge.complete(profile_of(fake), ASK))
        assert fake.connections == 1
        bridge.stop()
        assert eventually(lambda: fake.connections == 0)
    finally:
        gc.enable()


def test_stopped_bridge_refuses_and_starts_again(reactor, bridge, fake):
    """After a stop calls fail instead of waiting for ever; a new start makes it work again."""
    bridge.stop()
    bridge.stop()
    assert isinstance(reactor.run(bridge.complete(profile_of(fake), ASK)), ModelUnavailable)
    bridge.start([profile_of(fake)])
    fake.say("Back.")
    assert reactor.run(bridge.complete(profile_of(fake), ASK)).text == "Back."


def test_calls_return_at_once(bridge, fake):
    """Neither starting nor calling makes the reactor wait for the server."""
    fake.latency = 1.0
    calls = [bridge.complete(profile_of(fake), ASK) for _ in range(50)]
    assert not any(deferred.called for deferred in calls)
    for deferred in calls:
        deferred.addErrback(lambda failure: None)


def test_offline_game_never_loads_the_sdk(root, python):
    """Without a model's server to talk to, the half second and the memory are saved."""
    program = (
        "import sys; from ai_assistant.llm.bridge import Bridge\n"
        "from ai_assistant.llm.model_profiles import Profile\n"
        "b = Bridge(lambda f, *a: f(*a)); b.start([Profile('default')]); b.stop()\n"
        "print('openai' in sys.modules, 'twisted.internet.reactor' in sys.modules)"
    )
    done = subprocess.run([python, "-c", program], cwd=root, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_fake_server_runs_as_a_process(root, python, tmp_path):
    """As a command it prints its address, plays a script from a file and stops when asked."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"say": "From a file."}]))
    command = [python, "-m", "ai_assistant.testing.fake_openai", "--script", str(script)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = re.search(r"http://\S+", process.stdout.readline())[0]
            request = urllib.request.Request(f"{url}/chat/completions", b'{"messages": []}')
            with urllib.request.urlopen(request, timeout=60) as response:
                assert "From a file." in response.read().decode()
        finally:
            process.terminate()
        assert process.wait(60) == 0
