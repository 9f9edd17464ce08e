"""An HTTP server for this machine alone: the connections of every endpoint that we stand in for."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Self

from ai_assistant.testing.faults import HttpAnswer

HOST = "127.0.0.1"
_TLS = b"\x16"
"""The first byte of whoever greets in TLS."""


class Loopback:
    """The server, in a thread of its own (`with`) or in an event loop (`serve`).

    Whoever inherits from it defines `answer`.
    """

    name = "Loopback"
    """What it calls itself when it has begun to listen."""

    def __init__(self, port: int = 0) -> None:
        """Port 0 takes one that is free."""
        self.port = port
        self.served = 0
        """How many requests of any kind were answered or are being answered."""
        self.connections = 0
        """How many sockets are open right now."""
        self._ready = threading.Event()
        self._released = asyncio.Event()
        self._failure: OSError | None = None

    @property
    def url(self) -> str:
        """The base URL for a profile; no slash at its end."""
        return f"http://{HOST}:{self.port}/v1"

    async def answer(self, route: str, headers: dict[str, str], body: Any) -> HttpAnswer:
        """Answer a request, such as ``POST /v1/chat/completions`` with its JSON.

        Cancelled when the client hangs up. ValueError, TypeError, KeyError and AttributeError
        become status 400.
        """
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()
        self._ready.wait(60)
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self.serve(self._stop))
        except OSError as error:
            self._failure = error
            self._ready.set()
        finally:
            self._loop.close()

    async def serve(self, stop: asyncio.Event, announce: bool = False) -> None:
        """Serve until `stop` is set; raises OSError where the port is taken."""
        server = await asyncio.start_server(self._converse, HOST, self.port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        if announce:
            print(f"{self.name} listens on {self.url}", flush=True)
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def serve_until_signal(self) -> None:
        """Serve in this process until it is told to end."""
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await self.serve(stop, announce=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError):
            pass  # the client is gone or speaks no HTTP
        except asyncio.CancelledError:
            pass  # the server stops; a stream's handler that ends cancelled would be logged
        finally:
            self.connections -= 1
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        begun = await reader.readexactly(1)
        if begun == _TLS:  # as servers do that speak plain HTTP
            await _send(writer, HttpAnswer(b"", 400))
            return False
        head = (begun + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        self.served += 1
        answer = await _while_there(reader, self._answered(f"{method} {path}", headers, raw))
        if answer is None:
            return False
        if answer.status:
            await _send(writer, answer)
        keep = answer.status and not answer.cut
        return bool(keep) and headers.get("connection", "").lower() != "close"

    async def _answered(self, route: str, headers: dict[str, str], raw: bytes) -> HttpAnswer:
        try:
            answer = await self.answer(route, headers, json.loads(raw) if raw else {})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return HttpAnswer(json.dumps({"error": {"message": str(error)}}).encode(), 400)
        if answer.delay:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._released.wait(), answer.delay)
        return answer

    def release(self) -> None:
        """Give every answer now that is still delayed; within the event loop."""
        self._released.set()
        self._released = asyncio.Event()


async def _while_there(
    reader: asyncio.StreamReader, work: Coroutine[Any, Any, HttpAnswer]
) -> HttpAnswer | None:
    """Do the work unless the client hangs up meanwhile; then it is cancelled."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        gone.cancel()
        working.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _send(writer: asyncio.StreamWriter, answer: HttpAnswer) -> None:
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(answer.body) * answer.times),
        **answer.headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {answer.status} Fake\r\n{head}\r\n".encode("latin-1"))
    if answer.drip:
        for at in range(len(answer.body)):
            writer.write(answer.body[at : at + 1])
            await writer.drain()
            await asyncio.sleep(answer.drip)
        return
    for _ in range(answer.times):
        writer.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
        await writer.drain()
