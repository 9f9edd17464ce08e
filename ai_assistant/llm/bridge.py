"""The bridge: one daemon thread with an asyncio loop calls models; the reactor gets Deferreds."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from twisted.internet.defer import Deferred, fail
from twisted.python.failure import Failure

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ModelError, ModelUnavailable
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.llm.embeddings import MAX_BYTES, Embedded
from ai_assistant.llm.model_profiles import Profile

if TYPE_CHECKING:
    from ai_assistant.llm.client import Client

log = logging.getLogger(__name__)

Note = Callable[[Profile, ModelError | None], object]
"""Is told how a profile's call ended: with an answer, or with this error."""
STOP_SECONDS = 2.0
"""How long `stop` waits for the thread at most."""


class Bridge:
    """Carries model calls from the reactor's thread to a loop of their own and back.

    All methods are for the reactor's thread and return at once (`stop` when the thread is gone).
    `call_from_thread(function, *args)` must run the function in the reactor's thread; a result
    that it hands over so may take milliseconds. At most `in_flight` calls run at a time, the
    others wait in order; `timeout` (seconds) holds for a call once it runs, `max_bytes` for its
    answer. `note` hears of each call that came to its end.
    """

    def __init__(
        self,
        call_from_thread: Callable[..., object],
        *,
        in_flight: int = 64,
        timeout: float = 30.0,
        max_bytes: int = 262_144,
        note: Note = lambda profile, error: None,
    ) -> None:
        self._call_from_thread = call_from_thread
        self._note = note
        self._new_worker = partial(
            _LoopThread, in_flight=in_flight, timeout=timeout, max_bytes=max_bytes
        )
        self._worker: _LoopThread | None = None
        self._pending: set[Deferred[Any]] = set()

    @property
    def running(self) -> bool:
        """Has it been started, and not stopped since?"""
        return self._worker is not None

    @property
    def pending(self) -> int:
        """How many calls have no result yet, waiting ones included."""
        return sum(not deferred.called for deferred in self._pending)

    def start(self, profiles: Iterable[Profile] = ()) -> None:
        """Start the thread, which loads the SDK and warms it up for these profiles by itself."""
        if self._worker is None:
            self._worker = self._new_worker(tuple(profiles))

    def complete(self, profile: Profile, request: ModelRequest) -> Deferred[ModelReply]:
        """Return a Deferred that fires in the reactor's thread with the reply.

        It fails with a `ModelError` where there is none, and with Twisted's `CancelledError`
        after `cancel()` or `stop()`; whatever the server says after that is ignored.
        """
        call = self._submit(lambda worker: worker.complete(profile, request))
        return call.addBoth(self._noted, profile)

    def embed(
        self, profile: Profile, texts: Sequence[str], *, seconds: float = 0.0, size: int = 0
    ) -> Deferred[Embedded]:
        """Return a Deferred that fires, or fails, as that of `complete`, with texts' vectors.

        Embeddings do not wait for slots, and their failures are no reason to leave the server
        alone as far as chat goes. `seconds` holds for this call, unless 0; `size` is how many
        numbers a vector must have, unless 0.
        """
        call = self._submit(lambda worker: worker.embed(profile, texts, seconds, size))
        return call.addBoth(self._noted, profile)

    def _noted(self, result: Any, profile: Profile) -> Any:
        error = result.value if isinstance(result, Failure) else None
        if error is None or isinstance(error, ModelError):  # and not what was cancelled
            self._note(profile, error)
        return result

    def models(self, profile: Profile) -> Deferred[list[Json]]:
        """Return a Deferred that fires, or fails, as that of `complete`, with the server's models.

        The server is asked from now on, even where it was left alone after failures.
        """
        return self._submit(lambda worker: worker.models(profile))

    def _submit(self, begin: Callable[[_LoopThread], Coroutine[Any, Any, Any]]) -> Deferred[Any]:
        if self._worker is None:
            return fail(ModelUnavailable("The model bridge is not running."))
        future = asyncio.run_coroutine_threadsafe(begin(self._worker), self._worker.loop)

        def cancel(_: Deferred[Any]) -> None:
            future.cancel()

        deferred: Deferred[Any] = Deferred(cancel)
        self._pending.add(deferred)
        future.add_done_callback(lambda done: self._call_from_thread(self._arrive, deferred, done))
        return deferred

    def _arrive(self, deferred: Deferred[Any], done: Future[Any]) -> None:
        self._pending.discard(deferred)
        if deferred.called:
            return  # it was cancelled before
        if done.cancelled():
            deferred.cancel()
        elif error := done.exception():
            deferred.errback(error)
        else:
            deferred.callback(done.result())

    def stop(self) -> None:
        """Cancel what is pending, close every connection and end the thread."""
        if self._worker is None:
            return
        for deferred in tuple(self._pending):
            deferred.cancel()
        self._worker.stop()
        self._worker = None


class _LoopThread:
    """The thread and its loop; only `stop` is called from outside of it."""

    def __init__(
        self, profiles: tuple[Profile, ...], *, in_flight: int, timeout: float, max_bytes: int
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self._profiles = profiles
        self._timeout = timeout
        self._max_bytes = {"chat": max_bytes, "embeddings": MAX_BYTES}
        self._clients: dict[str, Client] = {}
        self._slots = asyncio.Semaphore(in_flight)
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="ai-assistant-model", daemon=True)
        self._thread.start()

    async def complete(self, profile: Profile, request: ModelRequest) -> ModelReply:
        """Ask for a reply once one of the places in flight is free."""
        async with self._slots:
            return await self._client("chat").complete(profile, request)

    async def embed(
        self, profile: Profile, texts: Sequence[str], seconds: float, size: int
    ) -> Embedded:
        client = self._client("embeddings")
        return await client.embed(profile, texts, seconds=seconds, size=size)

    async def models(self, profile: Profile) -> list[Json]:
        """Ask a server for its models, even if it failed lately."""
        client = self._client("chat")
        client.ask_again(profile)
        return await client.models(profile)

    def stop(self) -> None:
        """End the loop, and wait some seconds for its thread."""
        self.loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            self.loop.run_until_complete(self._serve())
        finally:
            self.loop.close()

    async def _serve(self) -> None:
        """Warm up, wait for `stop`, and leave nothing open."""
        if any(not profile.offline for profile in self._profiles):
            try:
                self._client("chat").warm_up(self._profiles)
            except Exception:  # whatever it is, the calls themselves will meet it and say so
                log.exception("The model client could not be warmed up.")
        await self._stopping.wait()
        ending = asyncio.all_tasks() - {asyncio.current_task()}  # all cancelled by now
        await asyncio.gather(*ending, return_exceptions=True)
        for client in self._clients.values():
            await client.close()

    def _client(self, purpose: str) -> Client:
        """Return a client; an offline game never gets here and never loads the SDK."""
        if purpose not in self._clients:
            try:
                from ai_assistant.llm.client import Client
            except ImportError as error:
                raise ModelUnavailable(f"The openai package cannot be loaded: {error}.") from None
            limit = self._max_bytes[purpose]
            self._clients[purpose] = Client(timeout=self._timeout, max_bytes=limit)
        return self._clients[purpose]
