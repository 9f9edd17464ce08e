"""What the API does about goals, projects, prompts, and questions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api.ask import MAX_HINT, ask
from ai_assistant.api.turns.rehearsal import rehearse
from ai_assistant.commands import choosing
from ai_assistant.core.contracts import TO_ONE, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.planning import goal_tree
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    may_be_empty,
    or_not_found,
    string,
    takes,
    whole,
)

MOST = 200
"""Things in one answer."""
TEXT = 4000
"""Characters of a text that is written."""
_PRIORITY = {
    "choices": list(goal_tree.PRIORITIES),
    "required": False,
    "help_text": "How much it matters.",
}


class GoalChange(Takes):
    """What changes of a goal; the rest stays."""

    status = serializers.ChoiceField(
        choices=list(goal_tree.STATUSES), required=False, help_text="How it stands."
    )
    priority = serializers.ChoiceField(**_PRIORITY)
    progress = whole(0, 100, required=False, help_text="Percent done.")
    deadline = serializers.FloatField(
        min_value=0, required=False, help_text="In seconds of the game's time; 0 for none."
    )
    description = string(TEXT, required=False, help_text="What is to be done.")
    outcome = string(TEXT, required=False, help_text="How it ended.")


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
    with or_not_found():
        return goal_by_id(call.character, call.named["goal"])


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


@takes(
    description=string(TEXT, help_text="What is to be done."),
    priority=serializers.ChoiceField(**_PRIORITY),
    parent_id=string(100, required=False, help_text="The id of the goal of which it is a part."),
)
def add_goal(call: ApiCall) -> Json:
    """Give an assistant a goal, or a subtask of one."""
    handler, given = call.character.goals.by(call.by), call.given
    above = handler.find_goal(given["parent_id"]) if "parent_id" in given else None
    options = {"readers": above["readers"]} if above else {}
    options["parent_id"] = given.get("parent_id")
    made = handler.add_goal(given["description"], given.get("priority", ""), **options)
    return dict(handler.find_goal(made))


@takes(GoalChange)
def change_goal(call: ApiCall) -> Json:
    """Change a goal: its status, progress, priority, deadline, description or outcome."""
    found = _goal(call)
    if not call.given:
        raise AssistantError(f"Give at least one of: {', '.join(GoalChange().fields)}.")
    return dict(call.character.goals.by(call.by).update_goal(found["id"], **call.given))


def decompose(call: ApiCall) -> Deferred[list[Json]]:
    """Break a goal down into subtasks, by its model."""
    return call.character.goals.by(call.by).decompose_goal(_goal(call)["id"])


def projects(call: ApiCall) -> Json:
    """Return the projects of an assistant by key, the active one first."""
    handler = call.character.projects
    return {"active": handler.active, "projects": handler.slots}


@takes(
    project=string(100, label="Key", help_text="A short name, such as build_tavern."),
    summary=string(TEXT, help_text="What it is about."),
    context=may_be_empty(TEXT, help_text="How it stands."),
)
def add_project(call: ApiCall) -> Json:
    """Open a project, which becomes the active one."""
    given, handler = call.given, call.character.projects.by(call.by)
    handler.create_project(given["project"], given["summary"], given["context"])
    return projects(call)


@takes(
    action=serializers.ChoiceField(
        choices=["update", "swap", "complete", "archive"],
        help_text="Write its context anew, make it the active one, complete it, or put it by.",
    ),
    text=string(
        TEXT,
        default="",
        allow_blank=True,
        help_text="To update: the whole new context. To swap: how the one that was active stands."
        " To complete: how it ended.",
    ),
)
def change_project(call: ApiCall) -> Json:
    """Write the context of a project anew, go on with it, complete or archive it."""
    handler = call.character.projects.by(call.by)
    key, text = call.named["project"], call.given["text"]
    with or_not_found():
        project_by_key(call.character, key)
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


@takes(
    who=string(100),
    words=string(1000, default=""),
    kind=serializers.ChoiceField(choices=sorted(TO_ONE), required=False),
)
def preview(call: ApiCall) -> Deferred[Any]:
    """Return the prompt that words bring about now, or what it does unasked; nothing is sent."""
    itself = {call.character.key: call.character}
    speaker = choosing.find_speaker(call.character, call.given["who"], itself)
    return rehearse(call.character, speaker, call.given["words"], call.given.get("kind", ""))


@takes(text=string(MAX_HINT, label="What to find out or think about"))
def ask_assistant(call: ApiCall) -> Deferred[Json]:
    """Ask an assistant something; it answers by what everybody may know, and not aloud."""
    asked = ask(call.character, call.given["text"], by=call.by)
    return asked.addCallback(
        lambda answer: {"text": answer.text, "steps": answer.steps, "tokens": answer.tokens}
    )
