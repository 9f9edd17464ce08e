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
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import NEXT_STEPS

LONGEST_REST = 60.0
"""Seconds for which a server may ask to be left alone."""
_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_ROOTS: dict[type[BaseException], tuple[str, str]] = {
    socket.gaierror: ("dns", "there is no such host"),
    ConnectionRefusedError: ("refused", "nobody listens there"),
    ssl.SSLCertVerificationError: ("tls", "its certificate does not hold"),
    ssl.SSLError: ("tls", "it does not speak TLS (https)"),
}
"""What may lie behind a call that reached nobody: its cause, and that in words."""


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
            return _unreached(error, profile)
        case httpx2.HTTPError():
            return BadReply("The model's answer was cut short.")
    return Unavailable(
        CallEnding.REQUEST, f"The model call failed: {type(error).__name__}.", cause="400"
    )


def _unreached(error: openai.APIConnectionError, profile: Profile) -> Unavailable:
    behind = [*_behind(error)]
    found = (told for kind, told in _ROOTS.items() if any(isinstance(e, kind) for e in behind))
    cause, why = next(found, ("network", ""))
    return Unavailable(
        CallEnding.NETWORK,
        f"The model's server of {profile.name!r} could not be reached{why and f': {why}'}.",
        cause=cause,
        charge="nothing" if isinstance(error.__cause__, _UNSENT) else "all",
        passing=True,
    )


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
            yield from _behind(part)  # a name with several addresses, each of which was tried
        error = error.__cause__ or error.__context__


def _refusal(status: int, headers: httpx2.Headers, profile: Profile) -> Unavailable:
    if status >= 500:
        kind, what = CallEnding.SERVER, "failed"
    elif status < 400:
        kind, what = CallEnding.REQUEST, "answers with a redirect; give its final address"
    else:
        kind, what = _STATUSES.get(status, (CallEnding.REQUEST, "refused the request"))
    cause = "500" if status >= 500 else "redirect" if status < 400 else str(status)
    return Unavailable(
        kind,
        f"The model's server of {profile.name!r} {what} (status {status}).",
        cause=cause if cause in NEXT_STEPS else "timeout" if status == 408 else "400",
        charge="prompt" if status >= 500 else "nothing",
        passing=status in _PASSING,
        wait=_seconds(headers.get("retry-after", "")),
    )


def _seconds(value: str) -> float:
    """Return the seconds of a header, a minute at most; 0 where it does not say any."""
    try:
        return min(float(value), LONGEST_REST) if value.strip()[:1].isdecimal() else 0.0
    except ValueError:  # a date: our own pause must do
        return 0.0


_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may well be answered."""


_STATUSES = {  # no 403: to some it means that a player's words were refused, not the key
    401: (CallEnding.AUTH, "refused the key"),
    402: (CallEnding.AUTH, "wants to be paid first"),
    404: (CallEnding.REQUEST, "does not know the address or the model"),
    408: (CallEnding.SERVER, "timed out"),
    413: (CallEnding.REQUEST, "found the request too large"),
    429: (CallEnding.RATE, "has had too many requests"),
}
