"""Metrics: counts of what was done, and of what failed."""

from ai_assistant.memory.inner.metrics import count, count_tool, empty_metrics


def test_counts_add_up():
    """Each name has its count, and each tool its calls and its errors."""
    metrics = empty_metrics()
    count(metrics, name="answered")
    count(metrics, name="answered", amount=2)
    for ok in (True, False):
        count_tool(metrics, name="say", ok=ok)
    assert metrics == {
        "counts": {"answered": 3}, "tool_calls": {"say": 2}, "tool_errors": {"say": 1},
    }  # fmt: skip
