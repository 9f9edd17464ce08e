"""The tokens with which programs use the REST API: their hashes, never they themselves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0009_recent_commits")]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("account", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=60)),
                ("may_write", models.BooleanField(default=True)),
                ("created", models.FloatField()),
                ("until", models.FloatField()),
                ("used_at", models.FloatField(default=0)),
            ],
            options={
                "verbose_name": "API token",
                "db_table": "ai_assistant_token",
                "constraints": [
                    models.UniqueConstraint(fields=("account", "name"), name="ai_token_unique")
                ],
            },
        ),
    ]
