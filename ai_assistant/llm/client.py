"""The calls themselves: the openai SDK inside one asyncio loop, with limits on everything.

Import this in the bridge's thread only; loading the SDK takes half a second.
"""

from __future__ import annotations

import asyncio
import math
import re
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeVar

import httpx2
import openai

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.llm.breaker import Breaker, CallEnding, Unavailable, kind_of
from ai_assistant.llm.call_failures import NotRead, failure_of
from ai_assistant.llm.embeddings import Embedded, parse_vectors
from ai_assistant.llm.model_list import parse_models
from ai_assistant.llm.model_profiles import Profile, holds_key
from ai_assistant.llm.pace import Pace
from ai_assistant.llm.wire import parse_reply, request_body

LONGEST_QUEUE = 10.0
"""Seconds that a call waits at most for its server to take it, before its own time begins."""
GLANCE = 0.1
"""Seconds between two looks whether one of the calls under way has ended."""
_UNSEEN = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
"""As Python writes what no screen shows."""
_T = TypeVar("_T")
_Send = Callable[[openai.AsyncOpenAI], Awaitable[httpx2.Response]]
"""Sends a request by the SDK's `post` or `get`, and returns the answer before its body is read. Its
methods for each endpoint would walk typed parameters first, which takes longer than to send."""
_ENDS = frozenset({"content-length", "transfer-encoding"})
"""A body without one of these lasts until the connection ends, be it cut or whole."""
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)


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
                raise NotRead(f"The model's server sent more than {self.limit} bytes.")
            yield chunk

    async def aclose(self) -> None:
        await self.body.aclose()


@dataclass(slots=True)
class _ModelEndpoint:
    sdk: openai.AsyncOpenAI
    breaker: Breaker


