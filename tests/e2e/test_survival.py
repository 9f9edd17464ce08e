"""Survival: a server killed in mid-thought answers once, or closes the question with a reason."""

import json

import pytest

from tests.e2e.harness import Game, wait_for

TANSY = r"^Tansy Brewell says"
SHORT = {"AI_ASSISTANT_RESTORE_WAIT": 1.0}
"""Seconds that a restored question waits for a speaker who is not to come back."""

ENDS_LATE = """
import atexit, time
atexit.register(time.sleep, 2)
"""
"""What keeps a process for a while that has nothing more to do, as a large one takes to end."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened, fake_model):
    """A village with a model."""
    folder = tmp_path_factory.mktemp("survival")
    with Game.village(folder, opened, settings=fake_model.settings()) as village:
        yield village.open()


@pytest.fixture
def model(fake_model):
    """The model's server, without script."""
    fake_model.reset(latency=0.05)
    yield fake_model
    fake_model.reset(latency=0.05)


def waiting(game):
    """How many questions are on disk and not closed."""
    return game.sql("select count(*) from ai_assistant_pending")[0][0]


def closed(game):
    """Why questions were closed unanswered, as the audit log has it."""
    found = game.sql("select data from ai_assistant_event where type = 'EventClosed'")
    return [json.loads(data)["reason"] for (data,) in found]


def kill_in_mid_thought(game, model, line, words):
    """Ask, and kill the server while the model is thinking."""
    model.reset(latency=30)
    line.send(words)
    wait_for(model.requests)
    assert waiting(game) == 1
    game.kill9_server()
    model.reset(latency=0.05)


def test_question_of_a_killed_server_is_answered_once(game, model):
    """After the restart its speaker comes back, and hears one answer."""
    kill_in_mid_thought(game, model, game.join("Alice"), "say hello tansy, are you there?")
    game.start()
    line = game.join("Alice")
    line.expect(TANSY)
    line.silent(3, TANSY)
    assert waiting(game) == 0
    assert len(model.requests()) == 1


def test_reload_in_mid_thought_asks_again(game, model):
    """A graceful reload gives the attempt back: the question is answered afterwards, once."""
    line = game.join("Carol")
    model.reset(latency=30)
    line.send("say hello tansy, one more thing")
    wait_for(model.requests)
    model.reset(latency=0.05)
    game.reload()
    line.expect(TANSY)
    line.silent(2, TANSY)
    assert game.sql("select attempts from ai_assistant_pending") == []


def test_question_of_somebody_gone_is_closed_with_a_reason(game, model):
    """Where the speaker does not come back, the question ends on record, and nobody answers it."""
    line = game.join("Bob")
    kill_in_mid_thought(game, model, line, "say hello tansy, hear my secret plan")
    line.close()
    game.set(**SHORT)
    game.start()
    wait_for(lambda: waiting(game) == 0)
    assert closed(game) == ["speaker_gone"]
    assert model.requests() == []


def test_reload_does_not_wait_for_the_old_process_to_end(game):
    """Its ports are free once it let go of the Portal, which is when the next one is started."""
    game.append("server/conf/settings.py", ENDS_LATE)
    game.reload()
    game.reload()
    assert "Traceback" not in game.process.log_tail(60)
