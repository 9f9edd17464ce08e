"""Breaking a goal down without a model: the plain steps that lead to anything."""

from __future__ import annotations

from ai_assistant.language.talk_signs import steps
from ai_assistant.language.words import clipped

LONGEST_GOAL = 70


def subtasks_by_rule(description: str) -> list[str]:
    """Return a few plain steps towards a goal, in its own words; always the same for the same.

    >>> subtasks_by_rule("Build a complete tavern")[0]
    'Make clear what is needed: Build a complete tavern'
    """
    goal = clipped(" ".join(description.split()).rstrip(".!"), LONGEST_GOAL)
    return [step.replace("{goal}", goal) for step in steps()]
