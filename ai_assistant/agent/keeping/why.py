"""Why: what decided a turn, put on record with it and told by the command `ai/why`."""

from __future__ import annotations

from ai_assistant.agent.attention.layers import of_config, of_context, of_play
from ai_assistant.agent.turn.opening import of_means
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json


def why(turn: Turn) -> Json:
    """Return which rule each event was answered by, what came to mind and why, and what became of
    each tool: `shown` to the model, or the layer that took it away.

    Memories stand there by their references: their words are forgotten where they are kept.
    """
    layers = (
        ("configuration", of_config(turn.mind.config)),
        ("context", of_context(turn.context)),
        ("scene", of_play(turn.play)),
        ("means", of_means(turn.mind, turn.events)),
        ("assessment", turn.pattern),
    )
    taken: dict[str, list[str]] = {}
    for tool in turn.mind.registry:
        by = next((name for name, layer in layers if not layer.allows(tool)), "")
        if not by and tool.speech and not turn.may_say(tool.speech):
            by = "hearers"
        may_lack = tool.permission or tool.name in turn.withheld
        if not by and may_lack and not (turn.closing or turn.is_offered(tool)):
            by = "moment"
        if by:
            taken.setdefault(by, []).append(tool.name)
    return {
        "rules": {event.id: event.addressing for event in turn.events},
        "recalled": turn.recalled,
        "shown": [tool.name for tool in turn.offered()],
        "taken": taken,
        "mode": turn.pattern.mode,
        "most_steps": turn.pattern.max_iterations,
    }
