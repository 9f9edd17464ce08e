"""Projects as a model handles them: the answers, and texts for those who may read them."""

from ai_assistant.planning.projects import MAX_OPEN
from ai_assistant.testing import people
from tests.unit.tools.calling import told

ALICE, BOB = people("Alice", "Bob")


def create(key, summary="A project.", context=""):
    arguments = {"project_key": key, "summary": summary, "initial_context": context}
    return ("create_project", arguments)


def swap(key, update=""):
    return ("swap_project", {"project_key": key, "current_project_update": update})


def slots(stage):
    return stage.store.read("projects")["slots"]


def both(stage, **options):
    """Let there be two projects, the tavern the active one."""
    told(stage, create("quest_design", "Design main quest line", "Act 1 complete"), **options)
    told(stage, create("build_tavern", "Build a tavern", "Walls 50%"), **options)


def test_the_seeds_swap(stage):
    """Old and new project, its summary and its context come back."""
    both(stage)
    (result,) = told(stage, swap("quest_design", "Walls 60% done"))
    assert result == {
        "ok": True,
        "old_project": "build_tavern",
        "new_project": "quest_design",
        "new_project_summary": "Design main quest line",
        "new_project_context": "Act 1 complete",
    }
    assert stage.store.read("projects")["active"] == "quest_design"
    assert slots(stage)["build_tavern"]["context"] == "Walls 60% done"
    assert slots(stage)["build_tavern"]["status"] == "paused"


def test_an_unknown_project_is_an_error_with_the_choices(stage):
    """The refusal names what exists."""
    both(stage)
    (result,) = told(stage, swap("dragon"))
    assert result == {
        "ok": False,
        "error": "Project does not exist",
        "available_projects": ["build_tavern", "quest_design"],
    }


def test_projects_are_listed(stage):
    """None at first; then the active one comes first."""
    (result,) = told(stage, ("list_projects", {}))
    assert (result["active"], result["projects"]) == ("", [])
    both(stage)
    (result,) = told(stage, ("list_projects", {}))
    assert result["active"] == "build_tavern"
    assert [(one["project_key"], one["status"]) for one in result["projects"]] == [
        ("build_tavern", "active"),
        ("quest_design", "paused"),
    ]


def test_a_list_is_not_older_than_what_was_done(stage):
    """Asked again after a change in the same turn, it shows the change."""
    before, _, after = told(
        stage, ("list_projects", {}), create("tavern"), ("list_projects", {})
    )  # fmt: skip
    assert (before["active"], after["active"]) == ("", "tavern")


def test_an_update_replaces_the_context(stage):
    """The active project is meant where none is named; what was left out is a memory."""
    both(stage)
    text = {"context_update": "Requirements gathered. Player wants 3 rooms."}
    (result,) = told(stage, ("update_project", text))
    assert result == {"ok": True, "project_key": "build_tavern", "message": "Project updated"}
    assert slots(stage)["build_tavern"]["context"] == text["context_update"]
    rows = [row.content for row in stage.store.memories.values() if row.kind == "project"]
    assert rows == ["Build a tavern: Walls 50%"]


def test_a_completed_project_is_remembered(stage):
    """Journal, completed tasks and audit know of it; no project is active then."""
    both(stage)
    (result,) = told(stage, ("complete_project", {"outcome": "It has three rooms."}))
    assert result["status"] == "completed"
    assert stage.store.read("projects")["active"] == ""
    entry = stage.store.read("journal")["entries"][-1]
    assert entry["content"] == "Completed a project: Build a tavern. It has three rooms."
    assert (entry["source_type"], entry["related_projects"]) == ("observation", ["build_tavern"])
    assert stage.store.read("session")["completed_tasks"][0]["content"].startswith("Build a tavern")
    types = [one.type for one in stage.store.audit if one.type.startswith("Project")]
    assert types == ["ProjectCreated", "ProjectCreated", "ProjectCompleted"]


def test_a_new_project_pauses_the_old_one(stage):
    """The one that is opened is the one at hand."""
    told(stage, create("a"))
    (result,) = told(stage, create("b"))
    assert (result["status"], result["old_project"]) == ("active", "a")
    assert slots(stage)["a"]["status"] == "paused"


# -- who may know


def test_a_whispered_project_is_nobody_elses(stage):
    """Others do not see it, cannot swap to it, and do not learn that its key is taken."""
    told(stage, create("cellar", "A hidden cellar.", "Behind the barrels."), kind="whisper")
    listed, refused, made = told(
        stage, ("list_projects", {}), swap("cellar"), create("cellar"), who=BOB
    )
    assert (listed["active"], listed["projects"]) == ("", [])
    assert refused["available_projects"] == []
    assert made["project_key"] == "cellar_2"
    assert made["old_project"] == ""
    assert slots(stage)["cellar"]["context"] == "Behind the barrels."


def test_a_whispered_update_is_read_in_whispers_only(stage):
    """It stands beside the open context, for Alice alone."""
    both(stage)
    told(stage, ("update_project", {"context_update": "A hidden cellar."}), kind="whisper")
    (public,) = told(stage, swap("build_tavern"), who=BOB)
    (private,) = told(stage, swap("build_tavern"), kind="whisper")
    assert public["new_project_context"] == "Walls 50%"
    assert private["new_project_context"] == "Walls 50%\nA hidden cellar."


def test_an_open_summary_does_not_change_in_private(stage):
    """What all may read has no private words."""
    both(stage)
    arguments = {"context_update": "x", "summary": "A den of thieves"}
    (result,) = told(stage, ("update_project", arguments), kind="whisper")
    assert "must not change in private" in result["error"]
    assert slots(stage)["build_tavern"]["summary"] == "Build a tavern"


# -- refusals


REFUSED = (
    (create("???"), "'project_key' must hold letters"),
    (create("build_tavern"), "go on with it by swap_project"),
    (create("x", "y" * 201), "'summary' has 201 characters; at most 200"),
    (create("x", "y", "word " * 1300), "'initial_context' has 6499 characters; at most 6000"),
    (("update_project", {"context_update": "y " * 3500}), "at most 6000"),
    (("update_project", {}), "Missing arguments: context_update"),
    (("complete_project", {"project_key": "old"}), "is completed already"),
    (swap(""), "'project_key' must not be empty"),
)


def test_bad_arguments_are_explained(stage):
    """What cannot be done is refused in words that help, and nothing changes."""
    told(stage, create("old"))
    told(stage, ("complete_project", {}))
    both(stage)
    before = slots(stage)
    for call, why in REFUSED:
        (result,) = told(stage, call)
        assert result["ok"] is False, call
        assert why in result["error"], call
    assert slots(stage) == before


def test_nothing_at_hand_is_told(stage):
    """Where no project is active, the answer says how one becomes active."""
    (result,) = told(stage, ("update_project", {"context_update": "x"}))
    assert "create_project or swap_project" in result["error"]


def test_a_flood_of_projects_is_refused(stage):
    """Twenty open projects are enough."""
    many = {f"p{number}": {"summary": "x", "status": "paused"} for number in range(MAX_OPEN)}
    stage.store.state["projects", ""] = {"active": "", "slots": many}
    (result,) = told(stage, create("one_more"))
    assert "complete one first" in result["error"]
