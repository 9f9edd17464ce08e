"""A model that says what the test wrote down, and the few lines that run a turn without a loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from itertools import count
from typing import Any

from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model

Scripted = ModelReply | Exception | Callable[[ModelRequest], ModelReply]
_ids = count(1)


class Hold:
    """What a paused model waits on: the run that awaits it stands still until `release`."""

    def __init__(self) -> None:
        self.released = False

    def release(self) -> None:
        """Let the run go on at its next step."""
        self.released = True

    def __await__(self) -> Generator[Hold, None, None]:
        while not self.released:
            yield self


class ScriptedModel(Model):
    """Implements `ports.Model`: a queue of replies to fill and a list of requests to inspect.

    What is perhaps said to somebody else it lets pass, and counts, unless it `meddles`. As a
    context manager it fails the test when replies are left over.
    """

    def __init__(self, *replies: Scripted) -> None:
        self.replies: deque[Scripted] = deque(replies)
        self.requests: list[ModelRequest] = []
        self.hold: Hold | None = None
        self.meddles = False
        self.lets_pass = 0

    def say(self, text: str) -> ScriptedModel:
        """Queue a call of the tool `say`."""
        return self.call("say", text=text)

    def call(self, name: str, **arguments: Any) -> ScriptedModel:
        """Queue a reply with one tool call."""
        return self.calls((name, arguments))

    def calls(self, *calls: tuple[str, dict[str, Any]]) -> ScriptedModel:
        """Queue one reply with several tool calls."""
        made = tuple(
            ToolCall(f"call{next(_ids)}", name, {"reasoning": "scripted", **arguments})
            for name, arguments in calls
        )
        self.replies.append(ModelReply(tool_calls=made, usage=TokenUsage(100, 10, known=True)))
        return self

    def text(self, text: str) -> ScriptedModel:
        """Queue a reply of plain words."""
        self.replies.append(ModelReply(text=text))
        return self

    def fail(self, error: Exception) -> ScriptedModel:
        """Queue an error."""
        self.replies.append(error)
        return self

    def pause(self) -> Hold:
        """Let the next call wait until the hold that is returned is released."""
        self.hold = Hold()
        return self.hold

    def shown(self, step: int = -1) -> str:
        """Return all the words of a request: what the model got to read."""
        return "\n".join(message.content for message in self.requests[step].messages)

    def offered(self, step: int = -1) -> list[str]:
        """Return the names of the tools that a request offered."""
        return [tool["function"]["name"] for tool in self.requests[step].tools]

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer with the next scripted reply."""
        rows = [
            row for section in request.sections if section.key == "event" for row in section.rows
        ]
        said = [row for row in rows if "says" in row]
        if said and all(row.get("perhaps") for row in said) and not self.meddles:
            self.lets_pass += 1
            return ModelReply(text="")
        self.requests.append(request)
        hold, self.hold = self.hold, None
        if hold:
            await hold
        if not self.replies:
            raise AssertionError("The scripted model was asked more often than it has replies.")
        reply = self.replies.popleft()
        if isinstance(reply, Exception):
            raise reply
        return reply(request) if callable(reply) else reply

    def __enter__(self) -> ScriptedModel:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None and self.replies:
            raise AssertionError(f"{len(self.replies)} scripted replies were never asked for.")


class Run:
    """A coroutine run by hand: it goes on until it waits for a `Hold` or is done."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self.done = False
        self.result: Any = None
        self.step()

    def step(self) -> Run:
        """Go on as far as possible; raises what the coroutine raises."""
        try:
            hold = self._coroutine.send(None)
            while hold.released:
                hold = self._coroutine.send(None)
        except StopIteration as end:
            self.done, self.result = True, end.value
        return self


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never has to wait, and return its result."""
    running = Run(coroutine)
    if not running.done:
        raise AssertionError("The coroutine waits for something that never comes.")
    return running.result


async def no_limit(awaitable: Awaitable[Any], seconds: float) -> Any:
    """Implement `ports.Limit` without any limit."""
    return await awaitable
