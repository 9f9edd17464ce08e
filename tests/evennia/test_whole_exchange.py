"""A whole assistant as a file: out, in again, twice, damaged, and who may read what afterwards."""

import gzip
import json
from io import StringIO
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from evennia.objects.models import ObjectDB
from twisted.internet.defer import Deferred

from ai_assistant.api import card_exchange, forgetting, lifecycle, portraits
from ai_assistant.api.handlers import store_of
from ai_assistant.api.whole import mind_files, whole_exchange
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.memory.renumbering import ITSELF
from ai_assistant.models import Memory, MemoryBlock
from ai_assistant.roleplay.cards import png
from ai_assistant.storage import whole_minds
from ai_assistant.storage.history import past
from tests.evennia.filled_village import FilledVillage
from tests.evennia.living import broken_database

GOLD = "The gold lies under the gate."


class TestWhole(FilledVillage):
    def exported(self, character):
        return whole_exchange.exported_whole(character)

    def imported(self, whole):
        read = mind_files.unpacked(mind_files.packed(whole))
        made = whole_exchange.import_whole(read, location=self.inn)
        self.steps.run()
        return made

    def names(self):
        return [mind.key for mind in lifecycle.all_assistants()]

    def test_there_and_back_nothing_is_lost(self):
        """What was exported, imported and exported again differs in nothing but the name."""
        for character in (self.marrek, self.bram, self.tansy):
            first = self.exported(character)
            again = self.exported(self.imported(first))
            assert again["name"] == f"{first['name']} 2"
            assert {**again, "name": first["name"]} == first
        parts = {held["part"] for held in self.exported(self.marrek)["states"]}
        assert parts >= {"profile", "journal", "goals", "projects", "stream", "sleep"}

    def test_its_picture_comes_along(self):
        """And one that is damaged is refused before anything is made."""
        folder = self.enterContext(TemporaryDirectory())
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=folder))
        portraits.keep_portrait(self.marrek, png.BLANK)
        first = self.exported(self.marrek)
        made = self.imported(first)
        assert portraits.portrait_of(made) == png.BLANK
        assert {**self.exported(made), "name": first["name"]} == first
        with pytest.raises(CardError, match="picture"):
            self.imported({**first, "picture": "iVBORw0KGgo!"})

    def test_links_between_memories_hold(self):
        """Archived, superseded, resting on others: by the new numbers, within one container."""
        rows = list(Memory.objects.filter(container=entity_id(self.marrek)).order_by("pk"))
        changes = {"parents": [rows[0].pk], "supersedes": rows[0].pk, "archived_at": 7.0}
        Memory.objects.filter(pk=rows[1].pk).update(**changes)
        Memory.objects.filter(pk=rows[0].pk).update(meta={"replaced_by": rows[1].pk})
        made = entity_id(self.imported(self.exported(self.marrek)))
        older, newer = Memory.objects.filter(container=made).order_by("pk")[:2]
        assert (newer.parents, newer.supersedes, newer.archived_at) == ([older.pk], older.pk, 7.0)
        assert older.meta == {"replaced_by": newer.pk}

    def test_what_came_with_it_is_in_its_past(self):
        """From its first moment on it is known what it remembered then."""
        made = entity_id(self.imported(self.exported(self.marrek)))
        last = past.moments(made, 1)[0].seq
        rows = Memory.objects.filter(container=made).order_by("pk").values_list("pk", flat=True)
        assert [row["id"] for row in past.rows_at(made, last, ["id"])] == [*rows] != []

    def test_imported_twice_is_two(self):
        """Each has an id and memories of its own; what one learns or loses, the other does not."""
        whole = self.exported(self.marrek)
        one, two = self.imported(whole), self.imported(whole)
        assert len({entity_id(mind) for mind in (self.marrek, one, two)}) == 3
        assert {"Old Marrek", "Old Marrek 2", "Old Marrek 3"} <= {*self.names()}
        one.journal.add_journal_entry("The ferry is mended.")
        assert self.exported(two) | {"name": ""} == whole | {"name": ""}
        one.delete()
        assert self.exported(two) | {"name": ""} == whole | {"name": ""}

    def test_whisper_stays_private(self):
        """Its label is that of before, its own id in it the new one, and in its order."""
        made = self.imported(self.exported(self.marrek))
        told = Memory.objects.get(container=entity_id(made), content__contains=GOLD)
        before = Memory.objects.get(container=entity_id(self.marrek), content__contains=GOLD)
        old, new = entity_id(self.marrek), entity_id(made)
        assert told.readers == ",".join(sorted(before.readers.replace(old, new).split(",")))
        assert entity_id(self.alice) in told.readers
        assert old not in json.dumps(self.exported(made))
        known = store_of(made).read("stream")["entries"]
        self.does(self.char1, f"say {made.key}, what lies under the bridge, is it gold?")
        new = [entry for entry in store_of(made).read("stream")["entries"] if entry not in known]
        assert new
        assert "gate" not in json.dumps(new)

    def test_labels_that_name_itself_are_renamed(self):
        """In the label of a row, and in the talk that goes by that label."""
        old, alice = entity_id(self.marrek), entity_id(self.alice)
        row = Memory.objects.filter(container=old).first()
        label = ",".join(sorted((old, alice)))
        Memory.objects.filter(pk=row.pk).update(readers=label)
        whole = self.exported(self.marrek)
        assert whole["rows"][0]["readers"] == ",".join(sorted((ITSELF, alice)))
        made = entity_id(self.imported(whole))
        moved = Memory.objects.filter(container=made).order_by("pk")[0]
        assert moved.readers == ",".join(sorted((made, alice)))

    def test_a_broken_file_changes_nothing(self):
        """One sentence says why, whatever is wrong with it."""
        whole = self.exported(self.bram)
        whole["rows"] = whole["rows"] or self.exported(self.marrek)["rows"]
        names, rows, data = self.names(), Memory.objects.count(), mind_files.packed(whole)
        damaged = {
            "cut": data[:-40],
            "flipped": data[:60] + bytes([data[60] ^ 255]) + data[61:],
            "text": gzip.compress(b"hello"),
            "foreign": gzip.compress(b'{"format": "another"}'),
            "deep": gzip.compress(b"[" * 200_000),
            "newer": mind_files.packed({**whole, "version": 99}),
            "less": mind_files.packed({**whole, "rows": [{}]}),
            "wrong": mind_files.packed({**whole, "rows": [{**whole["rows"][0], "trust": ""}]}),
            "part": mind_files.packed(
                {**whole, "states": [{"part": "goals", "key": "", "state": {"goals": 7}}]}
            ),
            "settings": mind_files.packed(
                {**whole, "states": [{"part": "config", "key": "", "state": {"tick_rate": 0}}]}
            ),
            "config": mind_files.packed({**whole, "config": {"tick_rate": "never"}}),
            "nul": mind_files.packed({**whole, "desc": "a\x00b"}),
        }
        for name, content in damaged.items():
            (self.cards / f"{name}.gz").write_bytes(content)
            with pytest.raises(CardError):
                card_exchange.read_bytes(content, name)
            told = self.run_line(f"ai/import {name}.gz")
            assert "The file" in told, (name, told)
            assert "Traceback" not in told
        assert (self.names(), Memory.objects.count()) == (names, rows)

    def test_a_file_too_big_is_refused(self):
        """A small file that would unpack to more than the limit."""
        bomb = gzip.compress(b" " * (mind_files.MAX_UNPACKED + 1))
        with pytest.raises(CardError, match="more than"):
            mind_files.unpacked(bomb)

    def test_a_database_that_refuses_keeps_nothing(self):
        """Neither the character nor one of its memories stays behind."""
        whole = self.exported(self.marrek)
        names, rows, kept = self.names(), Memory.objects.count(), MemoryBlock.objects.count()
        with (
            broken_database("UPDATE", "ai_assistant_block", "limit"),
            pytest.raises(AssistantError),
        ):
            whole_exchange.import_whole(whole, location=self.inn)
        after = (self.names(), Memory.objects.count(), MemoryBlock.objects.count())
        assert after == (names, rows, kept)

    def all_there_is(self):
        """Return all objects, and who has memories or blocks."""
        minds = Memory.objects.values_list("container", flat=True)
        owners = MemoryBlock.objects.values_list("owner", flat=True)
        return {*ObjectDB.objects.values_list("pk", flat=True)}, {*minds}, {*owners}

    def coming(self, whole, told=None):
        """Begin to let one in beside the game; returns the Deferred, with lists of what is told."""
        named = {} if told is None else {"progress": lambda *far: told.append(far)}
        steps = whole_exchange.import_in_slices(whole, location=self.inn, by="Ada", **named)
        return Deferred.fromCoroutine(steps)

    def test_nobody_sees_one_that_is_not_all_there(self):
        """The game goes on between slices, and whoever asked hears how far it is."""
        whole, told = self.exported(self.marrek), []
        names, inn, seen = self.names(), [*self.inn.contents], []
        coming = self.coming(whole, told)
        while not coming.called:
            seen.append((self.names(), [*self.inn.contents]) == (names, inn))
            self.steps.waiting.popleft()()
        assert all(seen[:-2])  # then it comes into the room, and lives
        assert len(seen) > len(whole["states"]) / 2
        assert told[-1] == (len(whole["rows"]), len(whole["rows"]))
        assert "imports of whole assistants: 0 under way, 1 done and 0 failed today\n" in self.ai(
            "/health"
        )
        again = self.exported(coming.result)
        assert {**again, "name": whole["name"]} == whole

    def test_health_tells_how_far_it_is(self):
        """While it comes in."""
        whole = self.exported(self.marrek)
        self.coming(whole)
        for _ in range(4):
            self.steps.waiting.popleft()()
        far = f"({min(len(whole['rows']), 50)} of {len(whole['rows'])} memories)"
        assert f"imports of whole assistants: 1 under way {far}, 0 done" in self.ai("/health")

    def test_one_that_was_cut_short_goes_at_the_next_start(self):
        """Whenever the server dies: of the assistant nothing is left, or all of it is there."""
        whole = self.exported(self.marrek)
        before = self.all_there_is()
        for slices in (0, 1, 3, 9):
            coming = self.coming(whole)
            for _ in range(slices):
                self.steps.waiting.popleft()()
            assert not coming.called
            self.steps.waiting.clear()  # the server dies
            whole_exchange.ARRIVALS.__init__()
            self.bram.assistant_script.at_repeat()
            assert self.all_there_is() == before

    def test_one_that_is_deleted_meanwhile_leaves_nothing(self):
        """Nor does the heartbeat take one for left over that comes in just now."""
        whole, before = self.exported(self.marrek), self.all_there_is()
        coming, refused = self.coming(whole), []
        coming.addErrback(lambda failure: refused.append(failure.value))
        for _ in range(3):
            self.steps.waiting.popleft()()
        self.bram.assistant_script.at_repeat()
        (unfinished,) = ObjectDB.objects.get_by_tag(whole_exchange.UNFINISHED, category=CATEGORY)
        unfinished.delete()
        self.steps.run()
        assert isinstance(refused[0], AssistantError)
        assert self.all_there_is() == before
        why = "0 done and 1 failed today; the last: Whoever was to come in was deleted meanwhile."
        assert f"imports of whole assistants: 0 under way, {why}" in self.ai("/health")

    def test_more_states_than_there_is_room_for_are_refused(self):
        """Each becomes an Attribute: a file of millions would fill the game."""
        whole = self.exported(self.bram)
        many = [{"part": "working", "key": "k", "state": {}}] * (mind_files.MOST_STATES + 1)
        with pytest.raises(CardError, match="20,001 states, and at most 20,000"):
            mind_files.unpacked(mind_files.packed({**whole, "states": many}))

    def test_a_million_tiny_memories_are_refused_unread(self):
        """A file of kilobytes would take gigabytes of memory: its values are counted before."""
        least = b"{%s}" % b",".join([b'"":0'] * len(whole_minds.ROW))
        text = b",".join([least] * 10**6)
        with pytest.raises(CardError, match="13,999,999 values, and at most 10,000,000 are taken"):
            mind_files.unpacked(gzip.compress(text, 1))

    def test_a_million_goals_of_one_mind_are_refused(self):
        """A state is read at every turn."""
        state = {"part": "goals", "key": "", "state": {"goals": [{}] * 10**6}}
        whole = {**self.exported(self.bram), "states": [state]}
        with pytest.raises(CardError, match="states 1 holds too many values, and at most 100,000"):
            mind_files.unpacked(gzip.compress(json.dumps(whole).encode(), 1))

    def test_what_is_forgotten_is_not_in_it(self):
        """The file is made of what the mind holds now."""
        assert GOLD in json.dumps(self.exported(self.marrek))
        forgetting.forget_person(self.alice, scope="all", by="Ada")
        self.steps.run()
        assert "gold" not in json.dumps(self.exported(self.marrek))

    def test_by_command(self):
        """Admins who may edit it write the file, and an Admin reads it; neither overwrites."""
        told = self.run_line("ai/export old marrek = whole")
        assert "All of Old Marrek is in" in told
        assert "already" in self.run_line("ai/export old marrek = whole")
        assert "exports of whole assistants: 0 under way, 1 done and 0 failed today" in self.ai(
            "/health"
        )
        assert "with all that Old Marrek knew" in self.run_line("ai/import old_marrek.gz")
        assert "made anew" in self.run_line("ai/import old_marrek.gz = bram")
        self.marrek.locks.add("edit:false()")
        self.account.is_superuser = False
        self.account.permissions.add("Admin")
        self.account.save()
        told = self.run_line(f"ai/export #{self.marrek.pk} = whole x.gz")
        assert "may not change" in told

    def test_by_script(self):
        """`ai_export` and `ai_import` do the same, and say how far they are."""
        file, told = self.cards / "m.gz", StringIO()
        call_command("ai_export", "old marrek", str(file), stdout=told, stderr=told)
        room = f"#{self.inn.pk}"
        call_command("ai_import", str(file), room=room, stdout=told)
        assert "Old Marrek is in" in told.getvalue()
        assert "will not take" not in told.getvalue()
        assert "Old Marrek 2, whole, with" in told.getvalue()
        assert "memories" in told.getvalue()
        for name, place in (("nobody", "n.gz"), ("Bram", "m.gz"), ("Bram", "m.txt")):
            with pytest.raises(CommandError):
                call_command("ai_export", name, str(self.cards / place))

    def test_a_file_that_is_too_large_to_come_back_is_told_of(self):
        """It is written, and whoever made it reads at once that no import takes it."""
        row = Memory.objects.filter(container=entity_id(self.marrek)).first()
        row.meta["wide"] = [0] * mind_files.MOST_IN_ONE
        row.save()
        told = StringIO()
        call_command("ai_export", "old marrek", str(self.cards / "b.gz"), stdout=told, stderr=told)
        assert (self.cards / "b.gz").is_file()
        assert "ai_import will not take this file" in told.getvalue()
        assert "too many values" in told.getvalue()
