"""Plans of the offline model: taking on what it is asked for, working on it, and telling of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai_assistant.core.contracts import Json
from ai_assistant.language import plain_english as english
from ai_assistant.language import spoken_times, turning
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.request_records import Pursued, RequestView
from ai_assistant.planning.projects import slug

Wish = tuple[str, Json]
"""A tool's name and its arguments, without `reasoning`."""


@dataclass(frozen=True, slots=True)
class Response:
    """One answer."""

    words: str = ""
    """For whoever is listening; empty: nothing is said."""
    calls: tuple[Wish, ...] = ()
    """Its tool calls, in order."""


SILENCE = Response(calls=(("wait", {}),))
_SMALL = re.compile(r"\b(?:a|an|the|to|with|my|your|their|some|in|on|at|of|for)\b")


def take_on(asker: Asker, task: str) -> list[Wish]:
    """Make a goal of what somebody asked for ("to build a tavern"), and a project around it."""
    if not asker.view.may("add_goal") or going(asker, task):
        return []
    goal = goal_of(asker, task)
    where = f" Asked at {asker.view.place}." if asker.view.place else ""
    key = slug(f"{asker.name} {_SMALL.sub(' ', task)}")
    context = f"{asker.name} asked for help {task}.{where}"
    project = {"project_key": key, "summary": goal, "initial_context": context}
    made: list[Wish] = [("list_projects", {})]
    if asker.view.project != key:
        made.append(("create_project", project))
    return [*made, ("add_goal", {"description": goal, "priority": "high"})]


def goal_of(asker: Asker, task: str) -> str:
    """Return a task as the goal that it becomes: "to build a boat" → "Help Alice build a boat"."""
    return f"Help {asker.name} {task.removeprefix('to ')}"


def going(asker: Asker, task: str) -> Pursued | None:
    """Return the goal that this task is already, if it is one."""
    words = english.spelled_out(goal_of(asker, task))
    same = (goal for goal in asker.view.goals if english.spelled_out(goal.description) == words)
    return next(same, None)


def follow_up(view: RequestView) -> Response | None:
    """Return what comes after a goal was added in this turn: it is broken down, once."""
    added = view.result("add_goal")
    new = added.data.get("goal_id") if added and added.ok else None
    if not isinstance(new, str) or view.result("decompose_goal") or not view.may("decompose_goal"):
        return None
    return Response(calls=(("decompose_goal", {"goal_id": new}),))


def promised(asker: Asker, task: str) -> str:
    """Return the promise to help: with the plan that was made, or how far it is by now."""
    told = task.replace("their ", "your ")
    if (known := going(asker, task)) and not asker.view.result("add_goal"):
        return asker.voice.say("help_going", task=told, progress=f"{known.progress:.0f} percent")
    done = asker.view.result("decompose_goal")
    steps = done.data.get("subtasks") if done and done.ok else None
    if not steps:
        return ""
    first = turning.clause(str(steps[0]["description"]).partition(":")[0])
    first, count = first[:1].lower() + first[1:], spoken_times.number(len(steps))
    return asker.voice.say("help_planned", task=told, count=count, first=first)


def work(view: RequestView) -> Response | None:
    """Return the call that breaks the most urgent goal down; None where that was done.

    Nothing is done by saying so: how far a goal is, staff, players and the game say.
    """
    whole = (it for it in view.goals if not (it.kind or it.under or it.progress or it.subtasks))
    goal = next((goal for goal in whole if goal.next), None)
    if goal is None or view.done or view.occasion or not view.may("decompose_goal"):
        return None
    return Response(calls=(("decompose_goal", {"goal_id": goal.goal}), *SILENCE.calls))


def plans_told(asker: Asker, intent: Intent) -> str:
    """Tell what the character is after, or how far it is with what was asked about."""
    goals = asker.view.goals
    ids = {goal.goal for goal in goals}
    tops = [goal for goal in goals if goal.under not in ids]
    if intent.what:
        found = english.pick(intent.what, tops, key="description")
        tops = [found] if found else []
    if not tops:
        return asker.voice.say("plans_not" if intent.what else "plans_none", topic=intent.what)
    done = [f" ({goal.progress:.0f} percent done)" if goal.progress else "" for goal in tops[:3]]
    told_of = [_spoken(asker, goal) + far for goal, far in zip(tops, done, strict=False)]
    following = next((goal for goal in goals if goal.next and goal.under), None)
    now = _spoken(asker, following).partition(":")[0] if following else ""
    key = "plans_next" if now else "plans"
    return asker.voice.say(key, plans=turning.joined(told_of), next=now)


def _spoken(asker: Asker, goal: Pursued) -> str:
    text = goal.description.rstrip(".")
    text = text[:1].lower() + text[1:]
    turned = re.sub(rf"\b{re.escape(asker.name)}['’]s\b", "your", text)
    turned = re.sub(rf"\b{re.escape(asker.name)}\b", "you", turned)
    return text if turned == text else turned.replace(" their ", " your ")
