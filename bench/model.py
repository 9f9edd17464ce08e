"""The model's server of the benches, a process of its own: one wait and one text for everybody.

It speaks two protocols, the chat completions of our client and the generate call of Evennia's own
`contrib.rpg.llm`. Each answer says how long the server held its request, so that a bench can take
exactly that off the time of a reply. What is perhaps said to somebody else it lets pass.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twisted.internet import reactor
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Request, Site

from ai_assistant.testing.faults import Asked

WORDS = "I took {held:.2f} ms to think of this, and the ferry leaves at dawn, rain or no rain."
_HELD = re.compile(r"I took ([0-9.]+) ms")


def held_seconds(line: str) -> float | None:
    """Return how long the server held the request that this line answers; None for others."""
    found = _HELD.search(line)
    return float(found[1]) / 1000 if found else None


def lognormal(mean: float, spread: float, seed: int = 1) -> Callable[[], float]:
    """Return a source of latencies in seconds; without a spread they are all the mean."""
    draw = random.Random(seed).lognormvariate
    return lambda: draw(math.log(mean) - spread**2 / 2, spread)


class Model(Resource):
    """Answers every POST after a while."""

    isLeaf = True  # noqa: N815 - Twisted's name

    def __init__(self, latency: Callable[[], float]) -> None:
        super().__init__()
        self._latency = latency

    def render_POST(self, request: Request) -> int:  # noqa: N802 - Twisted's name
        """Take a request; its answer follows when its latency is over."""
        began = time.perf_counter()
        body = json.load(request.content)
        answer = reactor.callLater(self._latency(), _answer, request, body, began)
        request.notifyFinish().addErrback(lambda _: answer.active() and answer.cancel())
        return NOT_DONE_YET


def _answer(request: Request, body: dict, began: float) -> None:
    text = WORDS.format(held=(time.perf_counter() - began) * 1000)
    if "messages" in body:
        asked = Asked(body)
        data = asked.text("" if asked.may_pass else text).body
    else:
        data = json.dumps({"results": [{"text": text}]}).encode()
    send(request, data)


def send(request: Request, data: bytes) -> None:
    """Answer with JSON."""
    request.setHeader("Content-Type", "application/json")
    request.setHeader("Content-Length", str(len(data)))
    request.write(data)
    request.finish()


@contextmanager
def serving(mean: float, spread: float = 0.0, module: str = "bench.model") -> Iterator[str]:
    """Run the server of a module as a process of its own, and hand out its address.

    Raises `RuntimeError` where it does not start.
    """
    command = [sys.executable, "-m", module, f"--mean={mean}", f"--spread={spread}"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        if not address:
            raise RuntimeError("The model's server did not start.")
        yield address
    finally:
        server.terminate()
        server.wait(10)


def serve(kind: Callable[[Callable[[], float]], Resource]) -> None:
    """Be such a server, as the command line says how slow, until a signal says stop."""
    parser = argparse.ArgumentParser(description="The model's server of a bench.")
    parser.add_argument("--mean", type=float, default=0.25, help="mean latency in seconds")
    parser.add_argument("--spread", type=float, default=0.0, help="sigma of the lognormal latency")
    chosen = parser.parse_args()
    site = Site(kind(lognormal(chosen.mean, chosen.spread)))
    port = reactor.listenTCP(0, site, backlog=1024, interface="127.0.0.1")
    print(f"http://127.0.0.1:{port.getHost().port}", flush=True)
    reactor.run()


if __name__ == "__main__":
    serve(Model)
