"""What `ai` does about models: the set-up as a menu, and a live test."""

from __future__ import annotations

from ai_assistant.api.model_setup import find_profile, key_advice
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.setup.character_steps import STEPS
from ai_assistant.commands.setup.setup_menu import WHO, SetupMenu
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.llm.model_trial import Trial, trial_lines
from ai_assistant.runtime.model_trials import run_trial


class SetupVerbs(AICommand):
    """
    The switches setup and test of the command `ai`.

    """

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
