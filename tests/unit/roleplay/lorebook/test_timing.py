"""What sticks and what rests: counted in messages, and for each label by itself."""

from ai_assistant.core.readers import OPEN
from ai_assistant.roleplay.lorebook import Entry, Lorebook, in_mind
from ai_assistant.roleplay.lorebook.lore_marks import LORE, MAX_LABELS, MAX_MARKS, mark_entries

BOOK = Lorebook(
    entries=(Entry("a", "A.", ("x",), sticky=4, cooldown=4), Entry("b", "B.", cooldown=1))
)


def state_of(*talks):
    """The state after these: (readers, messages, entries)."""
    state = LORE.empty()
    for readers, messages, entries in talks:
        mark_entries(state, readers=readers, messages=messages, entries=entries)
    return state


def stands(state, *labels):
    """What stands where only these labels may be used."""
    return in_mind(state, [BOOK], lambda label: label in labels)


def test_first_it_sticks_then_it_rests_then_it_is_free():
    """Four messages each, from when it came to mind."""
    seen = []
    state = state_of((OPEN, 2, ["a"]))
    for _ in range(5):
        now = stands(state, OPEN)
        seen.append("sticky" if now.sticky else "resting" if now.resting else "free")
        mark_entries(state, readers=OPEN, messages=2, entries=[])
    assert seen == ["sticky", "resting", "resting", "free", "free"]


def test_a_whisper_leaves_no_trace_in_the_open():
    """What came up in private neither sticks nor rests for others, nor counts as said."""
    state = state_of((OPEN, 2, []), ("e1", 2, ["a", "b"]))
    assert stands(state, OPEN).sticky == set()
    assert stands(state, OPEN).resting == set()
    assert stands(state, OPEN).count == 2
    assert stands(state, OPEN, "e1").sticky == {"a"}
    assert stands(state, OPEN, "e1").count == 4


def test_each_talk_has_its_own_count():
    """Messages of others let nothing expire."""
    state = state_of((OPEN, 2, ["a"]), ("e1", 50, []))
    assert stands(state, OPEN, "e1").sticky == {"a"}


def test_what_is_in_no_book_any_more_stands_no_longer():
    """Marks of entries that are gone mean nothing."""
    assert stands(state_of((OPEN, 1, ["gone"])), OPEN).sticky == set()


def test_the_state_stays_small():
    """The oldest marks and talks are forgotten."""
    state = state_of(*((f"e{n}", 1, [f"x{m}" for m in range(30)]) for n in range(99)))
    assert len(state["talks"]) == MAX_LABELS
    assert len(state["marks"]) == MAX_MARKS
    assert state["talks"][-1]["readers"] == "e98"


def test_coming_to_mind_again_begins_anew():
    """One mark for each entry and label, the latest."""
    state = state_of((OPEN, 10, ["a"]), (OPEN, 2, ["a"]))
    assert len(state["marks"]) == 1
    assert stands(state, OPEN).sticky == {"a"}
