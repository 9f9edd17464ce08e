"""The command `aigoal` and the handler of goals: trees with their progress, and steering them."""

import json

from ai_assistant.api import lifecycle
from ai_assistant.commands.staff.aigoal import CmdAIGoal, hours_from_now
from ai_assistant.models import AssistantEvent
from ai_assistant.planning.goals import subtasks_by_rule
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase, broken_database

STEPS = ["Design layout", "Build structure", "Add furniture", "Create bartender", "Write menus"]


class GoalTestCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()

    def goal(self, line, caller=None):
        return self.types(CmdAIGoal, line, caller)

    def tavern(self):
        """Let Marrek be after a tavern, in five steps."""
        top = self.marrek.goals.add_goal("Build tavern", "high")
        for words in STEPS:
            self.marrek.goals.add_goal(words, parent_id=top)
        return top


class TestGoals(GoalTestCase):
    def test_the_tree_has_progress_bars(self):
        """The 40 % stand on the screen, each goal above its subtasks."""
        self.tavern()
        for number in (1, 2):
            self.marrek.goals.update_goal(f"goal_0_{number}", status="completed", progress=100)
        lines = self.goal(" marrek").splitlines()
        assert lines[0].startswith("[####------]  40% goal_0_0 Build tavern (high)")
        assert lines[1].strip().startswith("[##########] 100% goal_0_1 Design layout")
        assert (
            lines[3].strip().startswith("[----------]   0% goal_0_3 Add furniture (high) <- next")
        )
        assert len(lines) == 6

    def test_the_urgent_comes_first(self):
        """Trees stand in the order in which they would be worked on."""
        self.marrek.goals.add_goal("Feed the cat", "low")
        self.marrek.goals.add_goal("Stop the flood", "critical")
        told = self.goal(" marrek")
        assert told.index("flood") < told.index("cat")

    def test_finished_goals_are_shown_where_asked_for(self):
        """What is over leaves the tree, and `all` still shows it."""
        self.goal("/add marrek = Feed the cat")
        self.goal("/set marrek = cat: status completed")
        assert "after nothing" in self.goal(" marrek")
        assert "Feed the cat (medium, completed)" in self.goal("/all marrek")

    def test_what_is_done_makes_way_for_the_next(self):
        """Reached or given up, staff are told what it turns to."""
        self.tavern()
        told = self.goal("/done marrek = layout: With a cellar.")
        assert "is done with goal_0_1: Design layout" in told
        assert "Next: Build structure" in told
        assert "outcome: With a cellar." in self.goal(" marrek = layout")
        assert "It is after nothing more." in self.goal("/drop marrek = tavern")

    def test_a_subtask_is_given_to_a_goal_by_its_words(self):
        """As everywhere a goal is named; what is no goal is a part of the description."""
        top = self.tavern()
        assert f"a subtask of {top} Build tavern" in self.goal(
            "/add marrek = build tavern: Ask Hob"
        )
        assert self.marrek.goals.find_goal("goal_0_6")["parent_id"] == top
        self.goal("/add marrek = The bridge: mend it")
        assert self.marrek.goals.find_goal("goal_0_7")["parent_id"] is None
        assert "Which of them" in self.goal("/add marrek = e: x")

    def test_who_is_after_what(self):
        """Without a name, every assistant with what comes next."""
        self.tavern()
        told = self.goal("")
        assert "Marrek" in told
        assert "Design layout" in told

    def test_a_goal_is_added_with_priority_or_under_another(self):
        """A word before the colon is a priority or a goal, else it belongs to the words."""
        assert "goal_0_0" in self.goal("/add marrek = high: Build a tavern")
        self.goal("/add marrek = goal_0_0: Choose a place")
        self.goal("/add marrek = Note: buy bread")
        top, part, other = self.marrek.goals.current_goals
        assert (top["priority"], part["priority"], other["priority"]) == ("high", "high", "medium")
        assert part["parent_id"] == "goal_0_0"
        assert other["description"] == "Note: buy bread"

    def test_fields_are_set(self):
        """By id, by the end of an id, or by some words."""
        self.tavern()
        self.goal("/set marrek = goal_0_1: progress 50")
        self.goal("/set marrek = 0_2: status completed")
        self.goal("/set marrek = furniture: description Add oak furniture")
        goals = self.marrek.goals
        assert goals.find_goal("goal_0_1")["progress"] == 50
        assert goals.find_goal("goal_0_3")["description"] == "Add oak furniture"
        assert goals.find_goal("goal_0_0")["progress"] == 30

    def test_a_goal_that_nobody_asked_for_is_described(self):
        """Also by one who knows several people."""
        self.tavern()
        for person in (self.char1, self.builder):
            self.marrek.profiles.add_entity_observation(person, "A regular guest.")
        told = self.goal(" marrek = tavern")
        assert "created:" in told
        assert "asked for by" not in told

    def test_a_goal_is_dropped_with_a_reason(self):
        """Its open subtasks go along."""
        self.tavern()
        assert "gave up goal_0_0" in self.goal("/drop marrek = tavern: no gold left")
        assert "no gold left" in self.goal(" marrek = tavern")
        assert {one["status"] for one in self.marrek.goals.current_goals} == {"dropped"}

    def test_a_model_breaks_it_down(self):
        """The character's own model is asked, and the subtasks are shown."""
        self.marrek.goals.add_goal("Build tavern")
        self.model.text(json.dumps(STEPS))
        told = self.goal("/decompose marrek = tavern")
        assert all(step in told for step in STEPS)
        assert len(self.marrek.goals.current_goals) == 6
        assert self.model.requests[-1].context_type == "goal_decompose"

    def test_one_that_does_not_run_goes_by_rule(self):
        """Stopped, it needs no model."""
        self.marrek.goals.add_goal("Build tavern")
        self.ai("/stop marrek")
        told = self.goal("/decompose marrek = tavern")
        assert all(step in told for step in subtasks_by_rule("Build tavern"))

    def test_nonsense_changes_nothing(self):
        """Each refusal says what would do."""
        self.tavern()
        before = self.marrek.goals.current_goals
        for line, why in (
            ("/add marrek", "Usage: aigoal/add"),
            ("/add marrek = high:", "no words"),
            ("/set marrek = tavern: progress 50", "follows from its subtasks"),
            ("/set marrek = goal_0_1: progress lots", "from 0 to 100"),
            ("/set marrek = goal_0_1: progress 101", "from 0 to 100"),
            ("/set marrek = goal_0_1: status done", "active, completed, dropped"),
            ("/set marrek = goal_0_1: priority urgent", "low, medium, high, critical"),
            ("/set marrek = goal_0_1: colour red", "status, progress, priority"),
            ("/set marrek = dragon: progress 5", "has no goal 'dragon'"),
            ("/set marrek", "Which goal?"),
            ("/drop marrek = e", "Which of them"),
            ("/decompose marrek = goal_0_0", "It has subtasks already"),
            (" nobody", "no assistant 'nobody'"),
        ):
            assert why in self.goal(line), line
        assert self.marrek.goals.current_goals == before

    def test_builders_only_look(self):
        """A Builder sees the tree, and may change nothing."""
        self.tavern()
        assert "Build tavern" in self.goal(" marrek", self.builder)
        assert "Only Admins" in self.goal("/drop marrek = tavern", self.builder)

    def test_a_private_goal_is_marked(self):
        """Staff see who may not."""
        self.marrek.goals.add_goal("Find the ring", readers="e-alice")
        assert "(private)" in self.goal(" marrek")


