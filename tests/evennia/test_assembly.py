"""Assembly: which model answers, how long anybody waits, which tools and caps there are."""

import sys
from types import ModuleType

import pytest
from twisted.internet.defer import CancelledError, Deferred

from ai_assistant.agent.config import Config
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.runtime.assembly import (
    Router,
    build_shared,
    caps_of,
    limit,
    pick_profile,
    set_own_caps,
)
from ai_assistant.runtime.named_by_settings import load_tools
from ai_assistant.tools import tool

ONLINE = {"provider": "openai", "model": "small"}
OFFLINE = {"provider": "offline"}


@tool(about={"place": "Where."})
def forecast(turn, place: str):
    """Tell what the weather will be at a place."""
    return {"weather": "rain"}


@pytest.fixture
def game_tools(settings):
    """Lets a test say what is in the game's module of tools."""

    def hold(**names):
        module = ModuleType("a_game_with_tools")
        vars(module).update(names)
        sys.modules[module.__name__] = module
        settings.AI_ASSISTANT_TOOL_MODULES = [module.__name__]

    yield hold
    sys.modules.pop("a_game_with_tools", None)


class Recorder:
    """Stands where a model stands, and notes what it is asked."""

    def __init__(self):
        self.asked = []

    def complete(self, *asked):
        self.asked.append(asked)
        return ModelReply("Yes.")


def routed(settings, request, llm, jobs=None):
    """Return which side answered a request: "offline", or the name of the profile."""
    settings.AI_ASSISTANT_LLM, settings.AI_ASSISTANT_JOBS = llm, jobs or {}
    settings.AI_ASSISTANT_KEYS = {"openai": "sk-test"}
    shared = build_shared()
    offline, bridge = Recorder(), Recorder()
    router = Router(type(shared)(**{**parts_of(shared), "offline": offline, "bridge": bridge}))
    router.complete(request)
    return "offline" if offline.asked else bridge.asked[0][0].name


def parts_of(shared):
    """Return what is shared, by name."""
    return {name: getattr(shared, name) for name in type(shared).__slots__}


@pytest.mark.django_db
class TestRouter:
    def test_offline_without_settings(self, settings):
        """Without a profile the built-in model answers."""
        assert routed(settings, ModelRequest(()), {}) == "offline"

    def test_profile_of_the_job(self, settings):
        """Each job has the profile that the settings name, else its namesake, else the default."""
        llm = {"default": ONLINE, "summarise": OFFLINE, "big": ONLINE}
        assert routed(settings, ModelRequest(()), llm, {"chat": "big"}) == "big"
        assert routed(settings, ModelRequest((), job="summarise"), llm) == "offline"
        assert routed(settings, ModelRequest((), job="assess"), llm) == "default"

    def test_own_choice_counts_for_its_chat(self, settings):
        """What an assistant chose goes for its talk only, and only while it exists."""
        llm = {"default": ONLINE, "mine": OFFLINE}
        assert routed(settings, ModelRequest((), profile="mine"), llm) == "offline"
        assert routed(settings, ModelRequest((), job="assess", profile="mine"), llm) == "default"
        assert routed(settings, ModelRequest((), profile="gone"), llm) == "default"

    def test_profile_says_how_long_it_takes(self, settings):
        """Its own time counts, and the game's where it names none; no turn waits much longer."""
        slow = ONLINE | {"timeout": 600}
        settings.AI_ASSISTANT_LLM = {"default": ONLINE, "slow": slow, "assess": ONLINE}
        settings.AI_ASSISTANT_KEYS = {"openai": "sk-test"}
        settings.AI_ASSISTANT_MODEL_TIMEOUT = 20.0
        router = Router(build_shared())
        assert 600 < router.most(ModelRequest((), profile="slow"))[0] < 630
        assert 20 < router.most(ModelRequest((), job="assess", profile="slow"))[0] < 50

    def test_a_job_that_points_nowhere_is_done_by_the_usual_one(self, settings):
        """The setting has no effect."""
        settings.AI_ASSISTANT_JOBS = {"chat": "gone"}
        usual = Profile("default")
        assert pick_profile({"default": usual}, "chat") is usual


class TestLimit:
    def test_what_comes_in_time(self):
        """A result in time is the result, and leaves no timer behind."""
        waiting = Deferred()
        results = []
        limit(waiting, 5).addCallback(results.append)
        waiting.callback("done")
        assert results == ["done"]

    def test_what_is_cancelled(self):
        """Cancelling ends what is waited for, whether it is a coroutine or a Deferred."""
        cancelled, errors = [], []
        inner = Deferred(cancelled.append)

        async def wait():
            return await inner

        outer = limit(wait(), 5)
        outer.addErrback(lambda failure: errors.append(failure.check(CancelledError)))
        outer.cancel()
        assert errors == [CancelledError]
        assert inner.called

    def test_what_takes_too_long(self):
        """After the time is up it is a TimeoutError, and what was waited for is cancelled."""
        from twisted.internet import reactor

        cancelled, errors = [], []
        inner = Deferred(cancelled.append)
        before = set(reactor.getDelayedCalls())
        limit(inner, 5).addErrback(lambda failure: errors.append(str(failure.value)))
        (timer,) = set(reactor.getDelayedCalls()) - before
        timer.func(*timer.args, **timer.kw)
        assert errors == ["It took longer than 5 s."]
        assert cancelled == [inner]


class TestTools:
    def test_the_games_tools_join_ours(self, game_tools):
        """A module named in the settings adds its tools."""
        game_tools(forecast=forecast)
        registry = load_tools()
        assert registry.get("forecast") is forecast
        assert registry.get("say") is not None

    @pytest.mark.parametrize("names", [{}, {"len": len}, {"one": forecast, "two": forecast}])
    def test_wrong_modules_are_left_out(self, game_tools, names):
        """A module without tools, or with two of one name, is told of."""
        game_tools(**names)
        told = []
        assert load_tools(told.append).get("forecast") is None
        assert "AI_ASSISTANT_TOOL_MODULES" in told[0]


def test_own_caps_go_before_the_games(settings):
    """What is set for one assistant counts for it alone; nought leaves the game's."""
    settings.AI_ASSISTANT_DAILY_CALLS = 100
    settings.AI_ASSISTANT_DAILY_TOKENS = 5000
    set_own_caps("e1", Config({"daily_calls": 7}))
    assert caps_of("e1") == (7, 5000)
    assert caps_of("e2") == (100, 5000)
    settings.AI_ASSISTANT_GAME_DAILY_CALLS = 9
    assert caps_of("")[0] == 9


def test_building_starts_nothing(settings, db):
    """Reading the settings neither opens a connection nor starts a thread."""
    settings.AI_ASSISTANT_LLM = {"default": ONLINE}
    settings.AI_ASSISTANT_KEYS = {"openai": "sk-test"}
    assert not build_shared().bridge.running
