"""From a model's answer to the subtasks of a goal; where it is no good, rules take its place."""

from __future__ import annotations

import re
from typing import Any

from ai_assistant.llm.answers import answer_list
from ai_assistant.planning.goals import MAX_DESCRIPTION
from ai_assistant.planning.templates import subtasks_by_rule
from ai_assistant.text import clean

FEWEST, MOST = 3, 7
LONGEST_LIST = 10
"""Of more steps than this the model made no plan, but a list of everything."""
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):])\s+")
_FIELDS = ("description", "subtask", "task", "title", "name", "step", "goal")


def subtasks_of(answer: str, description: str) -> list[str]:
    """Return three to seven subtasks of a goal, from a model's answer or else by rule.

    The answer should be a JSON array of texts. One with words around it, of objects, or a list
    with bullets is understood as well.
    """
    return read_subtasks(answer, description) or subtasks_by_rule(description)


def read_subtasks(answer: str, description: str) -> list[str]:
    """Return the three to seven subtasks that an answer holds; none where it is no good."""
    items = [_cleaned(one) for one in _listed(answer) or _bullets(answer)]
    goal = description.casefold().rstrip(".")
    steps = [one for one in dict.fromkeys(items) if one and one.casefold() != goal]
    if not FEWEST <= len(steps) <= LONGEST_LIST:
        return []
    head, tail = steps[: MOST - 1], steps[MOST - 1 :]
    return [*head, clean("; ".join(tail), MAX_DESCRIPTION)] if tail else head


def _listed(answer: str) -> list[str]:
    return [text for one in answer_list(answer) if (text := _text(one))]


def _text(one: Any) -> str:
    if isinstance(one, dict):
        one = next((one[name] for name in _FIELDS if isinstance(one.get(name), str)), "")
    return one if isinstance(one, str) else ""


def _bullets(answer: str) -> list[str]:
    return [line for line in answer.splitlines() if _BULLET.match(line)]


def _cleaned(text: str) -> str:
    return clean(_BULLET.sub("", text).strip().strip("\"'").rstrip("., "), MAX_DESCRIPTION)
