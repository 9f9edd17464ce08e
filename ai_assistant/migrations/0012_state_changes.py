"""What each commit made of each state."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0011_model_calls")]

    operations = [
        migrations.CreateModel(
            name="StateChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.CharField(max_length=100)),
                ("seq", models.PositiveBigIntegerField()),
                ("part", models.CharField(max_length=40)),
                ("key", models.CharField(blank=True, default="", max_length=255)),
                ("at", models.FloatField()),
                ("since", models.PositiveSmallIntegerField(default=0)),
                ("size", models.PositiveIntegerField(default=0)),
                ("head", models.JSONField(default=dict)),
                ("data", models.JSONField(default=dict)),
            ],
            options={"db_table": "ai_assistant_state"},
        ),
        migrations.AddConstraint(
            "statechange",
            models.UniqueConstraint(
                fields=["sequence", "part", "key", "seq"], name="ai_state_unique"
            ),
        ),
    ]
