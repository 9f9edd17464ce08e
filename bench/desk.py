"""The owner's pages in a game that has been played for long: how quick, and at what cost.

python -m bench.desk [--quick]

Each page is loaded by a thread, as the web server does, beside the running game; what it asks of
the game runs on the reactor. Queries of both threads count.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any
from unittest.mock import patch

from django.db import connection
from django.urls import reverse
from twisted.internet import reactor
from twisted.internet.defer import gatherResults
from twisted.internet.threads import deferToThread

from bench import report
from bench.game import Lateness, pause, play_with

FEW = 2
SIZES = {False: (200, 1_000_000), True: (20, 50_000)}
"""Characters and memories, by whether it is to be quick."""
ROUNDS = 5
AT_ONCE = 10
SETTLE = 3.0
"""Seconds after the characters came, in which they begin to read their memories."""
NOT_LOADED = re.compile(r"api/|metrics|files/.*|(.*/)?(picture|upload|run|say|check)/")
"""Addresses that are no pages: of the API, for machines, files, and those that take forms."""
ASKED = {
    "scene_card": "scene=scene-{id}",
    "world_block": "block=global_knowledge",
    "edit": "who=guest0-a",
    "person": "who=guest0-a",
    "moment": "moment=2100-01-01&part=working",
    "goal": "goal=goal_0_0",
    "project": "project=ferry0",
    "block": "block=status",
}
"""What pages about one thing are asked for; `{id}` is the assistant's."""
FORMS = {"edit": "favor", "edit_world": "news"}
"""Of the pages of forms the one that is loaded."""
NARROWED = {
    "turns of days": "turns/?word=ferry&mark=&since=2020-01-01&until=2099-12-31",
    "overview by errors": "?sort=errors",
    "marked turns": "turns/?mark=bad",
}
"""Pages about all of them, narrowed: their addresses, below that of the first page."""


@dataclass(slots=True)
class Visit:
    """One load of a page: seconds of the whole, of both threads' work, and of each query."""

    seconds: float = 0.0
    work: float = 0.0
    """Of the processor, on the page's own thread, during which others may still come in between."""
    held: float = 0.0
    """Of the processor on the reactor's, for what the page asks of the game."""
    queries: list[float] = field(default_factory=list)

    def note(self, execute: Callable[..., Any], *about: Any) -> Any:
        """Run a query, as one of Django's wrappers, and note what it took."""
        began = time.perf_counter()
        try:
            return execute(*about)
        finally:
            self.queries.append(time.perf_counter() - began)


class Desk:
    """Where the owner sits: a browser that is logged in, and the addresses of the pages."""

    def __init__(self) -> None:
        from django.test import Client
        from evennia import create_account

        self._client = Client
        browser = self._browser()
        owner = create_account("owner", None, "a password for benches", is_superuser=True)
        browser.force_login(owner)
        browser.handler.load_middleware()  # which a web server does once
        self._cookies, self._handler = browser.cookies, browser.handler

    def _browser(self) -> Any:
        return self._client(SERVER_NAME="localhost")

    def addresses(self, body: Any) -> dict[str, str]:
        """Return the address of each page of the table, and of a few that are narrowed.

        Those about one are about this assistant.
        Raises `KeyError` for a page of which nothing is known that its address takes.
        """
        from ai_assistant.game.identity import entity_id
        from ai_assistant.web.urls import urlpatterns
        from bench.desk_life import last_call_of, last_turn_of

        known = {"number": body.pk, "turn": last_turn_of(body), "call": last_call_of(body)}
        found = {}
        for page in urlpatterns:
            if not NOT_LOADED.fullmatch(str(page.pattern)):
                given = known | ({"what": FORMS[page.name]} if page.name in FORMS else {})
                args = {name: given[name] for name in page.pattern.converters}
                asked = ASKED.get(page.name, "").format(id=entity_id(body))
                found[page.name] = f"{reverse(f'ai_assistant:{page.name}', kwargs=args)}?{asked}"
        return found | {
            name: f"{reverse('ai_assistant:overview')}{end}" for name, end in NARROWED.items()
        }

    async def load(self, address: str) -> Visit:
        """Load one page alone, and count all queries that run meanwhile."""
        visit, began = Visit(), time.thread_time()
        with connection.execute_wrapper(visit.note):
            await deferToThread(self._counted, address, visit)
        visit.held = time.thread_time() - began
        return visit

    def _counted(self, address: str, visit: Visit) -> None:
        with connection.execute_wrapper(visit.note):  # this thread's own
            began, worked = time.perf_counter(), time.thread_time()
            self.get(address)
            visit.seconds = time.perf_counter() - began
            visit.work = time.thread_time() - worked

    def get(self, address: str) -> None:
        """Load a page on this thread. Raises `RuntimeError` where it is refused."""
        browser = self._browser()
        browser.cookies, browser.handler = self._cookies, self._handler
        answer = browser.get(address)
        if answer.status_code != 200:
            raise RuntimeError(f"{address}: {answer.status_code}")


