"""Why a call failed: our errors for those of the SDK, in words that hold nothing of what was sent.

Imported with the SDK, in the bridge's thread only.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import httpx2
import openai

from ai_assistant.core.errors import BadReply, ModelError
from ai_assistant.llm.breaker import Kind, Unavailable
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import NEXT_STEPS

LONGEST_REST = 60.0
"""Seconds for which a server may ask to be left alone."""
_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class NotRead(openai.OpenAIError):
    """A reply we stop reading; the SDK passes its own kind of error through."""


def failure_of(error: openai.OpenAIError | httpx2.HTTPError, profile: Profile) -> ModelError:
    """Return our error for one of the SDK's, in words that hold nothing of what was sent."""
    match error:
        case NotRead():
            return BadReply(str(error))
        case openai.APIStatusError():
            return _refusal(error.status_code, error.response.headers, profile)
        case openai.APIConnectionError():
            return Unavailable(
                Kind.NETWORK,
                f"The model's server of {profile.name!r} could not be reached.",
                billed=not isinstance(error.__cause__, _UNSENT),
                passing=True,
                cause=_cause(error),
            )
        case httpx2.HTTPError():
            return BadReply("The model's answer was cut short.")
    return Unavailable(Kind.REQUEST, f"The model call failed: {type(error).__name__}.", cause="400")


def _cause(error: BaseException) -> str:
    """Return why there was no connection, as far as the errors behind this one tell."""
    kinds = ((ssl.SSLError, "tls"), (socket.gaierror, "dns"), (ConnectionRefusedError, "refused"))
    behind = list(_behind(error))
    return next(
        (told for kind, told in kinds if any(isinstance(e, kind) for e in behind)), "network"
    )


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                yield from _behind(part)
        error = error.__cause__ or error.__context__


def _refusal(status: int, headers: httpx2.Headers, profile: Profile) -> Unavailable:
    if status >= 500:
        kind, what = Kind.SERVER, "failed"
    elif status < 400:
        kind, what = Kind.REQUEST, "answers with a redirect; give its final address"
    else:
        kind, what = _STATUSES.get(status, (Kind.REQUEST, "refused the request"))
    text = f"The model's server of {profile.name!r} {what} (status {status})."
    passing, wait = status in _PASSING, _seconds(headers.get("retry-after", ""))
    cause = "500" if status >= 500 else "redirect" if status < 400 else str(status)
    cause = cause if cause in NEXT_STEPS else "400"
    return Unavailable(kind, text, billed=status >= 500, passing=passing, wait=wait, cause=cause)


def _seconds(value: str) -> float:
    """Return the seconds of a header, a minute at most; 0 where it does not say any."""
    try:
        return min(float(value), LONGEST_REST) if value.strip()[:1].isdecimal() else 0.0
    except ValueError:  # a date: our own pause must do
        return 0.0


_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may well be answered."""


_STATUSES = {
    401: (Kind.AUTH, "refused the key"),
    402: (Kind.AUTH, "wants to be paid first"),
    403: (Kind.AUTH, "refused the key"),
    404: (Kind.REQUEST, "does not know the address or the model"),
    408: (Kind.SERVER, "timed out"),
    413: (Kind.REQUEST, "found the request too large"),
    429: (Kind.RATE, "has had too many requests"),
}
