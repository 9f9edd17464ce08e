"""Archives lose what the game forgets, or staff learn which of them was not reached."""

import json
import os
import shutil
import time
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command

from ai_assistant.api import forgetting
from ai_assistant.core.errors import StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.storage.history.archive_files import (
    archive_pages,
    noted_archives,
    write_anew,
)
from ai_assistant.storage.history.archiving import read_back, sealed
from tests.evennia.living import EventTestCase

SECRET = "the lantern hangs behind the mill"
LINES = [{"table": "memory", "id": number, "content": f"line {number}"} for number in range(900)]


class TestForgottenArchives(EventTestCase):
    """Alice told Marrek a secret, Bob something else; then all was archived."""

    def setUp(self):
        super().setUp()
        self.model.text(f"So {SECRET}.")
        self.does(self.alice, f"whisper Marrek = My secret is that {SECRET}.")
        self.model.say("Aye.")
        self.does(self.bob, "say Marrek! The ferry leaves at noon.")
        Memory.objects.filter(kind="utterance").update(archived_at=5.0)
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        self.file = self.folder / "all.jsonl"
        self.archive()

    def archive(self, **options):
        """Write the archive; returns what was said."""
        told = StringIO()
        call_command("ai_archive", str(self.file), stdout=told, **options)
        return told.getvalue()

    def forget(self, begin=forgetting.forget_person, *what, **options):
        """Let it be forgotten, by default Alice's own words; returns the report."""
        found = []
        begin(*(what or [self.alice]), by="a test", **options).addBoth(found.append)
        self.steps.run()
        return found[0]

    def held(self):
        """Return what the archive has, of one that is whole."""
        text = self.file.read_text("utf-8")
        assert read_back(text.splitlines())
        return text

    def test_own_words_leave_an_archive(self):
        """As they leave the tables; what Bob said stays, and the file is a whole archive."""
        assert SECRET in self.held()
        report = self.forget()
        assert SECRET not in self.held()
        assert "The ferry leaves at noon." in self.held()
        assert report.counts["archived lines"] > 1
        assert report.missed == {}
        assert [one.name for one in self.folder.iterdir()] == ["all.jsonl"]

    def test_an_archive_written_meanwhile_is_reached(self):
        """One that was begun after the forgetting, and ended before it."""
        found = []
        forgetting.forget_person(self.alice, by="a test").addBoth(found.append)
        self.file = self.folder / "meanwhile.jsonl"
        self.archive()
        assert SECRET in self.held()
        self.steps.run()
        assert SECRET not in self.held()
        assert found[0].missed == {}

    def test_what_was_answered_leaves_an_archive_without_the_tables(self):
        """The character's own words to a line that only the archive still has go as well."""
        self.model.text("Keep quiet, or they will hang somebody.")
        self.does(self.alice, "whisper Marrek = I stole the bell.")
        Memory.objects.update(archived_at=5.0)
        self.file = self.folder / "whole.jsonl"
        self.archive()
        assert "they will hang" in self.held()
        Memory.objects.all().delete()
        AssistantEvent.objects.all().delete()
        self.forget()
        assert "stole" not in self.held()
        assert "they will hang" not in self.held()

    def test_the_file_behind_a_link_is_reached(self):
        """An archive that staff moved to another disk, and left a link to."""
        moved = self.folder / "moved.jsonl"
        self.file.rename(moved)
        self.file.symlink_to(moved)
        self.forget()
        assert self.file.is_symlink()
        assert SECRET not in moved.read_text("utf-8")

    def test_twice_changes_nothing_more(self):
        """The second time the file is not even written."""
        self.forget()
        before = self.file.stat().st_mtime_ns
        assert "archived lines" not in self.forget().counts
        assert self.file.stat().st_mtime_ns == before

    def test_what_the_game_let_go_of_leaves_an_archive(self):
        """Also words that no table holds any more, and the note that quotes them."""
        note = f"Somebody said that {SECRET}."
        self.marrek.journal.add_journal_entry(note)
        self.file.unlink()
        self.archive()
        Memory.objects.filter(author=entity_id(self.alice)).delete()
        self.forget()
        assert SECRET not in self.held()
        assert SECRET not in json.dumps([*self.marrek.journal.entries], default=str)

    def test_one_memory_leaves_an_archive(self):
        """It alone; of another character nothing is read as its own."""
        row = Memory.objects.get(author=entity_id(self.bob), kind="utterance")
        self.forget(forgetting.forget_item, self.marrek, f"#{row.pk}")
        assert "ferry leaves" not in self.held()
        assert SECRET in self.held()

    def test_an_archive_that_is_away_is_named(self):
        """To staff, whoever asked; once more each time, until they say that it is gone for good."""
        self.file.rename(self.folder / "away.jsonl")
        assert list(self.forget().missed) == [str(self.file)]
        assert f"{self.file} was not reached" in "".join(self.logged())
        assert list(self.forget().missed) == [str(self.file)]
        assert f"{self.file} was not reached" in "".join(self.logged())
        assert "is looked for no more" in self.archive(deleted=True)
        assert self.forget().missed == {}
        with pytest.raises(CommandError, match="No archive was written"):
            self.archive(deleted=True)

    def test_an_archive_that_is_there_is_not_struck_off(self):
        """It would keep what is forgotten from then on."""
        with pytest.raises(CommandError, match="still there"):
            self.archive(deleted=True)

    def test_what_was_changed_by_hand_is_left_and_named(self):
        """Nobody knows what it is."""
        text = self.held().replace("ferry", "barge")
        self.file.write_text(text)
        report = self.forget()
        assert self.file.read_text() == text
        assert "not what was written" in report.missed[str(self.file)]
        assert str(self.file) in report.remains[0]
        self.logged()

    def test_no_archive_is_made_while_something_is_forgotten(self):
        """It may hold what was read before: it is deleted, and to be written again."""
        self.file.unlink()
        later = time.time() + 60.0
        AssistantEvent.objects.filter(pk=AssistantEvent.objects.first().pk).update(
            type="Forgotten", at=later
        )
        with pytest.raises(CommandError, match="Write it again"):
            self.archive()
        assert not self.file.exists()
        assert noted_archives() == []


