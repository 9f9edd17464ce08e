"""Another store for talk has four calls; ``AI_ASSISTANT_MEMORY_STORE`` names who makes it."""

import shelve

import pytest

from ai_assistant import Conflict
from tests.unit.memory.test_stores import (  # noqa: F401 - what every such store promises
    test_an_assistant_is_forgotten_alone,
    test_an_old_version_is_refused,
    test_two_writers_lose_nothing,
    test_what_is_saved_is_loaded,
)


class Shelf:
    """Keeps states with their versions in a file; an address is (assistant, part, key)."""

    def __init__(self, path):
        self.kept = shelve.open(str(path))  # noqa: SIM115 - it stays open

    def load(self, address):
        return self.kept.get("/".join(address), (None, 0))

    def save(self, address, value, version):
        if self.load(address)[1] != version:
            raise Conflict("Somebody else saved it meanwhile.")
        self.kept["/".join(address)] = (value, version + 1)

    def keys(self, assistant, part):
        known = (address.split("/", 2) for address in self.kept)
        return [key for who, name, key in known if (who, name) == (assistant, part)]

    def delete(self, assistant):
        for address in [each for each in self.kept if each.startswith(f"{assistant}/")]:
            del self.kept[address]


@pytest.fixture
def store(tmp_path):
    return Shelf(tmp_path / "talk")
