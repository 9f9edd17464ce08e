"""Tokens: how many a text makes, how many a model can read, and how full a prompt is.

Counts are estimates: letters (`extent`: a character of a script without spaces is four) times the
tokens per letter that the provider's last `usage` taught us (`Mind.calibrate`). The limits are
those the providers state; the levels are those of the inventory §22.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from ai_assistant.language.words import extent

Level = Literal["ok", "warning", "danger", "critical"]

PER_CHAR = 0.25
"""Tokens of one letter, as long as no provider has told us better."""
DEFAULT_MAX_TOKENS = 8192
MODEL_MAX_TOKENS = (
    ("offline", 100_000),
    ("gpt-3.5", 16_385),
    ("gpt-4.1", 1_047_576),
    ("gpt-4", 128_000),
    ("gpt-5", 400_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude", 200_000),
    ("gemini", 1_048_576),
    ("llama-3", 131_072),
    ("llama3", 131_072),
    ("mistral", 131_072),
    ("qwen", 131_072),
    ("deepseek", 131_072),
)
"""Model names by how they begin, and the tokens that such a model can read; first match counts."""
LEVELS: tuple[tuple[float, Level], ...] = ((0.70, "ok"), (0.85, "warning"), (0.95, "danger"))
"""Below which utilisation each level ends; what is beyond the last is critical."""


def count_tokens(text: str, per_char: float = PER_CHAR) -> int:
    """Return how many tokens a text makes by estimate, rounded up."""
    return math.ceil(extent(text) * per_char)


def count_tokens_batch(texts: Iterable[str], per_char: float = PER_CHAR) -> int:
    """Return how many tokens these texts make together."""
    return math.ceil(sum(map(extent, texts)) * per_char)


def get_model_max_tokens(model: str) -> int:
    """Return how many tokens a model can read; OpenRouter's ``provider/`` in front is left out."""
    name = model.rpartition("/")[2].lower()
    known = (tokens for start, tokens in MODEL_MAX_TOKENS if name.startswith(start))
    return next(known, DEFAULT_MAX_TOKENS)


def calculate_utilization(tokens: float, limit: float) -> float:
    """Return the share of the limit that is used: 1.0 is full, more is too much."""
    return tokens / limit if limit > 0 else math.inf


def get_utilization_status(utilization: float) -> Level:
    """Return the level of a utilisation: ok, warning, danger or critical (inventory §22)."""
    return next((level for below, level in LEVELS if utilization < below), "critical")
