"""Our tables are our own: nothing of Evennia's is migrated, referenced or depended upon."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.db.migrations.loader import MigrationLoader

from ai_assistant.models import ModelCall, Participation

OURS = "ai_assistant"


@pytest.fixture(autouse=True)
def migrations_on_disk(settings, db):
    """Look at the real migrations, also where the tests' database was made without them."""
    settings.MIGRATION_MODULES = {}


def test_migrations_say_what_models_say(capsys):
    """Making migrations for this app writes no file, here or in any other package."""
    call_command("makemigrations", OURS, check_changes=True, dry_run=True)
    assert "No changes detected" in capsys.readouterr().out


def test_migrations_depend_on_nobody():
    """Our tables can be made before, after and without anybody else's."""
    loader = MigrationLoader(None)
    ours = {name: one for (app, name), one in loader.disk_migrations.items() if app == OURS}
    assert "0001_initial" in ours
    for migration in ours.values():
        assert {app for app, _ in migration.dependencies} <= {OURS}
        assert not migration.run_before


def test_nobody_depends_on_our_migrations():
    """Taking the app out of a game again leaves the game's migrations whole."""
    loader = MigrationLoader(None)
    for (app, _), migration in loader.disk_migrations.items():
        assert app == OURS or OURS not in {other for other, _ in migration.dependencies}


def test_models_refer_to_no_table():
    """Characters are known by their lasting id, never by a foreign key."""
    for model in apps.get_app_config(OURS).get_models():
        assert not [field for field in model._meta.get_fields() if field.is_relation]
        assert model._meta.db_table.startswith("ai_assistant_")


def test_who_took_part_stays_under_its_new_name(transactional_db):
    """A game that is updated keeps each row, and none is written twice."""
    row = {"event": "ev1", "session": "s1", "row": 7, "at": 1.0, "speaker": "e1", "by": "rule"}
    loader = MigrationLoader(None)
    migration = loader.get_migration(OURS, "0008_participation")
    before = loader.project_state(migration.dependencies)
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    try:
        before.apps.get_model(OURS, "Decision").objects.create(participants=[{"id": "e2"}], **row)
    finally:
        with connection.schema_editor() as editor:
            migration.apply(before, editor)
    (kept,) = Participation.objects.filter(event="ev1")
    assert kept.participants == [{"id": "e2"}]
    with pytest.raises(IntegrityError):
        Participation.objects.create(**row)


def test_older_calls_keep_what_they_drew_on(transactional_db):
    """Or forgetting would not find them any more."""
    loader = MigrationLoader(None)
    migration = loader.get_migration(OURS, "0016_call_sources")
    before = loader.project_state(migration.dependencies)
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    try:
        call, evidence = (before.apps.get_model(OURS, it) for it in ("ModelCall", "CallEvidence"))
        for key in ("k1", "k2"):
            call.objects.create(key=key, assistant="e1", at=1.0, job="chat")
        evidence.objects.bulk_create([evidence(ref=ref, call="k1") for ref in ("#1", "e2")])
    finally:
        with connection.schema_editor() as editor:
            migration.apply(before, editor)
    assert dict(ModelCall.objects.values_list("key", "sources")) == {"k1": ["#1", "e2"], "k2": []}