class TestAgenda(GoalTestCase):
    def test_its_hours_its_rounds_and_what_is_due(self):
        """In the order in which a person would read it, by the hours of the game."""
        hours = {"sleep_enabled": "on", "sleep_start_hour": "22.5", "sleep_duration_hours": "7"}
        for key, value in (hours | {"autonomy_interval": "300", "active_from": "6"}).items():
            lifecycle.configure(self.marrek, key, value)
        goals = self.marrek.goals
        stops = [{"place": "p1", "name": "the gate"}, {"place": "p2", "name": "the bridge"}]
        goals.add_goal("Walk the rounds", kind="patrol", about={"stops": stops})
        late, soon, over = map(goals.add_goal, ("Mend the roof", "Buy nails", "Pay Ada"))
        for goal, due in ((late, "50"), (soon, "2"), (over, "-1")):
            goals.update_goal(goal, deadline=hours_from_now(float(due)))
        goals.update_goal(goals.add_goal("Build a raft"), status="blocked")
        told = self.goal("/agenda marrek")
        words = (
            *("awake", "22:30 to 05:30", "06:00 to 00:00", "every 5 minutes at most"),
            *("until it is given up", "patrol: the gate, the bridge", "overdue", "Pay Ada"),
            *("in 2.0 hours", "Buy nails", "in 50.0 hours", "Mend the roof", "Build a raft"),
        )
        places = [told.index(word) for word in words]
        assert places == sorted(places)

    def test_who_does_nothing_of_its_own_accord(self):
        assert "never" in self.goal("/agenda marrek")


