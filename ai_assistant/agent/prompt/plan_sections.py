"""Component 4000, what the character is after, and its project at hand in component 1000."""

from __future__ import annotations

from ai_assistant.agent.attention.leases import may_do
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.measures import day_of_words
from ai_assistant.agent.prompt.partner import promise_in_words
from ai_assistant.agent.prompt.prompt_wording import enumerated, key_in_words, on_one_line, quoted
from ai_assistant.agent.turn.handles import handle_of
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.times import HOUR, due
from ai_assistant.language.words import clipped
from ai_assistant.memory.talk.working import is_pressing
from ai_assistant.planning import goal_tree
from ai_assistant.planning import goals as planning
from ai_assistant.planning.goal_tree import COMPLETED, WAITING, is_open
from ai_assistant.planning.projects import active_key, context_of, usable_slots
from ai_assistant.planning.urgency import FOLLOW, by_urgency

MOST_GOALS = 24
TOLD = 4
"""Goals that are told of while somebody is answered: they wait."""
BRIEF = 200
"""Characters of what is told of the project at hand while somebody is answered."""
MOST_PROJECTS = 5
"""Other projects that are named beside the one at hand."""
MOST_TALKS = 40
"""Latest conversations that are searched for promises on an autonomous turn."""
MOST_PROMISES = 5


def project(turn: Turn) -> Section:
    """Return the active project, and the names of the others; a story has none of them."""
    section = Section([], "Your project", fixed=1)
    state = turn.state("projects")
    if turn.play.fiction:
        return section
    found = usable_slots(state, turn.admit)
    if (active := active_key(state)) in found:
        slot = found.pop(active)
        context = context_of(slot, turn.admit)
        words = f"{key_in_words(active)}: {quoted(slot['summary'])}"
        if context:
            most = BRIEF if turn.events else len(context)
            words += f"\nWhat you need to know for it: {quoted(clipped(context, most))}"
        data = {"project": active, "summary": slot["summary"], "context": context}
        section.rows.append(Row(words, data, slot["readers"]))
    others = [key for key, slot in found.items() if slot["status"] != COMPLETED][:MOST_PROJECTS]
    if others:
        words = "" if turn.events else f"Others: {enumerated([on_one_line(key) for key in others])}"
        section.rows.append(Row(words, {"other_projects": others}))
    return section


def goals(turn: Turn) -> Section:
    """Return the open goals, the most urgent tree first; a story has none of them."""
    section = Section([], "Your goals", fixed=1)
    if turn.play.fiction:
        return section
    state = turn.state("goals")
    section.rows = _open_goals(turn, state) if state["goals"] else []
    section.rows += [] if turn.events else _promises(turn)
    return section


def _open_goals(turn: Turn, state: Json) -> list[Row]:
    now = turn.world.game_time()
    found = planning.usable_goals(state, turn.admit)
    free = {goal["id"] for goal in found if may_do(turn.mind, found, goal)}
    urgent = by_urgency(planning.current_goals(state), now_game=now, allow=turn.admit)
    urgent = [goal for goal in urgent if goal["id"] in free]
    at_hand = turn.goal["id"] if turn.goal else urgent[0]["id"] if urgent else ""
    rows: list[Json] = []
    labels: list[str] = []
    asking = {key for it in turn.events for key in (it.source.id, it.source.name.casefold())}
    awaited = [goal["id"] for goal in found if goal["awaits"].get("who") in asking]
    for top in _tops(found, [*awaited, at_hand, *(goal["id"] for goal in urgent)]):
        for goal in goal_tree.descendants(found, top):
            if is_open(goal):
                mark: Json = {"next": True} if goal["id"] == at_hand else {}
                mark |= {} if goal["id"] in free else {"done_by": "another body of yours"}
                rows.append(_row(turn, found, goal, now) | mark)
                labels.append(goal["readers"])
    told = TOLD if turn.events else MOST_GOALS
    shown = [
        Row(_in_words(turn, row) if place < told else "", row, labels[place])
        for place, row in enumerate(rows[:MOST_GOALS])
    ]
    more = len(rows) - told
    return [*shown, Row(f"- and {more} more")] if more > 0 else shown


