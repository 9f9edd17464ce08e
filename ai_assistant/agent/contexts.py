"""The seven context types of a model call: they differ in data only (inventory §4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ai_assistant.contracts import Category, Json

INSTRUCTIONS, PERSONA, ENTITY, MEMORIES = 0, 1000, 1500, 2000
KNOWLEDGE, GOALS, CONVERSATION, EVENT, TOOL_RESULT = 3000, 4000, 5000, 6000, 7000
ALL_COMPONENTS = (
    INSTRUCTIONS, PERSONA, ENTITY, MEMORIES, KNOWLEDGE, GOALS, CONVERSATION, EVENT, TOOL_RESULT,
)  # fmt: skip
JOURNAL = ("journal",)
SLEEP = ("journal", "night")
HARD_CAP = 10
"""No context and no configuration allows more model steps in one turn."""

Mode = Literal["single_action", "plan_execute", "react_loop"]
"""How a turn goes on: one action and the words about it, the steps of a plan, or step by step."""


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """What a model call of this type sees and may do.

    `tool_filter` names the kits whose tools there are; None means every tool.
    """

    context_type: str
    name: str
    description: str
    enabled_components: tuple[int, ...] = ALL_COMPONENTS
    component_overrides: Json = field(default_factory=dict)
    tool_filter: tuple[str, ...] | None = None
    token_budget: int | None = None
    execution_mode: Mode = "react_loop"
    max_iterations: int = 6
    allowed_tool_categories: frozenset[Category] = frozenset(Category)
    terminal_ends_loop: bool = True
    dangerous_requires_confirm: bool = False
    allows_multi_tool: bool = True
    allows_sub_agents: bool = True


_QUIET = frozenset({Category.SAFE_CHAIN, Category.ASYNC_REQUIRED})

CONTEXTS: dict[str, ContextConfig] = {
    context.context_type: context
    for context in (
        ContextConfig("tick_event", "Answer", "Handles events that wait for an answer."),
        ContextConfig("tick_autonomous", "On its own", "Acts when nobody asks for anything."),
        ContextConfig(
            "reflection",
            "Reflection",
            "Looks back at what happened.",
            enabled_components=(INSTRUCTIONS, PERSONA, MEMORIES),
            tool_filter=JOURNAL,
            max_iterations=3,
            allowed_tool_categories=_QUIET,
            allows_sub_agents=False,
        ),
        ContextConfig(
            "reflection_cont",
            "Reflection, continued",
            "Goes on after a tool of the reflection.",
            enabled_components=(INSTRUCTIONS, TOOL_RESULT),
            tool_filter=JOURNAL,
            max_iterations=2,
            allowed_tool_categories=_QUIET,
            allows_sub_agents=False,
        ),
        ContextConfig(
            "sleep_consolidate",
            "Consolidation",
            "Turns the day's evidence into lasting knowledge.",
            enabled_components=(INSTRUCTIONS, MEMORIES),
            tool_filter=SLEEP,
            max_iterations=10,
            allowed_tool_categories=_QUIET,
            allows_sub_agents=False,
        ),
        ContextConfig(
            "goal_decompose",
            "Decomposition",
            "Splits a goal into subtasks.",
            enabled_components=(INSTRUCTIONS, PERSONA, GOALS),
            tool_filter=(),
            execution_mode="single_action",
            max_iterations=1,
            allows_sub_agents=False,
        ),
        ContextConfig(
            "pre_compaction",
            "Rescue of facts",
            "Saves facts before a conversation is shortened.",
            enabled_components=(INSTRUCTIONS, PERSONA, ENTITY, CONVERSATION),
            tool_filter=JOURNAL,
            max_iterations=5,
            allowed_tool_categories=_QUIET,
            allows_sub_agents=False,
        ),
    )
}
