"""Turns are listed up to a day: among 1,000,000 records the last of it was looked for in each."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0017_event_turn")]

    operations = [
        migrations.AddIndex("assistantevent", models.Index(fields=["at"], name="ai_event_at")),
    ]
