"""What `ai` does for the whole game: health, settings, the set-up as a menu, and a live test."""

from __future__ import annotations

from ai_assistant.api.doctor import CHECKS
from ai_assistant.api.game_state import game_settings, health
from ai_assistant.api.model_setup import find_profile, key_advice
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.setup.character_steps import STEPS
from ai_assistant.commands.setup.setup_menu import WHO, SetupMenu
from ai_assistant.commands.shown import in_words
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.llm.model_trial import Trial, trial_lines
from ai_assistant.runtime.model_trials import run_trial


class GameVerbs(AICommand):
    """
    The switches health, settings, setup and test of the command `ai`.

    """

    @switch("health", takes=0)
    def _health(self) -> None:
        seen = health()
        amiss = [found for found in seen.findings if found.level != "ok"]
        told = {found.text for found in amiss}
        lines = [f"|r{as_it_stands(text)}|n" for text in seen.troubles if text not in told]
        for found in amiss:
            lines.append(f"|y{found.level}, {found.about}|n: {as_it_stands(found.text)}")
            lines.append(f"  |xdo: {as_it_stands(found.fix)}|n")
        lines += [f"|w{name}|n: {value}" for name, value in seen.figures]
        well = [about for about in CHECKS if about not in {found.about for found in amiss}]
        self.show([*lines, f"|wset up well|n: {', '.join(well)}"])

    @switch("settings", takes=1)
    def _settings(self) -> None:
        lines = []
        for row in game_settings(self.lhs):
            value = as_it_stands(in_words(row.value))
            lines.append(f"|w{row.name}|n = {value} |x({row.source})|n")
            problem = f"|r{as_it_stands(row.problem)}|n" if row.problem else ""
            lines.append(f"  {problem or as_it_stands(row.about)}")
        nothing = "The game has no setting about that; ai/settings lists them all, and "
        self.show(lines or f"{nothing}ai/config <name> {self.lhs} what one assistant has.")

    @switch("setup", WHO, takes=0, writes="")
    def _setup(self) -> None:
        SetupMenu(self.caller, STEPS, "start", self.session)

    @switch("test", "Admin", takes=1, writes="")
    def _test(self) -> None:
        profile = find_profile(self.lhs or "default")
        if profile.problem:
            raise AssistantError(f"Nothing to test of '{profile.name}': {profile.problem}")
        if profile.offline:
            why = f"{profile.note} {key_advice(profile)}" if profile.note else ""
            told = why or "It is the built-in offline model, which always answers."
            raise AssistantError(f"Nothing to test of '{profile.name}': {told}")
        self.msg(as_it_stands(f"Testing {profile.model}; it goes on beside the game …"))
        run_trial(profile).addCallback(self._tried).addErrback(self.failed)

    def _tried(self, trial: Trial) -> None:
        self.msg(as_it_stands("\n".join(trial_lines(trial))))
