"""The timetable of an assistant: what it is at, its hours and rounds, what is due or waited for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evennia.utils import gametime

from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.times import DAY, HOUR, lasting
from ai_assistant.planning import goal_tree, urgency
from ai_assistant.runtime.service import SERVICE

AgendaRow = tuple[str, str]
"""When, and what."""


def agenda_of(character: Any) -> list[AgendaRow]:
    """Return what an assistant does when, as a person would read it; hours are the game's."""
    config, now = lifecycle.script_of(character).config, gametime.gametime(absolute=True)
    mode = store_of(character).read("sleep")["mode"]
    goals = [goal for goal in character.goals.current_goals if goal_tree.is_open(goal)]
    return [
        (f"now, {_clock(now % DAY / HOUR)}", "awake" if mode == "awake" else f"asleep ({mode})"),
        *_hours(config),
        *(_walk(goal) for goal in goals if goal["kind"] in urgency.WALKS),
        *_due(goals, now),
    ]


def _hours(config: Mapping[str, Any]) -> Iterator[AgendaRow]:
    if config["sleep_enabled"]:
        start, hours = config["sleep_start_hour"], config["sleep_duration_hours"]
        clock = "" if config["sleep_clock"] == "game" else " (by the real clock)"
        yield f"{_clock(start)} to {_clock(start + hours)}{clock}", "sleeps"
    if not config["autonomy_interval"]:
        yield "never", "acts on its own"
        return
    begin, end = config["active_from"], config["active_until"]
    when = "all day" if (begin, end) == (0, 24) else f"{_clock(begin)} to {_clock(end)}"
    yield when, f"acts on its own, every {lasting(config['autonomy_interval'])} at most"


def _walk(goal: Json) -> AgendaRow:
    about = goal["about"]
    stops = ", ".join(stop["name"] for stop in about.get("stops", ())) or about.get("name", "")
    when = "until it is given up" if goal["kind"] != urgency.VISIT else "next"
    return when, f"{goal['description']} ({goal['kind']}: {stops})"


def _due(goals: list[Json], now: float) -> Iterator[AgendaRow]:
    """Yield what has a deadline, the nearest first, then what waits."""
    dated = sorted((goal["deadline"], goal["description"]) for goal in goals if goal["deadline"])
    for deadline, words in dated:
        left = (deadline - now) / HOUR
        yield (f"in {left:.1f} hours" if left > 0 else "overdue"), words
    for goal in goals:
        if goal["awaits"]:
            yield f"when {goal['awaits']['name']} comes or speaks", goal["description"]
        elif goal["status"] == goal_tree.BLOCKED:
            left = ((goal["until"] or now) - now) / HOUR
            yield (
                (f"tried again in {left:.1f} hours" if left > 0 else "blocked"),
                goal["description"],
            )


def _clock(hour: float) -> str:
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def doing(key: str) -> str:
    """Say what an assistant is at: whom it answers, or where it goes; empty for nothing."""
    resident = SERVICE.residents.get(key)
    if resident is None:
        return ""
    if resident.turn_id:
        whom = ", ".join(dict.fromkeys(event.source.name for event in resident.events))
        return f"answers {whom}" if whom else "acts on its own"
    goal = resident.idling.walker.goal
    return f"on its way: {goal['description']}" if goal else ""
