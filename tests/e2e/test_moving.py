"""A living game moves to PostgreSQL and back, however often the move is killed, and lives on."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress

import pytest

from server.bootstrap import Trouble
from tests.e2e.harness import TABLES as MADE
from tests.e2e.harness import Game
from tests.e2e.postgres import LACKING, postgresql

BACK = {"ENGINE": "django.db.backends.sqlite3", "NAME": "server/back.db3"}
MANY = 6_000
"""Memories beside the game's own, so that a move can be killed in the midst of them."""
FILL = f"""
    INSERT INTO ai_assistant_memory (session, container, kind, content, subject, author,
        author_name, readers, game_day, location, learned_at, importance, trust, parents, meta,
        embedding, embedding_model)
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {MANY})
    SELECT '', 'elsewhere', 'note', 'Größe ' || n, '', 'e1', 'Édna', '*', n, '', n / 7.0, 5, 0.9,
        '[' || n || ']', '{{"zero": -0.0, "b": 1e22, "a": 2.50, "c": "\\u00e9"}}', x'00ff07', 'm'
    FROM numbers
"""
TABLES = """
    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name <> 'django_migrations'
"""
GIVEN = "SELECT name, seq FROM sqlite_sequence WHERE seq > 0"
CUT_SHORT = """
import os, re, signal, sys
from evennia.server.evennia_launcher import main
write = sys.stdout.write
def cut_short(text):
    if re.search("5,000 of .* copied", text):
        os.kill(os.getpid(), signal.SIGKILL)
    return write(text)
sys.stdout.write = cut_short
main()
"""
"""A command that is killed in the midst of the memories."""


@pytest.fixture
def game(tmp_path, opened):
    """A village on SQLite with a long past, in which Alice told Tansy of her cat; it is down."""
    if LACKING:
        pytest.skip(LACKING)
    with postgresql() as database:
        path = database.python_path(tmp_path)
        with Game.village(tmp_path, opened, python_path=path) as village:
            there = database.settings["DATABASES"]["default"]
            village.append(
                "server/conf/settings.py",
                f"DATABASES |= {{'there': {there!r}, 'back': {BACK!r}}}\n",
            )
            shutil.copy(opened / MADE, tmp_path / BACK["NAME"])  # PostgreSQL has its tables made
            village.open()
            with village.join("Alice") as alice:
                alice.ask("say hello tansy, my cat is called Whiskers.", "^Tansy Brewell says")
            assert "The game is running. To do: evennia stop" in refusal(village, "there")
            village.stop()
            with closing(sqlite3.connect(tmp_path / "server/evennia.db3")) as file:
                file.execute(FILL)
                file.execute("DELETE FROM ai_assistant_memory WHERE game_day = ?", [MANY])
                file.commit()
            village.database = database
            yield village


def refusal(game, to):
    """Return what the move says that does not begin."""
    with pytest.raises(Trouble) as told:
        game.process.evennia("ai_move_database", to)
    return str(told.value)


def killed(game, to):
    """Begin to move, and be killed in the midst of it."""
    command = [sys.executable, "-c", CUT_SHORT, "ai_move_database", to]
    move = subprocess.run(
        command, cwd=game.root, env=game.process._env, capture_output=True, text=True, check=False
    )
    assert move.returncode == -signal.SIGKILL, move.stdout + move.stderr


def rows_of(path):
    """Return all rows of a game's file by table, and the last number given in each."""
    with closing(sqlite3.connect(path)) as file:
        names = {name for (name,) in file.execute(TABLES)}
        rows = {
            name: [[*map(said, row)] for row in file.execute(f"SELECT * FROM {name} ORDER BY 1")]
            for name in names
        }
        given = {(name, last) for name, last in file.execute(GIVEN) if name in names}
    return rows, given


def said(value):
    """Return what a value says: of JSON what is in it."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            return json.loads(value)
    return value


def play_on(game):
    """Let the game have run for a moment: a memory is another, and the lease has a new number."""
    with closing(sqlite3.connect(game.root / "server/evennia.db3")) as file:
        file.execute("UPDATE ai_assistant_memory SET content = 'Played on.' WHERE game_day = 7")
        file.execute("UPDATE ai_assistant_lease SET epoch = epoch + 1")
        file.commit()


def test_a_game_moves_there_and_back(game):
    """Killed three times on the way, every row and every next number is the same; Tansy remembers.

    A move during which the game ran, or of which a row is not the same, begins anew. A database
    that is of another version, or holds a game, is refused.
    """
    query = game.database.sql
    killed(game, "there")
    play_on(game)
    killed(game, "there")
    query("INSERT INTO django_migrations VALUES (9999, 'objects', '9999_new', now()) RETURNING id")
    assert "It lacks objects.9999_new. To do: evennia migrate" in refusal(game, "there")
    query("DELETE FROM django_migrations WHERE id = 9999 RETURNING id")
    query("UPDATE ai_assistant_memory SET trust = 0.8 WHERE game_day = 4000 RETURNING id")
    told = refusal(game, "there")
    assert "Going on where" in told
    assert "ai_assistant_memory is not the same in both" in told
    game.process.evennia("ai_move_database", "there")
    assert "there has rows already" in refusal(game, "there")
    game.append("server/conf/settings.py", "DATABASES['default'] = DATABASES['there']\n")
    killed(game, "back")
    game.process.evennia("ai_move_database", "back")
    before = rows_of(game.root / "server/evennia.db3")
    assert len(before[0]["ai_assistant_memory"]) >= MANY - 1
    assert rows_of(game.root / "server/back.db3") == before
    game.start()
    with game.join("Alice") as alice:
        alice.ask("say tansy, what is my cat called?", "^Tansy Brewell says.*Whiskers")
    last = query("SELECT max(id) FROM ai_assistant_memory")[0][0]
    assert last > dict(before[1])["ai_assistant_memory"]
