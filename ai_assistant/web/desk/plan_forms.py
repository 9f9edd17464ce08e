"""Goals and projects as forms: what `aigoal` and `aiproj` change."""

from __future__ import annotations

from typing import Any

from django import forms

from ai_assistant.commands.staff.aigoal import hours_from_now
from ai_assistant.core.contracts import Json
from ai_assistant.planning import goal_tree, goals, projects
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.rest import api_plans as plans
from ai_assistant.web.rest.api_plans import goal_by_id, project_by_key


def _choices(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _new_goal(character: Any, given: Json) -> Planned:
    above = given.get("parent_id")
    name = f"part of: {goal_by_id(character, above)['description']}" if above else "goal"
    return [(name, "", given["description"]), ("priority", "", given["priority"])]


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
        handler = self.character.goals.by(account.key)
        made = handler.update_goal(self.cleaned_data["goal"], **changed)
        return f"{made['description']}: {made['status']}, {made['progress']:.0f} %."


def _context(character: Any, fields: Fields) -> Json:
    return {"text": project_by_key(character, fields.get("project", ""))["context"]}


STEPS = {
    "swap": ("go on with it", "{name} works on {project} now."),
    "complete": ("it is completed", "{project} is completed."),
    "archive": (
        *("its texts become memories",),
        "{project} is archived: {name} can still remember it.",
    ),
}
"""What becomes of a project by each step, as it is asked about, and as it is told."""


def _project_step(character: Any, given: Json) -> Planned:
    now = project_by_key(character, given["project"])["status"]
    return [(given["project"], now, STEPS[given["action"]][0]), ("words", "", given["text"])]


def _broken_down(character: Any, given: Json) -> Planned:
    found = goal_by_id(character, given["goal"])
    return [(found["description"], "", "subtasks, as its model sees fit")]


PLAN_EDITS = {
    "new_goal": act(
        *(plans.add_goal, "Add a goal", "{name} is after it: {id}.", "plans"),
        hides=("parent_id",),
        goes=_new_goal,
        description=words_field("Goal", goals.MAX_DESCRIPTION),
        priority=forms.ChoiceField(choices=_choices(goal_tree.PRIORITIES), initial="medium"),
    ),
    "goal": GoalForm,
    "subtasks": act(
        *(plans.decompose, "Break a goal down", "It is being broken down.", "goal"),
        job="goal {goal}",
        goes=_broken_down,
    ),
    "task": act(plans.ask_assistant, "Give it a task", "{name} works on it.", "plans", job="task"),
    "new_project": act(
        *(plans.add_project, "Start a project", "{name} works on {active} now.", "plans"),
        hides=("context",),
    ),
    "project": act(
        *(plans.change_project, "Change a project", "{project} stands as you wrote.", "project"),
        now=_context,
        action=hidden(initial="update"),
        text=words_field("Context", projects.MAX_GIVEN, rows=6),
    ),
    "project_step": act(
        *(plans.change_project, "Resume or complete a project"),
        lambda known, _: STEPS[known["action"]][1].format_map(known),
        "plans",
        goes=_project_step,
        action=forms.ChoiceField(choices=[(step, words) for step, (words, _) in STEPS.items()]),
        text=words_field(
            *("Words", projects.MAX_GIVEN),
            rows=3,
            required=False,
            help_text="Where the present project stands, or how this one ended.",
        ),
    ),
}
