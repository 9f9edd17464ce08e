"""What holds for every command: wrong switches, tables, screen readers and help texts."""

import inspect
import re
from pathlib import Path

from evennia.commands.cmdset import CmdSet
from evennia.commands.default.help import CmdHelp

from ai_assistant.commands import AssistantCmdSet, AssistantPlayerCmdSet
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.help_topics import examples_in
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.commands.records.aiexec import CmdAIExec
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.commands.staff.aidelegate import CmdAIDelegate
from ai_assistant.commands.staff.aigoal import CmdAIGoal
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.commands.staff.aiproj import CmdAIProj
from ai_assistant.commands.staff.airel import CmdAIRel
from ai_assistant.commands.staff.aisleep import CmdAISleep
from ai_assistant.commands.tables import columns, rows_read_out, wrapped
from tests.evennia.living import CommandTestCase

WIDTH = 78
ROOT = Path(__file__).resolve().parents[2]


def ours():
    """Return all commands that are ours alone."""
    found = [*AssistantCmdSet().commands, *AssistantPlayerCmdSet().commands]
    return [one for one in found if isinstance(one, AICommand)]


class TestSwitches(CommandTestCase):
    def test_wrong_switch_does_nothing(self):
        """A slip of the finger is told, and does not fall through to something else."""
        self.an_assistant()
        told = self.types(CmdAIDelegate, "/histroy marrek = 5", self.char1)
        assert "There is no aidelegate/histroy. Did you mean aidelegate/history?" in told
        for command in ours():
            told = self.types(type(command), "/xyzzy marrek = 5", self.char1)
            assert f"There is no {command.key}/xyzzy." in told, command.key

    def test_a_word_of_the_same_meaning_names_the_switch(self):
        """Who types `scene/end` is told of `scene/stop`, not of all that there is."""
        told = self.types(CmdScene, "/end", self.char1)
        assert "There is no scene/end. Did you mean scene/stop?" in told

    def test_begun_switch_is_enough(self):
        """As elsewhere in Evennia, where only one begins so."""
        self.an_assistant()
        assert "perceived nothing" in self.ai("/hist marrek")
        told = self.ai("/st marrek")
        for one in ("ai/start", "ai/stop", "ai/status"):
            assert one in told

    def test_words_that_nobody_reads_are_told(self):
        """With what there is; what nearly is a switch is taken for one that was meant."""
        self.an_assistant()
        assert "There is no assistant 'foo'. There are: Marrek." in self.ai("foo")
        assert "'satus marrek'. There are: Marrek. Did you mean ai/status" in self.ai(
            "satus marrek"
        )
        told = self.types(CmdAIMem, "edit marrek = #1 Aye.", self.char1)
        assert "Did you mean aimem/edit?" in told
        told = self.types(CmdScene, "nonsense", self.char1)
        assert "scene does not take 'nonsense'. There are scene/" in told

    def test_what_is_after_an_equal_sign_is_read_or_refused(self):
        """Of every switch that takes only a name; with nothing after the sign it runs."""
        self.an_assistant()
        refusing = 0
        for command in map(type, ours()):
            for name, verb in command.verbs.items():
                if verb.takes == 1 and name:
                    told = self.types(command, f"/{name} marrek = xyzzy", self.char1)
                    assert f"{command.key}/{name} does not take 'xyzzy'." in told
                    refusing += 1
        assert refusing
        assert "Marrek" in self.ai("/status marrek =")

    def test_what_is_after_the_goal_or_project_is_refused_where_nobody_reads_it(self):
        marrek = self.an_assistant()
        marrek.projects.create_project("raft", "Build a raft.")
        marrek.goals.add_goal("Find planks.")
        told = self.types(CmdAIProj, "/archive marrek = raft: now", self.char1)
        assert "aiproj/archive does not take 'now'." in told
        told = self.types(CmdAIGoal, "/decompose marrek = planks: now", self.char1)
        assert "aigoal/decompose does not take 'now'." in told
        assert "Usage: ai/lore" in self.ai("/lore = drop x")

    def test_a_slash_may_be_forgotten(self):
        """`aisetup` is `ai/setup`, not the table of all; the alias alone is the command."""
        self.an_assistant()
        command = CmdAI()
        command.cmdstring, command.raw_cmdname = "aisetup", "aisetup"
        told = self.call(command, "", caller=self.builder, cmdstring="aisetup")
        assert "Only Superusers may do that." in told
        assert "There is no ai/init. There are ai/adopt" in self.ai("/init x")

    def test_one_switch_at_a_time(self):
        """Two of them are refused."""
        self.an_assistant()
        assert "One thing at a time" in self.ai("/stop/start marrek")


