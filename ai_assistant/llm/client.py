"""The calls themselves: the openai SDK inside one asyncio loop, with limits on everything.

Import this in the bridge's thread only; loading the SDK takes half a second.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

import httpx2
import openai

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.llm.breaker import Breaker, Kind, Unavailable, kind_of
from ai_assistant.llm.embeddings import Embedded, parse_vectors
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.wire import parse_reply, request_body

RETRIES = 2
"""Further tries of the SDK after 429, 5xx or a refused connection, within the call's time."""
_Reply = TypeVar("_Reply")
_Create = Callable[[openai.AsyncOpenAI], Any]
"""Makes a call of the SDK, ready to be entered. The SDK walks typed parameters slowly, 4 ms a
call; what is in `extra_body` it leaves alone."""
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)


class _Refused(openai.OpenAIError):
    """A reply we stop reading; the SDK passes its own kind of error through without a retry."""


class _Broken(openai.OpenAIError):
    """The connection broke after the request was sent: the provider may have billed it."""


class _Once(httpx2.AsyncHTTPTransport):
    """Lets the SDK try again where nothing was sent yet, and never sends a request twice.

    A call is reserved once in the budget, so only what the server itself turned away (429, 5xx)
    is asked again.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await super().handle_async_request(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise
        except httpx2.TransportError as error:
            raise _Broken("The connection broke before the answer came.") from error


@dataclass(slots=True)
class _Capped(httpx2.AsyncByteStream):
    """A body that ends in an error when it grows over `limit` bytes."""

    body: httpx2.AsyncByteStream
    limit: int

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self.body:
            size += len(chunk)
            if size > self.limit:
                raise _Refused(f"The model's server sent more than {self.limit} bytes.")
            yield chunk

    async def aclose(self) -> None:
        await self.body.aclose()


@dataclass(slots=True)
class _Endpoint:
    sdk: openai.AsyncOpenAI
    breaker: Breaker


class Client:
    """Asks models; one connection pool and one breaker per address and key.

    `timeout` is in seconds and holds for a whole call, retries included, unless the profile has
    its own. `max_bytes` limits every body, error pages included. Not thread-safe: it belongs to
    the loop it is used in.
    """

    def __init__(
        self,
        *,
        timeout: float = 30.0,
        max_bytes: int = 262_144,
        retries: int = RETRIES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._retries = retries
        self._now = now
        self._endpoints: dict[tuple[str, str], _Endpoint] = {}

    def warm_up(self, profiles: Iterable[Profile]) -> None:
        """Do ahead of the first call what would slow it down: connection pools, lazy imports."""
        for profile in profiles:
            if not profile.offline:
                _ = self._endpoint(profile).sdk.chat.completions.with_streaming_response

    async def complete(self, profile: Profile, request: ModelRequest) -> ModelReply:
        """Return the reply to a request, or raise a `ModelError` that shows no key.

        `kind_of(error)` tells what failed. While the endpoint rests, no call is made.
        """
        body: Json = request_body(
            request, native=profile.native_tools, with_schema=profile.json_schema
        )
        body |= profile.parameters(request.max_tokens)
        return await self._ask(
            profile,
            lambda sdk: sdk.chat.completions.with_streaming_response.create(
                model=profile.model, messages=[], extra_body=body, extra_headers=profile.headers
            ),
            partial(parse_reply, request=request, native=profile.native_tools),
            profile.timeout or self._timeout,
        )

    async def embed(
        self, profile: Profile, texts: Sequence[str], *, seconds: float = 0.0, size: int = 0
    ) -> Embedded:
        """Return the vectors of texts, or raise a `ModelError` that shows no key.

        Within `seconds`, unless 0; and of `size` numbers each, unless 0.
        """
        # base64 as the SDK itself asks for: lists of numbers take long to read
        body: Json = {"input": list(texts), "encoding_format": "base64", **profile.extra}
        return await self._ask(
            profile,
            lambda sdk: sdk.embeddings.with_streaming_response.create(
                model=profile.model, input=[], extra_body=body, extra_headers=profile.headers
            ),
            partial(parse_vectors, count=len(texts), size=size),
            seconds or profile.timeout or self._timeout,
        )

    async def close(self) -> None:
        """Close every connection."""
        for endpoint in self._endpoints.values():
            await endpoint.sdk.close()
        self._endpoints.clear()

    async def _ask(
        self, profile: Profile, create: _Create, parse: Callable[[bytes], _Reply], seconds: float
    ) -> _Reply:
        endpoint = self._endpoint(profile)
        permit = endpoint.breaker.enter()
        if permit is None:
            wait = endpoint.breaker.wait
            raise Unavailable(
                Kind.RESTING, f"The model's server rests after failures, for {wait:.0f} s more."
            )
        kind = Kind.CANCELLED
        try:
            reply = parse(await _fetch(create(endpoint.sdk), profile, seconds))
            kind = Kind.ANSWERED
        except ModelError as error:
            kind = kind_of(error)
            raise
        finally:
            endpoint.breaker.leave(permit, kind)
        return reply

    def _endpoint(self, profile: Profile) -> _Endpoint:
        place = (profile.base_url, profile.key)
        if place not in self._endpoints:
            sdk = openai.AsyncOpenAI(
                base_url=profile.base_url,
                api_key=profile.key or "none",
                max_retries=self._retries,
                timeout=httpx2.Timeout(600.0, connect=5.0),
                default_headers={"Accept-Encoding": "identity"},
                http_client=openai.DefaultAsyncHttpx2Client(
                    transport=_Once(verify=_certificates(), limits=_LIMITS),
                    follow_redirects=False,
                    event_hooks={"response": [self._guard]},
                ),
            )
            self._endpoints[place] = _Endpoint(sdk, Breaker(self._now))
        return self._endpoints[place]

    async def _guard(self, response: httpx2.Response) -> None:
        """Limit a response before any of its body is read."""
        response.headers.pop("location", None)  # whoever follows: the key goes nowhere else
        if response.headers.get("content-encoding", "identity") != "identity":
            raise _Refused("The model's server sent a compressed answer that we did not ask for.")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Capped(response.stream, self._max_bytes)
        with suppress(ValueError):
            if float(response.headers.get("retry-after", 0)) > self._timeout:
                response.headers["x-should-retry"] = "false"


@cache
def _certificates() -> ssl.SSLContext:
    """Return the one TLS context: to build it takes longer than all else a client needs."""
    return httpx2.create_ssl_context()


async def _fetch(call: Any, profile: Profile, seconds: float) -> bytes:
    try:
        async with asyncio.timeout(seconds), call as response:
            return b"".join([chunk async for chunk in response.iter_bytes()])
    except TimeoutError:
        failure: ModelError = ModelTimeout(f"The model did not answer within {seconds:g} s.")
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        failure = _failure(error, profile)
    raise failure  # outside the handlers: no SDK error, which knows the key, hangs on to it


def _failure(error: openai.OpenAIError | httpx2.HTTPError, profile: Profile) -> ModelError:
    """Return our error for one of the SDK's, in words that hold nothing of what was sent."""
    match error:
        case _Refused():
            return BadReply(str(error))
        case openai.APIStatusError():
            return _refusal(error.status_code, profile)
        case openai.APIConnectionError() | _Broken():
            return Unavailable(
                Kind.NETWORK,
                f"The model's server of {profile.name!r} could not be reached.",
                billed=isinstance(error, _Broken),
            )
        case httpx2.HTTPError():
            return BadReply("The model's answer was cut short.")
    return Unavailable(Kind.REQUEST, f"The model call failed: {type(error).__name__}.")


def _refusal(status: int, profile: Profile) -> Unavailable:
    if status >= 500:
        kind, what = Kind.SERVER, "failed"
    elif status < 400:
        kind, what = Kind.REQUEST, "answers with a redirect; give its final address"
    else:
        kind, what = _STATUSES.get(status, (Kind.REQUEST, "refused the request"))
    text = f"The model's server of {profile.name!r} {what} (status {status})."
    return Unavailable(kind, text, billed=status >= 500)


_STATUSES = {
    401: (Kind.AUTH, "refused the key"),
    402: (Kind.AUTH, "wants to be paid first"),
    403: (Kind.AUTH, "refused the key"),
    404: (Kind.REQUEST, "does not know the address or the model"),
    408: (Kind.SERVER, "timed out"),
    413: (Kind.REQUEST, "found the request too large"),
    429: (Kind.RATE, "has had too many requests"),
}
