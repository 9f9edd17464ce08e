"""Handlers of what a character is after: `character.goals` and `character.projects`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from evennia.utils import gametime
from twisted.internet.defer import Deferred, succeed

from ai_assistant.agent.unasked.planner import break_down, mint_goal
from ai_assistant.api.handlers.handler_base import Handler, between, id_of, one_of
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id
from ai_assistant.planning import goal_tree, projects
from ai_assistant.planning import goals as planning
from ai_assistant.planning.block_views import everything
from ai_assistant.planning.done_records import project_records, update_records
from ai_assistant.planning.goals import subtasks_by_rule
from ai_assistant.planning.urgency import by_urgency
from ai_assistant.runtime.service import SERVICE


class GoalHandler(Handler):
    """Goals. An id such as ``goal_42_0`` is never given to a second goal."""

    @property
    def current_goals(self) -> list[Json]:
        """All goals in the list, finished ones included."""
        return planning.current_goals(self.store.read("goals"))

    def find_goal(self, goal_id: str) -> Json | None:
        """Return a goal by its id, or None."""
        return goal_tree.find_goal(self.current_goals, goal_id)

    def by_urgency(self) -> list[Json]:
        """Return the goals that can be worked on now, the most urgent first."""
        now = float(gametime.gametime(absolute=True))
        return by_urgency(self.current_goals, now_game=now)

    def add_goal(
        self,
        description: str,
        priority: str = "",
        *,
        parent_id: str | None = None,
        readers: str = OPEN,
        **fields: Any,
    ) -> str:
        """Give the character a goal, or a subtask of one; returns its id.

        Args:
            description: What is to be reached.
            priority: low, medium, high or critical; left out: as the goal above it, else medium.
            parent_id: The goal that it is a subtask of.
            readers: Who may know of it; a subtask has at most the readers of the goal above it.
            **fields: deadline (game time in seconds), kind and about (for standing goals),
                requester (a game object or an id), project (a key).

        Raises:
            AssistantError: There is no such goal above, no such priority, no room or no text.
        """
        parent = self._known(parent_id) if parent_id else None
        words = _words(description)
        if problem := planning.no_room_for_goal(self.current_goals, parent):
            raise AssistantError(problem)
        wanted = priority or (parent["priority"] if parent else "medium")
        one_of(wanted, goal_tree.PRIORITIES, "priority")
        fields["requester"] = id_of(fields.get("requester") or "")
        return self._add(words, priority=wanted, parent_id=parent_id, readers=readers, **fields)

    def _add(self, words: str, **options: Any) -> str:
        store, at = self.store, time.time()
        resident = SERVICE.residents.get(entity_id(self._character))
        mind, goals = resident.mind if resident else None, store.read("goals")["goals"]
        new_id, lifted = mint_goal(mind, store.read("counters"), goals)
        goal = planning.new_goal(new_id, words, at=at, **options)
        told = {name: goal[name] for name in ("description", "priority", "parent_id")}
        added = Change("goals", "", "add_goal", {"goal": goal, "at": at})
        self._change([lifted, added], ("GoalCreated", {"goal_id": new_id, **told}))
        return new_id

    def update_goal(self, goal_id: str, **fields: Any) -> Json:
        """Change status, progress, description, priority, deadline or outcome; returns the goal.

        What follows of it above and below is done as well. Raises `AssistantError` for an
        unknown goal, and for a value that does not fit it.
        """
        goal = self._known(goal_id)
        self._check(goal, fields)
        at = time.time()
        step = {"goal_id": goal_id, "at": at, **fields}
        before = self.current_goals
        state: Json = {"goals": [*map(dict, before)]}
        planning.update_goal(state, **step)
        records, audit = update_records(before, state["goals"], goal, at=at)
        update = Change("goals", "", "update_goal", step)
        self._change([update, *records], *audit)
        return self.find_goal(goal_id) or goal

    def drop_goal(self, goal_id: str, reason: str = "") -> Json:
        """Give up a goal with all that is open below it; returns it. Raises as `update_goal`."""
        return self.update_goal(goal_id, status=goal_tree.DROPPED, outcome=clean(reason))

    def update_parent_progress(self, goal_id: str) -> None:
        """Let a goal, and all above it, follow from their subtasks once more."""
        self._write(
            "goals", "", ("update_parent_progress", {"goal_id": goal_id, "at": time.time()})
        )

    def decompose_goal(self, goal_id: str) -> Deferred[list[Json]]:
        """Break a goal down, by the character's model or by rule; the Deferred gives the subtasks.

        Raises `AssistantError` where the goal is unknown, finished, or has subtasks.
        """
        goal, goals = self._known(goal_id), self.current_goals
        if problem := planning.not_to_break_down(goals, goal):
            raise AssistantError(problem)
        resident = SERVICE.residents.get(entity_id(self._character))
        if resident is None:
            return succeed(self._attach(subtasks_by_rule(goal["description"]), goal_id))
        steps = Deferred.fromCoroutine(break_down(resident.mind, goals, goal))
        return steps.addCallback(self._attach, goal_id)

    def _attach(self, steps: Sequence[str], goal_id: str) -> list[Json]:
        goal = self._known(goal_id)
        made = []
        for words in steps:
            fresh = self.current_goals
            if not planning.no_room_for_goal(fresh, goal_tree.find_goal(fresh, goal_id)):
                same = {name: goal[name] for name in ("readers", "author", "project", "requester")}
                made.append(self.add_goal(words, parent_id=goal_id, **same))
        return [found for new_id in made if (found := self.find_goal(new_id))]

    def _known(self, goal_id: str) -> Json:
        goal = self.find_goal(goal_id)
        if goal is None:
            raise AssistantError(f"There is no goal '{clean(goal_id, 40)}'.")
        return goal

    def _check(self, goal: Json, fields: Json) -> None:
        for name in ("description", "outcome"):
            if fields.get(name):
                fields[name] = _words(fields[name])
        for name, allowed in (("priority", goal_tree.PRIORITIES), ("status", goal_tree.STATUSES)):
            if fields.get(name):
                one_of(fields[name], allowed, name)
        if (progress := fields.get("progress")) is not None:
            between(progress, 0, 100, "progress")
        if problem := planning.not_to_set(self.current_goals, goal, fields):
            raise AssistantError(problem)


class ProjectHandler(Handler):
    """Projects: slots of context, one of them active."""

    @property
    def active(self) -> str:
        """The key of the active project; empty where there is none."""
        return projects.active_key(self.store.read("projects"))

    @property
    def slots(self) -> dict[str, Json]:
        """Every project by key, the active one first, then the latest."""
        return projects.usable_slots(self.store.read("projects"), everything)

    def create_project(
        self, key: str, summary: str, context: str = "", *, readers: str = OPEN
    ) -> str:
        """Open a project and make it the active one; returns its key.

        `key` becomes small letters, digits and ``_``. Raises `AssistantError` where nothing is
        left of it, it is taken, the summary is empty, or there are `projects.MAX_OPEN` open ones.
        """
        wanted = projects.slug(key)
        state = self.store.read("projects")
        if not wanted:
            raise AssistantError("A key has letters and digits, such as build_tavern.")
        if wanted in state["slots"]:
            raise AssistantError(f"'{clean(key, 40)}' is taken already.")
        if not projects.has_room(state):
            raise AssistantError(f"It has {projects.MAX_OPEN} open projects: complete one first.")
        made = {"key": wanted, "summary": _words(summary), "context": _text(context)}
        self._does("create_project", "ProjectCreated", {**made, "readers": readers})
        return wanted

    def swap_project(self, key: str, current_project_update: str = "") -> Json:
        """Save the old context, pause it, and go on with another project.

        Returns old_project, new_project, new_project_summary and new_project_context. Raises
        `AssistantError` naming the projects there are, where this is none of them.
        """
        new, old = self._known(key), self.active
        step = {"key": key, "update": _text(current_project_update)}
        if old:
            step["readers"] = self._known(old)["readers"]
        self._does("swap_project", "ProjectSwapped", step)
        return {
            "old_project": old,
            "new_project": key,
            "new_project_summary": new["summary"],
            "new_project_context": projects.context_of(new, everything),
        }

    def update_project(self, key: str, context_update: str = "", *, summary: str = "") -> None:
        """Write a project's context anew, for its own readers; what it loses becomes a memory.
        Raises as `swap_project`."""
        words = {"context_update": _text(context_update), "summary": clean(summary)}
        step = {"key": key, **words, "readers": self._known(key)["readers"]}
        self._does("update_project", "ProjectUpdated", step)

    def complete_project(self, key: str, outcome: str = "") -> None:
        """Close a project; it is put on record. Raises as `swap_project`."""
        slot, at = self._known(key), time.time()
        changes = [Change("projects", "", "complete_project", {"key": key, "at": at})]
        words = clean(outcome)
        origin = {"at": at, "readers": slot["readers"], "author": slot["author"]}
        changes += project_records(key, slot, outcome=words, **origin)
        self._change(changes, ("ProjectCompleted", {"project_key": key, "outcome": words}))

    def archive_project(self, key: str) -> None:
        """Take a project out of its slot; its texts become memories. Raises as `swap_project`."""
        self._known(key)
        step = Change("projects", "", "archive_project", {"key": key})
        self._change([step], ("ProjectArchived", {"project_key": key}))

    def _known(self, key: str) -> Json:
        found = self.slots
        if key not in found:
            names = ", ".join(found) or "none yet"
            raise AssistantError(f"There is no project '{clean(key, 40)}'. There are: {names}.")
        return found[key]

    def _does(self, op: str, type: str, step: Json) -> None:
        changes = [Change("projects", "", op, {"at": time.time(), **step})]
        self._change(changes, (type, {"project_key": step["key"]}))


def _words(text: str) -> str:
    words = clean(text)
    if not words:
        raise AssistantError("There are no words in it.")
    if len(words) > planning.MAX_OUTCOME:
        raise AssistantError(f"That is too long: at most {planning.MAX_OUTCOME} characters.")
    return words


def _text(text: str) -> str:
    return clean(text, projects.MAX_GIVEN, lines=60)
