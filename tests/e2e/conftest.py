"""The games that the tests share, each started once, and what a failed test shows of them."""

import fcntl
import shutil
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.e2e.harness import KEY, PATIENCE, TABLES, FakeModel, Game

LONGEST_FIRST = (
    "village play postgresql village_llm removal hello moving evenings sleep mcp database"
    " scene_kills survival fresh_game"
).split()
"""What takes longest, so that none of it is begun when the other workers are done. What comes next
is given to a worker that has two tests left, so short ones follow what is a single test; and of
the first four, two wait for `opened`."""
SHARING = {
    "village": "cards desk pages plans rest scenes talk".split(),
    "village_llm": "desk_edits desk_presses scene_minds thinking".split(),
}
"""The files whose tests are played in the same village."""


def pytest_collection_modifyitems(items):
    """Run these files first, and those that share a village one after the other."""
    ranks = {name: rank for rank, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: ranks.get(_played_with(item.path), len(ranks)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each file to one worker, and all that share a village to the same."""
    return ByVillage(config, log)


class ByVillage(LoadFileScheduling):
    """Gives workers files, of which those that share a village count as one."""

    def _split_scope(self, nodeid):
        return _played_with(Path(super()._split_scope(nodeid)))


def _played_with(path):
    name = path.stem.removeprefix("test_")
    return next((village for village, files in SHARING.items() if name in files), name)


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
                game.process.evennia("migrate")
                shutil.copy(game.root / "server/evennia.db3", game.root / TABLES)
                game.start().stop()
            game.root.rename(folder)
    return folder


@pytest.fixture(scope="session")
def village(tmp_path_factory, opened):
    """The demo game with the offline model and the API."""
    settings = {"AI_ASSISTANT_API": True}
    with Game.village(tmp_path_factory.mktemp("village"), opened, settings=settings) as game:
        yield game.open()


@pytest.fixture(scope="session")
def fake_model():
    """A scriptable model server; a test that scripts it resets it."""
    model = FakeModel()
    yield model
    model.close()


@pytest.fixture(scope="session")
def fake_vectors():
    """A server that makes the vectors of memories, and of what they are asked."""
    server = FakeModel()
    yield server
    server.close()


@pytest.fixture(scope="session")
def village_llm(tmp_path_factory, opened, fake_model, fake_vectors):
    """The demo game whose characters think with `fake_model` and remember by `fake_vectors`."""
    settings = fake_model.settings() | {"AI_ASSISTANT_EMBEDDINGS": "vectors"}
    settings["AI_ASSISTANT_KEYS"] = {"default": KEY}
    settings["AI_ASSISTANT_LLM"]["vectors"] = {"base_url": fake_vectors.url, "model": "fake"}
    folder = tmp_path_factory.mktemp("village_llm")
    with Game.village(folder, opened, settings=settings) as game:
        yield game.open()


@pytest.fixture(scope="session")
def chrome():
    """A headless Chromium."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} on this machine")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for option in ("headless=new", "no-sandbox", "hide-scrollbars", "disable-dev-shm-usage"):
        options.add_argument(f"--{option}")
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    browser = webdriver.Chrome(options=options, service=service)
    browser.implicitly_wait(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def pictures(tmp_path_factory, worker_id):
    """The folder of all pictures, as `make pictures` keeps it; none beside other workers."""
    return tmp_path_factory.mktemp("desk", numbered=False) if worker_id == "master" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show the end of the log of every running game beside a failure."""
    report = yield
    if report.failed:
        for game in Game.alive:
            report.sections.append((f"log of the game in {game.root}", game.logs()))
    return report
