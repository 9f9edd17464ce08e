"""Scenes: what was played of each, counted as it is distributed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0005_news_and_decisions")]

    operations = [
        migrations.AddField(
            model_name="scene",
            name="played",
            field=models.JSONField(default=dict),
        ),
    ]
