"""The past: any state of an assistant as it was after any commit, and what is kept of it."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.handlers import store_of
from ai_assistant.api.past_states import last_moments, moment_of, states_at, whose_past
from ai_assistant.core.contracts import AuditRecord, Change, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import DAY
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, StateChange, Usage
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import block_rows
from ai_assistant.storage.history import past
from ai_assistant.storage.history.old_traces import prune_moments
from ai_assistant.storage.history.past_folding import fold_page
from ai_assistant.storage.ledgers import PRUNED_EVERY
from tests.evennia.living import LivingTestCase

COLUMNS = ("id", "content", "archived_at", "meta")


class PastTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()
        self.key = entity_id(self.marrek)

    def says(self, line, answer="It leaves at dawn."):
        self.model.say(answer)
        self.does(self.alice, line)

    def now(self):
        """Return the last moment, and all that is of the assistant right now."""
        store, states = store_of(self.marrek), {}
        for name, part in PARTS.items():
            for key in store.keys(name) if part.keyed else [""]:
                if not part.is_block and store.read(name, key) != part.empty():
                    states[name, key] = json.loads(json.dumps(store.read(name, key)))
        return past.moments(self.key, 1)[0].seq, states

    def rebuilt(self, seq, address):
        state = past.state_at(self.key, *address, seq)
        return PARTS[address[0]].empty() | (state or {})

    def assert_rebuilt(self, noted):
        seq, states = noted
        assert states
        for address, state in states.items():
            assert self.rebuilt(seq, address) == state, address


class TestMoments(PastTestCase):
    def test_every_moment_stays(self):
        """What was after each turn is known after many others, and after handlers wrote."""
        noted = []
        for number in range(6):
            self.says(f"say Marrek, is ferry {number} in?")
            self.marrek.notebook.append(f"Asked {number} times.")
            self.marrek.profiles.update_relationship(self.alice, 0.01, f"Asked {number}.")
            self.marrek.goals.add_goal(f"Mend ferry {number}")
            noted.append(self.now())
        for one in noted:
            self.assert_rebuilt(one)

    def test_written_past_us(self):
        """Game code that sets an Attribute itself: from the next commit on, that is known too."""
        self.says("say Marrek, is the ferry in?")
        self.marrek.db.notebook = {"lines": [], "needs_compaction": True}
        self.marrek.notebook.append("It is.")
        self.assert_rebuilt(self.now())

    def test_memories_as_they_were(self):
        """A memory that is taken out of use later is in use at a moment before."""
        self.says("say Marrek, is the ferry in?")
        seq, _ = self.now()
        before = past.rows_at(self.key, seq, COLUMNS)
        row = before[-1]["id"]
        store = store_of(self.marrek)
        commit = self.commit(archived=[row], annotated={row: {"seen": True}})
        store.commit(commit)
        after = past.rows_at(self.key, self.now_seq(), COLUMNS)
        assert past.rows_at(self.key, seq, COLUMNS) == before
        assert after[-1]["archived_at"] == commit.at
        assert after[-1]["meta"]["seen"]

    def test_blocks_have_their_own(self):
        """Each change of a block is a moment of its owner's blocks."""
        for mood in ("gruff", "kind"):
            version = block_rows.read_block(PERSONA, self.key).version
            block_rows.write_block(PERSONA, self.key, {"personality": mood}, version)
        last, first = past.moments(f"block:{self.key}", 2)
        told = [past.state_at(f"block:{self.key}", "block", PERSONA, m.seq) for m in (first, last)]
        assert [one["personality"] for one in told] == ["gruff", "kind"]

    def test_all_logs_of_a_commit_are_written_together(self):
        """What becomes of own states and of two blocks takes one statement each to be told."""
        fact = {"content": "The ferry leaves at dawn.", "at": 1.0, "writer": "npc"}
        mood = {"fields": {"emotion": "gruff"}, "at": 1.0, "writer": "npc"}
        steps = [
            Change("shared_social", "", "add_line", fact),
            Change("status", "", "set_status", mood),
            Change("notebook", "", "append", {"content": "Asked.", "at": 1.0}),
        ]
        commit, statements = self.commit(changes=steps), []

        def watched(execute, sql, *rest):
            statements.append(sql.lstrip())
            return execute(sql, *rest)

        with connection.execute_wrapper(watched):
            store_of(self.marrek).commit(commit)
        for log in ("SELECT (SELECT MAX(seq)", "INSERT INTO ai_assistant_event",
                    "INSERT INTO ai_assistant_state"):  # fmt: skip
            assert sum(one.startswith(log) for one in statements) == 1, log
        log = f"block:{self.key}"
        seq = past.moments(log, 1)[0].seq
        told = [past.state_at(log, "block", block, seq) for block in ("shared_social", "status")]
        assert told[0]["recent_facts"][0]["content"] == "The ferry leaves at dawn."
        assert told[1]["emotion"] == "gruff"
        self.assert_rebuilt(self.now())

    def commit(self, **what):
        return Commit(at=self.clock.now(), **what)

    def now_seq(self):
        return past.moments(self.key, 1)[0].seq


