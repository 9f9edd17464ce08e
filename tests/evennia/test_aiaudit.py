"""`aiaudit`: an owner sees what was changed, and what was at any moment."""

import json
import re
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant import blocks
from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import save
from ai_assistant.api.past_states import (
    MOST_ROWS,
    changed_between,
    last_moments,
    moment_of,
    states_at,
    whose_past,
)
from ai_assistant.api.turns.happenings import HAPPENED
from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.commands.desk.aitry import CmdAITry
from ai_assistant.commands.records.aiaudit import CmdAIAudit
from ai_assistant.commands.staff.aisleep import CmdAISleep
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from tests.evennia.living import CommandTestCase

ROOT = Path(__file__).resolve().parents[2]
DOCS, PACKAGE = ROOT / "docs" / "audit.md", ROOT / "ai_assistant"
TYPE = re.compile(r'(?:AuditRecord\(|audit\(|told = \()\s*"([A-Z]\w+)"')
"""Where the type of a record stands in the source."""


class TestAudit(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}
        self.marrek = self.an_assistant()
        self.marrek.notebook.append("The ferry leaks.")
        self.before = self.last()
        self.marrek.notebook.append("The ferry is mended.")
        self.after = self.last()

    def moments(self, count):
        return last_moments(whose_past(self.marrek), count)

    def last(self):
        """Return the name of the last moment."""
        return self.moments(1)[0].name

    def remembers(self, *texts):
        return save(self.marrek, Commit(at=self.clock.now(), rows=[*map(MemoryRow, texts)]))

    def audit(self, line, caller=None):
        return self.types(CmdAIAudit, line, caller)

    def test_the_list_of_changes(self):
        """Each moment with its number and what it changed, newest first."""
        told = self.audit("marrek")
        assert told.index(str(self.after)) < told.rindex(str(self.before))
        assert "notebook" in told

    def test_a_status_is_asked_for_by_its_block(self):
        """What every fight sets stands in no list of changes; `aiblock/history` has it."""
        before = self.audit("marrek")
        assert blocks.set_status(self.marrek, health=50)
        assert self.audit("marrek") == before
        assert "set_status" in self.types(CmdAIBlock, "/history marrek = status")

    def test_a_state_as_it_was(self):
        """Right after a commit nothing is known of those that came later."""
        told = self.audit(f"/at marrek = {self.before}: notebook")
        assert "The ferry leaks." in told
        assert "mended" not in told
        assert "mended" in self.audit(f"/at marrek = {self.after}")

    def test_a_time_stands_for_the_last_moment_by_then(self):
        """As somebody would say it: what was it on the evening of that day?"""
        assert "mended" in self.audit("/at marrek = 2100-01-01 18:04: notebook")
        assert "as early as that" in self.audit("/at marrek = 1999-01-01")

    def test_a_guest_who_left_keeps_the_name(self):
        """As it was told at the time, in the list and in the states."""
        guest = self.a_player("Guest7")
        self.marrek.profiles.add_entity_observation(guest, "Asks for the way.")
        moment = self.last()
        guest.delete()
        assert "profile Guest7" in self.audit("marrek")
        assert "profile Guest7" in self.audit(f"/at marrek = {moment}: profile")

    def test_how_many_people_there_are_costs_no_more_queries(self):
        """The states of forty are read as those of two."""

        def queries(people):
            for number in people:
                body = self.a_body(f"P{number}")
                self.marrek.profiles.add_entity_observation(body, f"Says {number}.")
            whose = whose_past(self.marrek)
            moment = moment_of(whose, last_moments(whose, 1)[0].name)
            with CaptureQueriesContext(connection) as asked:
                assert len(states_at(whose, moment, "profile")) >= len(people)
            return len(asked)

        assert queries(range(2)) == queries(range(2, 40))

    def test_two_moments_compared(self):
        """What came is marked, what stayed the same is not told."""
        told = self.audit(f"/compare marrek = {self.before} to {self.after}")
        assert "+" in told
        assert "mended" in told
        assert "persona" not in told
        assert "Nothing differs" in self.audit(f"/compare marrek = {self.after} to {self.after}")

    def test_memories_as_they_were(self):
        """What came is told, and what was put away since, which at a moment before was in use."""
        [row] = self.remembers("Eels are dear.")
        came = self.last()
        save(self.marrek, Commit(at=self.clock.now(), archived=[row.id]))
        went = self.last()
        told = self.audit(f"/compare marrek = before {came} to {came}")
        assert f"memory #{row.id}" in told
        assert "+content: Eels are dear." in told
        told = self.audit(f"/compare marrek = before {went} to {went}: memory")
        assert f"memory #{row.id}" in told
        assert "-archived at: none" in told
        assert "Eels" not in self.audit(f"/at marrek = {self.before}")
        assert "archived at: none" in self.audit(f"/at marrek = {came}: memory")
        assert "archived at: none" not in self.audit(f"/at marrek = {went}: memory")

    def test_of_many_memories_the_newest(self):
        """How many there are is said, of all and of those that came between two moments."""
        self.remembers(*(f"Eel {number}." for number in range(MOST_ROWS + 7)))
        whose = whose_past(self.marrek)
        told = states_at(whose, moment_of(whose, self.last()), "memory")
        assert told.pop("memory") == {"all": MOST_ROWS + 7, "shown": MOST_ROWS}
        assert [one["content"] for one in told.values()] == [f"Eel {n}." for n in range(56, 6, -1)]
        moments = (moment_of(whose, name) for name in (self.after, self.last()))
        assert [*changed_between(whose, *moments)][-1] == "memory: 7 more were written or amended"

    def test_blocks_as_they_were(self):
        """The persona is rebuilt and compared as any part is, at its own moments and at others."""
        for role in ("ferryman", "smith"):
            blocks.change_persona(self.marrek, {"role": role}, by="Ada")
            self.marrek.notebook.append(f"I am a {role} now.")
        last, smith, middle, ferryman = (one.name for one in self.moments(4))
        assert smith.startswith("b")
        assert smith in self.audit("marrek")
        for moment in (ferryman, middle, f"before {smith}"):
            assert "role: ferryman" in self.audit(f"/at marrek = {moment}: block")
        for moment in (smith, last, "2100-01-01"):
            assert "role: smith" in self.audit(f"/at marrek = {moment}: block")
        told = self.audit(f"/compare marrek = before {smith} to {smith}")
        assert "block persona" in told
        assert "-role: ferryman" in told
        assert "+role: smith" in told
        assert "notebook" not in told
        assert "role" not in self.audit(f"/compare marrek = before {last} to {last}")

    def test_settings_as_they_were(self):
        """What was set for it, from its first moment on, as every other part of it."""
        hilda = self.an_assistant("Hilda", tick_rate=20)
        for key, typed in (
            ("tick_rate", "30"),
            ("tick_rate", "default"),
            ("autonomy_interval", "0"),
        ):
            lifecycle.configure(hilda, key, typed, by="Ada")
        whose = whose_past(hilda)
        names = [one.name for one in last_moments(whose, 9) if one.parts == ["config"]][::-1]
        rates = [states_at(whose, moment_of(whose, name), "config") for name in names]
        assert [found.get("config", {}).get("tick_rate") for found in rates] == [20, 30, None, None]
        assert "tick rate: 30" in self.audit(f"/at hilda = {names[1]}: config")
        told = self.audit(f"/compare hilda = {names[0]} to {names[1]}")
        assert "-tick rate: 20" in told
        assert "+tick rate: 30" in told

    def test_what_happened_and_by_whom(self):
        """In words, newest first; what turns did stands elsewhere, and comes where it is asked."""
        self.char1.sessions.get()[0].protocol_flags["SCREENWIDTH"] = {0: 400}
        self.marrek.goals.add_goal("Mend the ferry")
        lifecycle.configure(self.marrek, "tick_rate", "30", by="Ada")
        told = self.audit("/events marrek")
        assert told.index("an option was set") < told.index("a goal was added")
        assert "now: 30; by: Ada" in told
        blocks.change_persona(self.marrek, {"role": "ferryman"}, by="Ada")
        written = self.audit("/events marrek = block")
        assert "by: Ada; done: set role" in written
        assert "by whom" not in written  # which the facts tell
        assert "milliseconds" not in told
        assert "tick rate" not in self.audit("/events marrek = goal")
        assert "Nothing on record is called" in self.audit("/events marrek = dragons")
        assert "Nothing of that" in self.audit("/events marrek = emergency")
        assert "Only Admins" in self.audit("/events marrek", self.builder)

    def test_a_tool_names_whom_it_was_about(self):
        """Not by the handle that its model had for them."""
        self.model.text("Hush.")
        self.does(self.a_player("Alice"), "whisper Marrek = Psst!")
        told = self.audit("/events marrek = tool")
        assert "to: Alice" in told
        assert not re.search(r"\bp\d\b", told)

    def test_words_of_the_code_are_told_as_words(self):
        """What was done to a block and to a part; whom a guideline is known to; no id of a turn."""
        self.marrek.journal.add_journal_entry("The ferry leaks.")
        self.model.say("Aye.")
        self.does(self.a_player("Alice"), "say Hello, Marrek!")
        self.types(CmdAITry, "/good marrek = 1")
        told = self.audit("/events marrek")
        assert "steps: add journal entry" in told
        assert "good: yes; by: Ada" in told
        assert "turn: " not in told

    def test_a_night_that_ended_by_itself_woke_nobody(self):
        """It says that it woke, and why; the night's id is of no use to people."""
        self.types(CmdAISleep, "/now marrek")
        told = self.audit("/events marrek")
        assert "it woke" in told
        assert "done" in told
        assert "was woken" not in told
        assert "night_" not in told

    def test_each_type_has_the_words_of_the_docs(self):
        """Whoever adds a type of record says what it tells, in both places alike."""
        listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", DOCS.read_text("utf-8"), re.M)
        assert dict(listed) == HAPPENED
        written = (TYPE.findall(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py"))
        assert {*chain(*written)} <= HAPPENED.keys()

    def test_states_are_told_in_words(self):
        """No braces, no quotes, no long ids: people by their names, and what is empty says so."""
        body = self.a_body("Bea")
        self.marrek.profiles.add_entity_observation(body, "Likes eels.", readers=entity_id(body))
        now = self.last()
        told = self.audit(f"/at marrek = {now}: profile")
        assert "content: Likes eels." in told
        assert "readers: Bea" in told
        assert not re.search(r"[{}\[\]\"]|[0-9a-f]{32}", told)
        told = self.audit(f"/compare marrek = {self.before} to {now}")
        assert "@@" not in told
        assert not re.search(r"[0-9a-f]{32}", told)

    def test_what_is_no_moment(self):
        """A word, a number before all that is known, an unknown part, half a comparison."""
        assert "Give its number" in self.audit("/at marrek = yesterday")
        assert "as early as that" in self.audit("/at marrek = 0")
        assert "There is no part" in self.audit(f"/at marrek = {self.after}: dreams")
        assert "Which two moments" in self.audit(f"/compare marrek = {self.after}")
        assert "Which moment" in self.audit("/at marrek")

    def test_it_is_for_admins(self):
        """States hold what was said in private."""
        assert "Only Admins" in self.audit("marrek", self.builder)

    def test_the_log_as_a_file(self):
        """Oldest first, then its blocks'; what became of states only where it is asked for."""
        blocks.change_persona(self.marrek, {"role": "ferryman"}, by="Ada")
        with TemporaryDirectory() as folder, self.settings(AI_ASSISTANT_CARDS=folder):
            assert self.audit("/export marrek") == ""  # nobody waits for it
            assert "records are in" in str(self.screen(self.char1))
            [plain] = [path.read_text("utf-8") for path in Path(folder).glob("*.jsonl")]
            Path(folder, next(Path(folder).glob("*.jsonl"))).unlink()
            self.audit("/export marrek = states")
            [whole] = [path.read_text("utf-8") for path in Path(folder).glob("*.jsonl")]
        records = [json.loads(line) for line in plain.splitlines()]
        types = [record["type"] for record in records]
        assert types[0] == "AssistantCreated"
        assert types[-1] == "BlockChanged"
        assert records[-1]["seq"].startswith("b")
        assert "StateChanged" not in types
        assert "The ferry leaks." not in plain
        assert "The ferry leaks." in whole
        assert "As in" in self.audit("/export marrek = all")
