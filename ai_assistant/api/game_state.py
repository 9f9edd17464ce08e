"""The state of the whole game: its health, and its settings with where each comes from."""

from __future__ import annotations

import ast
import inspect
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from textwrap import dedent

from django.conf import settings as django_settings
from django.db import connection, models

from ai_assistant import conf
from ai_assistant import models as tables
from ai_assistant.api.doctor import findings
from ai_assistant.api.overview import faults, outages, trouble
from ai_assistant.api.turns.opened_calls import kept_of_calls
from ai_assistant.core.contracts import Finding
from ai_assistant.core.times import lasting
from ai_assistant.game.quiet import QUIET
from ai_assistant.game.reactor_lateness import PROBE
from ai_assistant.game.stored_profiles import ProfileRow, known_profiles
from ai_assistant.runtime.service import SERVICE
from ai_assistant.sleep.night import STAGES, work_is_done
from ai_assistant.storage.statements import refusals
from ai_assistant.workers.long_work import LONG_WORK

_NAMES_ALONE = frozenset({"LLM", "KEYS"})
"""Settings of which only the names within are shown."""
_SECRET = frozenset({"METRICS_TOKEN"})
"""Settings of which is shown only whether they are set."""
FROM_FILE, FROM_DEFAULT, FROM_GAME = "the settings", "default", "the game (ai/setup)"


@dataclass(frozen=True, slots=True)
class Health:
    """How the game's assistants are, all together."""

    troubles: list[str]
    """What is wrong, in sentences: outages and settings too; empty where nothing does."""
    figures: list[tuple[str, str]]
    """What is looked at, and how it is."""
    findings: list[Finding]
    """What the doctor found, the worst first."""


def health() -> Health:
    """Return a look at queue, waiting times, database and set-up. Costs some milliseconds.

    Raises `StoreError` where the database cannot be read.
    """
    return health_reader()()


def health_reader() -> Callable[[], Health]:
    """Return what looks at the tables and the set-up, on any thread, with the rest as it is now."""
    troubles = [*filter(None, [trouble()]), *outages(), *faults()]
    if QUIET.everywhere:
        troubles.append("All characters were told to be quiet: ai/quiet all = end lets them speak.")
    work = LONG_WORK.figures(nights_under_way())
    figures = [*_queue_figures(), *_embedding_figures(), *work, *_database_figures()]

    def looked_at() -> Health:
        levels = ("problem", "warning", "ok")
        found = sorted(findings(), key=lambda finding: levels.index(finding.level))
        return Health(troubles, [*figures, *_table_figures()], found)

    return looked_at


def _queue_figures() -> Iterator[tuple[str, str]]:
    residents = [*SERVICE.residents.values()]
    with refusals():
        oldest = tables.PendingEvent.objects.aggregate(at=models.Min("created"))["at"]
    waits = lasting(max(0.0, time.time() - oldest)) if oldest else "none waits"
    waiting = sum(resident.mind.condition()["waiting"] for resident in residents)
    yield "assistants that run", str(len(residents))
    yield "turns under way", str(sum(bool(resident.turn_id) for resident in residents))
    yield "lines that wait for an answer", str(waiting)
    yield "the oldest of them has waited", waits
    stopped = sum(bool(resident.disorder) for resident in residents)
    yield "resting or stopped after errors", str(stopped)
    if not trouble():
        yield "model calls under way", str(SERVICE.shared.bridge.pending)
        if workers := SERVICE.shared.workers:
            done, here = workers.counts["workers"], workers.counts["here"]
            told = f"{workers.pending} under way, {done} answered, {here} that no worker took"
            yield "questions for workers", told
    half, most = (f"{1000 * late:.0f} ms" for late in PROBE.lateness())
    yield "the game's loop is late by", f"{half} mostly, {most} in 1 of 100 looks (5 minutes)"


