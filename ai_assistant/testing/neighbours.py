"""Other assistants that may be given tasks, each on a stage of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from ai_assistant.agent.delegation.errands import Delegate, Errand, ErrandAnswer
from ai_assistant.agent.delegation.serving import serve
from ai_assistant.core.errors import ToolError
from ai_assistant.testing.fake_mind import Stage

_ids = count(1)


class Neighbours:
    """Implements `agent.delegation.errands.Delegates`; look at `errands` for what was handed over.

    All the stages draw their energy from the first one, as the assistants of a game do.
    """

    def __init__(self, requester: Stage, *others: Stage, hindrance: str = "") -> None:
        self.stages = {stage.mind.world.me().id: stage for stage in others}
        self.hindrance = hindrance
        self.errands: list[Errand] = []
        self._running = 0
        for stage in others:
            stage.mind.energy = requester.mind.energy
            stage.mind.clock = stage.clock = requester.clock
        requester.mind.delegates = self

    def known(self) -> Sequence[Delegate]:
        """Everybody on the other stages."""
        return [
            Delegate(id, it.world.me().name, str(it.mind.persona.get("role", "")), self.hindrance)
            for id, it in self.stages.items()
        ]

    def running(self) -> int:
        """How many errands are on their way."""
        return self._running

    async def send(self, delegate_id: str, errand: Errand) -> ErrandAnswer:
        """Have the errand done on that stage."""
        self.errands.append(errand)
        if delegate_id not in self.stages:
            raise ToolError("That one is gone.")
        self._running += 1
        try:
            return await serve(self.stages[delegate_id].mind, errand, f"errand{next(_ids)}")
        finally:
            self._running -= 1
