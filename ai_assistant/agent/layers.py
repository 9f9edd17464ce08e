"""Three layers decide what a turn may do: configuration, context type, assessment of the event.

Each layer is an `ExecutionPattern`, and a pattern is a point in an order: `narrow` gives the widest
pattern that is within both of two others, field by field. So whatever a layer says, it can only
take away, and it does not matter in which order the layers are put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ai_assistant.agent.assessment import Assessment
from ai_assistant.agent.config import Config
from ai_assistant.agent.contexts import HARD_CAP, ContextConfig, Mode
from ai_assistant.contracts import Category, Event
from ai_assistant.roleplay.play import Play

MODES: tuple[Mode, ...] = get_args(Mode)
"""From the narrowest: one action; the steps of a plan; steps as they come."""
MOST_DELEGATES = 10
DELEGATION_TOOLS = frozenset({"delegate_task", "list_delegates"})
MAX_CALLS_PER_STEP = 8
BOOKKEEPING = frozenset(
    "add_session_memory compact_session_memory memory add_journal_entry search_episodic_memory "
    "start_entity_conversation recall_conversation_context add_goal update_goal list_goals "
    "drop_goal decompose_goal create_project list_projects swap_project update_project "
    "complete_project get_next_task read_block edit_block check_status propose_guideline "
    "patrol think recall_thoughts".split()
)
"""Tools of characters that keep books on what they do: more than half of all tools' words."""
OF_THE_GAME = frozenset(
    "add_session_memory compact_session_memory memory update_entity_observation store_memory "
    "add_journal_entry add_goal update_goal drop_goal decompose_goal create_project swap_project "
    "update_project complete_project update_relationship start_entity_conversation "
    "add_pending_action complete_pending_action propose_guideline follow visit patrol "
    "go_to_sleep share_fact edit_block record_interaction update_emotion".split()
)
"""Tools that write what a character takes out of a scene: not for fiction."""
BY_ITSELF = frozenset({"recall_thoughts"})
"""Tools of a turn that answers nobody."""


@dataclass(frozen=True, slots=True)
class ExecutionPattern:
    """What a turn may do; without arguments, everything that any layer can allow.

    `tools` None means all but those in `barred`. `sub_agents` is how many tasks may be handed to
    other assistants.
    """

    mode: Mode = "react_loop"
    max_iterations: int = HARD_CAP
    categories: frozenset[Category] = frozenset(Category)
    tools: frozenset[str] | None = None
    barred: frozenset[str] = frozenset()
    confirm_dangerous: bool = False
    terminal_ends_loop: bool = False
    multi_tool: bool = True
    sub_agents: int = MOST_DELEGATES

    def allows(self, tool: str, category: Category) -> bool:
        """May a turn of this pattern use a tool of that name and category?"""
        return (
            category in self.categories
            and (self.tools is None or tool in self.tools)
            and tool not in self.barred
            and (self.sub_agents > 0 or tool not in DELEGATION_TOOLS)
        )

    @property
    def calls_per_step(self) -> int:
        """How many tool calls of one reply are run."""
        return MAX_CALLS_PER_STEP if self.multi_tool else 1


def narrow(one: ExecutionPattern, other: ExecutionPattern) -> ExecutionPattern:
    """Return the widest pattern within both."""
    return ExecutionPattern(
        mode=min(one.mode, other.mode, key=MODES.index),
        max_iterations=min(one.max_iterations, other.max_iterations),
        categories=one.categories & other.categories,
        tools=_common(one.tools, other.tools),
        barred=one.barred | other.barred,
        confirm_dangerous=one.confirm_dangerous or other.confirm_dangerous,
        terminal_ends_loop=one.terminal_ends_loop or other.terminal_ends_loop,
        multi_tool=one.multi_tool and other.multi_tool,
        sub_agents=min(one.sub_agents, other.sub_agents),
    )


def _common(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


# -- the layers as patterns


def of_config(config: Config) -> ExecutionPattern:
    """Return what the assistant's own configuration allows (inventory §2.2)."""
    several = config["multi_action_enabled"]
    return ExecutionPattern(
        mode=config["execution_mode"] if several else "single_action",
        max_iterations=config["max_iterations_per_tick"] if several else 1,
        barred=frozenset(config["disabled_tools"]) | _without(config["toolset"]),
        confirm_dangerous=config["confirm_dangerous"],
        sub_agents=config["sub_agent_budget"] if config["sub_agents_enabled"] else 0,
    )


def _without(toolset: str) -> frozenset[str]:
    return BOOKKEEPING if toolset == "lean" else frozenset()


def of_context(context: ContextConfig) -> ExecutionPattern:
    """Return what the context type allows (inventory §4.2)."""
    listed = context.tool_filter
    return ExecutionPattern(
        mode=context.execution_mode,
        max_iterations=context.max_iterations,
        categories=context.allowed_tool_categories,
        tools=None if listed is None else frozenset(listed),
        confirm_dangerous=context.dangerous_requires_confirm,
        terminal_ends_loop=context.terminal_ends_loop,
        multi_tool=context.allows_multi_tool,
        sub_agents=MOST_DELEGATES if context.allows_sub_agents else 0,
    )


def of_play(play: Play) -> ExecutionPattern:
    """Return what the scene allows: what is only played leaves no mark on the one who plays it."""
    return ExecutionPattern(barred=OF_THE_GAME if play.fiction else frozenset())


def of_answering(events: Sequence[Event]) -> ExecutionPattern:
    """Return what a turn allows that answers somebody: its own thoughts are not before its eyes."""
    return ExecutionPattern(barred=BY_ITSELF if events else frozenset())


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
