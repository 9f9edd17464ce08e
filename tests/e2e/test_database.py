"""A database that takes nothing, on a running game: others play on, what was said has its end.

One server is in charge of a database: of two, one answers, and the other takes over when it dies.
"""

import sqlite3
import time
from contextlib import closing, contextmanager

import pytest

from tests.e2e.harness import Game, wait_for
from tests.e2e.test_survival import closed, waiting

TANSY = r"^Tansy Brewell says"
AWAY = 6.0
"""Seconds for which the database takes nothing."""
WAITS = 'DATABASES["default"]["OPTIONS"] = {"timeout": 60}\n'
"""For so long a statement waits that nobody has told not to, so that it shows on any machine."""
MOST, LONGEST = 2.0, 30.0
"""Seconds within which a bystander has most of their lines, and all of them."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened, fake_model):
    """A village with a model."""
    folder = tmp_path_factory.mktemp("database")
    with Game.village(folder, opened, settings=fake_model.settings()) as village:
        village.append("server/conf/settings.py", WAITS)
        yield village.open()


@pytest.fixture
def model(fake_model):
    """The model's server, which takes half a second for an answer."""
    fake_model.reset(latency=0.5)
    yield fake_model
    fake_model.reset(latency=0.05)


def path_of(game):
    return game.root / "server" / "evennia.db3"


@contextmanager
def locked(game):
    """Within, another process writes to the database and does not come to an end."""
    with closing(sqlite3.connect(path_of(game), timeout=10, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def pragma(game, within, after):
    """Within, the server's own connection has a limit; staff set it, as the superuser may."""
    command = "py from django.db import connection; connection.cursor().execute('PRAGMA {}')"
    with game.owner() as owner:
        owner.ask(command.format(within), r"cursor|<<<|>>>")
        yield
        owner.ask(command.format(after), r"cursor|<<<|>>>")


def full(game):
    """Within, the database may not grow by a page."""
    with closing(sqlite3.connect(path_of(game))) as other:
        pages = other.execute("PRAGMA page_count").fetchone()[0]
    return pragma(game, f"max_page_count = {pages}", "max_page_count = 1073741823")


def read_only(game):
    """Within, nothing may be written."""
    return pragma(game, "query_only = 1", "query_only = 0")


def talk(line, seconds):
    """Let a bystander talk for some seconds; returns how long each line of theirs took."""
    took, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.monotonic()
        line.ask(f"say So it goes, {len(took)}.", rf"You say, \"So it goes, {len(took)}\.\"")
        took.append(time.monotonic() - started)
        time.sleep(0.1)
    return sorted(took)


def assert_prompt(took):
    """Nobody waited for the database, however slow the machine is."""
    assert took[len(took) // 2] <= MOST
    assert took[-1] <= LONGEST


def has_heard(line, words):
    """Is it among what came so far?"""
    line.read(0.1)
    return words in line.transcript


@pytest.mark.parametrize("away", [locked, full, read_only])
def test_others_play_on_and_everybody_is_answered(game, model, away):
    """Nobody waits for the database; what was said before and meanwhile is answered, once."""
    with game.join("Alice") as alice, game.join("Bob") as bob, game.join("Carol") as carol:
        alice.ask("say hello tansy, who are you?", TANSY)
        alice.ask("say tansy, and how are you?", TANSY)
        talk(bob, 1)
        before = closed(game)
        alice.send("say tansy, what of the ferry?")
        time.sleep(0.2)  # the model is thinking
        with away(game):
            carol.send("say tansy, do you know me?")
            took = talk(bob, AWAY)
            assert_prompt(took)
            assert "Traceback" not in alice.read(0.1) + carol.read(0.1)
        answers = ["You said: tansy, what of the ferry?", "You said: tansy, do you know me?"]
        wait_for(lambda: all(has_heard(bob, answer) for answer in answers))
        wait_for(lambda: not waiting(game))
        bob.read(1)
        assert [bob.transcript.count(answer) for answer in answers] == [1, 1]
        assert closed(game) == before
        alice.ask("say tansy, are you there?", TANSY)
    assert "The assistants answer again." in game.logs(400)


def test_of_two_servers_one_answers(tmp_path, game, model, opened):
    """The second listens and says so; when the first is killed, it takes over by itself."""
    database = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path_of(game))}}
    settings = {**model.settings(), "DATABASES": database}
    with Game.village(tmp_path, opened, settings=settings) as second:
        second.open()
        wait_for(lambda: "Another server" in second.logs(400))
        with game.join("Alice") as here:
            here.ask("say hello tansy, is it you?", TANSY)
        with second.join("Dora") as there:
            there.send("say hello tansy, is it you?")
            there.silent(3, TANSY)
            game.kill9_server()
            wait_for(lambda: "The assistants answer again." in second.logs(400))
            there.ask("say tansy, is it you now?", TANSY)
        second.stop()
        game.start()
        with game.join("Alice") as here:
            here.ask("say hello tansy, is it you again?", TANSY)
        assert "Another server" not in game.logs(30)


def test_a_reload_takes_over_at_once(game, model):
    """The old process gives its lease back, so the new one need not wait until it runs out."""
    with game.join("Alice") as alice:
        before = game.sql("select epoch from ai_assistant_lease")[0][0]
        game.reload()
        alice.ask("say hello tansy, still there?", TANSY)
        assert game.sql("select epoch from ai_assistant_lease")[0][0] == before + 1
        assert "Another server" not in game.logs(30)
