"""The command `aigoal`: what assistants are after, as trees with their progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evennia.utils import gametime

from ai_assistant.commands import shown
from ai_assistant.commands.command_base import AICommand
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.planning import goal_tree

WIDTH = 10
"""Characters of a progress bar."""
LISTED = 8
"""Goals named where one has to choose."""
COLOURS = dict.fromkeys(goal_tree.OPEN_STATUSES, "|y") | {
    goal_tree.COMPLETED: "|g",
    goal_tree.DROPPED: "|x",
}
FIELDS = ("status", "progress", "priority", "deadline", "description", "outcome")
HOUR = 3600.0
SHORT = 2
"""Letters that say too little to choose among several goals."""


class CmdAIGoal(AICommand):
    """
    see and steer what an assistant is after

    Usage:
      aigoal                                  who is after what
      aigoal <assistant>                      its open goals, most urgent first
      aigoal/all <assistant>                  finished and dropped ones as well
      aigoal <assistant> = <goal>             all about one goal

      aigoal/add <assistant> = [<priority>:] <description>
      aigoal/add <assistant> = <goal>: <description>    a subtask
      aigoal/set <assistant> = <goal>: <field> <value>
      aigoal/decompose <assistant> = <goal>   break it down into subtasks
      aigoal/drop <assistant> = <goal> [: <reason>]

    A goal is named by its id, the end of its id, or some of its words. Fields
    are status (active, blocked, completed, dropped), progress (0 to 100),
    priority (low, medium, high, critical), deadline (in hours of the game from
    now; 0: none), description and outcome. A goal may also wait for somebody:
    it is gone on with once they come or speak, or it is set active. The
    progress of a goal with subtasks is the mean of theirs.

    Builders look, Admins change.

    Examples:
      aigoal/add marrek = high: Build a tavern by the river
      aigoal/add marrek = tavern: Find a carpenter
      aigoal/decompose marrek = tavern
      aigoal/set marrek = carpenter: progress 50

    """

    key = "aigoal"
    aliases = ["aigoals"]
    verbs = {
        "": ("do_show", "Builder"),
        "all": ("do_all", "Builder"),
        "add": ("do_add", "Admin"),
        "set": ("do_set", "Admin"),
        "decompose": ("do_decompose", "Admin"),
        "drop": ("do_drop", "Admin"),
    }

    # -- looking

    def do_show(self) -> None:
        """Show who is after what, the open goals of one, or one goal."""
        if not self.args.strip():
            self.overview(("Name", "Open", "Next"), _overview)
        elif self.rhs:
            character = self.wanted(self.lhs)
            self.show(_described(character, find_goal(character, self.rhs)))
        else:
            self._tree(self.wanted(self.lhs), everything=False)

    def do_all(self) -> None:
        """Show the finished goals as well."""
        self._tree(self.wanted(self.lhs), everything=True)

    def _tree(self, character: Any, *, everything: bool) -> None:
        goals = character.goals.current_goals
        urgent = [one["id"] for one in character.goals.by_urgency()]
        lines = [
            _line(one, goal_tree.depth(goals, one), is_next=one["id"] in urgent[:1])
            for top in _tops(goals, urgent)
            for one in goal_tree.descendants(goals, top)
            if everything or _is_shown(goals, one)
        ]
        if not lines:
            self.msg(
                f"{name_of(character)} is after nothing. Give it something to do: "
                f"aigoal/add {character.key} = <description>"
            )
            return
        self.show("\n".join(lines))

    # -- changing

    def do_add(self) -> None:
        """Give it a goal, or a subtask."""
        character = self.wanted(self.lhs)
        if not self.rhs:
            raise AssistantError("Usage: aigoal/add <assistant> = [<priority>:] <description>")
        before, colon, after = self.rhs.partition(":")
        priority, parent, words = "", None, self.rhs
        if colon and before.strip().lower() in goal_tree.PRIORITIES:
            priority, words = before.strip().lower(), after
        elif colon and matching(character, before):
            parent, words = find_goal(character, before), after
        options = {"readers": parent["readers"], "parent_id": parent["id"]} if parent else {}
        made = character.goals.add_goal(words.strip(), priority, **options)
        part = f", a subtask of {parent['id']} {parent['description']}" if parent else ""
        self.msg(f"{name_of(character)} is after it: {made}{part}.")

    def do_set(self) -> None:
        """Change one field of a goal."""
        character, goal, rest = self._chosen()
        field, _, value = rest.partition(" ")
        if field not in FIELDS or not value.strip():
            raise AssistantError(
                f"Usage: aigoal/set <assistant> = <goal>: <field> <value>. "
                f"Fields are {', '.join(FIELDS)}."
            )
        now = character.goals.update_goal(goal["id"], **{field: _value(field, value.strip())})
        self.msg(_line(now, 0))

    def do_decompose(self) -> None:
        """Break a goal down."""
        character, goal, _ = self._chosen()
        done = character.goals.decompose_goal(goal["id"])
        done.addCallbacks(self._tell_subtasks, self.failed)

    def do_drop(self) -> None:
        """Give a goal up."""
        character, goal, reason = self._chosen()
        character.goals.drop_goal(goal["id"], reason)
        self.msg(f"{name_of(character)} gave up {goal['id']}: {goal['description']}")

    def _chosen(self) -> tuple[Any, Json, str]:
        """Return the assistant, its goal that is meant, and what was typed after the colon."""
        character = self.wanted(self.lhs)
        name, rest = self.halves()
        return character, find_goal(character, name), rest

    def _tell_subtasks(self, made: Sequence[Json]) -> None:
        self.msg("\n".join(_line(one, 1) for one in made))


def _overview(character: Any) -> tuple[object, ...]:
    urgent = character.goals.by_urgency()
    still = [goal for goal in character.goals.current_goals if goal_tree.is_open(goal)]
    return name_of(character), len(still), urgent[0]["description"] if urgent else ""


def find_goal(character: Any, name: str) -> Json:
    """Return the goal that is meant by an id, the end of one, or some words.

    Raises `AssistantError` naming the choices where there is none, or more than one.
    """
    wanted, goals = name.strip(), character.goals.current_goals
    if not wanted:
        raise AssistantError("Which goal? Name it by its id or some of its words.")
    found = matching(character, wanted)
    tops = [one for one in found if not any(up in found for up in goal_tree.ancestors(goals, one))]
    telling = len(found) == 1 or len(wanted) > SHORT
    if telling and len(tops) == 1:  # the subtasks of a goal mostly bear its words
        return tops[0]
    choices = found or [one for one in goals if goal_tree.is_open(one)]
    names = "; ".join(f"{one['id']} {one['description']}" for one in choices[:LISTED])
    if found:
        raise AssistantError(f"Which of them: {names}?")
    raise AssistantError(
        f"{name_of(character)} has no goal '{clean(name, 40)}'. It has: {names or 'none yet'}."
    )


def matching(character: Any, name: str) -> list[Json]:
    """Return the goals of this id, else those whose id ends so, else those with these words."""
    wanted, goals = name.strip().casefold(), character.goals.current_goals
    if not wanted:
        return []
    ways = (
        [one for one in goals if one["id"] == wanted],
        [one for one in goals if one["id"].endswith(f"_{wanted}")],
        [one for one in goals if wanted in one["description"].casefold()],
    )
    return next(filter(None, ways), [])


def _value(field: str, text: str) -> Any:
    if field == "deadline":
        return _deadline(text)
    if field != "progress":
        return text.lower() if field in ("status", "priority") else text
    number = text.rstrip("%")
    if not number.isdecimal():
        raise AssistantError("Progress is a number from 0 to 100.")
    return int(number)


def _deadline(text: str) -> float:
    """Return a time of the game, so many of its hours from now; 0 for none."""
    number = text.split()[0].rstrip("h")
    if not number.replace(".", "", 1).isdecimal():
        raise AssistantError("A deadline is a number of the game's hours from now, or 0 for none.")
    return gametime.gametime(absolute=True) + float(number) * HOUR if float(number) else 0.0


def _tops(goals: Sequence[Json], urgent: Sequence[str]) -> list[Json]:
    """Return the topmost goals, those of the most urgent leaves first."""
    found: dict[str, Json] = {}
    for leaf in (goal_tree.find_goal(goals, one) for one in urgent):
        if leaf is not None:
            top = [leaf, *goal_tree.ancestors(goals, leaf)][-1]
            found.setdefault(top["id"], top)
    return [*found.values(), *(one for one in goal_tree.roots(goals) if one["id"] not in found)]


def _is_shown(goals: Sequence[Json], goal: Json) -> bool:
    """Is this goal open, or done as a part of one that is?"""
    above = [*goal_tree.ancestors(goals, goal)]
    part = goal["status"] == goal_tree.COMPLETED and bool(above) and goal_tree.is_open(above[-1])
    return part or goal_tree.is_open(goal)


def bar(goal: Json) -> str:
    """Return a goal's progress as a bar with its number: ``[####------]  40%``."""
    filled = int(goal["progress"] * WIDTH / 100)
    marks = f"{'#' * filled}{'-' * (WIDTH - filled)}"
    return f"{COLOURS[goal['status']]}[{marks}]|n {goal['progress']:>3.0f}%"


