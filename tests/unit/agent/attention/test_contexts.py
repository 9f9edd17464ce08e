"""The seven contexts: data."""

import pytest

from ai_assistant.agent.attention.layers import CONTEXTS, HARD_CAP
from ai_assistant.core.contracts import Category
from ai_assistant.tools import BUILTIN


@pytest.mark.parametrize(
    ("name", "components", "tools", "iterations"),
    [
        ("tick_event", 9, None, 6),
        ("tick_autonomous", 9, None, 6),
        ("reflection", 3, ["journal"], 3),
        ("reflection_cont", 2, ["journal"], 2),
        ("sleep_consolidate", 2, ["journal", "night"], 10),
        ("goal_decompose", 3, [], 1),
        ("pre_compaction", 4, ["journal"], 5),
    ],
)
def test_each_context_is_as_listed(name, components, tools, iterations):
    """Components, tools and model calls of each context type."""
    context = CONTEXTS[name]
    assert context.context_type == name
    assert len(context.enabled_components) == components
    assert (context.tool_filter if tools is None else list(context.tool_filter)) == tools
    assert context.max_iterations == iterations <= HARD_CAP


def test_the_kits_of_the_night_hold_what_the_inventory_lists():
    """Looking back has the journal, consolidation what finds and keeps as well."""
    tools = {kit: {one.name for one in BUILTIN if one.kit == kit} for kit in ("journal", "night")}
    assert {"add_journal_entry", "search_episodic_memory"} <= tools["journal"]
    assert tools["night"] == {"recall_memories", "store_memory", "update_entity_observation"}


def test_there_are_seven():
    """No context beyond those that are listed."""
    assert len(CONTEXTS) == 7


def test_only_turns_in_play_speak_or_act():
    """Looking back, sleeping and planning change nothing in the world."""
    loud = {Category.TERMINAL, Category.DANGEROUS}
    for name, context in CONTEXTS.items():
        if name not in ("tick_event", "tick_autonomous", "goal_decompose"):
            assert not loud & context.allowed_tool_categories
