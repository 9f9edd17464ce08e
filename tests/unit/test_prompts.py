"""Prompts: each one is complete, with a place for all that is put into it."""

import pytest

from ai_assistant import prompts
from ai_assistant.agent.prompt.macros import MEMORIES


@pytest.mark.parametrize("name", prompts.PLACEHOLDERS)
def test_every_prompt_loads(name):
    """What the table lists is there, with its placeholders and no others."""
    filled = prompts.load(name)
    if prompts.PLACEHOLDERS[name]:
        filled = filled.format_map(dict.fromkeys(prompts.PLACEHOLDERS[name], "X"))
        assert "{" not in filled.replace(f"{{{MEMORIES}}}", "")
    assert filled
    assert "{{" not in filled.replace(f"{{{{{MEMORIES}}}}}", "")


def test_the_default_template_marks_where_memories_stand():
    """Without a mark nothing is recalled, so the default has one."""
    assert f"{{{{{MEMORIES}}}}}" in prompts.load("instructions")


def test_what_is_not_shown_is_not_denied():
    """A character knows more than one turn shows: it must not say that there is nothing."""
    assert "neither confirm nor deny" in prompts.load("instructions")
