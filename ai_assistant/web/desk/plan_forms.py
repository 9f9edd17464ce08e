"""Goals and projects as forms: what `aigoal` and `aiproj` change."""

from __future__ import annotations

from typing import Any

from django import forms

from ai_assistant.api.ask import MAX_HINT, ask
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.commands.staff.aigoal import hours_from_now
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.planning import goal_tree, goals, projects
from ai_assistant.web.desk.desk_edits import Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm, edits_of, hidden, words_field


def goal_by_id(character: Any, goal_id: str) -> Json:
    """Return a goal by its id. Raises `AssistantError` where there is none."""
    goal: Json | None = character.goals.find_goal(goal_id)
    if goal is None:
        raise AssistantError("There is no such goal, or not any more.")
    return goal


def project_by_key(character: Any, key: str) -> Json:
    """Return a project by its key. Raises `AssistantError` where there is none."""
    slot: Json | None = character.projects.slots.get(key)
    if slot is None:
        raise AssistantError("There is no such project, or not any more.")
    return slot


def _choices(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


class NewGoalForm(EditForm):
    """A goal, or a subtask of the one that is hidden in it."""

    title, page = "Add a goal", "plans"
    goal = hidden(required=False)
    description = words_field("Goal", goals.MAX_DESCRIPTION)
    priority = forms.ChoiceField(choices=_choices(goal_tree.PRIORITIES), initial="medium")

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return nothing; a goal above must be there."""
        if fields.get("goal"):
            goal_by_id(character, fields["goal"])
        return {}

    def plan(self, changed: Json) -> Planned:
        """Return the new goal."""
        above = self.cleaned_data["goal"]
        name = f"part of: {goal_by_id(self.character, above)['description']}" if above else "goal"
        given = self.cleaned_data
        return [(name, "", given["description"]), ("priority", "", given["priority"])]

    def do(self, changed: Json, account: Any) -> str:
        """Add it."""
        given, options = self.cleaned_data, Json()
        if given["goal"]:
            above = goal_by_id(self.character, given["goal"])
            options = {"readers": above["readers"], "parent_id": above["id"]}
        made = self.character.goals.add_goal(given["description"], given["priority"], **options)
        return f"{name_of(self.character)} is after it: {made}."


class GoalForm(EditForm):
    """All that can be changed of a goal."""

    title, page = "Change a goal", "goal"
    goal = hidden()
    description = words_field("Goal", goals.MAX_DESCRIPTION)
    status = forms.ChoiceField(choices=_choices(goal_tree.STATUSES))
    progress = forms.IntegerField(min_value=0, max_value=100, label="Progress in percent")
    priority = forms.ChoiceField(choices=_choices(goal_tree.PRIORITIES))
    deadline = forms.FloatField(
        min_value=0, required=False, label="New deadline, in hours of the game from now; 0: none"
    )
    outcome = words_field("How it ended", goals.MAX_OUTCOME, required=False)

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the goal, but for its deadline, which comes nearer all the time."""
        found = goal_by_id(character, fields.get("goal", ""))
        shown = {name: found[name] for name in ("description", "status", "priority", "outcome")}
        return shown | {"progress": round(found["progress"])}

    def do(self, changed: Json, account: Any) -> str:
        """Change it, and what follows above and below."""
        if "deadline" in changed:
            changed = changed | {"deadline": hours_from_now(changed["deadline"])}
        made = self.character.goals.update_goal(self.cleaned_data["goal"], **changed)
        return f"{made['description']}: {made['status']}, {made['progress']:.0f} %."


class SubtasksForm(EditForm):
    """Breaks a goal down, by the character's model."""

    title, page = "Break a goal down", "goal"
    goal = hidden()

    def plan(self, changed: Json) -> Planned:
        """Return what it is for; only its model knows the subtasks."""
        found = goal_by_id(self.character, self.cleaned_data["goal"])
        return [(found["description"], "", "subtasks, as its model sees fit")]

    def do(self, changed: Json, account: Any) -> str:
        """Begin it. The page of the goal shows what comes of it."""
        JOBS.check_room(account)
        goal_id = self.cleaned_data["goal"]
        work = self.character.goals.decompose_goal(goal_id)
        JOBS.begin(account, work, breaking_down(self.character, goal_id))
        return "It is being broken down."


def breaking_down(character: Any, goal_id: str) -> str:
    """Return what a job that breaks a goal down is about."""
    return f"{entity_id(character)} goal {goal_id}"


class TaskForm(EditForm):
    """Gives a character a task, which it answers by what everybody may know."""

    title, page = "Give it a task", "plans"
    task = words_field("What to find out or think about", MAX_HINT, rows=3)

    def do(self, changed: Json, account: Any) -> str:
        """Begin it. The page of its goals shows the answer."""
        JOBS.check_room(account)
        work = ask(self.character, changed["task"], by=account.key)
        JOBS.begin(account, work, asked_for_a_task(self.character))
        return f"{name_of(self.character)} works on it."


def asked_for_a_task(character: Any) -> str:
    """Return what a job that is a task of an assistant's is about."""
    return f"{entity_id(character)} task"


class NewProjectForm(EditForm):
    """A project, which becomes the active one."""

    title, page = "Start a project", "plans"
    key = words_field("Key", 40, help_text="Small letters and digits, such as build_tavern.")
    summary = words_field("Summary", projects.MAX_SUMMARY)

    def do(self, changed: Json, account: Any) -> str:
        """Open it."""
        made = self.character.projects.create_project(changed["key"], changed["summary"])
        return f"{name_of(self.character)} works on {made} now."


class ProjectForm(EditForm):
    """Writes the context of a project anew."""

    title, page = "Change a project", "project"
    project = hidden()
    context = words_field("Context", projects.MAX_GIVEN, rows=6)

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return its context."""
        return {"context": project_by_key(character, fields.get("project", ""))["context"]}

    def do(self, changed: Json, account: Any) -> str:
        """Write it; what it loses becomes a memory."""
        key = self.cleaned_data["project"]
        self.character.projects.update_project(key, changed["context"])
        return f"{key} stands as you wrote."


class ProjectStepForm(EditForm):
    """Goes on with a project, completes it, or archives it."""

    title, page = "Resume or complete a project", "plans"
    project = hidden()
    step = forms.ChoiceField(
        choices=[
            ("swap", "go on with it"),
            ("complete", "it is completed"),
            ("archive", "its texts become memories"),
        ],
        label="Action",
    )
    words = words_field(
        *("Words", projects.MAX_GIVEN),
        rows=3,
        required=False,
        help_text="Where the present project stands, or how this one ended.",
    )

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return nothing; the project must be there."""
        project_by_key(character, fields.get("project", ""))
        return {}

    def plan(self, changed: Json) -> Planned:
        """Return how it is, and what becomes of it."""
        given = self.cleaned_data
        now = project_by_key(self.character, given["project"])["status"]
        step = dict(self.fields["step"].choices)[given["step"]]
        return [(given["project"], now, step), ("words", "", given["words"])]

    def do(self, changed: Json, account: Any) -> str:
        """Do it."""
        handler, given = self.character.projects, self.cleaned_data
        key, words = given["project"], given["words"]
        if given["step"] == "swap":
            handler.swap_project(key, words)
            return f"{name_of(self.character)} works on {key} now."
        if given["step"] == "complete":
            handler.complete_project(key, words)
            return f"{key} is completed."
        handler.archive_project(key)
        return f"{key} is archived: {name_of(self.character)} can still remember it."


PLAN_EDITS = edits_of(
    {
        "new_goal": NewGoalForm,
        "goal": GoalForm,
        "subtasks": SubtasksForm,
        "task": TaskForm,
        "new_project": NewProjectForm,
        "project": ProjectForm,
        "project_step": ProjectStepForm,
    }
)
