"""The doctor: each thing that can be wrong is found, with what to do about it."""

import asyncio
import re
import time
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ai_assistant.api.doctor import (
    CHECKS,
    endpoint_findings,
    finding_lines,
    findings,
    game_checks,
    servers,
)
from ai_assistant.api.doctor.checkup import ENDPOINT
from ai_assistant.game.stored_profiles import store_profiles
from ai_assistant.llm.client import Client
from ai_assistant.models import AssistantEvent
from ai_assistant.testing.fake_openai import FakeOpenAI

ROOT = Path(__file__).resolve().parents[2]
OURS = "ai_assistant"
SECRET = "sk-canary-1234567890"
OPENAI = {"provider": "openai", "model": "x", "key_env": "NO_SUCH_KEY"}
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_game(settings, db):
    """A game that has nothing wrong: its command sets are the demo's, its tables migrated."""
    settings.MIGRATION_MODULES = {}
    game_checks.migrations_on_disk.cache_clear()  # other tests' games have none
    recorder = MigrationRecorder(connection)
    if not recorder.has_table():  # made as in each database, but amid a transaction
        with connection.cursor() as cursor:
            cursor.execute(*connection.schema_editor().table_sql(recorder.Migration))
    for app, name in MigrationLoader(None).disk_migrations:
        recorder.record_applied(app, name)
    settings.CMDSET_CHARACTER = "commands.default_cmdsets.CharacterCmdSet"


def found(about):
    """Return the findings about something that are not ok, as (level, what it says)."""
    return [
        (one.level, f"{one.text} {one.fix}")
        for one in findings()
        if one.about == about and one.level != "ok"
    ]


def test_a_game_in_order_has_nothing_wrong():
    """One finding at least for each thing, and none of them bad."""
    seen = findings()
    assert {one.about for one in seen} == {*CHECKS}
    assert [one for one in seen if one.level != "ok"] == []


WRONG = (
    ("values", {"AI_ASSISTANT_DAILY_CALLS": "many"}, "problem", "AI_ASSISTANT_DAILY_CALLS must be"),
    ("names", {"AI_ASISTANT_LLM": {}}, "warning", "call it AI_ASSISTANT_LLM"),
    ("names", {"AI_ASSISTANT_WEATHER": 1}, "warning", "unless another app"),
    ("profiles", {"AI_ASSISTANT_LLM": {"a": {"provider": "opnai"}}}, "problem", "mean openai?"),
    ("profiles", {"AI_ASSISTANT_LLM": {"a": OPENAI | {"modle": 1}}}, "problem", "mean model?"),
    ("profiles", {"AI_ASSISTANT_LLM": {"a": OPENAI | {"x": 1}}}, "problem", "Options are provider"),
    ("profiles", {"AI_ASSISTANT_LLM": {"a": OPENAI}}, "warning", "evennia reboot"),
    ("profiles", {"AI_ASSISTANT_JOBS": {"chat": "nobody"}}, "problem", "names 'nobody'"),
    ("profiles", {"AI_ASSISTANT_EMBEDDINGS": "nobody"}, "problem", "does not have"),
    ("keys", {"AI_ASSISTANT_KEYS": {"opnai": SECRET}}, "warning", "'opnai'"),
    ("named", {"AI_ASSISTANT_TOOL_MODULES": ["no.such"]}, "problem", "AI_ASSISTANT_TOOL_MODULES"),
    ("named", {"AI_ASSISTANT_IGNORES": "no.such"}, "problem", "AI_ASSISTANT_IGNORES"),
    ("named", {"AI_ASSISTANT_LANGUAGE": "klingon"}, "problem", "klingon"),
    ("typeclass", {"AI_ASSISTANT_TYPECLASS": "no.such.Npc"}, "problem", "AI_ASSISTANT_TYPECLASS"),
    (
        "commands",
        {"CMDSET_CHARACTER": "evennia.commands.default.cmdset_character.CharacterCmdSet"},
        "problem",
        "self.add(AssistantCmdSet)",
    ),
    ("clock", {"TIME_FACTOR": 0}, "problem", "TIME_FACTOR"),
    ("clock", {"TIME_ZONE": "Mars/Base"}, "problem", "Mars/Base"),
    ("typed", {"INPUT_FUNC_MODULES": [], "MAX_CHAR_LIMIT": 200}, "warning", "inputfuncs"),
)


