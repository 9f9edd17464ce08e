"""The worst model there is: it tells what it was shown, does all it can, and fails in every way."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import BadReply, EmptyReply, ModelTimeout, ModelUnavailable
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.tools import tool

SECRET = re.compile(r"zq\d+x")
TOLD = 8
"""So many secrets does it repeat at once."""
FAULTS: tuple[Exception, ...] = (
    ModelUnavailable("gone"), ModelTimeout("late"), BadReply("odd"), EmptyReply("none"),
)  # fmt: skip
USAGES = (
    TokenUsage(900, 20, known=True), TokenUsage(), TokenUsage(-5, 2, known=True),
    TokenUsage(10**9, 1, known=True), TokenUsage(0, 0, known=True),
)  # fmt: skip


class Killed(BaseException):
    """The server dies at this point."""


@tool(Category.DANGEROUS, about={"bell": "Which."})
def ring(turn: Any, bell: str) -> dict[str, str]:
    """Ring a bell."""
    turn.mind.model.rings(bell)
    return {"rang": bell}


@tool(Category.DANGEROUS, permission="Builder")
def raze(turn: Any) -> dict[str, str]:
    """Raze the town, which nobody here may."""
    turn.mind.model.razed += 1
    return {"razed": "all"}


class Traitor(Model):
    """Tells all it is shown with whatever there is, fails, and lets the world change meanwhile."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.calls = self.razed = 0
        self.rung: Counter[str] = Counter()
        self.stir: Any = None

    def rings(self, bell: str) -> None:
        """Note what was done; the server may die right after it."""
        self.rung[bell] += 1
        if self.luck.random() < 0.02:
            raise Killed

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply, or raise what went wrong."""
        self.calls += 1
        self.stir()
        draw = self.luck.random()
        if draw < 0.004:
            raise Killed
        if draw < 0.1:
            raise self.luck.choice(FAULTS)
        shown = "\n".join(message.content for message in request.messages)
        known = sorted(set(SECRET.findall(shown)))
        told = " ".join(self.luck.sample(known, min(TOLD, len(known)))) or "Nothing."
        offered = [schema["function"]["name"] for schema in request.tools]
        names = self.luck.sample([*offered, "raze", "page"], k=min(2, len(offered)))
        calls = [self._call(name, told) for name in names]
        calls += [self._call("ring", told)] if self.luck.random() < 0.2 else []
        calls += [self._call("say", told)] if self.luck.random() < 0.8 else []
        return ModelReply(tool_calls=tuple(calls), usage=self.luck.choice(USAGES))

    def _call(self, name: str, told: str) -> ToolCall:
        person = f"p{self.luck.randint(1, 4)}"
        given = {"text": told, "to": person, "entity": person, "observation": told, "about": person}
        given |= {"fact": told, "content": told, "query": told, "description": told}
        given |= {"bell": f"bell{self.calls}", "kit": "people", "reasoning": told}
        return ToolCall(f"c{self.calls}.{self.luck.random()}", name, given)
