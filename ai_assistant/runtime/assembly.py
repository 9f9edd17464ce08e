"""Assembly: the ports of the game are wired to the core, and a mind comes out."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred, DeferredLock, execute, fail
from twisted.internet.threads import deferToThread

from ai_assistant import conf
from ai_assistant.agent.attention.budget import Budget
from ai_assistant.agent.attention.energy import Energy
from ai_assistant.agent.attention.purses import Purses
from ai_assistant.agent.config import CONFIG, Config, by_present_names, check_all
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.unasked.patience import Patience
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import SLACK, Clock, Model
from ai_assistant.core.times import DAY
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import report, tell_staff
from ai_assistant.game.reactor_steps import REACTOR_STEPS, Later, fired_later
from ai_assistant.game.senses import EvenniaWorld
from ai_assistant.game.spans import build_spans
from ai_assistant.language import use
from ai_assistant.llm.bridge import Bridge
from ai_assistant.llm.model_profiles import Profile, profile_for
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.memory.policy import AgentMemoryPolicy
from ai_assistant.memory.search.recall import Recall
from ai_assistant.runtime.call_log import WrittenCalls
from ai_assistant.runtime.database_watch import DatabaseWatch
from ai_assistant.runtime.embedder import Embeddings, build_embedder, read_profiles
from ai_assistant.runtime.means import caps_of, lines_a_minute, of_a_day, set_own_caps, shares_of
from ai_assistant.runtime.named_by_settings import (
    check_functions,
    load_macros,
    load_policy,
    load_tools,
    overrides_of,
    stores_for,
    usable_language,
    wrong_settings,
)
from ai_assistant.runtime.outage_watch import OutageWatch, misconfigured
from ai_assistant.scenes.live_scenes import RECALLS, SCENES
from ai_assistant.scenes.scene_lines import SCENE_LINES
from ai_assistant.scenes.story_acts import act_in_story
from ai_assistant.storage import AttributeStore, RowBook, npc_id, read_block
from ai_assistant.storage.lorebooks import CharacterShelf
from ai_assistant.tools import ToolRegistry
from ai_assistant.workers.worker_queue import MOST_SECONDS, WorkerQueue, build_worker_queue

PERSONA = "persona"


def config_of(script: Any) -> Config:
    """Return the configuration that a script keeps, also that of a mind that rests."""
    stored = script.attributes.get(CONFIG.attribute)
    values = stored.deserialize() if isinstance(stored, Mapping) else {}
    return Config(by_present_names(values))


class SystemClock:
    """Implements `ports.Clock` with the machine's clocks."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


@dataclass(frozen=True, slots=True)
class Shared:
    """What all assistants of one server process have in common."""

    clock: Clock
    """Real time."""
    energy: Energy
    """Model calls that each utterance of a person still pays for."""
    patience: Patience
    """What was lately said unasked, by all of them."""
    purses: Purses
    """Lines that a player, and an address, may still have answered this minute."""
    kept_lines: Purses
    """Lines that a character may still keep of a player today, and how often that one may still
    have something forgotten."""
    budget: Budget
    """Model calls and tokens of the day, by character and by player."""
    bridge: Bridge
    """The thread in which models are asked."""
    offline: Model
    """Answers where there is no model, or none may be paid for."""
    registry: ToolRegistry
    """All tools, those of the game too."""
    profiles: dict[str, Profile]
    """Model profiles by name, as settings and `ai/setup` made them."""
    macros: MacroRegistry
    """What fills a `{{macro}}` of a prompt, those of the game too."""
    policy: AgentMemoryPolicy
    """What each role of memory keeps and recalls."""
    outages: OutageWatch
    """Tells staff that models, workers or the index failed, once, and that they are back."""
    calls: WrittenCalls
    """The log of model calls."""
    faults: list[str]
    """What the settings name and could not be loaded, in sentences."""
    embedder: Embeddings | None = None
    """Makes vectors for recall; None where settings name no model for it."""
    workers: WorkerQueue | None = None
    """Other processes that answer what nobody waits for; None where there are none."""
    recalling: DeferredLock = field(default_factory=DeferredLock)
    """Held by the player's `scene/recall` that reads: each new word of a memory takes its time."""
    remembering: set[str] = field(default_factory=set)
    """The ids of those whose recall reads, or waits to: of each there is one."""


def build_shared() -> Shared:
    """Read the settings and make what all assistants share; starts nothing yet.

    What is wrong with the settings is told, in the log and to staff, and stops nobody.
    """
    faults, clock = list[str](), SystemClock()
    tell = partial(_tell_once, faults)
    check_functions(tell)
    use(usable_language(tell))
    profiles = read_profiles()
    for fault in wrong_settings(profiles):
        tell_staff(fault)
    outages = OutageWatch(clock, profiles)
    bridge = Bridge(
        partial(reactor.callFromThread, REACTOR_STEPS, 0),  # type: ignore[attr-defined]
        in_flight=conf.settings.IN_FLIGHT,
        timeout=conf.settings.MODEL_TIMEOUT,
        max_bytes=conf.settings.MAX_REPLY_BYTES,
        note=outages.note,
    )
    budget = Budget(RowBook(), clock, caps_of, shares_of)
    workers = build_worker_queue(tell, clock, beside, REACTOR_STEPS, outages.note)
    return Shared(
        clock=clock,
        energy=Energy(),
        patience=Patience(),
        purses=Purses(clock.monotonic, lines_a_minute),
        kept_lines=Purses(clock.monotonic, of_a_day, seconds=DAY),
        budget=budget,
        bridge=bridge,
        offline=OfflineModel(),
        registry=load_tools(tell),
        profiles=profiles,
        macros=load_macros(tell),
        policy=load_policy(tell),
        faults=faults,
        outages=outages,
        calls=WrittenCalls(clock, partial(pick_profile, profiles), beside, build_spans(tell)),
        embedder=build_embedder(profiles, bridge, budget, workers),
        workers=workers,
    )


