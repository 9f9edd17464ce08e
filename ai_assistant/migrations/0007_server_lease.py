"""The lease of the one server that runs the assistants of a database."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0006_played")]

    operations = [
        migrations.CreateModel(
            name="ServerLease",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("holder", models.CharField(max_length=100)),
                ("epoch", models.PositiveBigIntegerField()),
                ("until", models.FloatField()),
            ],
            options={"db_table": "ai_assistant_lease"},
        ),
    ]
