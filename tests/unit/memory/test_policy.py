"""Roles: the table, and how a game and an assistant differ from it."""

import pytest

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.memory.policy import AgentMemoryPolicy, RoleMemory


@pytest.fixture
def policy():
    return AgentMemoryPolicy()


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Creator", RoleMemory(True, "write", False, False, True)),
        ("Analyzer", RoleMemory(True, "append", False, False, True)),
        ("Programmer", RoleMemory(True, "append", False, False, False)),
        ("CoreMechanicAI", RoleMemory(True, "append", False, False, True)),
        ("AINpc", RoleMemory(True, "append", False, False, True)),
        ("PlainChat", RoleMemory(False, "append", True, True, True)),
        ("SmartChat", RoleMemory(True, "append", True, True, True)),
    ],
)
def test_the_seven_roles(policy, name, role):
    """Notebook, default action, history, persistence and compaction are those of docs/memory.md."""
    assert policy.role(name) == role


def test_a_game_changes_roles_and_adds_its_own(policy):
    """Each call changes what it names and nothing else; a new name is a new role."""
    policy.configure_role("SmartChat", use_memory_tool=False)
    policy.configure_role("Creator", default_action="append")
    policy.configure_chat_history("Blacksmith", True, tokens=800, persist_between_sessions=True)
    policy.configure_llm_context_compaction("Programmer", True)
    assert policy.role("SmartChat").memory_tool is False
    assert policy.role("SmartChat").chat_history is True
    assert policy.role("Creator").default_action == "append"
    assert policy.role("Blacksmith").persist_chat_history is True
    assert policy.role("Blacksmith").history_tokens == 800
    assert policy.role("Programmer").llm_compaction is True
    assert "Blacksmith" in policy.roles


def test_two_games_do_not_share_their_changes(policy):
    """Whatever one policy is told, another begins with the roles of the package."""
    policy.configure_role("SmartChat", use_memory_tool=False)
    assert AgentMemoryPolicy().role("SmartChat").memory_tool is True


def test_an_assistant_differs_from_its_role(policy):
    """What is set to on or off goes before the role, the rest is the role's."""
    role = policy.effective("SmartChat", {"memory_tool": "off", "chat_history": "role"})
    assert role.memory_tool is False
    assert role.chat_history is True
    as_it = {"memory_action": "role", "chat_history_tokens": 0}
    assert policy.effective("Creator", as_it) == policy.role("Creator")
    own = policy.effective("Creator", {"memory_action": "append", "chat_history_tokens": 600})
    assert (own.default_action, own.history_tokens) == ("append", 600)


def test_unknown_names_are_told(policy):
    """A role that is none names those there are; so does an action."""
    with pytest.raises(ConfigurationError, match="PlainChat"):
        policy.role("Jester")
    with pytest.raises(ConfigurationError, match="append or write"):
        policy.configure_role("Creator", default_action="delete")
    with pytest.raises(ConfigurationError, match="from 200 to 4096"):
        policy.configure_chat_history("Creator", True, tokens=20)
