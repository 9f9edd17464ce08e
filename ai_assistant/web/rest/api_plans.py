"""What the API does about goals, projects, prompts, and questions."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api.ask import MAX_HINT, ask
from ai_assistant.api.turns.rehearsal import rehearse
from ai_assistant.commands import choosing
from ai_assistant.core.contracts import TO_ONE, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.planning import goal_tree
from ai_assistant.web.rest.api_endpoint import ApiCall, Takes

MOST = 200
"""Things in one answer."""
TEXT = 4000
"""Characters of a text that is written."""
_PRIORITY = {
    "choices": list(goal_tree.PRIORITIES),
    "required": False,
    "help_text": "How much it matters.",
}


class NewGoal(Takes):
    """What makes a goal, or a subtask of one."""

    description = serializers.CharField(max_length=TEXT, help_text="What is to be done.")
    priority = serializers.ChoiceField(**_PRIORITY)
    parent_id = serializers.CharField(
        max_length=100, required=False, help_text="The id of the goal of which it is a part."
    )


class GoalChange(Takes):
    """What changes of a goal; the rest stays."""

    status = serializers.ChoiceField(
        choices=list(goal_tree.STATUSES), required=False, help_text="How it stands."
    )
    priority = serializers.ChoiceField(**_PRIORITY)
    progress = serializers.IntegerField(
        min_value=0, max_value=100, required=False, help_text="Percent done."
    )
    deadline = serializers.FloatField(
        min_value=0, required=False, help_text="In seconds of the game's time; 0 for none."
    )
    description = serializers.CharField(
        max_length=TEXT, required=False, help_text="What is to be done."
    )
    outcome = serializers.CharField(max_length=TEXT, required=False, help_text="How it ended.")


class NewProject(Takes):
    """What opens a project."""

    project = serializers.CharField(max_length=100, help_text="Its key: a short name.")
    summary = serializers.CharField(max_length=TEXT, help_text="What it is about.")
    context = serializers.CharField(
        max_length=TEXT, default="", allow_blank=True, help_text="How it stands."
    )


class ProjectChange(Takes):
    """What is done with a project."""

    action = serializers.ChoiceField(
        choices=["update", "swap", "complete", "archive"],
        help_text="Write its context anew, make it the active one, complete it, or put it by.",
    )
    text = serializers.CharField(
        max_length=TEXT,
        default="",
        allow_blank=True,
        help_text="To update: the whole new context. To swap: how the one that was active stands."
        " To complete: how it ended.",
    )


class PreviewOf(Takes):
    """Somebody whom it knows, and what they would say; by its own name what it does unasked."""

    who = serializers.CharField(max_length=100)
    words = serializers.CharField(max_length=1000, default="")
    kind = serializers.ChoiceField(choices=sorted(TO_ONE), required=False)


class AskedOf(Takes):
    """What is asked of an assistant."""

    text = serializers.CharField(max_length=MAX_HINT)


# -- goals and projects


def show_goals(call: ApiCall) -> Json:
    """Return all goals of an assistant, and the ids of those it can work on, most urgent first."""
    handler = call.character.goals
    return {"goals": handler.current_goals, "next": [goal["id"] for goal in handler.by_urgency()]}


def goal(call: ApiCall) -> Json:
    """Return one goal, and the ids of its subtasks."""
    found = _goal(call)
    parts = goal_tree.children(call.character.goals.current_goals, found)
    return found | {"subtasks": [part["id"] for part in parts]}


def _goal(call: ApiCall) -> Json:
    found = call.character.goals.find_goal(call.named["goal"])
    if found is None:
        raise Http404("There is no such goal.")
    return dict(found)


def add_goal(call: ApiCall) -> Json:
    """Give an assistant a goal, or a subtask of one."""
    handler, given = call.character.goals, call.given
    above = handler.find_goal(given["parent_id"]) if "parent_id" in given else None
    options = {"readers": above["readers"]} if above else {}
    options["parent_id"] = given.get("parent_id")
    made = handler.add_goal(given["description"], given.get("priority", ""), **options)
    return dict(handler.find_goal(made))


def change_goal(call: ApiCall) -> Json:
    """Change a goal: its status, progress, priority, deadline, description or outcome."""
    found = _goal(call)
    if not call.given:
        raise AssistantError(f"Give at least one of: {', '.join(GoalChange().fields)}.")
    return dict(call.character.goals.update_goal(found["id"], **call.given))


def decompose(call: ApiCall) -> Deferred[list[Json]]:
    """Break a goal down into subtasks, by its model."""
    return call.character.goals.decompose_goal(_goal(call)["id"])


def projects(call: ApiCall) -> Json:
    """Return the projects of an assistant by key, the active one first."""
    handler = call.character.projects
    return {"active": handler.active, "projects": handler.slots}


def add_project(call: ApiCall) -> Json:
    """Open a project, which becomes the active one."""
    given = call.given
    call.character.projects.create_project(given["project"], given["summary"], given["context"])
    return projects(call)


def change_project(call: ApiCall) -> Json:
    """Write the context of a project anew, go on with it, complete or archive it."""
    handler, key, text = call.character.projects, call.named["project"], call.given["text"]
    if key not in handler.slots:
        raise Http404("There is no such project.")
    match call.given["action"]:
        case "update":
            handler.update_project(key, text)
        case "swap":
            handler.swap_project(key, text)
        case "complete":
            handler.complete_project(key, text)
        case _:
            handler.archive_project(key)
    return projects(call)


# -- its model


def preview(call: ApiCall) -> Deferred[Any]:
    """Return the prompt that words bring about now, or what it does unasked; nothing is sent."""
    itself = {call.character.key: call.character}
    speaker = choosing.find_speaker(call.character, call.given["who"], itself)
    return rehearse(call.character, speaker, call.given["words"], call.given.get("kind", ""))


def ask_assistant(call: ApiCall) -> Deferred[Json]:
    """Ask an assistant something; it answers by what everybody may know, and not aloud."""
    asked = ask(call.character, call.given["text"], by=call.by)
    return asked.addCallback(
        lambda answer: {"text": answer.text, "steps": answer.steps, "tokens": answer.tokens}
    )
