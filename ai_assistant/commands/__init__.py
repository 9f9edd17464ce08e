"""The command sets: one for characters, and one for accounts that are out of character."""

from __future__ import annotations

from evennia import CmdSet

from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.commands.blocks.aiworld import CmdAIWorld
from ai_assistant.commands.desk.aidraft import CmdAIDraft
from ai_assistant.commands.desk.ainote import CmdAINote
from ai_assistant.commands.desk.aitry import CmdAITry
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.players.page import game_page_command, page_command
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.commands.records.aiaudit import CmdAIAudit
from ai_assistant.commands.records.aiexec import CmdAIExec
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.commands.staff.aidelegate import CmdAIDelegate
from ai_assistant.commands.staff.aigoal import CmdAIGoal
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.commands.staff.aiproj import CmdAIProj
from ai_assistant.commands.staff.airel import CmdAIRel
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.commands.staff.aisleep import CmdAISleep


class AssistantCmdSet(CmdSet):
    """
    The commands of the assistants. Add it to the game's CharacterCmdSet.

    """

    key = "AIAssistant"

    def at_cmdset_creation(self) -> None:
        """Add the staff's commands, and the game's own `page` as one that knows assistants."""
        staff = (CmdAI, CmdAIRel, CmdAIMem, CmdAIGoal, CmdAIProj, CmdAIDelegate, CmdAIBlock)
        more = (CmdAIWorld, CmdAISleep, CmdAIScene, CmdAIExec, CmdAIAudit)
        desk = (CmdAITry, CmdAINote, CmdAIDraft)
        for command in (*staff, *more, *desk):
            self.add(command())
        _add_page(self)


class AssistantPlayerCmdSet(CmdSet):
    """
    The commands for players. Add it to the game's CharacterCmdSet as well, if you want them.

    A command is renamed by a subclass with another `key`, in a set of your own.

    """

    key = "AIAssistantPlayer"

    def at_cmdset_creation(self) -> None:
        """Add what players may ask about themselves."""
        self.add(CmdMemories())
        self.add(CmdScene())


class AssistantAccountCmdSet(CmdSet):
    """
    Lets players page assistants while out of character. Add it to the game's AccountCmdSet.

    """

    key = "AIAssistantAccount"

    def at_cmdset_creation(self) -> None:
        """Add the game's own `page` as one that knows assistants."""
        _add_page(self)


def _add_page(cmdset: CmdSet) -> None:
    """Add our `page`, unless the game has none, or is being asked for its own right now."""
    if found := game_page_command():
        cmdset.add(page_command(found)())
