"""Session memory and notebook as a model uses them: what is kept, for whom, and what is refused."""

import pytest

from ai_assistant.memory.inner.notebook import MAX_CHARACTERS as MOST_NOTES
from ai_assistant.memory.inner.session import MAX_CONTENT, MAX_ITEMS
from ai_assistant.testing import people
from tests.unit.tools.calling import told

ALICE, BOB = people("Alice", "Bob")
FACT = "Alice completed the intro quest."


def add(content, memory_type="fact"):
    return ("add_session_memory", {"memory_type": memory_type, "content": content})


def compact(facts=(), patterns=(), summary="Fewer."):
    lists = {"new_facts": list(facts), "new_patterns": list(patterns), "summary": summary}
    return ("compact_session_memory", lists)


def note(content="", **arguments):
    return ("memory", {"content": content, **arguments})


def kept(stage, part, name):
    return [(one["content"], one["readers"]) for one in stage.store.read(part)[name]]


def test_a_long_list_keeps_its_lines(stage):
    """However many lines there are, each is one of the notes."""
    lines = [f"row {number}" for number in range(300)]
    told(stage, note("\n".join(lines)))
    assert [content for content, _ in kept(stage, "notebook", "lines")] == lines


# -- session memory


def test_a_fact_is_kept(stage):
    """It answers with all its fields, and the fact has its label, time and author."""
    (result,) = told(stage, add(FACT))
    assert result == {
        "ok": True,
        "success": True,
        "memory_type": "fact",
        "added": FACT,
        "total_facts": 1,
        "total_patterns": 0,
    }
    (item,) = stage.store.read("session")["key_facts"]
    assert (item["content"], item["readers"], item["author"]) == (FACT, "*", ALICE.id)


def test_two_facts_of_one_turn_count_both(stage):
    """Totals are those after the turn, and a repeat in it is no second fact."""
    first, second, again = told(stage, add(FACT), add("Bob sells boats."), add(f"{FACT} "))
    assert (first["total_facts"], second["total_facts"], again["total_facts"]) == (1, 2, 2)
    assert (again["added"], again["note"]) == ("", "You keep exactly that already.")
    assert len(kept(stage, "session", "key_facts")) == 2


@pytest.mark.parametrize(
    "content", ["I helped Alice.", "Seraphina helped Alice.", "Alice left. My map is gone."]
)
def test_what_is_about_itself_is_refused(stage, content):
    """The model reads what was wrong, what to do, and its own words; nothing is kept."""
    (result,) = told(stage, add(content))
    assert result["success"] is False
    assert result["error"]
    assert result["suggestion"]
    assert result["rejected_content"] == content
    assert result["success"] is False
    assert "third person" in result["suggestion"]
    assert kept(stage, "session", "key_facts") == []


def test_totals_count_what_may_be_read_here(stage):
    """A whispered fact is kept for that one alone, and others do not even learn of its number."""
    told(stage, add("Alice hides a map."), kind="whisper")
    assert kept(stage, "session", "key_facts") == [("Alice hides a map.", ALICE.id)]
    (result,) = told(stage, add("Bob sells boats."), who=BOB, kind="whisper")
    assert result["total_facts"] == 1
    (result,) = told(stage, add(FACT))
    assert (result["total_facts"], kept(stage, "session", "key_facts")[-1]) == (1, (FACT, "*"))


