"""Model calls: their figures, what was sent and answered, what they drew on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai_assistant", "0010_api_tokens"),
    ]

    operations = [
        migrations.CreateModel(
            name="CallText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("packed", models.BinaryField()),
            ],
            options={
                "db_table": "ai_assistant_call_text",
            },
        ),
        migrations.CreateModel(
            name="CallEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ref", models.CharField(max_length=100)),
                ("call", models.CharField(max_length=32)),
            ],
            options={
                "verbose_name_plural": "call evidence",
                "db_table": "ai_assistant_call_evidence",
                "indexes": [
                    models.Index(fields=["ref", "call"], name="ai_call_evidence_ref"),
                    models.Index(fields=["call"], name="ai_call_evidence_call"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=32, unique=True)),
                ("assistant", models.CharField(max_length=100)),
                ("turn_id", models.CharField(blank=True, default="", max_length=100)),
                ("at", models.FloatField()),
                ("job", models.CharField(max_length=40)),
                ("context_type", models.CharField(blank=True, default="", max_length=40)),
                ("profile", models.CharField(blank=True, default="", max_length=100)),
                ("model", models.CharField(blank=True, default="", max_length=200)),
                ("readers", models.TextField(blank=True, default="")),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                ("prompt_tokens", models.PositiveIntegerField(default=0)),
                ("completion_tokens", models.PositiveIntegerField(default=0)),
                ("price", models.FloatField(blank=True, null=True)),
                ("problem", models.CharField(blank=True, default="", max_length=300)),
                ("lead", models.CharField(blank=True, default="", max_length=64)),
                ("tools", models.CharField(blank=True, default="", max_length=64)),
                ("body", models.BinaryField(blank=True, null=True)),
                ("size", models.PositiveIntegerField(default=0)),
                ("without", models.CharField(blank=True, default="", max_length=40)),
            ],
            options={
                "db_table": "ai_assistant_call",
                "indexes": [
                    models.Index(fields=["assistant", "id"], name="ai_call_newest"),
                    models.Index(fields=["turn_id"], name="ai_call_turn"),
                    models.Index(fields=["at"], name="ai_call_at"),
                    models.Index(
                        condition=models.Q(("size__gt", 0)),
                        fields=["id", "at", "size", "lead", "tools"],
                        name="ai_call_body",
                    ),
                ],
            },
        ),
    ]
