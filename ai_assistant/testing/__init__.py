"""Fakes for every port, for our tests and for those of games that build on this package."""

from __future__ import annotations

from ai_assistant.testing.clock import ManualClock
from ai_assistant.testing.mind import SERA, Stage
from ai_assistant.testing.model import Hold, Run, ScriptedModel, no_limit, run
from ai_assistant.testing.neighbours import Neighbours
from ai_assistant.testing.oracle import Oracle
from ai_assistant.testing.reader import TableReader
from ai_assistant.testing.store import DictBook, DictStore
from ai_assistant.testing.world import FakeWorld, people

__all__ = [
    "SERA",
    "DictBook",
    "DictStore",
    "FakeWorld",
    "Hold",
    "ManualClock",
    "Neighbours",
    "Oracle",
    "Run",
    "ScriptedModel",
    "Stage",
    "TableReader",
    "no_limit",
    "people",
    "run",
]
