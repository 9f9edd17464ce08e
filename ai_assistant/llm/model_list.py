"""What a server says of its models: names, and how much each takes at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply
from ai_assistant.core.model_json import load_object
from ai_assistant.llm.model_profiles import holds_key
from ai_assistant.llm.profile_options import MODEL_NAME

_WINDOWS = ("context_length", "max_model_len", "context_window", "n_ctx", "n_ctx_train")
"""How OpenRouter, vLLM, Groq and llama.cpp call it; what is at work goes before the trained."""


def parse_models(raw: bytes, key: str = "") -> list[Json]:
    """Return the models in an answer to ``/models``, each with its `id`; raises `BadReply`.

    An answer that holds `key` is none.
    """
    data = load_object(raw).get("data")
    if not isinstance(data, list):
        raise BadReply("The model's server answered without a list of models.")
    if holds_key(raw.decode(errors="replace"), key):
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
