"""The Django app. Loading it starts nothing: the service starts with the first assistant."""

from django.apps import AppConfig


class AiAssistantConfig(AppConfig):
    """What a game adds to its INSTALLED_APPS as ``ai_assistant``."""

    name = "ai_assistant"
    label = "ai_assistant"
    verbose_name = "AI assistants"
    default_auto_field = "django.db.models.BigAutoField"
