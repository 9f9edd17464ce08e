"""Three layers decide what a turn may do: configuration, context type, assessment of the event.

Each layer is an `ExecutionPattern`, and a pattern is a point in an order: `narrow` gives the widest
pattern that is within both of two others, field by field. So whatever a layer says, it can only
take away, and it does not matter in which order the layers are put together.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Literal, get_args

from ai_assistant.agent.config import Config
from ai_assistant.core.contracts import Category, Json
from ai_assistant.tools import Tool

RecommendedMode = Literal["single_action", "react_loop"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the third layer recommends."""

    complexity_score: int = 3
    """From 1, simple, to 5, complex."""
    recommended_mode: RecommendedMode | None = None
    """None leaves the mode as it is."""
    recommended_iterations: int = 5
    """Model steps, from 1 to `HARD_CAP`; they count in a loop only."""
    recommend_confirm_dangerous: bool = False
    """Should whoever asked confirm what changes the world?"""
    reasoning: str = ""
    """Why, in words for the audit log."""
    context_signals: Json = field(default_factory=dict)
    """What else was weighed; empty where a model assessed."""

    def to_json(self) -> Json:
        """Return the assessment as JSON values."""
        return asdict(self)


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
    """What a model call of this type sees and may do."""

    context_type: str
    """By what it is found in `CONTEXTS`, and told in records."""
    name: str
    """What an owner reads of it."""
    description: str
    """What such a turn does, in a sentence."""
    enabled_components: tuple[int, ...] = ALL_COMPONENTS
    """Ids of the prompt's components that it has."""
    component_overrides: Json = field(default_factory=dict)
    """Texts that replace those of components, by their keys."""
    tool_filter: tuple[str, ...] | None = None
    """The kits whose tools there are; None for every tool."""
    token_budget: int | None = None
    """Tokens of a request; None leaves it to the configuration."""
    execution_mode: Mode = "react_loop"
    """How such a turn goes on at most."""
    max_iterations: int = 6
    """Model steps that it may take."""
    allowed_tool_categories: frozenset[Category] = frozenset(Category)
    """What its tools may do to the turn and the world."""
    terminal_ends_loop: bool = True
    """Does speech end the turn?"""
    dangerous_requires_confirm: bool = False
    """Does what changes the world wait for a yes?"""
    allows_multi_tool: bool = True
    """May one answer call several tools?"""
    allows_sub_agents: bool = True
    """May it hand tasks to other assistants?"""


_INWARD: Json = {
    "allowed_tool_categories": frozenset({Category.SAFE_CHAIN, Category.ASYNC_REQUIRED}),
    "allows_sub_agents": False,
}
"""It changes nothing in the world."""

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
            **_INWARD,
        ),
        ContextConfig(
            "reflection_cont",
            "Reflection, continued",
            "Goes on after a tool of the reflection.",
            enabled_components=(INSTRUCTIONS, TOOL_RESULT),
            tool_filter=JOURNAL,
            max_iterations=2,
            **_INWARD,
        ),
        ContextConfig(
            "sleep_consolidate",
            "Consolidation",
            "Turns the day's evidence into lasting knowledge.",
            enabled_components=(INSTRUCTIONS, MEMORIES),
            tool_filter=SLEEP,
            max_iterations=10,
            **_INWARD,
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
            **_INWARD,
        ),
    )
}


MODES: tuple[Mode, ...] = get_args(Mode)
"""From the narrowest: one action; the steps of a plan; steps as they come."""
MOST_DELEGATES = 10
MAX_CALLS_PER_STEP = 8


