"""A model whose answers somebody writes: an OpenAI-compatible endpoint over a folder of files.

    python -m ai_assistant.testing.by_hand --port 8123 --box box           serve
    python -m ai_assistant.testing.by_hand --box box --next --wait 60      read what is asked
    python -m ai_assistant.testing.by_hand --box box --answer 0001 "Hello, Mira."

`ai_assistant.testing.box` says which files lie in the folder and what a reply may be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.testing.box import Box, Kept, answer_of
from ai_assistant.testing.faults import Asked, HttpAnswer, status
from ai_assistant.testing.loopback import Loopback

PATIENCE = 600.0
_LOOK = 0.1


class ByHand(Loopback):
    """The endpoint. Whoever asks waits until the folder holds a reply, `timeout` seconds at most.

    `replay` is the folder of a box that was answered before: what it holds is not asked again.
    """

    name = "The hand"

    def __init__(
        self, box: Path, *, timeout: float = PATIENCE, replay: Path | None = None, port: int = 0
    ) -> None:
        super().__init__(port)
        self.box = Box(box)
        self.timeout = timeout
        self._kept = Kept(Box(replay)) if replay else None
        for number in self.box.under_way():
            self.box.close(number, {"closed": "gone"})

    async def answer(self, route: str, headers: dict[str, str], body: Any) -> HttpAnswer:
        """Lay a chat request down and wait for its reply."""
        match route:
            case "POST /v1/chat/completions":
                return await self._complete(body)
            case "GET /v1/models":
                models = {"object": "list", "data": [{"id": "by-hand", "object": "model"}]}
                return HttpAnswer(json.dumps(models).encode())
        return status(404)

    async def _complete(self, body: Json) -> HttpAnswer:
        number, asked, begun = self.box.lay(body), Asked(body), time.monotonic()
        kept = self._kept.take(body) if self._kept else None
        if kept:
            self.box.close(number, {**kept, "replayed": True})
            return _again(number, kept, asked)
        try:
            reply = await self._written(number)
        except asyncio.CancelledError:
            self.box.close(number, {"closed": "gone"})
            raise
        if reply is None:
            self.box.close(number, {"closed": "timeout"})
            return status(504)
        answer = answer_of(number, reply, asked)
        seconds = round(time.monotonic() - begun, 1)
        self.box.close(number, {**_record(reply, answer), "seconds": seconds})
        return answer

    async def _written(self, number: str) -> str | Json | None:
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            reply = self.box.take(number)
            if reply is not None:
                return reply
            await asyncio.sleep(_LOOK)
        return None


def _record(reply: str | Json, answer: HttpAnswer) -> Json:
    if isinstance(reply, dict) and "error" in reply:
        return {"error": reply["error"]}
    return {"body": json.loads(answer.body)}


def _again(number: str, record: Json, asked: Asked) -> HttpAnswer:
    if "error" in record:
        return answer_of(number, {"error": record["error"]}, asked)
    return HttpAnswer(json.dumps(record["body"]).encode())


def _next(box: Box, wait: float) -> int:
    end = time.monotonic() + wait
    while not (waiting := box.waiting()):
        if time.monotonic() >= end:
            return 1
        time.sleep(_LOOK)
    print(box.text(waiting[0]), end="")
    return 0


def _reply(box: Box, number: str, words: str, as_json: bool) -> int:
    words = sys.stdin.read() if words == "-" else words
    try:
        box.write_reply(number, json.loads(words) if as_json else words)
    except (OSError, ValueError, TypeError, KeyError) as error:
        print(f"Not taken: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """Serve, show what is asked, or answer it."""
    parser = argparse.ArgumentParser(description="A model whose answers you write.")
    parser.add_argument("--box", type=Path, required=True, help="the folder")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--timeout", type=float, default=PATIENCE, help="seconds for one answer")
    parser.add_argument("--replay", type=Path, help="a box that was answered before")
    parser.add_argument("--next", action="store_true", help="print the oldest request that waits")
    parser.add_argument("--wait", type=float, default=0.0, help="with --next: seconds to wait")
    parser.add_argument("--answer", nargs=2, metavar=("NUMBER", "WORDS"), help="- reads them")
    parser.add_argument("--reply", nargs=2, metavar=("NUMBER", "JSON"), help="- reads it")
    chosen = parser.parse_args()
    if chosen.next:
        return _next(Box(chosen.box), chosen.wait)
    if chosen.answer or chosen.reply:
        number, words = chosen.answer or chosen.reply
        return _reply(Box(chosen.box), number, words, bool(chosen.reply))
    hand = ByHand(chosen.box, timeout=chosen.timeout, replay=chosen.replay, port=chosen.port)
    asyncio.run(hand.serve_until_signal())
    return 0


if __name__ == "__main__":
    sys.exit(main())