class TestOverviews(CommandTestCase):
    def test_each_command_alone_shows_everybody(self):
        """Without a name there is a table of all, or a word on how to begin."""
        plans = (CmdAIGoal, CmdAIProj, CmdAIDelegate)
        commands = (CmdAI, CmdAIRel, CmdAIMem, *plans, CmdAISleep, CmdAIExec)
        for command in commands:
            assert "Make one" in self.types(command, "", self.char1), command.key
        self.an_assistant("Marrek")
        self.an_assistant("Tansy")
        for command in commands:
            told = self.types(command, "", self.char1)
            assert "Marrek" in told, command.key
            assert "Tansy" in told, command.key

    def test_screen_readers_are_told_line_by_line(self):
        """No columns: each value follows its title."""
        self.an_assistant()
        session = self.char1.sessions.get()[0]
        session.protocol_flags["SCREENREADER"] = True
        assert "Name: Marrek; Place: The Inn; State: listening" in self.ai("")

    def test_names_stay_in_one_line(self):
        """Long ones too, on a usual screen."""
        self.char1.sessions.get()[0].protocol_flags["SCREENWIDTH"] = {0: WIDTH}
        name = "Captain Seraphina Stormborne"
        self.an_assistant(name)
        assert name in self.types(CmdAIMem, "", self.char1)

    def test_tables_are_as_wide_as_the_screen(self):
        """Also the widest one, on a narrow screen."""
        self.an_assistant("A name that is long and goes on and on for ever and ever")
        for width in (60, 78):
            self.char1.sessions.get()[0].protocol_flags["SCREENWIDTH"] = {0: width}
            assert max(map(len, self.ai("").splitlines())) <= width


class TestTables:
    def test_long_cells_go_over_several_lines(self):
        """The widest column gives way, and no word is lost."""
        text = "It holds one barrel of ale, two of cider, and a chest that nobody may open."
        told = columns(("Name", "What"), [("cellar", text)], width=40)
        lines = told.splitlines()
        assert max(map(len, lines[1:])) <= 40
        assert " ".join(line[8:].strip() for line in lines[1:]) == text

    def test_long_lines_are_broken_and_no_others(self):
        """By what is seen of them: markup takes no room, and what fits keeps its gaps."""
        row = f"|w{'Name':20}{'Place':20}|n"
        assert wrapped(row, 40) == row
        told = wrapped(f"  |c{'long ' * 12}|n", 30).splitlines()
        assert max(len(line.replace("|c", "")) for line in told) <= 30
        assert told[0].startswith("  |clong")
        assert all(line.startswith("    long") for line in told[1:])
        assert sum(line.count("long") for line in told) == 12

    def test_cells_are_plain_text(self):
        """Markup in a cell is shown, not obeyed."""
        assert "||rred" in columns(("A",), [("|rred",)])

    def test_names_are_broken_last(self):
        """What a row is about stays in one line, as long as the other columns can give way."""
        row = (
            "Captain Seraphina Stormborne",
            "The Harbour of the Old Town",
            "listening",
            "x/large (openrouter)",
        )
        told = columns(("Name", "Place", "State", "Model"), [row], width=70)
        assert row[0] in told
        assert max(map(len, told.splitlines())) <= 70
        assert "||rred" in rows_read_out(("A",), [("|rred",)])

    def test_empty_cells_are_not_read_aloud(self):
        """Nor titles that are none."""
        assert rows_read_out(("A", "B", ""), [("1", "", "x")]) == "A: 1; x"


class TestDocs:
    def test_name_only_commands_that_exist(self):
        """Whatever the pages tell people to type is there."""
        known = {f"{one.key}/{verb}" for one in ours() for verb in one.verbs}
        named = {
            match[0]
            for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
            for one in ours()
            for match in re.finditer(rf"(?<![\w/.]){one.key}/[a-z]+\b(?!/)", page.read_text())
        }
        assert named - known == set()


class TestHelp(CommandTestCase):
    def test_fits_the_screen(self):
        """No line of a help text is wider than Evennia's own frame around it."""
        for command in ours():
            for line in inspect.cleandoc(command.__doc__).splitlines():
                assert len(line.replace("|w", "").replace("|n", "")) <= WIDTH, (command.key, line)

    def test_help_knows_every_switch(self):
        """`help ai/why` shows how that is used, and names the page that tells all."""
        for line, shown in (
            ("ai/why", "ai/why <name> [= <number>]"),
            ("ai/stop", "ai/start, ai/stop <name>"),
            ("ai/component", "depth, order <key> <number>"),
            ("scene/recap", "scene/recap <scene> [= <day>]"),
        ):
            told = self.help(line)
            assert shown in told
            assert re.search(rf"Examples:\n *{line} ", told)
            assert f"All of it: help {line.partition('/')[0]}" in told
        for command in ours():
            for verb in filter(None, command.verbs):
                assert f"{command.key}/{verb}" in self.help(f"{command.key}/{verb}"), verb

    def help(self, line):
        """Return what Evennia's own help says."""
        cmdset = CmdSet()
        for command in ours():
            cmdset.add(command)
        return self.call(CmdHelp(), line, cmdset=cmdset)

    def test_names_every_switch_and_shows_its_use(self):
        """Each stands in the usage, and in a line that can be typed as it is."""
        for command in ours():
            usage, _, _ = command.__doc__.partition("Examples:")
            shown = [line.partition(" ")[0] for line in examples_in(command.__doc__)]
            for verb in filter(None, command.verbs):
                assert f"{command.key}/{verb}" in usage, (command.key, verb)
                assert f"{command.key}/{verb}" in shown, (command.key, verb)
