"""One turn as tools see it: what it offers them, and what they may ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ai_assistant.agent.turn import kits, speech_rules
from ai_assistant.agent.turn.handles import find_thing, get_thing
from ai_assistant.agent.turn.tool_reach import TurnAid
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.agent.unasked.planner import new_goal_id, propose_subtasks
from ai_assistant.core.contracts import Entity, Json, SpeechKind
from ai_assistant.core.ports import Thing
from ai_assistant.memory.search.recall import Found
from ai_assistant.tools import Tool
from ai_assistant.tools.registry import Aid
from ai_assistant.tools.schema import ThingKind


@dataclass(slots=True)
class Turn(TurnState):
    """One turn; implements `tools.ToolContext`."""

    aid: Aid = field(init=False)
    """What lies beyond the turn: other assistants, and the character's own condition."""

    def __post_init__(self) -> None:
        """Take what follows from the rest."""
        TurnState.__post_init__(self)
        self.aid = TurnAid(self)

    def may_say(self, kind: SpeechKind, target: str = "") -> bool:
        """May a speech of this kind be made, seen from its hearers now and the ceiling?"""
        return speech_rules.may_say(self, kind, target)

    def offered(self) -> list[Tool]:
        """Return the tools shown to the model now; see `agent.turn.kits`."""
        return [
            tool
            for tool in kits.shown(self)
            if self.is_offered(tool) and (not tool.speech or self.may_say(tool.speech))
        ]

    def is_offered(self, tool: Tool) -> bool:
        """May this tool be called in this step, whether the model is told of it or not?

        Who would hear what it says is looked at when it speaks.
        """
        return kits.is_offered(self, tool)

    def find(self, name: str, kind: ThingKind) -> Thing | None:
        """Return what a handle or a name stands for; raises `ToolError` where it is not clear."""
        return find_thing(self, name, kind)

    def thing(self, name: str, kind: ThingKind) -> Thing:
        """Return what a handle or a name stands for; raises `ToolError` for an unknown one."""
        return get_thing(self, name, kind)

    async def recall(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return memories that answer a query and are not `shown`, best first; each is admitted."""
        found = await self.candidates(query, k, besides=self.shown, **options)
        return [memory for memory in found if self.draw(memory.row)]

    def new_goal_id(self) -> str:
        """Return an id for a goal of this turn that no goal ever had."""
        return new_goal_id(self)

    async def subtasks(self, goal: Json, above: list[str]) -> list[str]:
        """Return the steps towards a goal, which is part of what stands `above`."""
        return await propose_subtasks(self, goal, above)

    def speak(self, kind: SpeechKind, text: str, target: Entity | None = None) -> None:
        """Propose the next piece of speech; raises `ToolError` where it may not be said."""
        self.speech = speech_rules.proposed(self, kind, text, target)
