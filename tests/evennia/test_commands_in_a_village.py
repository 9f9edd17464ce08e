"""All commands in a village that is full of life: they fit a telnet screen, and examples work."""

import re

from evennia.utils.create import create_object

from ai_assistant.commands.help_topics import examples_in
from ai_assistant.game.identity import entity_id
from ai_assistant.models import ModelCall
from ai_assistant.roleplay.distribution import MESSAGE
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container
from tests.evennia.filled_village import COMMANDS, FilledVillage
from tests.evennia.test_old_layout import OLD

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
aigoal/agenda marrek
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


BOOK = '{"name": "Isle", "entries": [{"id": 1, "keys": ["ferry"], "content": "It leaks."}]}'
BELL = """
format: assistant scene
title: The Silent Bell
day: 1
location: inn
places: {cellar: inn}
things: {the clapper: cellar, the rope: Alice}
roles: {reeve: {}, smith: {}}
"""
NEEDED = {
    "ai/confirm": "There is nothing to confirm",  # a character proposed it a minute ago
    "ai/test": "the built-in offline model, which always answers",  # a model that costs
}
"""What lines tell that need something which this village has not."""


class TestExamples(FilledVillage):
    def setUp(self):
        super().setUp()
        self.char1.locks.reset()  # so that Evennia sees a superuser
        self.does(self.a_player("Bob"), "say Marrek, my dog is called Rex.")
        create_object("typeclasses.characters.Character", "the old parrot", self.inn)
        self.tansy.db.persona = OLD["persona"]
        (self.cards / "isle.json").write_text(BOOK)
        (self.cards / "bell.yaml").write_text(BELL)

    def numbered(self, line):
        """Return an example with numbers that there are here, where it is shown with a 12."""
        if line.startswith("aiscene/"):
            owner = WORLD if " who: " in line else entity_id(self.alice)
            rows = Container(SCENES.of(entity_id(self.alice)).id, owner)
            found = (
                rows.find(where={"kind": MESSAGE}, limit=1)
                if owner == WORLD
                else rows.find(limit=1)
            )
            line = line.replace("#12", f"#{found[0].id}")
        if line.startswith("aitry/again"):
            self.run_line("ai/call marrek")
            mine = ModelCall.objects.filter(assistant=entity_id(self.marrek))
            line = line.replace("12", str(mine.latest("pk").pk))
        return line

    def test_every_example_of_the_help_does_what_it_shows(self):
        """Each command's in their order, in one village; no line of them is refused."""
        for key, command in sorted(COMMANDS.items()):
            if key == "aiscene":
                self.play()
            if key == "scene":
                self.run_line("aiscene/add bell = ada")
            lines = examples_in(command.__doc__)
            assert lines, key
            for line in map(self.numbered, lines):
                switch = line.partition(" ")[0]
                told = self.run_line(line, answers=["Hilda" if switch == "ai/delete" else "yes"])
                if switch in NEEDED:
                    assert NEEDED[switch] in told
                    continue
                assert told.strip(), line
                assert not REFUSED.match(told), (line, told)
                if switch == "ai/setup":
                    self.char1.execute_cmd("quit")
            if key == "aiexec":
                ours = [line for line in self.logged() if line.startswith("ai_assistant: ")]
                assert [line for line in ours if "Emergency stop of" not in line] == []
