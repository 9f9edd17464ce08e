"""The Django app. Loading it starts nothing: the service starts with the first assistant."""

from django.apps import AppConfig


class AiAssistantConfig(AppConfig):
    """What a game adds to its INSTALLED_APPS as ``ai_assistant``."""

    name = "ai_assistant"
    label = "ai_assistant"
    verbose_name = "AI assistants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        """See to it that SQLite overwrites what is deleted, whichever connection deletes it."""
        from django.db.backends.signals import connection_created

        from ai_assistant.storage import erasure

        connection_created.connect(erasure.secure, dispatch_uid="ai_assistant.secure")
        erasure.secure_all()
