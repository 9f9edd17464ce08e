"""The games that the tests share, each started once, and what a failed test shows of them."""

import pytest

from tests.e2e.harness import FakeModel, Game


@pytest.fixture(scope="session")
def village(tmp_path_factory):
    """The demo game with the offline model."""
    with Game.village(tmp_path_factory.mktemp("village")) as game:
        yield game.open()


@pytest.fixture(scope="session")
def fake_model():
    """A scriptable model server; a test that scripts it resets it."""
    model = FakeModel()
    yield model
    model.close()


@pytest.fixture(scope="session")
def village_llm(tmp_path_factory, fake_model):
    """The demo game whose characters think with `fake_model`."""
    folder = tmp_path_factory.mktemp("village_llm")
    with Game.village(folder, settings=fake_model.settings()) as game:
        yield game.open()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show the end of the log of every running game beside a failure."""
    report = yield
    if report.failed:
        for game in Game.alive:
            report.sections.append((f"log of the game in {game.root}", game.logs()))
    return report
