"""Plans, projects and compaction, end to end: a mind that thinks offline, and its own data."""

import json

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import current_goals, new_goal, subtasks_by_rule
from ai_assistant.planning.urgency import by_urgency
from ai_assistant.testing import ScriptedModel, Stage, people

ALICE, BOB = people("Alice", "Bob")
ASKED = "Can you help me build a tavern?"
TAVERN = "Help Alice build a tavern"


@pytest.fixture
def stage():
    """Alice and Bob stand before a captain who thinks offline."""
    stage = Stage(model=OfflineModel())
    stage.world.enter(ALICE, BOB)
    return stage


def goals(stage):
    return current_goals(stage.store.read("goals"))


def ticks(stage, count=1):
    """Let it work so often on its own, on what is most urgent by then."""
    for _ in range(count):
        stage.clock.advance(600)
        urgent = by_urgency(goals(stage), now_game=stage.world.game_time())
        stage.turn(context_type="tick_autonomous", goal=urgent[0] if urgent else None)


def called(stage):
    """Return every tool that was called, in order."""
    audit = (one for one in stage.store.audit if one.type == "ToolExecuted")
    return [one.data["tool_name"] for one in audit if one.data["success"]]


def said(stage):
    return stage.world.said[-1]


def slot(stage):
    projects = stage.store.read("projects")
    return projects["slots"][projects["active"]]


def done(stage, *finished):
    """Let staff say that these goals are done."""
    at = stage.clock.now()
    for goal in finished:
        step = {"goal_id": goal["id"], "at": at, "progress": 100, "status": "completed"}
        stage.store.commit(Commit(at=at, changes=[Change("goals", "", "update_goal", step)]))


def test_a_tavern_from_the_asking_to_the_last_nail(stage):
    """Project, goal, subtasks, work over several ticks, preference, progress."""
    stage.ask(ALICE, ASKED)
    assert called(stage) == ["list_projects", "create_project", "add_goal", "decompose_goal", "say"]
    assert stage.store.read("projects")["active"] == "alice_build_tavern"
    assert "Alice asked for help to build a tavern" in slot(stage)["context"]
    top, *parts = goals(stage)
    assert (top["description"], top["priority"]) == (TAVERN, "high")
    assert [part["description"] for part in parts] == subtasks_by_rule(TAVERN)
    assert "tavern" in said(stage)

    ticks(stage)
    assert goals(stage)[1]["progress"] == 0  # nothing is done by saying so
    stage.ask(ALICE, "I prefer a rustic style.")
    facts = [one["content"] for one in stage.store.read("session")["key_facts"]]
    assert facts == ["Alice prefers a rustic style."]

    done(stage, *goals(stage)[1:3])
    assert (goals(stage)[0]["progress"], goals(stage)[0]["status"]) == (40, "active")
    stage.ask(BOB, "What are you working on, captain?")
    assert "help Alice build a tavern (40 percent done)" in said(stage)
    stage.ask(ALICE, "How is the tavern coming along?")
    assert "help you build a tavern (40 percent done)" in said(stage)
    assert "about to do what can be done at once." in said(stage)

    done(stage, *goals(stage)[3:])
    assert {one["status"] for one in goals(stage)} == {"completed"}
    assert stage.errors == []


def test_asked_again_it_says_how_far_it_is(stage):
    """The same wish is no second goal."""
    stage.ask(ALICE, ASKED)
    done(stage, goals(stage)[1])
    stage.ask(ALICE, ASKED)
    assert len(goal_tree.roots(goals(stage))) == 1
    assert "20 percent" in said(stage)


def test_two_wishes_are_two_projects(stage):
    """The second one becomes the project at hand; each goal keeps its own."""
    stage.ask(ALICE, ASKED)
    stage.ask(BOB, "Could you help me find my cat?")
    projects = stage.store.read("projects")
    assert set(projects["slots"]) == {"alice_build_tavern", "bob_find_cat"}
    assert projects["active"] == "bob_find_cat"
    found = {one["description"]: one["project"] for one in goal_tree.roots(goals(stage))}
    assert found == {TAVERN: "alice_build_tavern", "Help Bob find their cat": "bob_find_cat"}


