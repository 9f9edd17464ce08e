"""The command sets of the demo game: Evennia's defaults and one line each for the assistants."""

from evennia import default_cmds

from ai_assistant.commands import (
    AssistantAccountCmdSet,
    AssistantCmdSet,
    AssistantPlayerCmdSet,
)


class CharacterCmdSet(default_cmds.CharacterCmdSet):
    """What a character can do."""

    key = "DefaultCharacter"

    def at_cmdset_creation(self):
        """Add the assistants' commands to Evennia's."""
        super().at_cmdset_creation()
        self.add(AssistantCmdSet)
        self.add(AssistantPlayerCmdSet)


class AccountCmdSet(default_cmds.AccountCmdSet):
    """What an account can do, in character or out."""

    key = "DefaultAccount"

    def at_cmdset_creation(self):
        """Add the `page` that reaches assistants too."""
        super().at_cmdset_creation()
        self.add(AssistantAccountCmdSet)


class UnloggedinCmdSet(default_cmds.UnloggedinCmdSet):
    """What somebody can do who has not logged in."""

    key = "DefaultUnloggedin"


class SessionCmdSet(default_cmds.SessionCmdSet):
    """What belongs to the connection."""

    key = "DefaultSession"
