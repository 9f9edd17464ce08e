"""The offline model: what speaks for a character while no language model is connected."""

from ai_assistant.llm.offline.offline_model import OfflineModel as OfflineModel