class Client:
    """Asks models, each once; one connection pool and one breaker per address and key.

    `timeout` is in seconds and holds for a whole call, unless the profile has its own. `max_bytes`
    limits every body, error pages included. Not thread-safe: it belongs to the loop it is used in.
    """

    def __init__(
        self,
        *,
        timeout: float = 30.0,
        max_bytes: int = 262_144,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._now = now
        self._endpoints: dict[tuple[str, str], _ModelEndpoint] = {}
        self._paces: dict[str, Pace] = {}

    def warm_up(self, profiles: Iterable[Profile]) -> None:
        """Do ahead of the first call what would slow it down: connection pools."""
        for profile in profiles:
            if not profile.offline:
                self._endpoint(profile)

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
            _posting("/chat/completions", profile, body),
            partial(_reply_of, request=request, profile=profile),
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
            _posting("/embeddings", profile, body),
            partial(parse_vectors, count=len(texts), size=size),
            seconds or profile.timeout or self._timeout,
        )

    async def models(self, profile: Profile) -> list[Json]:
        """Return what the server says of its models, or raise a `ModelError` that shows no key.

        It costs nothing, so it is how to find out who is there.
        """
        return await self._ask(
            profile,
            lambda sdk: sdk.get(
                "/models",
                cast_to=httpx2.Response,
                options={"headers": profile.headers},
                stream=True,
            ),
            partial(parse_models, key=profile.key),
            min(profile.timeout or self._timeout, self._timeout),
        )

    def ask_again(self, profile: Profile) -> None:
        """Let this profile's server be asked at once, however often it failed."""
        self._endpoint(profile).breaker.ask_again()

    async def close(self) -> None:
        """Close every connection."""
        for endpoint in self._endpoints.values():
            await endpoint.sdk.close()
        self._endpoints.clear()

    async def _ask(
        self, profile: Profile, send: _Send, parse: Callable[[bytes], _T], seconds: float
    ) -> _T:
        endpoint = self._endpoint(profile)
        breaker = endpoint.breaker
        permit = breaker.enter()
        if permit is None:
            # the moment, not what is left of it: this is kept with the turn, and read later
            until = iso(time.time() + breaker.wait)[11:19]
            told = f"{breaker.cause} It is left alone until {until} UTC."
            raise Unavailable(CallEnding.RESTING, told, cause="resting")
        kind, failure = CallEnding.CANCELLED, None
        try:
            async with self._paced(profile):
                reply = parse(await _fetch(send(endpoint.sdk), profile, seconds))
            kind = CallEnding.ANSWERED
        except ModelError as error:
            kind, failure = kind_of(error), error
            raise
        finally:
            breaker.leave(permit, kind, failure)
        return reply

    @asynccontextmanager
    async def _paced(self, profile: Profile) -> AsyncIterator[None]:
        """Wait for the moment at which this profile's server takes one more request."""
        pace = self._paces[profile.name]
        until = self._now() + LONGEST_QUEUE
        while wait := pace.wait:
            left = until - self._now()
            if left <= 0 or left < wait < math.inf:
                text = f"The model's server of {profile.name!r} has all the requests that it takes."
                raise Unavailable(CallEnding.RATE, text, cause="429")
            await asyncio.sleep(min(wait, left) if wait < math.inf else GLANCE)
        begun = pace.begin()
        try:
            yield
        except ModelError as error:
            if kind_of(error) is CallEnding.RATE:
                pace.refuse(begun, error.wait)
            raise
        finally:
            pace.end()

    def _endpoint(self, profile: Profile) -> _ModelEndpoint:
        place = (profile.base_url, profile.key)
        if place not in self._endpoints:
            sdk = openai.AsyncOpenAI(
                base_url=profile.base_url,
                api_key=profile.key or "none",
                max_retries=0,
                timeout=httpx2.Timeout(600.0, connect=5.0),
                default_headers={"Accept-Encoding": "identity"},
                http_client=openai.DefaultAsyncHttpx2Client(
                    transport=httpx2.AsyncHTTPTransport(verify=_certificates(), limits=_LIMITS),
                    follow_redirects=False,
                    event_hooks={"response": [self._guard]},
                ),
            )
            self._endpoints[place] = _ModelEndpoint(sdk, Breaker(self._now))
        if profile.name not in self._paces:
            most = profile.requests_per_minute or math.inf
            self._paces[profile.name] = Pace(self._now, most=most)
        return self._endpoints[place]

    async def _guard(self, response: httpx2.Response) -> None:
        """Limit a response before any of its body is read."""
        response.headers.pop("location", None)  # whoever follows: the key goes nowhere else
        if response.headers.get("content-encoding", "identity") != "identity":
            raise NotRead("The model's server sent a compressed answer that we did not ask for.")
        if response.is_success and not _ENDS & {*response.headers}:
            raise NotRead("The model's server sent an answer without saying where it ends.")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Capped(response.stream, self._max_bytes)


@cache
def _certificates() -> ssl.SSLContext:
    """Return the one TLS context: to build it takes longer than all else a client needs."""
    return httpx2.create_ssl_context()


def _posting(path: str, profile: Profile, body: Json) -> _Send:
    """Return what sends a body, with the profile's model where it names none."""
    return lambda sdk: sdk.post(
        path,
        cast_to=httpx2.Response,
        body={"model": profile.model, **body},
        options={"headers": profile.headers},
        stream=True,
    )


async def _fetch(call: Awaitable[httpx2.Response], profile: Profile, seconds: float) -> bytes:
    try:
        async with asyncio.timeout(seconds), aclosing(await call) as response:
            return await response.aread()
    except TimeoutError:
        failure: ModelError = ModelTimeout(f"The model did not answer within {seconds:g} s.")
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        failure = failure_of(error, profile)
    raise failure  # outside the handlers: no SDK error, which knows the key, hangs on to it


def _reply_of(raw: bytes, request: ModelRequest, profile: Profile) -> ModelReply:
    """Return the reply that bytes hold, unless it holds our key: nothing of that is kept."""
    reply = parse_reply(raw, request, native=profile.native_tools)
    told = repr(reply) if profile.key else ""
    as_said = clean(_UNSEEN.sub("", told), len(told))  # what is not seen goes before it is said
    if any(holds_key(text, profile.key) for text in (told, as_said)):
        raise BadReply(f"The answer of {profile.name!r} held its key, and was dropped.")
    return reply
