"""Projects: the swap, contexts never cut in silence, and texts for their readers."""

import json

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.memory.redaction import items_of, redact
from ai_assistant.memory.wipe import Wipe
from ai_assistant.planning.projects import (
    MAX_COMPLETED,
    MAX_CONTEXT,
    MAX_OPEN,
    PROJECTS,
    active_key,
    compacted,
    context_of,
    slug,
    usable_slots,
)

AT = 1_780_000_000.0


def everybody(readers, author=""):
    return True


def only(*labels):
    return lambda readers, author="": readers in labels


class Desk:
    """A state of projects with the steps as methods."""

    def __init__(self, state=None):
        self.state = state or PROJECTS.empty()
        self.rows = []
        self.at = AT

    def does(self, op, **args):
        self.at += 60
        self.state = json.loads(json.dumps(self.state))
        rows = PROJECTS.apply(self.state, op, {"at": self.at, **args})
        self.rows += rows
        return rows

    def create(self, key, context="", readers=OPEN, **more):
        return self.does(
            "create_project", key=key, summary=f"About {key}", context=context, readers=readers,
            **more,
        )  # fmt: skip

    def slot(self, key):
        return self.state["slots"][key]


@pytest.fixture
def desk():
    """Two projects; the tavern is the active one."""
    desk = Desk()
    desk.create("quest_design", "Act 1 complete")
    desk.create("build_tavern", "Walls 50%")
    return desk


def shape(desk):
    """The fields that a project has."""
    return {
        "active": desk.state["active"],
        "slots": {
            key: {name: slot[name] for name in ("status", "context")}
            for key, slot in desk.state["slots"].items()
        },
    }


# -- data that a game wrote by hand


def test_the_seeds_swap(desk):
    """What stands there before a swap and after it."""
    assert shape(desk) == {
        "active": "build_tavern",
        "slots": {
            "build_tavern": {"status": "active", "context": "Walls 50%"},
            "quest_design": {"status": "paused", "context": "Act 1 complete"},
        },
    }
    desk.does("swap_project", key="quest_design", update="Walls 60%", readers=OPEN)
    assert shape(desk) == {
        "active": "quest_design",
        "slots": {
            "build_tavern": {"status": "paused", "context": "Walls 60%"},
            "quest_design": {"status": "active", "context": "Act 1 complete"},
        },
    }
    stamps = {slot["last_active"] for slot in desk.state["slots"].values()}
    assert len(stamps) == 1  # both were stamped by this swap


def test_a_swap_always_pauses(desk):
    """Also without an update the old project is paused, and its context stays."""
    desk.does("swap_project", key="quest_design")
    assert desk.slot("build_tavern")["status"] == "paused"
    assert desk.slot("build_tavern")["context"] == "Walls 50%"


@pytest.mark.parametrize("key", ["build_tavern", "no_such_project"])
def test_a_swap_to_the_active_or_nowhere_changes_nothing(desk, key):
    """Not a stamp moves."""
    before = json.dumps(desk.state)
    desk.does("swap_project", key=key, update="Walls 99%", readers=OPEN)
    assert json.dumps(desk.state) == before


def test_a_completed_project_reopens(desk):
    """Whoever swaps to a finished project takes it up again."""
    desk.does("complete_project", key="build_tavern")
    assert desk.slot("build_tavern")["status"] == "completed"
    assert active_key(desk.state) == ""
    desk.does("swap_project", key="build_tavern")
    assert desk.slot("build_tavern")["status"] == "active"


# -- nothing is cut in silence


def test_what_a_new_context_leaves_out_becomes_a_memory(desk):
    """Sentences that the new text repeats are no loss; the others are rows."""
    desk.does("update_project", key="build_tavern", context_update="Walls 50% Roof.", readers=OPEN)
    desk.does(
        "update_project", key="build_tavern", context_update="Roof done. Oak it is.", readers=OPEN
    )
    desk.does("update_project", key="build_tavern", context_update="Oak it is.", readers=OPEN)
    assert [row.content for row in desk.rows] == [
        "About build_tavern: Walls 50%",
        "About build_tavern: Walls 50% Roof.",
        "About build_tavern: Roof done.",
    ]
    assert {(row.kind, row.readers) for row in desk.rows} == {("project", OPEN)}


def test_a_long_context_is_compacted(desk):
    """The first sentence and the newest stay; what falls out is a row, and nothing is lost."""
    sentences = [f"Step {number} of the tavern is described here." for number in range(120)]
    rows = desk.does(
        "update_project", key="build_tavern", context_update=" ".join(sentences), readers=OPEN
    )
    context = desk.slot("build_tavern")["context"]
    assert len(context) <= MAX_CONTEXT
    assert context.startswith("Step 0 ")
    assert "Step 119 " in context
    both = context + " ".join(row.content for row in rows)
    assert all(sentence in both for sentence in sentences)


