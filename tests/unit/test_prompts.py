"""Prompts: each one is complete, with a place for all that is put into it."""

import pytest

from ai_assistant import prompts


@pytest.mark.parametrize("name", prompts.PLACEHOLDERS)
def test_every_prompt_loads(name):
    """What the table lists is there, with its placeholders and no others."""
    filled = prompts.load(name).format_map(dict.fromkeys(prompts.PLACEHOLDERS[name], "X"))
    assert filled
    assert "{" not in filled
