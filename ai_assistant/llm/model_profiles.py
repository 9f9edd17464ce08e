"""Model profiles: from the owner's ``AI_ASSISTANT_LLM`` setting to checked records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import did_you_mean
from ai_assistant.llm.profile_options import check_options

SETTING = "AI_ASSISTANT_LLM"
LONGEST_CALL = 600.0
"""Seconds that a call may take; a longer `timeout` means so much."""
SHORTEST_KEY, LONG_PART = 8, 12
"""Characters: a shorter key is a word as any; so many of a longer one are as good as all."""
JOBS = ("chat", "consolidate", "assess", "summarise")


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to reach one model."""

    name: str
    """By which settings and assistants choose it."""
    provider: str = "offline"
    """Whose model it is, such as `openai` or `ollama`; `offline` for the one built in."""
    base_url: str = ""
    """Its address; the calls' own paths follow it."""
    model: str = "offline"
    """The model's name, as its server has it."""
    key_env: str = ""
    """The variable of the environment that holds its key."""
    key: str = field(default="", repr=False)
    """The key; empty for none. It is never shown."""
    native_tools: bool = True
    """Does it take tool calls as such? Otherwise they are read from its text."""
    json_schema: bool = False
    """Can its server hold an answer to a schema?"""
    temperature: float | None = None
    """How freely it chooses its words, 0 to 2; None: as its server does."""
    top_p: float | None = None
    """The share of likely words that it chooses from, 0 to 1; None: as its server does."""
    reasoning_effort: str | None = None
    """How long it thinks, in a word of its server's; None: as its server does."""
    max_tokens: int | None = None
    """How long an answer may be, in tokens; None: as long as the job says."""
    extra: Json = field(default_factory=dict, repr=False)
    """What else goes with each request."""
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    """What goes with each as headers."""
    timeout: float | None = None
    """Seconds for a whole call; None: as the settings have it."""
    requests_per_minute: int = 0
    """How many it takes; 0: as many as come."""
    note: str = ""
    """Tells the owner why it is offline, where it is."""
    problem: str = ""
    """Why it cannot be used at all; empty where it can."""

    @property
    def offline(self) -> bool:
        """Is it the built-in model that answers?"""
        return self.provider == "offline"

    def parameters(self, max_tokens: int) -> Json:
        """Return the body's parameters; the owner's `max_tokens` goes before the request's."""
        limit = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        chosen = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            limit: self.max_tokens or max_tokens,
        }
        return {name: value for name, value in chosen.items() if value is not None} | self.extra

    def most_tokens(self, max_tokens: int) -> int:
        """Return how many tokens a server may bill for its answers to one request, at most."""
        sent = self.parameters(max_tokens)
        limits = [sent[name] for name in ("max_completion_tokens", "max_tokens") if name in sent]
        return int(max(limits) * sent.get("n", 1))


PRESETS: Mapping[str, Profile] = {
    preset.provider: preset
    for preset in (
        Profile("", "openai", "https://api.openai.com/v1", "", "OPENAI_API_KEY", json_schema=True),
        Profile("", "openrouter", "https://openrouter.ai/api/v1", "", "OPENROUTER_API_KEY"),
        Profile("", "anthropic", "https://api.anthropic.com/v1/", "", "ANTHROPIC_API_KEY"),
        Profile("", "ollama", "http://127.0.0.1:11434/v1", "", json_schema=True),
        Profile("", "local", "http://127.0.0.1:8080/v1", "default", native_tools=False),
        Profile(""),
    )
}
"""What is known of a provider before the owner says anything."""


