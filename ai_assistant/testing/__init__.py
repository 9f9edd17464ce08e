"""Fakes for every port, for our tests and for those of games that build on this package."""

from __future__ import annotations

from ai_assistant.testing.fake_mind import SERA, ManualClock, Stage
from ai_assistant.testing.fake_store import DictBook, DictStore
from ai_assistant.testing.fake_world import FakeWorld, people
from ai_assistant.testing.neighbours import Neighbours
from ai_assistant.testing.oracle import Oracle
from ai_assistant.testing.scripted_model import Hold, Run, ScriptedModel, no_limit, run
from ai_assistant.testing.scripted_reader import TableReader

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
