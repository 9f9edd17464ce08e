"""The command `aidraft`: a model drafts a persona from a sentence; staff take what they like."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.desk.drafting import draft_persona
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.desk.draft_menu import open_draft
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.game.identity import name_of


class CmdAIDraft(AICommand):
    """
    let a model draft a persona from one sentence

    Usage:
      aidraft <assistant> = <sentence>

    The model writes role, personality, interests, greeting, sayings and lore
    of it. You are then asked about each: take it, leave what is there, or type
    it in other words. Nothing is written before you have seen all of it, and
    |waiblock/undo <assistant> = persona|n takes it back. It is paid from the
    staff's own daily budget. The offline model writes no drafts.

    Examples:
      aidraft marrek = a ferryman who lost his boat and blames the miller

    """

    key = "aidraft"
    locks = "cmd:perm(Admin)"

    @switch("", "Admin", named=True)
    def _draft(self, character: Any) -> None:
        JOBS.check_room(self.caller.account)
        work = draft_persona(character, self.rhs or "")
        job = JOBS.begin(self.caller.account, work)
        self.msg(f"A model drafts who {name_of(character)} is …")

        def told(_: object) -> None:
            if job.problem:
                self.msg(f"|r{as_it_stands(job.problem)}|n")
            elif self.caller.sessions.count():
                open_draft(self.caller, self.session, character, job.outcome)

        work.addCallback(told).addErrback(self.failed)
