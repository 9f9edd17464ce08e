"""Tending scenes: with the heartbeats of assistants, what is due in them by now is done."""

from __future__ import annotations

from ai_assistant import staging
from ai_assistant.log import report
from ai_assistant.scenes import SCENES


def tend() -> None:
    """Let those who are through with their turn take home what they played. Never raises."""
    try:
        for scene in SCENES.owing:
            staging.settle(scene.id)
    except Exception as error:
        report("tend", error)
