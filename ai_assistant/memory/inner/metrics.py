"""Metrics of one assistant: what its script counts, its tool calls among it."""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part


def count_metric(metrics: Json, *, name: str, amount: int = 1) -> None:
    """Add to a counter."""
    metrics["counts"][name] = metrics["counts"].get(name, 0) + amount


def count_tool(metrics: Json, *, name: str, ok: bool) -> None:
    """Count a tool call, and an error where it failed."""
    metrics["tool_calls"][name] = metrics["tool_calls"].get(name, 0) + 1
    if not ok:
        metrics["tool_errors"][name] = metrics["tool_errors"].get(name, 0) + 1


METRICS = Part(
    name="metrics",
    attribute="metrics",
    where="script",
    shape={"counts": {}, "tool_calls": {}, "tool_errors": {}},
    steps={"count": count_metric, "count_tool": count_tool},
)
