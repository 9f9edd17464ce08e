"""What tests of all commands look at: an inn whose people have lived through something together."""

import tempfile
from dataclasses import replace
from pathlib import Path

import evennia
from django.test import override_settings

from ai_assistant.api import blocks
from ai_assistant.commands import AssistantCmdSet, AssistantPlayerCmdSet
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.players.player_command import PlayerCommand
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase

SAID = (
    "Marrek, my cat is called Mog.",
    "Marrek, I live in Oakvale and work as a smith.",
    "Marrek, what is my cat called?",
)
COMMANDS = {
    one.key: type(one)
    for one in (*AssistantCmdSet().commands, *AssistantPlayerCmdSet().commands)
    if isinstance(one, AICommand)
}
"""All commands that are ours alone, by what is typed."""


class FilledVillage(CommandTestCase):
    """Old Marrek, Bram and Tansy, with talk, a night, plans; Ada may all.

    The built-in model answers, so that nothing is scripted.
    """

    def build(self):
        return replace(build_shared(), clock=self.clock)

    def setUp(self):
        super().setUp()
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.cards = Path(place.name)
        settings = override_settings(AI_ASSISTANT_CARDS=place.name)
        settings.enable()
        self.addCleanup(settings.disable)
        self.account.is_superuser = True
        self.account.save()
        self.alice = self.a_player("Alice")
        self.a_channel()
        self.marrek = self.an_assistant("Old Marrek", sub_agents_enabled=True)
        self.bram = self.an_assistant("Bram")
        self.bram.tags.add("specialist")
        self.tansy = self.an_assistant("Tansy")
        self._lives()
        self._plans()

    def _lives(self):
        """They talk, openly and in confidence, and sleep over it."""
        fields = {"role": "ferryman", "personality": "gruff, fond of riddles"}
        blocks.change_persona(self.marrek, fields, by="Ada")
        for line in SAID:
            self.does(self.alice, f"say {line}")
        self.does(self.alice, "say Tansy, my cat sleeps all day.")
        self.does(self.alice, "whisper Old Marrek = The gold lies under the gate.")
        self.marrek.profiles.update_relationship(self.alice, 0.1, "she gave him an apple")
        self.marrek.journal.add_journal_entry("The bridge is out, and the ferry leaks.")
        blocks.share_fact(self.marrek, "The bridge is out.", by="Ada")
        self.clock.advance(60)
        self.run_line("aisleep/now marrek")
        for _ in range(3):
            SERVICE.tick(self.resident(self.marrek).id)
            self.steps.run()
        self.marrek.profiles.add_entity_observation(self.alice, "Alice's cat is called Mog.")

    def _plans(self):
        goal = self.marrek.goals.add_goal("Mend the ferry before the autumn rain comes", "high")
        for words in ("Find planks that are long and dry", "Ask the smith for a hundred nails"):
            self.marrek.goals.add_goal(words, parent_id=goal)
        self.marrek.projects.create_project("ferry", "Mend the ferry.")
        self.marrek.projects.create_project("quest_design", "Design a quest of four halls.")

    def play(self):
        """Let Alice play a scene with Bram."""
        for line in ("/create The Lost Sword", "/invite Bram", "/day 5", "/start"):
            self.run_line(f"scene{line}")
        self.does(self.alice, "say Bram, the old map is behind the gate.")

    def run_line(self, line, answers=()):
        """Type a line as Ada, or, where it is a command for players, as Alice."""
        word = line.replace("/", " ").split()[0]
        player = issubclass(COMMANDS[word], PlayerCommand)
        caller = self.alice if player else self.char1
        self.screen(caller)
        told = self.types(COMMANDS[word], line.removeprefix(word), caller, answers)
        return "\n".join([told, *self.screen(caller)])  # and what came later

    def screens_of(self, width):
        """Give everybody a screen of so many columns, high enough for anything."""
        for session in evennia.SESSION_HANDLER.values():
            session.protocol_flags |= {"SCREENHEIGHT": {0: 900}, "SCREENWIDTH": {0: width}}
