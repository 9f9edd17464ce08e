"""Memories from before their evidence was indexed get theirs; the game went through them so far."""

from django.db import migrations
from django.db.models import Exists, OuterRef

from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.storage.history.row_evidence import row_ref, topics_of

PAGE = 1_000


def fill(apps, schema_editor):
    """Write the evidence of all memories that have none, some at a time."""
    memory, evidence = (apps.get_model("ai_assistant", name) for name in ("Memory", "MemoryEvidence"))
    known = evidence.objects.using(schema_editor.connection.alias)
    known.filter(ref="").delete()  # told how far the game had come
    older = memory.objects.using(schema_editor.connection.alias).exclude(container=WORLD)
    older = older.filter(~Exists(known.filter(row=OuterRef("pk")))).order_by("pk")
    last, page = 0, True
    while page:
        page = list(older.filter(pk__gt=last).values_list("pk", "meta", "parents")[:PAGE])
        known.bulk_create(
            evidence(ref=ref, row=id)
            for id, meta, parents in page
            for ref in sorted(topics_of(meta) | {*map(row_ref, parents)})
        )
        last = page[-1][0] if page else last


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0018_event_at")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
