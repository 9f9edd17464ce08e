"""What `ai` does about silence: one character, a room or all of them are told to be quiet."""

from __future__ import annotations

from evennia.utils import logger

from ai_assistant.api.lifecycle import end_silence, silence
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.game.identity import name_of


class QuietVerbs(AICommand):
    """
    The switch quiet of the command `ai`.

    """

    @switch("quiet", "Admin")
    def _quiet(self) -> None:
        wanted, order = self.lhs.strip(), (self.rhs or "").strip().lower()
        if not wanted or order not in ("", "end"):
            raise Misused
        what = None
        if wanted.lower() == "here":
            what = self.caller.location
            if what is None:
                raise AssistantError("You are nowhere; there is nobody to be quiet.")
        elif wanted.lower() != "all":
            what = self.wanted(wanted)
        whom = "Every assistant of the game" if what is None else name_of(what)
        if order:
            end_silence(what)
            self.msg(f"{whom}: no longer quiet.")
        else:
            dropped = silence(what)
            turns = counted(dropped, "turn")
            self.msg(f"{whom}: quiet until you end it; of what was under way, {turns} dropped.")
        done = "ended" if order else "ordered"
        logger.log_sec(f"Assistants: {self.caller.key} {done} the silence of {whom}.")
