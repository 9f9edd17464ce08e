"""Memory policy: what a role keeps of its talk, and whether it has a notebook (seed MP)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RoleMemory:
    """The memory of one role.

    `memory_tool`: has it a notebook? `default_action`: what the tool does where the model does not
    say. `chat_history`: are earlier turns in the prompt? `persist_chat_history`: do they survive a
    restart? `llm_compaction`: may a model summarise them, where the game allows that at all?
    """

    memory_tool: bool = True
    default_action: Literal["append", "write"] = "append"
    chat_history: bool = False
    persist_chat_history: bool = False
    llm_compaction: bool = True


SMART_CHAT = RoleMemory(chat_history=True, persist_chat_history=True)
