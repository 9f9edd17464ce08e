"""Metrics: what the assistants do, as figures that Prometheus reads at ``/ai/metrics``."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.agent.attention.budget import GAME
from ai_assistant.api.game_state import nights_under_way
from ai_assistant.api.overview import AT_ONCE, Glance, OverviewRow, glances
from ai_assistant.api.slices import in_slices, slices
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of, unstyled
from ai_assistant.game.reactor_lateness import PROBE
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.calls.spending_rows import spending_by
from ai_assistant.storage.statements import refusals
from ai_assistant.web.access import GAME as THREAD
from ai_assistant.workers.long_work import LONG_WORK

Labels = dict[str, str]
Sample = tuple[Labels, float]
Tally = tuple[Labels, Json, tuple[int, int]]
"""Of one assistant: its labels, what its script counts, and its memories (with vector, all)."""
Family = tuple[str, str, str, list[Sample]]
"""A metric: its kind (``gauge``, ``counter``), its name, what it counts, and its samples."""
OFF = "Metrics are off: AI_ASSISTANT_METRICS_TOKEN is not set."
MISSING = "Metrics need prometheus-client: pip install 'evennia-ai-assistant[metrics]'."


@require_safe
def metrics_view(request: HttpRequest) -> HttpResponse:
    """Answer with the figures of now, for whoever brings the token of the settings.

    Evennia's Portal hands on every request from loopback, so an address proves nothing here.
    """
    token = conf.settings.METRICS_TOKEN
    if not token:
        return _plain(OFF, 404)
    brought = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not secrets.compare_digest(brought.encode(), token.encode()):
        return _plain("The token is missing, or is not the one of the settings.", 401)
    try:
        from prometheus_client.exposition import CONTENT_TYPE_LATEST
    except ImportError:
        return _plain(MISSING, 501)
    try:
        families = THREAD.ask(_gathered)
    except AssistantError as error:
        return _plain(str(error), 503)
    return HttpResponse(_as_text(families), content_type=CONTENT_TYPE_LATEST)


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")


def _as_text(families: Iterable[Family]) -> bytes:
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.metrics_core import Metric

    class Now:
        def collect(self) -> Iterator[Any]:
            for kind, name, about, samples in families:
                metric = Metric(f"ai_assistant_{name}", about, kind)
                ending = "_total" if kind == "counter" else ""
                for labels, value in samples:
                    metric.add_sample(f"{metric.name}{ending}", labels, value)
                yield metric

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Now())
    return generate_latest(registry)


def _gathered() -> Deferred[list[Family]]:
    """Look at everybody, some at a time, so that the game goes on between."""

    async def looked() -> list[Family]:
        seen, tallies = list[Glance](), list[Tally]()
        await in_slices(map(seen.extend, glances()))
        running = slices([*SERVICE.residents.values()], AT_ONCE)
        await in_slices(tallies.extend(map(_tally, some)) for some in running)
        rows = [glance.row for glance in seen]
        return [*_of_rows(rows), *_of_each(tallies), *_of_the_game()]

    return Deferred.fromCoroutine(looked())


def _tally(resident: Resident) -> Tally:
    body, store = resident.script.obj, resident.mind.store
    labels = {"assistant": str(body.pk), "name": unstyled(name_of(body))}
    with refusals():
        return labels, store.read("metrics"), resident.mind.recall.embedded


def _of_rows(rows: Sequence[OverviewRow]) -> Iterator[Family]:
    states = Counter(row.state.partition(" (")[0] for row in rows)
    by_state = [({"state": state}, float(count)) for state, count in states.items()]
    yield "gauge", "assistants", "Assistants by what they do.", by_state
    yield _single("queue_lines", "Lines that wait for an answer.", sum(row.queue for row in rows))


def _of_each(tallies: Sequence[Tally]) -> Iterator[Family]:
    """Yield what is counted of each assistant, so that one that is removed ends a series of its
    own: a sum that falls would look like a restart.
    """
    turns, tools, memories = list[Sample](), list[Sample](), list[Sample]()
    for labels, tally, (embedded, rows) in tallies:
        for outcome, count in sorted(tally["counts"].items()):
            turns.append((labels | {"outcome": outcome}, count))
        errors = sum(tally["tool_errors"].values())
        tools.append((labels | {"ok": "no"}, errors))
        tools.append((labels | {"ok": "yes"}, sum(tally["tool_calls"].values()) - errors))
        memories.append((labels | {"kind": "rows"}, rows))
        memories.append((labels | {"kind": "with vector"}, embedded))
    yield "counter", "turns", "Turns and closed lines by how they ended.", turns
    yield "counter", "tool_calls", "Calls of tools.", tools
    yield "gauge", "memories", "Memories in the index.", memories


def _of_the_game() -> Iterator[Family]:
    """Yield spending, the models' servers, the loop, the database. Raises `AssistantError`."""
    shared = SERVICE.shared
    with refusals():
        calls, tokens, free, free_tokens = shared.budget.spent_by([GAME])[0]
    most_calls, most_tokens = shared.budget.caps(GAME)
    yield _single("calls_today", "Model calls of today that count, UTC.", calls)
    yield _single("calls_cap", "The most of them a day.", most_calls)
    yield _single("tokens_today", "Tokens of today, UTC.", tokens)
    yield _single("tokens_cap", "The most of them a day.", most_tokens)
    yield _single("free_calls_today", "Calls of the offline model of today.", free)
    yield _single("free_tokens_today", "Tokens of the offline model of today.", free_tokens)
    today = spending_by("day", iso(shared.clock.now())[:10])
    dollars = sum(price for _, _, _, price, _ in today)
    yield _single("dollars_today", "Published prices of today's calls.", dollars)
    down = shared.outages.banners()
    answers = [({"profile": name}, float(name not in down)) for name in shared.profiles]
    yield "gauge", "profile_up", "Does a model profile answer?", answers
    failed = shared.outages.failed.items()
    causes = [({"profile": name, "cause": cause}, float(count)) for (name, cause), count in failed]
    yield "counter", "failed_calls", "Model calls without an answer, by why.", causes
    late = zip(("0.5", "0.99"), PROBE.lateness(), strict=True)
    lateness = [({"quantile": share}, seconds) for share, seconds in late]
    yield "gauge", "reactor_lateness_seconds", "How late the game's loop is.", lateness
    yield _single(
        "database_writes_waiting", "Writes refused so far.", len(SERVICE.watch.writes.waiting)
    )
    yield from _of_work()
    yield _single("standby", "Is another server in charge?", SERVICE.watch.is_standby)


def _of_work() -> Iterator[Family]:
    """Yield nights and other long work of today, and what workers answered. Raises `StoreError`."""
    nights = sum(1 for _ in nights_under_way())
    work = [
        ({"kind": kind, "state": state}, float(count))
        for kind, counts in LONG_WORK.counts(nights)
        for state, count in counts.items()
    ]
    yield "gauge", "long_work", "Nights and other long work, under way and of today.", work
    if workers := SERVICE.shared.workers:
        answers = [({"by": by}, float(workers.counts[by])) for by in ("workers", "here")]
        yield "counter", "worker_questions", "Questions for workers, by who answered.", answers
        told = "Questions that wait for a worker's answer."
        yield _single("worker_questions_waiting", told, workers.pending)


def _single(name: str, about: str, value: float) -> Family:
    return "gauge", name, about, [({}, float(value))]
