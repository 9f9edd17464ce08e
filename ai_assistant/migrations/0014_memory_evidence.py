"""What memories are of and were drawn from, indexed; 0019 fills it for older ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai_assistant", "0013_model_spending"),
    ]

    operations = [
        migrations.CreateModel(
            name="MemoryEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ref", models.CharField(max_length=100)),
                ("row", models.BigIntegerField()),
            ],
            options={
                "verbose_name_plural": "memory evidence",
                "db_table": "ai_assistant_memory_evidence",
                "indexes": [
                    models.Index(fields=["ref", "row"], name="ai_memory_evidence_ref"),
                    models.Index(fields=["row"], name="ai_memory_evidence_row"),
                ],
            },
        ),
    ]
