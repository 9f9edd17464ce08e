"""Deltas: whatever is done to a state, what was told of it makes every state that it ever was."""

from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.memory.moments.deltas import CHECKPOINT, Head, Watched, state_after

NAMES = st.sampled_from(["mood", "entries", "lines", "bond"])
ITEMS = st.fixed_dictionaries({"text": st.text(max_size=3), "n": st.integers(0, 3)})
VALUES = st.one_of(
    st.text(max_size=4), st.lists(st.text(max_size=2), max_size=3), st.lists(ITEMS, max_size=4)
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["set", "drop", "append", "trim", "edit", "turn round"]), NAMES, VALUES
    ),
    max_size=40,
)


def step(state, what, name, value):
    """Do one thing to a state, in place."""
    items = state.get(name)
    if what == "set":
        state[name] = deepcopy(value)
    elif what == "drop":
        state.pop(name, None)
    elif isinstance(items, list):
        if what == "append":
            items.append({"text": "new", "n": len(items)})
        elif what == "trim":
            del items[:2]
        elif what == "turn round":
            items.reverse()
        elif items and isinstance(items[-1], dict):
            items[-1]["text"] = "edited"


class Told:
    """A state, and the deltas that were told of it."""

    def __init__(self):
        self.state, self.deltas, self.head, self.print = {}, [], None, 0

    def take(self, *steps):
        """Take steps in one commit, and tell of them; the head is kept as it is on disk."""
        watched, was = Watched(self.state), str(self.print)
        for one in steps:
            step(self.state, *one)
        self.print += 1
        told = watched.delta(self.state, was, str(self.print), self.head)
        if told:
            self.deltas.append(deepcopy(told[0]))
            self.head = Head.from_json(told[1].to_json(), told[1].since)
        else:
            self.print -= 1

    def rebuilt(self):
        """Return what the deltas make of it."""
        from_whole = [at for at, delta in enumerate(self.deltas) if delta.get("whole")]
        return state_after(self.deltas[from_whole[-1] :]) if from_whole else {}


class TestDeltas:
    @given(STEPS)
    def test_every_moment_is_rebuilt(self, steps):
        """After each commit, what was told makes the state that is."""
        told = Told()
        for one in steps:
            told.take(one)
            assert told.rebuilt() == told.state

    def test_an_item_keeps_its_id(self):
        """Who was trimmed before it does not rename it, and only what changed is told."""
        told = Told()
        told.take(("set", "entries", [{"text": "a", "n": 1}, {"text": "b", "n": 2}]))
        told.take(("append", "entries", None), ("edit", "entries", None))
        assert told.deltas[-1]["lists"]["entries"] == {
            "order": [[1, 3]],
            "items": {"3": [{"text": "edited", "n": 2}]},
        }
        told.take(("trim", "entries", None))
        assert told.deltas[-1]["lists"]["entries"] == {"order": [[3, 3]], "items": {}}

    def test_nothing_done_is_nothing_told(self):
        told = Told()
        told.take(("set", "mood", "calm"))
        told.take(("set", "mood", "calm"))
        assert len(told.deltas) == 1

    def test_told_whole_now_and_then(self):
        """No moment takes more than so many deltas to rebuild."""
        told = Told()
        for number in range(2 * CHECKPOINT + 1):
            told.take(("set", "mood", str(number)))
        assert [at for at, delta in enumerate(told.deltas) if delta.get("whole")] == [
            0,
            CHECKPOINT,
            2 * CHECKPOINT,
        ]

    def test_change_behind_its_back(self):
        """Where game code wrote the Attribute itself, the next delta tells the state whole."""
        told = Told()
        told.take(("set", "entries", [{"text": "a", "n": 1}]))
        told.state["entries"].append({"text": "written by hand", "n": 9})
        told.print += 100
        told.take(("set", "mood", "calm"))
        assert told.deltas[-1]["whole"]
        assert told.rebuilt() == told.state
