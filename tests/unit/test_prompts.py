"""Prompts: each one is complete, with a place for all that is put into it."""

from importlib import resources

from ai_assistant import prompts
from ai_assistant.agent.prompt.macros import MEMORIES

NAMES = [
    file.name.removesuffix(".md")
    for file in resources.files("ai_assistant.prompts").iterdir()
    if file.name.endswith(".md") and not file.name.startswith("offline_")
]


def test_the_table_names_prompts():
    """What must hold something is there."""
    assert prompts.PLACEHOLDERS.keys() <= {*NAMES}


def test_every_prompt_loads():
    """Each has its placeholders and no others."""
    for name in NAMES:
        filled = prompts.load_prompt(name)
        if name in prompts.PLACEHOLDERS:
            filled = filled.format_map(dict.fromkeys(prompts.PLACEHOLDERS[name], "X"))
            assert "{" not in filled.replace(f"{{{MEMORIES}}}", "")
        assert filled
        assert "{{" not in filled.replace(f"{{{{{MEMORIES}}}}}", "")


def test_the_default_template_marks_where_memories_stand():
    """Without a mark nothing is recalled, so the default has one."""
    assert f"{{{{{MEMORIES}}}}}" in prompts.load_prompt("instructions")


def test_what_is_not_shown_is_not_denied():
    """A character knows more than one turn shows: it must not say that there is nothing."""
    assert "neither confirm nor deny" in prompts.load_prompt("instructions")


def test_whoever_is_here_is_pointed_out_to_nobody():
    """A promise of silence, made in private, is not shown to those before whom it counts."""
    assert "tell their own name and business" in prompts.load_prompt("instructions")
