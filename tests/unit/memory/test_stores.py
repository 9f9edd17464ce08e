"""Stores of conversation memory: each form keeps the same promises, and a failure loses nothing."""

import pytest

from ai_assistant.core.errors import StoreError
from ai_assistant.memory.stores import Composite, Conflict, Debounced, InMemoryStore, NullStore

HERE = ("e-sera", "working", "e-alice")


class Broken(InMemoryStore):
    """A store that is down until it is mended."""

    down = True

    def save(self, address, value, version):
        if self.down:
            raise ConnectionError("no way")
        super().save(address, value, version)


class Later:
    """What was put off, to be run by hand."""

    def __init__(self):
        self.calls = []

    def __call__(self, seconds, call):
        self.calls.append(call)

    def run(self):
        calls, self.calls = self.calls, []
        for call in calls:
            call()


@pytest.fixture
def errors():
    return []


def report_to(errors):
    return lambda where, error: errors.append(error)


@pytest.fixture(params=["memory", "debounced", "composite"])
def store(request, errors):
    """One of each kind that keeps something."""
    return {
        "memory": InMemoryStore,
        "debounced": lambda: Debounced(InMemoryStore(), 5.0, Later(), report_to(errors)),
        "composite": lambda: Composite(InMemoryStore(), InMemoryStore(), report_to(errors)),
    }[request.param]()


def test_what_is_saved_is_loaded(store):
    """A state comes back as a copy, under its own address only."""
    value = {"lines": ["one"]}
    store.save(HERE, value, store.load(HERE)[1])
    value["lines"].append("two")
    assert store.load(HERE)[0] == {"lines": ["one"]}
    assert store.load(("e-sera", "working", "e-bob")) == (None, 0)
    assert store.keys("e-sera", "working") == ["e-alice"]
    assert store.keys("e-sera", "stream") == []


def test_an_old_version_is_refused(store):
    """Whoever saves over what they have not seen is told so."""
    _, version = store.load(HERE)
    store.save(HERE, {"by": "one"}, version)
    with pytest.raises(Conflict):
        store.save(HERE, {"by": "other"}, version)
    assert store.load(HERE)[0] == {"by": "one"}


def test_two_writers_lose_nothing(store):
    """Each loads, adds and saves, and begins anew where the other was faster."""
    for _ in range(100):
        for writer in ("a", "b"):
            stale = store.load(HERE)
            other, version = store.load(HERE)
            store.save(HERE, {"n": (other or {"n": 0})["n"] + 1}, version)
            with pytest.raises(Conflict):
                store.save(HERE, {"n": -1, "by": writer}, stale[1])
    assert store.load(HERE)[0] == {"n": 200}


def test_an_assistant_is_forgotten_alone(store):
    """Nothing of it is left, and everything of the others."""
    for who in ("e-sera", "e-marrek"):
        store.save((who, "stream", ""), {"of": who}, 0)
    store.delete("e-sera")
    assert store.load(("e-sera", "stream", "")) == (None, 0)
    assert store.load(("e-marrek", "stream", ""))[0] == {"of": "e-marrek"}


def test_nothing_is_kept_by_the_null_store():
    """Every turn begins anew."""
    store = NullStore()
    store.save(HERE, {"a": 1}, 0)
    store.delete("e-sera")
    assert store.load(HERE) == (None, 0)
    assert store.keys("e-sera", "working") == []


def test_a_slow_store_is_asked_seldom_and_in_the_end(errors):
    """Many saves become one; until then the newest is read from here."""
    slow, later = InMemoryStore(), Later()
    store = Debounced(slow, 5.0, later, report_to(errors))
    for number in range(10):
        store.save(HERE, {"n": number}, store.load(HERE)[1])
    assert slow.load(HERE) == (None, 0)
    assert len(later.calls) == 1
    later.run()
    assert slow.load(HERE) == ({"n": 9}, 1)
    store.save(HERE, {"n": 10}, store.load(HERE)[1])
    store.flush()
    assert slow.load(HERE)[0] == {"n": 10}
    assert errors == []


def test_a_slow_store_that_is_down_gets_it_later(errors):
    """What it refuses is reported and tried again."""
    slow, later = Broken(), Later()
    store = Debounced(slow, 5.0, later, report_to(errors))
    store.save(HERE, {"n": 1}, 0)
    later.run()
    assert len(errors) == 1
    slow.down = False
    later.run()
    assert slow.load(HERE)[0] == {"n": 1}


def test_a_debounced_store_has_one_writer(errors):
    """Where another one saved meanwhile, that is reported, and what is here is saved after it."""
    slow, later = InMemoryStore(), Later()
    store = Debounced(slow, 5.0, later, report_to(errors))
    store.save(HERE, {"by": "here"}, store.load(HERE)[1])
    slow.save(HERE, {"by": "another"}, 0)
    later.run()
    assert len(errors) == 1
    later.run()
    assert slow.load(HERE)[0] == {"by": "here"}


def test_both_copies_are_forgotten(errors):
    """Deleting an assistant leaves it in neither store."""
    first, second = InMemoryStore(), InMemoryStore()
    store = Composite(first, second, report_to(errors))
    store.save(HERE, {"n": 1}, 0)
    store.delete("e-sera")
    assert first.keys("e-sera", "working") == second.keys("e-sera", "working") == []


def test_a_copy_that_fails_loses_nothing(errors):
    """The first store is believed; the second catches up with the next save."""
    second = Broken()
    store = Composite(InMemoryStore(), second, report_to(errors))
    store.save(HERE, {"n": 1}, 0)
    assert store.load(HERE)[0] == {"n": 1}
    second.down = False
    store.save(HERE, {"n": 2}, store.load(HERE)[1])
    assert second.load(HERE)[0] == {"n": 2}
    assert len(errors) == 1


def test_a_conflict_is_an_error_of_the_store():
    """Whoever catches `StoreError` catches it too."""
    assert issubclass(Conflict, StoreError)
