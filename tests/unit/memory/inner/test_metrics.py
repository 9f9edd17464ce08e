"""Metrics: counts of what was done, and of what failed."""

from ai_assistant.memory.inner.tallies import METRICS, count_metric, count_tool


def test_counts_add_up():
    """Each name has its count, and each tool its calls and its errors."""
    metrics = METRICS.empty()
    count_metric(metrics, name="answered")
    count_metric(metrics, name="answered", amount=2)
    for ok in (True, False):
        count_tool(metrics, name="say", ok=ok)
    assert metrics == {
        "counts": {"answered": 3}, "tool_calls": {"say": 2}, "tool_errors": {"say": 1},
    }  # fmt: skip
