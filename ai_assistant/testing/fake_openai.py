"""FakeOpenAI: a real HTTP server that answers like a model, by script and with faults.

In a test, in a thread of its own:

    with FakeOpenAI() as fake:
        fake.say("Good day.")
        fake.when("goodbye").call("move", exit="x1")
        fake.fault("429", retry_after=0.1)

As a process, ``python -m ai_assistant.testing.fake_openai --port 8123``, it prints its address and
takes ``POST /script`` (a list of steps, see `ai_assistant.testing.faults`), ``GET /requests`` and
``POST /reset`` (with new settings, if any: ``{"latency": 0.5}``) and ``POST /release`` (whoever
waits is answered now). Once the script is used up it repeats a little of what it heard.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import deque
from pathlib import Path
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.testing.faults import Asked, HttpAnswer, Script, play, status
from ai_assistant.testing.loopback import Loopback
from ai_assistant.testing.meanings import Meanings

_HISTORY = 1000


class _Verbs:
    """The scripting verbs: what comes next, for a request whose text to answer contains `when`."""

    def __init__(self, script: Script, when: str = "") -> None:
        self.script = script
        self._when = when

    def say(self, text: str) -> None:
        """Next, speak: plain text goes the way in which was asked."""
        self.script.add({"say": text, "when": self._when})

    def call(self, tool: str, /, **arguments: Any) -> None:
        """Next, call a tool."""
        self.script.add({"call": tool, "args": arguments, "when": self._when})

    def fault(self, name: str, /, **options: Any) -> None:
        """Next, fail in one of the ways of `FAULTS`, or with a status such as ``"500"``."""
        self.script.add({"fault": name, "when": self._when, **options})


class FakeOpenAI(Loopback, _Verbs):
    """The server. `latency` (seconds), `reply` (a fixed text) and `echo` may change at any time."""

    name = "FakeOpenAI"

    def __init__(
        self, *, latency: float = 0.0, reply: str = "", echo: bool = False, port: int = 0
    ) -> None:
        Loopback.__init__(self, port)
        _Verbs.__init__(self, Script())
        self.latency = latency
        self.reply = reply
        self.echo = echo
        self.meanings = Meanings()
        """Answers what is asked of `/embeddings`, by a script of its own."""
        self._history: deque[Json] = deque(maxlen=_HISTORY)

    @property
    def requests(self) -> list[Json]:
        """The newest model requests, oldest first: path, headers, body and time."""
        return list(self._history)

    def when(self, text: str) -> _Verbs:
        """Script a step for the first request whose text to answer contains this."""
        return _Verbs(self.script, text)

    def reset(self, **settings: Any) -> None:
        """Forget script and history, and take new settings (latency, reply, echo)."""
        self.script.clear()
        self.meanings.script.clear()
        self._history.clear()
        for name in settings.keys() & {"latency", "reply", "echo"}:
            setattr(self, name, settings[name])

    async def answer(self, route: str, headers: dict[str, str], body: Any) -> HttpAnswer:
        """Answer by script, by rule, or as its control addresses do."""
        match route:
            case "POST /v1/chat/completions":
                asked = Asked(body)
                if asked.may_pass:  # that is no request to look for
                    return asked.text("")
                self._remember(route, headers, body)
                step = self.script.take(asked) or self._rule(asked)
                return play({"latency": self.latency, **step}, asked)
            case "POST /v1/embeddings":
                self._remember(route, headers, body)
                return self.meanings.answer(body)
            case "GET /v1/models":
                return _ok({"object": "list", "data": [{"id": "fake", "object": "model"}]})
        return self._controlled(route, body)

    def _controlled(self, route: str, body: Any) -> HttpAnswer:
        match route:
            case "GET /requests":
                return _ok(self.requests)
            case "POST /script":
                self.script.add(*body)
            case "POST /reset":
                self.reset(**body)
            case "POST /release":
                self.release()
            case _:
                return status(404)
        return _ok({"steps": len(self.script)})

    def _remember(self, route: str, headers: dict[str, str], body: Any) -> None:
        path = route.partition(" ")[2]
        self._history.append({"path": path, "headers": headers, "body": body, "at": time.time()})

    def _rule(self, asked: Asked) -> Json:
        if self.echo:
            return {"echo": True}
        return {"say": self.reply or f"You said: {asked.heard}"}


def _ok(data: object) -> HttpAnswer:
    return HttpAnswer(json.dumps(data).encode())


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
    asyncio.run(fake.serve_until_signal())


if __name__ == "__main__":
    main()
