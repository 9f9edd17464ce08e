"""The doctor's round: every check once, and whatever one of them raises is a finding too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

from ai_assistant.api.doctor import game_checks, settings_checks
from ai_assistant.core.contracts import Finding, Json
from ai_assistant.core.errors import AssistantError, ModelError
from ai_assistant.llm.model_list import names_of
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import next_step
from ai_assistant.runtime.embedder import read_profiles

Check = Callable[[], Iterator[Finding]]
CHECKS: Mapping[str, Check] = {
    "migrations": game_checks.migrations,
    "values": settings_checks.values,
    "names": settings_checks.names,
    "profiles": settings_checks.profiles,
    "keys": settings_checks.places_of_keys,
    "named": settings_checks.named_things,
    "typeclass": settings_checks.typeclass,
    "commands": game_checks.commands,
    "database": game_checks.database,
    "clock": game_checks.clock,
    "web": game_checks.web,
    "typed": game_checks.typed,
    "packages": game_checks.packages,
}
"""Each check by the id of its findings, first what others need; `endpoint` is asked for apart: it
takes time."""
ENDPOINT = "endpoint"


def findings(these: Iterable[str] = tuple(CHECKS)) -> list[Finding]:
    """Return what every check found, or these; it asks no network, and takes some milliseconds.

    A check that fails for a reason of its own, an earlier finding mostly, is told as a problem.
    """
    return [found for about in these for found in _survived(about, CHECKS[about])]


def finding_lines(found: Iterable[Finding]) -> list[str]:
    """Return findings as people read them, the fix of each below it."""
    lines = []
    for finding in found:
        lines.append(f"{finding.level:<8} {finding.about:<11} {finding.text}")
        if finding.fix:
            lines.append(f"{'':<20} Do: {finding.fix}")
    return lines


def _survived(about: str, check: Check) -> list[Finding]:
    try:
        return [*check()]
    except AssistantError as error:
        return [Finding(about, "problem", str(error), "mend the findings above first")]
    except Exception as error:
        text = f"It could not be looked at ({type(error).__name__}: {error})."
        return [
            Finding(about, "problem", text, "mend the findings above; else it is a fault of ours")
        ]


def servers() -> list[Profile]:
    """Return a profile for each model of a server that is to answer."""
    try:
        known = read_profiles().values()
    except AssistantError:  # `profiles` tells of it
        return []
    asked = {(p.base_url, p.key, p.model): p for p in known if not (p.offline or p.problem)}
    return [*asked.values()]


async def endpoint_findings(
    profiles: Iterable[Profile], models: Callable[[Profile], Awaitable[list[Json]]]
) -> list[Finding]:
    """Return whether the servers of profiles answer, asked for their `models`: that is free."""
    found = [await _endpoint(profile, models) for profile in profiles]
    return found or [
        Finding(ENDPOINT, "ok", "No profile needs a server: the offline model answers.")
    ]


async def _endpoint(
    profile: Profile, models: Callable[[Profile], Awaitable[list[Json]]]
) -> Finding:
    name = f"{profile.name} at {profile.base_url}"
    try:
        names = names_of(await models(profile))
    except ModelError as error:
        if error.cause == "404":
            return Finding(ENDPOINT, "ok", f"{name} answers, but lists no models.")
        return Finding(ENDPOINT, "problem", f"{name}: {error}", next_step(error, profile))
    if names and profile.model not in names and f"{profile.model}:latest" not in names:
        text = f"{name} answers, and does not list {profile.model}."
        return Finding(
            ENDPOINT, "warning", text, "ai/test tells whether it can be used all the same"
        )
    return Finding(ENDPOINT, "ok", f"{name} answers.")