@contextmanager
def still_hearts() -> Iterator[None]:
    """Let no heartbeat of a character do anything for a while."""
    from ai_assistant.scripts import AssistantScript

    with patch.object(AssistantScript, "at_repeat", lambda script, **named: None):
        yield


async def measured(desk: Desk, body: Any) -> dict[str, report.Figures]:
    """Return the figures of each page: of several loads, and after one that does not count.

    Queries are those of loads between which no heart beats, and the fewest of these: what the game
    writes by the way is not the page's.
    """
    found = {}
    for name, address in desk.addresses(body).items():
        await desk.load(address)
        visits = [await desk.load(address) for _ in range(ROUNDS)]
        with still_hearts():
            alone = [await desk.load(address) for _ in range(ROUNDS)]
        dearest = [max(visit.queries, default=0.0) for visit in visits]
        found[name] = {
            "ms": round(median(visit.seconds for visit in visits) * 1000, 1),
            "work_ms": round(median(visit.work for visit in alone) * 1000, 1),
            "held_ms": round(median(visit.held for visit in alone) * 1000, 1),
            "queries": min(len(visit.queries) for visit in alone),
            "dearest_ms": round(median(dearest) * 1000, 1),
        }
    return found


async def at_once(desk: Desk, body: Any, lateness: Lateness) -> list[float]:
    """Return how late the reactor came while ten pages loaded at once, each page in its turn."""
    addresses = [*desk.addresses(body).values()]
    lateness.take()
    for start in range(len(addresses)):
        ring = addresses[start:] + addresses[:start]
        await gatherResults([deferToThread(desk.get, address) for address in ring[:AT_ONCE]])
    return lateness.take()


async def settled(bodies: Sequence[Any]) -> None:
    """Wait until what the characters' coming began has ended, and all have read their memories."""
    from bench import people

    await pause(SETTLE)
    while any(people.resident_of(body).warming for body in bodies):
        await pause(0.1)


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Let the reactor have so many threads for a while."""
    before = reactor.getThreadPool().max
    reactor.suggestThreadPoolSize(number)
    yield
    reactor.suggestThreadPoolSize(before)


async def bench(characters: int, rows: int) -> report.Figures:
    """Return the figures with few characters, and with all."""
    from bench import desk_life

    bodies, each, lateness = list[Any](), rows // characters, Lateness()
    desk = Desk()
    desk_life.fill(desk_life.settle(bodies, FEW), each)
    await settled(bodies)
    few = await measured(desk, bodies[0])
    desk_life.fill(desk_life.settle(bodies, characters), each)
    await settled(bodies)
    found = await measured(desk, bodies[0])
    lateness.start()
    with threads(2 * AT_ONCE):
        await pause(SETTLE)
        idle = lateness.take()
        late = await at_once(desk, bodies[0], lateness)
    return {
        "characters": characters,
        "rows": rows,
        "few": few,
        "pages": found,
        "idle": report.spread(idle),
        "lateness": report.spread(late),
    }


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the table, and return the goals."""
    pages, few = figures["pages"], figures["few"]
    head = ["", "ms", "of work", "on the reactor", "queries", f"with {FEW}", "dearest, ms"]
    rows = [
        [
            *(name, one["ms"], one["work_ms"], one["held_ms"]),
            *(one["queries"], few[name]["queries"], one["dearest_ms"]),
        ]
        for name, one in pages.items()
    ]
    print(f"The owner's pages: {figures['characters']} characters, {figures['rows']:,} memories\n")
    print(report.table(head, rows))
    for about, key in (("alone", "idle"), (f"under {AT_ONCE} pages at once", "lateness")):
        told = " / ".join(str(figures[key][name]) for name in ("p50_ms", "p99_ms", "max_ms"))
        print(f"\nthe reactor's lateness {about}, p50 / p99 / max: {told} ms", end="")
    print()
    more = max(one["queries"] - few[name]["queries"] for name, one in pages.items())
    most = {key: max(one[key] for one in pages.values()) for key in ("ms", "queries", "dearest_ms")}
    return [
        report.Goal("slowest page", most["ms"], 300, "ms"),
        report.Goal("a turn opened", pages["turn"]["ms"], 100, "ms"),
        report.Goal("most queries of a page", most["queries"], 25),
        report.Goal(f"more queries than with {FEW} characters", more, 0),
        report.Goal("dearest query", most["dearest_ms"], 50, "ms"),
        report.Goal("lateness under ten pages, p99", figures["lateness"]["p99_ms"], 10, "ms"),
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="20 characters, 50,000 memories")
    characters, rows = SIZES[parser.parse_args().quick]
    figures = play_with("", lambda: bench(characters, rows), 1800)
    return report.conclude("desk", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
