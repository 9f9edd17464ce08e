"""An assistant in processes that may die at any moment: it lives, sleeps and tells what it knows.

What it does is done by deeds, functions that run in a child process on a database file.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import django
import evennia
from django.core.management import call_command
from django.db import connection, connections

from ai_assistant.core.contracts import Change, Commit, Json, MemoryRow
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import Model
from ai_assistant.memory.inner.sleep_state import night_id
from ai_assistant.memory.search.recall import Recall
from ai_assistant.memory.search.searchable_parts import AT_HAND
from ai_assistant.prompts import load_prompt
from ai_assistant.sleep.night import STAGES, sleep_on, work_is_done
from ai_assistant.sleep.waking import wake_up
from ai_assistant.sleep.work import RECORD
from ai_assistant.testing import ManualClock, no_limit, run
from bench.mortal_days import Fact, a_day, bedtime

THINKING = 0.002
"""Seconds that a model's answer takes."""
WRITING = "writing"
COUNTS_TRIES = ("pieces", "calls", "credit", "skipped", "spare")

Tell = Callable[[str], None]
Deed = Callable[..., Any]


# -- processes


def prepare(folder: Path, model: str = "http://127.0.0.1:9") -> Path:
    """Set up Django and Evennia in this process; returns an empty database for `born`.

    `model` is the address of one; without it the offline model speaks, or what stands in for it.
    """
    os.environ["AI_ASSISTANT_BENCH_FOLDER"] = str(folder)
    os.environ["AI_ASSISTANT_BENCH_MODEL"] = model
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    evennia._init()
    connections.close_all()
    return folder / "bench.db3"


def born(database: Path, deed: Deed, *args: Any) -> tuple[int, int]:
    """Start a process that does something on a database; returns its id and a pipe to read.

    It is a fork of this one, which never read anything of an assistant: it costs milliseconds, and
    knows what is on the disk. ``deed(tell, *args)`` may tell lines; the pipe's last line is what it
    returned, as JSON.
    """
    ear, mouth = os.pipe()
    pid = os.fork()
    if pid:
        os.close(mouth)
        return pid, ear
    status = 1
    try:
        os.close(ear)
        connections["default"].settings_dict["NAME"] = str(database)
        evennia.EVENNIA_SERVER_SERVICE.sqlite3_prep()
        with os.fdopen(mouth, "w") as pipe:
            outcome = deed(lambda line: print(line, file=pipe, flush=True), *args)
            print(json.dumps(outcome), file=pipe)
        status = 0
    except BaseException as error:
        print(f"{deed.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
    finally:
        os._exit(status)


# -- deeds


def create(tell: Tell) -> None:
    """Create the assistant; all of it is in the one file then."""
    from ai_assistant.api import lifecycle
    from bench.people import a_room

    lifecycle.create_assistant("Marrek", location=a_room("Landing stage"))
    connection.close()  # which empties its write-ahead log


def live(tell: Tell, day: int, seed: int) -> list[Fact]:
    """Live a day; returns whose facts were told in it."""
    commit, facts = a_day(day, seed)
    _mind(day).save(commit)
    return facts


def sleep(tell: Tell, day: int) -> int:
    """Fall asleep or sleep on until the night is over; returns how many pieces that took.

    Tells the name of each stage before a piece of it, and of each write. Every other night a model
    does the smaller jobs, too.
    """
    mind, pieces = _mind(day), 0
    mind.model.is_offline = lambda job: day % 2 == 0
    mind.store = Telling(mind.store, tell)
    at = mind.clock.now()
    tell("falling asleep")
    if mind.store.read("sleep")["night"] != night_id(at):
        step = {"night": night_id(at), "why": "command", "at": at}
        mind.save(Commit(at, changes=[Change("sleep", "", "fall_asleep", step)]))
    while mind.phase and not work_is_done(now := mind.store.read("sleep")):
        tell(STAGES[now["stage"]][0])
        run(sleep_on(mind))
        pieces += 1
    tell("waking up")
    wake_up(mind, why="done")
    return pieces


def knowledge(tell: Tell, day: int) -> Json:
    """Return all that is known: every state, every row, every record of a night.

    Without what counts tries.
    """
    from ai_assistant.models import AssistantEvent, Memory

    store = _mind(day).store
    alone = {part: store.read(part) for part in ("journal", "session", "reflection", "sleep")}
    for counter in COUNTS_TRIES:
        del alone["sleep"][counter]
    rows = list(Memory.objects.order_by("pk").values())
    for row in rows:
        del row["embedding"]
    records = AssistantEvent.objects.filter(type=RECORD).order_by("pk")
    told = list(records.values_list("turn_id", "readers", "data"))
    with connection.cursor() as cursor:
        intact = cursor.execute("PRAGMA integrity_check").fetchone()[0]
    return {
        **alone,
        "profile": store.read_all("profile"),
        "working": store.read_all("working"),
        "rows": rows,
        "records": list(told),
        "database": intact,
    }


def _mind(day: int) -> Any:
    """Return the assistant's mind as a server builds it, at the end of a day, its index filled."""
    from ai_assistant.api.lifecycle import all_assistants
    from ai_assistant.runtime.assembly import build_assistant, build_shared
    from ai_assistant.runtime.service import SERVICE

    (character,) = all_assistants()
    mind = build_assistant(character, character.assistant_script, build_shared(), SERVICE.watch)
    mind.clock, mind.model, mind.limit = ManualClock(bedtime(day)), Oracle(), no_limit
    mind.recall = Recall(mind.store)  # searches on the spot: there is no reactor
    mind.recall.learn(mind.store.rows.newest(10_000))
    for part in AT_HAND:
        mind.recall.learn_part(part)
    for key in mind.store.keys("profile"):
        mind.recall.learn_part("profile", key)
    return mind


class Telling:
    """A store that tells when it begins to write."""

    def __init__(self, store: Any, tell: Tell) -> None:
        self._store, self._tell = store, tell

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything, or nothing."""
        self._tell(WRITING)
        written: list[MemoryRow] = self._store.commit(commit)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Oracle(Model):
    """A model that answers each job of the night by what it is shown, and always the same."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the answer to one question."""
        time.sleep(THINKING)
        job, data = request.messages[0].content, json.loads(request.messages[-1].content)
        if job == load_prompt("questions"):
            return ModelReply(text="Who has a lantern?\nWho came to the quay?")
        answers: Mapping[str, Callable[[Any], Any]] = {
            load_prompt("consolidate"): _facts,
            load_prompt("score"): _scores,
            load_prompt("insights"): _insights,
        }
        return ModelReply(text=json.dumps(answers[job](data)) if job in answers else "")


def _facts(data: Json) -> Json:
    names = {one["who"]: one["name"] for one in data["people"]}
    return {"facts": [_fact(one, names) for one in data["lines"]], "people": []}


def _fact(line: Json, names: Mapping[str, str]) -> Json:
    about = line.get("about") or line["who"]
    told = line["says"].removeprefix("I own a ")
    value = line["says"] if told == line["says"] else f"{names[about]} owns a {told}"
    return {"about": about, "fact": value, "lines": [line["id"]], "quote": line["says"]}


def _scores(data: list[Json]) -> list[Json]:
    return [{"id": one["id"], "importance": 6} for one in data]


def _insights(data: Json) -> list[Json]:
    return [
        {"insight": one["text"].partition(": ")[2], "evidence": [one["id"]]}
        for one in data["evidence"][:2]
    ]
