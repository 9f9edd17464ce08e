"""The command `aiexec`: how an assistant executes, and its emergency stop."""

from __future__ import annotations

from typing import Any

from evennia.utils import logger

from ai_assistant.api.execution import (
    clear_emergency_stop,
    execution_of,
    trigger_emergency_stop,
)
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.shown import in_words
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.game.identity import name_of


class CmdAIExec(AICommand):
    """
    see how assistants execute, and stop one that has gone wrong

    Usage:
      aiexec                               who executes how
      aiexec <assistant>                   its state, and what is set about that
      aiexec/trigger <assistant> [= <why>] stop it at once
      aiexec/clear <assistant>             let it go on

    It runs no command, and never did. An assistant whose turns break
    max_consecutive_errors times in a row (ai/config, 5) is stopped by itself,
    and staff are told: it neither answers, acts nor sleeps, over restarts,
    until somebody clears that. Only errors of the software count: not a model
    or a database that fails, and not what a tool refuses. A turn that comes to
    its end begins the count anew. Builders look, Admins stop and clear.

    Examples:
      aiexec marrek
      aiexec/trigger marrek = it says the same to everybody
      aiexec/clear marrek

    """

    key = "aiexec"

    @switch("", takes=1)
    def _show(self) -> None:
        if self.args:
            self._show_one(self.wanted(self.lhs))
            return
        self.overview(("Name", "State", "Emergency stop", "Errors in a row"), _row)

    def _show_one(self, character: Any) -> None:
        found = execution_of(character)
        state = [f"  {name}: {as_it_stands(value)}" for name, value in found.state]
        rows = [
            (f"{key}*" if is_set else key, in_words(value)) for key, value, is_set in found.options
        ]
        self.show([f"|c{name_of(character)}|n", *state, "", self.table(("Option", "Value"), rows)])

    @switch("trigger", "Admin", named=True)
    def _trigger(self, character: Any) -> None:
        trigger_emergency_stop(character, self.rhs or "", self.caller.key)
        self.msg(f"{name_of(character)} is stopped; what it was about is dropped.")
        self._log("stopped", character)

    @switch("clear", "Admin", named=True, takes=1)
    def _clear(self, character: Any) -> None:
        clear_emergency_stop(character, self.caller.key)
        self.msg(f"{name_of(character)} may go on.")
        self._log("cleared the emergency stop of", character)

    def _log(self, done: str, character: Any) -> None:
        logger.log_sec(f"Assistants: {self.caller.key} {done} {name_of(character)}.")


def _row(character: Any) -> tuple[str, ...]:
    if character.assistant_script is None:
        return name_of(character), "without script", "", ""
    return name_of(character), *(value for _, value in execution_of(character).state[:3])
