"""Promises of the database: any history is kept as it was lived, and no writer undoes another."""

import json
import random
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.models import MemoryBlock
from ai_assistant.storage import AttributeStore
from ai_assistant.testing import DictStore
from tests.evennia.storehouse import build_store, forget_caches, sqlite_only
from tests.steps import histories

WRITERS, TIMES = 8, 250
PROCESSES = 3
"""Each of them has Evennia to start, which is what takes the time."""


@pytest.mark.django_db
@given(st.lists(histories, min_size=1, max_size=3))
def test_attributes_keep_what_was_lived(commits):
    """After any commits, and a restart, the database holds what plain dictionaries hold."""
    _, character, script = build_store()
    MemoryBlock.objects.all().delete()  # an example before this one left its blocks
    kept, plain = AttributeStore(character, script, "e1", PARTS), DictStore(PARTS)
    for history in commits:
        commit = Commit(at=1000.0, changes=[Change(*change) for change in history])
        rows = kept.commit(commit)
        assert [row.content for row in rows] == [row.content for row in plain.commit(commit)]
    forget_caches()
    restarted = AttributeStore(
        *(type(one).objects.get(pk=one.pk) for one in (character, script)), "e1", PARTS
    )
    for part, key in plain.state:
        assert json.loads(json.dumps(restarted.read(part, key))) == plain.read(part, key)
    for name, part in PARTS.items():
        lived = [key for key in plain.keys(name) if plain.read(name, key) != part.empty()]
        keys = lived if part.is_block else plain.keys(name)  # a block that nobody wrote is none
        assert not part.keyed or sorted(restarted.keys(name)) == sorted(keys)


def test_eight_writers_lose_no_count(db):
    """Hundreds of counts by each of eight holders of one character, in any order, all count."""
    _, character, script = build_store()
    stores = [AttributeStore(character, script, "e1", PARTS) for _ in range(WRITERS)]
    turns = stores * TIMES
    random.Random(8).shuffle(turns)
    one_more = Commit(at=1.0, changes=[Change("metrics", "", "count", {"name": "words"})])
    for store in turns:
        store.commit(one_more)
    forget_caches()
    assert stores[0].read("metrics")["counts"] == {"words": WRITERS * TIMES}


@pytest.fixture(scope="module")
def database(tmp_path_factory, root):
    """A database in a file, with our tables."""
    path = tmp_path_factory.mktemp("writers") / "game.db3"
    start(root, path, "prepare").communicate(timeout=120)
    return path


def start(root, path, *job):
    """Start a writer."""
    arguments = [sys.executable, "-m", "tests.evennia.writers", str(path), *map(str, job)]
    return subprocess.Popen(arguments, cwd=root, stdout=subprocess.PIPE, text=True)


def let_write(root, path, job):
    """Let all writers do a job at the same time; returns how often one was refused."""
    writers = [start(root, path, job, TIMES) for _ in range(PROCESSES)]
    told = [writer.communicate(timeout=240)[0] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * PROCESSES
    return sum(int(one) for one in told)


def query(path, sql):
    """Return the one row of a query."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchone()
    finally:
        connection.close()


@sqlite_only
def test_processes_lose_nothing_of_a_block(root, database):
    """Whoever wrote a stale version was told so and tried again: every write is in the end."""
    let_write(root, database, "block")
    value, version = query(database, "SELECT value, version FROM ai_assistant_block")
    assert (json.loads(value), version) == ({"count": PROCESSES * TIMES}, PROCESSES * TIMES)


@sqlite_only
def test_processes_lose_nothing_of_the_book(root, database):
    """Amounts are added by the database: no writer has to try again, and all is there."""
    assert let_write(root, database, "spend") == 0
    spent = "SELECT SUM(calls), SUM(tokens) FROM ai_assistant_usage WHERE owner = 'e1'"
    assert query(database, spent) == (PROCESSES * TIMES, PROCESSES * TIMES * 10)