def _in_words(turn: Turn, row: Json) -> str:
    known = [] if turn.events else [f"{row['priority']} priority"]
    if row["progress"] or not turn.events:
        known.append(f"{row['progress']:g} % done")
    known += [f"part of {row['under']}"] if "under" in row else []
    if not turn.events:
        known += [row["subtasks"].replace("done", "steps done")] if "subtasks" in row else []
    known += [due(row["due_in_hours"] * HOUR)] if "due_in_hours" in row else []
    known += [f"set {row['since']}"] if "since" in row else []
    known += [row["pause"]] if "pause" in row else []
    known += ["the next to do"] if "next" in row and not turn.events else []
    known += [f"done by {row['done_by']}"] if "done_by" in row else []
    known += ["until you move to 'here'"] if turn.events and row.get("kind") == FOLLOW else []
    more = f" ({', '.join(known)})" if known else ""
    return f"- {row['goal']}: {quoted(row['description'])}{more}"


def _tops(found: list[Json], urgent: list[str]) -> list[Json]:
    known = [goal["id"] for goal in found]
    tops: dict[str, Json] = {}
    for id in dict.fromkeys(urgent):
        leaf = goal_tree.find_goal(found, id)
        if leaf is not None:
            chain = [leaf, *goal_tree.ancestors(found, leaf)]
            tops.setdefault(chain[-1]["id"], chain[-1])
    rest = (goal for goal in found if goal["parent_id"] not in known)
    return [*tops.values(), *(goal for goal in rest if goal["id"] not in tops)]


def _row(turn: Turn, found: list[Json], goal: Json, now: float) -> Json:
    row: Json = {
        "goal": goal["id"],
        "description": goal["description"],
        "priority": goal["priority"],
        "progress": goal["progress"],
    }
    parts = goal_tree.live_children(found, goal)
    if parts:
        done = sum(part["status"] == COMPLETED for part in parts)
        row["subtasks"] = f"{done} of {len(parts)} done"
    if goal["parent_id"]:
        row["under"] = goal["parent_id"]
    if goal["deadline"] is not None:
        row["due_in_hours"] = round((goal["deadline"] - now) / HOUR, 1)
    if not goal_tree.may_go_on(goal, now):
        whom = on_one_line(goal["awaits"].get("name", "somebody"))
        row["pause"] = f"waits for {whom}" if goal["status"] == WAITING else "blocked for now"
    row |= {name: goal[name] for name in ("kind", "project") if goal[name]}
    if since := day_of_words(turn, goal["description"], goal.get("created", "")):
        row["since"] = since
    if goal["requester"] and (handle := handle_of(turn, goal["requester"])):
        row["for"] = handle
    return row


def _promises(turn: Turn) -> list[Row]:
    """Return what was promised to people, most pressing first: work for a turn unasked."""
    store = turn.store
    talks = (store.read("working", key) for key in store.keys("working")[-MOST_TALKS:])
    now = turn.world.game_time()
    waiting = [
        (not is_pressing(action, now), action["priority"], talk, action)
        for talk in talks
        for action in talk["pending_actions"]
    ]
    rows: list[Row] = []
    for _, priority, talk, promised in sorted(waiting, key=lambda promise: promise[:2]):
        who, readers, action = talk["entity_id"], talk["readers"], promised["action"]
        if len(rows) < MOST_PROMISES and turn.admit(readers, who):
            name = store.read("profile", who)["name"]
            row: Json = {"promised": action, "to": name, "priority": priority}
            handle = handle_of(turn, who)
            words = f"- {promise_in_words(turn, promised, name)}"
            rows.append(Row(words, row | ({"handle": handle} if handle else {}), readers))
    return rows
