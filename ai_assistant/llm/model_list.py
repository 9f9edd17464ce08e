"""What is known of models: what a server says of its own, and the prices that are published."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply
from ai_assistant.core.model_json import load_object
from ai_assistant.core.model_records import TokenUsage
from ai_assistant.llm.model_profiles import Profile, holds_key
from ai_assistant.llm.profile_options import MODEL_NAME

_WINDOWS = ("context_length", "max_model_len", "context_window", "n_ctx", "n_ctx_train")
"""How OpenRouter, vLLM, Groq and llama.cpp call it; what is at work goes before the trained."""
TYPICAL_TURN = (3500, 120)
"""Tokens that a turn reads and writes, in the middle of an acquaintance (`bench/README.md`)."""


def parse_models(raw: bytes, key: str = "") -> list[Json]:
    """Return the models in an answer to ``/models``, each with its `id`; raises `BadReply`.

    An answer that holds `key` is none.
    """
    data = load_object(raw).get("data")
    if not isinstance(data, list):
        raise BadReply("The model's server answered without a list of models.")
    if holds_key(repr(data), key):
        raise BadReply("The list of models held the key, and was dropped.")
    return [found for found in data if isinstance(found, dict) and _is_name(found.get("id"))]


def names_of(models: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of models in alphabetical order."""
    return sorted(str(model["id"]) for model in models)


def window_in(models: Iterable[Mapping[str, Any]], name: str) -> int:
    """Return how many tokens a model takes at a time, as its server has it; 0 where it does not
    say.
    """
    for model in models:
        if model["id"] in (name, f"{name}:latest"):
            inner = model.get("meta")
            for place in (model, inner if isinstance(inner, dict) else {}):
                for field in _WINDOWS:
                    if type(place.get(field)) is int and place[field] > 0:
                        return int(place[field])
    return 0


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(MODEL_NAME, value))


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model as it is published."""

    price: float | None = None
    """Dollars for one typical turn; None: unknown."""
    window: int = 0
    """Tokens that it takes at a time; 0: unknown."""


def known_model(profile: Profile) -> KnownModel:
    """Return what is published of a profile's model at its provider; nothing of an own server's.

    Loading the prices takes a third of a second: call it beside the reactor.
    """
    read, written = TYPICAL_TURN
    found = _published(profile, TokenUsage(read, written))
    if found is None:
        return KnownModel()
    return KnownModel(float(found.total_price), found.model.context_window or 0)


def price_of(profile: Profile, usage: TokenUsage) -> float | None:
    """Return what a call cost in dollars as published; None where nobody knows.

    To be called beside the reactor, like `known_model`.
    """
    found = _published(profile, usage) if usage.known else None
    return float(found.total_price) if found else None


def _published(profile: Profile, usage: TokenUsage) -> Any:
    try:
        from genai_prices import Usage, calc_price
    except ImportError:  # of which the doctor tells; the model can be used all the same
        return None
    counts = Usage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=usage.cached_tokens,
    )
    try:
        return calc_price(counts, profile.model, provider_api_url=profile.base_url)
    except (LookupError, ValueError):  # nobody published it, or the server's figures cannot be
        return None
