"""Indexes: what is news in a session, by subject, and a session's newest decisions."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0004_scenes")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                fields=["session", "subject", "id"],
                condition=models.Q(
                    container="world",
                    archived_at__isnull=True,
                    kind__in=["world_state_update", "character_update"],
                ),
                name="ai_memory_update",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["session", "id"], name="ai_decision_newest"),
        ),
    ]
