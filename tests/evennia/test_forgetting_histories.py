"""Random histories, forgotten: no table, no column and no mind holds a word of what should be gone.

`python -m bench.forgetting` does the same with thousands of them, and searches the files as bytes;
`python -m tests.e2e.postgres tests/evennia/test_forgetting_histories.py` runs these on PostgreSQL.
"""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.test import override_settings

from ai_assistant.models import Memory
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.storage.history.archiving import read_back
from bench.forgetting import in_memory, left_in_tables, remembered
from bench.forgotten_lives import History, Parrot
from tests.evennia.living import LivingTestCase

DEEDS, HISTORIES = 6, 2


def left_in(archive, words):
    """Return the words that an archive has, of one that is whole."""
    text = archive.read_text("utf-8")
    assert read_back(text.splitlines())
    return [word for word in words if word in text.lower()]


@override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0, AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE=0)
class TestHistories(LivingTestCase):
    """Alice and Bob talk to assistants whose model puts their words wherever words can be put."""

    def setUp(self):
        super().setUp()
        self.parrot = Parrot()
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        people = (self.a_player("Alice"), self.a_player("Bob"))
        minds = [self.an_assistant("Marrek"), self.an_assistant("Sera", location=self.street)]
        self.histories = [self.history(seed, people, minds) for seed in range(HISTORIES)]

    def build(self):
        return replace(build_shared(), offline=self.parrot, clock=self.clock)

    def history(self, seed, people, minds):
        made = History(seed, people, minds, self.parrot)
        made.steps = self.steps
        return made

    def archive(self):
        """Put every second memory out of use, and archive all that is to be archived."""
        old = Memory.objects.filter(pk__in=[*Memory.objects.values_list("pk", flat=True)][::2])
        old.update(archived_at=5.0)
        file = self.folder / f"{len([*self.folder.iterdir()])}.jsonl"
        call_command("ai_archive", str(file), stdout=StringIO())
        return file

    def lived(self, history, scope):
        """Live a history; what was said is there, then it is forgotten and is not."""
        history.minds = history.minds[: 1 if scope == "item" else 2]
        if scope != "item":
            history.minds[1].location = self.inn
        history.live(DEEDS)
        history.everywhere()
        history.waits()
        history.bob_waits()
        archive = self.archive()
        told, there = remembered(history.his), left_in_tables(history.hers)
        assert left_in(archive, history.hers)
        assert hasattr(history.forget(scope), "counts")
        history.goes_on()
        self.logged()
        assert {*history.hers} <= {*there}
        assert left_in_tables(history.hers) == []
        assert left_in(archive, history.hers) == []
        held = in_memory().lower()
        assert [word for word in history.hers if word.encode() in held] == []
        if scope != "all":
            assert remembered(history.his) == told

    def test_own_words_are_nowhere(self):
        """Nor is what was made of them; what Bob said is remembered."""
        for history in self.histories:
            self.lived(history, "own")

    def test_everything_is_nowhere(self):
        """Where Bob quoted her neither."""
        for history in self.histories:
            self.lived(history, "all")

    def test_one_memory_is_nowhere(self):
        """Its line is in no other place either, and no copy of it."""
        for history in self.histories:
            self.lived(history, "item")