def _tell_once(known: list[str], fault: str) -> None:
    if fault not in known:
        known.append(fault)
        tell_staff(fault)


def build_assistant(
    character: Any, script: Any, shared: Shared, watch: DatabaseWatch, later: Later = REACTOR_STEPS
) -> Mind:
    """Return the mind of a character (an Evennia object), kept by its script.

    `later` runs one call in a step of the reactor, for what a mind does in several.
    Raises `ConfigurationError` where its configuration holds a value that does not fit.
    """
    own_id = entity_id(character)
    role = shared.policy.effective(script.config["memory_role"], overrides_of(script.config))
    npc = npc_id(character)
    store = AttributeStore(character, script, own_id, PARTS, npc, watch.fence)
    store.elsewhere.stores = stores_for(own_id, role, partial(_tell_once, shared.faults))
    config = Config(check_all(script.config.values))
    set_own_caps(own_id, config)
    recall = RECALLS[own_id] = Recall(store, in_thread, shared.embedder)
    return Mind(
        key=own_id,
        world=EvenniaWorld(character, SCENE_LINES.missed),
        store=store,
        model=Router(shared),
        clock=shared.clock,
        budget=shared.budget,
        energy=shared.energy,
        purses=shared.purses,
        kept_lines=shared.kept_lines,
        patience=shared.patience,
        registry=shared.registry,
        config=config,
        persona=read_block(PERSONA, npc).value or {"name": character.key},
        limit=limit,
        pause=partial(fired_later, later),
        report=report,
        recall=recall,
        macros=shared.macros,
        role=role,
        shelf=CharacterShelf(character),
        world_agent=SCENES.agent,
        plays=SCENES.plays(own_id),
        act_in_story=partial(act_in_story, own_id),
        watch=watch,
        calls=shared.calls,
    )


class Router(Model):
    """Implements `ports.Model`: passes a request to the model that its job calls for."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def complete(self, request: ModelRequest) -> Awaitable[ModelReply]:
        """Return the reply of that model when it is there."""
        profile = pick_profile(self._shared.profiles, request.job, request.profile)
        if profile.offline:
            return self._shared.offline.complete(request)
        if profile.problem:
            return fail(misconfigured(profile))
        return self._asked(profile, request, self._shared.bridge.complete, profile, request)

    def _asked(
        self, profile: Profile, request: ModelRequest, here: Callable[..., Any], *given: Any
    ) -> Any:
        """Have a worker answer what nobody waits for, and `here` all else."""
        workers = self._shared.workers
        if workers is None or not workers.takes(request):
            return here(*given)
        return workers.answer(profile, request, partial(here, *given))

    def at_no_cost(
        self, request: ModelRequest, *, failed: bool = False
    ) -> Awaitable[ModelReply] | None:
        """Return the offline model's answer: it stands in only for somebody who waits."""
        profile = pick_profile(self._shared.profiles, request.job, request.profile)
        if profile.offline:
            return self._asked(profile, request, self._shared.offline.at_no_cost, request)
        waits = request.job == "chat" and request.context_type == "tick_event"
        stands_in = failed and waits and conf.settings.FALLBACK
        return self._shared.offline.complete(request) if stands_in else None

    def most(self, request: ModelRequest) -> tuple[float, int]:
        """Return the seconds after which its answer is lost, a little above the client's limit, and
        the most tokens that it may take, as the profile has it."""
        profile = pick_profile(self._shared.profiles, request.job, request.profile)
        seconds = (profile.timeout or conf.settings.MODEL_TIMEOUT) + SLACK
        workers = self._shared.workers
        seconds += MOST_SECONDS if workers and workers.takes(request) else 0.0
        return seconds, profile.most_tokens(request.max_tokens)

    def has_native_tools(self, chosen: str) -> bool:
        """Does the model of a chat take tool calls as such, and not as text?"""
        return pick_profile(self._shared.profiles, "chat", chosen).native_tools

    def is_offline(self, job: str) -> bool:
        """Is there no real model for this job?"""
        return pick_profile(self._shared.profiles, job).offline


def pick_profile(profiles: dict[str, Profile], job: str, chosen: str = "") -> Profile:
    """Return the profile for a job: to talk the one chosen, if it exists, else the game's."""
    own = profiles.get(chosen) if job in ("chat", "summarise") else None
    return own or profile_for(job, profiles, conf.settings.JOBS)


def limit(awaitable: Awaitable[Any], seconds: float) -> Deferred[Any]:
    """Implement `ports.Limit` with the reactor's clock."""

    async def awaited() -> Any:
        return await awaitable

    def too_late(*_: object) -> None:
        raise TimeoutError(f"It took longer than {seconds:g} s.")

    is_deferred = isinstance(awaitable, Deferred)
    found = awaitable if is_deferred else Deferred.fromCoroutine(awaited())
    return found.addTimeout(seconds, reactor, too_late)  # type: ignore[arg-type]


def in_thread(work: Callable[..., Any], *args: Any) -> Deferred[Any]:
    """Implement `memory.search.recall.RunInThread` with the reactor's threads."""
    return deferToThread(work, *args).addBoth(REACTOR_STEPS.fired)


def beside(work: Callable[..., Any], *args: Any) -> Deferred[Any]:
    """Return a Deferred with what a function returns, run in a thread where the reactor runs."""
    return (in_thread if reactor.running else execute)(work, *args)  # type: ignore[attr-defined]
