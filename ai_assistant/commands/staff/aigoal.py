"""The command `aigoal`: what assistants are after, as trees with their progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evennia.utils import gametime

from ai_assistant.api.desk.timetable import agenda_of
from ai_assistant.commands import choosing, shown
from ai_assistant.commands.choosing import Choice
from ai_assistant.commands.command_base import AICommand, halves, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import HOUR
from ai_assistant.game.identity import name_of
from ai_assistant.planning import goal_tree

WIDTH = 10
"""Characters of a progress bar."""
COLOURS = dict.fromkeys(goal_tree.OPEN_STATUSES, "|y") | {
    goal_tree.COMPLETED: "|g",
    goal_tree.DROPPED: "|x",
}
FIELDS = ("status", "progress", "priority", "deadline", "description", "outcome")
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
      aigoal/agenda <assistant>               its hours and rounds, what is due

      aigoal/add <assistant> = [<priority>:] <description>
      aigoal/add <assistant> = <goal>: <description>    a subtask
      aigoal/set <assistant> = <goal>: <field> <value>
      aigoal/decompose <assistant> = <goal>   break it down into subtasks
      aigoal/done <assistant> = <goal> [: <outcome>]    it is reached
      aigoal/drop <assistant> = <goal> [: <reason>]     it is given up

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
      aigoal/done marrek = carpenter: Hilda will do it
      aigoal/drop marrek = tavern: nobody drinks
      aigoal/all marrek                   aigoal/agenda marrek

    """

    key = "aigoal"
    aliases = ["aigoals"]

    # -- looking

    @switch("")
    def _show(self) -> None:
        if not self.args:
            self.overview(("Name", "Open", "Next"), _overview)
        elif self.rhs:
            character = self.wanted(self.lhs)
            self.show(_described(character, goal_named(character, self.rhs)))
        else:
            self._tree(self.wanted(self.lhs), everything=False)

    @switch("all", named=True, takes=1)
    def _tree(self, character: Any, *, everything: bool = True) -> None:
        goals = character.goals.current_goals
        urgent = [goal["id"] for goal in character.goals.by_urgency()]
        lines = [
            _line(goal, goal_tree.depth(goals, goal), is_next=goal["id"] in urgent[:1])
            for top in _tops(goals, urgent)
            for goal in goal_tree.descendants(goals, top)
            if everything or _is_shown(goals, goal)
        ]
        nothing = (
            f"{name_of(character)} is after nothing. Give it something to do: "
            f"aigoal/add {character.key} = <description>"
        )
        self.show(lines or nothing)

    @switch("agenda", named=True, takes=1)
    def _agenda(self, character: Any) -> None:
        self.show_table(("When", "What"), agenda_of(character))

    # -- changing

    @switch("add", "Admin", named=True)
    def _add(self, character: Any) -> None:
        if not self.rhs:
            raise Misused
        before, colon, after = self.rhs.partition(":")
        priority, parent, words = "", None, self.rhs
        if colon and before.strip().lower() in goal_tree.PRIORITIES:
            priority, words = before.strip().lower(), after
        elif colon and choosing.matching(before, _choices(character)):
            parent, words = goal_named(character, before), after
        options = {"readers": parent["readers"], "parent_id": parent["id"]} if parent else {}
        made = character.goals.by(self.caller.key).add_goal(words.strip(), priority, **options)
        part = f", a subtask of {parent['id']} {parent['description']}" if parent else ""
        self.msg(f"{name_of(character)} is after it: {made}{part}.")

    @switch("set", "Admin")
    def _set(self) -> None:
        character, goal, rest = self._chosen()
        field, _, value = rest.partition(" ")
        if field not in FIELDS or not value.strip():
            raise Misused(f"Fields are {', '.join(FIELDS)}. Usage:")
        goals = character.goals.by(self.caller.key)
        now = goals.update_goal(goal["id"], **{field: _value(field, value.strip())})
        self.msg(_line(now, 0))

    @switch("decompose", "Admin")
    def _decompose(self) -> None:
        character, goal, rest = self._chosen()
        self._refuse(rest)
        done = character.goals.by(self.caller.key).decompose_goal(goal["id"])
        done.addCallback(lambda made: self.show(_line(subtask, 1) for subtask in made))
        done.addErrback(self.failed)

    @switch("done", "Admin")
    def _done(self) -> None:
        character, goal, outcome = self._chosen()
        goals = character.goals.by(self.caller.key)
        goals.update_goal(goal["id"], status=goal_tree.COMPLETED, outcome=outcome)
        self._tell_end(character, goal, "is done with")

    @switch("drop", "Admin")
    def _drop(self) -> None:
        character, goal, reason = self._chosen()
        character.goals.by(self.caller.key).drop_goal(goal["id"], reason)
        self._tell_end(character, goal, "gave up")

    def _tell_end(self, character: Any, goal: Json, did: str) -> None:
        left = character.goals.by_urgency()
        then = f"Next: {left[0]['description']}" if left else "It is after nothing more."
        self.msg(f"{name_of(character)} {did} {goal['id']}: {goal['description']}\n{then}")

    def _chosen(self) -> tuple[Any, Json, str]:
        """Return the assistant, its goal that is meant, and what was typed after the colon."""
        character = self.wanted(self.lhs)
        name, rest = halves(self.rhs)
        return character, goal_named(character, name), rest


