"""The games that the tests share, each started once, and what a failed test shows of them."""

import fcntl

import pytest

from tests.e2e.harness import FakeModel, Game

LONGEST_FIRST = "moving removal database play fresh_game survival cards thinking talk desk".split()
"""The files that take longest, so that none of them is begun when the other workers are done."""


def pytest_collection_modifyitems(items):
    """Run these files first; the others stay as they are."""
    ranks = {f"test_{name}": rank for rank, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: ranks.get(item.path.stem, len(ranks)))


@pytest.fixture(scope="session")
def opened(tmp_path_factory, worker_id):
    """A village that was opened and stopped once, made by whichever worker is first."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared if worker_id == "master" else shared.parent
    folder = shared / "opened"
    with (shared / "opened.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            game = Game.village(tmp_path_factory.mktemp("opening"))
            with game:
                game.open().stop()
            game.root.rename(folder)
    return folder


@pytest.fixture(scope="session")
def village(tmp_path_factory, opened):
    """The demo game with the offline model."""
    with Game.village(tmp_path_factory.mktemp("village"), opened) as game:
        yield game.open()


@pytest.fixture(scope="session")
def fake_model():
    """A scriptable model server; a test that scripts it resets it."""
    model = FakeModel()
    yield model
    model.close()


@pytest.fixture(scope="session")
def village_llm(tmp_path_factory, opened, fake_model):
    """The demo game whose characters think with `fake_model`."""
    folder = tmp_path_factory.mktemp("village_llm")
    with Game.village(folder, opened, settings=fake_model.settings()) as game:
        yield game.open()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show the end of the log of every running game beside a failure."""
    report = yield
    if report.failed:
        for game in Game.alive:
            report.sections.append((f"log of the game in {game.root}", game.logs()))
    return report
