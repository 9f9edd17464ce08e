"""Live tests of profiles in the running game: paid for like any call, and never waited for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.core.errors import ModelError, ModelTimeout
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import SLACK
from ai_assistant.llm.bridge import Bridge
from ai_assistant.llm.model_list import known_model, names_of, window_in
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.model_trial import Trial, try_profile
from ai_assistant.llm.wire import worst_case_tokens
from ai_assistant.runtime.assembly import beside, limit
from ai_assistant.runtime.service import SERVICE

OWNER = "trials"
"""The owner under which the calls of tests are counted, apart from the assistants' own."""


def run_trial(profile: Profile) -> Deferred[Trial]:
    """Return a Deferred that fires with what a live test of a profile showed.

    It fails with `BudgetExhausted` or `StoreError` where nothing can be booked. Each question may
    take as long as any call of the profile. What is cancelled stays booked at its worst case.
    """

    async def run() -> Trial:
        known = await beside(known_model, profile)
        window = 0
        # also ends the rest that the server may have been left to; many list nothing
        with suppress(ModelError):
            window = window_in(await _within(profile, _bridge().models(profile)), profile.model)
        trial = await try_profile(profile, _paid, SERVICE.shared.clock.monotonic)
        trial.known, trial.window = known, window
        return trial

    return Deferred.fromCoroutine(run())


def list_models(profile: Profile) -> Deferred[list[str]]:
    """Return a Deferred with the names of the models that a profile's server has, or an error."""

    async def listed() -> list[str]:
        return names_of(await _within(profile, _bridge().models(profile)))

    return Deferred.fromCoroutine(listed())


def _bridge() -> Bridge:
    shared = SERVICE.shared
    shared.bridge.start([])
    return shared.bridge


async def _paid(profile: Profile, request: ModelRequest) -> ModelReply:
    bridge, budget = _bridge(), SERVICE.shared.budget
    texts = [message.content for message in request.messages]
    size = len("".join(texts)) + len(repr([request.schema, profile.extra])) + 64 * len(texts)
    most = worst_case_tokens(size, len(texts), profile.most_tokens(request.max_tokens))
    reserved = budget.reserve(OWNER, most)
    try:
        reply = await _within(profile, bridge.complete(profile, request))
    except ModelError as error:
        budget.fail(reserved, error, size)
        raise
    return replace(reply, usage=budget.settle(reserved, reply.usage))


async def _within(profile: Profile, calling: Deferred[Any]) -> Any:
    try:
        return await limit(calling, (profile.timeout or conf.settings.MODEL_TIMEOUT) + SLACK)
    except TimeoutError:
        raise ModelTimeout() from None
