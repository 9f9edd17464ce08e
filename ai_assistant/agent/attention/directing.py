"""Directing: a model is asked who answers in a scene, where the rules only had to choose somebody.

It is the assistant whom the rules chose that asks, with one call of the line's energy, and it shows
what all who will hear the answer may know. Wherever that fails the rules stand.
"""

from __future__ import annotations

from ai_assistant.agent.turn.ask_model import aside, ask_aside
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import may_use
from ai_assistant.core.contracts import Json
from ai_assistant.core.model_json import answer_object
from ai_assistant.language.address import speaks_to
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.roleplay.director import is_for_each
from ai_assistant.roleplay.permanent import ROLE
from ai_assistant.roleplay.scene import DIRECTED

JOB, PROMPT = "assess", "direct"
DIRECTING_SECONDS = 5.0
"""Seconds for which it may hold up the turn."""
MAX_TOKENS = 60
RECENT = 6
"""Lines of the scene that are shown with the one to answer."""
LEAST_CALLS = 2
"""One to ask, and one to answer with."""
_CHOSEN = frozenset({"scene_policy", "assistant_talk"})
"""The rules by which somebody has the floor for whom the line need not be."""
_OF_ONE = frozenset({ROLE, "things"})
"""Facts of a scene that not all who hear the answer need know: what it plays, and what lies by."""


async def keeps_floor(turn: Turn) -> bool:
    """Does this assistant answer, by a model's choice where it is to be asked?

    False where nobody is to answer, or another one has the line now. Raises `TurnSuperseded`.
    """
    others = _others(turn)
    if not (others and _is_asked(turn)):
        return True
    chosen = await _by_model(turn, [turn.me.name, *others])
    if chosen is not None:
        turn.audit("Directed", {"speaker": chosen})
    if chosen is None or chosen == turn.me.name:
        return True
    return bool(chosen) and not all(
        turn.mind.pass_floor(event, others[chosen]) for event in turn.events
    )


def _is_asked(turn: Turn) -> bool:
    """Is a model to be asked, about one line that need not be for whoever has the floor?"""
    mind, line = turn.mind, turn.trigger
    return (
        line is not None
        and turn.play.policy == DIRECTED
        and bool(mind.config["director_model"])
        and not mind.model.is_offline(JOB)
        and len(turn.events) == 1
        and line.addressing in _CHOSEN
        and not (is_for_each(line.content) or speaks_to(line.content, (turn.me.name,)))
        and max(map(mind.energy.left, turn.roots)) >= LEAST_CALLS
    )


def _others(turn: Turn) -> dict[str, str]:
    """Return the ids of the other assistants of the scene that are in sight, by their names."""
    speakers = {event.source.id for event in turn.events}
    return {
        thing.entity.name: thing.entity.id
        for thing in turn.surroundings.things
        if thing.is_assistant and thing.entity.id in turn.play.members - speakers
    }


async def _by_model(turn: Turn, names: list[str]) -> str | None:
    """Return the name that a model chose, empty for nobody; None where it gave no usable answer."""
    line = turn.events[0]
    asked = {
        "scene": {name: fact for name, fact in turn.play.facts.items() if name not in _OF_ONE},
        "before": _before(turn),
        "line": {"name": line.source.name, "says": line.content},
        "may_speak": names,
    }
    turn.mind.energy.spend(turn.roots)
    question = aside(turn, JOB, PROMPT, asked, MAX_TOKENS)
    reply = await ask_aside(turn, question, DIRECTING_SECONDS)
    chosen = answer_object(reply.text).get("speaker") if reply else None
    return chosen if isinstance(chosen, str) and chosen in ("", *names) else None


def _before(turn: Turn) -> list[Json]:
    """Return the last lines of the scene, as far as all who will hear the answer may know them."""
    entries = [*turn.store.view("stream")["entries"], *map(entry_of, turn.mind.heard)]
    said = [
        {"name": entry["who"], "says": entry["content"]}
        for entry in entries
        if entry.get("session", "") == turn.play.session and may_use(turn, entry["readers"])
    ]
    return said[-RECENT:]