def _overview(character: Any) -> tuple[object, ...]:
    urgent = character.goals.by_urgency()
    still = [goal for goal in character.goals.current_goals if goal_tree.is_open(goal)]
    return name_of(character), len(still), urgent[0]["description"] if urgent else ""


def _choices(character: Any) -> list[Choice]:
    """Return its goals by their words, id or the end of it, the open ones first."""
    goals = sorted(character.goals.current_goals, key=goal_tree.is_open, reverse=True)
    return [
        Choice(
            goal,
            goal["description"],
            (goal["id"], goal["id"].removeprefix("goal_"), goal["id"].rpartition("_")[2]),
            f"{goal['id']} {goal['description']}",
        )
        for goal in goals
    ]


def goal_named(character: Any, name: str) -> Json:
    """Return the goal that is meant. Raises `AssistantError` naming the choices."""
    choices, goals = _choices(character), character.goals.current_goals
    found = choosing.matching(name, choices)
    tops = [
        goal for goal in found if not any(up in found for up in goal_tree.ancestors(goals, goal))
    ]
    if len(tops) == 1 and len(name.strip()) > SHORT:
        return tops[0]  # the subtasks of a goal mostly bear its words
    goal: Json = choosing.choose(name, "goal", choices, owner=f"{name_of(character)} has")
    return goal


def _value(field: str, text: str) -> Any:
    """Return what was typed for a field; a deadline as a time of the game, 0 for none."""
    number = text.split()[0].rstrip("%h")
    if field == "progress":
        if not number.isdecimal():
            raise AssistantError("Progress is a number from 0 to 100.")
        return int(number)
    if field != "deadline":
        return text.lower() if field in ("status", "priority") else text
    if not number.replace(".", "", 1).isdecimal():
        raise AssistantError("A deadline is a number of the game's hours from now, or 0 for none.")
    return hours_from_now(float(number))


def hours_from_now(hours: float | None) -> float:
    """Return the time of the game in so many of its hours; 0, which is none, for no hours."""
    return gametime.gametime(absolute=True) + hours * HOUR if hours else 0.0


def _tops(goals: Sequence[Json], urgent: Sequence[str]) -> list[Json]:
    """Return the topmost goals, those of the most urgent leaves first."""
    leaves = filter(None, (goal_tree.find_goal(goals, leaf) for leaf in urgent))
    tops = [[leaf, *goal_tree.ancestors(goals, leaf)][-1] for leaf in leaves]
    return list({top["id"]: top for top in (*tops, *goal_tree.roots(goals))}.values())


def _is_shown(goals: Sequence[Json], goal: Json) -> bool:
    """Is this goal open, or done as a part of one that is?"""
    above = [*goal_tree.ancestors(goals, goal)]
    part = goal["status"] == goal_tree.COMPLETED and bool(above) and goal_tree.is_open(above[-1])
    return part or goal_tree.is_open(goal)


def _line(goal: Json, level: int, *, is_next: bool = False) -> str:
    """Return a goal as ``[####------]  40% goal_1_2 Build a tavern (high)``."""
    filled = int(goal["progress"] * WIDTH / 100)
    bar = f"{COLOURS[goal['status']]}[{'#' * filled}{'-' * (WIDTH - filled)}]|n"
    told = "" if goal["status"] == goal_tree.ACTIVE else f", {goal['status']}"
    told += f" for {goal['awaits']['name']}" if goal["awaits"] else ""
    return (
        f"{'   ' * level}{bar} {goal['progress']:>3.0f}% |c{goal['id']}|n {goal['description']} "
        f"|x({goal['priority']}{told})|n{shown.private(goal['readers'])}"
        f"{' |w<- next|n' if is_next else ''}"
    )


def _described(character: Any, goal: Json) -> Iterator[str]:
    yield _line(goal, 0)
    yield from shown.labelled(goal_facts(character, goal))
    for subtask in goal_tree.children(character.goals.current_goals, goal):
        yield _line(subtask, 1)


def goal_facts(character: Any, goal: Json) -> dict[str, str]:
    """Return what is known of a goal beside its words, by what it is called."""
    hours = ((goal["deadline"] or 0) - gametime.gametime(absolute=True)) / HOUR
    left = f"in {hours:.1f} hours of the game" if hours > 0 else "over"
    asker = goal["requester"]
    return {
        "asked for by": asker and character.profiles.get_entity_profile(asker)["name"],
        "kind": goal["kind"],
        "project": goal["project"],
        "part of": goal["parent_id"],
        "created": shown.minute(goal["created"]),
        "ended": shown.minute(goal["finished"]),
        "deadline": left if goal["deadline"] else "",
        "outcome": goal["outcome"],
    }
