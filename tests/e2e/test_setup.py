"""The way to a real model: the docs' `ai/setup`, typed word by word in a game of Evennia's."""

import re

import pytest

from tests.e2e.harness import ROOT, FakeModel
from tests.e2e.test_fresh_game import game  # noqa: F401 - the README's lines, done to a new game

PAGE = (ROOT / "docs/models.md").read_text()
ADDRESS = "http://127.0.0.1:8080/v1"
GOOD = (
    {"call": "read_clock", "when": "clock"},
    {"say": '{"name": "Tom", "age": 7}', "when": "Tom"},
    {"say": "heliotrope", "when": "password"},
)


def walkthrough():
    """Return the docs' lines: [(typed, what is seen after it)]."""
    block = re.search(r"```text\n(> ai/setup\n.*?)```", PAGE, re.DOTALL)[1]
    steps = []
    for line in block.splitlines():
        if line.startswith("> "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line.strip())
    return steps


@pytest.fixture(scope="module")
def model():
    """A model's server that can do all that is asked of it."""
    fake = FakeModel(reply="Aye, who calls?")
    fake.script(*GOOD)
    yield fake
    fake.close()


def test_the_docs_lead_to_a_character_that_answers(game, model):  # noqa: F811
    """Each line of the page is seen after what was typed; the model is asked in the end."""
    owner = game.owner()
    for typed, seen in walkthrough():
        owner.read(0)
        owner.send(typed.replace(ADDRESS, model.url))
        for line in seen:
            owner.expect(re.escape(line), 30)
    assert model.requests()[-1]["body"]["model"] == "fake"
    game.reload()
    owner.ask("say hello again marrek", "^Old Marrek says", 30)


def test_the_doctor_finds_the_game_in_order(game, model):  # noqa: F811
    """`evennia ai_doctor` names what was set up, and what could be better."""
    told = game.process.evennia("ai_doctor")
    assert "default: fake (local), from ai/setup." in told
    assert f"default at {model.url} answers." in told
    assert "0 problems" in told


def test_the_live_test_says_who_does_not_answer(game, model):  # noqa: F811
    """A server that is gone is told with what to do next, and the game goes on."""
    owner = game.owner()
    model.script({"fault": "401"})
    owner.ask("ai/test", "refused the key.*401", 30)
    owner.expect("Next: The key is refused", 5)
    model.script(*GOOD)
    owner.ask("ai/test default", "tool calls: native", 30)
