"""Why: what decided a turn, recorded with it and shown by the command `ai/why`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ai_assistant.agent.attention.layers import ExecutionPattern, of_config, of_context
from ai_assistant.agent.turn.kits import refused_by
from ai_assistant.agent.turn.opening import of_means
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import pattern_of
from ai_assistant.core.contracts import Json
from ai_assistant.tools import Tool
from ai_assistant.tools.registry import PLAIN

REASONS = {
    "configuration": "switched off (ai/config)",
    "context": "not in turns of this kind",
    "scene": "not in a played scene",
    "solitude": "only where nobody waits for an answer",
    "notebook": "its role has no notebook",
    "memories": "its memory is off",
    "past": "nothing of its life is brought into this scene",
    "agenda": "its goals and projects are not brought into this scene",
    "ground": "the story has no things and places of its own",
    "ways": "the story has no other place",
    "six_blocks": "it has not the six memory blocks, or not in this scene",
    "assessment": "not for a matter like this",
    "way": "not the way in which one speaks here",
    "unwelcome": "it has spoken enough unasked",
    "nobody": "would be heard by nobody",
    "hearers": "would be heard by who may not hear it",
    "room": "no room in the prompt",
    "permission": "not permitted to all whose words stand in the prompt",
    "closing": "only words were left to it",
    "staff": "no staff asks for what others' words take away",
    "heeded": "not where staff alone are heeded",
    "unasked": "not told of where it acts on its own",
}
"""What takes a tool away, in words; needs go by their names."""


def why(turn: Turn) -> Json:
    """Return what decided a turn: rules, recalled memories with reasons, and `verdicts` on tools.

    Verdicts are those of the first step, and of each later one that differs from the one before.
    What tools looked up stands in the records of their calls, `ToolExecuted`. Memories are named by
    reference, so that they can be forgotten where they are kept.
    """
    told, steps = turn.verdicts, sorted(turn.verdicts)
    new = (
        step for step, last in zip(steps, [0, *steps], strict=False) if told[step] != told.get(last)
    )
    return {
        "rules": {event.id: event.addressing for event in turn.events},
        "causes": {event.id: event.cause for event in turn.events if event.cause},
        "recalled": turn.recollections,
        "tools": [{"step": step} | told[step] for step in new],
        "mode": pattern_of(turn).mode,
        "most_steps": pattern_of(turn).max_iterations,
    }


def verdicts(turn: Turn, shown: Sequence[Tool]) -> Json:
    """Return what becomes of each tool in this step.

    It is `shown` to the model, `spoken` (plain words do it), `taken` away by one of `REASONS`, or
    counted among those of a kit that is `closed`.
    """
    in_story, by_context = turn.play.fiction and turn.play.has_props, of_context(turn.context)
    layers = {
        "configuration": of_config(turn.mind.config, in_story=in_story),
        "context": by_context,
        "scene": ExecutionPattern(plays=turn.play.fiction),
        "needs": of_means(turn.mind, turn.events, turn.play),
        "assessment": pattern_of(turn),
    }
    spoken: list[str] = []
    taken: dict[str, list[str]] = {}
    closed: Counter[str] = Counter()
    for tool in turn.mind.registry.values():
        if tool in shown:
            continue
        if by_context.kits is not None and tool.kit not in by_context.kits:
            closed[tool.kit] += 1
        elif reason := _reason(turn, tool, layers):
            taken.setdefault(reason, []).append(tool.name)
        elif tool.speech:
            spoken.append(tool.name)
        else:
            closed[tool.kit] += 1
    named = [tool.name for tool in shown]
    return {"shown": named, "spoken": spoken, "taken": taken, "closed": dict(closed)}


def _reason(turn: Turn, tool: Tool, layers: dict[str, ExecutionPattern]) -> str:
    """Return which of `REASONS` takes a tool away; empty if it may be called."""
    reason = refused_by(turn, tool)
    if reason == "layers":
        by = next(name for name, layer in layers.items() if not layer.allows(tool))
        return tool.needs if by == "needs" else by
    is_plain = tool.kit == PLAIN and turn.trigger is None and not tool.speech
    return reason or ("unasked" if is_plain else "")
