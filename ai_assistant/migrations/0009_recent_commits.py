"""The lease's row knows the last commits again, should nobody have heard that they were written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0008_participation")]

    operations = [
        migrations.AddField("serverlease", "recent", models.TextField(default="")),
    ]