def load_profiles(
    raw: Mapping[str, Any],
    environ: Mapping[str, str],
    secrets: Mapping[str, str] | None = None,
    *,
    strict: bool = True,
) -> dict[str, Profile]:
    """Return the checked profiles by name; there is always one called ``default``.

    `secrets` maps profile or provider names to keys (``AI_ASSISTANT_KEYS`` of the secret
    settings) and goes before the environment. A profile whose key is nowhere turns offline, with
    a note. Where none is called ``default``, the first one that can be used stands in. Raises
    `ConfigurationError` naming the entry that cannot be used, or, unless `strict`, keeps that as
    the `problem` of that profile; no text ever shows a key.
    """
    profiles: dict[str, Profile] = {}
    for name, entry in raw.items():
        try:
            if not isinstance(entry, Mapping):
                raise ConfigurationError(f"{SETTING}[{name!r}] must be a dictionary.")
            profiles[name] = _with_key(_profile(name, entry), environ, secrets or {})
        except ConfigurationError as error:
            if strict:
                raise
            profiles[name] = Profile(name, provider="", model="", problem=str(error))
    if "default" not in profiles:
        fit = (profile for profile in profiles.values() if not profile.problem)
        first = next(fit, next(iter(profiles.values()), Profile("default")))
        profiles["default"] = replace(first, name="default")
    return profiles


def holds_key(text: str, key: str) -> bool:
    """Does a text hold this key, or a long part of it?

    The beginning of a long key is left out: all keys of a provider begin alike.
    """
    if len(key) < LONG_PART:
        return len(key) >= SHORTEST_KEY and key in text
    shortest = 2 * LONG_PART if len(key) >= 3 * LONG_PART else LONG_PART
    ends = range(len(key), shortest - 1, -LONG_PART)
    return any(key[end - LONG_PART : end] in text for end in ends)


def profile_for(
    job: str, profiles: Mapping[str, Profile], jobs: Mapping[str, Any] | None = None
) -> Profile:
    """Return the profile for a job: the one `jobs` names, else its namesake, else ``default``."""
    chosen = (jobs or {}).get(job)
    if isinstance(chosen, str) and chosen in profiles:
        return profiles[chosen]
    return profiles[job if job in profiles else "default"]


def wrong_jobs(profiles: Mapping[str, Profile], jobs: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each entry of ``AI_ASSISTANT_JOBS`` that has no effect."""
    for job, name in jobs.items():
        if job not in JOBS:
            yield f"AI_ASSISTANT_JOBS has no job {job!r}; jobs are {', '.join(JOBS)}."
        elif not isinstance(name, str) or name not in profiles:
            yield (
                f"AI_ASSISTANT_JOBS[{job!r}] names {name!r}, which {SETTING} does not have. Until "
                f"then {profile_for(job, profiles).name!r} does that job."
            )


def _profile(name: str, entry: Mapping[str, Any]) -> Profile:
    where = f"{SETTING}[{name!r}]"
    values = {str(option): value for option, value in entry.items()}
    provider = values.pop("provider", "local" if "base_url" in values else "")
    if not isinstance(provider, str) or provider not in PRESETS:
        guess = did_you_mean(str(provider), PRESETS)
        must = f"{where}['provider'] must be one of {', '.join(PRESETS)}. {guess}"
        raise ConfigurationError(must.strip())
    branding = _branding(where, provider, values)
    check_options(where, values)
    if "timeout" in values:
        values["timeout"] = min(values["timeout"], LONGEST_CALL)
    values["headers"] = branding | values.get("headers", {})
    chosen = replace(PRESETS[provider], name=name, **values)
    if not chosen.model:
        raise ConfigurationError(f"{where}['model'] is missing: name the model to use.")
    return chosen


def _branding(where: str, provider: str, values: dict[str, Any]) -> dict[str, str]:
    """Take OpenRouter's `app_name` and `site` out of the values; return them as headers."""
    if provider != "openrouter":
        return {}
    found = {
        header: values.pop(option)
        for option, header in (("app_name", "X-Title"), ("site", "HTTP-Referer"))
        if option in values
    }
    check_options(where, {"headers": found})
    return found


def _with_key(profile: Profile, environ: Mapping[str, str], secrets: Mapping[str, str]) -> Profile:
    if profile.offline:
        return profile
    key = secrets.get(profile.name) or secrets.get(profile.provider)
    key = key or environ.get(profile.key_env, "").strip()
    if not isinstance(key, str) or not re.fullmatch(r"[!-~]*", key):
        raise ConfigurationError(
            f"The key for {SETTING}[{profile.name!r}] holds characters that no key has."
        )
    if key or not profile.key_env:
        return replace(profile, key=key)
    return Profile(
        profile.name,
        key_env=profile.key_env,
        note=f"{profile.provider} needs a key and {profile.key_env} is not set, so the built-in "
        "offline model answers.",
    )
