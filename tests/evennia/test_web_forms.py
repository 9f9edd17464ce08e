"""Edits with forms of their own: shown, asked about, then done as a command does."""

from ai_assistant.models import AssistantEvent
from tests.evennia.pages import PagesTestCase


class FormsTestCase(PagesTestCase):
    def form(self, what, account=None, **about):
        """Open the form of an edit; returns the answer."""
        return self.browser(account).get(self.address("edit", what=what), about)

    def do(self, what, **fields):
        """Send a form and be sure; returns what the page then says."""
        done = self.change(what, **fields, sure="yes")
        assert done.status_code == 302, done.content.decode()
        return self.browser().get(done["Location"]).content.decode()

    def refused(self, what, **fields):
        """Send a form that does not fit; returns the page that says why."""
        answer = self.change(what, **fields, sure="yes")
        assert answer.status_code == 400, answer.content.decode()
        return answer.content.decode()

    def told(self, type):
        return AssistantEvent.objects.filter(type=type).exists()


class TestGoals(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.goal = self.marrek.goals.add_goal("Build a tavern.", "high")

    def found(self):
        return self.marrek.goals.find_goal(self.goal)

    def whole(self, **others):
        """Return what the form of the goal sends, as it stands but for some fields."""
        fields = {"goal": self.goal, "description": "Build a tavern.", "priority": "high"}
        return fields | {"status": "active", "progress": "0"} | others

    def test_the_form_holds_what_is_now(self):
        page = self.form("goal", goal=self.goal).content.decode()
        assert 'value="Build a tavern."' in page
        assert '<option value="high" selected>' in page

    def test_a_goal_is_changed_once_it_was_confirmed(self):
        """Only what was changed is asked about, and nothing happens before the second form."""
        asked = self.change("goal", **self.whole(progress="40")).content.decode()
        assert "Progress in percent" in asked
        assert "Outcome" not in asked
        assert self.found()["progress"] == 0
        self.do("goal", **self.whole(progress="40", deadline="5"))
        assert self.found()["progress"] == 40
        assert self.found()["deadline"]

    def test_one_is_finished_and_another_dropped(self):
        """As `aigoal/done` and `aigoal/drop`: on record, with the words for it."""
        self.do("goal", **self.whole(status="completed", outcome="It stands."))
        assert self.found()["outcome"] == "It stands."
        assert self.told("GoalCompleted")

    def test_what_does_not_fit_is_refused(self):
        """In words, and nothing is changed."""
        assert "100" in self.refused("goal", **self.whole(progress="140"))
        assert "Nothing was changed" in self.refused("goal", **self.whole())
        assert "no such goal" in self.refused("goal", **self.whole(goal="goal_9_9"))
        assert self.found()["progress"] == 0

    def test_a_goal_and_a_subtask_are_added(self):
        """A subtask may be read by whoever may read what it is part of."""
        self.do("new_goal", description="Find planks.", priority="low", goal=self.goal)
        made = next(one for one in self.marrek.goals.current_goals if one["parent_id"])
        assert made["description"] == "Find planks."
        assert "Find planks." in self.get("plans")
        assert "Find planks." in self.get("goal", query={"goal": self.goal})

    def test_a_goal_is_broken_down_while_the_page_waits_not(self):
        """The page of the goal shows what its model made of it."""
        self.model.text('["Find good timber.", "Raise the walls.", "Roof it with reed."]')
        assert "Raise the walls" not in self.do("subtasks", goal=self.goal)
        self.steps.run()
        assert "Raise the walls" in self.get("goal", query={"goal": self.goal})

    def test_a_builder_sees_no_form(self):
        assert self.form("new_goal", self.builder.account).status_code == 403
        assert "edit/" not in self.get("plans", self.builder.account)


class TestProjects(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.do("new_project", key="Build a raft", summary="A raft of planks.")

    def test_its_context_is_written_anew(self):
        self.do("project", project="build_a_raft", context="Four planks are there.")
        slot = self.marrek.projects.slots["build_a_raft"]
        assert slot["context"] == "Four planks are there."
        query = {"project": "build_a_raft"}
        assert "Four planks" in self.get("project", query=query)

    def test_it_is_swapped_completed_and_archived(self):
        """Each as its switch of `aiproj` does."""
        self.do("new_project", key="hut", summary="A hut.")
        step = {"project": "build_a_raft"}
        self.do("project_step", **step, step="swap", words="The walls stand.")
        assert self.marrek.projects.active == "build_a_raft"
        assert self.marrek.projects.slots["hut"]["context"] == "The walls stand."
        self.do("project_step", **step, step="complete", words="It floats.")
        assert self.told("ProjectCompleted")
        self.do("project_step", **step, step="archive")
        assert "build_a_raft" not in self.marrek.projects.slots
