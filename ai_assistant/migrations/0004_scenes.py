"""Scenes: their state, who took part in what, how far each is told, and containers by session."""

from django.db import migrations, models


def _id(**options):
    return models.CharField(max_length=100, **options)


def _pk():
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0003_block_versions")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                fields=["session", "container", "archived_at", "id"], name="ai_memory_session"
            ),
        ),
        migrations.CreateModel(
            name="Scene",
            fields=[
                ("id", _pk()),
                ("session", _id(blank=True, unique=True)),
                ("title", models.CharField(blank=True, default="", max_length=200)),
                ("status", models.CharField(max_length=10)),
                ("state", models.JSONField(default=dict)),
                ("created", models.FloatField()),
                ("updated", models.FloatField()),
            ],
            options={"db_table": "ai_assistant_scene"},
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", _pk()),
                ("session", _id(blank=True, default="")),
                ("event", _id()),
                ("row", models.BigIntegerField()),
                ("at", models.FloatField()),
                ("speaker", _id()),
                ("hearers", models.JSONField(default=list)),
                ("participants", models.JSONField(default=list)),
                ("sure", models.BooleanField(default=True)),
                ("by", models.CharField(max_length=10)),
            ],
            options={
                "db_table": "ai_assistant_decision",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "session"), name="ai_decision_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Told",
            fields=[
                ("id", _pk()),
                ("session", _id(blank=True, default="")),
                ("character", _id()),
                ("told", models.JSONField(default=dict)),
            ],
            options={
                "db_table": "ai_assistant_told",
                "verbose_name": "news told",
                "verbose_name_plural": "news told",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "character"), name="ai_told_unique"
                    )
                ],
            },
        ),
    ]
