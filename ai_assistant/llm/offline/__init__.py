"""The offline model: what speaks for a character while no language model is connected."""

from __future__ import annotations

from ai_assistant.llm.offline.offline_model import OfflineModel

__all__ = ["OfflineModel"]
