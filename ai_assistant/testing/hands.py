"""The hands of whoever acts in a fake world: they take, put down and give what is there."""

from __future__ import annotations

from dataclasses import replace

from ai_assistant.core.contracts import Entity
from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import Thing


class Hands:
    """Acts on what is `present`, and puts each into `deeds`; `game` knows who else there is."""

    present: dict[str, Thing]
    game: list[Entity]
    deeds: list[str]

    async def give(self, item_id: str, receiver_id: str) -> str:
        """Hand over an item."""
        name, receiver = self._carried(item_id), self._there(receiver_id)
        del self.present[item_id]
        self.deeds.append(f"give {name} to {receiver}")
        return f"You gave the {name} to {receiver}."

    async def take(self, item_id: str) -> str:
        """Pick up an item."""
        name, thing = self._there(item_id), self.present[item_id]
        if thing.carried or not thing.takable:
            raise ToolError(f"You cannot pick up the {name}.")
        self.present[item_id] = replace(thing, carried=True, givable=True, takable=False)
        self.deeds.append(f"take {name}")
        return f"You took the {name}."

    async def put_down(self, item_id: str) -> str:
        """Put down an item."""
        name = self._carried(item_id)
        self.present[item_id] = Thing(self.present[item_id].entity, takable=True)
        self.deeds.append(f"put down {name}")
        return f"You put down the {name}."

    def _carried(self, item_id: str) -> str:
        name = self._there(item_id)
        if not self.present[item_id].carried:
            raise ToolError(f"You do not carry the {name}.")
        if not self.present[item_id].givable:
            raise ToolError(f"The {name} is not yours to give.")
        return name

    def _there(self, entity_id: str) -> str:
        if entity_id not in self.present:
            names = [one.name for one in self.game if one.id == entity_id]
            raise ToolError(f"{names[0]} is not here." if names else "That is not here any more.")
        return self.present[entity_id].entity.name