def _embedding_figures() -> Iterator[tuple[str, str]]:
    """Yield how far the memories of all that run have vectors, where they are to have any."""
    if trouble() or SERVICE.shared.embedder is None:
        return
    recalls = [resident.mind.recall for resident in SERVICE.residents.values()]
    done = sum(recall.embedded[0] for recall in recalls)
    rows = sum(recall.embedded[1] for recall in recalls)
    older: Counter[str] = Counter()
    for recall in recalls:
        older.update(recall.by_older_models)
    told = [f"{done:,} of {rows:,} by {SERVICE.shared.embedder.model}"]
    told += [f"{count:,} more by {model} until then" for model, count in older.items()]
    yield "memories found by meaning", ", ".join(told)


def nights_under_way() -> Iterator[tuple[int, int]]:
    """Yield of each night that has work left how many of its stages are behind it, of how many."""
    minds = (resident.mind for resident in SERVICE.residents.values())
    for sleep in (mind.store.view("sleep") for mind in minds if mind.phase):
        if not work_is_done(sleep):
            yield sleep["stage"], len(STAGES)


COUNTED = {
    tables.Memory: "memories",
    tables.AssistantEvent: "records of the audit log",
    tables.Participation: "spoken lines",
}
"""The tables that grow, and what a row of each is."""


def _database_figures() -> Iterator[tuple[str, str]]:
    watch = SERVICE.watch
    yield "database", connection.display_name
    yield "it takes what is written", "no" if watch.trouble else "yes"
    yield "writes that wait for it", str(len(watch.writes.waiting))


def _table_figures() -> Iterator[tuple[str, str]]:
    for model, rows in COUNTED.items():
        with refusals():  # asked for both at once, SQLite would read a million rows
            first = model._default_manager.aggregate(end=models.Min("pk"))["end"]
            last = model._default_manager.aggregate(end=models.Max("pk"))["end"]
        most = last - first + 1 if last else 0  # as would counting them
        yield f"{rows} in the database, at most", f"{most:,}"
    yield "kept of model calls", kept_of_calls()


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting of the game."""

    name: str
    """As it stands in the settings, ``AI_ASSISTANT_`` included."""
    value: object
    """What holds; of what may be secret the names alone."""
    source: str
    """Where it comes from: `FROM_DEFAULT`, `FROM_FILE` or `FROM_GAME`."""
    about: str
    """What it does."""
    problem: str = ""
    """Why it cannot be used; empty where it can."""


def game_settings(word: str = "") -> list[SettingRow]:
    """Return the settings about a word, all where it is empty; no key is ever among them.

    What `ai/setup` keeps comes first, since it goes before the settings.
    """
    rows = [_kept(row) for row in known_profiles() if row.source != FROM_FILE]
    rows += [_setting(name) for name in vars(conf.Settings) if name.isupper()]
    word = word.strip().casefold()
    return [row for row in rows if word in f"{row.name} {row.about} {row.source}".casefold()]


def _kept(row: ProfileRow) -> SettingRow:
    can_be_used = row.profile is not None and not row.profile.note
    problem = "" if can_be_used else row.state
    return SettingRow(f"profile {row.name}", row.model, FROM_GAME, "a model profile", problem)


def _setting(name: str) -> SettingRow:
    full = f"AI_ASSISTANT_{name}"
    source = FROM_FILE if hasattr(django_settings, full) else FROM_DEFAULT
    value, problem = getattr(conf.settings, name), conf.settings.flaw(name)
    if name in _NAMES_ALONE:
        value = [*value]
    elif name in _SECRET and value:
        value = "set, and not shown"
    return SettingRow(full, value, source, _meanings().get(name, ""), problem)


@cache
def _meanings() -> dict[str, str]:
    """Return what each setting does, as it stands below it in `conf`."""
    (made,) = ast.parse(dedent(inspect.getsource(conf.Settings))).body
    body = made.body if isinstance(made, ast.ClassDef) else []
    return {
        named.target.id: str(said.value.value).replace("`", "")
        for named, said in pairwise(body)
        if isinstance(named, ast.AnnAssign) and isinstance(named.target, ast.Name)
        if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
    }
