"""A game on PostgreSQL: the workers that read its nights may die, and the database may die."""

import subprocess
from contextlib import contextmanager

import pytest

from tests.e2e.harness import PATIENCE, Game, wait_for
from tests.e2e.postgres import LACKING, postgresql
from tests.e2e.test_database import AWAY, TANSY, assert_prompt, talk
from tests.e2e.test_sleep import OF_ALICE, facts_of, fall_asleep, report, tell, wait_until_awake

ONLY_WORKERS_REACH_IT = """
import os
AI_ASSISTANT_LLM["default"]["base_url"] = os.environ.get("NIGHTS_MODEL", "http://127.0.0.1:9/v1")
AI_ASSISTANT_LLM["vectors"] = AI_ASSISTANT_LLM["default"]
"""
"""What lets the model be reached by workers alone, so that nobody else can have read the night."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, fake_model):
    """A village on PostgreSQL, whose nights are read by workers."""
    if LACKING:
        pytest.skip(LACKING)
    folder = tmp_path_factory.mktemp("workers")
    with postgresql() as database:
        settings = {**fake_model.settings(), **database.settings, "AI_ASSISTANT_WORKERS": True}
        path = database.python_path(folder)
        with Game.village(folder, settings=settings, python_path=path) as village:
            village.append("server/conf/settings.py", ONLY_WORKERS_REACH_IT)
            village.open()
            village.database = database
            village.owner().ask("ai/config tansy = tick_rate_sleep 2", "tick_rate_sleep")
            yield village


@pytest.fixture
def model(fake_model):
    """The model's server, which is slow, so that a worker can be met at its work."""
    fake_model.reset(latency=30)
    yield fake_model
    fake_model.reset(latency=0.05)


@contextmanager
def a_worker(game, model):
    """Within, one works for the game; it is given to the test, and killed afterwards."""
    command = [str(game.process._launcher), "ai_worker"]
    environment = {**game.process._env, "NIGHTS_MODEL": model.url}
    worker = subprocess.Popen(
        command, cwd=game.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        yield worker
    finally:
        worker.kill()
        worker.communicate()


def questions(game):
    """Return how many questions stand in the database."""
    return game.database.sql("select count(*) from ai_assistant_question")[0][0]


def test_a_killed_worker_s_question_is_answered_by_another(game, model):
    """Killed in the midst of a night, its question goes to the next; the night is whole.

    Also where the same was asked again before anybody knew that the first worker is dead.
    """
    alice, owner = game.join("Alice"), game.owner()
    owner.ask("ai/quiet tansy", "quiet until")  # the game reaches no model
    tell(alice, OF_ALICE)
    owner.ask("ai/quiet tansy = end", "Tansy")
    with a_worker(game, model) as first:
        question = fall_asleep(owner, model)
        assert "I live in Oakvale." in question
        first.kill()
    columns = "task_name, queue_name, lock, queueing_lock, args"
    game.database.sql(
        f"insert into procrastinate_jobs ({columns}) "
        f"select {columns} from procrastinate_jobs where status = 'doing' returning id"
    )
    model.reset(latency=0.05)
    model.script({"say": facts_of(question), "when": "I live in Oakvale."})
    with a_worker(game, model):
        wait_until_awake(owner)
        doing = "select id from procrastinate_jobs where status = 'doing'"
        wait_for(lambda: not game.database.sql(doing))
    assert "lives in Oakvale" in report(owner)
    assert questions(game) == 0


def test_a_batch_of_vectors_is_made_by_a_worker(game, model):
    """Of memories that were there before: the game, which reaches no model, only writes them."""
    model.reset(latency=0.05)
    owner = game.owner()
    owner.ask("ai/config tansy = tick_rate 1", "tick_rate")
    game.database.sql(
        "insert into ai_assistant_memory select (jsonb_populate_record(one, jsonb_build_object("
        "'id', 1000000 + n, 'content', 'Sheep ' || n))).* "
        "from ai_assistant_memory one, generate_series(1, 32) n "
        "where one.id = (select min(id) from ai_assistant_memory) returning id"
    )
    game.set(AI_ASSISTANT_EMBEDDINGS="vectors")
    count = "select count(*) from ai_assistant_memory where embedding is not null"
    with a_worker(game, model):
        game.reload()
        wait_for(lambda: game.database.sql(count)[0][0] >= 32)
    wait_for(lambda: questions(game) == 0)


def test_a_worker_of_another_version_refuses_in_one_line(game):
    """It says what to do, and takes no question; that of a newer database is said in test_mcp."""
    change = "update django_migrations set app = '{}' where name = '0016_call_sources' returning id"
    game.database.sql(change.format("other"))
    run = subprocess.run(
        [game.process._launcher, "ai_worker", "--once"],
        cwd=game.root, env=game.process._env, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    game.database.sql(change.format("ai_assistant"))
    (line,) = (run.stdout + run.stderr).strip().splitlines()
    assert "1 of our migrations are not applied." in line
    assert "To do: " in line


def test_postgresql_may_die(game, fake_model):
    """A lost connection is opened anew by itself, and what was said meanwhile is answered.

    What the answers took is on record, each of them.
    """
    fake_model.reset(latency=0.5)
    game.set(AI_ASSISTANT_WORKERS=False, **fake_model.settings())
    game.reload()
    calls = "select coalesce(sum(least(calls, unpriced)), 0) from ai_assistant_spending"
    before = game.database.sql(calls)[0][0]
    with game.join("Alice") as alice, game.join("Bob") as bob:
        alice.ask("say hello tansy, who are you?", TANSY)
        talk(bob, 1)
        game.database.die()
        alice.send("say tansy, what of the ferry?")
        took = talk(bob, AWAY)
        game.database.start()
        assert_prompt(took)
        alice.expect(TANSY)
        alice.silent(2, TANSY)
        alice.ask("say tansy, are you there?", TANSY)
        wait_for(lambda: game.database.sql(calls)[0][0] >= before + 3)
    assert "The assistants answer again." in game.logs(400)
