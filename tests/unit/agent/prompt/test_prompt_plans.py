"""Goals and the project at hand in the prompt: for those who may read them, the urgent first."""

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.plan_sections import MOST_GOALS
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.times import DAY
from ai_assistant.planning.goals import new_goal
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import people, run
from tests.unit.agent.prompt.prompting import rows, section

ALICE, BOB = people("Alice", "Bob")


def save(stage, part, op, talk="", **args):
    stage.store.commit(Commit(at=1.0, changes=[Change(part, talk, op, {"at": 1.0, **args})]))


def goal(stage, id, words, readers="*", **more):
    save(stage, "goals", "add_goal", goal=new_goal(id, words, at=1.0, readers=readers, **more))


def prompted(stage, who=None, kind="say"):
    """Return the turn with its prompt, as it would answer that person, or none."""
    events = [stage.world.event(who, "Well?", kind, at=stage.clock.now())] if who else []
    context = "tick_event" if who else "tick_autonomous"
    turn = begin(stage.mind, events, "t1", context)
    run(build_prompt(turn))
    return turn


def test_goals_are_a_tree_with_the_urgent_first(stage):
    """The most urgent tree comes first, each goal before its subtasks, the next step is marked."""
    goal(stage, "g0", "Feed the cat")
    goal(stage, "g1", "Build a tavern", priority="high", requester=ALICE.id)
    goal(stage, "g2", "Choose a place", parent_id="g1")
    goal(stage, "g3", "Build walls", parent_id="g1", deadline=stage.world.game_time() + 5400)
    save(stage, "goals", "update_goal", goal_id="g2", progress=100)
    found = rows(prompted(stage, ALICE), "goals")
    assert [one["goal"] for one in found] == ["g1", "g3", "g0"]
    assert found[0] == {
        "goal": "g1", "description": "Build a tavern", "priority": "high", "progress": 50,
        "subtasks": "1 of 2 done", "for": "p1",
    }  # fmt: skip
    assert found[1]["next"] is True
    assert (found[1]["under"], found[1]["due_in_hours"]) == ("g1", 1.5)


def test_a_goal_that_names_a_time_says_since_when_it_is(stage):
    """Its "tomorrow" is read by that day, also where it is a promise to somebody only heard of."""
    for who in ("Carol", "Dave"):
        what = f"bring {who} eggs" + (" tomorrow" if who == "Carol" else "")
        stage.model.call("promise", to=who, what=what).text("I will.")
        stage.ask(ALICE, f"Will you {what}?")
    stage.clock.advance(2 * DAY)
    stage.world.seconds += 2 * DAY
    told = section(prompted(stage, ALICE), "goals")
    assert '"Carol: bring Carol eggs tomorrow" (set two days ago' in told
    assert told.count("two days ago") == 1


def test_whom_it_follows_and_how_that_ends(stage):
    """Nobody has to search for the way to stop."""
    goal(stage, "g0", "Follow Bob", kind="follow", about={"who": BOB.id, "name": "Bob"})
    assert section(prompted(stage, ALICE), "goals").count("until you move to 'here'") == 1


def test_only_what_may_be_read_is_shown(stage):
    """A whispered goal is in the prompt of that whisper alone, and lowers its ceiling."""
    goal(stage, "g0", "Feed the cat")
    goal(stage, "g1", "Find Alice's ring", readers=ALICE.id)
    assert "ring" not in str(prompted(stage, ALICE).prompt.messages)
    assert "ring" not in str(prompted(stage, BOB, "whisper").prompt.messages)
    assert "ring" not in str(prompted(stage).prompt.messages)
    turn = prompted(stage, ALICE, "whisper")
    assert "ring" in str(turn.prompt.messages)
    assert turn.ceiling == ALICE.id


def test_the_goal_that_a_turn_is_about_is_next(stage):
    """A turn on its own works on its one goal, whatever else is urgent."""
    goal(stage, "g0", "Feed the cat", priority="critical")
    goal(stage, "g1", "Sweep the yard", priority="low")
    low = stage.store.read("goals")["goals"][1]
    turn = begin(stage.mind, [], "t1", "tick_autonomous", goal=low)
    run(build_prompt(turn))
    assert rows(turn, "goals")[0] == {
        "goal": "g1", "description": "Sweep the yard", "priority": "low", "progress": 0,
        "next": True,
    }  # fmt: skip