@pytest.mark.parametrize(("about", "values", "level", "told"), WRONG)
def test_what_is_wrong_is_found(about, values, level, told, settings):
    """With its name and its remedy."""
    for name, value in values.items():
        setattr(settings, name, value)
    assert [one for one in found(about) if one[0] == level and told in one[1]]
    assert SECRET not in "\n".join(finding_lines(findings()))


def test_a_key_in_the_settings_is_found(settings, tmp_path):
    """It belongs into the secret ones."""
    settings.GAME_DIR = str(tmp_path)
    file = tmp_path / "server" / "conf" / "settings.py"
    file.parent.mkdir(parents=True)
    file.write_text('KEY = "a-key-of-an-unknown-make"')
    assert found("keys") == []
    settings.AI_ASSISTANT_KEYS = {"openai": "a-key-of-an-unknown-make"}
    assert found("keys")[0][0] == "problem"
    settings.AI_ASSISTANT_KEYS = {}
    file.write_text(f'KEY = "{SECRET}"')
    assert found("keys")[0][0] == "problem"


def test_a_database_behind_a_network_is_given_up_when_that_fails():
    """PostgreSQL over TCP lacks what it needs for that, and the line to put there is told."""
    there, given = {"HOST": "db.example.org"}, {}
    one = game_checks.database_server("postgresql", there | {"OPTIONS": {"connect_timeout": 9}})
    assert one.level == "warning"
    assert "no tcp_user_timeout, keepalives_idle" in one.text
    exec(one.fix.partition(" in settings.py")[0], {"DATABASES": {"default": given}})
    assert given["OPTIONS"]["tcp_user_timeout"] == 5000
    for vendor, told in (
        ("postgresql", there | given),
        ("postgresql", {"HOST": "/run/postgresql", "OPTIONS": {}}),
        ("postgresql", {}),
        ("mysql", there),
    ):
        assert game_checks.database_server(vendor, told).level == "ok"


def test_a_kept_profile_that_does_not_fit_is_told_as_such():
    """It is mended where it was made."""
    store_profiles({"old": {"provider": "nobody"}})
    assert "ai/setup" in found("profiles")[0][1]


def test_a_table_that_lacks_is_found():
    """As after an upgrade that was not migrated."""
    newest = max(name for app, name in MigrationLoader(None).disk_migrations if app == OURS)
    MigrationRecorder(connection).record_unapplied(OURS, newest)
    assert "evennia migrate" in found("migrations")[0][1]
    assert findings()[0].about == "migrations"  # what others cannot be looked at without


def test_a_clock_that_was_set_back_is_found():
    """By what the assistants did, as they think, tomorrow."""
    AssistantEvent.objects.create(assistant="e", seq=1, type="x", at=time.time() + 86_400, data={})
    assert "set back" in found("clock")[0][1]


def test_servers_are_asked(settings):
    """One that answers, one that has another model, one that is not there."""
    with FakeOpenAI() as fake:
        there = {"base_url": fake.url, "model": "fake"}
        settings.AI_ASSISTANT_LLM = {
            "default": there,
            "other": there | {"model": "large"},
            "gone": {"base_url": "http://127.0.0.1:9/v1", "model": "x"},
        }
        profiles = servers()

        async def ask():
            client = Client(timeout=60)
            try:
                return await endpoint_findings(profiles, client.models)
            finally:
                await client.close()

        seen = {one.text.split()[0]: one for one in asyncio.run(ask())}
        assert not fake.requests  # no model was asked anything
    assert {name: one.level for name, one in seen.items()} == {
        "default": "ok",
        "other": "warning",
        "gone": "problem",
    }
    assert "start the model's server" in seen["gone"].fix


def test_the_command_ends_with_1_on_a_problem(settings):
    """So that a script notices."""
    out = StringIO()
    call_command("ai_doctor", offline=True, stdout=out)
    assert "0 problems, 0 warnings." in out.getvalue()
    settings.TIME_FACTOR = 0
    with pytest.raises(SystemExit) as ended:
        call_command("ai_doctor", offline=True, stdout=out)
    assert ended.value.code == 1


def test_every_finding_is_in_the_docs():
    """The page has a row for each, and for no other."""
    page = (ROOT / "docs/troubleshooting.md").read_text()
    table = page.partition("| finding |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*CHECKS, ENDPOINT]
