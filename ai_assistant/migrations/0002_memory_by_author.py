"""An index of memories by author: who remembers somebody's words is told from it at once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0001_initial")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["author", "container", "id"], name="ai_memory_author"),
        ),
    ]