@dataclass(frozen=True, slots=True)
class ExecutionPattern:
    """What a turn may do; without arguments, everything that any layer can allow."""

    mode: Mode = "react_loop"
    """How the turn goes on at most."""
    max_iterations: int = HARD_CAP
    """Model steps that it may take."""
    categories: frozenset[Category] = frozenset(Category)
    """What its tools may do to the turn and the world."""
    kits: frozenset[str] | None = None
    """The kits whose tools there are; None for all."""
    barred: frozenset[str] = frozenset()
    """Names of tools that it may not use."""
    stays: bool = False
    """Does it keep its place, so that no tool may walk?"""
    confirm_dangerous: bool = False
    """Does what changes the world wait for a yes?"""
    terminal_ends_loop: bool = False
    """Does speech end the turn?"""
    plays: bool = False
    """Is it only played? That leaves no mark on the one who plays it."""
    lacks: frozenset[str] = frozenset()
    """What tools may not need to be there; see `Tool.needs`."""
    calls_per_step: int = MAX_CALLS_PER_STEP
    """How many tool calls of one reply are run."""
    sub_agents: int = MOST_DELEGATES
    """Tasks that may be in other hands at a time."""

    def allows(self, tool: Tool) -> bool:
        """May a turn of this pattern use that tool?"""
        return (
            tool.category in self.categories
            and (self.kits is None or tool.kit in self.kits)
            and tool.name not in self.barred
            and not (tool.walks and self.stays)
            and (tool.fiction or not self.plays)
            and tool.needs not in self.lacks
            and (self.sub_agents > 0 or tool.needs != "delegates")
        )


@lru_cache(maxsize=256)
def narrow(one: ExecutionPattern, other: ExecutionPattern) -> ExecutionPattern:
    """Return the widest pattern within both."""
    kits = [pattern.kits for pattern in (one, other) if pattern.kits is not None]
    return ExecutionPattern(
        mode=min(one.mode, other.mode, key=MODES.index),
        max_iterations=min(one.max_iterations, other.max_iterations),
        categories=one.categories & other.categories,
        kits=frozenset.intersection(*kits) if kits else None,
        barred=one.barred | other.barred,
        stays=one.stays or other.stays,
        confirm_dangerous=one.confirm_dangerous or other.confirm_dangerous,
        terminal_ends_loop=one.terminal_ends_loop or other.terminal_ends_loop,
        plays=one.plays or other.plays,
        lacks=one.lacks | other.lacks,
        calls_per_step=min(one.calls_per_step, other.calls_per_step),
        sub_agents=min(one.sub_agents, other.sub_agents),
    )


# -- the layers as patterns


def of_config(config: Config, *, in_story: bool = False) -> ExecutionPattern:
    """Return what the assistant's own configuration allows.

    Whoever keeps its place goes to places of a story all the same: its walks in the game are not
    for fiction.
    """
    several = config["multi_action_enabled"]
    return ExecutionPattern(
        mode=config["execution_mode"] if several else "single_action",
        max_iterations=config["max_iterations_per_tick"] if several else 1,
        barred=frozenset(config["disabled_tools"]),
        stays=config["keeps_place"] and not in_story,
        confirm_dangerous=config["confirm_dangerous"],
        sub_agents=config["sub_agent_budget"] if config["sub_agents_enabled"] else 0,
    )


def of_context(context: ContextConfig) -> ExecutionPattern:
    """Return what the context type allows."""
    listed = context.tool_filter
    return ExecutionPattern(
        mode=context.execution_mode,
        max_iterations=context.max_iterations,
        categories=context.allowed_tool_categories,
        kits=None if listed is None else frozenset(listed),
        confirm_dangerous=context.dangerous_requires_confirm,
        terminal_ends_loop=context.terminal_ends_loop,
        calls_per_step=MAX_CALLS_PER_STEP if context.allows_multi_tool else 1,
        sub_agents=MOST_DELEGATES if context.allows_sub_agents else 0,
    )


def of_assessment(assessment: Assessment | None) -> ExecutionPattern:
    """Return what the assessment of the event recommends; without one it takes nothing away.

    A single action is one step of acting, so it leaves the words about it their step.
    """
    if assessment is None:
        return ExecutionPattern()
    mode = assessment.recommended_mode
    bounded = mode == "react_loop"
    return ExecutionPattern(
        mode=mode or "react_loop",
        max_iterations=assessment.recommended_iterations if bounded else HARD_CAP,
        confirm_dangerous=assessment.recommend_confirm_dangerous,
    )
