"""`ai_archive`: what the game lets go of later stands in a file that was read back."""

import json
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command

from ai_assistant.core.errors import StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory, StateChange
from ai_assistant.storage.history.archiving import read_back, sealed
from tests.evennia.living import LivingTestCase

LINES = [{"table": "record", "id": 1}, {"table": "memory", "id": 2, "content": "Grüße\n"}]


class TestArchive(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek, self.tansy = self.an_assistant("Marrek"), self.an_assistant("Tansy")
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, is the ferry in?")
        self.steps.run()
        self.folder = Path(self.enterContext(TemporaryDirectory()))

    def archived(self, name="all.jsonl", **options):
        """Write an archive; returns what was said, and its lines but the last."""
        told = StringIO()
        call_command("ai_archive", str(self.folder / name), stdout=told, **options)
        lines = (self.folder / name).read_text("utf-8").splitlines()
        return told.getvalue(), [json.loads(line) for line in lines[:-1]]

    def test_it_holds_what_there_is(self):
        """Every record, what states were, and memories out of use, as they stand; all stay."""
        first = Memory.objects.filter(container=entity_id(self.marrek)).first()
        Memory.objects.filter(pk=first.pk).update(archived_at=5.0)
        told, lines = self.archived()
        ids = {
            table: [one["id"] for one in lines if one["table"] == table]
            for table in ("record", "state", "memory")
        }
        assert ids["record"] == sorted(AssistantEvent.objects.values_list("pk", flat=True))
        assert ids["state"] == sorted(StateChange.objects.values_list("pk", flat=True))
        assert ids["memory"] == [first.pk]
        assert "was read back" in told
        assert "1 memory" in told
        [memory] = [one for one in lines if one["table"] == "memory"]
        assert (memory["content"], memory["meta"]) == (first.content, first.meta)

    def test_of_one_of_them_alone(self):
        """By name; a name that nobody has is refused, and no file is left."""
        _, lines = self.archived(assistant="marrek")
        owners = {one.get("assistant") or one.get("sequence") for one in lines}
        assert owners == {entity_id(self.marrek)}
        with pytest.raises(CommandError, match="no assistant"):
            self.archived("none.jsonl", assistant="Nobody")
        assert not (self.folder / "none.jsonl").exists()

    def test_only_what_is_old_enough(self):
        """What is younger than the days that are named is not in it."""
        AssistantEvent.objects.filter(assistant=entity_id(self.tansy)).update(at=5.0)
        _, lines = self.archived(days=7)
        assert {one["assistant"] for one in lines} == {entity_id(self.tansy)}

    def test_no_file_is_overwritten(self):
        """What stands there stays."""
        (self.folder / "all.jsonl").write_text("mine")
        with pytest.raises(CommandError, match="FileExistsError"):
            self.archived()
        assert (self.folder / "all.jsonl").read_text() == "mine"


def test_what_was_written_is_what_is_read():
    """Counted by table."""
    assert read_back(sealed(LINES)) == {"record": 1, "memory": 1}


@pytest.mark.parametrize(
    "broken",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [lines[0].replace("1", "2"), *lines[1:]],
        lambda lines: [lines[0][:-4], *lines[1:]],
        lambda lines: [*lines, lines[0]],
        lambda lines: ["7", *lines],
        lambda lines: [],
    ],
)
def test_what_was_damaged_is_no_archive(broken):
    """Cut, changed, or with something beside it."""
    with pytest.raises(StoreError):
        read_back(broken([*sealed(LINES)]))
