"""What a model call drew on stands in its own row: nobody ever asked for calls by a reference."""

from django.db import migrations, models

PAGE = 100


def gather(apps, schema_editor):
    """Put what older calls drew on into their rows, some calls at a time."""
    call, evidence = (apps.get_model("ai_assistant", name) for name in ("ModelCall", "CallEvidence"))
    keys = list(call.objects.order_by("pk").values_list("key", flat=True))
    for start in range(0, len(keys), PAGE):
        sources: dict[str, list[str]] = {}
        found = evidence.objects.filter(call__in=keys[start : start + PAGE]).order_by("pk")
        for key, ref in found.values_list("call", "ref"):
            sources.setdefault(key, []).append(ref)
        for key, refs in sources.items():
            call.objects.filter(key=key).update(sources=refs)


def spread(apps, schema_editor):
    """Put it back into rows of its own."""
    call, evidence = (apps.get_model("ai_assistant", name) for name in ("ModelCall", "CallEvidence"))
    for key, refs in call.objects.values_list("key", "sources").iterator():
        evidence.objects.bulk_create([evidence(ref=ref, call=key) for ref in refs])


class Migration(migrations.Migration):
    dependencies = [("ai_assistant", "0015_model_questions")]

    operations = [
        migrations.AddField("modelcall", "sources", models.JSONField(blank=True, default=list)),
        migrations.RunPython(gather, spread),
        migrations.DeleteModel("CallEvidence"),
    ]
