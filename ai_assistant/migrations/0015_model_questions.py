"""Questions that workers may answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0014_memory_evidence")]

    operations = [
        migrations.CreateModel(
            name="ModelQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("assistant", models.CharField(max_length=100)),
                ("question", models.TextField()),
                ("answer", models.TextField(blank=True, default="")),
                ("made_at", models.FloatField()),
                ("taken_at", models.FloatField(blank=True, null=True)),
            ],
            options={"db_table": "ai_assistant_question"},
        ),
        migrations.AddIndex(
            "modelquestion", models.Index(fields=["made_at"], name="ai_question_made")
        ),
    ]