@pytest.mark.parametrize(
    "text", ["", "short", "word " * 900, "x" * 5000, "One. " + "y" * 4000, "z" * 1500 + ". End."]
)
def test_compaction_keeps_every_word(text):
    """Kept and fallen together are the text, and compacting twice is compacting once."""
    kept, fallen = compacted(text)
    assert len(kept) <= MAX_CONTEXT
    assert compacted(kept) == (kept, "")
    assert sorted((kept + fallen).replace(" ", "")) == sorted(text.replace(" ", ""))


def test_old_completed_projects_are_archived():
    """They leave their slots, the oldest first, and are memories from then on."""
    desk = Desk()
    for number in range(MAX_COMPLETED + 2):
        desk.create(f"p{number}", f"Context {number}")
        desk.does("complete_project", key=f"p{number}")
    assert list(desk.state["slots"]) == [f"p{n}" for n in range(2, MAX_COMPLETED + 2)]
    assert [row.content for row in desk.rows] == ["About p0: Context 0", "About p1: Context 1"]


def test_open_projects_are_bounded():
    """A flood of projects ends."""
    desk = Desk()
    for number in range(MAX_OPEN + 3):
        desk.create(f"p{number}")
    assert len(desk.state["slots"]) == MAX_OPEN


def test_a_taken_key_is_not_overwritten(desk):
    """A second project of the same key changes nothing."""
    desk.create("build_tavern", "Nothing at all")
    assert desk.slot("build_tavern")["context"] == "Walls 50%"


# -- readers


def test_a_private_update_stands_beside_the_open_context(desk):
    """What was whispered replaces only what was whispered to the same ears."""
    for text in ("A cellar for Alice.", "A hidden cellar."):
        desk.does("update_project", key="build_tavern", context_update=text, readers="e-alice")
    slot = desk.slot("build_tavern")
    assert slot["context"] == "Walls 50%"
    assert context_of(slot, only(OPEN)) == "Walls 50%"
    assert context_of(slot, everybody) == "Walls 50%\nA hidden cellar."
    assert [(row.content, row.readers) for row in desk.rows] == [("A cellar for Alice.", "e-alice")]


def test_a_swap_in_private_saves_in_private(desk):
    """The update of a swap has the readers of whoever heard it."""
    desk.does("swap_project", key="quest_design", update="A cellar.", readers="e-alice")
    assert context_of(desk.slot("build_tavern"), only(OPEN)) == "Walls 50%"


def test_a_summary_is_changed_by_its_own_readers_only(desk):
    """In private the summary stays as everybody knows it."""
    for readers, summary in (("e-alice", "Alice's den"), (OPEN, "The Gull and Lantern")):
        desk.does("update_project", key="build_tavern", summary=summary, readers=readers)
    assert desk.slot("build_tavern")["summary"] == "The Gull and Lantern"


def test_only_usable_projects_are_listed(desk):
    """The active one first, then the latest; those of others not at all."""
    desk.create("secret", readers="e-alice")
    assert list(usable_slots(desk.state, everybody)) == ["secret", "build_tavern", "quest_design"]
    assert list(usable_slots(desk.state, only(OPEN))) == ["build_tavern", "quest_design"]


def test_asides_are_bounded_and_become_memories(desk):
    """Many whispers about one project do not pile up in its slot."""
    for number in range(9):
        desk.does(
            "update_project", key="build_tavern", context_update=f"Wish {number}.",
            readers=f"e-{number}",
        )  # fmt: skip
    assert len(desk.slot("build_tavern")["asides"]) == 6
    assert [(row.content, row.readers) for row in desk.rows] == [
        (f"Wish {number}.", f"e-{number}") for number in range(3)
    ]


def test_a_forgotten_person_takes_their_project_along(desk):
    """What was made of somebody's words goes whole, and leaves no project active in its place."""
    desk.create("cellar", "Behind the barrels.", readers="e-alice", author="e-alice")
    wipe = Wipe(entity="e-alice")
    wipe.learn(items_of(desk.state))
    redact(desk.state, **wipe.plan(desk.state, PROJECTS.empty()))
    assert set(desk.state["slots"]) == {"quest_design", "build_tavern"}
    assert active_key(desk.state) == ""
    desk.does("swap_project", key="build_tavern")
    assert active_key(desk.state) == "build_tavern"


def test_slots_written_by_hand_are_understood():
    """A slot with the least fields is swapped and updated like any other."""
    slots = {
        "a": {"summary": "A", "context": "one", "status": "active"},
        "b": {"summary": "B", "context": "two", "status": "paused"},
    }
    desk = Desk({"active": "a", "slots": slots})
    desk.does("swap_project", key="b", update="one and a half", readers="")
    assert desk.slot("a")["context"] == "one and a half"
    assert desk.state["active"] == "b"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Build the tavern!", "build_the_tavern"),
        ("  Ünder ", "nder"),
        ("???", ""),
        ("a" * 60, "a" * 40),
    ],
)
def test_a_name_becomes_a_key(name, key):
    """Letters, digits and underscores, no longer than forty."""
    assert slug(name) == key
