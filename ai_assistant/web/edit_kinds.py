"""What an edit on a page is: what it would change, and how it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

Fields = Mapping[str, str]
Planned = list[tuple[str, str, str]]
"""What an edit would change: the name of each thing, and what it is before and after."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One way to change an assistant. Both functions raise `AssistantError` for what cannot be."""

    title: str
    """Above the question whether to do it."""
    plan: Callable[[Any, Fields], Planned]
    """Says what it would change, and changes nothing."""
    do: Callable[[Any, Fields, Any], str | Deferred[str]]
    """Does it, for an account; returns what to tell."""