@pytest.fixture
def file(tmp_path):
    """An archive of nine hundred lines, for its owner alone."""
    path = tmp_path / "old.jsonl"
    path.write_text("".join(f"{text}\n" for text in sealed(LINES)))
    path.chmod(0o640)
    return path


def cut(line):
    """Leave each third line out, and change the others."""
    return {**line, "content": "cut"} if line["id"] % 3 else None


def contents(path):
    """Return what the lines of a whole archive say."""
    return [line["content"] for page in archive_pages(path) for line in page]


def killed(work, killed_after):
    """Do so many steps of some work in a process that then dies at once."""
    child = os.fork()
    if not child:
        try:
            for _ in range(killed_after):
                next(work)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_a_crash_leaves_the_old_archive_or_the_new_one(file):
    """Killed after any step, the last of them between the writing and the renaming."""
    old, other = contents(file), file.with_name("other.jsonl")
    shutil.copy(file, other)
    steps = len([*write_anew(other, cut)])
    other.unlink()
    assert steps > 3
    for killed_after in range(1, steps + 1):
        killed(write_anew(file, cut), killed_after)
        assert contents(file) == old
    for half in file.parent.glob("*.half"):
        os.utime(half, (0, 0))
    assert [*write_anew(file, cut)]
    assert set(contents(file)) == {"cut"}
    assert [*file.parent.iterdir()] == [file]
    assert file.stat().st_mode & 0o777 == 0o640


def test_an_archive_that_another_wrote_meanwhile_is_not_overwritten(file):
    """Else it would have again what the other took out."""
    slow = write_anew(file, lambda line: {**line, "content": "slow"})
    next(slow)
    assert [*write_anew(file, cut)]
    with pytest.raises(StoreError, match="meanwhile"):
        list(slow)
    assert set(contents(file)) == {"cut"}