def test_goals_stay_out_of_what_providers_cache(stage):
    """With goals and project or without, the prompt begins with the same messages."""
    before = prompted(stage, ALICE).prompt.messages[0].content
    goal(stage, "g0", "Feed the cat")
    save(stage, "projects", "create_project", key="tavern", summary="A tavern.", readers="*")
    turn = prompted(stage, ALICE)
    assert turn.prompt.messages[0].content.startswith(before)
    assert section(turn, "goals") == '## Your goals\n- g0: "Feed the cat"'
    assert section(turn, "project") == '## Your project\nTavern: "A tavern."'


def test_a_story_leaves_real_work_out(stage):
    """While a fiction is played, neither goals nor projects are in mind."""
    goal(stage, "g0", "Feed the cat")
    save(stage, "projects", "create_project", key="tavern", summary="A tavern.", readers="*")
    stage.mind.plays = lambda session: Play("s1", fiction=True)
    turn = prompted(stage, ALICE)
    assert not rows(turn, "goals")
    assert not rows(turn, "project")


def test_goals_wait_while_somebody_talks(stage):
    """Then the first few are told: id, what is done of them, what time is left; unasked all are."""
    for number in range(6):
        begun = {"deadline": stage.world.game_time() + 3 * 3600, "progress": 60.0}
        goal(stage, f"g{number}", f"Goal {number}", **(begun if number == 1 else {}))
    assert section(prompted(stage, ALICE), "goals").splitlines()[1:] == [
        '- g1: "Goal 1" (60 % done, due in 3 hours)',
        *(f'- g{number}: "Goal {number}"' for number in (0, 2, 3)),
        "- and 2 more",
    ]
    told = section(prompted(stage), "goals").splitlines()[1:]
    assert len(told) == 6
    more = "medium priority, 60 % done, due in 3 hours, the next to do"
    assert told[0] == f'- g1: "Goal 1" ({more})'


def test_many_goals_are_bounded(stage):
    """The least urgent are left out."""
    for number in range(40):
        goal(stage, f"g{number}", f"Goal {number}")
    found = rows(prompted(stage, ALICE), "goals")
    assert len(found) == MOST_GOALS
    assert found[0]["goal"] == "g0"


def test_a_small_prompt_keeps_the_next_step(stage):
    """Where room is short the other goals go before the first."""
    stage.mind.config.values["max_context_tokens"] = 1500
    for number in range(20):
        goal(stage, f"g{number}", f"Goal {number} " + "with many words " * 9)
    assert 0 < len(rows(prompted(stage), "goals")) < 8


def test_the_project_at_hand_is_shown(stage):
    """Key, summary and context of the active one, and the names of the others."""
    for key in ("quest", "tavern"):
        save(stage, "projects", "create_project", key=key, summary=f"A {key}.", context="Oak.",
             readers="*")  # fmt: skip
    save(stage, "projects", "update_project", key="tavern", context_update="A cellar.",
         readers=ALICE.id)  # fmt: skip
    shown = rows(prompted(stage, BOB), "project")
    assert shown == [
        {"project": "tavern", "summary": "A tavern.", "context": "Oak."},
        {"other_projects": ["quest"]},
    ]
    private = rows(prompted(stage, ALICE, "whisper"), "project")
    assert private[0]["context"] == "Oak.\nA cellar."


def test_promises_are_work_for_an_idle_turn(stage):
    """By priority, with the name of whom they were made to; and in private ones not at all."""
    for who, readers, action, priority in (
        (ALICE, "*", "bring her a map", 5),
        (BOB, "*", "mend his boat", 1),
        (ALICE, ALICE.id, "keep her secret", 1),
    ):
        key = who.id if readers == "*" else f"{who.id}.secret"
        save(stage, "profile", "create_entity_profile", who.id, name=who.name,
             entity_type="player")  # fmt: skip
        save(stage, "working", "start_conversation", key, entity_id=who.id, readers=readers)
        save(stage, "working", "add_pending_action", key, action=action, priority=priority)
    found = [one for one in rows(prompted(stage), "goals") if "promised" in one]
    assert found == [
        {"promised": "mend his boat", "to": "Bob", "priority": 1, "handle": "p2"},
        {"promised": "bring her a map", "to": "Alice", "priority": 5, "handle": "p1"},
    ]
