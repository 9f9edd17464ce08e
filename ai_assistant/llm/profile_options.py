"""The options of a model profile: which there are, and what fits each."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import did_you_mean

MODEL_NAME = r"(?=.*[A-Za-z])[!-~]{1,200}"


def check_options(where: str, values: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` for an option that is unknown or unfit, under `where`."""
    for option, value in values.items():
        if option in ("key", "api_key"):
            raise ConfigurationError(
                f"{where}[{option!r}]: a key does not belong in the settings. Put it into the "
                "environment ('key_env' names the variable) or into AI_ASSISTANT_KEYS of the "
                "secret settings."
            )
        if option not in _RULES:
            options = f"Options are provider, {', '.join(_RULES)}."
            guess = did_you_mean(option, _RULES) or options
            raise ConfigurationError(f"{where}[{option!r}] is unknown. {guess}")
        fits, wanted = _RULES[option]
        if not fits(value):
            raise ConfigurationError(f"{where}[{option!r}] must be {wanted}.")


def _number(low: float, high: float) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and low <= value <= high

    return fits


def _tokens(value: Any) -> bool:
    return isinstance(value, int) and _number(1, 1_000_000)(value)


def _web_address(value: Any) -> bool:
    """Is it a plain address? One with a password or query would carry a secret into logs."""
    try:
        parts = urlsplit(value)
        _ = parts.port
    except (ValueError, AttributeError, TypeError):
        return False
    bare = not (parts.query or parts.fragment or "@" in parts.netloc)
    printable = isinstance(value, str) and bool(re.fullmatch(r"[!-~]+", value))
    return parts.scheme in ("http", "https") and bool(parts.hostname) and bare and printable


def _headers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str)
        and isinstance(text, str)
        and re.fullmatch(r"[A-Za-z0-9-]+", name)
        and re.fullmatch(r"[ -~]*", text)
        and not _SECRET_HEADER.search(name)
        for name, text in value.items()
    )


def _extra(value: Any) -> bool:
    if not isinstance(value, dict) or not _OURS.isdisjoint(value):
        return False
    if not all(_tokens(value[name]) for name in _BILLED & value.keys()):
        return False
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


_SECRET_HEADER = re.compile("auth|key|token|secret|cookie", re.IGNORECASE)
_OURS = frozenset({"model", "messages", "tools", "stream", "api_key", "key"})
_BILLED = frozenset({"n", "max_tokens", "max_completion_tokens"})
"""What decides how long an answer may get, and so what is reserved for it."""
_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "base_url": (
        _web_address,
        "an http:// or https:// address without user, password or query",
    ),
    "model": (_matches(MODEL_NAME), "the name of a model, which has a letter"),
    "key_env": (
        _matches(r"[A-Z_][A-Z0-9_]{0,79}"),
        "the name of an environment variable in capitals, never the key itself",
    ),
    "native_tools": (lambda value: isinstance(value, bool), "True or False"),
    "json_schema": (lambda value: isinstance(value, bool), "True or False"),
    "temperature": (_number(0, 2), "a number from 0 to 2"),
    "top_p": (_number(0, 1), "a number from 0 to 1"),
    "reasoning_effort": (_matches(r"[a-z]{1,20}"), "a word such as 'low' or 'high'"),
    "max_tokens": (_tokens, "a whole number from 1 to 1,000,000"),
    "extra": (
        _extra,
        f"a dictionary of JSON values, without {', '.join(sorted(_OURS))}; "
        f"{', '.join(sorted(_BILLED))} are whole numbers",
    ),
    "headers": (
        _headers,
        "a dictionary of texts, without headers that carry a key (AI_ASSISTANT_KEYS does)",
    ),
    "requests_per_minute": (_tokens, "a whole number from 1 to 1,000,000"),
    "timeout": (_number(0.1, math.inf), "a number of seconds, 0.1 or more"),
}
