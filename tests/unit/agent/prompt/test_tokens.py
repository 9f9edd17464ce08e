"""Tokens: counts, what models can read, and when a prompt is too full."""

import pytest

from ai_assistant.agent.prompt.measures import (
    DEFAULT_MAX_TOKENS,
    count_tokens,
    count_tokens_batch,
    get_model_max_tokens,
    get_utilization_status,
)


def test_counts_are_rounded_up():
    """Four characters a token where nobody knows better, and never less than there are."""
    assert [count_tokens("x" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert count_tokens("xxxx", per_char=0.5) == 2
    assert count_tokens_batch(["xx", "xx", "x"]) == 2


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("今天晚上", 4), ("วันนี้", 6), ("xxxx今天", 3), ("été à Çà", 2), ("привет", 2)],
)
def test_scripts_without_spaces_take_more(text, tokens):
    """A character of theirs is about a token, a letter of any other script a quarter of one."""
    assert count_tokens(text) == count_tokens_batch([text]) == tokens


@pytest.mark.parametrize(
    ("model", "most"),
    [
        ("gpt-4", 128_000),
        ("gpt-4o-mini", 128_000),
        ("gpt-4.1-nano", 1_047_576),
        ("claude-3-opus", 200_000),
        ("anthropic/claude-3-opus", 200_000),
        ("openrouter/openai/gpt-4", 128_000),
        ("GPT-4", 128_000),
        ("a-model-of-ours", DEFAULT_MAX_TOKENS),
        ("", DEFAULT_MAX_TOKENS),
    ],
)
def test_what_a_model_can_read(model, most):
    """Known models by the beginning of their name, without what a router puts before it."""
    assert get_model_max_tokens(model) == most


@pytest.mark.parametrize(
    ("share", "level"),
    [
        (0.0, "ok"),
        (0.69, "ok"),
        (0.70, "warning"),
        (0.849, "warning"),
        (0.85, "danger"),
        (0.949, "danger"),
        (0.95, "critical"),
        (3.0, "critical"),
    ],
)
def test_levels(share, level):
    """Each level begins where its table says."""
    assert get_utilization_status(share) == level