def test_a_full_memory_asks_for_compaction(stage):
    """Over the limit nothing is written, the model is told what to do, and the flag goes up."""
    for number in range(MAX_ITEMS // 4):
        told(stage, *(add(f"Boat {number * 4 + one} is red.") for one in range(4)))
    (result,) = told(stage, add(FACT))
    assert result["success"] is False
    assert "compact_session_memory" in result["suggestion"]
    assert result["rejected_content"] == FACT
    assert stage.store.read("session")["needs_compaction"] is True
    assert len(kept(stage, "session", "key_facts")) == MAX_ITEMS


def test_compaction_counts_before_and_after(stage):
    """The lists are replaced, and the answer says by how much, also for facts of this turn."""
    told(stage, add("Bob sells boats."), add("Bob sells nets."))
    added, result = told(stage, add("Players ask first.", "pattern"), compact(["Bob sells all."]))
    assert added["total_patterns"] == 1
    assert result == {
        "ok": True,
        "before": {"facts": 2, "patterns": 1},
        "after": {"facts": 1, "patterns": 0},
        "summary": "Fewer.",
    }
    assert kept(stage, "session", "key_facts") == [("Bob sells all.", "*")]
    assert stage.store.read("session")["last_compacted"]


def test_a_whisper_compacts_only_what_was_whispered(stage):
    """In private the open facts stay as they are, and what is new stays private."""
    told(stage, add("Bob sells boats."))
    told(stage, add("Alice hides a map."), kind="whisper")
    (result,) = told(stage, compact(["Alice hides a map of Bob's boats."]), kind="whisper")
    assert (result["before"]["facts"], result["after"]["facts"]) == (2, 2)
    assert kept(stage, "session", "key_facts") == [
        ("Bob sells boats.", "*"),
        ("Alice hides a map of Bob's boats.", ALICE.id),
    ]


def test_compaction_is_guarded_too(stage):
    """One sentence about itself, and nothing is replaced."""
    told(stage, add(FACT))
    (result,) = told(stage, compact(["Bob sells boats.", "I like Bob."], ["We win."]))
    assert result["success"] is False
    assert result["rejected_content"] == "I like Bob.\nWe win."
    assert kept(stage, "session", "key_facts") == [(FACT, "*")]


def test_compaction_must_not_overflow(stage):
    """More than fits is refused as a whole."""
    (result,) = told(stage, compact([f"{number:x>270}." for number in range(30)]))
    assert (result["success"], kept(stage, "session", "key_facts")) == (False, [])


REFUSED = (
    (add("x" * (MAX_CONTENT + 1)), "has 281 characters"),
    (add("\u200b"), "'content' must not be empty"),
    (add(FACT, "rumour"), "'memory_type' must be one of: fact, pattern"),
    (("add_session_memory", {"memory_type": "fact"}), "Missing arguments: content"),
    (compact(), "That would leave nothing"),
    (compact(["x" * (MAX_CONTENT + 1)]), "has 281 characters"),
    (compact([[]]), "'new_facts' must be an array of strings"),
    (compact(["x"], ["y"], summary=""), "'summary' must not be empty"),
    (("compact_session_memory", {"new_facts": "all"}), "Missing arguments"),
    (note(), "'content' must not be empty"),
    (note("x", action="burn"), "'action' must be one of: write, append, clear"),
    (note([]), "'content' must be a string"),
)


def test_bad_arguments_are_explained(stage):
    """What cannot be kept is refused in words that help, and nothing changes."""
    for call, why in REFUSED:
        (result,) = told(stage, call)
        assert result["ok"] is False, call
        assert why in result["error"], call
    assert kept(stage, "session", "key_facts") == kept(stage, "notebook", "lines") == []


# -- notebook


def test_notes_are_appended_by_default(stage):
    """Where the model does not say, the role's default decides, here append."""
    told(stage, note("Craft#1: Iron Blade"), note("Craft#2: Steel Longsword"))
    (result,) = told(stage, note("Craft#3: Axe\nCraft#4: Bow", action=""))
    assert (result["success"], result["action"]) == (True, "append")
    assert [text for text, _ in kept(stage, "notebook", "lines")] == [
        "Craft#1: Iron Blade", "Craft#2: Steel Longsword", "Craft#3: Axe", "Craft#4: Bow",
    ]  # fmt: skip


def test_writing_replaces_the_notes(stage):
    """A write leaves only its own lines, a clear none."""
    told(stage, note("Old."), note("New.", action="write"))
    assert kept(stage, "notebook", "lines") == [("New.", "*")]
    (result,) = told(stage, note(action="clear"))
    assert result == {"ok": True, "success": True, "action": "clear", "characters": 0}
    assert kept(stage, "notebook", "lines") == []


def test_a_private_note_replaces_no_open_one(stage):
    """Written in a whisper, it stands beside the open notes, for that one alone."""
    told(stage, note("Open."))
    told(stage, note("Secret.", action="write"), kind="whisper")
    told(stage, note(action="clear"), who=BOB, kind="whisper")
    assert kept(stage, "notebook", "lines") == [("Open.", "*"), ("Secret.", ALICE.id)]


def test_a_full_notebook_says_what_to_do(stage):
    """Over the limit nothing is written: the model reads how much it was, and how to go on."""
    lines = "\n".join(f"{number:x>90}." for number in range(40))
    told(stage, note(lines, action="write"))
    (result,) = told(stage, note("x" * 500))
    assert result["success"] is False
    assert str(MOST_NOTES) in result["error"]
    assert "write" in result["suggestion"]
    assert len(kept(stage, "notebook", "lines")) == 40
    assert stage.store.read("notebook")["needs_compaction"] is True
