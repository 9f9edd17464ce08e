"""What model calls took, by day."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0012_state_changes")]

    operations = [
        migrations.CreateModel(
            name="ModelSpending",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.CharField(max_length=10)),
                ("assistant", models.CharField(max_length=100)),
                ("payer", models.CharField(blank=True, default="", max_length=100)),
                ("job", models.CharField(max_length=40)),
                ("profile", models.CharField(blank=True, default="", max_length=100)),
                ("calls", models.PositiveBigIntegerField(default=0)),
                ("tokens", models.PositiveBigIntegerField(default=0)),
                ("price", models.FloatField(default=0)),
                ("unpriced", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "db_table": "ai_assistant_spending",
                "verbose_name_plural": "model spending",
            },
        ),
        migrations.AddConstraint(
            "modelspending",
            models.UniqueConstraint(
                fields=["day", "assistant", "payer", "job", "profile"], name="ai_spending_unique"
            ),
        ),
    ]
