"""All commands in a village that is full of life: they fit a telnet screen, and examples work."""

import inspect
import re

from tests.evennia.filled_village import COMMANDS, FilledVillage

WIDTH = 78
LOOKS = """
ai
ai marrek
ai/foo
ai/persona marrek
ai/history marrek
ai/why marrek
ai/why bram
ai/turns
ai/turns marrek = cost
ai/config marrek
ai/config marrek tick_rate
ai/publish marrek = gold
ai/import
ai/lore
ai/lore marrek
ai/prompt marrek
ai/template marrek = show default
ai/component marrek
ai/guidelines marrek
ai/test
aiblock
aiblock marrek
aiblock/show marrek = private@alice
aiblock/show marrek = shared_social
aiblock/visible marrek = alice
aiblock/readers marrek = private@alice
aiblock/history marrek = persona
aidelegate
aidelegate marrek
aidelegate/history bram
aigoal
aigoal marrek
aigoal/all marrek
aigoal marrek = ferry
aimem
aimem marrek
aimem/profile marrek = alice
aimem/working marrek
aimem/journal marrek
aimem/session marrek
aimem/notebook marrek
aimem/search marrek = cat
aimem/why marrek = what is my cat called?
aimem/who marrek = #2
aiproj
aiproj marrek
aiproj marrek = ferry
airel
airel marrek
airel marrek = alice
airel/history marrek = alice
aiscene
aiscene 0
aiscene sword
aiscene/world 0
aiscene/why 0
aiscene/why sword
aiscene/knows sword = bram
aiscene/who sword = the old map
aiexec
aiexec marrek
ai/health
ai/settings speech
aisleep
aisleep marrek
aisleep/report marrek
memories
memories marrek
scene
scene/list
scene/recap
"""
REFUSED = re.compile(
    r".*(usage:|did you mean|there (is|are) no|which \w+\?|only \w+s may|does not take|fail|"
    r"nothing)",
    re.IGNORECASE,
)
"""What the first line says where a line was not understood, or came to nothing."""


def examples(command):
    """Return the lines under ``Examples:`` of a command's help."""
    text = inspect.cleandoc(command.__doc__).partition("Examples:\n")[2]
    return [line.strip() for line in text.partition("\n\n")[0].splitlines()]


class TestScreens(FilledVillage):
    def test_no_line_is_wider_than_a_telnet_screen(self):
        """Tables, lists, prompts and refusals alike, and nothing shows raw values."""
        self.play()
        self.run_line("aidelegate bram = Who built the old mill, and when?")
        self.screens_of(WIDTH)
        for line in filter(None, LOOKS.splitlines()):
            told = self.run_line(line)
            assert told.strip(), line
            wide = [row for row in told.splitlines() if len(row) > WIDTH]
            assert not wide, (line, wide)
            raw = re.search(r"\b(True|False|None)\b|\dT\d\d:\d\d|\b1 (\w+s)\b", told)
            assert not raw or raw[2] in ("does",), (line, raw[0], told)


class TestExamples(FilledVillage):
    def test_every_example_of_the_help_does_what_it_shows(self):
        """Each command's in their order, in one village; no line of them is refused."""
        for key, command in sorted(COMMANDS.items()):
            if key == "aiscene":
                self.play()
            if key == "scene":
                self.run_line("scene/stop", answers=["yes"])
            lines = examples(command)
            assert lines, key
            for line in lines:
                told = self.run_line(line, answers=["yes"])
                assert told.strip(), line
                assert not REFUSED.match(told), (line, told)
            if key == "aiexec":
                ours = [line for line in self.logged() if line.startswith("ai_assistant: ")]
                assert [line for line in ours if "Emergency stop of" not in line] == []