class TestHandler(GoalTestCase):
    def test_the_script_holds_a_plain_list(self):
        """`script.db.current_goals` is the list for game code, before and after the first goal."""
        script = self.marrek.assistant_script
        assert list(script.db.current_goals) == []
        self.tavern()
        listed = script.db.current_goals
        assert [one["id"] for one in listed] == [f"goal_0_{n}" for n in range(6)]
        assert listed[0]["subtask_ids"] == [f"goal_0_{n}" for n in range(1, 6)]

    def test_a_list_written_by_the_game_is_taken_over(self):
        """Game code may set that list by hand; its ids are not given out again."""
        script = self.marrek.assistant_script
        script.db.current_goals = [{"id": "goal_0_0", "description": "Guard the ford"}]
        assert self.marrek.goals.find_goal("goal_0_0")["status"] == "active"
        assert self.marrek.goals.add_goal("Rest") == "goal_0_1"

    def test_ids_survive_a_restart(self):
        """The counter is on disk: what was finished and forgotten has its id for good."""
        self.tavern()
        marrek = self.crash(self.marrek)
        marrek.assistant_script.db.current_goals = []
        assert marrek.goals.add_goal("Rest") == "goal_0_6"

    def test_a_refused_goal_leaves_nothing(self):
        """Where the database refuses, there is no goal, and its id is not used."""
        with broken_database("UPDATE"):
            self.refused(self.marrek.goals.add_goal, "Build tavern")
        assert self.marrek.goals.current_goals == []
        assert self.marrek.goals.add_goal("Build tavern") == "goal_0_1"
        SERVICE.residents.clear()
        assert self.marrek.goals.find_goal("goal_0_1")

    def test_what_is_completed_is_put_on_record(self):
        """Journal, completed tasks and audit, for the goal and all that it completes."""
        top = self.marrek.goals.add_goal("Build tavern")
        part = self.marrek.goals.add_goal("Build walls", parent_id=top)
        self.marrek.goals.update_goal(part, status="completed", outcome="Of oak.")
        written = [entry["content"] for entry in self.marrek.journal.entries]
        assert "Completed a goal: Build walls. Of oak." in written
        assert "Completed a goal: Build tavern." in written
        tasks = self.marrek.session_memory.memory["completed_tasks"]
        assert len(tasks) == 2
        types = AssistantEvent.objects.filter(type__startswith="Goal").values_list(
            "type", flat=True
        )
        assert list(types) == [*["GoalCreated"] * 2, "GoalUpdated", *["GoalCompleted"] * 2]

    def test_progress_can_be_told_to_follow_again(self):
        """A function for a list that game code changed by hand."""
        top = self.tavern()
        self.marrek.assistant_script.db.current_goals[1]["progress"] = 50
        self.marrek.goals.update_parent_progress(top)
        assert self.marrek.goals.find_goal(top)["progress"] == 10

    def test_a_goal_has_words_and_room(self):
        """What cannot be kept is refused."""
        add = self.marrek.goals.add_goal
        assert "no words" in self.refused(add, " ")
        assert "no goal 'x'" in self.refused(add, "Rest", parent_id="x")
        assert "priority" in self.refused(add, "Rest", "soon")
        assert "no goal 'x'" in self.refused(self.marrek.goals.update_goal, "x", progress=1)
