"""FakeOpenAI: a real HTTP server that answers like a model, by script and with faults.

In a test, in a thread of its own:

    with FakeOpenAI() as fake:
        fake.say("Good day.")
        fake.when("goodbye").call("move", exit="x1")
        fake.fault("429", retry_after=0.1)

As a process, ``python -m ai_assistant.testing.fake_openai --port 8123``, it prints its address and
takes ``POST /script`` (a list of steps, see `ai_assistant.testing.faults`), ``GET /requests`` and
``POST /reset`` (with new settings, if any: ``{"latency": 0.5}``). Once the script is used up it
speaks with the first speech tool offered and repeats a little of what it heard.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import signal
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

from ai_assistant.testing.faults import Answer, Asked, Json, Script, play, status
from ai_assistant.testing.meanings import Meanings

_HISTORY = 1000


class FakeOpenAI:
    """The server. `latency` (seconds), `reply` (a fixed text) and `echo` may change at any time."""

    def __init__(
        self, *, latency: float = 0.0, reply: str = "", echo: bool = False, port: int = 0
    ) -> None:
        self.latency = latency
        self.reply = reply
        self.echo = echo
        self.port = port
        self.script = Script()
        self.meanings = Meanings()
        """Answers what is asked of `/embeddings`, by a script of its own."""
        self.served = 0
        """How many requests of any kind were answered or are being answered."""
        self.connections = 0
        """How many sockets are open right now."""
        self._history: deque[Json] = deque(maxlen=_HISTORY)
        self._ready = threading.Event()
        self._failure: OSError | None = None

    @property
    def url(self) -> str:
        """The base URL for a profile; no slash at its end."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> list[Json]:
        """The newest model requests, oldest first: path, headers, body and time."""
        return list(self._history)

    def say(self, text: str) -> None:
        """Next, speak with whichever speech tool is offered."""
        self.script.add({"say": text})

    def text(self, text: str) -> None:
        """Next, answer with plain text."""
        self.script.add({"text": text})

    def call(self, tool: str, /, **arguments: Any) -> None:
        """Next, call a tool."""
        self.script.add({"call": tool, "args": arguments})

    def fault(self, name: str, /, **options: Any) -> None:
        """Next, fail in one of the ways of `FAULTS`, or with a status such as ``"500"``."""
        self.script.add({"fault": name, **options})

    def when(self, text: str) -> _When:
        """Script a step for the first request whose text to answer contains this."""
        return _When(self.script, text)

    def reset(self, **settings: Any) -> None:
        """Forget script and history, and take new settings (latency, reply, echo)."""
        self.script.clear()
        self.meanings.script.clear()
        self._history.clear()
        for name in settings.keys() & {"latency", "reply", "echo"}:
            setattr(self, name, settings[name])

    def __enter__(self) -> FakeOpenAI:
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="fake-openai", daemon=True)
        self._thread.start()
        self._ready.wait(5)
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
        server = await asyncio.start_server(self._converse, "127.0.0.1", self.port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        if announce:
            print(f"FakeOpenAI listens on {self.url}", flush=True)
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests, one after the other, until it closes."""
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
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        self.served += 1
        answer = self._answer(method, path, headers, raw)
        if answer.delay and await _gave_up(reader, answer.delay):
            return False
        if answer.status:
            await _send(writer, answer)
        keep = answer.status and not answer.cut
        return bool(keep) and headers.get("connection", "").lower() != "close"

    def _answer(self, method: str, path: str, headers: dict[str, str], raw: bytes) -> Answer:
        try:
            body = json.loads(raw) if raw else {}
            return self._route(f"{method} {path}", headers, body)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return Answer(json.dumps({"error": {"message": str(error)}}).encode(), 400)

    def _route(self, route: str, headers: dict[str, str], body: Any) -> Answer:
        match route:
            case "POST /v1/chat/completions":
                self._remember(route, headers, body)
                return self._complete(Asked(body))
            case "POST /v1/embeddings":
                self._remember(route, headers, body)
                return self.meanings.answer(body)
            case "GET /v1/models":
                return _ok({"object": "list", "data": [{"id": "fake", "object": "model"}]})
            case "GET /requests":
                return _ok(self.requests)
            case "POST /script":
                self.script.add(*body)
                return _ok({"steps": len(self.script)})
            case "POST /reset":
                self.reset(**body)
                return _ok({})
        return status(404)

    def _remember(self, route: str, headers: dict[str, str], body: Any) -> None:
        path = route.partition(" ")[2]
        self._history.append({"path": path, "headers": headers, "body": body, "at": time.time()})

    def _complete(self, asked: Asked) -> Answer:
        step = self.script.take(asked) or self._rule(asked)
        return play({**step, "latency": step.get("latency", self.latency)}, asked)

    def _rule(self, asked: Asked) -> Json:
        if self.echo:
            return {"echo": True}
        return {"say": self.reply or f"You said: {asked.heard}"}


class _When:
    """The scripting verbs, for requests that contain a text."""

    def __init__(self, script: Script, text: str) -> None:
        self._script = script
        self._text = text

    def say(self, text: str) -> None:
        self._script.add({"say": text, "when": self._text})

    def call(self, tool: str, /, **arguments: Any) -> None:
        self._script.add({"call": tool, "args": arguments, "when": self._text})

    def fault(self, name: str, /, **options: Any) -> None:
        self._script.add({"fault": name, "when": self._text, **options})


def _ok(data: object) -> Answer:
    return Answer(json.dumps(data).encode())


async def _gave_up(reader: asyncio.StreamReader, delay: float) -> bool:
    """Wait; returns whether the client closed the connection meanwhile."""
    try:
        await asyncio.wait_for(reader.read(1), None if delay == math.inf else delay)
    except TimeoutError:
        return False
    return True


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> None:
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


async def _serve_until_signal(fake: FakeOpenAI) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await fake.serve(stop, announce=True)


def main() -> None:
    """Serve in this process until a signal says stop."""
    parser = argparse.ArgumentParser(description="A server that answers like a model.")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--reply", default="", help="what to say once the script is used up")
    parser.add_argument("--echo", action="store_true", help="then say the whole prompt")
    parser.add_argument("--script", type=Path, help="a JSON file with a list of steps")
    chosen = parser.parse_args()
    fake = FakeOpenAI(
        latency=chosen.latency, reply=chosen.reply, echo=chosen.echo, port=chosen.port
    )
    if chosen.script:
        fake.script.add(*json.loads(chosen.script.read_text("utf-8")))
    asyncio.run(_serve_until_signal(fake))


if __name__ == "__main__":
    main()
