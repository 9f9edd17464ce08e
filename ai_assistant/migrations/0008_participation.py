"""Who took part in an utterance has the name of what it is; every row stays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0007_server_lease")]

    operations = [
        migrations.RemoveConstraint("decision", "ai_decision_unique"),
        migrations.RenameModel("Decision", "Participation"),
        migrations.AlterModelTable("participation", "ai_assistant_participation"),
        migrations.RenameIndex(
            "participation", new_name="ai_participation_newest", old_name="ai_decision_newest"
        ),
        migrations.AddConstraint(
            "participation",
            models.UniqueConstraint(fields=("event", "session"), name="ai_participation_unique"),
        ),
    ]
