"""Our commands beside Evennia's own: no key or alias in common, our `page` excepted.

A command that shares any name with another removes that whole command from a merged set.
"""

import pytest
from evennia.commands.default.cmdset_account import AccountCmdSet
from evennia.commands.default.cmdset_character import CharacterCmdSet
from evennia.commands.default.cmdset_session import SessionCmdSet
from evennia.commands.default.cmdset_unloggedin import UnloggedinCmdSet
from evennia.commands.default.comms import CmdPage

from ai_assistant.commands import AssistantAccountCmdSet, AssistantCmdSet, AssistantPlayerCmdSet

WITH_PAGE = (AssistantCmdSet, AssistantAccountCmdSet)
OURS = (*WITH_PAGE, AssistantPlayerCmdSet)
STOCK = (CharacterCmdSet, AccountCmdSet, SessionCmdSet, UnloggedinCmdSet)


def names(cmdset):
    """Return {name: command} of a set: every key and alias, as the parser compares them."""
    return {
        name.lower().lstrip("@&/+"): command
        for command in cmdset()
        for name in (command.key, *command.aliases)
    }


@pytest.mark.django_db
@pytest.mark.parametrize("stock", STOCK)
@pytest.mark.parametrize("ours", OURS)
def test_no_name_in_common(ours, stock):
    """None of our names is one of Evennia's; only `page` is meant to take its own place."""
    own = {name: command for name, command in names(ours).items() if command.key != "page"}
    assert not own.keys() & names(stock).keys()


@pytest.mark.django_db
@pytest.mark.parametrize("ours", WITH_PAGE)
def test_our_page_is_evennias(ours):
    """The one command that replaces another is made of it, with the same names."""
    (page,) = (command for command in ours() if command.key == "page")
    assert isinstance(page, CmdPage)
    assert set(page.aliases) == set(CmdPage.aliases)


@pytest.mark.django_db
def test_merged_set_loses_nothing():
    """With our set added, a character has every command that it had before, and ours."""
    before = set(names(CharacterCmdSet))
    merged = CharacterCmdSet()
    merged.add(AssistantCmdSet)
    after = {name for command in merged for name in (command.key, *command.aliases)}
    assert before <= {name.lower().lstrip("@&/+") for name in after}
    assert "ai" in after


@pytest.mark.django_db
def test_staff_commands_have_one_beginning():
    """All our staff commands begin with `ai`, so that their names stay out of a game's way."""
    own = {name for name, command in names(AssistantCmdSet).items() if command.key != "page"}
    assert own
    assert all(name.startswith("ai") for name in own)
