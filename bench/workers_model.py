"""The model of the workers' bench, a process of its own: it reads days, and knows of each call."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from twisted.internet import reactor
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Request

from ai_assistant.testing.faults import Asked
from bench.model import send, serve

OWNS = re.compile(r"I own a (\w+)\.")
NUMBER = re.compile(r"\((\d+)\)$")
"""What every line ends with: its number among all that its character ever heard."""


class NightReader(Resource):
    """Answers each question of a night after `latency()` seconds; a GET tells of all calls.

    Of a call it knows whose day was read, which lines, when, what it took, which worker asked (its
    name, "" for the game), and if it was cut off. A GET of `/open` tells who waits for an answer.
    """

    isLeaf = True  # noqa: N815 - Twisted's name

    def __init__(self, latency: Callable[[], float]) -> None:
        super().__init__()
        self._latency = latency
        self._calls: list[dict[str, Any]] = []
        self._open: list[dict[str, Any]] = []

    def render_GET(self, request: Request) -> bytes:  # noqa: N802 - Twisted's name
        """Tell of all calls so far, or by which workers some are open."""
        if request.path == b"/open":
            return json.dumps([call["worker"] for call in self._open]).encode()
        return json.dumps(self._calls).encode()

    def render_POST(self, request: Request) -> int:  # noqa: N802 - Twisted's name
        """Take a question; its answer follows."""
        asked = Asked(json.load(request.content))
        day = _day_in(asked)
        says = [line["says"] for line in day.get("lines", ())]
        data = asked.text(_facts(day) if day else "Nothing comes to mind.").body
        call = {
            "who": day["me"][0]["name"] if day else "",
            "lines": [int(one) for line in says for one in NUMBER.findall(line)],
            "tokens": json.loads(data)["usage"]["total_tokens"],
            "worker": request.getHeader("X-Worker") or "",
            "began": time.time(),
            "ended": None,
        }
        self._calls.append(call)
        self._open.append(call)
        answer = reactor.callLater(self._latency(), _answer, request, data, call)
        over = request.notifyFinish()
        over.addErrback(lambda _: answer.active() and answer.cancel())
        over.addBoth(lambda _: self._open.remove(call))
        return NOT_DONE_YET


def _day_in(asked: Asked) -> dict[str, Any]:
    """Return the day that is to be read; empty for any other question."""
    try:
        day = json.loads(asked.messages[-1]["content"])
    except ValueError:
        return {}
    return day if isinstance(day, dict) and "me" in day else {}


def _facts(day: dict[str, Any]) -> str:
    """Return what is understood: who owns what."""
    names = {one["who"]: one["name"] for one in day["people"]}
    told = [(line, found) for line in day["lines"] if (found := OWNS.search(line["says"]))]
    facts = [
        {
            "about": line["who"],
            "fact": f"{names[line['who']]} owns a {found[1]}",
            "lines": [line["id"]],
            "quote": found[0],
            "replaces": [],
        }
        for line, found in told
    ]
    return json.dumps({"facts": facts, "people": []})


def _answer(request: Request, data: bytes, call: dict[str, Any]) -> None:
    call["ended"] = time.time()
    send(request, data)


if __name__ == "__main__":
    serve(NightReader)