def test_a_whispered_wish_is_pursued_in_private(stage):
    """Nobody else hears of it, and nobody's tick speaks of it; whispered, it tells."""
    stage.ask(ALICE, "Can you help me find the hidden ring?", "whisper")
    assert {one["readers"] for one in goals(stage)} == {ALICE.id}
    stage.ask(BOB, "What are your plans?")
    assert "ring" not in said(stage)
    ticks(stage, 2)
    stage.ask(ALICE, "What are your plans?", "whisper")
    assert "ring" in said(stage)
    assert not any("ring" in words for words in stage.world.said[1:-1])


def test_without_a_plan_it_says_so(stage):
    """Asked about plans it does not have, it invents none."""
    stage.ask(ALICE, "What are your plans?")
    assert "plan" in said(stage) or "Nothing" in said(stage)
    stage.ask(ALICE, ASKED)
    stage.ask(ALICE, "How is the bridge coming along?")
    assert "tavern" not in said(stage)


def test_a_goal_without_steps_is_broken_down_first(stage):
    """What staff gave it as one goal it plans by itself, then works on."""
    goal = new_goal("goal_0_0", "Repair the pier", at=1.0, readers="*")
    change = Change("goals", "", "add_goal", {"goal": goal, "at": 1.0})
    stage.store.commit(Commit(at=1.0, changes=[change]))
    ticks(stage)
    steps = [one["description"] for one in goals(stage)[1:]]
    assert steps == subtasks_by_rule("Repair the pier")
    ticks(stage, 2)
    assert goals(stage)[0]["progress"] == 0


# -- session memory


def told(stage, *calls):
    """Return what a model reads after each of these calls in one turn."""
    stage.mind.model = stage.model = ScriptedModel()
    stage.model.calls(*calls).call("wait")
    stage.ask(ALICE, "Well?")
    read = [one.content for one in stage.model.requests[-1].messages if one.role == "tool"]
    return [json.loads(one) for one in read]


def fact(content, memory_type="fact"):
    return ("add_session_memory", {"memory_type": memory_type, "content": content})


def test_the_persona_guard_and_the_second_try(stage):
    """ "I helped Alice" is refused with a suggestion; in the third person it is kept."""
    for number in range(4):
        told(stage, fact(f"Alice owns boat {number}."))
    told(stage, *(fact(f"Players ask {one} first.", "pattern") for one in ("Bob", "Alice")))
    refused, kept = told(
        stage, fact("I helped Alice"), fact("Player Alice completed the intro quest")
    )
    assert (refused["success"], refused["rejected_content"]) == (False, "I helped Alice")
    assert "third person" in refused["suggestion"]
    assert kept == {
        "ok": True,
        "success": True,
        "memory_type": "fact",
        "added": "Player Alice completed the intro quest",
        "total_facts": 5,
        "total_patterns": 2,
    }


def test_eight_and_four_become_two_and_one(stage):
    """A compaction, word for word; completed tasks are preserved."""
    for number in range(4):
        told(stage, *(fact(f"Alice met player {2 * number + one}.") for one in (0, 1)))
        told(stage, fact(f"Players ask way {number} first.", "pattern"))
    done = {"content": "Build a mill.", "at": 1.0, "readers": "*"}
    stage.store.commit(Commit(at=1.0, changes=[Change("session", "", "add_completed_task", done)]))
    new = {
        "new_facts": ["Alice is level 5 warrior", "Server has 10 active players"],
        "new_patterns": ["Players explore before asking for help"],
        "summary": "Consolidated 8 facts about players into 2 key facts",
    }
    (result,) = told(stage, ("compact_session_memory", new))
    assert result == {
        "ok": True,
        "before": {"facts": 8, "patterns": 4},
        "after": {"facts": 2, "patterns": 1},
        "summary": new["summary"],
    }
    memory = stage.store.read("session")
    assert [one["content"] for one in memory["key_facts"]] == new["new_facts"]
    assert [one["content"] for one in memory["completed_tasks"]] == ["Build a mill."]
    assert memory["last_compacted"]