class TestKept(PastTestCase):
    def let_go_before(self, time):
        """Let go of all that is older, as the heartbeats do, slice by slice."""
        for work in (prune_moments, fold_page):
            after = work(0, time)
            while after:
                after = work(after, time)

    def test_what_is_older_is_answered_as_such(self):
        """No moment is told half: some states of then would be known, and others folded."""
        self.says("say Marrek, is the ferry in?")
        old = self.now()[0]
        self.marrek.notebook.append("It was in.")
        self.clock.time += 60
        self.says("say Marrek, and now?")
        first = self.now()
        self.marrek.notebook.append("And now it is out.")
        self.let_go_before(self.clock.now() - 30)
        whose = whose_past(self.marrek)
        blocks = next(one.name for one in last_moments(whose, 50) if one.name.startswith("b"))
        for typed in (str(old), f"before {old}", blocks):
            with pytest.raises(AssistantError, match="as early as that"):
                moment_of(whose, typed)
        assert states_at(whose, moment_of(whose, blocks, "block"), "block")
        assert moment_of(whose, str(first[0])).own == first[0]
        before = moment_of(whose, f"before {first[0]}")
        [(_, notebook)] = states_at(whose, before, "notebook").items()
        assert [line["content"] for line in notebook["lines"]] == ["It was in."]
        self.assert_rebuilt(first)
        listed = [one.name for one in last_moments(whose, 50)]
        assert str(first[0]) in listed
        assert str(old) not in listed

    def test_no_memory_is_told_as_it_was_amended_later(self):
        """Of what was before an amendment that is folded, nothing is known."""
        self.says("say Marrek, is the ferry in?")
        before = self.now()[0]
        row = past.rows_at(self.key, before, COLUMNS)[-1]["id"]
        store_of(self.marrek).commit(Commit(self.clock.now(), annotated={row: {"seen": True}}))
        amended = past.moments(self.key, 1)[0].seq
        self.clock.time += 60
        self.says("say Marrek, and now?")
        self.let_go_before(self.clock.now() - 30)
        whose = whose_past(self.marrek)
        with pytest.raises(AssistantError, match="as early as that"):
            moment_of(whose, str(before))
        [told] = past.rows_at(self.key, moment_of(whose, str(amended)).own, COLUMNS, among=[row])
        assert told["meta"]["seen"]

    def test_nothing_is_folded_that_a_moment_still_tells_of(self):
        """Where moments stay, however old, so do the states that they lead to."""
        self.marrek.notebook.append("It is in.")
        noted = self.now()
        self.marrek.notebook.append("It was in.")
        fold_page(0, self.clock.now() + 60)
        self.assert_rebuilt(noted)

    def test_old_ones_are_folded(self):
        """Of what is too old one record of each state stays; later moments are as they were."""
        for number in range(4):
            self.says(f"say Marrek, is ferry {number} in?")
        noted = self.now()
        cut = StateChange.objects.order_by("-at").values_list("at", flat=True)[0]
        self.clock.time += 60
        self.says("say Marrek, and now?")
        later = self.now()
        self.let_go_before(cut + 1)
        self.assert_rebuilt(noted)
        self.assert_rebuilt(later)
        old = StateChange.objects.filter(sequence=self.key, part="stream", at__lt=cut + 1)
        assert old.count() == 1

    def test_old_traces_go(self):
        """After some days nothing tells of a turn any more; moments and the last record stay."""
        self.says("say Marrek, is the ferry in?")
        moments = past.moments(self.key, 10)
        AssistantEvent.objects.update(at=self.clock.now() - 31 * DAY)
        last = AssistantEvent.objects.filter(assistant=self.key).latest("seq")
        AssistantEvent.objects.filter(pk=last.pk).update(type="TurnCompleted")
        Usage.objects.create(day="2001-02-03", owner=self.key, calls=1)
        booked = Usage.objects.count() - 1
        call_command("ai_prune", stdout=StringIO())
        assert Usage.objects.count() == booked
        kept = AssistantEvent.objects.filter(assistant=self.key).order_by("seq")
        assert [one.type for one in kept].count("TurnCompleted") == 1
        assert kept.last().seq == last.seq
        assert "EventClosed" not in self.audited()
        assert [one.seq for one in past.moments(self.key, 10)] == [one.seq for one in moments[1:]]

    def test_many_newer_records_leave_the_moments(self):
        """A busy assistant's moments stay as long as its states, however many records follow."""
        self.says("say Marrek, is the ferry in?")
        first = past.moments(self.key, 10)
        with self.settings(AI_ASSISTANT_AUDIT_KEPT=20):
            for _ in range(3):
                records = [AuditRecord("ToolExecuted", {}, at=1.0)] * PRUNED_EVERY
                store_of(self.marrek).commit(Commit(self.clock.now(), audit=records))
        assert past.moments(self.key, 10)[-len(first) :] == first
        traces = AssistantEvent.objects.filter(assistant=self.key, type="ToolExecuted")
        assert traces.count() <= 20 + PRUNED_EVERY

    def test_old_moments_go(self):
        """Moments of which nothing can be rebuilt are gone; the last one stays."""
        for number in range(3):
            self.says(f"say Marrek, is ferry {number} in?")
        last = past.moments(self.key, 1)
        AssistantEvent.objects.update(at=self.clock.now() - 91 * DAY)
        call_command("ai_prune", stdout=StringIO())
        assert [one.seq for one in past.moments(self.key, 10)] == [last[0].seq]

    def test_what_takes_too_much_is_folded_however_new(self):
        """The oldest first, until the rest fits; how it stands now can still be looked at."""
        for number in range(4):
            self.says(f"say Marrek, is ferry {number} in?")
        told = StateChange.objects.filter(sequence=self.key, part="stream")
        call_command("ai_prune", stdout=StringIO())
        before = told.count()
        assert before > 1
        with self.settings(AI_ASSISTANT_STATE_MEGABYTES=0):
            call_command("ai_prune", stdout=StringIO())
        assert told.count() < before
        assert len(past.moments(self.key, 10)) < 4
        self.assert_rebuilt(self.now())
        self.says("say Marrek, and now?")
        call_command("ai_prune", stdout=StringIO())
        assert told.count() > 1

    def test_the_heartbeat_lets_go(self):
        """Slice by slice, without anybody's asking."""
        self.says("say Marrek, is the ferry in?")
        AssistantEvent.objects.update(at=self.clock.now() - 31 * DAY)
        self.tick(self.marrek, 2 * 3600)
        assert "TurnCompleted" not in self.audited()

    def test_switched_off(self):
        """With no days to keep, nothing of the past is written."""
        with self.settings(AI_ASSISTANT_STATE_DAYS=0):
            self.says("say Marrek, is the ferry in?")
        assert not StateChange.objects.filter(part="stream").exists()
