"""The third layer: how much work an event seems to be, by rules or by a small model.

The rules go by words, never by parts of words, and take microseconds. Either way the outcome can
only narrow what configuration and context type allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ai_assistant.agent.attention.layers import (
    HARD_CAP,
    Assessment,
    RecommendedMode,
    narrow,
    of_assessment,
)
from ai_assistant.agent.prompt.measures import get_utilization_status
from ai_assistant.agent.turn.ask_model import aside, ask_aside
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import may_use
from ai_assistant.core.contracts import Event, Json
from ai_assistant.core.model_json import answer_object
from ai_assistant.core.text import clean
from ai_assistant.language.talk_signs import event_class, has_question_mark, says
from ai_assistant.language.words import words
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import usable_goals

JOB = "assess"
ASSESS_SECONDS = 5.0
"""Seconds for which an assessment by a model may hold up the turn."""
MAX_TOKENS = 200
LONG_REQUEST = 40
"""A request of at least this many words counts as one step more complex."""
PLAY = frozenset({"tick_event", "tick_autonomous"})


@dataclass(frozen=True, slots=True)
class EventClass:
    """A class of events: the kinds of event that tell it beside words, and what it asks for."""

    name: str
    """What it is called in the language's lists of words, and on record."""
    kinds: tuple[str, ...]
    """The `source_type` of events that belong to it by themselves."""
    score: int
    """How complex it is, from 1 to 5."""
    mode: RecommendedMode | None
    """How its turn goes on; None leaves that open."""
    iterations: int
    """Model steps that it needs."""


RULES = (
    EventClass("building", ("build", "spawn", "create"), 4, "react_loop", 5),
    EventClass("goal_action", ("goal", "task"), 3, "react_loop", 3),
    EventClass("movement", ("move", "travel"), 1, "single_action", 1),
    EventClass("observation", ("look", "examine"), 1, "single_action", 1),
    EventClass("query", ("query", "help"), 3, "react_loop", 2),
    EventClass("communication", ("say", "page", "whisper", "channel"), 1, "single_action", 1),
)
"""The classes of events, by the words that the language has for them; the first that fits."""
UNKNOWN = EventClass("unknown", (), 3, None, 5)
CONFIRMED = "building"
"""The class whose dangerous acts wait for a yes."""
BY_SCORE: dict[int, tuple[RecommendedMode, int]] = {
    1: ("single_action", 1),
    2: ("single_action", 1),
    3: ("react_loop", 3),
    4: ("react_loop", 5),
    5: ("react_loop", HARD_CAP),
}
"""Mode and iterations of each complexity score, where more is asked than its class expects."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What else counts."""

    utilisation: float = 0.0
    """How full the prompt is; 1.0 is full."""
    recent_errors: int = 0
    """Turns in a row that failed."""
    goal_urgency: str = ""
    """The priority of the most urgent goal; empty for none."""


async def assess(turn: Turn) -> None:
    """Narrow a turn in play by an assessment of its event, where that is switched on."""
    config = turn.mind.config
    if not config["task_assessment_enabled"] or turn.context.context_type not in PLAY:
        return
    goals = usable_goals(turn.state("goals"), partial(may_use, turn))
    priorities = [goal["priority"] for goal in goals if goal["status"] == goal_tree.ACTIVE]
    urgency = max(priorities, key=goal_tree.PRIORITIES.index, default="")
    signals = Signals(turn.prompt.utilisation, turn.mind.failed_turns, urgency)
    found = None
    if config["task_assessment_model"] and turn.events:
        found = await _by_model(turn, signals)
    found = found or by_rules(turn.events, signals)
    turn.bounds = narrow(turn.bounds, of_assessment(found))
    turn.audit("Assessed", found.to_json())


# -- by rules


def by_rules(events: Sequence[Event], signals: Signals) -> Assessment:
    """Return what the words and kinds of the events recommend, and then the signals."""
    said = " ".join(event.content for event in events)
    kinds = {event.source_type for event in events}
    told = {event_class(word) for word in words(said)} | (
        {"query"} if has_question_mark(said) else set()
    )
    fitting = [rule for rule in RULES if rule.name in told]
    fitting = fitting or [rule for rule in RULES if not kinds.isdisjoint(rule.kinds)]
    rule = fitting[0] if fitting else UNKNOWN
    acting = [rule for rule in fitting if rule.name not in ("query", "communication")]
    length = len(words(said)) > LONG_REQUEST
    more = max(0, len(acting) - 1) + length + says(said, "then")
    score = min(5, rule.score + more)
    mode, most = BY_SCORE[score] if more else (rule.mode, rule.iterations)
    known: Json = {
        "event_class": rule.name,
        "token_pressure": get_utilization_status(signals.utilisation),
        "recent_errors": signals.recent_errors,
        "goal_urgency": signals.goal_urgency or "none",
    }
    confirm, reasoning = rule.name == CONFIRMED, f"Kind of event: {rule.name}."
    return _adjusted(Assessment(score, mode, most, confirm, reasoning, known), signals)


def _adjusted(basis: Assessment, signals: Signals) -> Assessment:
    """Apply the signals: urgency adds steps, errors and a full prompt take them away."""
    notes = [basis.reasoning]
    most, mode = basis.recommended_iterations, basis.recommended_mode
    own_work = basis.context_signals["event_class"] in ("goal_action", "unknown")
    if own_work and signals.goal_urgency in ("high", "critical"):
        most = HARD_CAP if signals.goal_urgency == "critical" else max(most, 5)
        notes.append("A goal is urgent.")
    if signals.recent_errors:
        most, mode = min(most, 3 if signals.recent_errors < 3 else 2), mode or "react_loop"
        notes.append("The last turns failed.")
    level = get_utilization_status(signals.utilisation)
    if level != "ok":
        most = min(most, {"warning": 3, "danger": 2, "critical": 1}[level])
        mode = "single_action" if most == 1 else mode or "react_loop"
        notes.append("The prompt is nearly full.")
    return replace(
        basis,
        recommended_mode=mode,
        recommended_iterations=most,
        recommend_confirm_dangerous=basis.recommend_confirm_dangerous or signals.recent_errors > 0,
        reasoning=" ".join(notes),
    )


# -- by a model


async def _by_model(turn: Turn, signals: Signals) -> Assessment | None:
    """Return a model's assessment; None where none came in time, or none that can be used."""
    if not turn.mind.energy.spend(turn.roots):
        return None
    data = {
        "events": [{"kind": event.source_type, "says": event.content} for event in turn.events],
        "tools": [tool.name for tool in offered(turn)],
        "prompt_used": f"{signals.utilisation:.0%}",
        "failed_turns": signals.recent_errors,
        "goal_urgency": signals.goal_urgency or "none",
    }
    reply = await ask_aside(turn, aside(turn, JOB, JOB, data, MAX_TOKENS), ASSESS_SECONDS)
    return read_assessment(reply.text) if reply else None


def read_assessment(text: str) -> Assessment | None:
    """Return the assessment in a model's answer; None where a field is missing or does not fit."""
    given = answer_object(text)
    score, most = given.get("complexity_score"), given.get("recommended_iterations")
    mode, confirm = given.get("recommended_mode"), given.get("recommend_confirm_dangerous")
    fits = (
        type(score) is type(most) is int
        and 1 <= score <= 5
        and 1 <= most <= HARD_CAP
        and mode in ("single_action", "react_loop", None)
        and isinstance(confirm, bool)
    )
    reasoning = clean(given.get("reasoning", ""), 200)
    return Assessment(score, mode, most, confirm, reasoning) if fits else None  # type: ignore[arg-type]