def _line(goal: Json, level: int, *, is_next: bool = False) -> str:
    told = "" if goal["status"] == goal_tree.ACTIVE else f", {goal['status']}"
    told += f" for {goal['awaits']['name']}" if goal["awaits"] else ""
    mark = " |w<- next|n" if is_next else ""
    return (
        f"{'   ' * level}{bar(goal)} |c{goal['id']}|n {goal['description']} "
        f"|x({goal['priority']}{told})|n{shown.private(goal['readers'])}{mark}"
    )


def _time_left(goal: Json) -> str:
    if not goal["deadline"]:
        return ""
    hours = (goal["deadline"] - gametime.gametime(absolute=True)) / HOUR
    return f"in {hours:.1f} hours of the game" if hours > 0 else "over"


def _described(character: Any, goal: Json) -> str:
    goals = character.goals.current_goals
    who = character.profiles.get_entity_profile(goal["requester"])["name"]
    facts = {
        "asked for by": who if goal["requester"] else "",
        "kind": goal["kind"],
        "project": goal["project"],
        "part of": goal["parent_id"] or "",
        "created": shown.minute(goal["created"]),
        "ended": shown.minute(goal["finished"]),
        "deadline": _time_left(goal),
        "outcome": goal["outcome"],
    }
    lines = [f"  {name}: {text}" for name, text in facts.items() if text]
    return "\n".join(
        [_line(goal, 0), *lines, *(_line(one, 1) for one in goal_tree.children(goals, goal))]
    )
